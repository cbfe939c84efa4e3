//! Phase 2: the program of a step from bodies, walls and candidate contacts.

use super::candidates::known_motion;
use super::contact::GrainContact;
use super::history::carried_force;
use super::problem::{Columns, ConeContact, ContactProblem, NO_BODY, Scale, Unknowns, dot};
use super::settings::{StaticStep, Stiffness, StiffnessMeaning};
use super::setup::{GrainSetup, Motion, WallControl};
use super::state::GrainState;
use glam::DVec2;
use rayon::prelude::*;

/// Stretch of boundary that has the stiffness kN when stiffness is meant per length, in mean diameters.
const STIFF_STRETCH: f64 = 0.1;

/// What the resistance to motion of a step is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inertia {
    /// M̄ = M/(θΔt²), and momentum.
    Dynamic {
        /// θ.
        theta: f64,
    },
    /// M̄ in place of mass [N/m]: of translations of grains, and of pressed walls.
    Proximal {
        /// Of grains.
        grains: f64,
        /// Of pressed walls.
        walls: f64,
    },
}

impl Inertia {
    /// Of a quasi-static step under a reference stress [N/m].
    pub fn of_static(choices: &StaticStep, stress: f64) -> Self {
        Self::Proximal { grains: choices.resistance * stress, walls: choices.wall_resistance * stress }
    }
}

/// A step to be assembled.
pub(super) struct Assembly<'a> {
    pub setup: &'a GrainSetup,
    pub state: &'a GrainState,
    pub time_step: f64,
    pub inertia: Inertia,
    /// How many times as much as that each grain, then each wall, resists in a quasi-static step; none for once.
    pub stiffer: &'a [f64],
    /// Largest penetration to be removed, if contacts are rigid [m].
    pub recovery: f64,
    pub scale: Scale,
}

/// Who the bodies of a program are.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// Body of each grain, then of each wall, or [`NO_BODY`].
    pub body_of: Vec<u32>,
    /// Displacement of each grain and wall as far as it is known: (x, y, arc) [m].
    pub known: Vec<[f64; 3]>,
}

impl Assembly<'_> {
    /// Bodies: free grains first, then pressed walls.
    pub fn bodies(&self) -> (Numbering, Vec<Unknowns>) {
        let mut numbering = Numbering { body_of: Vec::new(), known: Vec::new() };
        let mut bodies = Vec::new();
        let pushes = external_forces(self.setup, self.state);
        for (number, grain) in self.setup.grains.iter().enumerate() {
            let known = std::array::from_fn(|axis| match grain.motion[axis] {
                Motion::Free => 0.0,
                Motion::Prescribed(velocity) if axis == 2 => velocity * grain.radius * self.time_step,
                Motion::Prescribed(velocity) => velocity * self.time_step,
            });
            let is_free = grain.motion.contains(&Motion::Free);
            numbering.body_of.push(if is_free { bodies.len() as u32 } else { NO_BODY });
            numbering.known.push(known);
            if is_free {
                bodies.push(self.grain_unknowns(number, pushes[number]));
            }
        }
        for (place, wall) in self.state.walls.iter().enumerate() {
            let known = known_motion(wall, self.time_step);
            numbering.known.push([known.x, known.y, 0.0]);
            let body = match wall.control {
                WallControl::Pressed { pressure, between, mass } => {
                    let push = pressure * self.state.distance_between(between);
                    bodies.push(self.wall_unknowns(place, push, mass));
                    bodies.len() as u32 - 1
                }
                _ => NO_BODY,
            };
            numbering.body_of.push(body);
        }
        (numbering, bodies)
    }

    fn grain_unknowns(&self, number: usize, push: [f64; 3]) -> Unknowns {
        let grain = &self.setup.grains[number];
        let turning = grain.inertia / (grain.radius * grain.radius);
        let velocity = self.state.velocity[number];
        let mut unknowns = match self.inertia {
            Inertia::Dynamic { theta } => {
                let per_mass = 1.0 / (theta * self.time_step * self.time_step);
                let resistance = [grain.mass * per_mass, grain.mass * per_mass, turning * per_mass];
                let way = [velocity.x, velocity.y, self.state.spin[number] * grain.radius];
                let force =
                    std::array::from_fn(|axis| push[axis] + resistance[axis] * way[axis] * self.time_step);
                Unknowns { resistance, force }
            }
            Inertia::Proximal { grains, .. } => {
                let shift = grains * self.stiffer.get(number).unwrap_or(&1.0);
                Unknowns { resistance: [shift, shift, shift * turning / grain.mass], force: push }
            }
        };
        for axis in 0..3 {
            if grain.motion[axis] != Motion::Free {
                self.hold(&mut unknowns, axis);
            }
        }
        unknowns
    }

    /// A pressed wall has one unknown, its way along its normal.
    fn wall_unknowns(&self, place: usize, push: f64, mass: f64) -> Unknowns {
        let wall = &self.state.walls[place];
        let (resistance, momentum) = match self.inertia {
            Inertia::Dynamic { theta } => {
                let resistance = mass / (theta * self.time_step * self.time_step);
                (resistance, resistance * wall.velocity.dot(wall.normal) * self.time_step)
            }
            Inertia::Proximal { walls, .. } => {
                (walls * self.stiffer.get(self.setup.grains.len() + place).unwrap_or(&1.0), 0.0)
            }
        };
        let mut unknowns = Unknowns { resistance: [resistance; 3], force: [push + momentum, 0.0, 0.0] };
        self.hold(&mut unknowns, 1);
        self.hold(&mut unknowns, 2);
        unknowns
    }

    fn hold(&self, unknowns: &mut Unknowns, axis: usize) {
        unknowns.resistance[axis] = self.scale.force / self.scale.length;
        unknowns.force[axis] = 0.0;
    }

    /// The program of these contacts.
    pub fn problem(&self, contacts: &[GrainContact]) -> (ContactProblem, Numbering) {
        let (numbering, bodies) = self.bodies();
        let stretch = STIFF_STRETCH * self.setup.mean_diameter();
        let cones = contacts
            .par_iter()
            .with_min_len(256)
            .map(|contact| self.cone(contact, &numbering, stretch))
            .collect();
        (ContactProblem { bodies, contacts: cones, scale: self.scale }, numbering)
    }

    /// One row of the program; `stretch` [m] of boundary has the stiffness kN where that is meant per length.
    fn cone(&self, contact: &GrainContact, numbering: &Numbering, stretch: f64) -> ConeContact {
        let setup = self.setup;
        let friction = setup.friction.of(setup.material(contact.slave), setup.material(contact.master));
        let (compliances, carried) = match setup.settings.stiffness {
            Stiffness::Rigid => ([0.0; 2], 0.0),
            Stiffness::Elastic { normal, tangential_ratio, meaning } => {
                let normal = normal * self.share_of_length(contact, meaning, stretch);
                let carried = if friction > 0.0 { carried_force(setup, self.state, contact) } else { 0.0 };
                ([1.0 / normal, 1.0 / (normal * tangential_ratio)], carried)
            }
        };
        let clipped = if compliances[0] == 0.0 { contact.gap.max(-self.recovery) } else { contact.gap };
        let mut sides =
            [self.columns(contact.slave, contact, 1.0), self.columns(contact.master, contact, -1.0)];
        let (mut gap, mut slide) = (clipped, 0.0);
        for (columns, number) in sides.iter_mut().zip([contact.slave, contact.master]) {
            let known = &numbering.known[number as usize];
            gap += dot(&columns.normal, known);
            slide += dot(&columns.tangential, known);
            self.keep_unknown(columns, number, contact.normal);
        }
        ConeContact {
            slave: numbering.body_of[contact.slave as usize],
            master: numbering.body_of[contact.master as usize],
            on_slave: sides[0],
            on_master: sides[1],
            gap,
            slide,
            friction,
            normal_compliance: compliances[0],
            tangential_compliance: compliances[1],
            carried,
        }
    }

    /// H of a side, all of it. Forces act at the slave's point on both sides, so that they make no couple.
    fn columns(&self, number: u32, contact: &GrainContact, sign: f64) -> Columns {
        let (normal, tangent) = (contact.normal * sign, contact.normal.perp() * sign);
        let (arm, radius) = match self.setup.wall_of(number) {
            Some(_) => (DVec2::ZERO, 1.0),
            None => {
                let grain = number as usize;
                (contact.point - self.state.position[grain], self.setup.grains[grain].radius)
            }
        };
        Columns {
            normal: [normal.x, normal.y, arm.perp_dot(normal) / radius],
            tangential: [tangent.x, tangent.y, arm.perp_dot(tangent) / radius],
        }
    }

    /// Takes known motions out of H; a pressed wall keeps its way along its normal.
    fn keep_unknown(&self, columns: &mut Columns, number: u32, normal: DVec2) {
        match self.setup.wall_of(number) {
            Some(wall) => {
                let along = self.state.walls[wall].normal;
                columns.normal = [-normal.dot(along), 0.0, 0.0];
                columns.tangential = [-normal.perp().dot(along), 0.0, 0.0];
            }
            None => {
                for (axis, motion) in self.setup.grains[number as usize].motion.iter().enumerate() {
                    if *motion != Motion::Free {
                        columns.normal[axis] = 0.0;
                        columns.tangential[axis] = 0.0;
                    }
                }
            }
        }
    }

    fn share_of_length(&self, contact: &GrainContact, meaning: StiffnessMeaning, stretch: f64) -> f64 {
        let grain = &self.setup.grains[contact.slave as usize];
        match (meaning, self.setup.shapes[grain.shape as usize].knot_spacing()) {
            (StiffnessMeaning::PerLength, Some(length)) => length / stretch,
            _ => 1.0,
        }
    }
}

/// Force and moment/radius on each grain from outside: gravity and loads [N].
pub(super) fn external_forces(setup: &GrainSetup, state: &GrainState) -> Vec<[f64; 3]> {
    let mut forces: Vec<[f64; 3]> = setup
        .grains
        .iter()
        .map(|grain| [grain.mass * state.gravity.x, grain.mass * state.gravity.y, 0.0])
        .collect();
    for load in &state.loads {
        let grain = load.grain as usize;
        forces[grain][0] += load.force.x;
        forces[grain][1] += load.force.y;
        forces[grain][2] += load.moment / setup.grains[grain].radius;
    }
    forces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{DynamicStep, FrictionTable, Grain, GrainSettings, StepKind};
    use crate::shapes::nurbs::GrainShape;

    /// Acceptance test 18: the two sides of a contact make no force and no couple.
    #[test]
    fn sides_balance() {
        let shape = GrainShape::Disc(0.5);
        let grain = Grain::of_shape(0, &shape, 1.0, 0);
        let setup = GrainSetup {
            shapes: vec![shape],
            grains: vec![grain.clone(), Grain { radius: 0.8, ..grain }],
            friction: FrictionTable::uniform(1, 0.5),
            wall_materials: vec![],
            settings: GrainSettings::new(StepKind::Dynamic(DynamicStep::default()), 0.01),
        };
        let places = [(DVec2::new(0.1, -0.3), 0.0), (DVec2::new(0.9, 0.4), 1.0)];
        let state = GrainState::at_rest(&places, vec![], DVec2::ZERO);
        let scale = Scale { force: 1.0, length: 1.0, tolerance: 1e-8, complementarity: None };
        let inertia = Inertia::Dynamic { theta: 0.7 };
        let assembly = Assembly {
            setup: &setup,
            state: &state,
            time_step: 0.01,
            inertia,
            stiffer: &[],
            recovery: 0.0,
            scale,
        };
        let normal = DVec2::new(0.6, 0.8);
        let point = DVec2::new(0.45, 0.12);
        let contact =
            GrainContact { master: 0, slave: 1, knot: 0, normal, point, gap: 0.07, master_parameter: 0.0 };
        let (problem, _) = assembly.problem(&[contact]);
        let cone = &problem.contacts[0];
        let columns = [
            (cone.on_slave.normal, cone.on_master.normal),
            (cone.on_slave.tangential, cone.on_master.tangential),
        ];
        for (slave, master) in columns {
            let moment = |column: [f64; 3], grain: usize| {
                places[grain].0.perp_dot(DVec2::new(column[0], column[1]))
                    + column[2] * setup.grains[grain].radius
            };
            assert!((slave[0] + master[0]).abs() < 1e-14 && (slave[1] + master[1]).abs() < 1e-14);
            assert!((moment(slave, 1) + moment(master, 0)).abs() < 1e-14);
        }
    }
}

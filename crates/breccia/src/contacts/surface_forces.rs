//! Laws applied to the wall contacts of a chunk, gathered into lanes.

use super::loss_sums::LossSums;
use super::{Chunk, Forces, Memory, SurfaceContact, WallLoad};
use crate::laws::{Coefficients, Dashpots, Encounter, History, NormalLaw, RollingLaw, evaluate};
use crate::math::{LANES, Lanes, Real, Vec3};
use crate::step::StepInput;
use glam::DVec3;

/// Forces of all wall contacts of a chunk.
#[inline(always)]
pub fn surface_forces<N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk) {
    let mut sums = LossSums::<Lanes>::new();
    chunk.wall_loads.fill(WallLoad::default());
    let Chunk { surface, forces, wall_loads, .. } = chunk;
    for batch in surface.now.chunks_mut(LANES) {
        surface_batch::<N, O>(input, batch, forces, wall_loads, &mut sums);
    }
    sums.add_to(&mut chunk.totals);
    chunk.report.overlap_excess = chunk.report.overlap_excess.max(sums.largest_excess());
}

#[inline(always)]
fn surface_batch<N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    batch: &mut [SurfaceContact],
    forces: &mut Forces,
    wall_loads: &mut [WallLoad],
    sums: &mut LossSums<Lanes>,
) {
    let mut lanes = SurfaceLanes::gather::<N>(input, batch);
    let (response, losses) = evaluate::<Lanes, N, O>(
        &lanes.encounter,
        &lanes.coefficients,
        &mut lanes.history,
        Lanes::splat(input.time_step),
    );
    let normal = lanes.encounter.normal;
    let force = normal * response.normal_force + response.tangential;
    let torque = response.rolling_torque - normal.cross(response.tangential) * lanes.arm;
    for (k, contact) in batch.iter_mut().enumerate() {
        let history = &lanes.history;
        contact.memory = Memory {
            tangential: history.tangential.lane(k),
            depth: history.depth.0[k],
            rolling: history.rolling.lane(k),
            normal_dashpot: history.dashpots.normal.0[k],
            tangential_dashpot: history.dashpots.tangential.lane(k),
            rolling_dashpot: history.dashpots.rolling.lane(k),
        };
        contact.force = force.lane(k);
        forces.add(forces.local(contact.row), force.lane(k), torque.lane(k), response.rolling_limit.0[k]);
        let load = &mut wall_loads[contact.wall.0 as usize];
        load.force -= contact.force;
        load.torque -= contact.point.cross(contact.force) + response.rolling_torque.lane(k);
    }
    let used = batch.len();
    sums.add(&losses, Lanes::from_fn(|k| if k < used { 1.0 } else { 0.0 }));
    sums.note_excess(lanes.excess);
}

/// Up to eight wall contacts spread into lanes; unused lanes do not touch.
struct SurfaceLanes {
    encounter: Encounter<Lanes>,
    coefficients: Coefficients<Lanes>,
    history: History<Lanes>,
    arm: Lanes,
    excess: Lanes,
}

impl SurfaceLanes {
    #[inline(always)]
    fn gather<N: NormalLaw>(input: &StepInput, batch: &mut [SurfaceContact]) -> Self {
        let zero = Lanes::splat(0.0);
        let one = Lanes::splat(1.0);
        let zero3 = Vec3::splat(DVec3::ZERO);
        let mut lanes = Self {
            encounter: Encounter {
                normal: Vec3::splat(DVec3::Z),
                overlap: zero,
                velocity: zero3,
                inverse_mass: one,
                inverse_tangential_mass: one,
                inverse_inertia: one,
                relative_spin: zero3,
                turn_rate: zero,
                reduced_radius: one,
            },
            coefficients: Coefficients {
                scale: one,
                damping_scale: zero,
                tangential_ratio: one,
                tangential_damping_ratio: zero,
                friction: zero,
                rolling_friction: zero,
            },
            history: History {
                tangential: zero3,
                depth: zero,
                rolling: zero3,
                dashpots: Dashpots { normal: zero, tangential: zero3, rolling: zero3 },
            },
            arm: zero,
            excess: Lanes::splat(f64::NEG_INFINITY),
        };
        for (k, contact) in batch.iter_mut().enumerate() {
            lanes.set_motion(k, contact, input);
            lanes.set_law::<N>(k, contact, input);
        }
        lanes
    }

    #[inline(always)]
    fn set_motion(&mut self, k: usize, contact: &SurfaceContact, input: &StepInput) {
        let place = &input.places[contact.row as usize];
        let spin_row = &input.spins[contact.row as usize];
        let twist = &input.walls[contact.wall.0 as usize].twist;
        let spin = DVec3::from_array(spin_row.spin);
        let arm = place.radius - contact.overlap;
        let surface_speed = twist.velocity_at(contact.point);
        let encounter = &mut self.encounter;
        encounter.normal.set_lane(k, contact.normal);
        encounter.overlap.0[k] = contact.overlap;
        encounter.velocity.set_lane(k, place.velocity() - spin.cross(contact.normal) * arm - surface_speed);
        encounter.inverse_mass.0[k] = place.inverse_mass;
        encounter.inverse_tangential_mass.0[k] = place.inverse_mass + arm * arm * spin_row.inverse_inertia;
        encounter.inverse_inertia.0[k] = spin_row.inverse_inertia;
        encounter.relative_spin.set_lane(k, spin - twist.angular);
        encounter.turn_rate.0[k] = twist.angular.dot(contact.normal);
        encounter.reduced_radius.0[k] = place.radius;
        self.arm.0[k] = arm;
        self.excess.0[k] = contact.overlap - place.radius * input.model.limits.overlap;
    }

    #[inline(always)]
    fn set_law<N: NormalLaw>(&mut self, k: usize, contact: &mut SurfaceContact, input: &StepInput) {
        let pair = &input.laws.pairs[contact.pair.0 as usize];
        if contact.scale == 0.0 {
            let place = &input.places[contact.row as usize];
            let scales = pair.scales::<N>(place.radius, 1.0 / place.inverse_mass);
            (contact.scale, contact.damping_scale) = scales;
        }
        let coefficients = &mut self.coefficients;
        coefficients.scale.0[k] = contact.scale;
        coefficients.damping_scale.0[k] = contact.damping_scale;
        coefficients.tangential_ratio.0[k] = pair.tangential_ratio;
        coefficients.tangential_damping_ratio.0[k] = pair.tangential_damping_ratio;
        coefficients.friction.0[k] = pair.friction;
        coefficients.rolling_friction.0[k] = pair.rolling_friction;
        let memory = &contact.memory;
        self.history.tangential.set_lane(k, memory.tangential);
        self.history.depth.0[k] = memory.depth;
        self.history.rolling.set_lane(k, memory.rolling);
        self.history.dashpots.normal.0[k] = memory.normal_dashpot;
        self.history.dashpots.tangential.set_lane(k, memory.tangential_dashpot);
        self.history.dashpots.rolling.set_lane(k, memory.rolling_dashpot);
    }
}

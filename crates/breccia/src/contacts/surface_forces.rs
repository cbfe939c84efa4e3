//! Laws applied to the wall contacts of a chunk.

use super::face_forces::face_forces;
use super::loss_sums::LossSums;
use super::surface_lanes::{SurfaceLanes, SurfaceMeeting};
use super::surface_loads::SurfaceLoads;
use super::{Chunk, Forces, Memory, SurfaceContact, WallLoad};
use crate::laws::{History, NormalLaw, RollingLaw, evaluate};
use crate::math::{LANES, Lanes, Quad, Simd, Vec3};
use crate::step::StepInput;
use glam::DVec3;

/// Forces of all wall contacts of a chunk.
#[inline(always)]
pub fn surface_forces<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    chunk: &mut Chunk,
    forces: &mut Forces,
) {
    let mut sums = LossSums::new();
    let mut lanes = SurfaceLanes::new(input.dummy);
    chunk.wall_loads.fill(WallLoad::default());
    let Chunk { surface, wall_loads, element_sums, .. } = chunk;
    for group in &mut surface.faces {
        let load = &mut wall_loads[usize::from(group.wall.0)];
        face_forces::<S, N, O>(input, group, forces, load, &mut sums);
    }
    let (time_step, limit) = (S::splat(input.time_step), S::splat(input.model.limits.overlap));
    let (lone, others) = (surface.lone.chunks_mut(LANES), surface.now.chunks_mut(LANES));
    for contacts in lone.chain(others) {
        for (k, contact) in contacts.iter_mut().enumerate() {
            let pair = &input.laws.pairs[contact.pair.0 as usize];
            let scale_before = contact.scale;
            set_scales::<N>(input, contact);
            lanes.set(k, contact, scale_before, &input.walls[usize::from(contact.wall.0)].twist, pair);
        }
        for at in (0..contacts.len()).step_by(S::WIDTH) {
            let SurfaceMeeting { met, coefficients, mut history } =
                lanes.meeting::<S, O>(at, input.places, input.spins);
            let encounter = &met.encounter;
            let (response, losses) = evaluate::<S, N, O>(encounter, &coefficients, &mut history, time_step);
            if O::FOLLOWS_LOSSES {
                sums.add_weighted(at, &losses, in_use::<S>(at, contacts.len()));
            }
            sums.note_excess(at, encounter.overlap - encounter.reduced_radius * limit);
            let loads = LoadRows::new(&SurfaceLoads::new(&met, &response));
            let memories = Memories::new::<S, O>(&history);
            let end = contacts.len().min(at + S::WIDTH);
            for (k, contact) in contacts[at..end].iter_mut().enumerate() {
                memories.give(k, &mut contact.memory);
                loads.give(k, contact, forces, &mut wall_loads[usize::from(contact.wall.0)]);
            }
        }
        for contact in contacts {
            let wall = usize::from(contact.wall.0);
            if contact.share < 1.0 {
                let centre = input.places[contact.row as usize].centre();
                blend_force::<N>(contact, forces, &mut wall_loads[wall], centre);
            }
            if contact.is_on_mesh() {
                element_sums.add(contact, &input.walls[wall]);
            }
        }
    }
    sums.add_to(&mut chunk.totals);
    chunk.report.overlap_excess = chunk.report.overlap_excess.max(sums.largest_excess());
}

/// 1 for the lanes from `at` on that hold one of `count` contacts.
#[inline(always)]
fn in_use<S: Simd>(at: usize, count: usize) -> S {
    let weights = Lanes(std::array::from_fn(|k| if k < count { 1.0 } else { 0.0 }));
    S::load(&weights, at)
}

/// Scales of a contact that is new, or has got another share.
#[inline(always)]
fn set_scales<N: NormalLaw>(input: &StepInput, contact: &mut SurfaceContact) {
    if contact.damping_scale == 0.0 {
        let pair = &input.laws.pairs[contact.pair.0 as usize];
        let place = &input.places[contact.row as usize];
        let (scale, damping) = pair.scales::<N>(place.radius, 1.0 / place.inverse_mass);
        (contact.scale, contact.damping_scale) = (contact.share * scale, contact.share.sqrt() * damping);
    }
}

/// What some contacts do to their spheres and walls, contact by contact.
struct LoadRows {
    /// Force on the sphere [N, world], and its share of the braking limit [N m].
    force: [Quad; LANES],
    /// Torque on the sphere [N m, world].
    torque: [Quad; LANES],
    /// Torque on the wall about the world's origin, less its sign [N m, world].
    wall_torque: [Quad; LANES],
}

impl LoadRows {
    #[inline(always)]
    fn new<S: Simd>(loads: &SurfaceLoads<S>) -> Self {
        let rows = |vector: Vec3<S>, last: S| S::rows([vector.x, vector.y, vector.z, last]);
        Self {
            force: rows(loads.force, loads.braking),
            torque: rows(loads.torque, S::splat(0.0)),
            wall_torque: rows(loads.wall_torque, S::splat(0.0)),
        }
    }

    #[inline(always)]
    fn give(&self, k: usize, contact: &mut SurfaceContact, forces: &mut Forces, load: &mut WallLoad) {
        forces.add(contact.row, self.force[k], self.torque[k]);
        contact.force = vector(self.force[k]);
        load.force -= contact.force;
        load.torque -= vector(self.wall_torque[k]);
    }
}

/// What the change of the share adds: −W ∇φ, through the centre.
#[cold]
fn blend_force<N: NormalLaw>(
    contact: &mut SurfaceContact,
    forces: &mut Forces,
    load: &mut WallLoad,
    centre: DVec3,
) {
    let full_energy = N::energy(contact.memory.depth, contact.scale / contact.share);
    let force = contact.share_gradient * -full_energy;
    forces.add(contact.row, [force.x, force.y, force.z, 0.0], [0.0; 4]);
    load.force -= force;
    load.torque -= centre.cross(force);
    contact.force += force;
}

/// What some contacts remember, contact by contact.
struct Memories {
    /// Elastic tangential force, and depth.
    tangential: [Quad; LANES],
    /// Dashpots' shares of the tangential and of the normal force.
    dashpot: [Quad; LANES],
    rolling: [Quad; LANES],
    rolling_dashpot: [Quad; LANES],
}

impl Memories {
    #[inline(always)]
    fn new<S: Simd, O: RollingLaw>(history: &History<S>) -> Self {
        let (dashpots, zero) = (&history.dashpots, S::splat(0.0));
        Self {
            tangential: S::rows([
                history.tangential.x,
                history.tangential.y,
                history.tangential.z,
                history.depth,
            ]),
            dashpot: followed::<S, O>([
                dashpots.tangential.x,
                dashpots.tangential.y,
                dashpots.tangential.z,
                dashpots.normal,
            ]),
            rolling: S::rows([history.rolling.x, history.rolling.y, history.rolling.z, zero]),
            rolling_dashpot: followed::<S, O>([
                dashpots.rolling.x,
                dashpots.rolling.y,
                dashpots.rolling.z,
                zero,
            ]),
        }
    }

    #[inline(always)]
    fn give(&self, k: usize, memory: &mut Memory) {
        *memory = Memory {
            tangential: vector(self.tangential[k]),
            depth: self.tangential[k][3],
            tangential_dashpot: vector(self.dashpot[k]),
            normal_dashpot: self.dashpot[k][3],
            rolling: vector(self.rolling[k]),
            rolling_dashpot: vector(self.rolling_dashpot[k]),
            offset: 0.0,
        };
    }
}

/// Rows of what is kept only where losses are followed.
#[inline(always)]
fn followed<S: Simd, O: RollingLaw>(columns: [S; 4]) -> [Quad; LANES] {
    if O::FOLLOWS_LOSSES { S::rows(columns) } else { [[0.0; 4]; LANES] }
}

#[inline(always)]
fn vector([x, y, z, _]: Quad) -> DVec3 {
    DVec3::new(x, y, z)
}

//! Laws applied to the wall contacts of a chunk.

use super::loss_sums::LossSums;
use super::surface_lanes::SurfaceLanes;
use super::{Chunk, Forces, Memory, SurfaceContact, WallLoad};
use crate::laws::{Coefficients, Dashpots, Encounter, History, NormalLaw, Response, RollingLaw};
use crate::math::{LANES, Lanes, Simd, Vec3};
use crate::step::StepInput;
use glam::DVec3;

/// Forces of all wall contacts of a chunk.
#[inline(always)]
pub fn surface_forces<S: Simd, N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk) {
    let mut sums = LossSums::new();
    let mut lanes = SurfaceLanes::new();
    chunk.wall_loads.fill(WallLoad::default());
    let Chunk { surface, forces, wall_loads, element_sums, .. } = chunk;
    for contacts in surface.now.chunks_mut(LANES) {
        for (k, contact) in contacts.iter_mut().enumerate() {
            let encounter = encounter(input, contact);
            let coefficients = coefficients::<N>(input, contact);
            lanes.set(k, &encounter, &coefficients, &recall(&contact.memory));
        }
        for at in (0..contacts.len()).step_by(S::WIDTH) {
            let losses = lanes.evaluate::<S, N, O>(at, input.time_step);
            sums.add(at, &losses, in_use::<S>(at, contacts.len()));
        }
        for (k, contact) in contacts.iter_mut().enumerate() {
            let wall = usize::from(contact.wall.0);
            apply::<N>(input, contact, lanes.response(k), forces, &mut wall_loads[wall]);
            let radius = input.places[contact.row as usize].radius;
            sums.note_excess(k, contact.overlap - radius * input.model.limits.overlap);
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

/// Gives the force of one contact to its sphere and wall.
#[inline(always)]
fn apply<N: NormalLaw>(
    input: &StepInput,
    contact: &mut SurfaceContact,
    (response, history): (Response<f64>, History<f64>),
    forces: &mut Forces,
    load: &mut WallLoad,
) {
    let place = &input.places[contact.row as usize];
    let arm = place.radius - contact.overlap;
    contact.memory = remembered(&history);
    let tangential = glam(response.tangential);
    let rolling_torque = glam(response.rolling_torque);
    contact.force = contact.normal * response.normal_force + tangential;
    let torque = rolling_torque - contact.normal.cross(tangential) * arm;
    forces.add(forces.local(contact.row), contact.force, torque, response.rolling_limit);
    load.force -= contact.force;
    load.torque -= contact.point.cross(contact.force) + rolling_torque;
    if contact.share < 1.0 {
        blend_force::<N>(contact, &history, forces, load, place.centre());
    }
}

/// What the change of the share adds: −W ∇φ, through the centre.
fn blend_force<N: NormalLaw>(
    contact: &mut SurfaceContact,
    history: &History<f64>,
    forces: &mut Forces,
    load: &mut WallLoad,
    centre: DVec3,
) {
    let full_energy = N::energy(history.depth, contact.scale / contact.share);
    let force = contact.share_gradient * -full_energy;
    forces.add(forces.local(contact.row), force, DVec3::ZERO, 0.0);
    load.force -= force;
    load.torque -= centre.cross(force);
    contact.force += force;
}

#[inline(always)]
fn encounter(input: &StepInput, contact: &SurfaceContact) -> Encounter<f64> {
    let place = &input.places[contact.row as usize];
    let arm = place.radius - contact.overlap;
    let spin_row = &input.spins[contact.row as usize];
    let twist = &input.walls[contact.wall.0 as usize].twist;
    let spin = DVec3::from_array(spin_row.spin);
    let surface_speed = twist.velocity_at(contact.point);
    Encounter {
        normal: vec3(contact.normal),
        overlap: contact.overlap,
        velocity: vec3(place.velocity() - spin.cross(contact.normal) * arm - surface_speed),
        inverse_mass: place.inverse_mass,
        inverse_tangential_mass: place.inverse_mass + arm * arm * spin_row.inverse_inertia,
        inverse_inertia: spin_row.inverse_inertia,
        relative_spin: vec3(spin - twist.angular),
        // What is remembered turns with the wall, not with the sphere rolling over it.
        turn_rate: twist.angular.dot(contact.normal),
        reduced_radius: place.radius,
    }
}

#[inline(always)]
fn coefficients<N: NormalLaw>(input: &StepInput, contact: &mut SurfaceContact) -> Coefficients<f64> {
    let pair = &input.laws.pairs[contact.pair.0 as usize];
    let scale_before = contact.scale;
    if contact.damping_scale == 0.0 {
        let place = &input.places[contact.row as usize];
        let (scale, damping) = pair.scales::<N>(place.radius, 1.0 / place.inverse_mass);
        (contact.scale, contact.damping_scale) = (contact.share * scale, contact.share.sqrt() * damping);
    }
    Coefficients { scale_before, ..Coefficients::uniform(pair, contact.scale, contact.damping_scale) }
}

#[inline(always)]
fn recall(memory: &Memory) -> History<f64> {
    History {
        tangential: vec3(memory.tangential),
        depth: memory.depth,
        rolling: vec3(memory.rolling),
        dashpots: Dashpots {
            normal: memory.normal_dashpot,
            tangential: vec3(memory.tangential_dashpot),
            rolling: vec3(memory.rolling_dashpot),
        },
    }
}

#[inline(always)]
fn remembered(history: &History<f64>) -> Memory {
    Memory {
        tangential: glam(history.tangential),
        depth: history.depth,
        rolling: glam(history.rolling),
        normal_dashpot: history.dashpots.normal,
        tangential_dashpot: glam(history.dashpots.tangential),
        rolling_dashpot: glam(history.dashpots.rolling),
        offset: 0.0,
    }
}

#[inline(always)]
fn vec3(v: DVec3) -> Vec3<f64> {
    Vec3 { x: v.x, y: v.y, z: v.z }
}

#[inline(always)]
fn glam(v: Vec3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

//! Laws applied to spheres near one face alone.

use super::loss_sums::LossSums;
use super::surface_loads::{SurfaceLoads, SurfaceMotion, meet_surface};
use super::{FaceGroup, Forces, WallLoad};
use crate::laws::{NormalLaw, RollingLaw, evaluate, tilt};
use crate::math::{LANES, Lanes, Simd, Vec3};
use crate::narrow_phase::Side;
use crate::step::StepInput;
use glam::DVec3;

/// Forces of the spheres near a face, and what they do to its wall.
#[inline(always)]
pub(super) fn face_forces<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    group: &mut FaceGroup,
    forces: &mut Forces,
    load: &mut WallLoad,
    sums: &mut LossSums,
) {
    let wall = &input.walls[usize::from(group.wall.0)];
    let Some([face_before, face]) = wall.plain_faces(group.face) else { return };
    let pair = &input.laws.pairs[group.pair.0 as usize];
    let (time_step, limit) = (S::splat(input.time_step), S::splat(input.model.limits.overlap));
    let (zero, contacts) = (S::splat(0.0), &mut group.contacts);
    let (motion, mut loads) = (SurfaceMotion::splat(&wall.twist), LoadSums::new());
    for index in 0..contacts.blocks.len() {
        for at in (0..LANES).step_by(S::WIDTH) {
            let block = &contacts.blocks[index];
            let rows = &block.a[at..at + S::WIDTH];
            let sphere = Side::<S>::gather(rows, input.places, input.spins);
            let (normal, distance) = face.meet(sphere.centre);
            // Lanes without a sphere touch nothing, nor does anything touch a wall that has been taken away.
            let in_use: S = lanes_in_use(&block.a, at, forces);
            let reach = if wall.present { sphere.radius } else { zero };
            let overlap = zero.select_less(in_use, (reach - distance).at_least(zero), zero);
            let met = meet_surface(&sphere, normal, overlap, sphere.centre - normal * distance, &motion);
            let mut history = contacts.recall::<S, O>(index, at);
            if O::RESISTS_TORSION {
                let (old_normal, _) = face_before.meet(sphere.centre - sphere.motion.velocity * time_step);
                history.rolling = tilt(history.rolling, old_normal, normal);
            }
            let coefficients = block.coefficients(at, pair);
            let (response, losses) =
                evaluate::<S, N, O>(&met.encounter, &coefficients, &mut history, time_step);
            contacts.remember::<S, O>(index, at, &history);
            let given = SurfaceLoads::new(&met, &response);
            forces.add_side(
                &contacts.blocks[index].a[at..at + S::WIDTH],
                given.force,
                given.torque,
                given.braking,
            );
            loads.add(at, &given);
            if O::FOLLOWS_LOSSES {
                sums.add_weighted(at, &losses, in_use);
            }
            sums.note_excess(at, overlap - sphere.radius * limit);
        }
    }
    load.force -= loads.force();
    load.torque -= loads.torque();
}

/// 1 for lanes with a sphere of the chunk, 0 for those without.
#[inline(always)]
fn lanes_in_use<S: Simd>(rows: &[u32; LANES], at: usize, forces: &Forces) -> S {
    let mut weight = Lanes([0.0; LANES]);
    for (weight, &row) in weight.0[at..at + S::WIDTH].iter_mut().zip(&rows[at..]) {
        *weight = if forces.is_own(row) { 1.0 } else { 0.0 };
    }
    S::load(&weight, at)
}

/// Loads on a wall summed lane by lane, whatever the number of lanes worked on at a time; less their sign.
struct LoadSums {
    force: Vec3<Lanes>,
    torque: Vec3<Lanes>,
}

impl LoadSums {
    #[inline(always)]
    fn new() -> Self {
        Self { force: Vec3::splat(DVec3::ZERO), torque: Vec3::splat(DVec3::ZERO) }
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, at: usize, given: &SurfaceLoads<S>) {
        (Vec3::load(&self.force, at) + given.force).store(&mut self.force, at);
        (Vec3::load(&self.torque, at) + given.wall_torque).store(&mut self.torque, at);
    }

    fn force(&self) -> DVec3 {
        DVec3::new(self.force.x.sum(), self.force.y.sum(), self.force.z.sum())
    }

    fn torque(&self) -> DVec3 {
        DVec3::new(self.torque.x.sum(), self.torque.y.sum(), self.torque.z.sum())
    }
}

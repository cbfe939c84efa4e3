//! Central differences for bodies under contact forces, gravity, loads and damping.
//!
//! v^{n+½} = v^{n−½} + a^n Δt,  x^{n+1} = x^n + v^{n+½} Δt; spins alike with I = ⅖ m R² (no gyroscopic term for
//! spheres). Global damping −α m v uses the mean of both half steps, so that it can only take energy away.

use crate::contacts::{Chunk, StepTotals};
use crate::laws::RollingLaw;
use crate::math::{LANES, Lanes, Simd, Vec3};
use crate::narrow_phase::Side;
use crate::state::Clumps;
use crate::step::{ChunkOutput, StepInput};
use glam::{DQuat, DVec3};

/// Moves the bodies of a chunk one step on: where they go lie the forces on them.
#[inline(always)]
pub fn move_bodies<S: Simd, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
    let first = chunk.first as usize;
    let count = out.places.len();
    let mut sums = MotionSums::new();
    // Clumps and loads are looked up body by body.
    let one_by_one = input.has_loads || !input.member_of_row.is_empty();
    let together = if one_by_one { 0 } else { count / LANES * LANES };
    for k in (0..together).step_by(S::WIDTH) {
        move_rows::<S, O>(input, first, k, out, &mut sums);
    }
    for k in together..count {
        if !is_member(input, first + k) {
            move_rows::<f64, O>(input, first, k, out, &mut sums);
        }
    }
    let totals = sums.totals();
    chunk.totals.add_part(0.5, &chunk.last_motion);
    chunk.totals.add_part(0.5, &totals);
    chunk.last_motion = totals;
    count_flows(input, chunk, out);
    chunk.report.largest_speed_squared = sums.largest_speed_squared();
    chunk.report.left_domain = sums.left_domain;
    for (k, (orientation, spin)) in out.orientation.iter_mut().zip(out.spins.iter()).enumerate() {
        if !is_member(input, first + k) {
            *orientation = turned(*orientation, DVec3::from_array(spin.spin) * input.time_step);
        }
    }
}

/// Moves as many bodies as registers hold; they are those from row `k` of the chunk on, whose own rows begin at `first`.
#[inline(always)]
fn move_rows<S: Simd, O: RollingLaw>(
    input: &StepInput,
    first: usize,
    k: usize,
    out: &mut ChunkOutput,
    sums: &mut MotionSums,
) {
    let (mut rows, at) = ([0; LANES], k % LANES);
    for (row, place) in rows.iter_mut().zip(k as u32..) {
        *row = place;
    }
    let rows = &rows[..S::WIDTH];
    let body = Side::<S>::gather(rows, &input.places[first..], &input.spins[first..]);
    let forces = bytemuck::cast_slice(out.places);
    let [fx, fy, fz, limit] = S::columns::<2>(forces, rows, 0);
    let [tx, ty, tz, _] = S::columns::<2>(forces, rows, 1);
    let dt = S::splat(input.time_step);
    let mut acceleration = Acceleration {
        linear: Vec3::new(fx, fy, fz) * body.motion.inverse_mass + Vec3::splat(input.gravity),
        angular: Vec3::new(tx, ty, tz) * body.motion.inverse_inertia,
    };
    if input.has_loads {
        let work = add_loads(&mut acceleration, &body, loads_on(input, first + k), dt);
        sums.load_work.add(at, work);
    }
    let (velocity, mut spin) = if input.damping_rate == 0.0 {
        (body.motion.velocity + acceleration.linear * dt, body.motion.spin + acceleration.angular * dt)
    } else {
        let (velocity, spin, loss) = damped_step(&body, &acceleration, input);
        sums.global_damping.add(at, loss);
        (velocity, spin)
    };
    if O::BRAKES {
        let (kept, loss) = brake(spin, &body, limit, dt);
        spin = kept;
        sums.rolling.add(at, loss);
    }
    let centre = body.centre + velocity * dt;
    sums.note_speed(at, velocity.length_squared());
    sums.left_domain |= input.model.domain.is_any_outside(centre);
    let places = S::rows([centre.x, centre.y, centre.z, body.radius]);
    let velocities = S::rows([velocity.x, velocity.y, velocity.z, body.motion.inverse_mass]);
    let spins = S::rows([spin.x, spin.y, spin.z, body.motion.inverse_inertia]);
    for lane in 0..S::WIDTH {
        out.places[k + lane] = bytemuck::cast([places[lane], velocities[lane]]);
        out.spins[k + lane] = bytemuck::cast(spins[lane]);
    }
}

/// Sums and extremes over the bodies of a chunk, by lane until the end.
struct MotionSums {
    load_work: LaneSum,
    global_damping: LaneSum,
    rolling: LaneSum,
    /// Sums of squares, which a NaN spoils for good.
    speeds: LaneSum,
    fastest: Lanes,
    left_domain: bool,
}

/// A sum for each lane, whatever the number of lanes worked on at a time.
#[derive(Clone, Copy)]
struct LaneSum(Lanes);

impl LaneSum {
    #[inline(always)]
    fn add<S: Simd>(&mut self, at: usize, value: S) {
        (S::load(&self.0, at) + value).store(&mut self.0, at);
    }
}

impl MotionSums {
    #[inline(always)]
    fn new() -> Self {
        let none = LaneSum(Lanes([0.0; LANES]));
        Self {
            load_work: none,
            global_damping: none,
            rolling: none,
            speeds: none,
            fastest: none.0,
            left_domain: false,
        }
    }

    #[inline(always)]
    fn note_speed<S: Simd>(&mut self, at: usize, squared: S) {
        S::load(&self.fastest, at).at_least(squared).store(&mut self.fastest, at);
        self.speeds.add(at, squared);
    }

    fn totals(&self) -> StepTotals {
        StepTotals {
            load_work: self.load_work.0.sum(),
            global_damping: self.global_damping.0.sum(),
            rolling: self.rolling.0.sum(),
            ..StepTotals::default()
        }
    }

    /// Largest squared speed [m²/s²]; NaN if a body has one.
    fn largest_speed_squared(&self) -> f64 {
        let has_nan = self.speeds.0.sum().is_nan();
        if has_nan { f64::NAN } else { self.fastest.0.into_iter().fold(0.0, f64::max) }
    }
}

/// Counts mass that crossed the planes asked for.
#[inline(always)]
fn count_flows(input: &StepInput, chunk: &mut Chunk, out: &ChunkOutput) {
    let before = &input.places[chunk.first as usize..];
    for (plane, flow) in input.flow_planes.iter().zip(&mut chunk.flows) {
        for (k, (old, new)) in before.iter().zip(out.places.iter()).enumerate() {
            if is_member(input, chunk.first as usize + k) {
                continue;
            }
            let crossed = plane.side(new.centre(), input.period) - plane.side(old.centre(), input.period);
            if crossed != 0.0 {
                flow.add(crossed / new.inverse_mass, crossed as i64);
            }
        }
    }
}

/// Whether a row moves with its clump.
#[inline(always)]
fn is_member(input: &StepInput, row: usize) -> bool {
    input.member_of_row.get(row).is_some_and(|&member| member != Clumps::FREE)
}

/// Linear and angular acceleration of bodies [m/s², rad/s²; world].
struct Acceleration<R> {
    linear: Vec3<R>,
    angular: Vec3<R>,
}

/// Force [N, world] and torque [N m, world] applied to a row now.
fn loads_on(input: &StepInput, row: usize) -> (DVec3, DVec3) {
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for load in &input.model.motion.loads {
        if load.group == input.groups[row] && load.start <= input.time && input.time < load.stop {
            force += load.force;
            torque += load.torque;
        }
    }
    (force, torque)
}

/// Adds applied loads; gives their work over the step, reckoned with the velocity before it plus half the kick.
#[inline(always)]
fn add_loads<S: Simd>(
    acceleration: &mut Acceleration<S>,
    body: &Side<S>,
    (force, torque): (DVec3, DVec3),
    dt: S,
) -> S {
    let (force, torque) = (Vec3::splat(force), Vec3::splat(torque));
    acceleration.linear = acceleration.linear + force * body.motion.inverse_mass;
    acceleration.angular = acceleration.angular + torque * body.motion.inverse_inertia;
    let half = dt * S::splat(0.5);
    let velocity = body.motion.velocity + acceleration.linear * half;
    let turning = body.motion.spin + acceleration.angular * half;
    (force.dot(velocity) + torque.dot(turning)) * dt
}

/// Velocity and spin after a step under global damping, and the energy it took [J].
#[inline(always)]
fn damped_step<S: Simd>(
    body: &Side<S>,
    acceleration: &Acceleration<S>,
    input: &StepInput,
) -> (Vec3<S>, Vec3<S>, S) {
    let (motion, dt) = (&body.motion, input.time_step);
    let half = 0.5 * input.damping_rate * dt;
    let (keep, kick) = (S::splat((1.0 - half) / (1.0 + half)), S::splat(dt / (1.0 + half)));
    let velocity = motion.velocity * keep + acceleration.linear * kick;
    let spin = motion.spin * keep + acceleration.angular * kick;
    let mean_velocity = (motion.velocity + velocity) * S::splat(0.5);
    let mean_spin = (motion.spin + spin) * S::splat(0.5);
    let power = mean_velocity.length_squared() / motion.inverse_mass
        + mean_spin.length_squared() / motion.inverse_inertia;
    (velocity, spin, S::splat(input.damping_rate) * power * S::splat(dt))
}

/// Takes spin away, never beyond zero; gives what is left and the energy lost [J], reckoned with the mean of the half steps.
#[inline(always)]
fn brake<S: Simd>(free: Vec3<S>, before: &Side<S>, limit: S, dt: S) -> (Vec3<S>, S) {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    if !zero.any_less(limit) {
        return (free, zero);
    }
    let inverse_inertia = before.motion.inverse_inertia;
    let speed = free.length_squared().at_least(S::splat(f64::MIN_POSITIVE)).sqrt();
    let kept = free * (one - limit * dt * inverse_inertia / speed).at_least(zero);
    let mean = (before.motion.spin + kept) * S::splat(0.5);
    (kept, (free - kept).dot(mean) / inverse_inertia)
}

/// An orientation turned by a small rotation vector [rad, world], by the Cayley map: no trigonometry, unit length
/// to rounding, error third order in the angle per step.
pub fn turned(orientation: DQuat, angle: DVec3) -> DQuat {
    let half = angle * 0.5;
    let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0);
    (turn * orientation).normalize()
}

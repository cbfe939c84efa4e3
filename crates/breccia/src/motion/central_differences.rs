//! Central differences for bodies under contact forces, gravity, loads and damping.
//!
//! v^{n+½} = v^{n−½} + a^n Δt,  x^{n+1} = x^n + v^{n+½} Δt; spins alike with I = ⅖ m R² (no gyroscopic term for
//! spheres). Global damping −α m v uses the mean of both half steps, so that it can only take energy away.

use crate::contacts::{Chunk, ForceRow, StepTotals};
use crate::laws::RollingLaw;
use crate::math::Quad;
use crate::state::{Clumps, PlaceRow, SpinRow};
use crate::step::{ChunkOutput, StepInput};
use glam::{DQuat, DVec3};
use std::array::from_fn;

/// Moves the bodies of a chunk one step on.
#[inline(always)]
pub fn move_bodies<O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
    let first = chunk.first as usize;
    let is_plain = !input.has_loads && input.damping_rate == 0.0;
    // Squares are not negative: their bits are ordered like them, and those of a NaN lie above all others.
    let mut fastest = 0_u64;
    let mut left_domain = false;
    let mut totals = StepTotals::default();
    for (k, force) in chunk.forces.own().iter().enumerate() {
        if is_member(input, first + k) {
            continue;
        }
        let (place, spin) = (&input.places[first + k], &input.spins[first + k]);
        let (new_place, new_spin) = if is_plain {
            free_step(place, spin, force, input.gravity, input.time_step)
        } else {
            let mut acceleration = Acceleration::of(force, place, spin, input.gravity);
            if input.has_loads {
                totals.load_work += add_loads(&mut acceleration, input, first + k);
            }
            let (new_place, new_spin, loss) = damped_step(place, spin, &acceleration, input);
            totals.global_damping += loss;
            (new_place, new_spin)
        };
        out.places[k] = new_place;
        out.spins[k] = new_spin;
        if O::BRAKES {
            totals.rolling += brake(&mut out.spins[k], spin, force.force[3], input.time_step);
        }
        fastest = fastest.max(new_place.velocity().length_squared().to_bits());
        left_domain |= input.model.domain.is_outside(new_place.centre());
    }
    chunk.totals.add_part(0.5, &chunk.last_motion);
    chunk.totals.add_part(0.5, &totals);
    chunk.last_motion = totals;
    count_flows(input, chunk, out);
    chunk.report.largest_speed_squared = f64::from_bits(fastest);
    chunk.report.left_domain = left_domain;
    for (k, (orientation, spin)) in out.orientation.iter_mut().zip(out.spins.iter()).enumerate() {
        if !is_member(input, first + k) {
            *orientation = turned(*orientation, DVec3::from_array(spin.spin) * input.time_step);
        }
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

/// Linear and angular acceleration of a body [m/s², rad/s²; world].
struct Acceleration {
    linear: DVec3,
    angular: DVec3,
}

impl Acceleration {
    #[inline(always)]
    fn of(force: &ForceRow, place: &PlaceRow, spin: &SpinRow, gravity: DVec3) -> Self {
        let [fx, fy, fz, _] = force.force;
        let [tx, ty, tz, _] = force.torque;
        Self {
            linear: DVec3::new(fx, fy, fz) * place.inverse_mass + gravity,
            angular: DVec3::new(tx, ty, tz) * spin.inverse_inertia,
        }
    }
}

/// Adds applied loads; gives their work over the step, reckoned with the velocity before it plus half the kick.
fn add_loads(acceleration: &mut Acceleration, input: &StepInput, row: usize) -> f64 {
    let (place, spin) = (&input.places[row], &input.spins[row]);
    let group = input.groups[row];
    let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
    for load in &input.model.motion.loads {
        if load.group == group && load.start <= input.time && input.time < load.stop {
            force += load.force;
            torque += load.torque;
        }
    }
    acceleration.linear += force * place.inverse_mass;
    acceleration.angular += torque * spin.inverse_inertia;
    let half = 0.5 * input.time_step;
    let velocity = place.velocity() + acceleration.linear * half;
    let turning = DVec3::from_array(spin.spin) + acceleration.angular * half;
    (force.dot(velocity) + torque.dot(turning)) * input.time_step
}

/// A step under contact forces and gravity alone, four numbers at a time; the fourth of each quad stays what it was.
#[inline(always)]
fn free_step(
    place: &PlaceRow,
    spin: &SpinRow,
    force: &ForceRow,
    gravity: DVec3,
    dt: f64,
) -> (PlaceRow, SpinRow) {
    let [centre, old] = place.quads();
    let (old_spin, pull) = (spin.quad(), [gravity.x, gravity.y, gravity.z, 0.0]);
    let mut velocity: Quad = from_fn(|c| old[c] + (force.force[c] * place.inverse_mass + pull[c]) * dt);
    velocity[3] = place.inverse_mass;
    let mut position: Quad = from_fn(|c| centre[c] + velocity[c] * dt);
    position[3] = place.radius;
    let mut turning: Quad = from_fn(|c| old_spin[c] + force.torque[c] * spin.inverse_inertia * dt);
    turning[3] = spin.inverse_inertia;
    (bytemuck::cast([position, velocity]), bytemuck::cast(turning))
}

/// A step under global damping, and the energy it took [J].
#[inline(always)]
fn damped_step(
    place: &PlaceRow,
    spin: &SpinRow,
    acceleration: &Acceleration,
    input: &StepInput,
) -> (PlaceRow, SpinRow, f64) {
    let dt = input.time_step;
    let half = 0.5 * input.damping_rate * dt;
    let (keep, kick) = ((1.0 - half) / (1.0 + half), dt / (1.0 + half));
    let old_turning = DVec3::from_array(spin.spin);
    let velocity = place.velocity() * keep + acceleration.linear * kick;
    let turning = old_turning * keep + acceleration.angular * kick;
    let mean_velocity = (place.velocity() + velocity) * 0.5;
    let mean_turning = (old_turning + turning) * 0.5;
    let power = mean_velocity.length_squared() / place.inverse_mass
        + mean_turning.length_squared() / spin.inverse_inertia;
    let (place, spin) = moved(place, spin, velocity, turning, dt);
    (place, spin, input.damping_rate * power * dt)
}

#[inline(always)]
fn moved(place: &PlaceRow, spin: &SpinRow, velocity: DVec3, turning: DVec3, dt: f64) -> (PlaceRow, SpinRow) {
    let place = PlaceRow {
        position: (place.centre() + velocity * dt).to_array(),
        velocity: velocity.to_array(),
        ..*place
    };
    (place, SpinRow { spin: turning.to_array(), ..*spin })
}

/// Takes spin away, never beyond zero; gives the energy lost [J], reckoned with the mean of the half steps.
#[inline(always)]
fn brake(spin: &mut SpinRow, before: &SpinRow, limit: f64, dt: f64) -> f64 {
    let free = DVec3::from_array(spin.spin);
    let squared = free.length_squared();
    if limit <= 0.0 || squared == 0.0 {
        return 0.0;
    }
    let kept = free * (1.0 - limit * dt * spin.inverse_inertia / squared.sqrt()).max(0.0);
    spin.spin = kept.to_array();
    let mean = (DVec3::from_array(before.spin) + kept) * 0.5;
    (free - kept).dot(mean) / spin.inverse_inertia
}

/// An orientation turned by a small rotation vector [rad, world], by the Cayley map: no trigonometry, unit length
/// to rounding, error third order in the angle per step.
pub fn turned(orientation: DQuat, angle: DVec3) -> DQuat {
    let half = angle * 0.5;
    let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0);
    (turn * orientation).normalize()
}

//! Motion of clumps under the forces on their spheres.
//!
//! V^{n+½} = V^{n−½} + (F^n/M + g) Δt and L^{n+½} = L^{n−½} + T^n Δt in the world's frame. The rotation over the step is
//! the implicit midpoint rule for Euler's equations: with Π = qᵀL in the principal frame, ω = I⁻¹ ½ (Π^n + Π^{n+1}), and
//! q^{n+1} is the Cayley turn of q^n by ω Δt (Austin, Krishnaprasad, Wang 1993). Free rotation then keeps L and the
//! energy ½ Π·I⁻¹Π to rounding. A sphere at the arm r moves by exactly V + ω × ½ (r^n + r^{n+1}) times Δt: that is its
//! row's velocity.

use super::turned;
use crate::contacts::{Flow, ForceRow, StepTotals};
use crate::math::larger_or_nan;
use crate::simulation::Setup;
use crate::state::{Bodies, Clump, ClumpMotion, Clumps, Member, State};
use glam::{DQuat, DVec3};
use rayon::prelude::*;

/// Iterations of the midpoint rule; each gains a factor ω Δt, some 1e-3.
const ITERATIONS: usize = 5;

/// Force and torque about the centre, and the limit of braking by rolling resistance.
#[derive(Clone, Copy, Default)]
struct Wrench {
    force: DVec3,
    torque: DVec3,
    braking: f64,
}

/// Moves all clumps one step on and puts their spheres where they belong. Chunks have gathered the forces and swapped
/// the buffers; in the rows of clumps they left the forces.
pub fn move_clumps(setup: &Setup, state: &mut State) {
    if state.clumps.is_empty() {
        return;
    }
    let clumps = &state.clumps;
    let moved: Vec<(ClumpMotion, StepTotals)> = clumps
        .clumps
        .par_iter()
        .zip(&clumps.now)
        .map(|(clump, motion)| {
            let mut load = wrench(clumps, clump, motion, &state.bodies);
            let applied = applied_load(setup, state, clump);
            load.force += applied.force + state.gravity * clump.mass;
            load.torque += applied.torque;
            stepped(setup, state.damping_rate, clump, motion, &load, &applied)
        })
        .collect();
    let clumps = &mut state.clumps;
    clumps.totals.add_part(0.5, &clumps.last_motion);
    clumps.last_motion = StepTotals::default();
    std::mem::swap(&mut clumps.before, &mut clumps.now);
    for (now, (motion, totals)) in clumps.now.iter_mut().zip(moved) {
        *now = motion;
        clumps.last_motion.add(&totals);
    }
    clumps.totals.add_part(0.5, &clumps.last_motion);
    let domain = &setup.model.domain;
    clumps.left_domain = clumps.now.iter().any(|motion| domain.is_outside(motion.position));
    count_flows(setup, clumps);
    place_members(setup, state);
}

/// What contacts do to a clump, in the order of its spheres.
fn wrench(clumps: &Clumps, clump: &Clump, motion: &ClumpMotion, bodies: &Bodies) -> Wrench {
    let mut sum = Wrench::default();
    for Member { row, arm, .. } in &clumps.members[clump.range()] {
        let load = ForceRow::in_place(&bodies.places[*row as usize]);
        let force = DVec3::new(load.force[0], load.force[1], load.force[2]);
        let torque = DVec3::new(load.torque[0], load.torque[1], load.torque[2]);
        sum.force += force;
        sum.torque += (motion.orientation * *arm).cross(force) + torque;
        sum.braking += load.force[3];
    }
    sum
}

/// Loads applied to every body of a group.
fn applied_load(setup: &Setup, state: &State, clump: &Clump) -> Wrench {
    let time = setup.time_of(state.step);
    let mut sum = Wrench::default();
    for load in &setup.model.motion.loads {
        if load.group == clump.group && load.start <= time && time < load.stop {
            sum.force += load.force;
            sum.torque += load.torque;
        }
    }
    sum
}

fn stepped(
    setup: &Setup,
    damping_rate: f64,
    clump: &Clump,
    old: &ClumpMotion,
    load: &Wrench,
    applied: &Wrench,
) -> (ClumpMotion, StepTotals) {
    let dt = setup.time_step;
    let half = 0.5 * damping_rate * dt;
    let kicked = |old: DVec3, kick: DVec3| (old * (1.0 - half) + kick * dt) / (1.0 + half);
    let velocity = kicked(old.velocity, load.force / clump.mass);
    let free = kicked(old.angular_momentum, load.torque);
    let free_spin = midpoint_spin(clump, old.orientation, free, dt);
    let kept = share_kept(free, free_spin, load.braking * dt);
    let (angular_momentum, spin) = (free * kept, free_spin * kept);
    let mean_velocity = (old.velocity + velocity) * 0.5;
    let mean_spin = (old.spin + spin) * 0.5;
    let mean_momentum = (old.angular_momentum + angular_momentum) * 0.5;
    let damped = clump.mass * mean_velocity.length_squared() + mean_spin.dot(mean_momentum);
    let totals = StepTotals {
        load_work: (applied.force.dot(mean_velocity) + applied.torque.dot(mean_spin)) * dt,
        global_damping: damping_rate * damped * dt,
        rolling: (free - angular_momentum).dot(mean_spin),
        ..StepTotals::default()
    };
    let motion = ClumpMotion {
        position: old.position + velocity * dt,
        orientation: turned(old.orientation, spin * dt),
        velocity,
        angular_momentum,
        spin,
    };
    (motion, totals)
}

/// Angular velocity over a step from an orientation on, for an angular momentum.
fn midpoint_spin(clump: &Clump, orientation: DQuat, angular_momentum: DVec3, dt: f64) -> DVec3 {
    let momentum = orientation.conjugate() * angular_momentum;
    let mut spin = momentum / clump.inertia;
    for _ in 0..ITERATIONS {
        let after = turned(DQuat::IDENTITY, spin * dt).conjugate() * momentum;
        spin = (momentum + after) * 0.5 / clump.inertia;
    }
    orientation * spin
}

/// Part of a rotation that braking by an angular impulse [N m s] against it leaves.
fn share_kept(angular_momentum: DVec3, spin: DVec3, impulse: f64) -> f64 {
    let speed = spin.length();
    if impulse <= 0.0 || speed == 0.0 {
        return 1.0;
    }
    (1.0 - impulse * speed / spin.dot(angular_momentum)).max(0.0)
}

fn count_flows(setup: &Setup, clumps: &mut Clumps) {
    clumps.flows.resize(setup.flow_planes.len(), Flow::default());
    let period = setup.model.domain.period();
    for (plane, flow) in setup.flow_planes.iter().zip(&mut clumps.flows) {
        for ((clump, before), now) in clumps.clumps.iter().zip(&clumps.before).zip(&clumps.now) {
            let crossed = plane.side(now.position, period) - plane.side(before.position, period);
            if crossed != 0.0 {
                flow.add(crossed * clump.mass, crossed as i64);
            }
        }
    }
}

/// Writes the rows of all members, and notes the fastest.
fn place_members(setup: &Setup, state: &mut State) {
    let (dt, period) = (setup.time_step, setup.model.domain.period());
    let (clumps, bodies) = (&state.clumps, &mut state.bodies);
    let count = bodies.id.len();
    let place = |row: usize, place: &mut crate::state::PlaceRow, spin: &mut crate::state::SpinRow| -> f64 {
        let member = clumps.member_of_row[row];
        if member == Clumps::FREE {
            return 0.0;
        }
        let Member { clump, arm, .. } = clumps.members[member as usize];
        let (before, now) = (&clumps.before[clump as usize], &clumps.now[clump as usize]);
        let arms = [before.orientation * arm, now.orientation * arm];
        let velocity = now.velocity + now.spin.cross((arms[0] + arms[1]) * 0.5);
        let turns = bodies.wraps.of(row).map(f64::from);
        *place = bodies.last_places[row];
        *spin = bodies.last_spins[row];
        place.position = (now.position + arms[1] - period * DVec3::from_array(turns)).to_array();
        place.velocity = velocity.to_array();
        spin.spin = now.spin.to_array();
        velocity.length_squared()
    };
    let rows = bodies.places[..count].par_iter_mut().zip(&mut bodies.spins[..count]).enumerate();
    let fastest = rows.map(|(row, (at, spin))| place(row, at, spin)).reduce(|| 0.0, larger_or_nan);
    for (orientation, &member) in bodies.orientation.iter_mut().zip(&clumps.member_of_row) {
        if member != Clumps::FREE {
            let clump = clumps.members[member as usize].clump as usize;
            *orientation = turned(*orientation, clumps.now[clump].spin * dt);
        }
    }
    if let Some(chunk) = state.lists.chunks.first_mut() {
        let report = &mut chunk.report;
        report.largest_speed_squared = larger_or_nan(report.largest_speed_squared, fastest);
    }
}

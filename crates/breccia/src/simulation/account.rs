//! Phase 5: what the chunks found, put together in chunk order.

use super::Setup;
use crate::contacts::WallLoad;
use crate::diagnostics::{Phase, Timers};
use crate::math::larger_or_nan;
use crate::narrow_phase::WallNow;
use crate::state::State;

/// Sums wall loads and their work, notes the largest speed, and moves the clock on.
pub fn account(setup: &Setup, state: &mut State, walls: &[WallNow], timers: &mut Timers) {
    sum_wall_loads(setup, state, walls);
    let mut fastest = 0.0_f64;
    let mut seconds = [0.0; 3];
    for chunk in &state.lists.chunks {
        let speed = chunk.report.largest_speed_squared;
        fastest = larger_or_nan(fastest, speed);
        for (sum, s) in seconds.iter_mut().zip(chunk.report.seconds) {
            *sum += s;
        }
    }
    state.fastest = fastest.sqrt();
    state.lists.travel += state.fastest * setup.time_step;
    let threads = rayon::current_num_threads().min(state.lists.chunks.len()).max(1) as f64;
    for (phase, s) in [Phase::Pairs, Phase::Surfaces, Phase::Motion].into_iter().zip(seconds) {
        timers.add(phase, s / threads);
    }
    state.step += 1;
}

/// Work over the interval before t^n: mean of old and new force times the velocity in between.
fn sum_wall_loads(setup: &Setup, state: &mut State, walls: &[WallNow]) {
    for (number, wall) in walls.iter().enumerate() {
        let mut load = WallLoad::default();
        for chunk in &state.lists.chunks {
            load.add(&chunk.wall_loads[number]);
        }
        let old = &state.wall_loads[number];
        let force = (load.force + old.force) * 0.5;
        let torque = (load.torque + old.torque) * 0.5;
        let power_on_wall = force.dot(wall.twist.linear) + torque.dot(wall.twist.angular);
        state.ledger.wall_work -= power_on_wall * setup.time_step;
        // A difference, so that a wall at rest has no −0.
        state.wall_powers[number] = 0.0 - power_on_wall;
        state.wall_loads[number] = load;
    }
}

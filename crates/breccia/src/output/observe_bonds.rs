//! From the bonds of a run to frames, the table of broken ones, and plots.

use super::{BondFrame, OutputError, Plot, atomic};
use crate::contacts::bonds::{BrokenBond, FailureMode};
use crate::diagnostics::{bond_loads, fragment_masses};
use crate::simulation::{Setup, Simulation};
use crate::state::State;
use std::fmt::Write as _;
use std::path::Path;

/// Bonds that hold, and broken ones whose spheres are both still there.
pub(super) fn bond_frame(setup: &Setup, state: &State) -> BondFrame {
    let bodies = &state.bodies;
    let mut frame = BondFrame::default();
    for load in bond_loads(setup, state) {
        let [a, b] = [load.bond.a, load.bond.b].map(|row| row as usize);
        let from = bodies.last_places[a].centre();
        frame.ends.push([from, from + load.separation]);
        frame.ids.push(load.bond.id);
        frame.bodies.push([bodies.id[a], bodies.id[b]]);
        frame.kinds.push(load.kind);
        frame.normal_forces.push(load.normal_force);
        frame.shear_forces.push(load.shear_force);
        frame.twisting_moments.push(load.twisting_moment);
        frame.bending_moments.push(load.bending_moment);
        frame.tensions.push(load.tension);
        frame.shears.push(load.shear);
        frame.broken.push(0);
        frame.broken_at.push(-1.0);
    }
    add_broken(setup, state, &mut frame);
    let all = frame.ids.len();
    frame.normal_forces.resize(all, 0.0);
    frame.shear_forces.resize(all, glam::DVec3::ZERO);
    frame.twisting_moments.resize(all, 0.0);
    frame.bending_moments.resize(all, glam::DVec3::ZERO);
    frame.tensions.resize(all, 0.0);
    frame.shears.resize(all, 0.0);
    frame
}

fn add_broken(setup: &Setup, state: &State, frame: &mut BondFrame) {
    let bodies = &state.bodies;
    let mut row_of = vec![usize::MAX; if state.broken.is_empty() { 0 } else { bodies.next_id as usize }];
    for (row, &id) in bodies.id.iter().enumerate().filter(|_| !state.broken.is_empty()) {
        row_of[id as usize] = row;
    }
    for broken in &state.broken {
        let ends = state.fragments.ends(broken.id);
        let [a, b] = [ends.a, ends.b].map(|id| row_of[id as usize]);
        if a == usize::MAX || b == usize::MAX {
            continue;
        }
        let [from, to] = [a, b].map(|row| bodies.last_places[row].centre());
        frame.ends.push([from, from + setup.model.domain.minimum_image(to - from)]);
        frame.ids.push(broken.id);
        frame.bodies.push([ends.a, ends.b]);
        frame.kinds.push(broken.kind.0);
        frame.broken.push(match broken.mode {
            FailureMode::Tension => 1,
            FailureMode::Shear => 2,
        });
        frame.broken_at.push(setup.time_of(broken.step));
    }
}

/// Writes the table of broken bonds, in the order in which they broke.
///
/// It is written whole from the state, so that a restarted run has no row twice and misses none.
pub fn write_broken_bonds(run: &Simulation, path: &Path) -> Result<(), OutputError> {
    let mut text = "time [s],bond,kind,mode,energy [J],body_a,body_b\n".to_owned();
    for broken in &run.state.broken {
        let ends = run.state.fragments.ends(broken.id);
        let mode = match broken.mode {
            FailureMode::Tension => "tension",
            FailureMode::Shear => "shear",
        };
        let kind = run.setup.model.bonds[usize::from(broken.kind.0)].name.replace([',', '"', '\n'], " ");
        let time = run.setup.time_of(broken.step);
        let _ =
            writeln!(text, "{time:?},{},{kind},{mode},{:?},{},{}", broken.id, broken.energy, ends.a, ends.b);
    }
    atomic::write_atomically(path, atomic::Durability::Process, |out| out.write_all(text.as_bytes()))
}

/// Intervals of the curves over time: finer than can be seen.
const CURVE_POINTS: u32 = 600;

/// Share of broken bonds over time, by mode.
pub fn breakage_plot(run: &Simulation, title: &str) -> Plot {
    let (setup, state) = (&run.setup, &run.state);
    let made = state.fragments.bond_count().max(1) as f64;
    let end = setup.time_of(state.step.saturating_sub(1));
    let curve = |counts: &dyn Fn(&BrokenBond) -> bool| {
        let mut failures = state.broken.iter().filter(|broken| counts(broken)).peekable();
        let (mut times, mut shares, mut count) = (Vec::new(), Vec::new(), 0.0);
        for point in 0..=CURVE_POINTS {
            let time = end * f64::from(point) / f64::from(CURVE_POINTS);
            while failures.next_if(|broken| setup.time_of(broken.step) <= time).is_some() {
                count += 1.0;
            }
            times.push(time);
            shares.push(count / made);
        }
        (times, shares)
    };
    let all = curve(&|_| true);
    let tension = curve(&|broken| broken.mode == FailureMode::Tension);
    let shear = curve(&|broken| broken.mode == FailureMode::Shear);
    Plot::new(title, "time [s]", "share of broken bonds [–]")
        .line("all", &all.0, &all.1)
        .line("by tension", &tension.0, &tension.1)
        .line("by shear", &shear.0, &shear.1)
}

/// Share of the mass that is in fragments up to a number of spheres.
pub fn fragment_plot(run: &Simulation, title: &str) -> Plot {
    let mut fragments = fragment_masses(&run.state);
    fragments.sort_by_key(|fragment| fragment.spheres);
    let total: f64 = fragments.iter().map(|fragment| fragment.mass).sum();
    let (mut sizes, mut shares, mut mass) = (Vec::new(), Vec::new(), 0.0);
    for group in fragments.chunk_by(|a, b| a.spheres == b.spheres) {
        let before = mass / total;
        mass += group.iter().map(|fragment| fragment.mass).sum::<f64>();
        sizes.extend([f64::from(group[0].spheres); 2]);
        shares.extend([before, mass / total]);
    }
    Plot::new(title, "spheres of a fragment [–]", "share of the mass in fragments up to this size [–]")
        .line("at the end", &sizes, &shares)
        .log_x()
        .y_range(0.0, 1.0)
}

//! Test 14: elastic disks in a box, Figs. 8 and 9 of the report.

use super::stage::{settings, step};
use crate::disks::box_of_disks;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::deformable::{Phase, SolidBudget, SolidRun, SolidSettings, clusters};
use breccia::output::{FlatPage, FlatScene, FlatShape, Image, PictureOptions, Plot, render_flat_page, rim};
use glam::DVec2;
use std::time::Instant;

struct Case {
    side: usize,
    mesh: (usize, usize),
    end: f64,
}

/// The full case takes all threads of the machine; the quick one is small.
pub fn disks(report: &mut Report) -> Result<(), VerifyError> {
    let case = match report.quick {
        true => Case { side: 3, mesh: (4, 2), end: 20.0 },
        false => Case { side: 7, mesh: (8, 3), end: 85.0 },
    };
    let pool = rayon::ThreadPoolBuilder::new().build()?;
    pool.install(|| run_case(report, &case))
}

/// Worst of what must not change, and what is told.
struct Course {
    start: SolidBudget,
    energy: f64,
    momentum: f64,
    outside: f64,
    cluster: u32,
    series: Series,
    panels: Vec<FlatScene>,
}

fn run_case(report: &mut Report, case: &Case) -> Result<(), VerifyError> {
    // Disks move a hundredth of their radius per step: one sort serves four.
    let settings = SolidSettings { steps_between_sorts: 4, ..settings(0.02, 1e-9) };
    let mut run = box_of_disks(case.side, case.mesh, settings)?;
    let far = 2.5 * case.side as f64;
    let columns = [
        ("time", "s"),
        ("energy_error", ""),
        ("momentum_error", ""),
        ("translational", ""),
        ("cluster", ""),
        ("iterations", ""),
    ];
    let mut course = Course {
        start: run.budget(),
        energy: 0.0,
        momentum: 0.0,
        outside: 0.0,
        cluster: 0,
        series: Series::new("course", &columns),
        panels: vec![panel(&run, far)],
    };
    let per_panel = 250;
    let begin = Instant::now();
    for number in 1..=(case.end / 0.02).round() as u64 {
        step(&mut run)?;
        course.look(&run, far, number % 25 == 0);
        if number % per_panel == 0 {
            course.panels.push(panel(&run, far));
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    course.report(report, case, &run);
    tell(report, &run, seconds);
    course.tell_shares(report);
    course.draw(report, far);
    Ok(())
}

impl Course {
    fn look(&mut self, run: &SolidRun, far: f64, keep: bool) {
        let now = run.budget();
        let energy = (now.stored() / self.start.stored() - 1.0).abs();
        let missing = now.momentum - self.start.momentum - run.state.ledger.impulse();
        let momentum = missing.length() / self.start.momentum.length();
        self.energy = self.energy.max(energy);
        self.momentum = self.momentum.max(momentum);
        let outside = |x: &DVec2| (-x.min_element()).max(x.max_element() - far);
        self.outside = run.state.positions.iter().map(outside).fold(self.outside, f64::max);
        let cluster = clusters(&run.setup, &run.state)[0];
        self.cluster = self.cluster.max(cluster);
        if keep {
            let share = now.translational / self.start.stored();
            let iterations = f64::from(run.state.last.iterations);
            self.series.push(&[run.state.time, energy, momentum, share, f64::from(cluster), iterations]);
        }
    }

    fn report(&self, report: &mut Report, case: &Case, run: &SolidRun) {
        let total = &run.state.total;
        report.relative("time reached", "s", case.end, run.state.time, 1e-12);
        report.at_most("|ΔH|/H at every step", "", 1e-8, self.energy);
        report.at_most("|P − P₀ − impulse|/|P₀| at every step", "", 1e-8, self.momentum);
        report.at_most("penetration", "m", 0.01, total.penetration);
        report.at_most("farthest outside of the box", "m", 0.01, self.outside);
        report.at_most("dynamic against real gap", "m", 5e-3, total.gap_drift);
        report.at_least("steps", "", case.end / 0.02, total.steps as f64);
        if case.side == 7 {
            let expected = 7.0 * 0.5 * 0.26 * 16.0 * libm::sin(std::f64::consts::PI / 16.0);
            report.relative("H₀", "J", expected, self.start.stored(), 1e-12);
        }
        report.at_least("largest cluster of touching disks", "", 2.0, f64::from(self.cluster));
    }

    /// How much of the energy is in the motion of whole disks, and how many touched at most.
    fn tell_shares(&self, report: &mut Report) {
        let (times, shares) = (self.series.column(0), self.series.column(3));
        let at = |time: f64| {
            times.iter().position(|&known| (known - time).abs() < 1e-6).map(|place| (time, shares[place]))
        };
        let told = [5.0, 10.0, 20.0, 30.0, 45.0, 65.0, 85.0].into_iter().filter_map(at);
        let told: Vec<String> = told.map(|(time, share)| format!("{share:.3} at t = {time}")).collect();
        report.note(format!("K_trans/H: {}; largest cluster {}", told.join(", "), self.cluster));
    }

    fn draw(self, report: &mut Report, far: f64) {
        let time = self.series.column(0);
        let share = Plot::new("Translational energy", "time [s]", "K_trans / H").y_range(0.0, 1.0);
        report.plot("translational", share.line("K_trans / H", &time, &self.series.column(3)));
        let errors = Plot::new("What should not change", "time [s]", "relative error").log_y();
        let errors = errors.line("energy", &time, &self.series.column(1));
        report.plot("errors", errors.line("momentum", &time, &self.series.column(2)));
        report.series(self.series);
        // Nine panels a page: t = 0 … 40 and 45 … 85, as in the report.
        for (name, panels) in ["fig8", "fig9"].into_iter().zip(self.panels.chunks(9)) {
            report.picture(name, page(panels.to_vec(), far));
        }
    }
}

fn tell(report: &mut Report, run: &SolidRun, seconds: f64) {
    let total = &run.state.total;
    let steps = total.steps as f64;
    report.note(format!(
        "{steps} steps in {seconds:.1} s; {:.2} iterations a step, at most {}; {} cuts; {:.2} factorings per body and step",
        total.iterations as f64 / steps,
        total.most_iterations,
        total.cuts,
        total.factorings as f64 / steps / run.setup.bodies.len() as f64
    ));
    report.note(format!(
        "penetration {:.4}; dynamic − real gap {:.1e}; {} clamps, deepest {:.1e}",
        total.penetration, total.gap_drift, total.clamps, total.clamp_depth
    ));
    let share = |phase: Phase| 100.0 * run.timers().seconds(phase) / run.timers().total();
    report.note(format!(
        "time: sort {:.2} %, candidates {:.2} %, self-contact {:.2} %, solve {:.2} %",
        share(Phase::Sort),
        share(Phase::Candidates),
        share(Phase::SelfContact),
        share(Phase::Solve)
    ));
}

/// Disks coloured by speed, and the box.
fn panel(run: &SolidRun, far: f64) -> FlatScene {
    let mut panel = FlatScene { caption: format!("t = {:.0}", run.state.time), ..FlatScene::default() };
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec2::new(x * far, y * far));
    panel.outlines.extend(rim(&corners));
    for (number, body) in run.setup.bodies.iter().enumerate() {
        let speed = run.motion(number).velocity.length();
        let x = &run.state.positions[run.setup.nodes(number)];
        let corners = body.outline().nodes().map(|node| x[node as usize]).collect();
        panel.add_with_rim(FlatShape { corners, value: speed });
    }
    panel
}

fn page(scenes: Vec<FlatScene>, far: f64) -> Image {
    let margin = 0.02 * far;
    let view = Some([DVec2::splat(-margin), DVec2::splat(far + margin)]);
    let picture = FlatPage { scenes, columns: 3, view };
    let options = PictureOptions {
        width: 1500,
        height: 1500,
        title: "Impact of elastic disks".into(),
        legend: "speed [m/s]".into(),
        range: Some([0.0, 0.5]),
        ..PictureOptions::default()
    };
    render_flat_page(&picture, &options)
}

//! Tests 11, 12 and 13: the tree, its counts, and lists for many steps.

use super::stage::{body, disk, free_run, settings, step};
use crate::disks::{TURN, box_of_disks};
use crate::regression::{against_n_log_n, exponent};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::broad_phase::{BinaryTree, PointFinder, PointNearBody, Region, SortCounts, Zone};
use breccia::deformable::SolidSettings;
use breccia::deformable::contact::sort_points;
use breccia::output::Plot;
use breccia::scene::RandomStream;
use glam::{DVec2, dvec2};
use std::f64::consts::TAU;

/// The tree.
pub fn tree(report: &mut Report) -> Result<(), VerifyError> {
    five_particles(report);
    random_sets(report);
    along_a_run(report)?;
    counts(report);
    Ok(())
}

/// Five particles in a square, each alone in its cell in the end, as in the report's Figs. 4 and 5 (whose text gives no
/// coordinates): the tree drawn by hand, and its counts.
fn five_particles(report: &mut Report) {
    let points = [(0.2, 0.8), (0.3, 0.3), (0.1, 0.1), (0.8, 0.7), (0.9, 0.2)].map(|(x, y)| dvec2(x, y));
    let tree = BinaryTree::with_root(&points, DVec2::ZERO, DVec2::ONE);
    let drawn = tree.sketch() == "(((2 1) 0) (4 3))";
    report.absolute("five particles: tree as drawn by hand", "", 1.0, f64::from(u8::from(drawn)), 0.0);
    report.absolute("five particles: nodes", "", 9.0, tree.counts().nodes as f64, 0.0);
    report.absolute("five particles: depth", "", 3.0, tree.counts().depth as f64, 0.0);
    report.absolute("five particles: descents", "", 12.0, tree.counts().descents as f64, 0.0);
    report.note(format!("five particles: {}", tree.sketch()));
}

/// Points anywhere, on dividing lines, or doubled.
fn random_points(dice: &mut RandomStream) -> Vec<DVec2> {
    let count = 20 + (130.0 * dice.unit()) as usize;
    let mut points: Vec<DVec2> = Vec::with_capacity(count);
    for _ in 0..count {
        let lattice = |value: f64| (16.0 * value).round() / 16.0;
        let (x, y) = (dice.unit(), dice.unit());
        points.push(match (4.0 * dice.unit()) as u32 {
            0 => dvec2(lattice(x), lattice(y)),
            1 => dvec2(lattice(x), y),
            2 if !points.is_empty() => points[(x * points.len() as f64) as usize],
            _ => dvec2(x, y),
        });
    }
    points
}

fn random_sets(report: &mut Report) {
    let mut dice = RandomStream::new(11);
    let (mut unlike, mut misshapen, mut found) = (0, 0, 0);
    for _ in 0..200 {
        let points = random_points(&mut dice);
        let owners: Vec<u32> = (0..points.len() as u32).map(|k| k % 9).collect();
        let zones: Vec<Zone> = (0..9)
            .map(|owner| {
                let low = dvec2((16.0 * dice.unit()).round() / 16.0, dice.unit());
                let size = 0.4 * dvec2(dice.unit(), dice.unit());
                Zone { owner, region: Region::Box { low, high: low + size } }
            })
            .collect();
        let pairs = |finder: PointFinder| -> Vec<PointNearBody> { finder.find(&points, &owners, &zones).0 };
        let tree = pairs(PointFinder::Tree);
        found += tree.len();
        unlike += usize::from(tree != pairs(PointFinder::BruteBoxes));
        let mut permuted = points.clone();
        for k in (1..permuted.len()).rev() {
            permuted.swap(k, (dice.unit() * (k + 1) as f64) as usize);
        }
        let shape = |points: &[DVec2]| {
            (BinaryTree::new(points).counts().nodes, BinaryTree::new(points).counts().depth)
        };
        misshapen += usize::from(shape(&points) != shape(&permuted));
    }
    report.at_least("200 random sets: pairs found", "", 1000.0, found as f64);
    report.absolute("200 random sets: unlike brute force", "", 0.0, unlike as f64, 0.0);
    report.absolute("200 random sets: other shape when permuted", "", 0.0, misshapen as f64, 0.0);
}

fn along_a_run(report: &mut Report) -> Result<(), VerifyError> {
    let mut run = box_of_disks(3, (4, 2), settings(0.02, 1e-9))?;
    let (mut unlike, mut found) = (0, 0);
    for _ in 0..250 {
        step(&mut run)?;
        let [tree, brute] = [PointFinder::Tree, PointFinder::BruteBoxes].map(|finder| {
            run.setup.settings.finder = finder;
            sort_points(&run.setup, (&run.state.positions, &run.state.positions), 0.6, 0.02).0
        });
        run.setup.settings.finder = PointFinder::Tree;
        found += tree.near.len();
        unlike += usize::from(tree != brute);
    }
    report.at_least("250 steps of 3 × 3 disks: pairs found", "", 100.0, found as f64);
    report.absolute("250 steps of 3 × 3 disks: unlike brute force", "", 0.0, unlike as f64, 0.0);
    Ok(())
}

/// Work to sort disks of 32 points in a dense packing.
fn dense(columns: usize, rows: usize, dice: &mut RandomStream) -> SortCounts {
    const POINTS: usize = 32;
    let (mut points, mut owners, mut zones) = (Vec::new(), Vec::new(), Vec::new());
    for disk in 0..columns * rows {
        let jitter = dvec2(dice.between(-0.02, 0.02), dice.between(-0.02, 0.02));
        let centre = 2.02 * dvec2((disk % columns) as f64, (disk / columns) as f64) + jitter;
        points.extend((0..POINTS).map(|k| {
            let angle = TURN * disk as f64 + TAU * k as f64 / POINTS as f64;
            centre + dvec2(libm::cos(angle), libm::sin(angle))
        }));
        owners.extend([disk as u32; POINTS]);
        let own = points[disk * POINTS..].iter().copied();
        zones.push(Zone { owner: disk as u32, region: Region::around(own, 0.06) });
    }
    PointFinder::Tree.find(&points, &owners, &zones).1
}

fn counts(report: &mut Report) {
    let known = [
        ((13, 1), 4225.0, 2109.0),
        ((53, 1), 20594.0, 12911.0),
        ((13, 8), 44896.0, 21653.0),
        ((14, 14), 91973.0, 37450.0),
        ((20, 20), 199942.0, 80631.0),
        ((30, 30), 485702.0, 179238.0),
    ];
    let mut dice = RandomStream::new(12);
    let mut operations = Vec::new();
    let mut series =
        Series::new("operations", &[("bodies", ""), ("descents", ""), ("visits", ""), ("point_tests", "")]);
    for ((columns, rows), descents, visits) in known {
        let count = dense(columns, rows, &mut dice);
        let bodies = (columns * rows) as f64;
        report.relative(format!("{bodies} disks: descents"), "", descents, count.descents as f64, 0.05);
        report.relative(format!("{bodies} disks: visits"), "", visits, count.visits as f64, 0.05);
        series.push(&[bodies, count.descents as f64, count.visits as f64, count.point_tests as f64]);
        operations.push((bodies, count.operations() as f64));
    }
    let fit = against_n_log_n(&operations);
    report.at_least("operations against N ln N: R²", "", 0.995, fit.r2);
    report.at_least("growth of operations, N^", "", 1.0, exponent(&operations));
    report.at_most("growth of operations, N^", "", 1.25, exponent(&operations));
    if !report.quick {
        operations.push((10_000.0, dense(100, 100, &mut dice).operations() as f64));
        report.at_most("growth of operations up to 10,000 bodies, N^", "", 1.25, exponent(&operations));
        report.at_least("growth of operations up to 10,000 bodies, N^", "", 1.0, exponent(&operations));
    }
    let (xs, ys): (Vec<f64>, Vec<f64>) = operations.iter().copied().unzip();
    let line: Vec<f64> = xs.iter().map(|n| fit.start + fit.slope * n * libm::log(*n)).collect();
    let plot =
        Plot::new("Work of sorting disks of 32 points", "bodies", "descents and visits").log_x().log_y();
    report.plot("operations", plot.points("counted", &xs, &ys).line("a + b N ln N", &xs, &line));
    report.series(series);
}

/// Test 13.
pub fn reach(report: &mut Report) -> Result<(), VerifyError> {
    let end = |steps_between_sorts: u32, reach_factor: f64| -> Result<(DVec2, u64, u64), VerifyError> {
        let shape = disk(4, 2)?;
        let a = body(&shape, 0.1, dvec2(-1.065, 0.0), dvec2(0.5, 0.0));
        let b = body(&shape, 0.0, dvec2(1.065, 0.3), dvec2(-0.5, 0.0));
        let settings = SolidSettings { steps_between_sorts, reach_factor, ..settings(0.01, 1e-10) };
        let mut run = free_run(vec![a, b], settings);
        for _ in 0..60 {
            step(&mut run)?;
        }
        Ok((run.motion(0).velocity, run.state.total.sorts, run.state.total.clamps))
    };
    let (reference, ..) = end(1, 3.0)?;
    report.at_most("A is thrown back: v_x after", "m/s", -0.1, reference.x);
    for steps in [10, 20] {
        for factor in [2.0, 3.0] {
            let (velocity, sorts, clamps) = end(steps, factor)?;
            let name = format!("sort every {steps} steps, reach {factor} n v Δt");
            let off = (velocity - reference).abs().max_element();
            report.at_most(format!("{name}: change of velocity"), "m/s", 5e-5, off);
            report.absolute(format!("{name}: late contacts"), "", 0.0, clamps as f64, 0.0);
            report.at_most(format!("{name}: sorts in 60 steps"), "", 30.0, sorts as f64);
        }
    }
    Ok(())
}

//! Tests 1, 4 and 5: elements, pressure law, contact element.

use super::stage::{KAPPA, MATERIAL};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::deformable::contact::{ContactStart, Friction, Opposite, PressureRule, contact_energy};
use breccia::deformable::mesh::Cell;
use breccia::deformable::{FiniteElement, SolidMesh, StepLaw, StressRule};
use breccia::narrow_phase::node_segment::{SegmentGeometry, Triple, dot};
use breccia::scene::RandomStream;
use glam::{DVec2, dvec2};

/// All three.
pub fn element(report: &mut Report) -> Result<(), VerifyError> {
    let mut dice = RandomStream::new(6);
    elements(report, &mut dice);
    pressure(report, &mut dice);
    contact(report, &mut dice);
    Ok(())
}

fn jump(dice: &mut RandomStream, size: f64) -> DVec2 {
    dvec2(dice.between(-size, size), dice.between(-size, size))
}

fn elements(report: &mut Report, dice: &mut RandomStream) {
    let points = [(0.0, 0.0), (1.1, 0.1), (0.9, 1.2), (-0.1, 0.8)].map(|(x, y)| dvec2(x, y)).to_vec();
    let mesh = SolidMesh { points, cells: vec![Cell::Quad([0, 1, 2, 3]), Cell::Triangle([0, 1, 2])] };
    let law = StepLaw { material: MATERIAL, rule: StressRule::MeanStrain };
    let (mut slope, mut work) = (0.0_f64, 0.0_f64);
    for _ in 0..100 {
        let [x0, x1] = [0, 1]
            .map(|_| -> Vec<DVec2> { mesh.points.iter().map(|&point| point + jump(dice, 0.05)).collect() });
        for cell in &mesh.cells {
            let element = FiniteElement::new(&mesh, cell, 1.0);
            slope = slope.max(tangent_error(&element, &x0, &x1, &law));
            let forces = element.forces(&x0, &x1, &law).0;
            let done: f64 = element
                .nodes
                .iter()
                .zip(forces)
                .map(|(&node, force)| force.dot(x1[node as usize] - x0[node as usize]))
                .sum();
            let (before, after) = (element.energy(&x0, &MATERIAL), element.energy(&x1, &MATERIAL));
            work = work.max((done - (after - before)).abs() / before.max(after));
        }
    }
    report.at_most("tangent against differences", "", 1e-8, slope);
    report.at_most("f·Δx − ΔW", "", 1e-13, work);
}

fn tangent_error(element: &FiniteElement, x0: &[DVec2], x1: &[DVec2], law: &StepLaw) -> f64 {
    let blocks = element.tangent(x0, x1, law);
    let size =
        blocks.iter().flatten().flat_map(|block| block.to_cols_array()).fold(0.0, |t: f64, e| t.max(e.abs()));
    let corners = if element.points().len() == 1 { 3 } else { 4 };
    let (small, mut worst) = (1e-5, 0.0_f64);
    for b in 0..corners {
        for axis in 0..2 {
            let [plus, minus] = [small, -small].map(|way| {
                let mut x = x1.to_vec();
                x[element.nodes[b] as usize][axis] += way;
                element.forces(x0, &x, law).0
            });
            for a in 0..corners {
                let error = (plus[a] - minus[a]) / (2.0 * small) - blocks[a][b].col(axis);
                worst = worst.max(error.abs().max_element());
            }
        }
    }
    worst / size
}

fn pressure(report: &mut Report, dice: &mut RandomStream) {
    let rule = PressureRule::Conserving;
    let (mut slope, mut work, mut rest) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..1000 {
        let [start, end] = [0, 1].map(|_| dice.between(-0.01, 0.01));
        let now = rule.pressure(start, end, KAPPA);
        let (before, after) = (contact_energy(start, KAPPA), contact_energy(end, KAPPA));
        if before.max(after) > 0.0 {
            work = work.max((now.force * (end - start) + after - before).abs() / before.max(after));
        }
        let gap = -start.abs();
        rest = rest.max((rule.pressure(gap, gap, KAPPA).force / (-KAPPA * gap) - 1.0).abs());
        if start.abs() > 1e-4 && end.abs() > 1e-4 {
            let at = |gap: f64| rule.pressure(start, gap, KAPPA).force;
            let measured = (at(end + 1e-8) - at(end - 1e-8)) / 2e-8;
            slope = slope.max((measured - now.slope).abs() / KAPPA);
        }
    }
    report.at_most("pressure law: slope against differences / κ", "", 1e-8, slope);
    report.at_most("pressure law: p Δg + ΔU", "", 1e-14, work);
    report.at_most("pressure law: p(g, g)/(−κg) − 1", "", 1e-15, rest);
    let tiny = [-1e-300, -0.0, 0.0, 1e-300];
    let finite = tiny.iter().flat_map(|&a| tiny.iter().map(move |&b| rule.pressure(a, b, KAPPA).force));
    let odd = finite.filter(|force| !force.is_finite()).count();
    report.absolute("pressure law: not a number at gaps of 1e-300", "", 0.0, odd as f64, 0.0);
}

fn contact(report: &mut Report, dice: &mut RandomStream) {
    let (mut slope, mut sum, mut moment, mut work) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut cases = 0;
    while cases < 300 {
        let angle = dice.between(0.0, 6.3);
        let turn = dvec2(libm::cos(angle), libm::sin(angle));
        let place = |x: f64, y: f64| dvec2(3.0, -2.0) + turn.rotate(dvec2(x, y));
        let foot = place(dice.between(0.0, 0.2), dice.between(-0.02, 0.02));
        let x0 = [foot, place(0.0, 0.0), place(0.2, 0.0)];
        let x1 = x0.map(|x| x + jump(dice, 0.01));
        let gap = dice.between(-0.01, 0.01);
        let start = ContactStart {
            gap,
            stiffness: KAPPA,
            friction: Friction::default(),
            rule: PressureRule::Conserving,
        };
        let middle = |x1: &Triple| {
            Opposite::Segment(SegmentGeometry::new(std::array::from_fn(|k| 0.5 * (x0[k] + x1[k]))))
        };
        let moves = |x1: &Triple| -> Triple { std::array::from_fn(|k| x1[k] - x0[k]) };
        let now = start.advance(&middle(&x1), &moves(&x1));
        if gap.abs() < 1e-4 || now.gap.abs() < 1e-4 || now.pressure.force == 0.0 {
            continue;
        }
        cases += 1;
        let stiffness = start.stiffness(&middle(&x1), &moves(&x1), &now);
        let size = stiffness.iter().flatten().fold(0.0, |t: f64, e| t.max(e.abs()));
        for column in 0..6 {
            let [plus, minus] = [1e-7, -1e-7].map(|way| {
                let mut x = x1;
                x[column / 2][column % 2] += way;
                start.advance(&middle(&x), &moves(&x)).forces
            });
            for (row, entries) in stiffness.iter().enumerate() {
                let measured = (plus[row / 2][row % 2] - minus[row / 2][row % 2]) / 2e-7;
                slope = slope.max((measured + entries[column]).abs() / size);
            }
        }
        let force = now.forces[0].length();
        sum = sum.max((now.forces[0] + now.forces[1] + now.forces[2]).length() / force);
        let turned: f64 = (0..3).map(|k| (0.5 * (x0[k] + x1[k]) - foot).perp_dot(now.forces[k])).sum();
        moment = moment.max(turned.abs() / force);
        let (before, after) = (contact_energy(gap, KAPPA), contact_energy(now.gap, KAPPA));
        work = work.max((dot(&now.forces, &moves(&x1)) + after - before).abs() / before.max(after));
    }
    report.at_most("contact element: tangent against differences", "", 1e-6, slope);
    report.at_most("contact element: sum of forces", "", 1e-14, sum);
    report.at_most("contact element: moment", "m", 1e-13, moment);
    report.at_most("contact element: f·Δx + ΔU", "", 1e-13, work);
}

use super::super::pressure::contact_energy;
use super::*;
use glam::dvec2;
use proptest::prelude::*;

const KAPPA: f64 = 1e4;

fn start(gap: f64, coefficient: f64) -> ContactStart {
    let friction = Friction { coefficient, stiffness: KAPPA, slip: 0.0 };
    ContactStart { gap, stiffness: KAPPA, friction, rule: PressureRule::Conserving }
}

fn opposite(x0: &Triple, x1: &Triple) -> Opposite {
    Opposite::Segment(SegmentGeometry::new(std::array::from_fn(|k| 0.5 * (x0[k] + x1[k]))))
}

fn moves(x0: &Triple, x1: &Triple) -> Triple {
    std::array::from_fn(|k| x1[k] - x0[k])
}

/// A point within 0.02 of a segment of length about 0.2, and moves of the size of the gap.
fn cases() -> impl Strategy<Value = (Triple, Triple, f64)> {
    let unit = || -1.0..1.0_f64;
    (prop::collection::vec((unit(), unit()), 3), 0.0..1.0_f64, unit(), 0.0..6.3_f64, -0.01..0.01_f64)
        .prop_map(|(jumps, share, height, angle, gap)| {
            let turn = dvec2(libm::cos(angle), libm::sin(angle));
            let place = |x: f64, y: f64| dvec2(3.0, -2.0) + turn.rotate(dvec2(x, y));
            let x0 = [place(0.2 * share, -0.02 * height), place(0.0, 0.0), place(0.2, 0.0)];
            let x1 = std::array::from_fn(|k| x0[k] + 0.01 * dvec2(jumps[k].0, jumps[k].1));
            (x0, x1, gap)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_stiffness_is_the_derivative_of_the_forces((x0, x1, gap) in cases()) {
        let contact = start(gap, 0.0);
        let at = |x1: &Triple| contact.advance(&opposite(&x0, x1), &moves(&x0, x1));
        let step = at(&x1);
        prop_assume!(gap.abs() > 1e-4 && step.gap.abs() > 1e-4);
        let stiffness = contact.stiffness(&opposite(&x0, &x1), &moves(&x0, &x1), &step);
        let size = stiffness.iter().flatten().fold(1.0_f64, |top, entry| top.max(entry.abs()));
        let small = 1e-7;
        for column in 0..6 {
            let unit = unit_triple(column);
            let moved = |way: f64| at(&std::array::from_fn(|k| x1[k] + way * small * unit[k])).forces;
            let (plus, minus) = (moved(1.0), moved(-1.0));
            for (row, entries) in stiffness.iter().enumerate() {
                let (k, axis) = (row / 2, row % 2);
                let slope = (plus[k][axis] - minus[k][axis]) / (2.0 * small);
                let error = (slope + entries[column]).abs() / size;
                prop_assert!(error <= 1e-6, "{error:e}");
            }
        }
    }

    #[test]
    fn forces_leave_no_sum_and_no_moment_and_work_is_the_change_of_energy(
        (x0, x1, gap) in cases(), coefficient in prop_oneof![Just(0.0), 0.1..1.0_f64]
    ) {
        let moves = moves(&x0, &x1);
        let step = start(gap, coefficient).advance(&opposite(&x0, &x1), &moves);
        let size: f64 = step.forces.iter().map(|force| force.length()).sum();
        prop_assert!((step.forces[0] + step.forces[1] + step.forces[2]).length() <= 1e-14 * size);
        let moment: f64 = (0..3).map(|k| (0.5 * (x0[k] + x1[k])).perp_dot(step.forces[k])).sum();
        prop_assert!(moment.abs() <= 1e-13 * size, "{moment:e} {size}");
        let work = dot(&step.forces, &moves);
        let (before, after) = (contact_energy(gap, KAPPA), contact_energy(step.gap, KAPPA));
        let slip = start(gap, coefficient).friction;
        let kept = 0.5 * slip.stiffness * step.grip.slip * step.grip.slip;
        let missing = work + after - before + kept + step.grip.dissipation;
        prop_assert!(missing.abs() <= 1e-13 * before.max(after).max(work.abs()), "{missing:e}");
        prop_assert!(step.grip.dissipation >= 0.0);
    }
}

#[test]
fn a_wall_pushes_the_point_alone() {
    let wall = Opposite::Wall { normal: DVec2::X };
    let moves = [dvec2(-0.01, 0.03), DVec2::ZERO, DVec2::ZERO];
    let contact = start(0.0, 0.5);
    let step = contact.advance(&wall, &moves);
    assert!((step.gap + 0.01).abs() < 1e-17);
    assert!((step.forces[0] - dvec2(50.0, -25.0)).length() < 1e-12);
    assert_eq!(step.forces[1..], [DVec2::ZERO; 2]);
    assert!(step.grip.slides);
    let stiffness = contact.stiffness(&wall, &moves, &step);
    assert_eq!((stiffness[0][0], stiffness[1][0]), (5000.0, -2500.0));
    assert!(stiffness[2..].iter().flatten().all(|&entry| entry == 0.0));
}

//! Disks in a box: the report's experiment, small and short. The full one is `breccia verify fem`.

use super::builders::*;

#[test]
fn nine_disks_in_a_box_conserve_and_stay_inside() {
    let mut run = box_of_disks(3, 4, 2, settings(0.02, 1e-9));
    let start = run.budget();
    let expected = 3.0 * 0.5 * 0.26 * run.setup.bodies[0].shape().unwrap().total_mass();
    assert!((start.stored() / expected - 1.0).abs() < 1e-14);
    for _ in 0..500 {
        run.step().unwrap();
        let now = run.budget();
        assert!((now.stored() / start.stored() - 1.0).abs() <= 1e-8);
        let missing = now.momentum - start.momentum - run.state.ledger.impulse();
        assert!(missing.length() <= 1e-8 * start.momentum.length());
        let inside = |x: &glam::DVec2| x.min_element() >= -0.01 && x.max_element() <= 7.51;
        assert!(run.state.positions.iter().all(inside));
    }
    let total = &run.state.total;
    assert!(total.penetration <= 0.01 && total.penetration > 1e-3 && total.cuts == 0, "{total:?}");
    assert!(total.gap_drift <= 5e-3, "{total:?}");
    let translational = run.budget().translational / start.stored();
    assert!((0.3..0.7).contains(&translational), "{translational}");
}

//! Finders give the same lists and the same motion; a list may serve several steps.

use super::builders::*;
use breccia::broad_phase::PointFinder;
use breccia::deformable::contact::sort_points;
use breccia::deformable::{SolidRun, SolidSettings};
use glam::{DVec2, dvec2};

#[test]
fn tree_and_brute_force_find_the_same_pairs_all_along_a_run() {
    let mut run = box_of_disks(3, 4, 2, settings(0.02, 1e-9));
    let mut found = 0;
    for _ in 0..250 {
        run.step().unwrap();
        let lists = [PointFinder::Tree, PointFinder::BruteBoxes].map(|finder| {
            let mut setup = run.setup.clone();
            setup.settings.finder = finder;
            sort_points(&setup, (&run.state.positions, &run.state.positions), 0.6, 0.02).0
        });
        assert_eq!(lists[0], lists[1]);
        found += lists[0].near.len();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn without_sorting_the_motion_is_the_same() {
    let end = |finder: PointFinder| {
        let mut run = box_of_disks(2, 4, 2, SolidSettings { finder, ..settings(0.02, 1e-9) });
        (0..120).for_each(|_| run.step().unwrap());
        assert!(run.state.total.penetration > 0.0);
        run.state.positions
    };
    let tree = end(PointFinder::Tree);
    assert_eq!(tree, end(PointFinder::BruteBoxes));
    assert_eq!(tree, end(PointFinder::AllToAll));
}

fn closing(steps_between_sorts: u32, reach_factor: f64) -> SolidRun {
    let shape = disk(4, 2);
    let a = body(&shape, 0.1, dvec2(-1.065, 0.0), dvec2(0.5, 0.0));
    let b = body(&shape, 0.0, dvec2(1.065, 0.3), dvec2(-0.5, 0.0));
    free_run(vec![a, b], SolidSettings { steps_between_sorts, reach_factor, ..settings(0.01, 1e-10) })
}

#[test]
fn a_list_for_many_steps_misses_nothing() {
    let end = |steps: u32, factor: f64| -> (DVec2, u64) {
        let mut run = closing(steps, factor);
        (0..60).for_each(|_| run.step().unwrap());
        assert_eq!(run.state.total.clamps, 0);
        (run.motion(0).velocity, run.state.total.sorts)
    };
    let (reference, sorts) = end(1, 3.0);
    assert_eq!(sorts, 60);
    assert!(reference.x < 0.0, "{reference}");
    for steps in [10, 20] {
        for factor in [2.0, 3.0] {
            let (velocity, sorts) = end(steps, factor);
            assert!((velocity - reference).abs().max_element() < 5e-5, "{steps} {factor}: {velocity}");
            assert!(sorts < 30, "{sorts}");
        }
    }
}

//! The binary tree finds what brute force finds, and has one shape whatever the order of insertion.

use breccia::broad_phase::{BinaryTree, PointFinder, Region, Zone};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// Five particles in a square working space, each alone in its cell (the situation of the report's Figs. 4 and 5,
/// whose text gives no coordinates): the first cut is vertical, the next horizontal, and so on.
#[test]
fn five_particles_give_the_tree_drawn_by_hand() {
    let points = [dvec2(0.2, 0.8), dvec2(0.3, 0.3), dvec2(0.1, 0.1), dvec2(0.8, 0.7), dvec2(0.9, 0.2)];
    let tree = BinaryTree::with_root(&points, DVec2::ZERO, DVec2::ONE);
    // Left half: particle 0 above; below, particles 1 and 2 are parted by x = 0.25. Right half: 4 below 3.
    assert_eq!(tree.sketch(), "(((2 1) 0) (4 3))");
    let counts = tree.counts();
    assert_eq!((counts.nodes, counts.depth), (9, 3));
    // 1: two passes and 0 moved twice. 2: three passes, 1 moved once. 3: one pass. 4: two passes, 3 moved once.
    // The first pass of 1 moves 0 into the left half, the second parts them.
    assert_eq!(counts.descents, (2 + 2) + (3 + 1) + 1 + (2 + 1));
}

#[test]
fn points_on_dividing_lines_go_right_and_coincident_ones_share_a_leaf() {
    let points = [dvec2(0.5, 0.5), dvec2(0.5, 0.25), dvec2(0.5, 0.5), dvec2(0.5, 0.5)];
    let tree = BinaryTree::with_root(&points, DVec2::ZERO, DVec2::ONE);
    assert_eq!(tree.sketch(), "(- (1 0+3+2))");
}

#[test]
fn points_that_cannot_be_parted_share_the_deepest_leaf() {
    let points = [dvec2(1.0, 1.0), dvec2(1.0 + f64::EPSILON, 1.0)];
    let tree = BinaryTree::with_root(&points, DVec2::splat(-1e30), DVec2::splat(1e30));
    assert_eq!(tree.counts().depth, 64);
    let mut found = 0;
    tree.visit(&points, &Region::around(points.iter().copied(), 1.0), |_| found += 1);
    assert_eq!(found, 2);
}

#[test]
fn no_points_no_tree() {
    let tree = BinaryTree::new(&[]);
    assert_eq!((tree.sketch().as_str(), tree.counts().nodes), ("-", 0));
    let everywhere = Region::Box { low: DVec2::splat(-9.0), high: DVec2::splat(9.0) };
    assert_eq!(tree.visit(&[], &everywhere, |_| ()).visits, 0);
}

/// Points anywhere, on the lines that halve the unit square, or doubled.
fn points() -> impl Strategy<Value = Vec<DVec2>> {
    let coordinate = || prop_oneof![0.0..1.0_f64, (0_u32..=16).prop_map(|k| f64::from(k) / 16.0)];
    let point = (coordinate(), coordinate()).prop_map(|(x, y)| dvec2(x, y));
    let spread = prop::collection::vec(point, 1..150);
    (spread, prop::collection::vec(any::<prop::sample::Index>(), 0..30)).prop_map(|(mut points, twice)| {
        let doubles: Vec<_> = twice.iter().map(|index| points[index.index(points.len())]).collect();
        points.extend(doubles);
        points
    })
}

fn regions() -> impl Strategy<Value = Region> {
    let lattice = || (0_u32..=16).prop_map(|k| f64::from(k) / 16.0);
    let boxes = (lattice(), lattice(), 0.0..0.5_f64, lattice())
        .prop_map(|(x, y, w, h)| Region::Box { low: dvec2(x, y), high: dvec2(x + w, y + h) });
    let planes = (0.0..std::f64::consts::TAU, -1.0..1.0_f64).prop_map(|(angle, offset)| Region::HalfPlane {
        normal: dvec2(libm::cos(angle), libm::sin(angle)),
        offset,
    });
    prop_oneof![4 => boxes, 1 => planes]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_tree_finds_what_all_boxes_against_all_points_find(
        points in points(), regions in prop::collection::vec(regions(), 1..12), bodies in 1_u32..12
    ) {
        let owners: Vec<u32> = (0..points.len() as u32).map(|k| k % bodies).collect();
        let zones: Vec<_> =
            regions.iter().zip(0..).map(|(&region, owner)| Zone { owner, region }).collect();
        let (tree, _) = PointFinder::Tree.find(&points, &owners, &zones);
        let (brute, _) = PointFinder::BruteBoxes.find(&points, &owners, &zones);
        let (all, _) = PointFinder::AllToAll.find(&points, &owners, &zones);
        prop_assert_eq!(&tree, &brute);
        prop_assert!(tree.iter().all(|pair| all.binary_search(pair).is_ok()));
        let own = |zone: &Zone| owners.iter().filter(|&&owner| owner != zone.owner).count();
        prop_assert_eq!(all.len(), zones.iter().map(own).sum::<usize>());
    }

    #[test]
    fn the_order_of_insertion_does_not_shape_the_tree(
        points in points(), keys in prop::collection::vec(any::<u32>(), 180)
    ) {
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|&k| keys[k]);
        let permuted: Vec<_> = order.iter().map(|&k| points[k]).collect();
        let (one, other) = (BinaryTree::new(&points).counts(), BinaryTree::new(&permuted).counts());
        prop_assert_eq!((one.nodes, one.depth), (other.nodes, other.depth));
    }

    #[test]
    fn without_coincident_points_the_work_of_insertion_is_the_same_in_any_order(
        points in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..150),
        keys in prop::collection::vec(any::<u32>(), 150)
    ) {
        let points: Vec<_> = points.iter().map(|&(x, y)| dvec2(x, y)).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|&k| keys[k]);
        let permuted: Vec<_> = order.iter().map(|&k| points[k]).collect();
        prop_assert_eq!(BinaryTree::new(&points).counts(), BinaryTree::new(&permuted).counts());
    }
}

//! The cell grid finds what brute force finds, each pair once.

use breccia::broad_phase::{BoundsTable, BroadPhase, BruteForce, Candidate, CellGrid, Image};
use breccia::model::{Domain, ExitPolicy};
use glam::{DVec3, dvec3};
use proptest::prelude::*;

/// A random crowd of spheres in a domain.
#[derive(Clone, Debug)]
struct Crowd {
    bounds: BoundsTable,
    domain: Domain,
    skin: f64,
}

/// How spheres are spread over the domain.
#[derive(Clone, Copy, Debug)]
enum Spread {
    Even,
    Flat,
    Clustered,
    Sparse,
}

fn crowds() -> impl Strategy<Value = Crowd> {
    let spread =
        prop_oneof![Just(Spread::Even), Just(Spread::Flat), Just(Spread::Clustered), Just(Spread::Sparse)];
    let sphere = (prop::array::uniform3(0.0..1.0_f64), 0.0..1.0_f64, 0_u32..40);
    let ratio = prop_oneof![Just(1.0_f64), 1.0..4.0_f64, 4.0..100.0_f64];
    let periodic = prop::array::uniform3(any::<bool>());
    (
        prop::collection::vec(sphere, 0..160),
        spread,
        ratio,
        0.0..0.8_f64,
        periodic,
        any::<bool>(),
        2.0..9.0_f64,
    )
        .prop_map(|(spheres, spread, ratio, skin, periodic, owned, widths)| {
            let (smallest, largest) = (1e-3, 1e-3 * ratio);
            let skin = skin * smallest;
            // Twice the longest reach keeps a pair from being near in two images at once.
            let side =
                widths * (2.0 * largest + skin) * if matches!(spread, Spread::Sparse) { 50.0 } else { 1.0 };
            let min = dvec3(-0.3, 0.1, -5.0) * side;
            let domain = Domain { min, max: min + DVec3::splat(side), periodic, on_exit: ExitPolicy::Stop };
            let mut bounds = BoundsTable::default();
            for (at, size, owner) in spheres {
                let at = DVec3::from_array(at);
                let place = match spread {
                    Spread::Even | Spread::Sparse => at,
                    Spread::Flat => dvec3(at.x, at.y, 0.4 + 1e-4 * at.z),
                    // Around a corner, so that clusters reach over periodic sides.
                    Spread::Clustered => (at * at * at - DVec3::splat(0.02)).rem_euclid(DVec3::ONE),
                };
                bounds.centre.push((min + place * side).min(min + DVec3::splat(side * (1.0 - 1e-12))));
                // Most are small, as in real mixtures.
                bounds.radius.push(smallest * libm::pow(ratio, size * size));
                if owned {
                    bounds.owner.push(owner);
                }
            }
            Crowd { bounds, domain, skin }
        })
}

/// All pairs, lower number first, sorted; more than once if visited more than once.
fn pairs(search: &mut impl BroadPhase, crowd: &Crowd) -> Vec<Candidate> {
    search.rebuild(&crowd.bounds, crowd.skin, &crowd.domain);
    let mut found = Vec::new();
    for a in 0..crowd.bounds.len() as u32 {
        search.visit_near(&crowd.bounds, a, &mut |pair| {
            assert_eq!(pair.a, a, "a query speaks of the item asked for");
            found.push(pair.lower_first());
        });
    }
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn cell_grid_equals_brute_force(crowd in crowds()) {
        let expected = pairs(&mut BruteForce::default(), &crowd);
        let found = pairs(&mut CellGrid::default(), &crowd);
        // Equal as sorted lists, not as sets: each pair exactly once.
        prop_assert_eq!(&found, &expected);
        let owner = &crowd.bounds.owner;
        for pair in &found {
            prop_assert!(owner.is_empty() || owner[pair.a as usize] != owner[pair.b as usize]);
            prop_assert!(pair.a < pair.b);
        }
    }
}

/// The oracle itself, against the distance written out.
#[test]
fn brute_force_sees_a_pair_across_a_corner() {
    let domain = Domain {
        min: DVec3::ZERO,
        max: DVec3::ONE,
        periodic: [true, true, false],
        on_exit: ExitPolicy::Stop,
    };
    let centre =
        vec![dvec3(0.05, 0.95, 0.5), dvec3(0.95, 0.05, 0.5), dvec3(0.5, 0.5, 0.99), dvec3(0.5, 0.5, 0.01)];
    let bounds = BoundsTable { centre, radius: vec![0.07; 4], owner: Vec::new() };
    let crowd = Crowd { bounds, domain, skin: 0.005 };
    // 0.1 apart along x and y through the corner: √2/10 < 0.145. The other two are near along z only, which does
    // not repeat.
    let expected = vec![Candidate { a: 0, b: 1, image: Image::new([-1, 1, 0]) }];
    assert_eq!(pairs(&mut BruteForce::default(), &crowd), expected);
    assert_eq!(pairs(&mut CellGrid::default(), &crowd), expected);
    let owned = BoundsTable { owner: vec![7, 7, 7, 7], ..crowd.bounds.clone() };
    assert_eq!(pairs(&mut CellGrid::default(), &Crowd { bounds: owned, ..crowd }), Vec::new());
}

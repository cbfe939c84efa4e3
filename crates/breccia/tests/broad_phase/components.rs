//! The search by whole bodies finds what brute force finds, each pair once: between bodies and inside them.

use breccia::broad_phase::{
    BoundsTable, BroadPhase, BruteForce, Candidate, CellGrid, ComponentSearch, FoundPairs, Image,
};
use breccia::model::{Domain, ExitPolicy};
use breccia::scene::RandomStream;
use glam::{DVec3, dvec3};

/// A scene of random-walk bodies and single spheres.
struct Crowd {
    bounds: BoundsTable,
    domain: Domain,
    skin: f64,
}

fn direction(dice: &mut RandomStream) -> DVec3 {
    loop {
        let v = DVec3::from_array(std::array::from_fn(|_| dice.between(-1.0, 1.0)));
        if (0.01..1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}

/// Bodies of touching spheres of unequal size, and singles, in a box that may repeat.
fn crowd(seed: u64) -> Crowd {
    let mut dice = RandomStream::new(seed);
    let periodic = [0; 3].map(|_| dice.unit() < 0.4);
    let ratio = [1.0, 3.0, 30.0][(dice.unit() * 3.0) as usize];
    let side = dice.between(20.0, 60.0) * if ratio > 10.0 { 3.0 } else { 1.0 };
    let min = dvec3(-7.0, 100.0, 0.3);
    let domain = Domain { min, max: min + DVec3::splat(side), periodic, on_exit: ExitPolicy::Stop };
    let longest = if dice.unit() < 0.1 { 200.0 } else { 25.0 };
    let mut bounds = BoundsTable::default();
    let bodies = dice.between(2.0, 40.0) as u32;
    for body in 0..bodies {
        let count = if dice.unit() < 0.4 { 1 } else { dice.between(2.0, longest) as usize };
        let mut at = min + side * DVec3::from_array(std::array::from_fn(|_| dice.unit()));
        let mut last = 0.0;
        for k in 0..count {
            let radius = libm::pow(ratio, dice.unit() * dice.unit());
            if k > 0 {
                // Long walks curl, so that most bodies fit the period.
                let pull = if k % 8 == 0 { -1.0 } else { 1.0 };
                at += pull * (last + radius) * dice.between(0.9, 1.05) * direction(&mut dice);
            }
            last = radius;
            bounds.centre.push(at);
            bounds.radius.push(radius);
            bounds.owner.push(3 * body);
        }
    }
    for centre in &mut bounds.centre {
        for axis in (0..3).filter(|&axis| periodic[axis]) {
            let turned = (centre[axis] - min[axis]).rem_euclid(side);
            centre[axis] = (min[axis] + turned).min(min[axis] + side * (1.0 - 1e-15));
        }
    }
    shuffle(&mut bounds, &mut dice);
    Crowd { bounds, domain, skin: dice.between(0.0, 1.0) }
}

/// Rows of one body do not lie side by side in a run.
fn shuffle(bounds: &mut BoundsTable, dice: &mut RandomStream) {
    for k in (1..bounds.len()).rev() {
        let other = (dice.unit() * (k + 1) as f64) as usize;
        bounds.centre.swap(k, other);
        bounds.radius.swap(k, other);
        bounds.owner.swap(k, other);
    }
}

fn all(search: &mut impl BroadPhase, bounds: &BoundsTable, crowd: &Crowd) -> Vec<Candidate> {
    search.rebuild(bounds, crowd.skin, &crowd.domain);
    let mut found = Vec::new();
    for a in 0..bounds.len() as u32 {
        search.visit_near(bounds, a, &mut |pair| found.push(pair.lower_first()));
    }
    found.sort_unstable();
    found
}

fn sorted(parts: Vec<FoundPairs>) -> Vec<Candidate> {
    let mut pairs: Vec<Candidate> = parts.into_iter().flat_map(|part| part.pairs).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn bodies_equal_brute_force() {
    let (mut fitting, mut between, mut within, mut images) = (0, 0, 0, 0);
    for seed in 0..900 {
        let crowd = crowd(seed);
        let mut search = ComponentSearch::default();
        if search.rebuild(&crowd.bounds, crowd.skin, &crowd.domain).is_err() {
            assert!(crowd.domain.is_periodic(), "scene {seed}: refused without a period");
            continue;
        }
        fitting += 1;
        let expected = all(&mut BruteForce::default(), &crowd.bounds, &crowd);
        assert_eq!(sorted(search.between(&crowd.bounds)), expected, "scene {seed}");
        let anyone = BoundsTable { owner: Vec::new(), ..crowd.bounds.clone() };
        let owner = &crowd.bounds.owner;
        let mut own = all(&mut CellGrid::default(), &anyone, &crowd);
        own.retain(|pair| owner[pair.a as usize] == owner[pair.b as usize]);
        assert_eq!(sorted(search.within(&crowd.bounds)), own, "scene {seed}");
        between += expected.len();
        within += own.len();
        images += expected.iter().chain(&own).filter(|pair| pair.image != Image::NONE).count();
    }
    // The scenes must not be empty for the comparison to mean something.
    assert!(fitting >= 500, "{fitting} scenes");
    assert!(between > 20_000 && within > 20_000 && images > 2_000, "{between}, {within}, {images}");
}

#[test]
fn large_bodies_are_searched_by_a_grid_inside_and_by_sweeping_between() {
    let cube = |corner: DVec3, owner: u32, bounds: &mut BoundsTable| {
        for k in 0..1331_u32 {
            let cell = dvec3(f64::from(k % 11), f64::from(k / 11 % 11), f64::from(k / 121));
            bounds.centre.push(corner + 2.0 * cell);
            bounds.radius.push(1.0 + 0.01 * f64::from(k % 7));
            bounds.owner.push(owner);
        }
    };
    let mut bounds = BoundsTable::default();
    cube(DVec3::ZERO, 0, &mut bounds);
    // One face near the other's, moved sideways.
    cube(dvec3(22.03, 0.7, -0.4), 1, &mut bounds);
    let domain = Domain::unbounded();
    let crowd = Crowd { bounds, domain, skin: 0.2 };
    let mut search = ComponentSearch::default();
    search.rebuild(&crowd.bounds, crowd.skin, &crowd.domain).expect("no periods");
    let between = search.between(&crowd.bounds);
    let tests: u64 = between.iter().map(|part| part.work.spheres).sum();
    assert!(tests > 256 && tests < 20_000, "{tests} comparisons");
    let expected = all(&mut BruteForce::default(), &crowd.bounds, &crowd);
    assert!(expected.len() > 60);
    assert_eq!(sorted(between), expected);
    // Neighbours along the three axes: 11 · 11 · 10 each.
    assert_eq!(sorted(search.within(&crowd.bounds)).len(), 2 * 3 * 1210);
}

#[test]
fn a_body_too_long_for_its_period_is_told() {
    let domain = Domain {
        min: DVec3::ZERO,
        max: DVec3::splat(10.0),
        periodic: [false, true, false],
        on_exit: ExitPolicy::Stop,
    };
    let rod = |count: u32| BoundsTable {
        centre: (0..count).map(|k| dvec3(1.0, (7.5 + f64::from(k)).rem_euclid(10.0), 1.0)).collect(),
        radius: vec![0.5; count as usize],
        owner: vec![4; count as usize],
    };
    let mut search = ComponentSearch::default();
    assert!(search.rebuild(&rod(5), 0.1, &domain).is_ok());
    assert!(search.check_lengths(&domain).is_ok());
    assert!(search.rebuild(&rod(6), 0.1, &domain).is_ok());
    let told = search.check_lengths(&domain).expect_err("six of ten");
    assert_eq!((told.axis, told.period), (1, 10.0));
    assert!((told.length - 6.0).abs() < 1e-12, "{told}");
    assert!(search.rebuild(&rod(10), 0.1, &domain).is_err(), "a ring around the period");
}

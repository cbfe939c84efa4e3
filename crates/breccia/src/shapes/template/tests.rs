use super::*;

const RADIUS: f64 = 3.3e-3;

fn dice() -> impl FnMut() -> f64 {
    let mut state = 12345_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn bonds(template: &Template, gap: f64) -> usize {
    let pairs = template.pairs_within(gap);
    assert_eq!(template.parts(&pairs), 1);
    pairs.len()
}

fn deepest_overlap(template: &Template) -> f64 {
    let mut deepest = f64::NEG_INFINITY;
    for (i, (a, r)) in template.spheres.iter().enumerate() {
        for (b, s) in &template.spheres[..i] {
            deepest = deepest.max((r + s - a.distance(*b)) / (2.0 * r.min(*s)));
        }
    }
    deepest
}

#[test]
fn lattices_have_the_bonds_of_their_neighbours() {
    for (n, expected) in [(2, 12), (3, 54), (4, 144), (5, 300)] {
        for gap in [0.01, 0.05, 0.4] {
            assert_eq!(bonds(&Template::cube(n, RADIUS), gap), expected);
        }
    }
    assert_eq!(bonds(&Template::octahedron(RADIUS), 0.05), 12);
    assert_eq!(bonds(&Template::rod(7, RADIUS), 0.05), 6);
}

#[test]
fn pairs_are_those_of_brute_force() {
    let mut random = dice();
    let place = |random: &mut dyn FnMut() -> f64| DVec3::new(random(), random(), random());
    let spheres = (0..80).map(|_| (place(&mut random), 0.02 + 0.1 * random())).collect();
    let template = Template::new(spheres);
    let mut expected = Vec::new();
    for (i, (a, r)) in (0_u32..).zip(&template.spheres) {
        for (j, (b, s)) in (0_u32..).zip(&template.spheres) {
            if i < j && a.distance(*b) <= (r + s) * 1.1 {
                expected.push([i, j]);
            }
        }
    }
    assert!(expected.len() > 20);
    assert_eq!(template.pairs_within(0.1), expected);
}

#[test]
fn templates_lie_about_their_centre_of_mass() {
    let template = Template::new(vec![(DVec3::ZERO, 1.0), (DVec3::new(9.0, 0.0, 0.0), 2.0)]);
    assert!((template.spheres[0].0.x + 8.0).abs() < 1e-12);
    assert!((template.bounding_radius() - 9.0).abs() < 1e-12);
    assert!(
        (Template::octahedron(RADIUS).bounding_radius() / RADIUS - 1.0 - std::f64::consts::SQRT_2).abs()
            < 1e-12
    );
}

#[test]
fn parts_are_counted() {
    let far = Template::new((0..5).map(|k| (DVec3::new(f64::from(k * k), 0.0, 0.0), 0.5)).collect());
    // Gaps of 1, 3, 5, 7 between the centres.
    assert_eq!(far.parts(&far.pairs_within(0.0)), 4);
    assert_eq!(far.parts(&[]), 5);
}

/// Radius of the smallest ball that n unit spheres are known to fit into; 1/0.3530 for 10.
const KNOWN: [(u32, f64); 5] = [(2, 2.0), (4, 2.2247), (6, 2.4142), (10, 2.8327), (13, 3.0)];

#[test]
fn packings_are_as_dense_as_any_known() {
    for (n, known) in KNOWN {
        let centres = packing::densest(n as usize, &mut dice());
        let ball = 1.0 + centres.iter().map(|centre| centre.length()).fold(0.0, f64::max);
        // Overlaps of 2 % make it smaller.
        assert!((0.975 * known..1.005 * known).contains(&ball), "{n}: {ball} against {known}");
    }
    for (n, fraction) in [(25, 0.49), (100, 0.52)] {
        let centres = packing::densest(n, &mut dice());
        let ball = 1.0 + centres.iter().map(|centre| centre.length()).fold(0.0, f64::max);
        assert!(n as f64 / (ball * ball * ball) > fraction, "{n}: {ball}");
    }
}

#[test]
fn packings_hang_together_and_hardly_overlap() {
    for (n, least, most) in [(2, 1, 1), (6, 12, 12), (10, 19, 24), (25, 60, 95), (100, 320, 480)] {
        let template = Template::packing(n, RADIUS, &mut dice());
        let overlap = deepest_overlap(&template);
        assert!(overlap <= 0.02 + 1e-9, "{n}: overlap {overlap}");
        let count = bonds(&template, 0.1);
        assert!((least..=most).contains(&count), "{n}: {count} bonds");
    }
}

#[test]
fn the_same_numbers_give_the_same_packing() {
    assert_eq!(Template::packing(12, RADIUS, &mut dice()), Template::packing(12, RADIUS, &mut dice()));
}

#[test]
fn tablets_are_flat_connected_and_finer_at_the_rim() {
    for rings in 0..5 {
        let template = Template::tablet(RADIUS, rings, 0.5 * RADIUS);
        bonds(&template, 0.05);
        assert_eq!(template.radii(), (0.5 * RADIUS, RADIUS));
        assert!(template.spheres.iter().all(|(centre, _)| centre.z.abs() < 1e-12));
        let outer =
            template.spheres.iter().filter(|(c, _)| c.length() > 2.0 * RADIUS * (f64::from(rings) + 0.3));
        assert!(outer.into_iter().all(|&(_, radius)| radius == 0.5 * RADIUS));
        assert!(deepest_overlap(&template) < 0.025);
    }
}

#[test]
fn fillings_take_the_fullest_lattice() {
    let half = 3.0 * RADIUS;
    let in_cube = |c: DVec3, r: f64| (c.abs().max_element() + r) <= half;
    let bounds = (DVec3::splat(-half), DVec3::splat(half));
    let filled = fill_lattice(bounds, RADIUS, FillLattice::Cubic, &in_cube).unwrap();
    assert_eq!(filled.len(), 27);
    assert_eq!(bonds(&Template::new(filled), 0.05), 54);
    let ball = |c: DVec3, r: f64| c.length() + r <= half;
    let dense = fill_lattice(bounds, 0.5 * RADIUS, FillLattice::Fcc, &ball).unwrap();
    let loose = fill_lattice(bounds, 0.5 * RADIUS, FillLattice::Cubic, &ball).unwrap();
    assert!(dense.len() > loose.len() && loose.len() > 60, "{} {}", dense.len(), loose.len());
    bonds(&Template::new(dense), 0.05);
    assert!(fill_lattice(bounds, 1e-3 * RADIUS, FillLattice::Cubic, &ball).is_err());
}

#[test]
fn relaxed_fillings_are_fuller_than_lattices_and_stay_inside() {
    let half = 4.0 * RADIUS;
    let bounds = (DVec3::splat(-half), DVec3::splat(half));
    let ball = |c: DVec3, r: f64| c.length() + r <= half;
    // A slanted corner of a cube: no lattice fits it well.
    let wedge = |c: DVec3, r: f64| {
        let slant = DVec3::new(1.0, 0.7, 0.4).normalize();
        c.abs().max_element() + r <= half && c.dot(slant) + r <= 0.3 * half
    };
    type Holds<'a> = &'a dyn Fn(DVec3, f64) -> bool;
    let shapes: [(&str, Holds); 2] = [("ball", &ball), ("wedge", &wedge)];
    for (name, holds) in shapes {
        let radius = 0.9 * RADIUS;
        let lattice = fill_lattice(bounds, radius, FillLattice::Fcc, holds).unwrap().len();
        let relaxed = fill_relaxed(bounds, radius, holds, &mut dice()).unwrap();
        println!("{name}: {lattice} on the lattice, {} relaxed", relaxed.len());
        assert!(relaxed.len() > lattice, "{name}: {} and {lattice}", relaxed.len());
        assert!(relaxed.iter().all(|&(centre, radius)| holds(centre, radius)));
        let template = Template::new(relaxed.clone());
        assert!(deepest_overlap(&template) <= 0.0201, "{}", deepest_overlap(&template));
        assert_eq!(template.parts(&template.pairs_within(0.1)), 1);
        assert_eq!(fill_relaxed(bounds, radius, holds, &mut dice()).unwrap(), relaxed, "the same again");
    }
}

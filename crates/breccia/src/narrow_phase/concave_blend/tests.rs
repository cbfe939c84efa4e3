use super::*;
use crate::scene::RandomStream;
use crate::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};

/// Two long planes that meet in the y axis; the second rises by `angle` [rad] beyond x = 0.
fn valley(angle: f64) -> PolygonMesh {
    let (sin, cos) = libm::sincos(angle);
    let vertices = [(-9.0, 0.0), (0.0, 0.0), (9.0 * cos, 9.0 * sin)];
    let vertices = vertices.iter().flat_map(|&(x, z)| [DVec3::new(x, -9.0, z), DVec3::new(x, 9.0, z)]);
    let quads = [vec![0, 2, 3, 1], vec![2, 4, 5, 3]];
    PolygonMesh::from_polygons(vertices.collect(), &quads, &[], false, DOUBLE_PRECISION).expect("a mesh")
}

/// A box seen from inside: every edge is concave.
fn room(size: DVec3) -> PolygonMesh {
    let corner = |k: u32| {
        let along = |bit: u32| f64::from(k >> bit & 1);
        DVec3::new(along(0), along(1), along(2)) * size
    };
    let faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    let faces: Vec<Vec<u32>> = faces.iter().map(|face| face.to_vec()).collect();
    let corners = (0..8).map(corner).collect();
    PolygonMesh::from_polygons(corners, &faces, &[], false, DOUBLE_PRECISION).expect("a mesh")
}

fn shares(mesh: &PolygonMesh, centre: DVec3, radius: f64, carrier: u32) -> Vec<FacetShare> {
    let candidates: Vec<u32> = (0..mesh.elements.len() as u32).collect();
    let query = MeshQuery { mesh, candidates: &candidates, centre, radius, fast_test: true, beside: &[] };
    let mut out = Vec::new();
    facet_shares(&query, &mut vec![Carrier { element: carrier, in_front: true }], &mut out);
    out
}

#[test]
fn a_straight_edge_follows_the_closed_form() {
    let mesh = valley(0.1);
    for place in [-0.29, -0.1, -1e-12, 0.0, 1e-12, 0.05, 0.2] {
        let (radius, height) = (1.0, 0.95);
        let found = shares(&mesh, DVec3::new(-place, 0.3, height), radius, 0);
        let disc = (radius * radius - height * height).sqrt();
        let u = place / disc;
        let expected = 0.5 + (u * (1.0 - u * u).sqrt() + libm::asin(u)) / PI;
        let floor = found.iter().find(|share| share.patch == 0).expect("the floor");
        assert!((floor.share - expected).abs() < 1e-12, "{place}: {} {expected}", floor.share);
        let slope = 2.0 * (1.0 - u * u).sqrt() / PI;
        let gradient = slope * DVec3::new(-1.0 / disc, 0.0, place * height / (disc * disc * disc));
        assert!(floor.gradient.abs_diff_eq(gradient, 1e-9), "{place}: {} {gradient}", floor.gradient);
    }
}

/// Share of a disc within a rectangle, by counting.
fn counted_share(foot: [f64; 2], disc: f64, size: [f64; 2]) -> f64 {
    const STEPS: i32 = 1500;
    let (mut inside, mut all) = (0, 0);
    for (i, j) in (0..STEPS).flat_map(|i| (0..STEPS).map(move |j| (i, j))) {
        let at = |k: i32| (2.0 * (f64::from(k) + 0.5) / f64::from(STEPS) - 1.0) * disc;
        if at(i) * at(i) + at(j) * at(j) < disc * disc {
            all += 1;
            let within = |p: f64, side: f64| (0.0..=side).contains(&p);
            inside += i32::from(within(foot[0] + at(i), size[0]) && within(foot[1] + at(j), size[1]));
        }
    }
    f64::from(inside) / f64::from(all)
}

#[test]
fn concave_edges_all_around_leave_the_area_within_the_facet() {
    let (size, radius, height) = (DVec3::new(1.0, 0.7, 9.0), 1.0, 0.8);
    let mesh = room(size);
    for foot in [[0.5, 0.3], [0.05, 0.02], [0.9, 0.65], [0.3, 0.69]] {
        let found = shares(&mesh, DVec3::new(foot[0], foot[1], height), radius, 0);
        let floor = found.iter().find(|share| share.patch == 0).expect("the floor");
        let expected = counted_share(foot, 0.6, [size.x, size.y]);
        assert!((floor.share - expected).abs() < 1e-3, "{foot:?}: {} {expected}", floor.share);
        assert!(found.len() >= 3, "a corner has three patches, found {}", found.len());
    }
}

/// Compares gradients with differences of shares; tells how many.
fn compare_gradients(mesh: &PolygonMesh, centre: DVec3, radius: f64) -> usize {
    let found = shares(mesh, centre, radius, 0);
    let faded = found.iter().filter(|share| share.share < 0.999);
    let compare = |share: &FacetShare| {
        let step = 1e-6;
        let at = |offset: DVec3| {
            let found = shares(mesh, centre + offset, radius, 0);
            found.iter().find(|other| other.patch == share.patch).map_or(0.0, |other| other.share)
        };
        let slope = DVec3::AXES.map(|axis| (at(step * axis) - at(-step * axis)) / (2.0 * step));
        assert!(share.gradient.abs_diff_eq(DVec3::from_array(slope), 1e-5), "{centre} {share:?} {slope:?}");
    };
    faded.map(compare).count()
}

#[test]
fn gradients_are_those_of_the_shares() {
    let mut random = RandomStream::new(7);
    let mesh = room(DVec3::new(1.0, 0.8, 0.9));
    let place = |_: i32| DVec3::from_array(std::array::from_fn(|_| 0.1 + 0.6 * random.unit()));
    let compared: usize = (0..300).map(place).map(|centre| compare_gradients(&mesh, centre, 0.8)).sum();
    assert!(compared > 300, "{compared}");
}

/// A floor of which one side rises to a ramp and the next falls off: a concave and a convex edge meet at the origin.
fn ramp_beside_a_drop() -> PolygonMesh {
    let corners = [(0.0, 0.0, 0.0), (-9.0, 0.0, 0.0), (-9.0, 9.0, 0.0), (0.0, 9.0, 0.0)];
    let outside =
        [(9.0, 0.0, 0.9), (9.0, 9.0, 0.9), (0.0, -9.0, -2.0), (-9.0, -9.0, -2.0), (9.0, -9.0, -1.1)];
    let vertices = corners.iter().chain(&outside).map(|&(x, y, z)| DVec3::new(x, y, z)).collect();
    let faces = [vec![0, 3, 2, 1], vec![0, 4, 5, 3], vec![0, 1, 7, 6], vec![0, 6, 8, 4]];
    PolygonMesh::from_polygons(vertices, &faces, &[], false, DOUBLE_PRECISION).expect("a mesh")
}

#[test]
fn gradients_are_those_of_the_shares_where_a_ridge_meets_a_valley() {
    let mesh = ramp_beside_a_drop();
    let mut random = RandomStream::new(8);
    let mut compared = 0;
    for _ in 0..300 {
        let (x, y) = (random.between(-0.4, 0.05), random.between(0.05, 0.4));
        compared += compare_gradients(&mesh, DVec3::new(x, y, random.between(0.85, 0.95)), 1.0);
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn flat_and_far_facets_are_carried_whole() {
    let mesh = valley(0.1);
    let found = shares(&mesh, DVec3::new(-2.0, 0.0, 0.95), 1.0, 0);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].share, found[0].gradient), (1.0, DVec3::ZERO));
    // The remedy changes nothing in a right angle while overlaps are small.
    let corner = valley(PI / 2.0);
    let found = shares(&corner, DVec3::new(-0.95, 0.0, 0.97), 1.0, 0);
    assert!(found.iter().all(|share| share.share == 1.0));
}

#[test]
fn from_behind_a_sheet_convex_edges_blend() {
    let mut mesh = valley(-0.1);
    mesh.two_sided = true;
    let candidates = [0, 1];
    let centre = DVec3::new(-0.1, 0.0, -0.95);
    let query =
        MeshQuery { mesh: &mesh, candidates: &candidates, centre, radius: 1.0, fast_test: true, beside: &[] };
    let mut out = Vec::new();
    facet_shares(&query, &mut vec![Carrier { element: 0, in_front: false }], &mut out);
    let front = shares(&valley(0.1), DVec3::new(-0.1, 0.0, 0.95), 1.0, 0);
    let pairs: Vec<_> = out.iter().zip(&front).map(|(a, b)| (a.share - b.share).abs()).collect();
    assert!(out.len() == 2 && pairs.iter().all(|difference| *difference < 1e-12), "{out:?} {front:?}");
}

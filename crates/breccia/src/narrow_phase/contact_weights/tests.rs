use super::super::sphere_polygon::tests::{random_polygon, random_rotation, random_vector};
use super::*;
use crate::narrow_phase::{MeshQuery, MeshScratch, mesh_touches};
use crate::scene::RandomStream;
use crate::shapes::mesh::DOUBLE_PRECISION;

/// Checks the sum and the weighted position of weights at a point of a polygon of size 1.
fn assert_precise(corners: &[DVec3], normal: DVec3, point: DVec3) {
    let weights = polygon_weights(corners, normal, point);
    let sum: f64 = weights.iter().sum();
    assert!((sum - 1.0).abs() < 1e-12, "{weights:?}");
    let place: DVec3 = corners.iter().zip(weights).map(|(&corner, weight)| corner * weight).sum();
    assert!(
        place.distance(point) < 1e-12,
        "{corners:?} {point}: {weights:?} miss by {}",
        place.distance(point)
    );
    assert!(weights.iter().all(|&weight| weight > -1e-5), "{weights:?}");
}

#[test]
fn weights_sum_to_one_and_give_the_point() {
    let mut random = RandomStream::new(51);
    for _ in 0..20_000 {
        let polygon = random_polygon(&mut random);
        let count = polygon.corners.len();
        let shares: Vec<f64> = (0..count).map(|_| random.unit()).collect();
        let total: f64 = shares.iter().sum();
        let inside: DVec3 =
            polygon.corners.iter().zip(&shares).map(|(&corner, s)| corner * (s / total)).sum();
        assert_precise(&polygon.corners, polygon.normal, inside);
        // On an edge, then ever nearer to it from inside.
        let (start, end) = (polygon.corners[0], polygon.corners[1]);
        let on_edge = start.lerp(end, random.unit());
        assert_precise(&polygon.corners, polygon.normal, on_edge);
        for exponent in [-16, -13, -11, -9, -7, -5, -3] {
            let near = on_edge.lerp(inside, libm::pow(10.0, f64::from(exponent)));
            assert_precise(&polygon.corners, polygon.normal, near);
        }
    }
}

#[test]
fn straight_and_nearly_straight_angles_do_no_harm() {
    let mut random = RandomStream::new(52);
    for _ in 0..2_000 {
        let rotation = random_rotation(&mut random);
        let offset = random_vector(&mut random, 1.0);
        let bulge = if random.unit() < 0.5 { 0.0 } else { libm::pow(10.0, random.between(-14.0, -2.0)) };
        let flat = [
            DVec3::ZERO,
            DVec3::new(0.3, -bulge, 0.0),
            DVec3::new(0.7, -bulge, 0.0),
            DVec3::X,
            DVec3::new(0.5, 0.8, 0.0),
        ];
        let corners = flat.map(|corner| rotation * corner + offset);
        let x = random.unit();
        for depth in [0.0, 1e-16, 1e-13, 1e-10, 1e-7, 1e-4] {
            let bound = 1.6 * x.min(1.0 - x);
            let point = rotation * DVec3::new(x, f64::min(depth, bound), 0.0) + offset;
            assert_precise(&corners, rotation * DVec3::Z, point);
        }
    }
}

#[test]
fn a_corner_takes_all_at_itself() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(1.2, 0.9, 0.0), DVec3::Y];
    for (k, &corner) in corners.iter().enumerate() {
        let weights = polygon_weights(&corners, DVec3::Z, corner);
        assert!((weights[k] - 1.0).abs() < 1e-15, "{weights:?}");
    }
}

#[test]
fn triangles_have_their_area_coordinates() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 0.8, 0.0)];
    let point = 0.2 * corners[0] + 0.5 * corners[1] + 0.3 * corners[2];
    let weights = polygon_weights(&corners, DVec3::Z, point);
    for (weight, exact) in weights.iter().zip([0.2, 0.5, 0.3, 0.0]) {
        assert!((weight - exact).abs() < 1e-15, "{weights:?}");
    }
}

#[test]
fn touches_of_every_kind_are_shared_among_their_vertices() {
    let vertices = vec![DVec3::ZERO, 2.0 * DVec3::X, DVec3::new(2.0, 1.0, 0.0), DVec3::Y];
    let mesh =
        PolygonMesh::from_polygons(vertices, &[vec![0, 1, 2, 3]], &[], true, DOUBLE_PRECISION).unwrap();
    let centres = [DVec3::new(0.5, 0.25, 0.2), DVec3::new(0.5, -0.2, 0.1), DVec3::new(2.1, 1.1, 0.0)];
    for (centre, count) in centres.into_iter().zip([4, 2, 1]) {
        let mut touches = Vec::new();
        let query =
            MeshQuery { mesh: &mesh, candidates: &[0], centre, radius: 0.3, fast_test: true, beside: &[] };
        mesh_touches(&query, 1e-6, &mut MeshScratch::default(), &mut touches).unwrap();
        let weights = ContactWeights::of_touch(&mesh, &touches[0]);
        assert_eq!(weights.iter().count(), count);
        let place: DVec3 = weights.iter().map(|(id, share)| mesh.vertices[id as usize] * share).sum();
        assert!(place.distance(touches[0].point) < 1e-15);
        // What a contact remembers of the touch is enough.
        let key = FeatureKey::from_number(touches[0].key.number());
        assert_eq!(key, touches[0].key);
        assert_eq!(ContactWeights::at_point(&mesh, key, touches[0].element, touches[0].point), weights);
    }
}

use super::*;

const RADIUS: f64 = 0.3;

/// A floor that rises by `angle` [rad] beyond x = 0.
fn rising(angle: f64) -> PolygonMesh {
    let (sine, cosine) = libm::sincos(angle);
    Surface::strip(&[(-5.0, 0.0), (0.0, 0.0), (5.0 * cosine, 5.0 * sine)], 5.0).one_sided()
}

/// Overlap of the second plane when it is first felt by a sphere `depth` into the first, relative to `depth`.
fn jump(depth: f64, angle: f64) -> f64 {
    let mesh = rising(angle);
    let at = |x: f64| touches(&mesh, DVec3::new(x, 0.0, RADIUS - depth), RADIUS);
    let (mut one, mut two) = (-3.0 * RADIUS, -1e-3 * RADIUS);
    assert_eq!((at(one).len(), at(two).len()), (1, 2), "angle {angle}");
    for _ in 0..60 {
        let x = 0.5 * (one + two);
        if at(x).len() == 1 { one = x } else { two = x }
    }
    let felt = at(two);
    assert_eq!(kinds(&felt), [FeatureKind::Face; 2]);
    (RADIUS - felt.iter().map(|touch| touch.distance).fold(0.0, f64::max)) / depth
}

#[test]
fn the_second_plane_of_a_concave_edge_appears_as_the_method_says() {
    for share in [0.01, 0.033, 0.1, 0.2, 0.3, 0.4, 0.5] {
        for degrees in [5.0_f64, 10.0, 20.0, 30.0, 45.0, 60.0] {
            let angle = degrees.to_radians();
            let cosine = libm::cos(angle);
            let exact = f64::max(0.0, (cosine + share - 1.0) / (share * cosine));
            let found = jump(share * RADIUS, angle);
            assert!((found - exact).abs() < 1e-3, "γ {share}, α {degrees}°: {found}, not {exact}");
        }
    }
}

#[test]
fn published_jumps() {
    let hertz = |x: f64| libm::pow(x, 1.5);
    let ten = jump(0.033 * RADIUS, 10_f64.to_radians());
    assert!((ten - 0.548).abs() < 1e-3 && (hertz(ten) - 0.406).abs() < 1e-3, "{ten}");
    let five = jump(0.033 * RADIUS, 5_f64.to_radians());
    assert!((hertz(five) - 0.837).abs() < 1e-3, "{five}");
    let shallow = jump(0.01 * RADIUS, 5_f64.to_radians());
    assert!((hertz(shallow) - 0.490).abs() < 1e-3, "{shallow}");
}

#[test]
fn in_a_corner_every_plane_is_felt() {
    let room = Surface::cuboid(DVec3::ZERO, DVec3::ONE);
    let polygons = room.polygons.iter().map(|polygon| polygon.iter().rev().copied().collect()).collect();
    let mesh = Surface { polygons, ..room }.one_sided();
    let found = touches(&mesh, DVec3::new(0.28, 0.27, 0.29), RADIUS);
    assert_eq!(kinds(&found), [FeatureKind::Face; 3]);
    let normals: DVec3 = found.iter().map(|touch| touch.normal).sum();
    assert!(normals.distance(DVec3::ONE) < 1e-15);
}

#[test]
fn a_hole_of_n_edges_touches_n_times() {
    for n in [3_u32, 4, 5, 8, 12, 40] {
        let ring = |radius: f64| {
            (0..n).map(move |k| {
                let (y, x) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(n));
                DVec3::new(radius * x, radius * y, 0.0)
            })
        };
        let polygons = (0..n).map(|k| vec![k, n + k, n + (k + 1) % n, (k + 1) % n]).collect();
        let mesh = Surface { vertices: ring(0.2).chain(ring(2.0)).collect(), polygons }.one_sided();
        let apothem = 0.2 * libm::cos(std::f64::consts::PI / f64::from(n));
        let distance = 0.9 * RADIUS;
        let height = libm::sqrt(distance * distance - apothem * apothem);
        let found = touches(&mesh, height * DVec3::Z, RADIUS);
        assert_eq!(kinds(&found), vec![FeatureKind::Edge; n as usize]);
        assert!(found.iter().all(|touch| (touch.distance - distance).abs() < 1e-14));
        let push: DVec3 = found.iter().map(|touch| touch.normal).sum();
        assert!(push.truncate().length() < 1e-12, "{push}");
    }
}

use super::*;

const RADIUS: f64 = 0.5;

fn floor() -> Surface {
    Surface::strip(&[(-2.0, 0.0), (0.1, 0.0), (2.0, 0.0)], 2.0)
}

#[test]
fn the_back_of_a_thin_plate_is_not_felt() {
    let plate = Surface::cuboid(DVec3::new(-2.0, -2.0, -0.01), DVec3::new(2.0, 2.0, 0.0)).one_sided();
    for (sign, face) in [(1.0, 0.0), (-1.0, -0.01)] {
        let touch = the_one(&plate, DVec3::new(0.3, 0.2, face + sign * 0.4), RADIUS);
        assert!(touch.normal.distance(sign * DVec3::Z) < 1e-15);
        assert!((touch.distance - 0.4).abs() < 1e-15);
    }
    // All round the rim, from above to below.
    for k in 0..=180 {
        let (sine, cosine) = libm::sincos(f64::from(k).to_radians());
        let centre = DVec3::new(2.0 + 0.4 * sine, 0.3, -0.005 + 0.4 * cosine);
        let touch = the_one(&plate, centre, RADIUS);
        let exact = DVec3::new(2.0, 0.3, centre.z.clamp(-0.01, 0.0));
        assert!(touch.point.distance(exact) < 1e-12, "at {k}°: {touch:?}");
    }
}

#[test]
fn a_blade_is_felt_from_the_near_side_only() {
    // Sharp wedge: its far side faces away from the sphere, and the foot on it lies inside.
    let blade = Surface::strip(&[(1.0, -0.1), (-1.0, 0.0), (1.0, 0.1)], 2.0);
    let polygons = blade.polygons.iter().map(|quad| quad.iter().rev().copied().collect()).collect();
    for surface in [blade.clone(), Surface { polygons, ..blade }] {
        let mesh = surface.one_sided();
        let above = DVec3::new(0.0, 0.0, 0.4);
        let outwards = mesh.elements[1].normal.z > 0.0;
        let (found, result) = search(&mesh, above, RADIUS);
        assert_eq!(found.len(), 1);
        assert_eq!(result.is_ok(), outwards, "inside out, the near side is the wrong one");
    }
}

#[test]
fn a_sheet_is_felt_from_both_sides() {
    let sheet = floor().two_sided();
    for sign in [1.0, -1.0] {
        let touch = the_one(&sheet, DVec3::new(0.3, 0.2, sign * 0.4), RADIUS);
        let faces_up = |touch: &MeshTouch| {
            touch.normal.distance(sign * DVec3::Z) < 1e-15 && (touch.distance - 0.4).abs() < 1e-15
        };
        assert!(faces_up(&touch), "{touch:?}");
        assert_eq!(touch.key.kind(), FeatureKind::Face);
        let over_seam = the_one(&sheet, DVec3::new(0.1, 0.2, sign * 0.4), RADIUS);
        assert!(faces_up(&over_seam), "{over_seam:?}");
        let rim = the_one(&sheet, DVec3::new(2.3, 0.2, sign * 0.2), RADIUS);
        assert_eq!(rim.key.kind(), FeatureKind::Edge);
    }
}

#[test]
fn a_folded_sheet_is_convex_on_one_side_and_concave_on_the_other() {
    let roof = Surface::strip(&[(-2.0, -1.0), (0.0, 0.0), (2.0, -1.0)], 2.0).two_sided();
    assert_eq!(the_one(&roof, DVec3::new(0.0, 0.0, 0.4), RADIUS).key.kind(), FeatureKind::Edge);
    let below = touches(&roof, DVec3::new(0.0, 0.0, -0.5), RADIUS);
    assert_eq!(kinds(&below), [FeatureKind::Face; 2]);
    assert!(below.iter().all(|touch| touch.normal.z < 0.0 && touch.distance > 0.0));
}

#[test]
fn a_centre_that_has_passed_a_one_sided_surface_is_reported() {
    let mesh = floor().one_sided();
    for (z, passed) in [(1e-3, false), (1e-8, false), (4e-10, true), (0.0, true), (-1e-8, true), (-0.4, true)]
    {
        let (found, result) = search(&mesh, DVec3::new(0.3, 0.2, z), RADIUS);
        assert_eq!(result.is_err(), passed, "at {z}");
        assert!(found[0].normal.distance(DVec3::Z) < 1e-15, "never turned round");
        assert!((found[0].distance - z).abs() < 1e-16);
    }
    let passed = CentrePassed { element: 1, depth: 0.4 };
    let told = search(&mesh, DVec3::new(0.3, 0.2, -0.4), RADIUS).1.unwrap_err();
    assert!(told.element == passed.element && (told.depth - passed.depth).abs() < 1e-15, "{told:?}");
    assert!(search(&mesh, DVec3::new(0.3, 0.2, -0.6), RADIUS).1.is_ok(), "out of reach");
    assert!(passed.to_string().contains("element 1"));
}

#[test]
fn a_centre_on_an_edge_or_a_sheet_is_reported() {
    let sheet = floor().two_sided();
    for centre in [DVec3::new(0.1, 0.2, 0.0), DVec3::new(2.0, 0.2, 0.0), DVec3::new(2.0, 2.0, 0.0)] {
        let (found, result) = search(&sheet, centre, RADIUS);
        assert!(result.is_err(), "at {centre}");
        assert!(found.iter().all(|touch| touch.normal.is_finite()));
    }
}

#[test]
fn rough_closed_bodies_raise_no_false_alarm() {
    let mut random = RandomStream::new(91);
    let mut several = 0;
    for _ in 0..100 {
        let roughness = random.between(0.0, 0.5);
        let mut bumps = RandomStream::new((random.unit() * 1e9) as u64);
        let body = star(8, 6, || 1.0 + roughness * bumps.between(-1.0, 1.0));
        let mesh = body.moved(random_rotation(&mut random), DVec3::ZERO).one_sided();
        assert!(mesh.is_closed() && mesh.volume() > 0.0);
        let mut cases = 0;
        while cases < 60 {
            let centre = random_vector(&mut random, 2.0);
            if mesh.contains(centre) {
                continue;
            }
            cases += 1;
            let radius = closest_point(&mesh, centre).distance(centre) / random.between(0.1, 0.999);
            several += u32::from(touches(&mesh, centre, radius).len() > 1);
        }
    }
    assert!(several > 100, "{several} touch several times");
}

/// A closed surface of triangles around the origin with outward normals.
fn star(sides: u32, rings: u32, mut radius: impl FnMut() -> f64) -> Surface {
    let mut vertices = vec![radius() * DVec3::Z];
    for (ring, k) in (1..rings).flat_map(|ring| (0..sides).map(move |k| (ring, k))) {
        let (r, z) = libm::sincos(std::f64::consts::PI * f64::from(ring) / f64::from(rings));
        let (y, x) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(sides));
        vertices.push(radius() * DVec3::new(r * x, r * y, z));
    }
    let last = vertices.len() as u32;
    vertices.push(-radius() * DVec3::Z);
    let id = |ring: u32, k: u32| 1 + (ring - 1) * sides + k % sides;
    let mut polygons = Vec::new();
    for k in 0..sides {
        polygons.push(vec![0, id(1, k), id(1, k + 1)]);
        polygons.push(vec![last, id(rings - 1, k + 1), id(rings - 1, k)]);
        for ring in 1..rings - 1 {
            polygons.push(vec![id(ring, k), id(ring + 1, k), id(ring + 1, k + 1)]);
            polygons.push(vec![id(ring, k), id(ring + 1, k + 1), id(ring, k + 1)]);
        }
    }
    Surface { vertices, polygons }
}

#[test]
fn a_centre_inside_a_rough_closed_body_is_reported() {
    let mut random = RandomStream::new(92);
    let mut nearest_kinds = [0; 3];
    for _ in 0..60 {
        let mut bumps = RandomStream::new((random.unit() * 1e9) as u64);
        let mesh = star(8, 6, || 1.0 + 0.5 * bumps.between(-1.0, 1.0)).one_sided();
        let mut cases = 0;
        while cases < 60 {
            let centre = random_vector(&mut random, 1.0);
            if !mesh.contains(centre) {
                continue;
            }
            cases += 1;
            let distance = closest_point(&mesh, centre).distance(centre);
            let (found, result) = search(&mesh, centre, distance / random.between(0.5, 0.999));
            let nearest = found.iter().min_by(|a, b| a.distance.abs().total_cmp(&b.distance.abs())).unwrap();
            nearest_kinds[nearest.key.kind() as usize] += 1;
            assert!(result.is_err(), "{nearest:?}");
        }
    }
    assert!(nearest_kinds.iter().all(|&count| count > 50), "{nearest_kinds:?}");
}

#[test]
fn behind_a_valley_the_centre_has_passed() {
    let valley = Surface::strip(&[(-2.0, 0.4), (0.0, 0.0), (2.0, 0.4)], 2.0);
    let below = DVec3::new(0.0, 0.3, -0.3);
    let (found, result) = search(&valley.clone().one_sided(), below, RADIUS);
    assert_eq!(kinds(&found), [FeatureKind::Edge]);
    assert!((result.unwrap_err().depth - 0.3).abs() < 1e-15);
    assert!(found[0].normal.distance(DVec3::Z) < 1e-15, "still to the front");
    assert!(the_one(&valley.two_sided(), below, RADIUS).normal.distance(-DVec3::Z) < 1e-15);
    // The same at the tip of a pit.
    let rim = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| DVec3::new(x, y, 0.3));
    let vertices = rim.into_iter().chain([DVec3::ZERO]).collect();
    let pit = Surface { vertices, polygons: (0..4).map(|k| vec![k, (k + 1) % 4, 4]).collect() };
    let (found, result) = search(&pit.one_sided(), DVec3::new(0.01, 0.0, -0.3), RADIUS);
    assert_eq!(kinds(&found), [FeatureKind::Vertex]);
    assert!(result.is_err());
}

#[test]
fn a_rim_may_be_touched_from_below() {
    let mesh = floor().one_sided();
    for centre in [DVec3::new(2.2, 0.3, -0.3), DVec3::new(2.2, 2.2, -0.3)] {
        let touch = the_one(&mesh, centre, RADIUS);
        assert!(touch.distance > 0.0 && touch.normal.z < 0.0, "{touch:?}");
    }
}

#[test]
fn meshes_and_analytic_walls_share_one_hierarchy() {
    // A floor of a mesh that an analytic plane carries on, and a step of a second mesh.
    let meshes = [floor(), Surface::cuboid(DVec3::new(0.2, -1.0, -1.0), DVec3::new(1.0, 1.0, 0.02))]
        .map(|mesh| mesh.one_sided());
    let centre = DVec3::new(0.0, 0.0, 0.45);
    let (mut scratch, mut found) = (MeshScratch::default(), Vec::new());
    let mut candidates = Vec::new();
    for (mesh, surface) in meshes.iter().zip(0..) {
        let elements: Vec<u32> = (0..mesh.elements.len() as u32).collect();
        let query =
            MeshQuery { mesh, candidates: &elements, centre, radius: RADIUS, fast_test: true, beside: &[] };
        let before = found.len();
        local_minima(&query, &mut scratch, &mut found);
        candidates.extend(found[before..].iter().map(|touch| touch.candidate(surface)));
    }
    let arm = 0.45 * DVec3::Z;
    candidates.push(Candidate { arm, distance: 0.45, kind: FeatureKind::Face, key: 2 << 32 });
    let mut kept = Vec::new();
    survivors(&candidates, RADIUS, 1e-6, &mut kept);
    let real: Vec<_> =
        kept.iter().map(|&k| (candidates[k as usize].key >> 32, candidates[k as usize].kind)).collect();
    assert_eq!(real, [(0, FeatureKind::Face), (1, FeatureKind::Edge)]);
}

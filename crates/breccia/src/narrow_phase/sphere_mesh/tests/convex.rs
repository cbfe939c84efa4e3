use super::*;

/// A polyhedron inscribed in an ellipsoid: rings of trapezoids between two caps.
fn ellipsoid(sides: u32, rings: u32, axes: DVec3) -> Surface {
    let mut vertices = Vec::new();
    for ring in 0..=rings {
        let height = f64::from(ring + 1) / f64::from(rings + 2) * std::f64::consts::PI;
        let (r, z) = libm::sincos(height);
        for k in 0..sides {
            let (y, x) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(sides));
            vertices.push(axes * DVec3::new(r * x, r * y, z));
        }
    }
    let mut polygons = vec![(0..sides).collect(), (0..sides).rev().map(|k| rings * sides + k).collect()];
    for (ring, k) in (0..rings).flat_map(|ring| (0..sides).map(move |k| (ring, k))) {
        let (a, b) = (ring * sides + k, ring * sides + (k + 1) % sides);
        polygons.push(vec![a, a + sides, b + sides, b]);
    }
    Surface { vertices, polygons }
}

fn solids(random: &mut RandomStream) -> Vec<Surface> {
    let mut all = vec![Surface::cuboid(DVec3::splat(-1.0), DVec3::new(1.0, 0.2, 0.5))];
    for sides in 3..=8 {
        let axes = DVec3::new(random.between(0.3, 2.0), random.between(0.3, 2.0), random.between(0.3, 2.0));
        all.push(ellipsoid(sides, 1 + sides / 3, axes));
    }
    all.iter().map(|solid| solid.moved(random_rotation(random), random_vector(random, 5.0))).collect()
}

#[test]
fn a_convex_solid_is_touched_at_its_closest_point() {
    let mut random = RandomStream::new(71);
    let mut seen = [0; 3];
    for surface in solids(&mut random) {
        let mesh = surface.one_sided();
        assert!(mesh.volume() > 0.0);
        let (low, high) = mesh.bounding_box().unwrap();
        let mut cases = 0;
        while cases < 500 {
            let centre = 0.5 * (low + high) + random_vector(&mut random, 0.8 * (high - low).max_element());
            if mesh.contains(centre) {
                continue;
            }
            cases += 1;
            let nearest = closest_point(&mesh, centre);
            let radius = nearest.distance(centre) / random.between(0.2, 0.999);
            let touch = the_one(&mesh, centre, radius);
            assert!(touch.point.distance(nearest) < 1e-9, "{touch:?}, {nearest}");
            assert!(touch.normal.distance((centre - nearest).normalize()) < 1e-9);
            seen[touch.key.kind() as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn a_centre_inside_a_convex_solid_is_reported() {
    let mut random = RandomStream::new(72);
    for surface in solids(&mut random) {
        let mesh = surface.one_sided();
        let (low, high) = mesh.bounding_box().unwrap();
        let mut cases = 0;
        while cases < 200 {
            let centre = low + (high - low) * DVec3::from_array(std::array::from_fn(|_| random.unit()));
            if !mesh.contains(centre) {
                continue;
            }
            cases += 1;
            let nearest = closest_point(&mesh, centre).distance(centre);
            let (_, result) = search(&mesh, centre, nearest * random.between(1.001, 3.0));
            let passed = result.expect_err("passed");
            assert!((passed.depth - nearest).abs() < 1e-9 || passed.depth > nearest);
        }
    }
}

#[test]
fn over_edge_and_corner_the_force_relevant_distance_is_continuous() {
    let mesh = Surface::cuboid(DVec3::splat(-1.0), DVec3::ZERO).one_sided();
    let distance = 0.29;
    let mut last: Option<MeshTouch> = None;
    for k in 0..=400 {
        let turn = f64::from(k - 100) * std::f64::consts::FRAC_PI_2 / 200.0;
        let normal = DVec3::new(libm::sin(turn).max(0.0), 0.0, libm::cos(turn).max(0.0));
        let slide = DVec3::new((-turn).max(0.0), 0.0, (turn - std::f64::consts::FRAC_PI_2).max(0.0));
        let normal = if turn <= 0.0 {
            DVec3::Z
        } else if k >= 300 {
            DVec3::X
        } else {
            normal
        };
        let foot = DVec3::new(0.0, -0.5, 0.0) - slide;
        let touch = the_one(&mesh, foot + distance * normal, 0.3);
        assert!((touch.distance - distance).abs() < 1e-15, "{touch:?}");
        if let Some(last) = last {
            assert!(last.normal.distance(touch.normal) < 0.008);
        }
        last = Some(touch);
    }
}

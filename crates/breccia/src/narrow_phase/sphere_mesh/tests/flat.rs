use super::*;
use crate::shapes::mesh::SINGLE_PRECISION;

/// Flat grid with jittered points, cells of the given size, wide enough for a sphere of radius 1.
fn jittered(cell: f64, random: &mut RandomStream) -> Surface {
    let n = (2.4 / cell).ceil() as i32 + 3;
    let mut jitter = RandomStream::new((random.unit() * 1e9) as u64);
    let mut shift = move || 0.3 * cell * jitter.between(-1.0, 1.0);
    Surface::grid(n, cell, random, |x, y| DVec3::new(x + shift(), y + shift(), 0.0))
}

#[test]
fn a_flat_mesh_touches_once_however_it_is_cut_and_placed() {
    let mut random = RandomStream::new(61);
    let mut on_features = 0;
    for case in 0..400 {
        let cell = libm::pow(10.0, random.between(-1.0, 0.7));
        let surface = jittered(cell, &mut random);
        let rotation = random_rotation(&mut random);
        let offset = random_vector(&mut random, 300.0);
        let surface = surface.moved(rotation, offset);
        // Above any place, above the points themselves, and above middles of sides.
        let middle = surface.polygons.len() / 2;
        let corners = &surface.polygons[middle];
        let [a, b] = [0, 1].map(|k| surface.vertices[corners[k] as usize]);
        let foot = match case % 3 {
            0 => {
                rotation * DVec3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), 0.0) * cell
                    + offset
            }
            1 => a,
            _ => 0.5 * (a + b),
        };
        let height = random.between(0.2, 1.0);
        let normal = rotation * DVec3::Z;
        let mesh = surface.one_sided();
        let touch = the_one(&mesh, foot + height * normal, 1.0);
        assert!((touch.distance - height).abs() < 1e-9 && touch.point.distance(foot) < 1e-9, "{touch:?}");
        assert!(touch.normal.distance(normal) < 1e-9, "{} off", touch.normal.distance(normal));
        on_features += u32::from(touch.key.kind() != FeatureKind::Face);
    }
    assert!(
        on_features > 0,
        "rounding never put the foot outside all elements: is this test as hard as meant?"
    );
}

#[test]
fn quads_and_hexagons_touch_once() {
    let mut random = RandomStream::new(62);
    // Hexagons of side 1 in rows, and the quads that each of them can be cut into.
    let step = DVec3::new(1.5, 0.5 * libm::sqrt(3.0), 0.0);
    let corner = |k: i32| {
        let (sine, cosine) = libm::sincos(f64::from(k) * std::f64::consts::FRAC_PI_3);
        DVec3::new(cosine, sine, 0.0)
    };
    let mut soup = Surface { vertices: Vec::new(), polygons: Vec::new() };
    let mut quads = soup.clone();
    for (i, j) in (-3..=3).flat_map(|i: i32| (-3..=3).map(move |j: i32| (i, j))) {
        let odd = f64::from(i.rem_euclid(2));
        let middle = DVec3::new(f64::from(i) * step.x, (2.0 * f64::from(j) + odd) * step.y, 0.0);
        let first = soup.vertices.len() as u32;
        soup.vertices.extend((0..6).map(|k| middle + corner(k)));
        soup.polygons.push((first..first + 6).collect());
        quads
            .polygons
            .extend([vec![0, 1, 2, 3], vec![0, 3, 4, 5]].map(|q| q.iter().map(|k| first + k).collect()));
    }
    quads.vertices = soup.vertices.clone();
    for surface in [soup, quads] {
        let rotation = random_rotation(&mut random);
        let mesh = surface.moved(rotation, DVec3::ZERO).one_sided();
        for _ in 0..300 {
            let radius = random.between(0.05, 2.0);
            let foot = rotation * DVec3::new(random.between(-1.5, 1.5), random.between(-1.5, 1.5), 0.0);
            let normal = rotation * DVec3::Z;
            let touch = the_one(&mesh, foot + random.between(0.2, 0.999) * radius * normal, radius);
            assert!(touch.normal.distance(normal) < 1e-9 && touch.point.distance(foot) < 1e-9);
        }
    }
}

#[test]
fn slivers_touch_once() {
    let mut random = RandomStream::new(63);
    let surface = Surface::grid(40, 0.1, &mut random, |x, y| DVec3::new(30.0 * x, 0.03 * y, 0.0));
    let rotation = random_rotation(&mut random);
    let mesh = surface.moved(rotation, DVec3::splat(5.0)).one_sided();
    for _ in 0..300 {
        let foot = DVec3::new(random.between(-5.0, 5.0), random.between(-0.01, 0.01), 0.0);
        let centre = rotation * (foot + random.between(0.2, 0.99) * 0.04 * DVec3::Z) + DVec3::splat(5.0);
        let touch = the_one(&mesh, centre, 0.04);
        assert!(touch.normal.distance(rotation * DVec3::Z) < 1e-9, "{touch:?}");
    }
}

#[test]
fn spheres_a_hundred_times_larger_or_smaller_than_the_elements_touch_once() {
    let mut random = RandomStream::new(64);
    let mesh = Surface::grid(120, 1.0, &mut random, |x, y| DVec3::new(x, y, 0.0)).one_sided();
    for radius in [0.01, 100.0] {
        let foot = DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0);
        let touch = the_one(&mesh, foot + 0.9 * radius * DVec3::Z, radius);
        assert!(touch.normal.distance(DVec3::Z) < 1e-12 && touch.point.distance(foot) < 1e-12);
    }
}

#[test]
fn t_junctions_do_not_touch_twice() {
    let mut random = RandomStream::new(65);
    let point = |x, y| DVec3::new(x, y, 0.0);
    // One large square beside two small ones whose common corner it does not know.
    let vertices = vec![
        point(-2.0, -1.0),
        point(0.0, -1.0),
        point(0.0, 1.0),
        point(-2.0, 1.0),
        point(2.0, -1.0),
        point(2.0, 0.1),
        point(0.0, 0.1),
        point(2.0, 1.0),
    ];
    let polygons = vec![vec![0, 1, 2, 3], vec![1, 4, 5, 6], vec![6, 5, 7, 2]];
    let rotation = random_rotation(&mut random);
    let mesh = Surface { vertices, polygons }.moved(rotation, DVec3::ONE).one_sided();
    for case in 0..600 {
        let x = if case % 2 == 0 { 0.0 } else { random.between(-0.2, 0.2) };
        let y = if case % 3 == 0 { 0.1 } else { random.between(-0.2, 0.2) };
        let centre = rotation * DVec3::new(x, y, random.between(0.1, 0.49)) + DVec3::ONE;
        let touch = the_one(&mesh, centre, 0.5);
        assert!(touch.normal.distance(rotation * DVec3::Z) < 1e-9, "{touch:?}");
    }
}

#[test]
fn open_seams_do_not_touch_twice() {
    let mut random = RandomStream::new(66);
    for _ in 0..100 {
        let rotation = random_rotation(&mut random);
        let surface = jittered(0.4, &mut random).moved(rotation, DVec3::ONE);
        let mesh = surface.unwelded().one_sided();
        let k = (random.unit() * surface.vertices.len() as f64) as usize;
        let inner = surface.vertices[k];
        for foot in [inner, rotation * DVec3::new(random.between(-0.5, 0.5), 0.1, 0.0) + DVec3::ONE] {
            let touch = the_one(&mesh, foot + random.between(0.2, 0.99) * (rotation * DVec3::Z), 1.0);
            assert!(touch.normal.distance(rotation * DVec3::Z) < 1e-9, "{touch:?}");
        }
    }
}

#[test]
fn coordinates_of_single_precision_touch_once() {
    let mut random = RandomStream::new(68);
    for _ in 0..200 {
        let cell = libm::pow(10.0, random.between(-1.0, 0.3));
        let rotation = random_rotation(&mut random);
        let offset = random_vector(&mut random, 10.0);
        let exact = jittered(cell, &mut random).moved(rotation, offset);
        let vertices = exact.vertices.iter().map(|v| v.as_vec3().as_dvec3()).collect();
        let mesh =
            PolygonMesh::from_polygons(vertices, &exact.polygons, &[], false, SINGLE_PRECISION).unwrap();
        let foot = DVec3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), 0.0) * cell;
        let centre = rotation * (foot + random.between(0.2, 0.99) * DVec3::Z) + offset;
        let touch = the_one(&mesh, centre, 1.0);
        assert!(touch.normal.distance(rotation * DVec3::Z) < 1e-4, "{touch:?}");
    }
}

#[test]
fn stages_are_counted() {
    let mut random = RandomStream::new(67);
    let mesh = Surface::grid(10, 1.0, &mut random, |x, y| DVec3::new(x, y, 0.0)).one_sided();
    let centre = DVec3::new(0.5, 0.4, 0.3);
    let counts = search(&mesh, centre, 0.6).1.unwrap();
    let within_reach = mesh.elements.iter().filter(|element| {
        let corners: Vec<DVec3> = mesh.corners(element).collect();
        closest_of_fan(&corners, centre).distance(centre) <= 0.6
    });
    let intersecting = within_reach.count() as u64;
    assert!(intersecting > 3);
    assert_eq!(counts, StageCounts { candidates: 200, intersecting, valid: 1 });
    let mut sum = counts;
    sum += counts;
    assert_eq!(sum, StageCounts { candidates: 400, intersecting: 2 * intersecting, valid: 2 });
}

#[test]
fn the_tolerance_follows_the_source() {
    assert_eq!(coplanar_tolerance(2.2e-16, 10.0, 0.1), 1e-6);
    assert!((coplanar_tolerance(1.2e-7, 10.0, 0.1) - 9.6e-5).abs() < 1e-18);
    assert_eq!(coplanar_tolerance(1.2e-7, 1000.0, 0.1), 1e-3);
}

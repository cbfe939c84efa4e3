use super::*;

const RADIUS: f64 = 1.0;

/// A bumpy height field and a sphere that touches it.
fn bumpy(random: &mut RandomStream) -> (Surface, DVec3) {
    let cell = random.between(0.15, 1.5);
    let roughness = cell * random.between(0.0, 0.6);
    let n = (2.6 / cell).ceil() as i32 + 2;
    let mut heights = RandomStream::new((random.unit() * 1e9) as u64);
    let tilt = random.between(-0.5, 0.5);
    let surface = Surface::grid(n, cell, random, |x, y| {
        DVec3::new(x, y, roughness * heights.between(-1.0, 1.0) + tilt * x)
    });
    let rotation = random_rotation(random);
    let offset = random_vector(random, 5.0);
    let (x, y) = (random.between(-0.3, 0.3), random.between(-0.3, 0.3));
    let mesh = surface.clone().one_sided();
    let wanted = RADIUS * random.between(0.6, 0.98);
    let (mut low, mut high) = (-3.0, 4.0);
    for _ in 0..50 {
        let z = 0.5 * (low + high);
        let centre = DVec3::new(x, y, z);
        // Below the surface the distance grows again.
        let above = z > height_at(&mesh, x, y);
        if above && closest_point(&mesh, centre).distance(centre) > wanted { high = z } else { low = z }
    }
    (surface.moved(rotation, offset), rotation * DVec3::new(x, y, high) + offset)
}

/// Height of the field above a place.
fn height_at(mesh: &PolygonMesh, x: f64, y: f64) -> f64 {
    let heights = mesh.elements.iter().filter_map(|element| {
        let corners: Vec<DVec3> = mesh.corners(element).collect();
        let area = |k: usize| {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
        };
        let inside = (0..3).all(|k| area(k) >= -1e-12);
        let n = element.normal;
        inside.then(|| (element.offset - n.x * x - n.y * y) / n.z)
    });
    heights.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn the_order_of_elements_and_candidates_does_not_matter() {
    let mut random = RandomStream::new(81);
    let mut several = 0;
    for _ in 0..60 {
        let (surface, centre) = bumpy(&mut random);
        let mesh = surface.clone().one_sided();
        let sorted = touches(&mesh, centre, RADIUS);
        several += u32::from(sorted.len() > 1);
        for _ in 0..20 {
            let mut candidates: Vec<u32> = (0..mesh.elements.len() as u32).collect();
            candidates.extend_from_within(..5);
            shuffle(&mut candidates, &mut random);
            let query = MeshQuery {
                mesh: &mesh,
                candidates: &candidates,
                centre,
                radius: RADIUS,
                fast_test: true,
                beside: &[],
            };
            let mut found = Vec::new();
            mesh_touches(&query, 1e-6, &mut MeshScratch::default(), &mut found).unwrap();
            assert_eq!(found, sorted);
            let renumbered = touches(&surface.shuffled(&mut random).one_sided(), centre, RADIUS);
            assert!(push_alike(&renumbered, &sorted, 0.0), "{renumbered:?}\n{sorted:?}");
        }
    }
    assert!(several > 20, "{several} of 60 touch several times");
}

#[test]
fn cutting_every_element_in_four_changes_nothing() {
    let mut random = RandomStream::new(82);
    let mut several = 0;
    for case in 0..300 {
        let (surface, centre) = bumpy(&mut random);
        let whole = touches(&surface.clone().one_sided(), centre, RADIUS);
        several += u32::from(whole.len() > 1);
        let fine = surface.split_in_four();
        let cut = touches(&fine.clone().one_sided(), centre, RADIUS);
        assert!(push_alike(&whole, &cut, 1e-9), "case {case}: {whole:?}\n{cut:?}");
        if case % 10 == 0 {
            let finer = touches(&fine.split_in_four().one_sided(), centre, RADIUS);
            assert!(push_alike(&whole, &finer, 1e-9), "case {case}: {whole:?}\n{finer:?}");
        }
    }
    assert!(several > 100, "{several} of 300 touch several times");
}

#[test]
fn a_low_step_is_felt_whatever_the_floor_is_made_of() {
    let centre = DVec3::new(0.0, 0.1, 0.9);
    let step = [(0.4, 0.0), (0.4, 0.02), (3.0, 0.02)];
    let mut profile = vec![(-3.0, 0.0)];
    profile.extend(step);
    let plain = touches(&Surface::strip(&profile, 3.0).one_sided(), centre, RADIUS);
    assert_eq!(kinds(&plain), [FeatureKind::Face, FeatureKind::Edge]);
    for interior in [&[0.05][..], &[0.1], &[0.2], &[0.3], &[-0.3, -0.1, 0.0, 0.1, 0.2, 0.35]] {
        let mut profile = vec![(-3.0, 0.0)];
        profile.extend(interior.iter().map(|&x| (x, 0.0)));
        profile.extend(step);
        let cut = touches(&Surface::strip(&profile, 3.0).one_sided(), centre, RADIUS);
        assert!(push_alike(&plain, &cut, 1e-9), "{interior:?}: {cut:?}");
    }
}

#[test]
fn every_touch_is_a_local_minimum_and_the_closest_point_is_among_them() {
    let mut random = RandomStream::new(83);
    for _ in 0..200 {
        let (surface, centre) = bumpy(&mut random);
        let mesh = surface.one_sided();
        let found = touches(&mesh, centre, RADIUS);
        let nearest = closest_point(&mesh, centre);
        assert!(found.iter().any(|touch| touch.point.distance(nearest) < 1e-9));
        for touch in &found {
            // Elements through the touched point do not come nearer elsewhere.
            for element in &mesh.elements {
                let corners: Vec<DVec3> = mesh.corners(element).collect();
                let through = closest_of_fan(&corners, touch.point);
                let near = closest_of_fan(&corners, centre);
                let holds =
                    through.distance(touch.point) > 1e-9 || near.distance(centre) > touch.distance - 1e-8;
                assert!(holds, "{touch:?}");
            }
        }
    }
}

#[test]
fn the_fast_test_changes_nothing() {
    let mut random = RandomStream::new(84);
    for _ in 0..100 {
        let (surface, centre) = bumpy(&mut random);
        let mesh = surface.one_sided();
        let candidates: Vec<u32> = (0..mesh.elements.len() as u32).collect();
        let [with, without] = [true, false].map(|fast_test| {
            let query = MeshQuery {
                mesh: &mesh,
                candidates: &candidates,
                centre,
                radius: RADIUS,
                fast_test,
                beside: &[],
            };
            let mut found = Vec::new();
            let counts = mesh_touches(&query, 1e-6, &mut MeshScratch::default(), &mut found).unwrap();
            (found, counts)
        });
        assert_eq!(with, without);
    }
}

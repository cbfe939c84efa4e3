//! Rows about what can be touched, and how exactly.

use super::super::bounce::{BALL, RADIUS};
use super::super::shape::{Shape, evenly, random_rotation};
use super::super::stage::{Probe, hertz_force, rigid};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::contacts::SurfaceContact;
use breccia::narrow_phase::FeatureKind;
use breccia::scene::RandomStream;
use glam::DVec3;

fn total(contacts: &[SurfaceContact]) -> DVec3 {
    contacts.iter().map(|contact| contact.force).sum()
}

/// One triangle, quad, … octagon: facet, edge and vertex of each.
pub fn element_types(report: &mut Report) -> Result<(), VerifyError> {
    let (overlap, size) = (0.05 * RADIUS, 2.0 * RADIUS);
    let expected = hertz_force(&BALL, RADIUS, overlap);
    let arm = RADIUS - overlap;
    let (mut worst, mut wrong) = (0.0_f64, 0);
    for n in 3..=8 {
        let shape = Shape::regular(n, size);
        let corner = shape.vertices[0];
        let middle = 0.5 * (shape.vertices[0] + shape.vertices[1]);
        let slant = |outwards: DVec3| arm * (0.6 * outwards.normalize() + 0.8 * DVec3::Z);
        let cases = [
            (FeatureKind::Face, DVec3::new(0.1, 0.05, arm)),
            (FeatureKind::Edge, middle + slant(middle)),
            (FeatureKind::Vertex, corner + slant(corner)),
        ];
        let mut probe = Probe::new(&BALL, RADIUS, [rigid(&shape)?])?;
        for (kind, place) in cases {
            let contacts = probe.contacts_at(place)?;
            wrong += u32::from(contacts.len() != 1 || contacts[0].kind != kind);
            worst = worst.max((total(&contacts).length() - expected).abs() / expected);
        }
    }
    report.absolute("element types (3 to 8 corners): wrong features", "", 0.0, f64::from(wrong), 0.0);
    report.at_most("element types: error of the force, relative", "", 1e-9, worst);
    Ok(())
}

/// Random height fields: the nearest contact is the nearest point of all triangles, found without the engine.
pub fn shape_flexibility(report: &mut Report) -> Result<(), VerifyError> {
    let mut random = RandomStream::new(41);
    let (mut worst, mut several) = (0.0_f64, 0);
    let fields = if report.quick { 50 } else { 300 };
    for _ in 0..fields {
        let lines = evenly(-2.0, 2.0, 9);
        let shape = Shape::grid(&lines, &lines, |_, _| random.between(-0.15, 0.15)).triangles();
        let mut probe = Probe::new(&BALL, 1.0, [rigid(&shape)?])?;
        for _ in 0..5 {
            let place =
                DVec3::new(random.between(-0.9, 0.9), random.between(-0.9, 0.9), random.between(0.5, 0.8));
            let contacts = probe.contacts_at(place)?;
            several += u32::from(contacts.len() > 1);
            let found = contacts.iter().map(|contact| 1.0 - contact.overlap).fold(f64::INFINITY, f64::min);
            let nearest = shape.polygons.iter().map(|ids| {
                let corner = |k: usize| shape.vertices[ids[k] as usize];
                closest_of_triangle(place, [corner(0), corner(1), corner(2)]).distance(place)
            });
            worst = worst.max((found - nearest.fold(f64::INFINITY, f64::min)).abs());
        }
    }
    report.at_most(
        format!("flexible shapes ({fields} height fields): nearest distance / radius"),
        "",
        1e-12,
        worst,
    );
    report.at_least("flexible shapes: places with several contacts", "", 10.0, f64::from(several));
    Ok(())
}

/// Closest point of a triangle: the foot on its plane if inside, else the closest of its sides.
pub fn closest_of_triangle(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let inside = |p: DVec3, q: DVec3| (q - p).cross(point - p).dot(normal) >= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        return point - normal * ((point - a).dot(normal) / normal.length_squared());
    }
    let on_side = |p: DVec3, q: DVec3| {
        p + (q - p) * ((point - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0)
    };
    let sides = [on_side(a, b), on_side(b, c), on_side(c, a)];
    sides.into_iter().min_by(|p, q| p.distance(point).total_cmp(&q.distance(point))).unwrap_or(a)
}

/// A sphere in a corner of three planes at different depths.
pub fn multi_contact(report: &mut Report) -> Result<(), VerifyError> {
    let room = Shape::cuboid(DVec3::ZERO, DVec3::splat(2.0)).turned_inside_out().triangles();
    let mut probe = Probe::new(&BALL, RADIUS, [rigid(&room)?])?;
    let overlaps = DVec3::new(0.02, 0.05, 0.01);
    let contacts = probe.contacts_at(DVec3::splat(RADIUS) - overlaps)?;
    let expected = DVec3::from_array(overlaps.to_array().map(|overlap| hertz_force(&BALL, RADIUS, overlap)));
    report.absolute("multi-contact (corner of a box): contacts", "", 3.0, contacts.len() as f64, 0.0);
    let error = (total(&contacts) - expected).length() / expected.length();
    report.at_most("multi-contact: error of the force, relative", "", 1e-12, error);
    Ok(())
}

/// Boxes turned anyhow: force and direction at facets, edges and vertices.
pub fn accurate(report: &mut Report) -> Result<(), VerifyError> {
    let mut random = RandomStream::new(42);
    let half = DVec3::new(0.5, 0.8, 0.3);
    let (mut worst, mut wrong, mut kinds) = (0.0_f64, 0, [0; 3]);
    for _ in 0..if report.quick { 40 } else { 200 } {
        let (turn, offset) = (random_rotation(&mut random), 10.0 * random.unit() * DVec3::ONE);
        let cube = Shape::cuboid(-half, half).triangles().split_in_four().moved(turn, offset);
        let mut probe = Probe::new(&BALL, RADIUS, [rigid(&cube)?])?;
        for _ in 0..20 {
            let (place, overlap, outwards) = beside_box(half, &mut random);
            let contacts = probe.contacts_at(turn * place + offset)?;
            let expected = turn * outwards * hertz_force(&BALL, RADIUS, overlap);
            worst = worst.max((total(&contacts) - expected).length() / expected.length());
            wrong += u32::from(contacts.len() != 1);
            contacts.iter().for_each(|contact| kinds[contact.kind as usize] += 1);
        }
    }
    report.at_least(
        "accurate: fewest contacts seen on facets, edges or vertices",
        "",
        50.0,
        f64::from(kinds.into_iter().min().unwrap_or(0)),
    );
    report.absolute("accurate: places without exactly one contact", "", 0.0, f64::from(wrong), 0.0);
    report.at_most("accurate (turned boxes): error of the force, relative", "", 1e-9, worst);
    Ok(())
}

/// A place that touches a box, the overlap and the direction of the force, from the box's formula.
fn beside_box(half: DVec3, random: &mut RandomStream) -> (DVec3, f64, DVec3) {
    loop {
        let mut draw = || random.between(-1.4, 1.4);
        let far = DVec3::new(draw(), draw(), draw());
        let nearest = far.clamp(-half, half);
        let gap = far.distance(nearest);
        if gap > 1e-3 {
            let (outwards, overlap) = ((far - nearest) / gap, RADIUS * random.between(0.05, 0.4));
            return (nearest + (RADIUS - overlap) * outwards, overlap, outwards);
        }
    }
}

/// At a constant overlap over facets, edges and vertices of a box: the force is constant, and turns with the path.
pub fn continuity(report: &mut Report) -> Result<(), VerifyError> {
    let half = DVec3::new(0.5, 0.8, 0.3);
    let cube = Shape::cuboid(-half, half).triangles().split_in_four();
    let mut probe = Probe::new(&BALL, RADIUS, [rigid(&cube)?])?;
    let arm = 0.9 * RADIUS;
    let expected = hertz_force(&BALL, RADIUS, RADIUS - arm);
    let steps = if report.quick { 4_000 } else { 20_000 };
    let (mut spread, mut turn, mut kinds) = (0.0_f64, 0.0_f64, [0; 3]);
    let mut before: Option<(DVec3, DVec3)> = None;
    for k in 0..=steps {
        // Round the box on a circle that passes all three kinds of features.
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(steps));
        let far = 3.0 * (cosine * DVec3::new(0.6, 0.8, 0.0) + sine * DVec3::Z);
        let nearest = far.clamp(-half, half);
        let place = nearest + arm * (far - nearest).normalize();
        let contacts = probe.contacts_at(place)?;
        contacts.iter().for_each(|contact| kinds[contact.kind as usize] += 1);
        let force = total(&contacts);
        spread = spread.max((force.length() - expected).abs() / expected);
        if let Some((last_place, last_force)) = before {
            let angle = force.normalize().distance(last_force.normalize());
            turn = turn.max(angle * arm - place.distance(last_place));
        }
        before = Some((place, force));
    }
    report.at_least(
        "continuity: fewest contacts seen on facets, edges or vertices",
        "",
        50.0,
        f64::from(kinds.into_iter().min().unwrap_or(0)),
    );
    report.at_most("continuity: deviation of the force, relative", "", 1e-9, spread);
    report.at_most("continuity: turn of the force × arm beyond the step of the path", "m", 1e-12, turn);
    Ok(())
}

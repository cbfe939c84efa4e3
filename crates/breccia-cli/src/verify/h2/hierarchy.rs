//! What a sphere feels depends on the surface, not on the order of its elements nor on how it is cut into them.

use super::shape::{Shape, evenly, random_rotation};
use super::stage::{Probe, rigid};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::Stuff;
use breccia::contacts::SurfaceContact;
use breccia::output::Plot;
use breccia::scene::RandomStream;
use glam::DVec3;

const RADIUS: f64 = 1.0;

/// Flat meshes, shuffled and split height fields, a low step.
pub fn hierarchy(report: &mut Report) -> Result<(), VerifyError> {
    flat(report)?;
    fields(report)?;
    low_step(report)
}

/// Flat meshes turned and shifted, elements from a twentieth to five times the radius, overlaps up to 0.8 R.
fn flat(report: &mut Report) -> Result<(), VerifyError> {
    let mut random = RandomStream::new(21);
    let (mut several, mut worst) = (0, 0.0_f64);
    let meshes = if report.quick { 60 } else { 400 };
    let looks = 20;
    for k in 0..meshes {
        let cell = libm::exp(random.between(-3.0, 1.6)) * RADIUS;
        let n = (3.0 * RADIUS / cell).ceil() as u32 + 1;
        let plain = Shape::plate(cell * f64::from(n), n);
        let shape = if k % 2 == 0 { plain } else { plain.triangles() };
        let offset = 500.0 * random.between(-1.0, 1.0) * DVec3::new(0.6, -0.7, 0.4);
        let turn = random_rotation(&mut random);
        let mut probe = Probe::new(&Stuff::default(), RADIUS, [rigid(&shape.moved(turn, offset))?])?;
        for _ in 0..looks {
            let mut aside = || 0.4 * cell * random.between(-1.0, 1.0);
            let place = DVec3::new(aside(), aside(), RADIUS * (1.0 - random.between(0.001, 0.8)));
            let contacts = probe.contacts_at(turn * place + offset)?;
            several += u32::from(contacts.len() != 1);
            for contact in &contacts {
                worst = worst.max((contact.normal - turn * DVec3::Z).length());
            }
        }
    }
    let all = f64::from(meshes * looks);
    report.absolute(
        format!("flat meshes: cases of {all} without exactly one contact"),
        "",
        0.0,
        f64::from(several),
        0.0,
    );
    report.at_most("flat meshes: largest error of the normal", "", 1e-9, worst);
    Ok(())
}

/// A bumpy field of triangles around the origin, turned and shifted, and places where a sphere touches it.
struct Field {
    shape: Shape,
    places: Vec<DVec3>,
}

impl Field {
    fn random(random: &mut RandomStream) -> Result<Self, VerifyError> {
        let cell = random.between(0.2, 1.2);
        let (roughness, tilt) = (cell * random.between(0.05, 0.5), random.between(-0.4, 0.4));
        let n = (2.6 / cell).ceil() as u32 + 2;
        let lines = evenly(-0.5 * cell * f64::from(n), 0.5 * cell * f64::from(n), n);
        let level =
            Shape::grid(&lines, &lines, |x, _| roughness * random.between(-1.0, 1.0) + tilt * x).triangles();
        let (turn, offset) = (random_rotation(random), DVec3::new(3.0, -2.0, 4.0) * random.unit());
        let mut probe = Probe::new(&Stuff::default(), RADIUS, [rigid(&level)?])?;
        let mut places = Vec::new();
        for _ in 0..3 {
            let (x, y) = (random.between(-0.3, 0.3), random.between(-0.3, 0.3));
            // From where nothing is felt down to an overlap, so that the centre stays in front.
            let mut place = DVec3::new(x, y, 4.0);
            let wanted = RADIUS * random.between(0.02, 0.4);
            while deepest(&probe.contacts_at(place)?) < wanted {
                place.z -= 0.01 * RADIUS;
            }
            places.push(turn * place + offset);
        }
        Ok(Self { shape: level.moved(turn, offset), places })
    }

    /// Contacts at all places, sorted by where they are.
    fn contacts(&self, shape: &Shape) -> Result<Vec<Vec<SurfaceContact>>, VerifyError> {
        let mut probe = Probe::new(&Stuff::default(), RADIUS, [rigid(shape)?])?;
        let sorted = |&place: &DVec3| {
            let mut contacts = probe.contacts_at(place)?;
            contacts.sort_by(|a, b| {
                a.point.to_array().partial_cmp(&b.point.to_array()).unwrap_or(std::cmp::Ordering::Equal)
            });
            Ok(contacts)
        };
        self.places.iter().map(sorted).collect()
    }
}

fn deepest(contacts: &[SurfaceContact]) -> f64 {
    contacts.iter().map(|contact| contact.overlap).fold(0.0, f64::max)
}

fn force(contacts: &[SurfaceContact]) -> DVec3 {
    contacts.iter().map(|contact| contact.force).sum()
}

/// Largest relative difference of forces between two lists of places.
fn apart(one: &[Vec<SurfaceContact>], other: &[Vec<SurfaceContact>]) -> f64 {
    let relative = |(a, b): (&Vec<_>, &Vec<_>)| (force(a) - force(b)).length() / force(a).length();
    one.iter().zip(other).map(relative).fold(0.0, f64::max)
}

/// Whether two contacts have the same bits.
fn same(a: &SurfaceContact, b: &SurfaceContact) -> bool {
    a.point == b.point && a.normal == b.normal && a.overlap == b.overlap && a.force == b.force
}

/// Twenty other orders of the elements, and every element in four, on random height fields.
fn fields(report: &mut Report) -> Result<(), VerifyError> {
    let mut random = RandomStream::new(22);
    let (mut other_sets, mut several) = (0, 0);
    let (mut worst_shuffled, mut worst_split) = (0.0_f64, 0.0_f64);
    let mut series =
        Series::new("fields", &[("case", ""), ("contacts", ""), ("shuffled", ""), ("split", "")]);
    let count = if report.quick { 40 } else { 200 };
    for case in 0..count {
        let field = Field::random(&mut random)?;
        let plain = field.contacts(&field.shape)?;
        several += plain.iter().filter(|contacts| contacts.len() > 1).count();
        let mut shuffled = 0.0_f64;
        for _ in 0..20 {
            let found = field.contacts(&field.shape.shuffled(&mut random))?;
            let equal = found
                .iter()
                .zip(&plain)
                .all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)));
            other_sets += u32::from(!equal);
            shuffled = shuffled.max(apart(&plain, &found));
        }
        let split = apart(&plain, &field.contacts(&field.shape.split_in_four())?);
        worst_shuffled = worst_shuffled.max(shuffled);
        worst_split = worst_split.max(split);
        let contacts: usize = plain.iter().map(Vec::len).sum();
        series.push(&[f64::from(case), contacts as f64 / plain.len() as f64, shuffled, split]);
    }
    report.at_least("height fields: places with several contacts", "", f64::from(count), several as f64);
    let name = format!("height fields: other sets of contacts in {} shuffles", 20 * count);
    report.absolute(name, "", 0.0, f64::from(other_sets), 0.0);
    report.at_most(
        "height fields: largest change of force by shuffling, relative",
        "",
        1e-12,
        worst_shuffled,
    );
    report.at_most(
        "height fields: largest change of force by a split in four, relative",
        "",
        1e-9,
        worst_split,
    );
    let cases = series.column(0);
    let visible =
        |column: usize| -> Vec<f64> { series.column(column).iter().map(|v| v.max(1e-17)).collect() };
    let plot = Plot::new("Height fields, shuffled and split", "case", "relative change of force")
        .points("20 other orders", &cases, &visible(2))
        .points("every element in four", &cases, &visible(3))
        .dashed("allowed", &[0.0, f64::from(count)], &[1e-9; 2])
        .log_y();
    report.plot("fields", plot);
    report.series(series);
    Ok(())
}

/// C at 0.9 R over a floor with a step 0.02 R high at 0.4 R: interior edges of the floor must not delete the step.
fn low_step(report: &mut Report) -> Result<(), VerifyError> {
    let centre = DVec3::new(0.0, 0.1, 0.9);
    let step = [(0.4, 0.0), (0.4, 0.02), (3.0, 0.02)];
    let look = |interior: &[f64]| -> Result<Vec<SurfaceContact>, VerifyError> {
        let mut profile = vec![(-3.0, 0.0)];
        profile.extend(interior.iter().map(|&x| (x, 0.0)));
        profile.extend(step);
        let shape = Shape::strip(&profile, &[-3.0, 3.0]);
        Probe::new(&Stuff::default(), RADIUS, [rigid(&shape)?])?.contacts_at(centre)
    };
    let plain = look(&[])?;
    report.absolute("low step: contacts", "", 2.0, plain.len() as f64, 0.0);
    let mut worst = 0.0_f64;
    for interior in [&[0.05][..], &[0.1], &[0.2], &[0.3], &[-0.3, -0.1, 0.0, 0.1, 0.2, 0.35]] {
        worst = worst.max(apart(std::slice::from_ref(&plain), &[look(interior)?]));
    }
    report.at_most("low step: largest change of force by interior edges, relative", "", 1e-9, worst);
    Ok(())
}

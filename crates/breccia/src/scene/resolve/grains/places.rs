//! Where grains are.

use super::super::{Names, Notes, check};
use super::outlines::Outlines;
use crate::implicit::GrainSeed;
use crate::implicit::assembly::GrainRows;
use crate::model::MaterialId;
use crate::scene::file::{GrainListTable, GrainRowsTable, GrainsKind, GrainsTable};
use crate::scene::random::{RandomStream, entry_seed};
use glam::DVec2;

/// Most grains of a scene.
const MOST_GRAINS: u64 = 1_000_000;

/// The grains of a scene and the names of their groups.
pub(super) fn resolve(
    tables: &[GrainsTable],
    outlines: &Outlines,
    materials: &Names,
    seed: u64,
    notes: &mut Notes,
) -> (Vec<GrainSeed>, Names) {
    let mut names = Names::new("group of grains");
    let mut grains = Vec::new();
    if let Some(extra) = tables.get(usize::from(u16::MAX)) {
        notes.error(extra.span.clone(), "too many [[grains]] tables", "one too many");
    }
    for (group, table) in (0_u16..).zip(tables) {
        names.add_or_number("grains", table.name.as_ref(), &table.span, notes);
        let material = MaterialId(materials.find(&table.material, notes).unwrap_or(0) as u16);
        let numbers = outlines.numbers(&table.outlines, notes);
        if numbers.is_empty() {
            // Unknown names and outlines that cannot be have been noted.
            if table.outlines.is_empty() && !notes.has_errors() {
                let help = "add an [[outline]] table";
                notes.error_with_help(
                    table.span.clone(),
                    "the scene has no outlines",
                    "of what shape?",
                    help,
                );
            }
            continue;
        }
        let pattern = GrainSeed {
            outline: 0,
            material,
            group,
            position: DVec2::ZERO,
            angle: 0.0,
            velocity: table.velocity.as_ref().map_or(DVec2::ZERO, |velocity| velocity.value),
            spin: table.spin.as_ref().map_or(0.0, |spin| spin.value),
            fixed: table.fixed.unwrap_or(false),
        };
        match &table.kind {
            GrainsKind::List(list) => grains.extend(from_list(list, &numbers, &pattern, notes)),
            GrainsKind::Rows(rows) => {
                let stream = RandomStream::new(entry_seed(seed, usize::from(group)));
                grains.extend(in_rows(rows, &numbers, &pattern, outlines, stream, notes));
            }
        }
    }
    (grains, names)
}

fn from_list(
    table: &GrainListTable,
    numbers: &[u32],
    pattern: &GrainSeed,
    notes: &mut Notes,
) -> Vec<GrainSeed> {
    let (places, angles) = (table.positions.len(), table.angles.len());
    if angles > 1 && angles != places {
        let message = format!("{places} positions need as many angles, or one for all; {angles} are given");
        notes.error(table.span.clone(), message, "angles do not fit");
    }
    let angle = |place: usize| match &table.angles[..] {
        [] => 0.0,
        [one] => one.value,
        many => many.get(place).map_or(0.0, |angle| angle.value),
    };
    let grain = |(place, position): (usize, &crate::scene::read::Plane<_>)| GrainSeed {
        outline: numbers[place % numbers.len()],
        position: position.value,
        angle: angle(place),
        ..pattern.clone()
    };
    table.positions.iter().enumerate().map(grain).collect()
}

fn in_rows(
    table: &GrainRowsTable,
    numbers: &[u32],
    pattern: &GrainSeed,
    outlines: &Outlines,
    random: RandomStream,
    notes: &mut Notes,
) -> Vec<GrainSeed> {
    let width = check::positive("width", &table.width, notes);
    if !(1..=MOST_GRAINS).contains(&table.count.value) {
        let message = format!("`count` must be between 1 and {MOST_GRAINS}");
        notes.error(table.count.span.clone(), message, "out of range");
        return Vec::new();
    }
    let count = table.count.value as usize;
    let largest = numbers.iter().map(|&number| outlines.radius(number)).fold(0.0, f64::max);
    let Some(rows) = GrainRows::fill(numbers.len(), largest, count, width, random) else {
        let message = format!("rows {width} m wide do not hold a grain of {:.3} m", 2.0 * largest);
        notes.error(table.width.span.clone(), message, "too narrow");
        return Vec::new();
    };
    let origin = table.origin.as_ref().map_or(DVec2::ZERO, |origin| origin.value);
    let grain = |(shape, place, angle): (usize, DVec2, f64)| GrainSeed {
        outline: numbers[shape],
        position: origin + place,
        angle,
        ..pattern.clone()
    };
    rows.grains.into_iter().map(grain).collect()
}

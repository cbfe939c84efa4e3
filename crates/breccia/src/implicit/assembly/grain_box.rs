//! A rectangular box with grains on a lattice, none touching.

use crate::implicit::{FrictionTable, Grain, GrainError, GrainSettings, GrainSetup, GrainState, WallState};
use crate::scene::RandomStream;
use crate::shapes::nurbs::GrainShape;
use glam::DVec2;
use std::f64::consts::TAU;

/// Distance of lattice places, in largest bounding diameters.
const SPACING: f64 = 1.02;

/// The walls of a box, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxWall {
    /// Left, normal +x.
    Left = 0,
    /// Right, normal −x.
    Right = 1,
    /// Below, normal +y.
    Floor = 2,
    /// Above, normal −y.
    Lid = 3,
}

impl BoxWall {
    /// Left and right.
    pub const SIDES: [u32; 2] = [Self::Left as u32, Self::Right as u32];
    /// Floor and lid.
    pub const ENDS: [u32; 2] = [Self::Floor as u32, Self::Lid as u32];
}

/// Which grains a box gets.
#[derive(Clone, Debug)]
pub struct GrainMix {
    /// Shapes, equally many grains of each (the first ones get what is left over).
    pub shapes: Vec<GrainShape>,
    /// Number of grains.
    pub count: usize,
    /// Mass per area [kg/m³ of unit depth].
    pub density: f64,
    /// Seed of order and angles.
    pub seed: u64,
}

/// Grains in rows from the bottom up, none touching, in random order and at random angles.
pub struct GrainRows {
    /// Number of its shape, centroid from the lower left corner [m] and angle [rad] of each grain.
    pub grains: Vec<(usize, DVec2, f64)>,
    /// Height of all rows [m].
    pub height: f64,
}

impl GrainRows {
    /// So many grains, equally many of each shape (the first ones get what is left over), in rows of a width [m];
    /// `largest` is the largest bounding radius [m]. Nothing if the width does not hold one.
    pub fn fill(
        shapes: usize,
        largest: f64,
        count: usize,
        width: f64,
        mut random: RandomStream,
    ) -> Option<Self> {
        let pitch = 2.0 * SPACING * largest;
        let columns = (width / pitch) as usize;
        if columns == 0 {
            return None;
        }
        let mut order: Vec<usize> = (0..count).map(|grain| grain % shapes).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, (random.unit() * (place + 1) as f64) as usize);
        }
        let across = width / columns as f64;
        let grain = |(place, shape): (usize, usize)| {
            let (row, column) = (place / columns, place % columns);
            let centroid = DVec2::new((column as f64 + 0.5) * across, (row as f64 + 0.5) * pitch);
            (shape, centroid, TAU * random.unit())
        };
        let grains = order.into_iter().enumerate().map(grain).collect();
        Some(Self { grains, height: count.div_ceil(columns) as f64 * pitch })
    }
}

/// A box of about the given width [m] filled row by row from the floor with grains in random order and at random
/// angles. Grains have material 0; the walls have materials 1 to 4 in the order of [`BoxWall`], without friction until
/// it is set; friction of grains is `friction`.
///
/// # Errors
/// If there are no grains or shapes, or the width does not hold one.
pub fn box_of_grains(
    mix: &GrainMix,
    width: f64,
    friction: f64,
    settings: GrainSettings,
) -> Result<(GrainSetup, GrainState), GrainError> {
    let refuse = |message: &str| Err(GrainError::Refused { message: message.into() });
    if mix.shapes.is_empty() || mix.count == 0 {
        return refuse("a box of grains needs at least one shape and one grain");
    }
    let largest = mix.shapes.iter().map(GrainShape::bounding_radius).fold(0.0, f64::max);
    let Some(rows) =
        GrainRows::fill(mix.shapes.len(), largest, mix.count, width, RandomStream::new(mix.seed))
    else {
        return refuse("the box is narrower than its largest grain");
    };
    let places: Vec<(DVec2, f64)> = rows.grains.iter().map(|&(_, place, angle)| (place, angle)).collect();
    let height = rows.height;
    let grain = |&(shape, ..): &(usize, DVec2, f64)| {
        Grain::of_shape(shape as u32, &mix.shapes[shape], mix.density, 0)
    };
    let grains = rows.grains.iter().map(grain).collect();
    let mut table = FrictionTable::uniform(5, 0.0);
    table.set(0, 0, friction);
    let setup = GrainSetup {
        shapes: mix.shapes.clone(),
        grains,
        friction: table,
        wall_materials: vec![1, 2, 3, 4],
        settings,
    };
    let walls = vec![
        WallState::at_rest(DVec2::X, DVec2::ZERO),
        WallState::at_rest(DVec2::NEG_X, DVec2::new(width, 0.0)),
        WallState::at_rest(DVec2::Y, DVec2::ZERO),
        WallState::at_rest(DVec2::NEG_Y, DVec2::new(0.0, height)),
    ];
    Ok((setup, GrainState::at_rest(&places, walls, DVec2::ZERO)))
}

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
    let pitch = 2.0 * SPACING * largest;
    let columns = (width / pitch) as usize;
    if columns == 0 {
        return refuse("the box is narrower than its largest grain");
    }
    let mut random = RandomStream::new(mix.seed);
    let mut order: Vec<u32> = (0..mix.count).map(|grain| (grain % mix.shapes.len()) as u32).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, (random.unit() * (place + 1) as f64) as usize);
    }
    let pitch_across = width / columns as f64;
    let place = |grain: usize| {
        let (row, column) = (grain / columns, grain % columns);
        DVec2::new((column as f64 + 0.5) * pitch_across, (row as f64 + 0.5) * pitch)
    };
    let places: Vec<(DVec2, f64)> = (0..mix.count).map(|grain| (place(grain), TAU * random.unit())).collect();
    let height = mix.count.div_ceil(columns) as f64 * pitch;
    let grains = order
        .iter()
        .map(|&shape| Grain::of_shape(shape, &mix.shapes[shape as usize], mix.density, 0))
        .collect();
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

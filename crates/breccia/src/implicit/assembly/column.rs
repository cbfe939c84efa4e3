//! A column of grains between two smooth walls, one of which is taken away.

use super::grain_box::{BoxWall, GrainMix, box_of_grains};
use crate::implicit::{GrainError, GrainRun, GrainSettings, GrainSetup, GrainState};
use glam::DVec2;

/// Kinetic energy per grain below which a column is at rest, in m g d.
const AT_REST: f64 = 1e-6;
/// Width of the bins of the surface, in mean diameters.
const BIN: f64 = 2.0;
/// Part of the height over which the slope is measured.
const SLOPE_BAND: (f64, f64) = (0.1, 0.9);

/// How a column is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnPlan {
    /// Width L0 [m].
    pub width: f64,
    /// Gravity [m/s²], downwards.
    pub gravity: f64,
    /// Friction between grains [-].
    pub friction: f64,
    /// Friction on the floor [-].
    pub floor_friction: f64,
}

impl ColumnPlan {
    /// Width for which grains at a porosity [-] stand `aspect` times as high as wide [m].
    pub fn width_for(mix: &GrainMix, aspect: f64, porosity: f64) -> f64 {
        let mean = mix.shapes.iter().map(|shape| shape.area()).sum::<f64>() / mix.shapes.len().max(1) as f64;
        (mean * mix.count as f64 / ((1.0 - porosity) * aspect)).sqrt()
    }
}

/// A column under way.
pub struct Column {
    /// The run.
    pub run: GrainRun,
}

/// The shape of a heap: of its largest connected part.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnShape {
    /// Slope of the surface, least squares between a tenth and nine tenths of the height [rad].
    pub slope: f64,
    /// Farthest point from the standing wall [m].
    pub spread: f64,
    /// Highest point [m].
    pub height: f64,
    /// Grains in the part.
    pub grains: usize,
    /// Its surface: distance from the standing wall, and the highest point there, by bins two mean diameters wide [m].
    pub surface: Vec<(f64, f64)>,
}

impl Column {
    /// Grains on a lattice above the floor, ready to fall: smooth sides, rough floor, no lid.
    ///
    /// # Errors
    /// If the set-up is refused.
    pub fn loose(mix: &GrainMix, plan: &ColumnPlan, settings: GrainSettings) -> Result<Self, GrainError> {
        let (mut setup, mut state) = box_of_grains(mix, plan.width, plan.friction, settings)?;
        setup.friction.set(0, setup.wall_materials[BoxWall::Floor as usize], plan.floor_friction);
        state.gravity = DVec2::new(0.0, -plan.gravity);
        let mut run = GrainRun::new(setup, state)?;
        run.remove_wall(BoxWall::Lid as usize);
        Ok(Self { run })
    }

    /// Goes on from a state.
    ///
    /// # Errors
    /// If the set-up is refused.
    pub fn resume(setup: GrainSetup, state: GrainState) -> Result<Self, GrainError> {
        Ok(Self { run: GrainRun::new(setup, state)? })
    }

    /// Whether the grains are at rest.
    pub fn is_at_rest(&self) -> bool {
        let (setup, state) = (self.run.setup(), self.run.state());
        let scale = setup.mean_mass() * state.gravity.length() * setup.mean_diameter();
        state.energy(setup).kinetic < AT_REST * scale * setup.grains.len() as f64
    }

    /// Steps until the grains are at rest.
    ///
    /// # Errors
    /// If a step fails, or they are not at rest after so many.
    pub fn settle(&mut self, most_steps: u64) -> Result<u64, GrainError> {
        for step in 1..=most_steps {
            self.run.step()?;
            if self.is_at_rest() {
                return Ok(step);
            }
        }
        Err(GrainError::TargetMissed {
            message: format!(
                "the grains still move after {most_steps} steps: allow more steps to fill the column"
            ),
        })
    }

    /// Takes the right wall away.
    pub fn open(&mut self) {
        self.run.remove_wall(BoxWall::Right as usize);
    }

    /// The shape of the heap.
    pub fn shape(&self) -> ColumnShape {
        let (setup, state) = (self.run.setup(), self.run.state());
        let part = largest_part(setup, state);
        let bin = BIN * setup.mean_diameter();
        let mut tops: Vec<f64> = Vec::new();
        let (mut spread, mut height) = (0.0_f64, 0.0_f64);
        for &grain in &part {
            let (place, radius) = (state.position[grain], 0.5 * setup.grains[grain].equal_area_diameter());
            spread = spread.max(place.x + radius);
            height = height.max(place.y + radius);
            let column = (place.x / bin).max(0.0) as usize;
            if tops.len() <= column {
                tops.resize(column + 1, 0.0);
            }
            tops[column] = tops[column].max(place.y + radius);
        }
        let surface: Vec<(f64, f64)> =
            tops.iter().enumerate().map(|(column, &top)| ((column as f64 + 0.5) * bin, top)).collect();
        let in_band = |&(_, top): &(f64, f64)| top > SLOPE_BAND.0 * height && top < SLOPE_BAND.1 * height;
        let points: Vec<(f64, f64)> = surface.iter().copied().filter(in_band).collect();
        let slope = libm::atan(-fitted_slope(&points));
        ColumnShape { slope, spread, height, grains: part.len(), surface }
    }

    /// Highest point of all grains [m].
    pub fn top(&self) -> f64 {
        let (setup, state) = (self.run.setup(), self.run.state());
        let tops = state.position.iter().zip(&setup.grains).map(|(place, grain)| place.y + grain.radius);
        tops.fold(0.0, f64::max)
    }

    /// Distance from the standing wall within which a share of the grains lies [m].
    pub fn reach_of(&self, share: f64) -> f64 {
        let mut ways: Vec<f64> = self.run.state().position.iter().map(|place| place.x).collect();
        ways.sort_by(f64::total_cmp);
        let place = (share * ways.len() as f64) as usize;
        ways.get(place.min(ways.len().saturating_sub(1))).copied().unwrap_or(0.0)
    }
}

/// Slope of the least-squares line; zero if there are fewer than two points.
fn fitted_slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let across = points.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum::<f64>();
    let along = points.iter().map(|point| (point.0 - mean_x) * (point.0 - mean_x)).sum::<f64>();
    if points.len() < 2 { 0.0 } else { across / along }
}

/// Grains of the largest set that hangs together by loaded contacts, ascending.
fn largest_part(setup: &GrainSetup, state: &GrainState) -> Vec<usize> {
    let count = setup.grains.len();
    let mut part: Vec<usize> = (0..count).collect();
    fn root(part: &mut [usize], mut grain: usize) -> usize {
        while part[grain] != grain {
            part[grain] = part[part[grain]];
            grain = part[grain];
        }
        grain
    }
    for loaded in &state.contacts {
        if setup.wall_of(loaded.contact.master).is_none() {
            let a = root(&mut part, loaded.contact.master as usize);
            let b = root(&mut part, loaded.contact.slave as usize);
            part[a.max(b)] = a.min(b);
        }
    }
    let roots: Vec<usize> = (0..count).map(|grain| root(&mut part, grain)).collect();
    let mut sizes = vec![0_usize; count];
    roots.iter().for_each(|&root| sizes[root] += 1);
    let largest = (0..count).max_by_key(|&root| (sizes[root], std::cmp::Reverse(root))).unwrap_or(0);
    (0..count).filter(|&grain| roots[grain] == largest).collect()
}

//! Compaction: two walls pressed onto a loose box until nothing moves, then again at the stiffness of the test.

use super::grain_box::{BoxWall, GrainMix, box_of_grains};
use crate::implicit::solver::{BodySchur, ConeSolver};
use crate::implicit::{
    BoxMeasures, GrainError, GrainRun, GrainSettings, GrainSetup, GrainState, StaticStep, StepKind,
    Stiffness, StiffnessMeaning, WallControl,
};
use glam::DVec2;

/// Resistance of grains to motion, per pressure.
const RESISTANCE: f64 = 0.02;
/// Steps between two looks at whether the box still shrinks, and how much that may be, in mean diameters.
const LOOK_BACK: usize = 5;
const SETTLED: f64 = 2e-4;
/// Reach of the search, in ways of the walls per step: at first, and at most.
const REACH: (f64, f64) = (1.2, 3.5);
/// Steps at the stiffness of the test.
const EQUILIBRATION: u64 = 25;

/// How a box is compacted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompactionPlan {
    /// Pressure of right wall and lid [N/m].
    pub pressure: f64,
    /// Friction between grains while they are compacted [-].
    pub friction: f64,
    /// Stiffness while they are compacted, in pressures [-].
    pub stiffness: f64,
    /// Most steps.
    pub most_steps: u64,
}

impl CompactionPlan {
    /// Without friction, at 8000 pressures of stiffness.
    pub fn new(pressure: f64) -> Self {
        Self { pressure, friction: 0.0, stiffness: 8000.0, most_steps: 1500 }
    }
}

/// A compacted box.
#[derive(Clone, Debug)]
pub struct Compaction {
    /// What does not change, with the settings of the test.
    pub setup: GrainSetup,
    /// In equilibrium under the pressure.
    pub state: GrainState,
    /// 1 − area of grains / area of the box [-].
    pub porosity: f64,
    /// Steps it took.
    pub steps: u64,
}

impl Compaction {
    /// The same grains come to rest under the pressure with other settings, such as another stiffness.
    ///
    /// # Errors
    /// If a step fails.
    pub fn at_rest_with(&self, pressure: f64, settings: &GrainSettings) -> Result<Self, GrainError> {
        let mut state = self.state.clone();
        press(&mut state, pressure);
        come_to_rest(GrainRun::new(self.setup.clone(), state)?, pressure, settings)
    }

    /// So many copies of the box side by side and on top of each other, as one box: the walls between them are gone,
    /// what contacts carried is forgotten.
    pub fn tiled(&self, columns: usize, rows: usize) -> Self {
        let (mut setup, mut state) = (self.setup.clone(), self.state.clone());
        let size = state.box_measures(&setup, BoxWall::SIDES, BoxWall::ENDS);
        let (grains, places, angles) = (&self.setup.grains, &self.state.position, &self.state.angle);
        for copy in 1..columns * rows {
            let shift =
                DVec2::new((copy % columns) as f64 * size.width, (copy / columns) as f64 * size.height);
            setup.grains.extend(grains.iter().cloned());
            state.position.extend(places.iter().map(|place| *place + shift));
            state.angle.extend(angles);
        }
        state.velocity = vec![DVec2::ZERO; setup.grains.len()];
        state.spin = vec![0.0; setup.grains.len()];
        state.contacts.clear();
        state.walls[BoxWall::Right as usize].offset -= (columns - 1) as f64 * size.width;
        state.walls[BoxWall::Lid as usize].offset -= (rows - 1) as f64 * size.height;
        Self { setup, state, porosity: self.porosity, steps: self.steps }
    }
}

/// Share of the box's size that walls may move per step, by porosity.
fn wall_rate(porosity: f64) -> f64 {
    match porosity {
        it if it > 0.25 => 0.01,
        it if it > 0.2 => 0.005,
        _ => 0.002,
    }
}

/// A step of a compaction: overdamped, walls no faster than the size of the box and of its grains allow.
pub(in crate::implicit) fn overdamped_step(size: &BoxMeasures, diameter: f64, pressure: f64) -> StaticStep {
    let rate = wall_rate(size.porosity);
    let mean_size = (size.width * size.height).sqrt();
    let way = rate * mean_size / diameter;
    StaticStep {
        resistance: RESISTANCE,
        wall_resistance: size.width.max(size.height) / (rate * mean_size),
        reach: (REACH.0 * way).max(0.1),
        most_reach: (REACH.1 * way).max(0.25),
        reference_stress: Some(pressure),
        saxce_iterations: 0,
    }
}

/// Whether a box whose width and height together were these [m], step by step, hardly shrinks any more.
pub(in crate::implicit) fn has_come_to_rest(sizes: &[f64], diameter: f64) -> bool {
    let Some(before) = sizes.len().checked_sub(LOOK_BACK + 1) else { return false };
    (sizes[before] - sizes[sizes.len() - 1]).abs() < SETTLED * diameter
}

/// Prepares the next step of a compaction; width and height of the box together [m].
fn next_settings(run: &mut GrainRun, pressure: f64) -> f64 {
    let size = run.state().box_measures(run.setup(), BoxWall::SIDES, BoxWall::ENDS);
    let step = overdamped_step(&size, run.setup().mean_diameter(), pressure);
    run.setup_mut().settings.kind = StepKind::QuasiStatic(step);
    size.width + size.height
}

/// Compacts a loose mix under a pressure, then lets it come to rest with the settings given (those of the test).
///
/// # Errors
/// If a step fails, or the box does not come to rest in the steps allowed.
pub fn compact(
    mix: &GrainMix,
    plan: &CompactionPlan,
    settings: &GrainSettings,
) -> Result<Compaction, GrainError> {
    compact_with(mix, plan, settings, Box::new(BodySchur::default()))
}

/// The same with a solver of one's own choice.
///
/// # Errors
/// See [`compact`].
pub fn compact_with(
    mix: &GrainMix,
    plan: &CompactionPlan,
    settings: &GrainSettings,
    solver: Box<dyn ConeSolver>,
) -> Result<Compaction, GrainError> {
    let largest = mix.shapes.iter().map(|shape| shape.bounding_radius()).fold(0.0, f64::max);
    let width = 2.05 * largest * (mix.count as f64).sqrt().ceil();
    let mut loose = settings.clone();
    loose.stiffness = Stiffness::Elastic {
        normal: plan.stiffness * plan.pressure,
        tangential_ratio: 2.0 / 3.0,
        meaning: StiffnessMeaning::PerKnot,
    };
    loose.time_step = 1.0;
    let (setup, mut state) = box_of_grains(mix, width, plan.friction, loose)?;
    press(&mut state, plan.pressure);
    let mut run = GrainRun::with_solver(setup, state, solver)?;
    settle(&mut run, plan, plan.most_steps)?;
    come_to_rest(run, plan.pressure, settings)
}

/// Steps under pressure with the settings of the test.
fn come_to_rest(
    mut run: GrainRun,
    pressure: f64,
    settings: &GrainSettings,
) -> Result<Compaction, GrainError> {
    run.setup_mut().settings.stiffness = settings.stiffness;
    for _ in 0..EQUILIBRATION {
        next_settings(&mut run, pressure);
        run.step()?;
    }
    let (mut setup, state) = run.into_parts();
    setup.settings = settings.clone();
    let porosity = state.box_measures(&setup, BoxWall::SIDES, BoxWall::ENDS).porosity;
    let steps = state.step;
    Ok(Compaction { setup, state, porosity, steps })
}

/// Right wall and lid pressed.
fn press(state: &mut GrainState, pressure: f64) {
    let pressed = |between| WallControl::Pressed { pressure, between, mass: 0.0 };
    state.walls[BoxWall::Right as usize].control = pressed(BoxWall::ENDS);
    state.walls[BoxWall::Lid as usize].control = pressed(BoxWall::SIDES);
}

/// Steps until the box hardly shrinks.
fn settle(run: &mut GrainRun, plan: &CompactionPlan, most_steps: u64) -> Result<(), GrainError> {
    let mut sizes = Vec::new();
    let diameter = run.setup().mean_diameter();
    for _ in 0..most_steps {
        sizes.push(next_settings(run, plan.pressure));
        if has_come_to_rest(&sizes, diameter) {
            return Ok(());
        }
        run.step()?;
    }
    Err(GrainError::TargetMissed {
        message: format!("the box still shrinks after {most_steps} steps of compaction: allow more steps"),
    })
}

/// Friction of the first compaction that may be too loose, and most compactions tried.
const LOOSER_FRICTION: f64 = 0.1;
const MOST_TRIES: u32 = 10;

/// Compacts to a porosity by choosing the friction of the compaction: more friction, more pores. Tries none, then
/// frictions interpolated between those that gave too little and too much.
///
/// # Errors
/// If a compaction fails, or the porosity is out of reach between no friction and a coefficient of 1.
pub fn compact_to_porosity(
    mix: &GrainMix,
    plan: &CompactionPlan,
    settings: &GrainSettings,
    target: f64,
    tolerance: f64,
) -> Result<(Compaction, f64), GrainError> {
    // Frictions that gave too few and too many pores, with the porosities.
    let mut dense: Option<(f64, f64)> = None;
    let mut loose: Option<(f64, f64)> = None;
    let mut friction = 0.0;
    for _ in 0..MOST_TRIES {
        let made = compact(mix, &CompactionPlan { friction, ..*plan }, settings)?;
        if (made.porosity - target).abs() <= tolerance {
            return Ok((made, friction));
        }
        if made.porosity > target {
            loose = Some((friction, made.porosity));
        } else {
            dense = Some((friction, made.porosity));
        }
        friction = match (dense, loose) {
            (None, _) => {
                return Err(GrainError::TargetMissed {
                    message: format!(
                        "even without friction the grains only compact to a porosity of {:.4}, {target:.4} was asked for: \
                         take more grains (walls count less), other shapes, or a larger porosity",
                        made.porosity
                    ),
                });
            }
            (Some((low, _)), None) if low >= 1.0 => break,
            (Some((low, _)), None) => (2.0 * low).clamp(LOOSER_FRICTION, 1.0),
            (Some((low, less)), Some((high, more))) => low + (high - low) * (target - less) / (more - less),
        };
    }
    Err(GrainError::TargetMissed {
        message: format!("no friction of the compaction gives a porosity of {target:.4} ± {tolerance:.4}"),
    })
}

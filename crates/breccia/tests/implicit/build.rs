//! Small scenes of discs.

use breccia::implicit::*;
use breccia::shapes::nurbs::GrainShape;
use glam::DVec2;

/// Gravity [m/s²].
pub const GRAVITY: f64 = 9.81;
/// Radius of the disc of the closed forms [m].
pub const RADIUS: f64 = 0.5;
/// Its mass per depth [kg/m].
pub const MASS: f64 = 2.0;

/// The disc of the closed forms.
pub fn disc() -> Grain {
    let mut grain = Grain::of_shape(0, &GrainShape::Disc(RADIUS), 1.0, 0);
    grain.mass = MASS;
    grain.inertia = 0.5 * MASS * RADIUS * RADIUS;
    grain
}

/// The same, not turning.
pub fn locked_disc() -> Grain {
    let mut grain = disc();
    grain.motion[2] = Motion::Prescribed(0.0);
    grain
}

/// Dynamic settings.
pub fn dynamic(theta: f64, time_step: f64) -> GrainSettings {
    GrainSettings::new(StepKind::Dynamic(DynamicStep { theta, ..DynamicStep::default() }), time_step)
}

/// One grain above the plane y = 0, with a gap; gravity as given.
pub fn on_plane(grain: Grain, gap: f64, friction: f64, gravity: DVec2, settings: GrainSettings) -> GrainRun {
    let setup = GrainSetup {
        shapes: vec![GrainShape::Disc(RADIUS)],
        grains: vec![grain],
        friction: FrictionTable::uniform(1, friction),
        wall_materials: vec![0],
        settings,
    };
    let floor = WallState::at_rest(DVec2::Y, DVec2::ZERO);
    let state = GrainState::at_rest(&[(DVec2::new(0.0, RADIUS + gap), 0.0)], vec![floor], gravity);
    GrainRun::new(setup, state).unwrap()
}

/// Gravity downwards.
pub fn down() -> DVec2 {
    DVec2::new(0.0, -GRAVITY)
}

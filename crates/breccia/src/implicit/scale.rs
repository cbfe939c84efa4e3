//! Magnitudes of a step: what the solver, the resistance of statics and the removal of penetration refer to.

use super::error::GrainError;
use super::problem::Scale;
use super::settings::{StaticStep, StepKind, Stiffness};
use super::setup::{GrainSetup, WallControl};
use super::state::GrainState;

/// Reference length of the solver, in mean diameters.
const LENGTH: f64 = 1e-2;
/// Reference force, in mean weights.
const WEIGHTS: f64 = 10.0;
/// Overlap of springs that gives a force scale where nothing else does, in mean diameters.
const SPRING_OVERLAP: f64 = 1e-3;
/// Penetration removed per step, in mean diameters: in statics, and where there is no gravity.
const STATIC_RECOVERY: f64 = 0.02;
const WEIGHTLESS_RECOVERY: f64 = 1e-3;
/// Speed at which dynamic steps remove penetration, in √(g d).
const RECOVERY_SPEED: f64 = 0.1;

/// Reference force [N/m] and whether it is ten mean weights rather than a typical contact force.
fn reference_force(
    setup: &GrainSetup,
    state: &GrainState,
    time_step: f64,
) -> Result<(f64, bool), GrainError> {
    if let Some(force) = setup.settings.reference_force {
        return Ok((force, false));
    }
    let pressure = largest_pressure(state) * setup.mean_diameter();
    let weight = WEIGHTS * setup.mean_mass() * state.gravity.length();
    let load = state.loads.iter().map(|load| load.force.length()).fold(0.0, f64::max);
    if pressure > 0.0 || weight > 0.0 || load > 0.0 {
        let is_weight = weight > pressure.max(load);
        return Ok((pressure.max(weight).max(load), is_weight));
    }
    let fastest = state.velocity.iter().map(|velocity| velocity.length()).fold(0.0, f64::max);
    let spring = match setup.settings.stiffness {
        Stiffness::Rigid => 0.0,
        Stiffness::Elastic { normal, .. } => SPRING_OVERLAP * normal * setup.mean_diameter(),
    };
    let impact = match setup.settings.kind {
        StepKind::Dynamic(_) => setup.mean_mass() * fastest / time_step,
        StepKind::QuasiStatic(_) => 0.0,
    };
    match (impact > 0.0, spring > 0.0) {
        (true, _) => Ok((impact, false)),
        (false, true) => Ok((spring, false)),
        (false, false) if matches!(setup.settings.kind, StepKind::Dynamic(_)) => {
            Ok((setup.mean_mass() * setup.mean_diameter() * LENGTH / (time_step * time_step), false))
        }
        _ => Err(no_scale()),
    }
}

fn no_scale() -> GrainError {
    GrainError::Refused {
        message: "nothing says how large forces are: there is no gravity, no pressed wall, no load and contacts are rigid; \
                  give a reference force"
            .into(),
    }
}

fn largest_pressure(state: &GrainState) -> f64 {
    state
        .walls
        .iter()
        .map(|wall| match wall.control {
            WallControl::Pressed { pressure, .. } => pressure.abs(),
            _ => 0.0,
        })
        .fold(0.0, f64::max)
}

/// Scale of the solver. Where contacts are elastic their slips must come out right too: second stop rule.
pub(super) fn reference_scale(
    setup: &GrainSetup,
    state: &GrainState,
    time_step: f64,
) -> Result<Scale, GrainError> {
    let (force, is_weight) = reference_force(setup, state, time_step)?;
    let length = LENGTH * setup.mean_diameter();
    let typical = if is_weight { force / WEIGHTS } else { force };
    let complementarity = match setup.settings.stiffness {
        Stiffness::Rigid => None,
        Stiffness::Elastic { normal, .. } => {
            Some((1e-6 * typical * typical / normal).max(1e-13 * force * length))
        }
    };
    Ok(Scale { force, length, tolerance: setup.settings.tolerance, complementarity })
}

/// Reference stress of quasi-static steps [N/m].
pub(super) fn reference_stress(
    setup: &GrainSetup,
    state: &GrainState,
    choices: &StaticStep,
) -> Result<f64, GrainError> {
    let pressure = largest_pressure(state);
    let weight = setup.mean_mass() * state.gravity.length() / setup.mean_diameter();
    let stress = choices.reference_stress.unwrap_or(if pressure > 0.0 { pressure } else { weight });
    if stress > 0.0 && stress.is_finite() {
        Ok(stress)
    } else {
        let (force, _) = reference_force(setup, state, 1.0)?;
        Ok(force / setup.mean_diameter())
    }
}

/// Largest penetration a step removes from rigid contacts [m].
pub(super) fn recovery(setup: &GrainSetup, state: &GrainState, time_step: f64) -> f64 {
    let diameter = setup.mean_diameter();
    if let Some(recovery) = setup.settings.recovery {
        return recovery * diameter;
    }
    match setup.settings.kind {
        StepKind::QuasiStatic(_) => STATIC_RECOVERY * diameter,
        StepKind::Dynamic(_) if state.gravity.length() > 0.0 => {
            RECOVERY_SPEED * (state.gravity.length() * diameter).sqrt() * time_step
        }
        StepKind::Dynamic(_) => WEIGHTLESS_RECOVERY * diameter,
    }
}

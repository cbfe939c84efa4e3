//! What a checkpoint holds, and whether it belongs to a scene.

use super::method::Method;
use crate::problem::Failure;
use crate::{say, tell};
use breccia::model::StepChoice;
use breccia::output::{RunFolder, checkpoint};
use breccia::scene::Scene;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;

/// Content of a checkpoint.
#[derive(Deserialize)]
struct Saved<S> {
    scene: u64,
    time_step: f64,
    state: S,
}

/// Borrowed form of [`Saved`], so that the state need not be copied to be saved.
#[derive(Serialize)]
struct SavedRef<'a, S> {
    scene: u64,
    time_step: f64,
    state: &'a S,
}

/// Packs a run into the bytes of a checkpoint.
pub fn encode<M: Method>(scene: u64, run: &M) -> Result<Vec<u8>, Failure> {
    let state = run.state();
    let saved = SavedRef { scene, time_step: run.time_step(), state: state.borrow() };
    Ok(checkpoint::encode(&saved)?)
}

/// What of a scene must stay the same for a restart: all but its length, threads, limits, output, and how the time
/// step is found (the step itself is compared on its own).
pub fn fingerprint(scene: &Scene) -> u64 {
    let mut scene = scene.clone();
    scene.title.clear();
    scene.threads = 0;
    scene.model.limits.overlap = 0.0;
    let time = &mut scene.model.time;
    (time.duration, time.step) = (0.0, StepChoice::Auto);
    (time.rayleigh_fraction, time.steps_per_contact, time.expected_speed) = (0.0, 0.0, None);
    if let Some(last) = scene.phases.last_mut() {
        last.duration = 0.0;
    }
    let output = &mut scene.output;
    (output.frame_interval, output.table_interval, output.checkpoint_interval) = (0.0, 0.0, 0.0);
    (output.contacts, output.bonds, output.picture) = (false, false, false);
    // FNV-1a over the serialised scene: stable, and collisions are no danger here.
    let text = serde_json::to_vec(&scene).unwrap_or_default();
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The run as last saved; none if it had not come to its first checkpoint.
pub fn resume<M: Method>(scene: &Scene, folder: &RunFolder) -> Result<Option<M>, Failure> {
    let newest = folder.checkpoint();
    if !newest.exists() && !checkpoint::previous_of(&newest).exists() {
        return Ok(None);
    }
    let latest = checkpoint::read_latest::<Saved<M::State>>(&newest)?;
    if let Some(passed) = &latest.passed_over {
        tell::note(&format!("warning: {passed}; going on from {}", latest.path.display()));
    }
    if latest.state.scene != fingerprint(scene) {
        return Err(Failure::other(
            format!("the scene has changed since {} was written", latest.path.display()),
            "restart with the scene as it was (only duration, threads, limits and output may change), or start anew \
             with --overwrite",
        ));
    }
    let time_step = M::time_step_of(scene);
    if latest.state.time_step.to_bits() != time_step.to_bits() {
        return Err(Failure::other(
            format!(
                "the time step is now {}, but {} was written with {}",
                say::seconds(time_step),
                latest.path.display(),
                say::seconds(latest.state.time_step)
            ),
            format!(
                "set [time] step = {:?} to go on, or start anew with --overwrite",
                latest.state.time_step
            ),
        ));
    }
    Ok(Some(M::resume(scene, latest.state.state)?))
}

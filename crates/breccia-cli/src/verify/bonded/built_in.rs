//! Scenes of the `scenes` folder, built in, so that they can be verified where there is no source tree.

use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::output::observe::picture_of;
use breccia::output::{OutputError, render};
use breccia::scene::{Scene, load};
use breccia::simulation::Simulation;

/// Files of a scene: names and texts; the first is the scene itself.
pub type Files = [(&'static str, &'static str)];

/// Loads a scene from its files, which have to lie in a folder for that; `change` may change the text of the scene.
pub fn scene_of(name: &str, files: &Files, change: impl Fn(&str) -> String) -> Result<Scene, VerifyError> {
    let folder = std::env::temp_dir().join(format!("breccia-verify-{name}-{}", std::process::id()));
    let failure = |cause| OutputError::io("write", &folder, cause);
    std::fs::create_dir_all(&folder).map_err(failure)?;
    for (number, (file, text)) in files.iter().enumerate() {
        let text = if number == 0 { change(text) } else { (*text).to_owned() };
        std::fs::write(folder.join(file), text).map_err(failure)?;
    }
    let loaded = load(&folder.join(files[0].0));
    // What is left behind there does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(loaded?.scene)
}

/// Draws the present instant.
pub fn draw(report: &mut Report, name: String, run: &Simulation, title: &str) -> Result<(), VerifyError> {
    let (scene, options) = picture_of(run, title);
    report.picture(name, render(&scene, &options)?);
    Ok(())
}

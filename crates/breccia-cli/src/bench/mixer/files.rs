//! The scene of `scenes/mixer`, built in, so that the program can be measured where there is no source tree.

use crate::problem::Failure;
use breccia::scene::Scene;
use std::path::Path;

macro_rules! built_in {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../../../scenes/mixer/", $name)))),*]
    };
}

/// Names and texts.
const FILES: [(&str, &str); 5] = built_in!["full.toml", "vessel.obj", "shaft.obj", "blades.obj", "arms.obj"];

/// The mixer with its spheres, or `count` of them.
pub fn scene(count: usize) -> Result<Scene, Failure> {
    let folder = Path::new("out/bench/mixer");
    let failure =
        |error| Failure::other(format!("cannot write {}: {error}", folder.display()), "run elsewhere");
    std::fs::create_dir_all(folder).map_err(failure)?;
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text).map_err(failure)?;
    }
    let mut scene = breccia::scene::load(&folder.join(FILES[0].0))?.scene;
    scene.bodies.truncate(count);
    Ok(scene)
}

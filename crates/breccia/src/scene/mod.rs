//! From a scene file (TOML) to a model, its first bodies, and what happens when.
//!
//! Three stages, each of which gathers all mistakes it finds before it gives up: the text becomes typed tables
//! (`read` and `file`), the tables become a scene in SI units and indices (`resolve`), and bodies are made
//! (`generate`).

mod cluster;
mod error;
mod file;
mod generate;
pub mod mesh_files;
mod numeric_table;
mod outlines;
mod plan;
mod quantity;
mod random;
mod read;
mod resolve;
mod resolved;
mod source;
mod suggest;
mod units;

pub use cluster::{Assembly, Cluster, ClusterUse, Orientation};
pub use error::{Problem, SceneError, Span};
pub use generate::{InletStream, MeshRegion, Proposal};
pub use outlines::{
    NamedCurve, PeriodicShape, parse_length, parse_shape_library, read_outline_points, read_shape_library,
    shape_library_text,
};
pub use plan::{
    Action, BodySeed, BondSeed, ClumpSeed, Event, FlowPlane, HistogramPlan, Inlet, InletAmount, Occasions,
    OffsetSeed, OutputSettings, Phase, ProfileAxis, ProfilePlan, Region, Scene, SieveStep, SizeDistribution,
};
pub use random::RandomStream;
pub use resolved::resolved_toml;

use crate::model::WallId;
use crate::shapes::mesh::MeshReport;
use file::SceneFile;
use read::Notes;
use source::SourceText;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scene that can be run, and what looks odd in it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The scene.
    pub scene: Scene,
    /// Warnings, each with its place in the file.
    pub warnings: Vec<Problem>,
    /// What was found about each mesh, in the order of the file.
    pub meshes: Vec<LoadedMesh>,
}

/// What was found about a mesh when it was read.
#[derive(Clone, Debug)]
pub struct LoadedMesh {
    /// The wall it became.
    pub wall: WallId,
    /// Its file.
    pub file: PathBuf,
    /// Names of the groups of elements in the file, by number; none in a file without groups.
    pub groups: Vec<String>,
    /// Findings of the mesh doctor.
    pub report: MeshReport,
}

/// Reads a scene file; tables it names are looked for beside it.
pub fn load(path: &Path) -> Result<Loaded, SceneError> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => load_str(&name, &text, path.parent().unwrap_or(Path::new(""))),
        Err(error) => Err(SceneError::new(vec![unreadable(&name, &error)])),
    }
}

fn unreadable(name: &str, error: &std::io::Error) -> Problem {
    use std::io::ErrorKind;
    let (what, help) = match error.kind() {
        ErrorKind::InvalidData => ("it is not UTF-8 text".to_owned(), "save it as UTF-8"),
        ErrorKind::IsADirectory => ("it is a folder".to_owned(), "name the scene file in it"),
        _ => (error.to_string(), "`breccia new` writes a scene to start from"),
    };
    Problem::error(format!("cannot read the scene `{name}`: {what}")).help(help)
}

/// Reads a scene from a text shown as `name` in messages; tables it names are looked for in `folder`.
pub fn load_str(name: &str, text: &str, folder: &Path) -> Result<Loaded, SceneError> {
    let mut notes = Notes::new(Arc::new(SourceText::new(name, text)));
    let title = Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
    let scene = read::read_document::<SceneFile>(text, &mut notes)
        .and_then(|file| resolve::resolve(&file, &title, folder, &mut notes));
    let (errors, warnings) = notes.into_parts();
    match scene {
        Some((scene, meshes)) if errors.is_empty() => Ok(Loaded { scene, warnings, meshes }),
        _ => Err(SceneError::new(errors)),
    }
}

/// JSON schema of scene files, for editors.
pub fn schema() -> serde_json::Value {
    read::document::<SceneFile>("breccia scene")
}

/// A commented scene to start from.
pub fn template() -> &'static str {
    include_str!("template.toml")
}

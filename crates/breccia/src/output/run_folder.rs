//! Names of the files of a run.

use super::OutputError;
use super::atomic::is_temporary;
use super::frames::KINDS;
use std::fs;
use std::path::{Path, PathBuf};

/// What [`RunFolder::create`] does where a run already is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    #[default]
    Refuse,
    /// Delete the files of the old run (and nothing else) first.
    Overwrite,
}

/// The folder a run writes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    root: PathBuf,
}

const SCENE: &str = "scene.toml";
const RESOLVED: &str = "resolved.toml";
const FRAMES: &str = "frames";
const TABLE: &str = "table.csv";
const LOG: &str = "log.txt";
const CHECKPOINT: &str = "checkpoint";
const CHECKPOINT_PREVIOUS: &str = "checkpoint.previous";
const SUMMARY: &str = "summary.json";
const PICTURE: &str = "picture.png";
const BROKEN: &str = "broken.csv";
const BREAKAGE: &str = "breakage.svg";
const BREAKAGE_PNG: &str = "breakage.png";
const FRAGMENTS: &str = "fragments.svg";
const FRAGMENTS_PNG: &str = "fragments.png";
const OWN_FILES: [&str; 13] = [
    SCENE,
    RESOLVED,
    TABLE,
    LOG,
    CHECKPOINT,
    CHECKPOINT_PREVIOUS,
    SUMMARY,
    PICTURE,
    BROKEN,
    BREAKAGE,
    BREAKAGE_PNG,
    FRAGMENTS,
    FRAGMENTS_PNG,
];

impl RunFolder {
    /// Makes the folder and `frames/` in it. An existing folder is fine as long as it holds no run.
    pub fn create(root: impl Into<PathBuf>, existing: Existing) -> Result<Self, OutputError> {
        let folder = Self { root: root.into() };
        if let Some(found) = folder.trace_of_run() {
            match existing {
                Existing::Refuse => return Err(OutputError::RunExists { path: folder.root, found }),
                Existing::Overwrite => folder.clear()?,
            }
        }
        folder.make_folders()?;
        Ok(folder)
    }

    /// Opens the folder of a run to continue it, and clears half-written files that a killed run left.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, OutputError> {
        let folder = Self { root: root.into() };
        fs::read_dir(&folder.root).map_err(|cause| OutputError::io("open", &folder.root, cause))?;
        folder.make_folders()?;
        folder.remove_files_where(&folder.root, is_temporary)?;
        folder.remove_files_where(&folder.frames(), is_temporary)?;
        Ok(folder)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The scene file as it was given.
    pub fn scene(&self) -> PathBuf {
        self.root.join(SCENE)
    }

    /// The scene as it was understood, every default and SI value spelled out.
    pub fn resolved(&self) -> PathBuf {
        self.root.join(RESOLVED)
    }

    /// Broken bonds.
    pub fn broken(&self) -> PathBuf {
        self.root.join(BROKEN)
    }

    /// Plot of the share of broken bonds; its PNG is beside it.
    pub fn breakage(&self) -> PathBuf {
        self.root.join(BREAKAGE)
    }

    /// Plot of the sizes of fragments; its PNG is beside it.
    pub fn fragments(&self) -> PathBuf {
        self.root.join(FRAGMENTS)
    }

    /// Folder of the frames.
    pub fn frames(&self) -> PathBuf {
        self.root.join(FRAMES)
    }

    /// Time series.
    pub fn table(&self) -> PathBuf {
        self.root.join(TABLE)
    }

    /// What the program said.
    pub fn log(&self) -> PathBuf {
        self.root.join(LOG)
    }

    /// Newest checkpoint; see [`super::checkpoint`].
    pub fn checkpoint(&self) -> PathBuf {
        self.root.join(CHECKPOINT)
    }

    /// Summary of the finished run.
    pub fn summary(&self) -> PathBuf {
        self.root.join(SUMMARY)
    }

    /// Picture of the final state.
    pub fn picture(&self) -> PathBuf {
        self.root.join(PICTURE)
    }

    /// Table of a heap profile or a distribution of speed, `kind` being `profile` or `histogram`.
    pub fn measure_table(&self, kind: &str, name: &str) -> PathBuf {
        self.root.join(format!("{kind}_{name}.csv"))
    }

    /// Plot of a heap profile or a distribution of speed; its PNG is beside it.
    pub fn measure_plot(&self, kind: &str, name: &str) -> PathBuf {
        self.root.join(format!("{kind}_{name}.svg"))
    }

    /// Collection of the frames of a kind: `spheres.pvd`.
    pub fn collection(&self, kind: &str) -> PathBuf {
        self.root.join(format!("{kind}.pvd"))
    }

    fn make_folders(&self) -> Result<(), OutputError> {
        let frames = self.frames();
        fs::create_dir_all(&frames).map_err(|cause| OutputError::io("create", &frames, cause))
    }

    fn trace_of_run(&self) -> Option<String> {
        let mut own_files =
            OWN_FILES.iter().map(ToString::to_string).chain(KINDS.iter().map(|kind| format!("{kind}.pvd")));
        own_files.find(|name| self.root.join(name).exists()).or_else(|| {
            let mut frames = fs::read_dir(self.frames()).ok()?;
            frames.next().map(|_| format!("files in {FRAMES}/"))
        })
    }

    fn clear(&self) -> Result<(), OutputError> {
        let own = |name: &str| {
            let is_collection = name.strip_suffix(".pvd").is_some_and(|kind| KINDS.contains(&kind));
            OWN_FILES.contains(&name) || is_collection || is_measure(name) || is_temporary(name)
        };
        self.remove_files_where(&self.root, own)?;
        self.remove_files_where(&self.frames(), |name| name.ends_with(".vtp") || is_temporary(name))
    }

    fn remove_files_where(&self, folder: &Path, doomed: impl Fn(&str) -> bool) -> Result<(), OutputError> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for entry in entries.flatten() {
            if doomed(&entry.file_name().to_string_lossy()) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|cause| OutputError::io("remove", &path, cause))?;
            }
        }
        Ok(())
    }
}

/// Whether a file was made by [`RunFolder::measure_table`] or [`RunFolder::measure_plot`].
fn is_measure(name: &str) -> bool {
    let kind = ["profile_", "histogram_"].iter().any(|kind| name.starts_with(kind));
    kind && [".csv", ".svg", ".png"].iter().any(|ending| name.ends_with(ending))
}

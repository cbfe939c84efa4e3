//! The files of a run folder that the page may see, found by what they are, never by a name that came from outside.

use crate::problem::Failure;
use breccia::output::frames::KINDS;
use breccia::output::vtk::Pvd;
use std::fs;
use std::path::{Path, PathBuf};

/// A run folder that is looked at.
#[derive(Clone, Debug)]
pub struct WatchedRun {
    root: PathBuf,
}

/// Why a file is not shown, in words for the page.
pub type Refusal = String;

impl WatchedRun {
    /// A run folder, which may vanish later.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        let advice = "name the folder a run writes to, such as out/hopper";
        let real = root
            .canonicalize()
            .map_err(|cause| Failure::other(format!("cannot open {}: {cause}", root.display()), advice))?;
        match real.is_dir() {
            true => Ok(Self { root: real }),
            false => Err(Failure::other(format!("{} is not a folder", root.display()), advice)),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Name of the folder.
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned())
    }

    /// The scene as it was understood; empty where that is not known.
    pub fn resolved(&self) -> toml::Table {
        self.text("resolved.toml").and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// Title of the scene, or the name of the folder.
    pub fn title(&self) -> String {
        let scene = self.resolved();
        let title = scene.get("title").and_then(toml::Value::as_str).filter(|title| !title.is_empty());
        title.map_or_else(|| self.name(), str::to_owned)
    }

    /// Gravity [m/s²]; empty where it is not known.
    pub fn gravity(&self) -> Vec<f64> {
        let scene = self.resolved();
        let vector =
            scene.get("model").and_then(|model| model.get("gravity")).and_then(toml::Value::as_array);
        vector.map_or_else(Vec::new, |parts| parts.iter().filter_map(number).collect())
    }

    /// What a run told at its end; null before.
    pub fn summary(&self) -> serde_json::Value {
        self.text("summary.json").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Whether it is still there.
    pub fn exists(&self) -> bool {
        self.root.is_dir()
    }

    /// Times [s] of the frames of a kind; an unreadable collection says why.
    pub fn times(&self, kind: &str) -> Result<Vec<f64>, Refusal> {
        Ok(self.collection(kind)?.frames().iter().map(|&(time, _)| time).collect())
    }

    /// File of a frame: number `index` in its collection.
    pub fn frame(&self, kind: &str, index: usize) -> Result<PathBuf, Refusal> {
        let collection = self.collection(kind)?;
        let (_, name) =
            collection.frames().get(index).ok_or_else(|| format!("there is no frame {index} of {kind}"))?;
        // Collections are files, too: what they name must look like a frame of ours.
        let number = name
            .strip_prefix("frames/")
            .and_then(|rest| rest.strip_prefix(kind))
            .and_then(|rest| rest.strip_prefix('_'))
            .and_then(|rest| rest.strip_suffix(".vtp"));
        if !number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())) {
            return Err(format!("{kind}.pvd names {name:?}, which is no frame of a run"));
        }
        self.inside(name)
    }

    /// A file of the folder by one of our own names, if it is a plain file that really lies in the folder.
    pub fn inside(&self, name: &str) -> Result<PathBuf, Refusal> {
        let path = self.root.join(name);
        let real = path.canonicalize().map_err(|cause| format!("cannot read {name}: {cause}"))?;
        if !real.starts_with(&self.root) {
            return Err(format!("{name} leads out of the run folder"));
        }
        // A pipe or a device would keep us waiting for ever.
        match fs::metadata(&real) {
            Ok(metadata) if metadata.is_file() => Ok(real),
            _ => Err(format!("{name} is not a plain file")),
        }
    }

    /// Text of a file by one of our own names.
    pub fn text(&self, name: &str) -> Option<String> {
        let bytes = fs::read(self.inside(name).ok()?).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn collection(&self, kind: &str) -> Result<Pvd, Refusal> {
        if !KINDS.contains(&kind) {
            return Err("there is no such kind of frames".into());
        }
        let name = format!("{kind}.pvd");
        match self.root.join(&name).exists() {
            true => Pvd::read(self.inside(&name)?).map_err(|error| error.to_string()),
            false => Ok(Pvd::new(name)),
        }
    }
}

/// A finite number of a TOML file.
pub fn number(value: &toml::Value) -> Option<f64> {
    let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    number.filter(|number| number.is_finite())
}

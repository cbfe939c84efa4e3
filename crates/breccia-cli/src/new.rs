//! `breccia new` and `breccia schema`.

use crate::cli::NewOptions;
use crate::problem::Failure;
use crate::tell;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// Writes a commented scene.
pub fn new(options: &NewOptions) -> Result<ExitCode, Failure> {
    let name = options.name.strip_suffix(".toml").unwrap_or(&options.name);
    if name.is_empty() || name.ends_with(['/', '\\']) {
        return Err(Failure::other(
            format!("`{}` is no name for a scene", options.name),
            "breccia new first",
        ));
    }
    let path = format!("{name}.toml");
    write_new(Path::new(&path)).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::other(format!("{path} already exists"), "choose another name: nothing is overwritten")
        }
        ErrorKind::NotFound => {
            Failure::other(format!("cannot write {path}: its folder does not exist"), "make the folder first")
        }
        _ => Failure::other(format!("cannot write {path}: {error}"), "choose another name or folder"),
    })?;
    tell::out(&format!(
        "Wrote {path}\n  breccia check {path}   shows what it means\n  breccia run {path}     runs it (about half a minute)\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn write_new(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(breccia::scene::template().as_bytes())
}

/// Prints the JSON schema of scenes.
pub fn schema() -> Result<ExitCode, Failure> {
    let text = serde_json::to_string_pretty(&breccia::scene::schema())
        .map_err(|error| Failure::other(format!("the schema cannot be printed: {error}"), "report this"))?;
    tell::out(&(text + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

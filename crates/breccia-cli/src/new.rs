//! `breccia new` and `breccia schema`.

use crate::cli::NewOptions;
use crate::problem::Failure;
use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;

/// Writes a commented scene.
pub fn new(options: &NewOptions) -> Result<ExitCode, Failure> {
    let name = options.name.strip_suffix(".toml").unwrap_or(&options.name);
    let path = format!("{name}.toml");
    let failed = |error: std::io::Error| {
        Failure::other(format!("cannot write {path}: {error}"), "choose another name or folder")
    };
    let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(failed)?;
    file.write_all(breccia::scene::template().as_bytes()).map_err(failed)?;
    println!(
        "wrote {path}\n  breccia check {path}   shows what it means\n  breccia run {path}     runs it (about half a minute)"
    );
    Ok(ExitCode::SUCCESS)
}

/// Prints the JSON schema of scenes.
pub fn schema() -> Result<ExitCode, Failure> {
    let text = serde_json::to_string_pretty(&breccia::scene::schema())
        .map_err(|error| Failure::other(format!("the schema cannot be printed: {error}"), "report this"))?;
    // A closed pipe (schema | head) is no failure.
    let _ = writeln!(std::io::stdout(), "{text}");
    Ok(ExitCode::SUCCESS)
}

//! The `breccia` program.

mod verify;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(("verify", rest)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
        eprintln!("usage: breccia verify [NAME …] [--quick]");
        return ExitCode::from(2);
    };
    let options = verify::VerifyOptions {
        names: rest.iter().filter(|name| *name != "--quick").cloned().collect(),
        quick: rest.iter().any(|flag| flag == "--quick"),
        out: "out/verify".into(),
    };
    match verify::run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

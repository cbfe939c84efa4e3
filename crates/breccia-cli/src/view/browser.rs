//! Opens a page in the user's browser.

use std::process::{Command, Stdio};

#[cfg(target_os = "macos")]
const OPENERS: &[&[&str]] = &[&["open"]];
#[cfg(windows)]
const OPENERS: &[&[&str]] = &[&["rundll32", "url.dll,FileProtocolHandler"]];
#[cfg(not(any(target_os = "macos", windows)))]
const OPENERS: &[&[&str]] = &[&["xdg-open"], &["wslview"], &["gio", "open"]];

/// Asks the system to open an address; whether some program took it.
pub fn open(address: &str) -> bool {
    OPENERS.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    })
}

//! Debian packages that the tests with real clients need: installed as root, else named in one line.

use std::path::Path;
use std::process::{Command, Stdio};

/// A package, and the files by any of which it, or what is as good, is known to be there.
const PACKAGES: [(&str, &[&str]); 3] = [
    ("chromium", &["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]),
    ("apache2", &["/usr/sbin/apache2"]),
    ("libapache2-mod-auth-openidc", &["/usr/lib/apache2/modules/mod_auth_openidc.so"]),
];

/// Installs what is missing; the error says what to run by hand.
pub(crate) fn install() -> Result<(), String> {
    let missing = missing();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("apt-get install --no-install-recommends {}", missing.join(" "));
    println!("setup: {by_hand}");
    let update = apt(&["update", "-qq"]);
    let installed = update && apt(&[&["install", "-y", "-qq", "--no-install-recommends"], &missing[..]].concat());
    if installed && self::missing().is_empty() { Ok(()) } else { Err(format!("run `sudo {by_hand}`")) }
}

fn missing() -> Vec<&'static str> {
    let is_absent = |files: &[&str]| !files.iter().any(|file| Path::new(file).exists());
    let absent = PACKAGES.into_iter().filter(|(_, files)| is_absent(files)).map(|(package, _)| package);
    absent.chain((!has_ensurepip()).then_some("python3-venv")).collect()
}

/// Debian's Python comes without what makes an environment; any other has it.
fn has_ensurepip() -> bool {
    let asked = Command::new("python3").args(["-c", "import ensurepip, venv"]).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Whether it succeeded; without the right to, it does not.
fn apt(arguments: &[&str]) -> bool {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    command.status().is_ok_and(|status| status.success())
}

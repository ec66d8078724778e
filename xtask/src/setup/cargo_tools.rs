//! Tools built from source under `target/tools`, each in one pinned version.

use crate::failure::Failure;
use crate::process;
use crate::project::TOOLS;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// They run for seconds and are built for minutes, so they are built quickly; what two of them share is built once.
const QUICKLY_BUILT: [(&str, &str); 5] = [
    ("CARGO_TARGET_DIR", "target/tools/build"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "false"),
];

/// A program of a published crate.
pub(crate) struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
    /// Whether the crate's own lock file is used.
    locked: bool,
}

impl Tool {
    pub(crate) fn worker_build() -> Self {
        Self { package: "worker-build", program: "worker-build", version: "0.8.7".to_owned(), locked: true }
    }

    pub(crate) fn cargo_deny() -> Self {
        Self { package: "cargo-deny", program: "cargo-deny", version: "0.20.2".to_owned(), locked: true }
    }

    /// Has to match the library in our own lock file to the digit. Its published lock file does not
    /// build, so it is not used.
    pub(crate) fn wasm_bindgen() -> Result<Self, Failure> {
        let version = locked_version("wasm-bindgen")?;
        Ok(Self { package: "wasm-bindgen-cli", program: "wasm-bindgen", version, locked: false })
    }

    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(TOOLS).join("bin").join(self.program)
    }

    fn is_installed(&self) -> bool {
        Command::new(self.path()).arg("--version").output().is_ok_and(|output| {
            String::from_utf8_lossy(&output.stdout).split_whitespace().last() == Some(self.version.as_str())
        })
    }
}

pub(crate) fn install(tool: &Tool) -> Result<(), Failure> {
    if tool.is_installed() {
        return Ok(());
    }
    println!("setup: building {} {}, which takes minutes, once", tool.package, tool.version);
    let version = format!("={}", tool.version);
    let mut command = process::cargo(&["install", tool.package, "--version", &version, "--root", TOOLS, "--force"]);
    if tool.locked {
        command.arg("--locked");
    }
    process::run(command.envs(QUICKLY_BUILT))
}

fn locked_version(package: &str) -> Result<String, Failure> {
    let lock = fs::read_to_string("Cargo.lock").map_err(Failure::while_doing("reading Cargo.lock"))?;
    let name = format!("name = \"{package}\"");
    lock.lines()
        .skip_while(|line| *line != name)
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("Cargo.lock names no {package}")))
}

//! The release build of the Worker: `build/index.js` and `build/index_bg.wasm`.
//!
//! worker-build would download its helpers, so it is told where the local ones are. A build whose
//! inputs have not changed is kept, since wasm-opt alone takes as long as the rest.

use crate::failure::Failure;
use crate::process;
use crate::project::{STAMPS, absolute};
use crate::setup::{self, Tool};
use crate::stamp::Stamp;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const FILES: [&str; 2] = ["build/index.js", "build/index_bg.wasm"];
const INPUTS: [&str; 12] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo",
    "package-lock.json",
    "src",
    "events/Cargo.toml",
    "events/src",
    "projections/Cargo.toml",
    "projections/src",
    "migrations",
    "xtask/src/build.rs",
];
/// What Cloudflare accepts of a Worker, compressed, on its smallest plan.
const CEILING: usize = 3_000_000;

pub(crate) fn run() -> Result<(), Failure> {
    setup::run()?;
    let stamp = Stamp::of(&Path::new(STAMPS).join("build"), &INPUTS, &[])?;
    if !(stamp.is_current() && FILES.iter().all(|file| Path::new(file).exists())) {
        let start = Instant::now();
        compile()?;
        stamp.write()?;
        println!("build: {:.0} s", start.elapsed().as_secs_f32());
    }
    check_size()
}

/// Without the package's name all default members would be built for the Worker's target.
fn compile() -> Result<(), Failure> {
    let mut command = Command::new(absolute(Tool::worker_build().path())?);
    process::run(
        command
            .args(["--release", ".", "--", "--package", "grantlog"])
            .env("WASM_BINDGEN_BIN", absolute(Tool::wasm_bindgen()?.path())?)
            .env("WASM_OPT_BIN", absolute("node_modules/.bin/wasm-opt")?)
            .env("ESBUILD_BIN", absolute("node_modules/.bin/esbuild")?),
    )
}

fn check_size() -> Result<(), Failure> {
    let size = FILES.iter().map(|file| compressed_size(file)).sum::<Result<usize, Failure>>()?;
    println!("build: {} kB compressed, of {} kB allowed", size / 1000, CEILING / 1000);
    if size <= CEILING { Ok(()) } else { Err(Failure::new("the compressed Worker is over its size ceiling")) }
}

fn compressed_size(file: &str) -> Result<usize, Failure> {
    let output = Command::new("gzip").args(["-c", file]).output().map_err(Failure::while_doing("gzip"))?;
    if output.status.success() {
        Ok(output.stdout.len())
    } else {
        Err(Failure::new(format!("gzip cannot read {file}")))
    }
}

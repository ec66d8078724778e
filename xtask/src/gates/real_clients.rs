//! Real clients, unmodified, against the server of the end-to-end tests; and every page in a real browser.
//!
//! Each is run whatever became of the ones before. One whose programs could not be had is reported, and the gate is
//! then not passed.

use super::{Run, Verdict};
use crate::failure::Failure;
use crate::process::{cargo, run};
use crate::setup;
use std::process::Command;

/// What a client needs beyond what set-up always installs.
enum Needs {
    Nothing,
    Debian,
    Python,
}

type Client = (&'static str, Needs, fn() -> Command);

/// Each prints a line for each of its checks.
const CLIENTS: [Client; 8] = [
    ("openid-client", Needs::Nothing, || node("openid-client.mjs")),
    ("oauth4webapi", Needs::Nothing, || node("oauth4webapi.mjs")),
    ("openidconnect", Needs::Nothing, || cargo(&["run", "--quiet", "-p", "grantlog-client-openidconnect"])),
    ("Authlib", Needs::Python, || script(setup::python::interpreter(), "authlib/check.py")),
    ("oidc-client-ts in Chromium", Needs::Debian, || node("oidc-client-ts/main.mjs")),
    ("Apache with mod_auth_openidc", Needs::Debian, || node("apache/main.mjs")),
    ("every page in Chromium", Needs::Debian, || node("pages.mjs")),
    ("every variant of each page, in every look", Needs::Debian, || node("variants.mjs")),
];

fn node(name: &str) -> Command {
    script("node", name)
}

fn script(interpreter: impl AsRef<std::ffi::OsStr>, name: &str) -> Command {
    let mut command = Command::new(interpreter);
    command.arg(format!("tests/clients/{name}"));
    command
}

pub(super) fn check(shared: &mut Run) -> Result<Verdict, Failure> {
    let Some(server) = &shared.server else { return Err(Failure::new("the end-to-end tests left no server")) };
    let environment = server.environment()?;
    // The environment for Python is a Debian package where it does not come with Python.
    let debian = setup::debian::install();
    let python = setup::python::install().map_err(|failure| format!("no Python packages: {failure}"));
    let (mut failed, mut not_run) = (Vec::new(), Vec::new());
    for (name, needs, command) in CLIENTS {
        let had = match needs {
            Needs::Nothing => Ok(()),
            Needs::Debian => debian.clone(),
            Needs::Python => python.clone(),
        };
        println!("{name}");
        if let Err(reason) = had {
            println!("not run {reason}");
            not_run.push(format!("{name} ({reason})"));
        } else if let Err(failure) = run(command().envs(environment.clone())) {
            failed.push(format!("{name}: {failure}"));
        }
    }
    match (failed.is_empty(), not_run.is_empty()) {
        (false, _) => Err(Failure::new(failed.join("; "))),
        (true, false) => Ok(Verdict::NotRun(not_run.join("; "))),
        (true, true) => Ok(Verdict::Passed),
    }
}

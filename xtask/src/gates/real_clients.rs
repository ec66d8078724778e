//! Real clients, unmodified, against the server of the end-to-end tests; and every page in a real browser.

use super::{Run, Verdict};
use crate::failure::Failure;
use crate::process::{cargo, run};
use crate::setup;
use std::process::Command;

/// What is run, each with its checks, one line for each.
const NODE: [&str; 5] = [
    "tests/clients/openid-client.mjs",
    "tests/clients/oauth4webapi.mjs",
    "tests/clients/oidc-client-ts/main.mjs",
    "tests/clients/apache/main.mjs",
    "tests/clients/pages.mjs",
];

pub(super) fn check(shared: &mut Run) -> Result<Verdict, Failure> {
    let Some(server) = &shared.server else { return Err(Failure::new("the end-to-end tests left no server")) };
    if let Err(by_hand) = setup::debian::install() {
        return Ok(Verdict::NotRun(by_hand));
    }
    if let Err(failure) = setup::python::install() {
        return Ok(Verdict::NotRun(format!("the Python packages could not be had: {failure}")));
    }
    let environment = server.environment()?;
    for script in NODE {
        println!("{script}");
        run(Command::new("node").arg(script).envs(environment.clone()))?;
    }
    println!("tests/clients/authlib");
    run(Command::new(setup::python::interpreter()).arg("tests/clients/authlib/check.py").envs(environment.clone()))?;
    println!("tests/clients/openidconnect");
    run(cargo(&["run", "--quiet", "-p", "grantlog-client-openidconnect"]).envs(environment))?;
    Ok(Verdict::Passed)
}

//! `demo`: the token lifecycle, told and checked.

use crate::failure::Failure;
use crate::{build, process, story};

pub(crate) fn run() -> Result<(), Failure> {
    build::run()?;
    story::run("demo", &mut process::cargo(&["run", "--quiet", "-p", "grantlog-tests", "--bin", "demo"]))
}

//! The tests that talk to a real workerd, on fresh state. The server stays up for the gate that
//! verifies what they wrote.

use super::Run;
use crate::failure::Failure;
use crate::process::{cargo, run};
use crate::serve::Server;

pub(super) fn check(shared: &mut Run) -> Result<(), Failure> {
    run(&mut cargo(&["build", "--quiet", "-p", "grantlog-audit"]))?;
    let server = Server::start("test")?;
    let mut tests = cargo(&["test", "-p", "grantlog-tests"]);
    if shared.long {
        tests.env("GRANTLOG_LONG", "1");
    }
    run(tests.envs(server.environment()?))?;
    shared.server = Some(server);
    Ok(())
}

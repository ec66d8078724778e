//! wrangler, kept to this checkout: it writes its logs here, asks nothing and reports nothing home.

use std::process::Command;

/// Environment for wrangler itself and for node programs that import it.
pub(crate) const QUIET: [(&str, &str); 3] =
    [("WRANGLER_LOG", "warn"), ("WRANGLER_LOG_PATH", ".wrangler/logs"), ("WRANGLER_SEND_METRICS", "false")];

pub(crate) fn wrangler(arguments: &[&str]) -> Command {
    let mut command = Command::new("node_modules/.bin/wrangler");
    // Its own notices are kept: only `serve` owes its output to a reader that is a program.
    command.args(arguments).envs(QUIET).env("WRANGLER_LOG", "log");
    command
}

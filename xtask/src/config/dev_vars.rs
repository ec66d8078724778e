//! `.dev.vars`: `NAME=value` a line, as wrangler reads it too. It holds secrets, so only its owner
//! may read it and git never sees it.

use super::secret;
use crate::failure::Failure;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;

const FILE: &str = ".dev.vars";
const SECRETS: [&str; 4] = ["OPERATOR_CLIENT_SECRET", "KEK", "LOG_KEY", "NAME_KEY"];

pub(super) fn read_or_create() -> Result<BTreeMap<String, String>, Failure> {
    match fs::read_to_string(FILE) {
        Ok(text) => parse(&text),
        Err(error) if error.kind() == ErrorKind::NotFound => parse(&create()?),
        Err(error) => Err(Failure::new(format!("{FILE} cannot be read: {error}"))),
    }
}

/// Written whole under another name first: two first starts at once must agree on the secrets.
fn create() -> Result<String, Failure> {
    let mut text = "OPERATOR_CLIENT_ID=operator\n".to_owned();
    for name in SECRETS {
        text.extend([name, "=", &secret::random()?, "\n"]);
    }
    let draft = format!("{FILE}.{}", std::process::id());
    let mut file =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).map_err(Failure::while_doing(FILE))?;
    file.write_all(text.as_bytes()).map_err(Failure::while_doing(FILE))?;
    let linked = fs::hard_link(&draft, FILE);
    fs::remove_file(&draft).map_err(Failure::while_doing(FILE))?;
    match linked {
        Ok(()) => eprintln!("{FILE} made, with new random secrets"),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(Failure::new(format!("{FILE} cannot be made: {error}"))),
    }
    fs::read_to_string(FILE).map_err(Failure::while_doing(FILE))
}

fn parse(text: &str) -> Result<BTreeMap<String, String>, Failure> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(index, line)| {
            let (name, value) = line
                .split_once('=')
                .ok_or_else(|| Failure::new(format!("line {} of {FILE} is not NAME=value", index + 1)))?;
            Ok((name.trim().to_owned(), value.trim().trim_matches('"').to_owned()))
        })
        .collect()
}

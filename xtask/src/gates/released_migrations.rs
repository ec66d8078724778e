//! A released migration is never edited: databases out there have run it as it was.
//!
//! `migrations/RELEASED` has a line per released file, as `sha256sum` prints it, with the path from
//! the root. To release: `sha256sum migrations/*/*.sql > migrations/RELEASED`.

use crate::failure::Failure;
use crate::stamp::sha256_hex;
use std::fs;
use std::io::ErrorKind;

const LIST: &str = "migrations/RELEASED";

pub(super) fn check() -> Result<(), Failure> {
    match fs::read_to_string(LIST) {
        Ok(list) => list.lines().filter(|line| !line.trim().is_empty()).try_for_each(check_line),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("no migration is released yet: there is no {LIST}");
            Ok(())
        }
        Err(error) => Err(Failure::while_doing(LIST)(error)),
    }
}

fn check_line(line: &str) -> Result<(), Failure> {
    let malformed = || Failure::new(format!("{LIST} holds a line that is not `<sha256>  <path>`"));
    let (hash, path) = line.split_once("  ").ok_or_else(malformed)?;
    let content = fs::read(path).map_err(Failure::while_doing(format!("the released migration {path}")))?;
    if sha256_hex(&content) == hash {
        Ok(())
    } else {
        Err(Failure::new(format!("the released migration {path} was edited")))
    }
}

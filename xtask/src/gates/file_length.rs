//! A file holds one rule. Over 400 lines it holds more, or tells it badly.

use super::tracked;
use crate::failure::Failure;

const MOST: usize = 400;
const KINDS: [&str; 4] = [".rs", ".mjs", ".js", ".py"];

pub(super) fn check() -> Result<(), Failure> {
    tracked::for_each_text(|path, text| {
        let lines = text.lines().count();
        if lines > MOST && KINDS.iter().any(|kind| path.ends_with(kind)) {
            return Err(Failure::new(format!("{path} has {lines} lines")));
        }
        Ok(())
    })
}

//! The report: what was checked, what was found, and what nobody has proven.

use super::log::Checked;
use crate::{
    cli,
    exit::{Exit, Failure},
};
use serde_json::{Value, json};
use std::io::Write;

/// What each log was checked for, in the order of the checks.
const OF_EACH_LOG: [&str; 6] = [
    "every event is canonically encoded",
    "every event has the digest that was listed for it",
    "every chain runs from genesis without gap or reorder",
    "every event keeps the rules of the domain",
    "no log ends before the manifest says",
    "every file has the listed size and SHA-256",
];

#[derive(Default)]
pub(super) struct Report {
    checked: Vec<&'static str>,
    logs: u64,
    events: u64,
    wrong: Option<Failure>,
}

impl Report {
    pub(super) fn passed(&mut self, check: &'static str) {
        self.checked.push(check);
    }

    pub(super) fn log(&mut self, log: &Checked) {
        self.logs += 1;
        self.events += log.digests.len() as u64;
    }

    pub(super) fn passed_logs(&mut self) {
        self.checked.extend(OF_EACH_LOG);
    }

    pub(super) fn extends_last_verified(&mut self, first: bool) {
        self.passed(if first { "nothing was verified before" } else { "every log extends its last verified end" });
    }

    pub(super) fn fail(&mut self, failure: Failure) -> Exit {
        let exit = failure.exit;
        self.wrong = Some(failure);
        exit
    }

    pub(super) fn to_json(&self) -> Value {
        let exit = self.wrong.as_ref().map_or(Exit::Sound, |wrong| wrong.exit);
        let mut report = json!({
            "sound": self.wrong.is_none(),
            "exit": exit.code(),
            "authenticated": false,
            "logs": self.logs,
            "events": self.events,
            "checked": self.checked,
        });
        if let (Some(members), Some(wrong)) = (report.as_object_mut(), &self.wrong) {
            members.insert("wrong".to_owned(), Value::from(wrong.sentence.clone()));
        }
        report
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        match &self.wrong {
            None => cli::line(out, format_args!("sound: {} logs, {} events", self.logs, self.events))?,
            Some(wrong) => cli::line(out, format_args!("wrong ({}): {}", wrong.exit.code(), wrong.sentence))?,
        }
        for check in &self.checked {
            cli::line(out, format_args!("  checked: {check}"))?;
        }
        cli::line(out, "authenticated: false (no signature was checked against a trusted key)")
    }
}

//! What `test` prints: each gate as it goes, and a table at the end.

use super::Verdict;
use crate::failure::Failure;
use std::ops::ControlFlow;
use std::time::Duration;

/// The lines of the final table.
#[derive(Default)]
pub(super) struct Report {
    lines: Vec<(&'static str, Duration, Outcome)>,
}

enum Outcome {
    Passed,
    NotRun(String),
    Failed(String),
}

impl Report {
    pub(super) fn end(
        &mut self,
        name: &'static str,
        took: Duration,
        result: Result<Verdict, Failure>,
    ) -> ControlFlow<()> {
        let outcome = match result {
            Ok(Verdict::Passed) => Outcome::Passed,
            Ok(Verdict::NotRun(reason)) => Outcome::NotRun(reason),
            Err(failure) => Outcome::Failed(failure.to_string()),
        };
        println!("--- {name}: {} ({:.1} s)", outcome.words(), took.as_secs_f32());
        let next =
            if matches!(outcome, Outcome::Failed(_)) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.lines.push((name, took, outcome));
        next
    }

    /// Prints the table of all gates, those that were not reached too, and the count.
    pub(super) fn conclude<const N: usize>(&self, names: [&'static str; N]) -> Result<(), Failure> {
        println!();
        for (name, took, outcome) in &self.lines {
            println!("{name:<34} {:>7.1} s  {}", took.as_secs_f32(), outcome.words());
        }
        for name in names.iter().skip(self.lines.len()) {
            println!("{name:<34}       - s  not reached");
        }
        let count = |wanted: fn(&Outcome) -> bool| self.lines.iter().filter(|(_, _, outcome)| wanted(outcome)).count();
        let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
        let passed = count(|outcome| matches!(outcome, Outcome::Passed));
        let not_run = count(|outcome| matches!(outcome, Outcome::NotRun(_)));
        println!("{passed} passed, {failed} failed, {not_run} not run");
        if failed == 0 { Ok(()) } else { Err(Failure::new("a gate failed")) }
    }
}

impl Outcome {
    fn words(&self) -> String {
        match self {
            Self::Passed => "passed".to_owned(),
            Self::NotRun(reason) => format!("not run: {reason}"),
            Self::Failed(reason) => format!("FAILED: {reason}"),
        }
    }
}

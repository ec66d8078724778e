//! What an isolate has counted since its last report.

use super::{Kind, Metric};
use grantlog_events::Timestamp;
use serde_json::{Map, Value, json};
use std::{cell::RefCell, collections::BTreeMap};

/// Between two reports of one isolate, in milliseconds.
const EVERY: u64 = 60_000;

/// The values of one isolate. Lost with it; what was not reported is lost too.
#[derive(Debug, Default)]
pub struct Account(RefCell<Values>);

#[derive(Debug, Default)]
struct Values {
    held: BTreeMap<Metric, u64>,
    reported_at: Option<Timestamp>,
}

/// What goes to the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report(Vec<(Metric, u64)>);

impl Account {
    /// Counts; answers with the report that is due, if one is. The first is due at once.
    pub fn count(&self, metric: Metric, value: u64, now: Timestamp) -> Option<Report> {
        self.add(metric, value);
        let mut values = self.0.borrow_mut();
        let due = values.reported_at.is_none_or(|at| now.since(at) >= EVERY);
        due.then(|| values.report(now))
    }

    /// Counts without a report.
    pub fn add(&self, metric: Metric, value: u64) {
        let mut values = self.0.borrow_mut();
        let held = values.held.entry(metric).or_default();
        *held = match metric.kind() {
            Kind::Sum => held.saturating_add(value),
            Kind::Peak | Kind::Instant => value.max(*held),
        };
    }

    /// A value since the last report; 0 if nothing was counted.
    #[must_use]
    pub fn value(&self, metric: Metric) -> u64 {
        self.0.borrow().held.get(&metric).copied().unwrap_or_default()
    }
}

impl Values {
    fn report(&mut self, now: Timestamp) -> Report {
        let report = Report(self.held.iter().map(|(metric, value)| (*metric, *value)).collect());
        self.held.retain(|metric, _| metric.kind() == Kind::Instant);
        self.reported_at = Some(now);
        report
    }
}

impl Report {
    /// One line of JSON: `{"metrics":{name: value, …}}`.
    #[must_use]
    pub fn line(&self) -> String {
        let members: Map<String, Value> =
            self.0.iter().map(|(metric, value)| (metric.name(), Value::from(*value))).collect();
        json!({ "metrics": members }).to_string()
    }

    /// Every metric and its value.
    pub fn values(&self) -> impl Iterator<Item = (Metric, u64)> + '_ {
        self.0.iter().copied()
    }
}

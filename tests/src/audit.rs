//! The audit interface: events page by page, and a token's history.

use crate::{Answer, Service, request::encoded};
use serde_json::Value;

/// An auditor with a token.
#[derive(Clone)]
pub struct Auditor {
    service: Service,
    /// A token with the scope `audit`.
    pub token: String,
}

impl Auditor {
    /// One with a fresh token of the operator.
    #[must_use]
    pub fn of(service: &Service) -> Self {
        Self { service: service.clone(), token: service.operator_token("audit") }
    }

    /// Every event that matches, over all pages.
    #[must_use]
    pub fn events(&self, query: &[(&str, &str)]) -> Vec<Value> {
        let mut events = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let page = self.page(query, after.as_deref()).expect(200).json();
            events.extend(page["events"].as_array().expect("a page has events").iter().cloned());
            let next = page["next"].as_str().map(str::to_owned);
            assert!(next.is_none() || next != after, "the cursor {next:?} does not move");
            match next {
                Some(_) => after = next,
                None => return events,
            }
        }
    }

    /// One page of events.
    #[must_use]
    pub fn page(&self, query: &[(&str, &str)], after: Option<&str>) -> Answer {
        let pairs = query.iter().copied().chain(after.map(|cursor| ("after", cursor)));
        let query: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        self.service.get(&format!("/audit/events?{}", query.join("&"))).bearer(&self.token).send()
    }

    /// A token's history as it is now.
    #[must_use]
    #[track_caller]
    pub fn history(&self, jti: &str) -> Value {
        self.service.get(&format!("/audit/tokens/{jti}")).bearer(&self.token).send().expect(200).json()
    }

    /// A token's history as recorded at an instant or address.
    #[must_use]
    #[track_caller]
    pub fn history_at(&self, jti: &str, at: &str) -> Value {
        let path = format!("/audit/tokens/{jti}?at={}", encoded(at));
        self.service.get(&path).bearer(&self.token).send().expect(200).json()
    }
}

/// The place of an event's log, `<epoch>.<shard>`, and its position there.
#[must_use]
pub fn place_and_seq(event: &Value) -> (String, u64) {
    let address = event["address"].as_str().expect("an event has an address");
    let (place, seq) = address.rsplit_once('.').expect("an address has a position");
    (place.to_owned(), seq.parse().expect("a position is a number"))
}

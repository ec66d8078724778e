//! The audit log over the whole HTTP layer, in memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use crate::http::tests::deployment::{Answer, Service};
use grantlog_events::{Digest, Event, Place, Stored};
use grantlog_projections::rendered::instant;
use http::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A deployment with an auditor.
struct Audit {
    deployment: Service,
    token: String,
}

impl Audit {
    fn new() -> Self {
        let deployment = Service::new();
        let token = deployment.operator("audit");
        Self { deployment, token }
    }

    fn get(&self, path: &str) -> Answer {
        self.deployment.send(Method::GET, path, &self.token, None)
    }

    /// Every event that a query leads to, page by page.
    fn all(&self, query: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut after = String::new();
        loop {
            let page = self.get(&format!("/audit/events?{query}{after}")).expect(200);
            found.extend(page["events"].as_array().unwrap().iter().cloned());
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => return found,
            }
        }
    }

    fn user(&self, user_name: &str) -> String {
        let scim = self.deployment.operator("scim");
        let user = json!({ "userName": user_name });
        let user = self.deployment.send(Method::POST, "/scim/v2/Users", &scim, Some(&user)).expect(201);
        user["id"].as_str().unwrap().to_owned()
    }

    /// The events of a log as they are stored.
    fn stored(&self, place: Place) -> Vec<Vec<u8>> {
        crate::shard::Store::events_from(self.deployment.world.shard(place).store(), 0, 10_000).unwrap()
    }
}

fn addresses(events: &[Value]) -> Vec<String> {
    events.iter().map(|event| event["address"].as_str().unwrap().to_owned()).collect()
}

/// The `jti` that a JWT says it has.
fn jti(token: &str) -> String {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice::<Value>(&claims).unwrap()["jti"].as_str().unwrap().to_owned()
}

/// E1, E9: whatever the page, every event of every log comes once, in order, with its very bytes.
#[test]
fn an_export_holds_every_event_once_in_order_whatever_the_page() {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let audit = Audit::new();
    for number in 0..5 {
        audit.user(&format!("user-{number}"));
    }
    for limit in [7, 100, 1000] {
        let events = audit.all(&format!("raw=true&limit={limit}"));
        let seen: BTreeSet<String> = addresses(&events).into_iter().collect();
        assert_eq!(seen.len(), events.len());
        for place in audit.deployment.world.places() {
            let stored = audit.stored(place);
            let prefix = format!("{}.{}.", place.epoch, place.shard);
            let exported: Vec<&Value> =
                events.iter().filter(|event| event["address"].as_str().unwrap().starts_with(&prefix)).collect();
            // Each query is itself recorded in the registry, so that one grows while it is read.
            assert!(exported.len() == stored.len() || (place.is_registry() && exported.len() <= stored.len()));
            for (event, bytes) in exported.iter().zip(&stored) {
                assert_eq!(event["raw"], URL_SAFE_NO_PAD.encode(bytes));
                assert_eq!(event["digest"], Digest::of(bytes).hex());
            }
        }
    }
}

/// A query is recorded before it is answered: who, where, and not what in clear.
#[test]
fn each_query_is_recorded_before_it_is_answered() {
    let audit = Audit::new();
    let page = audit.get("/audit/events?type=audit_queried&limit=5").expect(200);
    let event = &page["events"][0];
    assert_eq!((&event["client_id"], &event["body"]["endpoint"]), (&json!("operator"), &json!("/audit/events")));
    audit.get("/audit/tokens/1-0-0-00000000").expect(404);
    let events = audit.all("type=audit_queried");
    assert_eq!(events[1]["body"]["endpoint"], "/audit/tokens/1-0-0-00000000");
    let before = audit.stored(Place::REGISTRY).len();
    audit.get("/audit/events?limit=x").expect(400);
    audit.deployment.send(Method::GET, "/audit/events", &audit.deployment.operator("admin"), None).expect(403);
    assert_eq!(audit.stored(Place::REGISTRY).len(), before);
}

#[test]
fn filters_choose_by_person_client_type_and_time() {
    let audit = Audit::new();
    let id = audit.user("ada");
    let of_person = audit.all(&format!("subject={id}"));
    assert_eq!(of_person.iter().map(|event| event["type"].as_str().unwrap()).collect::<Vec<_>>(), ["subject_created"]);
    assert!(audit.all("client_id=operator&type=token_issued").len() >= 2);
    assert!(audit.all("client_id=c-nobody").is_empty());
    audit.deployment.wait(60_000);
    let later = instant::format(crate::ports::World::now(&audit.deployment.world));
    let other = audit.user("bob");
    let since: Vec<Value> = audit.all(&format!("type=subject_created&from={later}"));
    assert_eq!(since.iter().map(|event| event["subject"].clone()).collect::<Vec<_>>(), [json!(other)]);
    let until = audit.all(&format!("type=subject_created&to={later}"));
    assert_eq!(until.iter().map(|event| event["subject"].clone()).collect::<Vec<_>>(), [json!(id)]);
}

#[test]
fn malformed_queries_are_refused_by_name() {
    let audit = Audit::new();
    for query in [
        "subject=ada",
        "client_id=a%20b",
        "type=nothing",
        "from=yesterday",
        "to=1",
        "after=1-2-3",
        "limit=0",
        "limit=1001",
        "limit=-1",
        "raw=yes",
        "limit=1&limit=2",
    ] {
        assert_eq!(audit.get(&format!("/audit/events?{query}")).expect(400)["error"], "invalid_request", "{query}");
    }
}

#[test]
fn a_page_says_where_it_stopped_and_the_last_one_does_not() {
    let audit = Audit::new();
    let page = audit.get("/audit/events?limit=3").expect(200);
    assert_eq!(addresses(page["events"].as_array().unwrap()), ["0.0.0", "0.0.1", "0.0.2"]);
    assert_eq!(page["next"], "0.0.2");
    let next = audit.get("/audit/events?limit=3&after=0.0.2").expect(200);
    assert_eq!(addresses(next["events"].as_array().unwrap())[0], "0.0.3");
    let last = audit.get("/audit/events?after=9.0.0").expect(200);
    assert_eq!(last, json!({ "events": [] }));
}

#[test]
fn a_tokens_history_is_told_as_of_any_instant() {
    let audit = Audit::new();
    let token = audit.deployment.operator("scim");
    let jti = jti(&token);
    let history = audit.get(&format!("/audit/tokens/{jti}")).expect(200);
    assert_eq!(
        (&history["state"], &history["client_id"], &history["scope"]),
        (&json!("active"), &json!("operator"), &json!("scim"))
    );
    let admin = audit.deployment.operator("admin");
    audit.deployment.wait(1_000);
    let revocation = json!({ "jti": jti, "reason": "lost laptop" });
    let told = audit.deployment.send(Method::POST, "/admin/revocations", &admin, Some(&revocation)).expect(200);
    let after = audit.get(&format!("/audit/tokens/{jti}")).expect(200);
    assert_eq!((&after["state"], &after["reason"]), (&json!("revoked"), &json!("lost laptop")));
    let before = instant::format(crate::http::tests::deployment::NOW);
    assert_eq!(audit.get(&format!("/audit/tokens/{jti}?at={before}")).expect(200)["state"], "active");
    let position = told["position"].as_str().unwrap();
    assert_eq!(audit.get(&format!("/audit/tokens/{jti}?at={position}")).expect(200)["state"], "revoked");
    for wrong in ["at=0.0.1", "at=soon"] {
        audit.get(&format!("/audit/tokens/{jti}?{wrong}")).expect(400);
    }
}

#[test]
fn a_token_that_no_event_issued_is_404() {
    let audit = Audit::new();
    let genuine = jti(&audit.deployment.operator("scim"));
    let forged = format!("{}00000000", &genuine[..genuine.len() - 8]);
    for jti in ["x", "9-0-0-00000000", "1-77-0-00000000", "1-0-99999-00000000", "0-0-1-00000000", &forged] {
        audit.get(&format!("/audit/tokens/{jti}")).expect(404);
    }
    let early = audit.get(&format!("/audit/tokens/{genuine}?at=2001-01-01T00:00:00Z"));
    early.expect(404);
}

/// V1: a log that cannot be read is 503, never a shorter page.
#[test]
fn a_log_that_cannot_be_read_is_503_and_never_a_gap() {
    use crate::memory::When;
    for when in [When::Before, When::After] {
        for nth in 0..200 {
            let audit = Audit::new();
            audit.user("ada");
            audit.deployment.world.faults().fail(nth, when, false);
            let answer = audit.get("/audit/events?type=subject_created");
            if !audit.deployment.world.faults().mend() {
                break;
            }
            assert!(
                answer.status == 503 || answer.body["events"].as_array().is_some_and(|events| events.len() == 1),
                "{answer:?}"
            );
        }
    }
}

/// The JSON form of an event agrees with its bytes.
#[test]
fn what_is_shown_is_what_is_stored() {
    let audit = Audit::new();
    let shown = audit.all("");
    for bytes in audit.stored(Place { epoch: 1, shard: 0 }) {
        let event = Event::from_bytes(&bytes).unwrap();
        let shown = shown.iter().find(|shown| shown["address"] == event.address().to_string()).unwrap();
        assert_eq!((&shown["type"], &shown["id"]), (&json!(event.body.name()), &json!(event.id.to_string())));
    }
}

//! Signing keys over time: the spare takes over, the old key stays until its longest token has expired.

use super::deployment::{Service, part};
use serde_json::Value;
use std::collections::BTreeSet;

const HOUR: u64 = 3600 * 1000;
const DAY: u64 = 24 * HOUR;

fn key_set(service: &Service) -> BTreeSet<String> {
    let set: Value = service.get("/.well-known/jwks.json").expect(200);
    set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

/// The `kid` in a token's header.
fn kid(token: &str) -> String {
    part(token, 0)["kid"].as_str().unwrap().to_owned()
}

/// Moves the clock, and lets the ring be read anew as any isolate would.
fn after(service: &Service, milliseconds: u64) {
    service.wait(milliseconds);
    service.forget();
    service.get("/.well-known/jwks.json").expect(200);
    service.ring_alarms();
    service.forget();
}

/// K1, K2, K5: three months on, another key signs that clients have known all along; nothing that is
/// still in use is missing from the key set meanwhile.
#[test]
fn a_key_rotates_to_its_spare_and_leaves_after_its_longest_token() {
    let service = Service::new();
    let app = service.app();
    let (known, first) = (key_set(&service), kid(&service.machine(&app)));
    after(&service, 91 * DAY);
    let second = kid(&service.machine(&app));
    assert_ne!(first, second);
    assert!(known.contains(&second), "it signs with a key that clients had not seen");
    assert!(key_set(&service).contains(&first), "tokens that it signed may still live");
    after(&service, DAY + 2 * HOUR);
    let later = key_set(&service);
    assert!(!later.contains(&first) && later.contains(&second));
    assert_eq!(later.len(), 6, "each algorithm has a key that signs and a spare");
}

/// K8, K1: before its time no key changes, however often the ring is read.
#[test]
fn a_key_signs_on_until_it_is_time() {
    let service = Service::new();
    let app = service.app();
    let (known, first) = (key_set(&service), kid(&service.machine(&app)));
    for _ in 0..3 {
        after(&service, 20 * DAY);
    }
    assert_eq!((kid(&service.machine(&app)), key_set(&service)), (first, known));
}

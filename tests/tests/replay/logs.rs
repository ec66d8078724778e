//! Every log as the audit interface gives it: raw events by origin, in order.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Event, Stored};
use grantlog_tests::{Service, audit::Auditor};
use std::collections::BTreeMap;

pub(crate) fn all(service: &Service) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut logs: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for listed in Auditor::of(service).events(&[("raw", "true"), ("limit", "1000")]) {
        let raw = URL_SAFE_NO_PAD.decode(listed["raw"].as_str().expect("raw bytes were asked for")).expect("base64url");
        let event = Event::from_bytes(&raw).unwrap_or_else(|malformed| panic!("{}: {malformed}", listed["address"]));
        assert_eq!(listed["address"], event.address().to_string());
        logs.entry(event.origin.to_string()).or_default().push(raw);
    }
    logs
}

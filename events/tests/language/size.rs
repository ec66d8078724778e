//! How much an event weighs.

use crate::sample;
use grantlog_events::{Stored, envelope::MAX_EVENT};

/// E19: audit rows of whole bodies filled a store; an event says what happened and no more.
#[test]
fn a_typical_exchange_weighs_at_most_400_bytes() {
    let bytes = sample::exchange().to_bytes().len();
    assert!(bytes <= 400, "{bytes} bytes");
}

/// E19.
#[test]
fn every_sample_is_far_below_the_hard_limit() {
    for (name, event) in sample::events() {
        let bytes = event.to_bytes().len();
        assert!(bytes * 16 <= MAX_EVENT, "{name}: {bytes} bytes");
    }
}

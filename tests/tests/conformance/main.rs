//! The modules of the `OpenID` Foundation's conformance plans for an OP, one test for each that applies to the code
//! flow, named after it: `oidcc-basic`, `oidcc-config`, `oidcc-rp-initiated-logout` and
//! `oidcc-backchannel-rp-initiated-logout`. What each asks for follows from OIDC Core, Discovery and the logout
//! specifications; the README's table says which there are.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that does not hold"
)]

mod backchannel_logout;
mod basic;
mod claims_and_scopes;
mod config;
mod prompts_and_hints;
mod rejections;
mod rp_initiated_logout;

use grantlog_tests::{Browser, Person, RelyingParty, Service};

/// Who each test plays with; nobody is shared.
struct Cast {
    service: Service,
    party: RelyingParty,
    person: Person,
    browser: Browser,
}

fn cast() -> Cast {
    let service = Service::shared();
    let (party, person) = (RelyingParty::register(&service), Person::create(&service));
    let browser = Browser::new(&service);
    Cast { service, party, person, browser }
}

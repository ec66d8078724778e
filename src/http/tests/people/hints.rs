//! ID tokens as hints at a logout that say what none of ours says together, signed all the same: a session is ended
//! only with the person whose it is.

use super::{
    super::deployment::{Client, Service, claims},
    Browser,
    browser::Person,
    log::ended_sessions,
    logout::{BACK, logout, sending_back, text},
};
use crate::{
    jose::{
        id_token::{self, IdToken},
        ring,
    },
    memory::finished,
    ports::World,
};
use grantlog_events::{ClientId, key::Algorithm};
use serde_json::Map;

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

fn cast() -> Cast {
    let service = Service::new();
    let (client, person) = (sending_back(&service), service.person_with_password());
    Cast { service, client, person }
}

impl Cast {
    /// The person logs in; answers with the browser and the session.
    fn logged_in(&self) -> (Browser<'_>, String) {
        let browser = Browser::new(&self.service);
        let tokens = browser.tokens(&self.client, &self.person, &[("scope", "openid")]);
        let sid = claims(text(&tokens, "id_token"))["sid"].as_str().unwrap().to_owned();
        (browser, sid)
    }

    fn hint(&self, person: &Person, sid: Option<&str>) -> String {
        let world = &self.service.world;
        let ring = finished(ring::ring(world)).unwrap();
        let token = IdToken {
            subject: person.subject.to_string(),
            audience: ClientId::parse(&self.client.id).unwrap(),
            issued_at: world.now(),
            expires_at: world.now(),
            auth_time: None,
            nonce: None,
            acr: None,
            amr: Vec::new(),
            sid: sid.map(str::to_owned),
            at_hash_of: None,
            c_hash_of: None,
            extra: Map::new(),
        };
        let kid = ring.signing(Algorithm::Rs256).unwrap();
        finished(id_token::sign(world, &ring, kid, Algorithm::Rs256, &token)).unwrap()
    }
}

fn with(hint: &str) -> String {
    logout(&[("id_token_hint", hint), ("post_logout_redirect_uri", BACK)])
}

/// V15.
#[test]
fn a_session_is_not_ended_in_the_name_of_another_person() {
    let cast = cast();
    let (browser, sid) = cast.logged_in();
    let other = cast.service.person_with_password();
    let hint = cast.hint(&other, Some(&sid));
    assert!(browser.get(&with(&hint)).is_at("/logout"), "they are asked");
    assert_eq!(Browser::new(&cast.service).get(&with(&hint)).location(), BACK);
    assert_eq!(ended_sessions(&cast.service), []);
}

/// Such as a refreshed one that outlived its session: it says whose session it may end, not which.
#[test]
fn an_id_token_without_a_session_ends_that_of_its_own_persons_browser_alone() {
    let cast = cast();
    let (browser, _) = cast.logged_in();
    let other = cast.service.person_with_password();
    assert!(browser.get(&with(&cast.hint(&other, None))).is_at("/logout"));
    let own = cast.hint(&cast.person, None);
    assert_eq!(Browser::new(&cast.service).get(&with(&own)).location(), BACK);
    assert_eq!(ended_sessions(&cast.service), []);
    assert_eq!(browser.get(&with(&own)).location(), BACK);
    assert_eq!(ended_sessions(&cast.service).len(), 1);
}

/// What is not there has ended: of a log that was never opened, of an event that is no session, of none at all.
#[test]
fn a_session_that_nobody_knows_is_as_good_as_ended() {
    let cast = cast();
    let (_, sid) = cast.logged_in();
    let (place, _) = sid.rsplit_once('-').unwrap();
    for unknown in ["7-0-1", "1-99-1", &format!("{place}-0"), &format!("{place}-99999")] {
        let hint = cast.hint(&cast.person, Some(unknown));
        assert_eq!(Browser::new(&cast.service).get(&with(&hint)).location(), BACK, "{unknown}");
    }
    assert_eq!(ended_sessions(&cast.service), []);
}

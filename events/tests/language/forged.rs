//! A token without its event is no token, however well it is signed.

use crate::{
    sample::{client, kid, scope},
    shard::{Shard, exchange},
};
use grantlog_events::{
    EventId, Jti, Refusal, Subject, Timestamp,
    token::{Party, Presented},
};

/// Every field that the log compares, told otherwise.
fn forgeries(token: &Presented) -> Vec<(&'static str, Presented)> {
    let seq = token.jti.address.seq;
    let place = token.jti.address.place;
    let at = |seq| Jti { address: place.at(seq), ..token.jti.clone() };
    let suffix = Jti::of(token.jti.address, &EventId([0xff; 16]));
    let elsewhere = Jti { address: grantlog_events::Place { shard: 99, ..place }.at(seq), ..token.jti.clone() };
    let other_person = Party::Subject(Subject::born(1, [9; 16]));
    vec![
        ("an event not written yet", Presented { jti: at(seq + 1000), ..token.clone() }),
        ("an event of another type", Presented { jti: at(0), ..token.clone() }),
        ("another token's event", Presented { jti: at(seq - 1), ..token.clone() }),
        ("suffix", Presented { jti: suffix, ..token.clone() }),
        ("shard", Presented { jti: elsewhere, ..token.clone() }),
        ("client", Presented { client: client("other"), ..token.clone() }),
        ("subject", Presented { party: other_person, ..token.clone() }),
        ("a client as subject", Presented { party: Party::Client(client("app")), ..token.clone() }),
        ("kid", Presented { kid: kid("k9"), ..token.clone() }),
        ("exp later", Presented { expires_at: Timestamp(token.expires_at.0 + 1000), ..token.clone() }),
        ("exp earlier", Presented { expires_at: Timestamp(token.expires_at.0 - 1000), ..token.clone() }),
        ("more scope", Presented { scope: scope("openid profile email admin"), ..token.clone() }),
        ("less scope", Presented { scope: scope("openid"), ..token.clone() }),
        ("grant", Presented { grant: token.grant + 1, ..token.clone() }),
        ("another session", Presented { session: Some(token.session.map_or(1, |seq| seq + 1)), ..token.clone() }),
        ("no ancestors", Presented { ancestors: Vec::new(), ..token.clone() }),
        ("more ancestors", Presented { ancestors: [&token.ancestors[..], &[1]].concat(), ..token.clone() }),
    ]
}

/// Rightly signed with a leaked key, but no event issued it or the event says otherwise.
#[test]
fn a_forged_token_is_unknown_whichever_field_it_lies_about() {
    let (mut shard, subject) = Shard::home();
    let root = shard.login(&subject);
    let token = shard.exchanged(exchange(&root));
    for (what, forged) in forgeries(&token) {
        assert_eq!(shard.inspect(&forged), Err(Refusal::TokenUnknown), "{what}");
        let before = shard.state().head.next;
        assert_eq!(shard.refused(exchange(&forged)), Refusal::TokenUnknown, "{what}");
        assert_eq!(shard.state().head.next, before, "{what}: what is not genuine leaves no event");
    }
    assert!(shard.lives(&token));
}

/// A voided or refused exchange is an event too, and none that issued anything.
#[test]
fn a_jti_of_an_event_that_issued_nothing_is_unknown() {
    let (mut shard, subject) = Shard::home();
    let root = shard.login(&subject);
    let revocation = shard.granted(crate::revocation::by_operator(&root));
    let forged = Presented { jti: revocation.jti(), ..root };
    assert_eq!(shard.inspect(&forged), Err(Refusal::TokenUnknown));
}

/// A leaked key signs a token that conceals the session it dies with; the event knows.
#[test]
fn a_token_that_conceals_its_session_is_unknown() {
    let (mut shard, subject) = Shard::home();
    let device = shard.device(&subject, "app", crate::visit::BOUND);
    shard.granted(crate::visit::logout(device.session));
    let forged = Presented { session: None, ..device.held.token.clone() };
    assert_eq!(shard.inspect(&forged), Err(Refusal::TokenUnknown));
    assert_eq!(shard.inspect(&device.held.token), Err(Refusal::SessionEnded));
}

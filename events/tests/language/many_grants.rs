//! More grants than one event has room for: none of them is left out.

use crate::{
    sample::client,
    shard::Shard,
    visit::{OFFLINE, logout, request, withdraw},
};
use grantlog_events::{
    Body, Command, Draft, Event, State, Stored, Subject, command::EndSession, decide, envelope::MAX_EVENT, token::Party,
};

const GRANTS: u64 = 1_100;

/// A person whose client asked for codes all day long: one that the log decided, and its like at later positions.
fn crowd() -> (State, Shard, Subject, u64) {
    let (mut shard, subject) = Shard::home();
    let session = shard.enter(&subject);
    let code = shard.code(&subject, session, request("app", OFFLINE));
    let mut state = shard.state().clone();
    let first = state.event(code.address.seq).unwrap().clone();
    for seq in 100_000..100_000 + GRANTS - 1 {
        let event = Event { seq, grant: Some(seq), ..first.clone() };
        state.apply(&event, &event.to_bytes());
    }
    (state, shard, subject, session)
}

fn ended(drafts: &[Draft]) -> Vec<u64> {
    let named = drafts.iter().flat_map(|draft| match &draft.body {
        Body::SessionEnded(body) => body.grants.iter().map(|(grant, _)| *grant).collect(),
        Body::ConsentWithdrawn(body) => body.grants.iter().map(|(grant, _)| *grant).collect(),
        Body::GrantRevoked(body) => vec![body.target],
        other => panic!("{other:?}"),
    });
    named.collect()
}

/// V12: "all" is all, as in VC.
#[test]
fn a_lost_device_and_a_withdrawn_consent_end_every_grant_however_many() {
    let (state, shard, subject, session) = crowd();
    let commands: [Command; 2] =
        [EndSession { with_grants: true, ..logout(session) }.into(), withdraw(&subject, session, "app").into()];
    for command in commands {
        let drafts = decide(&state, &command, shard.now).events;
        let mut seen = ended(&drafts);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len() as u64, GRANTS);
        let mut after = state.clone();
        for (seq, draft) in (200_000..).zip(drafts) {
            assert!(draft.client.as_ref().is_none_or(|named| *named == client("app")));
            let event = Event { seq, body: draft.body, client: draft.client, ..state.event(0).unwrap().clone() };
            let event = Event { subject: draft.subject, ..event };
            let bytes = event.to_bytes();
            assert!(bytes.len() < MAX_EVENT, "{} bytes", bytes.len());
            after.apply(&event, &bytes);
        }
        let party = Party::Subject(subject.clone());
        assert_eq!(after.grants(&party).filter(|(grant, _)| after.revoked(&party, *grant).is_none()).count(), 0);
    }
}

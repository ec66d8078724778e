//! Whether everything that was made from the logs says what the logs say: state, user views, client views.

use super::deployment::Service;
use crate::{
    memory::finished,
    ports::{Log, Views, World},
    shard::{Ask, Query, Reply},
};
use grantlog_events::{
    ClientId, Place, State, Stored, Subject,
    state::{Key, Row, Standing},
    stored::Bytes,
};
use grantlog_projections::{
    claims,
    replay::{Replay, rows},
    user::{LiveRevocation, UserView, pack},
};
use std::collections::BTreeSet;

/// Lets every alarm ring, then compares.
#[track_caller]
pub(super) fn logs_and_views_agree(service: &Service) {
    service.ring_alarms();
    let mut shown = BTreeSet::new();
    for place in service.world.places() {
        let state = replay_equals_live(service, place);
        for (key, row) in state.rows() {
            match row {
                Row::Subject(_) => shown.extend(user_view_agrees(service, place, &state, key)),
                Row::Registered(_) => {
                    shown.insert(client_view_agrees(service, key));
                }
                _ => {}
            }
        }
        let position = finished(service.world.views().read_model_position(place)).unwrap();
        assert_eq!(position.map_or(0, |seq| seq + 1), state.head.next, "the read model of {place:?} is behind");
    }
    let stored: BTreeSet<String> = service.world.views().values().into_keys().collect();
    assert_eq!(stored, shown, "views of what is in no log");
}

/// Folds a log from its bytes, each admitted by the chain, and compares the rows byte for byte.
#[track_caller]
pub(super) fn replay_equals_live(service: &Service, place: Place) -> State {
    let shard = service.world.shard(place);
    let mut replay = Replay::default();
    for bytes in shard.store().all_events() {
        replay.take(&bytes).unwrap_or_else(|broken| panic!("{place:?} {broken}"));
    }
    let state = replay.into_state();
    assert_eq!(state.head, shard.head().unwrap(), "{place:?}");
    let live: Vec<(String, Vec<u8>)> = shard.store().all_rows().into_iter().collect();
    assert_eq!(rows(&state), live, "{place:?}: replay is not live");
    state
}

fn user_view_agrees(service: &Service, place: Place, state: &State, key: &Key) -> Option<String> {
    let subject = Subject::parse(key.name()).unwrap();
    assert_eq!(service.home(&subject), place, "{subject} is not at home");
    let name = format!("user:{subject}");
    let stored = service.world.views().value(&name).map(|bytes| UserView::from_bytes(&bytes).unwrap());
    let row = state.subject(&subject).unwrap();
    if row.standing == Standing::Erased {
        assert_eq!(stored, None, "{subject} is erased and shown");
        return None;
    }
    let stored = stored.unwrap_or_else(|| panic!("{subject} is not shown"));
    assert!(stored.seq >= row.changed && stored.seq < state.head.next, "{subject}: {} of {:?}", stored.seq, state.head);
    assert_eq!(stored, UserView { seq: stored.seq, ..rebuilt(service, place, state, &subject) });
    Some(name)
}

/// The view of a person made from nothing but the log, and the box that the home opens.
fn rebuilt(service: &Service, place: Place, state: &State, subject: &Subject) -> UserView {
    let row = state.subject(subject).unwrap();
    let revocations = state.rows().filter(|(key, _)| key.as_str().starts_with(&Key::revocations_of(subject)));
    let live = revocations.filter_map(|(key, row)| match row {
        Row::Revoked(row) => Some(LiveRevocation { target: key.position().unwrap(), until: row.until }),
        _ => None,
    });
    let asked = finished(service.world.log().ask(place, &Ask::Read(Query::Profile(subject.clone()))));
    let Ok(Reply::Profile(Some(profile))) = asked else { panic!("{subject}: {asked:?}") };
    UserView {
        seq: 0,
        standing: row.standing,
        dead_through: row.dead_through,
        revoked: Bytes(pack(live.collect(), row.dead_through, service.world.now())),
        claims: claims::by_scope(&profile.attributes.0).unwrap(),
    }
}

fn client_view_agrees(service: &Service, key: &Key) -> String {
    let client = ClientId::parse(key.name()).unwrap();
    let asked = finished(service.world.log().ask(Place::REGISTRY, &Ask::Read(Query::Client(client.clone()))));
    let Ok(Reply::Client(Some(view))) = asked else { panic!("{client}: {asked:?}") };
    let name = format!("client:{client}");
    assert_eq!(service.world.views().value(&name), Some(view.to_bytes()), "{client} is shown otherwise");
    name
}

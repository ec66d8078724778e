//! Births: a log begins by configuration, once, and nothing is decided in one that was never born.

use crate::{rolled::Rolled, sample_commands::all, shard::Shard};
use grantlog_events::{
    Body, Command, Origin, Place, Refusal,
    command::{OpenEpoch, OpenLog, RecordBirth, RecordQuery},
    decide::Answer,
};

#[test]
fn a_log_that_was_never_born_decides_nothing() {
    for (name, command) in all() {
        if !matches!(command, Command::OpenLog(_)) {
            let mut shard = Shard::unborn(Place { epoch: 1, shard: 0 });
            assert_eq!(shard.writes_nothing(command), Answer::Refused(Refusal::LogNotOpen), "{name}");
        }
    }
}

#[test]
fn a_log_is_born_once() {
    let place = Place { epoch: 1, shard: 0 };
    let mut shard = Shard::born(place);
    let again = OpenLog { place, verifier_key: "log+2".to_owned(), birth: [2; 32] };
    assert_eq!(shard.refused(again), Refusal::LogAlreadyOpen);
    assert_eq!(shard.state().log().unwrap().birth, [1; 32]);
}

/// Later changes of a setting can't move anyone.
#[test]
fn the_number_of_shards_of_an_epoch_is_fixed_once() {
    let mut registry = Shard::born(Place::REGISTRY);
    registry.granted(OpenEpoch { epoch: 1, shards: 64 });
    assert_eq!(registry.refused(OpenEpoch { epoch: 1, shards: 128 }), Refusal::EpochAlreadyOpen);
    assert_eq!(registry.refused(OpenEpoch { epoch: 0, shards: 2 }), Refusal::EpochAlreadyOpen, "the registry's own");
    registry.granted(OpenEpoch { epoch: 2, shards: 128 });
}

#[test]
fn a_birth_is_recorded_once_and_only_in_an_open_epoch() {
    let mut registry = Shard::born(Place::REGISTRY);
    let birth = |epoch, shard| RecordBirth {
        origin: Place { epoch, shard }.origin("op.example"),
        verifier_key: "log+1".to_owned(),
    };
    assert_eq!(registry.refused(birth(1, 0)), Refusal::EpochNotOpen);
    registry.granted(OpenEpoch { epoch: 1, shards: 4 });
    registry.granted(birth(1, 3));
    assert_eq!(registry.refused(birth(1, 4)), Refusal::EpochNotOpen);
    assert_eq!(registry.writes_nothing(birth(1, 3)), Answer::NothingToDo);
}

#[test]
fn an_origin_names_its_place_and_has_one_spelling() {
    let place = Place { epoch: 3, shard: 41 };
    assert_eq!(Origin::parse("op.example/log/3/41").unwrap().place(), place);
    for bad in ["op.example/log/3", "/log/3/41", "op.example/log/03/41", "op.example/log/3/4294967296", "x/3/41"] {
        assert!(Origin::parse(bad).is_err(), "{bad}");
    }
}

/// Reading the audit log is an event: who and where, and only a digest of what was asked.
#[test]
fn a_query_of_the_audit_log_is_recorded() {
    let mut registry = Shard::born(Place::REGISTRY);
    let mut dice = crate::dice::Dice::new(vec![1; 40]);
    let query = RecordQuery { endpoint: "/audit/events".to_owned(), ..RecordQuery::roll(&mut dice) };
    let event = registry.granted(query.clone());
    assert!(matches!(&event.body, Body::AuditQueried(body) if body.query == query.query));
    assert_eq!(event.client, Some(query.caller));
}

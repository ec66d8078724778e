//! One value, one encoding: what is written is read back, and nothing else is read as it.

use crate::{dice::Dice, golden::bytes_of, rolled::Rolled};
use ciborium::value::{Integer, Value as Foreign};
use grantlog_events::{Body, Command, Event, Stored, cbor::Value};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn entropy() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..600)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn an_event_that_was_written_is_read_as_itself(entropy in entropy()) {
        let event = Event::roll(&mut Dice::new(entropy));
        let bytes = event.to_bytes();
        prop_assert_eq!(Event::from_bytes(&bytes).unwrap(), event);
    }

    #[test]
    fn a_command_that_was_written_is_read_as_itself(entropy in entropy()) {
        let command = Command::roll(&mut Dice::new(entropy));
        prop_assert_eq!(Command::from_bytes(&command.to_bytes()).unwrap(), command);
    }

    /// Whatever an attacker changes, there are never two spellings of one event.
    #[test]
    fn a_changed_byte_gives_another_event_or_none(entropy in entropy(), at in any::<usize>(), byte: u8, how in 0..3) {
        let mut bytes = Event::roll(&mut Dice::new(entropy)).to_bytes();
        let at = at % bytes.len();
        match how {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            _ => { bytes.remove(at); }
        }
        if let Ok(read) = Event::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
        }
    }

    #[test]
    fn bytes_of_any_kind_are_read_as_what_they_are_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = Value::decode(&bytes) {
            prop_assert_eq!(value.encode(), bytes);
        }
    }

    /// `ciborium` is the witness from outside: it reads the same values out of our bytes.
    #[test]
    fn another_reader_of_cbor_finds_the_same_values(entropy in entropy()) {
        let event = Event::roll(&mut Dice::new(entropy));
        let foreign: Foreign = ciborium::from_reader(event.to_bytes().as_slice()).unwrap();
        prop_assert_eq!(foreign, as_foreign(&event.store()));
    }
}

fn as_foreign(value: &Value) -> Foreign {
    match value {
        Value::Uint(number) => Foreign::Integer(Integer::from(*number)),
        Value::Bytes(bytes) => Foreign::Bytes(bytes.clone()),
        Value::Text(text) => Foreign::Text(text.clone()),
        Value::Array(items) => Foreign::Array(items.iter().map(as_foreign).collect()),
        Value::Map(entries) => Foreign::Map(
            entries.iter().map(|(key, value)| (Foreign::Integer(Integer::from(*key)), as_foreign(value))).collect(),
        ),
    }
}

/// The other tests roll bodies; this one shows that no type escapes them.
#[test]
fn the_dice_reach_every_registered_type() {
    let reached: BTreeSet<u64> = (0..=255).map(|byte| Body::roll(&mut Dice::new(vec![byte])).number()).collect();
    let registered: BTreeSet<u64> = Body::REGISTRY.iter().map(|(number, _)| *number).collect();
    assert_eq!(reached, registered);
}

#[test]
fn a_length_that_promises_more_than_there_is_costs_nothing_and_is_refused() {
    for hex in ["9bffffffffffffffff", "bbffffffffffffffff", "5bffffffffffffffff", "7bffffffffffffffff", "9a7fffffff00"]
    {
        assert!(Value::decode(&bytes_of(hex)).is_err(), "{hex}");
    }
}

#[test]
fn nesting_beyond_what_an_event_needs_is_refused_before_it_costs_a_stack() {
    let deep = [vec![0x81; 100_000], vec![0x00]].concat();
    assert!(Value::decode(&deep).is_err());
}

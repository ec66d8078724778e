//! Every other spelling of an event is refused, one kind of deviation per test.

use crate::sample;
use grantlog_events::{Event, Malformed, Stored, cbor::Value};

fn refused(bytes: &[u8]) -> Malformed {
    Event::from_bytes(bytes).expect_err("another spelling of an event was read")
}

/// The sample with its map entries changed, written without any check.
fn with_entries(change: impl FnOnce(&mut Vec<(u8, Value)>)) -> Vec<u8> {
    let Value::Map(mut entries) = sample::exchange().store() else { unreachable!("an event is a map") };
    change(&mut entries);
    Value::Map(entries).encode()
}

fn in_body(change: impl FnOnce(&mut Vec<(u8, Value)>)) -> Vec<u8> {
    with_entries(|entries| {
        let body = entries.iter_mut().find(|(key, _)| *key == 15).unwrap();
        let Value::Map(fields) = &mut body.1 else { unreachable!("a body is a map") };
        change(fields);
    })
}

#[test]
fn the_sample_itself_is_read() {
    assert_eq!(Event::from_bytes(&with_entries(|_| ())).unwrap(), sample::exchange());
}

#[test]
fn any_integer_or_length_with_a_longer_head_is_refused() {
    let bytes = sample::exchange().to_bytes();
    // A map of 16 entries or so has a one-byte head; the same count in two bytes says the same.
    let (first, rest) = bytes.split_first().unwrap();
    let count = first & 0x1f;
    assert_eq!(refused(&[&[0xb8, count], rest].concat()), Malformed::NotCanonical("a head longer than needed"));
    for (short, long) in [("00", "1800"), ("17", "1817"), ("18ff", "1900ff"), ("19ffff", "1a0000ffff")] {
        let (short, long) = (crate::golden::bytes_of(short), crate::golden::bytes_of(long));
        assert!(Value::decode(&short).is_ok());
        assert!(Value::decode(&long).is_err());
    }
    let widest = crate::golden::bytes_of("1b00000000ffffffff");
    assert!(Value::decode(&widest).is_err());
}

#[test]
fn keys_out_of_order_are_refused() {
    let last = sample::exchange().store();
    let Value::Map(entries) = last else { unreachable!() };
    for at in 1..entries.len() {
        let bytes = with_entries(|entries| entries.swap(at - 1, at));
        assert_eq!(refused(&bytes), Malformed::NotCanonical("map keys that do not ascend"));
    }
}

#[test]
fn a_key_given_twice_is_refused() {
    let bytes = with_entries(|entries| entries.insert(1, entries[0].clone()));
    assert_eq!(refused(&bytes), Malformed::NotCanonical("map keys that do not ascend"));
}

#[test]
fn a_byte_after_the_event_is_refused() {
    let bytes = [sample::exchange().to_bytes(), vec![0]].concat();
    assert_eq!(refused(&bytes), Malformed::NotCanonical("bytes after the value"));
}

#[test]
fn every_truncation_is_refused() {
    let bytes = sample::exchange().to_bytes();
    for length in 0..bytes.len() {
        refused(&bytes[..length]);
    }
}

#[test]
fn an_unknown_key_is_refused_in_the_envelope_and_in_the_body() {
    for key in 18..=23 {
        refused(&with_entries(|entries| entries.push((key, Value::Uint(0)))));
        refused(&in_body(|fields| fields.push((key, Value::Uint(0)))));
    }
}

#[test]
fn a_key_beyond_23_is_refused_though_it_would_ascend() {
    let bytes = with_entries(|entries| entries.push((24, Value::Uint(0))));
    assert_eq!(refused(&bytes), Malformed::NotCanonical("a map key that is not 0 to 23"));
}

#[test]
fn an_absent_field_spelled_out_as_empty_is_refused() {
    let empty_lists = [(11, Value::Array(vec![])), (12, Value::Array(vec![]))];
    for (key, empty) in empty_lists {
        refused(&with_entries(|entries| entries.iter_mut().find(|(held, _)| *held == key).unwrap().1 = empty.clone()));
    }
    // An empty scope and an empty audience of the body.
    refused(&in_body(|fields| fields.iter_mut().find(|(held, _)| *held == 5).unwrap().1 = Value::Text(String::new())));
    refused(&in_body(|fields| fields.iter_mut().find(|(held, _)| *held == 6).unwrap().1 = Value::Array(vec![])));
}

#[test]
fn a_flag_spelled_out_as_false_is_refused() {
    let (_, event) = sample::events().into_iter().find(|(name, _)| name == "client_changed").unwrap();
    let Value::Map(mut entries) = event.store() else { unreachable!() };
    for value in [0, 2] {
        let Some((_, Value::Map(fields))) = entries.iter_mut().find(|(key, _)| *key == 15) else { unreachable!() };
        fields.iter_mut().find(|(key, _)| *key == 3).unwrap().1 = Value::Uint(value);
        refused(&Value::Map(entries.clone()).encode());
    }
}

#[test]
fn a_scope_spelled_with_other_spaces_or_twice_is_refused() {
    for text in ["openid  profile", " openid", "openid ", "openid openid", "openid\tprofile", "opén"] {
        let text = Value::Text(text.to_owned());
        refused(&in_body(|fields| fields.iter_mut().find(|(held, _)| *held == 5).unwrap().1 = text));
    }
}

#[test]
fn an_unknown_type_stops_the_reader() {
    let bytes = with_entries(|entries| entries[2].1 = Value::Uint(9));
    assert_eq!(refused(&bytes), Malformed::UnknownType(9));
}

#[test]
fn a_body_of_another_type_is_refused() {
    for number in [1, 12, 54, 60, 63, 70] {
        refused(&with_entries(|entries| entries[2].1 = Value::Uint(number)));
    }
}

#[test]
fn an_unknown_envelope_version_is_refused() {
    refused(&with_entries(|entries| entries[0].1 = Value::Uint(2)));
}

#[test]
fn every_field_that_an_event_must_have_is_missed() {
    for key in (0..=7).chain([13, 15]) {
        refused(&with_entries(|entries| entries.retain(|(held, _)| *held != key)));
    }
}

#[test]
fn the_digest_of_the_command_stands_in_body_key_0_and_nowhere_else() {
    refused(&in_body(|fields| {
        let digest = fields.remove(0).1;
        fields.push((23, digest));
    }));
    refused(&in_body(|fields| fields[0].1 = Value::Bytes(vec![1; 15])));
    refused(&in_body(|fields| fields[0].1 = Value::Uint(1)));
    let without = in_body(|fields| drop(fields.remove(0)));
    assert_eq!(Event::from_bytes(&without).unwrap().command, None);
}

/// X13: the limits hold for readers too.
#[test]
fn a_chain_longer_than_any_that_is_granted_is_refused() {
    let event = sample::exchange();
    let ancestors = |length: u64| Event { ancestors: (0..length).collect(), ..event.clone() };
    let actors = |length| Event { actors: vec![event.actors[0].clone(); length], ..event.clone() };
    for longest in [ancestors(32), actors(16)] {
        assert_eq!(Event::from_bytes(&longest.to_bytes()).unwrap(), longest);
    }
    refused(&ancestors(33).to_bytes());
    refused(&actors(17).to_bytes());
}

#[test]
fn an_outcome_has_two_spellings_and_no_third() {
    for outcome in [
        Value::Uint(1),
        Value::Array(vec![]),
        Value::Array(vec![Value::Uint(0), Value::Uint(1)]),
        Value::Array(vec![Value::Uint(1)]),
        Value::Array(vec![Value::Uint(1), Value::Uint(999)]),
        Value::Array(vec![Value::Uint(1), Value::Uint(1), Value::Uint(1)]),
    ] {
        refused(&with_entries(|entries| entries.iter_mut().find(|(key, _)| *key == 13).unwrap().1 = outcome));
    }
}

#[test]
fn a_number_where_a_name_belongs_or_a_name_of_another_form_is_refused() {
    for subject in ["", "1-short", "01-BwcHBwcHBwcHBwcHBwcHBw", "1-BwcHBwcHBwcHBwcHBwcHB!", "alice"] {
        let subject = Value::Text(subject.to_owned());
        refused(&with_entries(|entries| entries.iter_mut().find(|(key, _)| *key == 8).unwrap().1 = subject));
    }
    for client in
        [Value::Uint(1), Value::Text(String::new()), Value::Text("a b".to_owned()), Value::Text("x".repeat(129))]
    {
        refused(&with_entries(|entries| entries.iter_mut().find(|(key, _)| *key == 9).unwrap().1 = client));
    }
}

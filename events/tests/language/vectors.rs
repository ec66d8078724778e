//! RFC 8949 appendix A: what events use is read and written back, everything else is refused.

use crate::golden::bytes_of;
use grantlog_events::cbor::Value;
use std::{fs, path::Path};

/// In RFC 8949's own order of §4.2.1: 10, 100, −1, "z", "aa", [100], [−1], false. Then what a clone without the
/// shared vectors should still know: (hex, whether an event may hold it).
const KNOWN: &[(&str, bool)] = &[
    ("0a", true),
    ("1864", true),
    ("20", false),
    ("617a", true),
    ("626161", true),
    ("811864", true),
    ("8120", false),
    ("f4", false),
    ("00", true),
    ("17", true),
    ("1818", true),
    ("1817", false),
    ("1903e8", true),
    ("1bffffffffffffffff", true),
    ("3bffffffffffffffff", false),
    ("c249010000000000000000", false),
    ("f90000", false),
    ("fa47c35000", false),
    ("fb3ff199999999999a", false),
    ("f5", false),
    ("f6", false),
    ("f7", false),
    ("f818", false),
    ("c11a514b67b0", false),
    ("40", true),
    ("4401020304", true),
    ("60", true),
    ("62c3bc", true),
    ("62c328", false),
    ("80", true),
    ("8301820203820405", true),
    ("a0", true),
    ("a201020304", true),
    ("a203040102", false),
    ("a201020103", false),
    ("a1181800", false),
    ("a26161016162820203", false),
    ("5f42010243030405ff", false),
    ("7f657374726561646d696e67ff", false),
    ("9fff", false),
    ("bfff", false),
    ("ff", false),
    ("1c", false),
];

#[test]
fn known_encodings_are_read_and_written_back_or_refused() {
    for (hex, allowed) in KNOWN {
        check(hex, *allowed);
    }
}

#[test]
fn appendix_a_is_read_and_written_back_or_refused() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors/cbor_appendix_a.json");
    let Ok(text) = fs::read_to_string(file) else {
        eprintln!("the shared vectors are not here: only the known encodings above were tested");
        return;
    };
    let vectors: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let (mut read, mut refused) = (0, 0);
    for vector in &vectors {
        let hex = vector["hex"].as_str().unwrap();
        let allowed = is_allowed(vector);
        check(hex, allowed);
        if allowed { read += 1 } else { refused += 1 }
    }
    assert_eq!((read, refused), (26, 56), "appendix A has 82 vectors");
}

fn check(hex: &str, allowed: bool) {
    match Value::decode(&bytes_of(hex)) {
        Ok(value) => {
            assert!(allowed, "{hex} was read as {value:?}");
            assert_eq!(value.encode(), bytes_of(hex));
        }
        Err(refusal) => assert!(!allowed, "{hex} was refused: {refusal}"),
    }
}

/// Judged by an independent reader, not by ours: RFC 8949 says that the vector is what a plain encoder writes, and no
/// part of the value that `ciborium` reads is anything but an unsigned integer, bytes, text, an array, or a map with
/// ascending keys 0 to 23.
fn is_allowed(vector: &serde_json::Value) -> bool {
    let bytes = bytes_of(vector["hex"].as_str().unwrap());
    let value = ciborium::from_reader(bytes.as_slice()).unwrap_or(ciborium::Value::Null);
    vector["roundtrip"].as_bool().unwrap() && is_plain(&value)
}

fn is_plain(value: &ciborium::Value) -> bool {
    match value {
        ciborium::Value::Integer(number) => u64::try_from(*number).is_ok(),
        ciborium::Value::Bytes(_) | ciborium::Value::Text(_) => true,
        ciborium::Value::Array(items) => items.iter().all(is_plain),
        ciborium::Value::Map(entries) => {
            let keys: Vec<Option<u64>> =
                entries.iter().map(|(key, _)| key.as_integer().and_then(|key| u64::try_from(key).ok())).collect();
            keys.iter().all(|key| key.is_some_and(|key| key < 24))
                && keys.windows(2).all(|pair| pair[0] < pair[1])
                && entries.iter().all(|(_, value)| is_plain(value))
        }
        _ => false,
    }
}

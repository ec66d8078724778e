//! At most 32 ancestors and 16 actors. An event beyond that cannot even be read, so this looks at the bare
//! value: a chain that is too long is a broken rule, not a broken encoding.

use grantlog_events::{
    cbor::Value,
    decide::{MAX_ACTORS, MAX_ANCESTORS},
};

/// The envelope's keys of both chains, what stands in them, and how many it may be.
const CHAINS: [(u8, &str, usize); 2] = [(11, "ancestors", MAX_ANCESTORS), (12, "actors", MAX_ACTORS)];

/// Which limit the bytes exceed, in words.
pub(in crate::verify) fn exceeded(bytes: &[u8]) -> Option<String> {
    let Ok(Value::Map(entries)) = Value::decode(bytes) else { return None };
    let length = |key: u8| match entries.iter().find(|(held, _)| *held == key) {
        Some((_, Value::Array(items))) => items.len(),
        _ => 0,
    };
    let (key, name, limit) = CHAINS.into_iter().find(|(key, _, limit)| length(*key) > *limit)?;
    Some(format!("it has {} {name}, over the limit of {limit}", length(key)))
}

//! CBOR sequences (RFC 8742): where one item ends and the next begins.
//!
//! Only lengths are read here; whether an item is the canonical encoding of an event is judged by the
//! event language. What has no definite length ends the sequence, since events have none such.

use std::ops::Range;

/// Deeper than any event nests.
const MAX_DEPTH: u8 = 32;

/// Why a sequence ends before its bytes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The last item is cut short.
    Cut,
    /// The bytes are no definite-length CBOR.
    NotCbor,
}

/// Where the items stand, and what is wrong with the bytes after the last whole one.
pub(crate) fn split(bytes: &[u8]) -> (Vec<Range<usize>>, Option<Fault>) {
    let mut spans = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        match end_of_item(bytes, start, 0) {
            Ok(end) => spans.push(start..end),
            Err(fault) => return (spans, Some(fault)),
        }
        start = spans.last().map_or(bytes.len(), |span| span.end);
    }
    (spans, None)
}

fn end_of_item(bytes: &[u8], at: usize, depth: u8) -> Result<usize, Fault> {
    if depth > MAX_DEPTH {
        return Err(Fault::NotCbor);
    }
    let first = *bytes.get(at).ok_or(Fault::Cut)?;
    let (argument, at) = argument(bytes, at + 1, first & 0x1f)?;
    match first >> 5 {
        0 | 1 | 7 => Ok(at),
        2 | 3 => skip(bytes, at, argument),
        4 => end_of_items(bytes, at, argument, depth),
        5 => end_of_items(bytes, at, argument.checked_mul(2).ok_or(Fault::Cut)?, depth),
        _ => end_of_item(bytes, at, depth + 1),
    }
}

fn end_of_items(bytes: &[u8], mut at: usize, count: u64, depth: u8) -> Result<usize, Fault> {
    for _ in 0..count {
        at = end_of_item(bytes, at, depth + 1)?;
    }
    Ok(at)
}

fn skip(bytes: &[u8], at: usize, length: u64) -> Result<usize, Fault> {
    let end = usize::try_from(length).ok().and_then(|length| at.checked_add(length)).ok_or(Fault::Cut)?;
    if end > bytes.len() { Err(Fault::Cut) } else { Ok(end) }
}

fn argument(bytes: &[u8], at: usize, short: u8) -> Result<(u64, usize), Fault> {
    let width = match short {
        0..=23 => return Ok((u64::from(short), at)),
        24 => 1,
        25 => 2,
        26 => 4,
        27 => 8,
        _ => return Err(Fault::NotCbor),
    };
    let taken = bytes.get(at..at + width).ok_or(Fault::Cut)?;
    Ok((taken.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)), at + width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_one_after_the_other() {
        // 1, "ab", [1, h'00'], {0: 24}
        let bytes = [0x01, 0x62, b'a', b'b', 0x82, 0x01, 0x41, 0x00, 0xa1, 0x00, 0x18, 0x18];
        assert_eq!(split(&bytes), (vec![0..1, 1..4, 4..8, 8..12], None));
    }

    #[test]
    fn a_cut_item_and_an_indefinite_one_are_told_apart() {
        let one: Vec<Range<usize>> = std::iter::once(0..1).collect();
        assert_eq!(split(&[0x01, 0x62, b'a']), (one.clone(), Some(Fault::Cut)));
        assert_eq!(split(&[0x01, 0x9f, 0xff]), (one, Some(Fault::NotCbor)));
        assert_eq!(split(&[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), (vec![], Some(Fault::Cut)));
        assert_eq!(split(&[0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), (vec![], Some(Fault::Cut)));
    }

    #[test]
    fn hostile_nesting_does_not_exhaust_the_stack() {
        assert_eq!(split(&vec![0x81; 1 << 20]), (vec![], Some(Fault::NotCbor)));
        assert_eq!(split(&vec![0xc1; 1 << 20]), (vec![], Some(Fault::NotCbor)));
    }
}

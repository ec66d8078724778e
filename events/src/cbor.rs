//! The deterministic subset of CBOR that events are written in.
//!
//! Only unsigned integers, byte strings, text, arrays and maps with ascending keys 0–23 exist here;
//! lengths are definite and every head is the shortest one. Whatever else RFC 8949 allows has no
//! `Value`, so it can neither be written nor read: one value has exactly one encoding.

use crate::stored::Malformed;

/// How deep arrays and maps may nest; a deeper input is hostile.
const MAX_DEPTH: u8 = 12;

const UINT: u8 = 0;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;

/// A value that has one encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An unsigned integer.
    Uint(u64),
    /// A byte string.
    Bytes(Vec<u8>),
    /// UTF-8 text.
    Text(String),
    /// An array.
    Array(Vec<Value>),
    /// A map; keys are 0–23 and ascend.
    Map(Vec<(u8, Value)>),
}

impl Value {
    /// The one encoding of this value.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512);
        self.write(&mut bytes);
        bytes
    }

    /// Reads the one value that `bytes` encode, refusing every other spelling of it.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader { rest: bytes };
        let value = reader.value(0)?;
        if reader.rest.is_empty() { Ok(value) } else { Err(Malformed::NotCanonical("bytes after the value")) }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Uint(number) => head(out, UINT, *number),
            Self::Bytes(bytes) => {
                head(out, BYTES, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
            Self::Text(text) => {
                head(out, TEXT, text.len() as u64);
                out.extend_from_slice(text.as_bytes());
            }
            Self::Array(items) => {
                head(out, ARRAY, items.len() as u64);
                for item in items {
                    item.write(out);
                }
            }
            Self::Map(entries) => {
                head(out, MAP, entries.len() as u64);
                for (key, value) in entries {
                    head(out, UINT, u64::from(*key));
                    value.write(out);
                }
            }
        }
    }
}

/// Writes the shortest head of a major type with its argument.
fn head(out: &mut Vec<u8>, major: u8, argument: u64) {
    let [.., b4, b5, b6, b7] = argument.to_be_bytes();
    let major = major << 5;
    match argument {
        0..=23 => out.push(major + b7),
        24..=0xff => out.extend_from_slice(&[major + 24, b7]),
        0x100..=0xffff => out.extend_from_slice(&[major + 25, b6, b7]),
        0x1_0000..=0xffff_ffff => out.extend_from_slice(&[major + 26, b4, b5, b6, b7]),
        _ => {
            out.push(major + 27);
            out.extend_from_slice(&argument.to_be_bytes());
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: u8) -> Result<Value, Malformed> {
        if depth > MAX_DEPTH {
            return Err(Malformed::NotCanonical("nested too deep"));
        }
        let (major, argument) = self.head()?;
        match major {
            UINT => Ok(Value::Uint(argument)),
            BYTES => Ok(Value::Bytes(self.take(argument)?.to_vec())),
            TEXT => std::str::from_utf8(self.take(argument)?)
                .map(|text| Value::Text(text.to_owned()))
                .map_err(|_| Malformed::NotCanonical("text that is not UTF-8")),
            ARRAY => (0..argument).map(|_| self.value(depth + 1)).collect::<Result<_, _>>().map(Value::Array),
            MAP => self.map(argument, depth + 1),
            _ => Err(Malformed::NotCanonical("a type that events do not use")),
        }
    }

    fn map(&mut self, length: u64, depth: u8) -> Result<Value, Malformed> {
        let mut entries: Vec<(u8, Value)> = Vec::new();
        for _ in 0..length {
            let key = match self.head()? {
                (UINT, key @ 0..=23) => u8::try_from(key).unwrap_or(u8::MAX),
                _ => return Err(Malformed::NotCanonical("a map key that is not 0 to 23")),
            };
            if entries.last().is_some_and(|(last, _)| *last >= key) {
                return Err(Malformed::NotCanonical("map keys that do not ascend"));
            }
            entries.push((key, self.value(depth)?));
        }
        Ok(Value::Map(entries))
    }

    fn head(&mut self) -> Result<(u8, u64), Malformed> {
        let [first] = self.array::<1>()?;
        let argument = match first & 0x1f {
            short @ 0..=23 => u64::from(short),
            24 => u64::from(u8::from_be_bytes(self.array()?)),
            25 => u64::from(u16::from_be_bytes(self.array()?)),
            26 => u64::from(u32::from_be_bytes(self.array()?)),
            27 => u64::from_be_bytes(self.array()?),
            _ => return Err(Malformed::NotCanonical("an indefinite length or a reserved head")),
        };
        let shortest = match first & 0x1f {
            24 => argument > 23,
            25 => argument > 0xff,
            26 => argument > 0xffff,
            27 => argument > 0xffff_ffff,
            _ => true,
        };
        if shortest { Ok((first >> 5, argument)) } else { Err(Malformed::NotCanonical("a head longer than needed")) }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(Malformed::NotCanonical("cut short"))?;
        self.rest = rest;
        Ok(*taken)
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(length).map_err(|_| Malformed::NotCanonical("cut short"))?;
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Malformed::NotCanonical("cut short"))?;
        self.rest = rest;
        Ok(taken)
    }
}

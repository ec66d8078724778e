//! How a type takes its stored form, and the two macros that write it once.
//!
//! `record!` declares a struct together with the map keys of its fields; `choice!` declares an enum of
//! plain alternatives together with their numbers. A number, once released, is never used again.

use crate::cbor::Value;
use std::fmt;

/// Why bytes are not what they claim to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The bytes are not the one encoding of any value.
    NotCanonical(&'static str),
    /// A field is absent.
    Missing(&'static str),
    /// A value has the wrong type or lies outside its range.
    Unexpected(&'static str),
    /// The event type is not in this reader's registry: it fails closed.
    UnknownType(u64),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotCanonical(what) => write!(f, "not canonical: {what}"),
            Self::Missing(field) => write!(f, "missing: {field}"),
            Self::Unexpected(what) => write!(f, "unexpected value: {what}"),
            Self::UnknownType(number) => write!(f, "unknown event type {number}"),
        }
    }
}

impl std::error::Error for Malformed {}

/// A type with one stored form.
pub trait Stored: Sized {
    /// The stored form.
    fn store(&self) -> Value;
    /// Reads the stored form.
    fn load(value: Value) -> Result<Self, Malformed>;
    /// The stored form as a field; `None` leaves the field out.
    fn store_field(&self) -> Option<Value> {
        Some(self.store())
    }
    /// Reads a field that may have been left out.
    fn load_field(value: Option<Value>, name: &'static str) -> Result<Self, Malformed> {
        value.ok_or(Malformed::Missing(name)).and_then(Self::load)
    }
    /// The stored form as bytes.
    fn to_bytes(&self) -> Vec<u8> {
        self.store().encode()
    }
    /// Reads bytes, refusing any that this type would not have written itself.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let read = Self::load(Value::decode(bytes)?)?;
        if read.to_bytes() == bytes { Ok(read) } else { Err(Malformed::NotCanonical("not the bytes this value has")) }
    }
}

impl Stored for u64 {
    fn store(&self) -> Value {
        Value::Uint(*self)
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Uint(number) => Ok(number),
            _ => Err(Malformed::Unexpected("not an unsigned integer")),
        }
    }
}

impl Stored for u32 {
    fn store(&self) -> Value {
        Value::Uint(u64::from(*self))
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        Self::try_from(u64::load(value)?).map_err(|_| Malformed::Unexpected("an integer over 32 bits"))
    }
}

/// `true` is 1; `false` is left out of a record.
impl Stored for bool {
    fn store(&self) -> Value {
        Value::Uint(u64::from(*self))
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match u64::load(value)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed::Unexpected("a flag other than 0 or 1")),
        }
    }
    fn store_field(&self) -> Option<Value> {
        self.then_some(Value::Uint(1))
    }
    fn load_field(value: Option<Value>, _: &'static str) -> Result<Self, Malformed> {
        value.map_or(Ok(false), Self::load)
    }
}

impl Stored for String {
    fn store(&self) -> Value {
        Value::Text(self.clone())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Text(text) => Ok(text),
            _ => Err(Malformed::Unexpected("not text")),
        }
    }
}

impl<const N: usize> Stored for [u8; N] {
    fn store(&self) -> Value {
        Value::Bytes(self.to_vec())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Bytes(bytes) => {
                bytes.try_into().map_err(|_| Malformed::Unexpected("a byte string of another length"))
            }
            _ => Err(Malformed::Unexpected("not a byte string")),
        }
    }
}

/// A byte string of any length.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Bytes(pub Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} bytes]", self.0.len())
    }
}

impl Stored for Bytes {
    fn store(&self) -> Value {
        Value::Bytes(self.0.clone())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Bytes(bytes) => Ok(Self(bytes)),
            _ => Err(Malformed::Unexpected("not a byte string")),
        }
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self) -> Value {
        self.as_ref().map_or_else(|| Value::Array(Vec::new()), |inner| Value::Array(vec![inner.store()]))
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match Vec::<T>::load(value)?.as_mut_slice() {
            [] => Ok(None),
            [_] => Err(Malformed::Unexpected("an option outside a record")),
            _ => Err(Malformed::Unexpected("more than one value")),
        }
    }
    fn store_field(&self) -> Option<Value> {
        self.as_ref().map(Stored::store)
    }
    fn load_field(value: Option<Value>, _: &'static str) -> Result<Self, Malformed> {
        value.map(T::load).transpose()
    }
}

/// An empty list is left out of a record.
impl<T: Stored> Stored for Vec<T> {
    fn store(&self) -> Value {
        Value::Array(self.iter().map(Stored::store).collect())
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Array(items) => items.into_iter().map(T::load).collect(),
            _ => Err(Malformed::Unexpected("not an array")),
        }
    }
    fn store_field(&self) -> Option<Value> {
        (!self.is_empty()).then(|| self.store())
    }
    fn load_field(value: Option<Value>, _: &'static str) -> Result<Self, Malformed> {
        value.map_or_else(|| Ok(Self::new()), Self::load)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn store(&self) -> Value {
        Value::Array(vec![self.0.store(), self.1.store()])
    }
    fn load(value: Value) -> Result<Self, Malformed> {
        let Value::Array(items) = value else { return Err(Malformed::Unexpected("not a pair")) };
        let [first, second]: [Value; 2] = items.try_into().map_err(|_| Malformed::Unexpected("not a pair"))?;
        Ok((A::load(first)?, B::load(second)?))
    }
}

/// The fields of a map, taken one by one.
#[derive(Debug)]
pub struct Fields(Vec<(u8, Value)>);

impl Fields {
    /// Opens a map.
    pub fn of(value: Value) -> Result<Self, Malformed> {
        match value {
            Value::Map(entries) => Ok(Self(entries)),
            _ => Err(Malformed::Unexpected("not a map")),
        }
    }

    /// Takes one field out.
    pub fn take<T: Stored>(&mut self, key: u8, name: &'static str) -> Result<T, Malformed> {
        T::load_field(self.take_value(key), name)
    }

    /// Takes one field out as it stands.
    pub fn take_value(&mut self, key: u8) -> Option<Value> {
        self.0.iter().position(|(held, _)| *held == key).map(|at| self.0.remove(at).1)
    }

    /// Ends the reading; a field nobody asked for is refused.
    pub fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed::Unexpected("a field this type does not have")) }
    }
}

/// Declares a struct and its stored form: `key => field: Type`, keys ascending.
#[macro_export]
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $key:literal => $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "a field whose name and type say it all has no sentence of its own")]
        $vis struct $name { $($(#[$field_meta])* pub $field: $type),* }

        impl $crate::Stored for $name {
            fn store(&self) -> $crate::cbor::Value {
                #[allow(unused_mut)]
                let mut entries: Vec<(u8, $crate::cbor::Value)> = Vec::new();
                $(if let Some(value) = $crate::Stored::store_field(&self.$field) { entries.push(($key, value)); })*
                $crate::cbor::Value::Map(entries)
            }
            fn load(value: $crate::cbor::Value) -> Result<Self, $crate::Malformed> {
                #[allow(unused_mut)]
                let mut fields = $crate::stored::Fields::of(value)?;
                let read = Self { $($field: fields.take($key, stringify!($field))?),* };
                fields.end()?;
                Ok(read)
            }
        }
    };
}

/// Declares an enum of plain alternatives and their stored numbers and names.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$variant_meta:meta])* $number:literal $text:literal => $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name { $($(#[$variant_meta])* $variant),* }

        impl $name {
            /// Every alternative, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
            /// The alternative's public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
            /// The alternative with this public name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
            /// The alternative's stored number.
            #[must_use]
            pub const fn number(self) -> u64 {
                match self { $(Self::$variant => $number),* }
            }
        }

        impl $crate::Stored for $name {
            fn store(&self) -> $crate::cbor::Value {
                $crate::cbor::Value::Uint(self.number())
            }
            fn load(value: $crate::cbor::Value) -> Result<Self, $crate::Malformed> {
                match u64::load(value)? {
                    $($number => Ok(Self::$variant),)*
                    _ => Err($crate::Malformed::Unexpected(stringify!($name))),
                }
            }
        }
    };
}

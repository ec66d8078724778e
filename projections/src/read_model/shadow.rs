//! The read model's rows as the log alone gives them: what a rebuild compares the live tables with.
//!
//! Made without SQL, so that it checks the statements that made the live ones.

mod grants;

use super::{Change, changes};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Digest, Event};
use std::collections::BTreeMap;

/// A value that a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// An integer below 2^53.
    Integer(u64),
    /// Text.
    Text(String),
    /// Nothing.
    Null,
}

/// One of the read model's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// People.
    Subjects,
    /// Clients.
    Clients,
    /// Login grants.
    Grants,
    /// What ended.
    Revocations,
    /// Signing keys.
    Keys,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 5] = [Self::Subjects, Self::Clients, Self::Grants, Self::Revocations, Self::Keys];

    /// The table's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subjects => "subjects",
            Self::Clients => "clients",
            Self::Grants => "grants",
            Self::Revocations => "revocations",
            Self::Keys => "keys",
        }
    }
}

/// The rows that one log's events leave, by table and primary key.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    rows: BTreeMap<(Table, String), Vec<Field>>,
    /// The grants of each person: they end together.
    grants: BTreeMap<String, Vec<String>>,
}

impl Shadow {
    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        for change in changes(event) {
            match change {
                Change::GrantsEnded(ending) => self.end(event, &ending),
                change => self.put(event, change),
            }
        }
    }

    fn put(&mut self, event: &Event, change: Change) {
        if let Change::Grant { subject, address, .. } = &change {
            self.grants.entry(subject.clone()).or_default().push(address.clone());
        }
        let Some((table, key, row)) = row(event, change) else { return };
        let row = match self.rows.get(&(table, key.clone())) {
            Some(before) => kept(table, before, row),
            None => row,
        };
        self.rows.insert((table, key), row);
    }

    /// A table's rows in the order of the primary key.
    #[must_use]
    pub fn rows(&self, table: Table) -> Vec<Vec<Field>> {
        self.rows.iter().filter(|((of, _), _)| *of == table).map(|(_, row)| row.clone()).collect()
    }
}

/// A digest of rows, to compare and to show.
#[must_use]
pub fn digest(rows: &[Vec<Field>]) -> Digest {
    let mut bytes = Vec::new();
    for field in rows.iter().flatten() {
        match field {
            Field::Integer(number) => bytes.extend([&[1], number.to_be_bytes().as_slice()].concat()),
            Field::Text(text) => {
                bytes.extend([&[2], (text.len() as u64).to_be_bytes().as_slice(), text.as_bytes()].concat());
            }
            Field::Null => bytes.push(0),
        }
    }
    Digest::of(&bytes)
}

/// The row's columns in the table's order.
fn row(event: &Event, change: Change) -> Option<(Table, String, Vec<Field>)> {
    let place = event.origin.place();
    let log = text(format!("{}/{}", place.epoch, place.shard));
    let at = Field::Integer(event.occurred_at.0);
    let seq = Field::Integer(event.seq);
    Some(match change {
        Change::Subject { subject, standing, sealed } => {
            let sealed = optional(sealed.map(|sealed| URL_SAFE_NO_PAD.encode(sealed.0)));
            let row = vec![text(subject.clone()), log, text(standing.name()), at.clone(), at, sealed, seq];
            (Table::Subjects, subject, row)
        }
        Change::Client { client, name, generation, deleted } => {
            let deleted = Field::Integer(u64::from(deleted));
            let row = vec![text(client.clone()), log, optional(name), Field::Integer(generation), deleted, at, seq];
            (Table::Clients, client, row)
        }
        Change::Revocation { kind, subject, client, target, reason } => {
            let address = event.address().to_string();
            let named = [optional(subject), optional(client), optional(target)];
            let row = [text(address.clone()), log, text(kind)].into_iter().chain(named);
            (Table::Revocations, address, row.chain([text(reason), at, seq]).collect())
        }
        Change::Key { kid, algorithm, status } => {
            let algorithm = optional(algorithm.map(str::to_owned));
            (Table::Keys, kid.clone(), vec![text(kid), log, algorithm, text(status.name()), at, seq])
        }
        Change::Grant { address, subject, client, session, scope } => {
            let whose = [text(address.clone()), log, text(subject), text(client), at, Field::Null, seq];
            let row = whose.into_iter().chain([optional(session), text(scope)]).collect();
            (Table::Grants, address, row)
        }
        Change::GrantsEnded(_) => return None,
    })
}

/// What an older row keeps when a later event of the same key does not say it.
fn kept(table: Table, before: &[Field], after: Vec<Field>) -> Vec<Field> {
    let keeps = |column: usize, field: &Field| match table {
        Table::Subjects => column == 3,
        Table::Clients | Table::Keys => column == 2 && *field == Field::Null,
        Table::Grants | Table::Revocations => true,
    };
    let merged = after.into_iter().enumerate().map(|(column, field)| match before.get(column) {
        Some(held) if keeps(column, &field) => held.clone(),
        _ => field,
    });
    merged.collect()
}

fn text(text: impl Into<String>) -> Field {
    Field::Text(text.into())
}

fn optional(value: Option<String>) -> Field {
    value.map_or(Field::Null, Field::Text)
}

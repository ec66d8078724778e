//! The end of login grants in the shadow: a row once ended stays as it ended.

use super::{Field, Shadow, Table};
use crate::read_model::Ending;
use grantlog_events::Event;

/// Columns of a grant's row.
const SUBJECT: usize = 2;
const CLIENT: usize = 3;
const ENDED_AT: usize = 5;
const SEQ: usize = 6;
const SESSION: usize = 7;

impl Shadow {
    pub(super) fn end(&mut self, event: &Event, ending: &Ending) {
        let candidates = match ending {
            Ending::Grant(address) => vec![address.clone()],
            Ending::Subject(subject) | Ending::Session { subject, .. } => {
                self.grants.get(subject).cloned().unwrap_or_default()
            }
            Ending::Client(_) => self.grants.values().flatten().cloned().collect(),
        };
        for address in candidates {
            if let Some(row) = self.rows.get_mut(&(Table::Grants, address))
                && row.get(ENDED_AT) == Some(&Field::Null)
                && ends(ending, row)
            {
                put(row, ENDED_AT, event.occurred_at.0);
                put(row, SEQ, event.seq);
            }
        }
    }
}

fn put(row: &mut [Field], column: usize, value: u64) {
    if let Some(field) = row.get_mut(column) {
        *field = Field::Integer(value);
    }
}

fn ends(ending: &Ending, row: &[Field]) -> bool {
    let is = |column: usize, value: &str| matches!(row.get(column), Some(Field::Text(held)) if held == value);
    match ending {
        Ending::Grant(_) => true,
        Ending::Session { subject, session } => is(SUBJECT, subject) && is(SESSION, session),
        Ending::Subject(subject) => is(SUBJECT, subject),
        Ending::Client(client) => is(CLIENT, client),
    }
}

//! The read model's statements: one guarded upsert for each change, and the position with them.

use crate::ports::{Parameter, Statement};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{Event, Place};
use grantlog_projections::read_model::{Change, Ending, Table, changes};

const POSITION: &str = "INSERT INTO positions (log, read_from, seq) VALUES (?1, ?2, ?3) \
    ON CONFLICT (log) DO UPDATE SET read_from = excluded.read_from, seq = excluded.seq";

const SUBJECT: &str = "INSERT INTO subjects (subject, log, standing, created_at, changed_at, sealed, seq) \
    VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6) ON CONFLICT (subject) DO UPDATE SET standing = excluded.standing, \
    changed_at = excluded.changed_at, sealed = excluded.sealed, seq = excluded.seq WHERE excluded.seq > subjects.seq";

const CLIENT: &str = "INSERT INTO clients (client, log, name, generation, deleted, changed_at, seq) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (client) DO UPDATE SET name = coalesce(excluded.name, name), \
    generation = excluded.generation, deleted = excluded.deleted, changed_at = excluded.changed_at, \
    seq = excluded.seq WHERE excluded.seq > clients.seq";

const REVOCATION: &str = "INSERT INTO revocations (address, log, kind, subject, client, target, reason, revoked_at, seq) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (address) DO NOTHING";

const KEY: &str = "INSERT INTO keys (kid, log, algorithm, status, changed_at, seq) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
    ON CONFLICT (kid) DO UPDATE SET algorithm = coalesce(excluded.algorithm, algorithm), \
    status = excluded.status, changed_at = excluded.changed_at, seq = excluded.seq WHERE excluded.seq > keys.seq";

const GRANT: &str = "INSERT INTO grants (address, log, subject, client, started_at, seq, session, scope) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (address) DO NOTHING";

// What ended once stays as it ended.
const GRANT_ENDED: &str = "UPDATE grants SET ended_at = ?1, seq = ?2 \
    WHERE address = ?3 AND ended_at IS NULL AND seq < ?2";

const GRANTS_OF_SESSION_ENDED: &str = "UPDATE grants SET ended_at = ?1, seq = ?2 \
    WHERE subject = ?3 AND session = ?4 AND ended_at IS NULL AND seq < ?2";

const GRANTS_OF_SUBJECT_ENDED: &str = "UPDATE grants SET ended_at = ?1, seq = ?2 \
    WHERE subject = ?3 AND ended_at IS NULL AND seq < ?2";

const GRANTS_OF_CLIENT_ENDED: &str = "UPDATE grants SET ended_at = ?1, seq = ?2 \
    WHERE log = ?3 AND client = ?4 AND ended_at IS NULL AND seq < ?2";

/// The query for one log's rows of a table, in the order of the primary key.
#[must_use]
pub fn rows_of(table: Table) -> &'static str {
    match table {
        Table::Subjects => "SELECT * FROM subjects WHERE log = ?1 ORDER BY 1",
        Table::Clients => "SELECT * FROM clients WHERE log = ?1 ORDER BY 1",
        Table::Grants => "SELECT * FROM grants WHERE log = ?1 ORDER BY 1",
        Table::Revocations => "SELECT * FROM revocations WHERE log = ?1 ORDER BY 1",
        Table::Keys => "SELECT * FROM keys WHERE log = ?1 ORDER BY 1",
    }
}

/// The statements that take the read model over `events`, which begin at `from` and are not empty.
pub(super) fn batch(place: Place, from: u64, events: &[Event]) -> Vec<Statement> {
    let log = format!("{}/{}", place.epoch, place.shard);
    let said = events.iter().flat_map(|event| changes(event).into_iter().map(move |change| (event, change)));
    let mut statements: Vec<Statement> = said.map(|(event, change)| upsert(&log, event, change)).collect();
    if let Some(last) = events.last() {
        let parameters = vec![text(log), Parameter::Integer(from), Parameter::Integer(last.seq)];
        statements.push(Statement { sql: POSITION, parameters });
    }
    statements
}

fn upsert(log: &str, event: &Event, change: Change) -> Statement {
    let at = Parameter::Integer(event.occurred_at.0);
    let seq = Parameter::Integer(event.seq);
    match change {
        Change::Subject { subject, standing, sealed } => {
            let sealed = optional(sealed.map(|sealed| URL_SAFE_NO_PAD.encode(sealed.0)));
            let parameters = vec![text(subject), text(log), text(standing.name()), at, sealed, seq];
            Statement { sql: SUBJECT, parameters }
        }
        Change::Client { client, name, generation, deleted } => {
            let flags = [Parameter::Integer(generation), Parameter::Integer(u64::from(deleted))];
            let parameters =
                [text(client), text(log), optional(name)].into_iter().chain(flags).chain([at, seq]).collect();
            Statement { sql: CLIENT, parameters }
        }
        Change::Revocation { kind, subject, client, target, reason } => {
            let parameters = vec![
                text(event.address().to_string()),
                text(log),
                text(kind),
                optional(subject),
                optional(client),
                optional(target),
                text(reason),
                at,
                seq,
            ];
            Statement { sql: REVOCATION, parameters }
        }
        Change::Key { kid, algorithm, status } => {
            let parameters =
                vec![text(kid), text(log), optional(algorithm.map(str::to_owned)), text(status.name()), at, seq];
            Statement { sql: KEY, parameters }
        }
        Change::Grant { address, subject, client, session, scope } => {
            let parameters =
                vec![text(address), text(log), text(subject), text(client), at, seq, optional(session), text(scope)];
            Statement { sql: GRANT, parameters }
        }
        Change::GrantsEnded(ending) => ended(log, at, seq, ending),
    }
}

fn ended(log: &str, at: Parameter, seq: Parameter, ending: Ending) -> Statement {
    let (sql, which) = match ending {
        Ending::Grant(address) => (GRANT_ENDED, vec![text(address)]),
        Ending::Session { subject, session } => (GRANTS_OF_SESSION_ENDED, vec![text(subject), text(session)]),
        Ending::Subject(subject) => (GRANTS_OF_SUBJECT_ENDED, vec![text(subject)]),
        Ending::Client(client) => (GRANTS_OF_CLIENT_ENDED, vec![text(log), text(client)]),
    };
    Statement { sql, parameters: [at, seq].into_iter().chain(which).collect() }
}

fn text(text: impl Into<String>) -> Parameter {
    Parameter::Text(text.into())
}

fn optional(value: Option<String>) -> Parameter {
    value.map_or(Parameter::Null, Parameter::Text)
}

#[cfg(test)]
mod tests;

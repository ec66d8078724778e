//! The views in memory. The read model is `SQLite` itself, with the released migrations.

use super::{Clock, Faults, Kv};
use crate::{
    failure::Failure,
    ports::{Parameter, Statement, Views},
    shard::rows_of,
};
use grantlog_events::{ClientId, Place, Subject};
use grantlog_projections::read_model::Table;
use rusqlite::{
    Connection, OptionalExtension, params_from_iter,
    types::{Value, ValueRef},
};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

const MIGRATIONS: [&str; 2] = [
    include_str!("../../migrations/read_model/0001_tables.sql"),
    include_str!("../../migrations/read_model/0002_login_grants.sql"),
];

/// Values by key, and what was written to the read model.
#[derive(Debug)]
pub struct MemoryViews {
    kv: Rc<Kv>,
    read_model: Rc<RefCell<Connection>>,
    faults: Rc<Faults>,
    from_edge: bool,
    /// Elsewhere than where values are written.
    far: bool,
}

impl MemoryViews {
    /// Empty views, as the edge sees them.
    pub fn new(faults: Rc<Faults>, clock: Rc<Clock>) -> Self {
        let (kv, read_model) = (Rc::new(Kv::new(clock)), Rc::new(RefCell::new(read_model())));
        Self { kv, read_model, faults, from_edge: true, far: false }
    }

    /// The same views, as a shard sees them.
    pub(super) fn inside(&self) -> Self {
        self.seen(false, false)
    }

    /// The same views, as an edge sees them that is far from where they are written.
    pub(super) fn far_away(&self) -> Self {
        self.seen(true, true)
    }

    fn seen(&self, from_edge: bool, far: bool) -> Self {
        let (kv, read_model) = (Rc::clone(&self.kv), Rc::clone(&self.read_model));
        Self { kv, read_model, faults: Rc::clone(&self.faults), from_edge, far }
    }

    /// The values, and what can happen to them.
    #[must_use]
    pub fn kv(&self) -> &Kv {
        &self.kv
    }

    /// A value as it is stored now.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        self.kv.read(key, false)
    }

    /// Every value.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, Vec<u8>> {
        self.kv.values()
    }

    async fn read(&self, name: &'static str, key: String) -> Result<Option<Vec<u8>>, Failure> {
        self.faults.pass(name, self.from_edge, async { Ok(self.kv.read(&key, self.far)) }).await
    }

    async fn write(&self, name: &'static str, key: String, value: Option<&[u8]>) -> Result<(), Failure> {
        self.faults.pass(name, self.from_edge, self.kv.write(&key, value)).await
    }
}

impl Views for MemoryViews {
    async fn user(&self, subject: &Subject) -> Result<Option<Vec<u8>>, Failure> {
        self.read("views.user", format!("user:{subject}")).await
    }

    async fn put_user(&self, subject: &Subject, view: Option<&[u8]>) -> Result<(), Failure> {
        self.write("views.put_user", format!("user:{subject}"), view).await
    }

    async fn client(&self, client: &ClientId) -> Result<Option<Vec<u8>>, Failure> {
        self.read("views.client", format!("client:{client}")).await
    }

    async fn put_client(&self, client: &ClientId, view: &[u8]) -> Result<(), Failure> {
        self.write("views.put_client", format!("client:{client}"), Some(view)).await
    }

    async fn read_model_position(&self, place: Place) -> Result<Option<u64>, Failure> {
        let read = async {
            let connection = self.read_model.borrow();
            let position = "SELECT seq FROM positions WHERE log = ?1";
            connection.query_row(position, [log(place)], |row| row.get(0)).optional().map_err(failed)
        };
        self.faults.pass("views.read_model_position", self.from_edge, read).await
    }

    async fn read_model_rows(&self, place: Place, table: Table) -> Result<Vec<Vec<Parameter>>, Failure> {
        let read = async { rows(&self.read_model.borrow(), rows_of(table), place).map_err(failed) };
        self.faults.pass("views.read_model_rows", self.from_edge, read).await
    }

    async fn write_read_model(&self, batch: &[Statement]) -> Result<(), Failure> {
        let write = async { run(&mut self.read_model.borrow_mut(), batch).map_err(failed) };
        self.faults.pass("views.write_read_model", self.from_edge, write).await
    }
}

/// An empty read model.
///
/// # Panics
/// If the released migrations are not SQL: then nothing here can be tested.
#[allow(clippy::expect_used, reason = "an invariant of the repository")]
fn read_model() -> Connection {
    // Invariant: the migrations are part of this build, and SQLite in memory needs nothing from outside.
    let connection = Connection::open_in_memory().expect("SQLite in memory");
    for migration in MIGRATIONS {
        connection.execute_batch(migration).expect("the released migration");
    }
    connection
}

/// One batch, one transaction.
fn run(connection: &mut Connection, batch: &[Statement]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for statement in batch {
        let parameters = statement.parameters.iter().map(stored).collect::<rusqlite::Result<Vec<_>>>()?;
        transaction.execute(statement.sql, params_from_iter(parameters))?;
    }
    transaction.commit()
}

fn rows(connection: &Connection, sql: &str, place: Place) -> rusqlite::Result<Vec<Vec<Parameter>>> {
    let mut statement = connection.prepare(sql)?;
    let columns = statement.column_count();
    let fields = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get_ref(column).and_then(field)).collect();
    statement.query_map([log(place)], fields)?.collect()
}

fn field(value: ValueRef<'_>) -> rusqlite::Result<Parameter> {
    match value {
        ValueRef::Null => Ok(Parameter::Null),
        ValueRef::Integer(number) => {
            u64::try_from(number).map(Parameter::Integer).map_err(|_| rusqlite::Error::InvalidQuery)
        }
        ValueRef::Text(text) => Ok(Parameter::Text(String::from_utf8_lossy(text).into_owned())),
        ValueRef::Real(_) | ValueRef::Blob(_) => Err(rusqlite::Error::InvalidQuery),
    }
}

fn stored(parameter: &Parameter) -> rusqlite::Result<Value> {
    match parameter {
        Parameter::Integer(number) => {
            i64::try_from(*number).map(Value::Integer).map_err(|_| rusqlite::Error::InvalidQuery)
        }
        Parameter::Text(text) => Ok(Value::Text(text.clone())),
        Parameter::Null => Ok(Value::Null),
    }
}

fn log(place: Place) -> String {
    format!("{}/{}", place.epoch, place.shard)
}

#[allow(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn failed(error: rusqlite::Error) -> Failure {
    Failure::lasting("using the read model", error)
}

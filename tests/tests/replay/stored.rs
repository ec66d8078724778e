//! The objects' own files, read from a copy so that nothing is changed.

use rusqlite::{Connection, OpenFlags};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

/// What one object holds.
pub(crate) struct Held {
    connection: Connection,
    pub(crate) rows: BTreeMap<String, Vec<u8>>,
}

/// Every object that holds a log, by the log's origin.
pub(crate) fn objects(state: &Path) -> BTreeMap<String, Held> {
    let copies = env::temp_dir().join(format!("grantlog-objects-{}", grantlog_tests::random::unique()));
    fs::create_dir_all(&copies).unwrap();
    let held = files(&state.join("v3").join("do")).iter().filter_map(|file| held(file, &copies)).collect();
    drop(fs::remove_dir_all(&copies));
    held
}

/// All rows in the files of all logs, and how many indices their tables have.
pub(crate) fn rows_and_indices(state: &Path) -> (u64, u64) {
    let count = |connection: &Connection, sql: &str| connection.query_row(sql, [], |row| row.get::<_, u64>(0)).unwrap();
    let indices = "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
    objects(state).values().fold((0, 0), |(rows, found), held| {
        let tables = tables(&held.connection);
        let here = tables.iter().map(|table| count(&held.connection, &format!("SELECT count(*) FROM \"{table}\"")));
        (rows + here.sum::<u64>(), found + count(&held.connection, indices))
    })
}

impl Held {
    /// Every event, in order, from the tables of 65,536 that hold them.
    pub(crate) fn all_events(&self) -> Vec<Vec<u8>> {
        let tables = tables(&self.connection);
        tables.iter().filter(|name| is_of_events(name)).flat_map(|table| events_in(&self.connection, table)).collect()
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("the objects' directory exists").map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "sqlite") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn held(file: &Path, copies: &Path) -> Option<(String, Held)> {
    let connection = opened_copy(file, copies);
    let names = tables(&connection);
    if !names.iter().any(|name| name == "state") {
        return None;
    }
    let origin: String = connection
        .query_row("SELECT value FROM meta WHERE name = 'origin'", [], |row| row.get(0))
        .expect("an object knows its log");
    let rows = rows(&connection);
    Some((origin, Held { connection, rows }))
}

/// The write-ahead log belongs to the file: what was committed last is there alone.
fn opened_copy(file: &Path, copies: &Path) -> Connection {
    let name = file.file_name().unwrap().to_str().unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let source = file.with_file_name(format!("{name}{suffix}"));
        if source.exists() {
            fs::copy(&source, copies.join(format!("{name}{suffix}"))).unwrap();
        }
    }
    Connection::open_with_flags(copies.join(name), OpenFlags::SQLITE_OPEN_READ_WRITE)
        .expect("an object's file is SQLite")
}

fn tables(connection: &Connection) -> Vec<String> {
    let mut statement =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY length(name), name").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn is_of_events(table: &str) -> bool {
    table.starts_with("events")
}

fn rows(connection: &Connection) -> BTreeMap<String, Vec<u8>> {
    let mut statement = connection.prepare("SELECT key, value FROM state").unwrap();
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

fn events_in(connection: &Connection, table: &str) -> Vec<Vec<u8>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY 1")).unwrap();
    let last = statement.column_count() - 1;
    statement.query_map([], |row| row.get(last)).unwrap().map(Result::unwrap).collect()
}

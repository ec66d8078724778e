-- The rows that a log decides by: a projection of its own events, made anew by replaying them.
CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- What may not be in a log: key halves, password verifiers, hashes of names.
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- What storage knows of itself: its log's origin and the version of this schema. The events are in
-- tables of 65,536 that are made when their first event comes.
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- The read model: for administration and reports, never for a verdict. No personal data in clear.

CREATE TABLE positions (
  log TEXT PRIMARY KEY,            -- <epoch>/<shard>
  read_from INTEGER NOT NULL,      -- first position of the last batch
  seq INTEGER NOT NULL             -- last position read
) WITHOUT ROWID;

-- A batch that does not begin where the last one ended is refused as a whole.
CREATE TRIGGER positions_begin_at_zero BEFORE INSERT ON positions
WHEN NEW.read_from <> 0 AND NOT EXISTS (SELECT 1 FROM positions WHERE log = NEW.log)
BEGIN SELECT RAISE(ABORT, 'gap in the log'); END;

CREATE TRIGGER positions_are_contiguous BEFORE UPDATE ON positions
WHEN NEW.read_from <> OLD.seq + 1
BEGIN SELECT RAISE(ABORT, 'gap in the log'); END;

CREATE TABLE subjects (
  subject TEXT PRIMARY KEY,
  log TEXT NOT NULL,
  standing TEXT NOT NULL,
  created_at INTEGER NOT NULL,     -- ms
  changed_at INTEGER NOT NULL,     -- ms
  sealed TEXT,                     -- base64url of the sealed box, gone with erasure
  seq INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE clients (
  client TEXT PRIMARY KEY,
  log TEXT NOT NULL,
  name TEXT,
  generation INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,     -- ms
  seq INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE grants (
  address TEXT PRIMARY KEY,        -- <epoch>.<shard>.<seq>
  log TEXT NOT NULL,
  subject TEXT NOT NULL,
  client TEXT NOT NULL,
  started_at INTEGER NOT NULL,     -- ms
  ended_at INTEGER,                -- ms
  seq INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE revocations (
  address TEXT PRIMARY KEY,        -- of the revoking event
  log TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT,
  client TEXT,
  target TEXT,                     -- address of what ended, where it is one event
  reason TEXT NOT NULL,
  revoked_at INTEGER NOT NULL,     -- ms
  seq INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE keys (
  kid TEXT PRIMARY KEY,
  log TEXT NOT NULL,
  algorithm TEXT,
  status TEXT NOT NULL,
  changed_at INTEGER NOT NULL,     -- ms
  seq INTEGER NOT NULL
) WITHOUT ROWID;

-- A rebuild compares one log's rows.
CREATE INDEX subjects_by_log ON subjects (log);
CREATE INDEX clients_by_log ON clients (log);
CREATE INDEX grants_by_log ON grants (log);
CREATE INDEX revocations_by_log ON revocations (log);
CREATE INDEX keys_by_log ON keys (log);

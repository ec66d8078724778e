// Brings a D1 database up to date, in file-name order.
//
// Guarantees: a file and the note that it was applied are one transaction, and the table of notes is
// the one `wrangler d1 migrations apply` keeps, so both may be used on the same database.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_splitSqlQuery as statementsOf } from "wrangler";

const NOTES = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

export async function migrate(database, directory) {
  await database.prepare(NOTES).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of sqlFilesIn(directory)) {
    if (!applied.has(name)) await apply(database, name, readFileSync(join(directory, name), "utf8"));
  }
}

function sqlFilesIn(directory) {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

async function apply(database, name, sql) {
  const note = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
  const steps = statementsOf(sql).map((statement) => database.prepare(statement));
  try {
    await database.batch([...steps, note]);
  } catch (cause) {
    throw new Error(`migration ${name} failed: ${cause.message}`, { cause });
  }
}

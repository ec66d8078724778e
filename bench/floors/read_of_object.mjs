// The floor of an introspection without its signature: one call to an object that reads one row.

import { DurableObject } from "cloudflare:workers";

export default {
  fetch: (_, { LOG }) => LOG.get(LOG.idFromName("log")).fetch("https://log/"),
};

export class Log extends DurableObject {
  constructor(context, env) {
    super(context, env);
    this.sql = context.storage.sql;
    this.sql.exec("CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, event BLOB NOT NULL)");
    this.sql.exec("INSERT OR IGNORE INTO events (seq, event) VALUES (1, ?1)", new Uint8Array(300).fill(7));
  }

  fetch() {
    return new Response(this.sql.exec("SELECT event FROM events WHERE seq = ?1", 1).one().event);
  }
}

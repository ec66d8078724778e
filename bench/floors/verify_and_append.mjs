// The floor of an exchange: verify, one call to an object that appends 300 bytes, sign, JSON.

import { DurableObject } from "cloudflare:workers";
import { signed, verified } from "./jwt.mjs";

const EVENT = new Uint8Array(300).fill(7);

export default {
  async fetch(request, { KEYS, LOG }) {
    const { algorithm, claims } = await verified(KEYS, request);
    const log = LOG.get(LOG.idFromName(claims.sub));
    const answer = await log.fetch("https://log/", { method: "POST", body: EVENT });
    const { seq } = await answer.json();
    const access_token = await signed(KEYS, algorithm, { ...claims, jti: `${claims.sub}.${seq}` });
    return Response.json({ access_token, token_type: "Bearer", expires_in: 900, scope: claims.scope });
  },
};

export class Log extends DurableObject {
  constructor(context, env) {
    super(context, env);
    this.sql = context.storage.sql;
    this.sql.exec("CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, event BLOB NOT NULL)");
    this.next = this.sql.exec("SELECT count(*) AS next FROM events").one().next;
  }

  async fetch(request) {
    const event = await request.arrayBuffer();
    this.sql.exec("INSERT INTO events (seq, event) VALUES (?1, ?2)", this.next, event);
    this.next += 1;
    return Response.json({ seq: this.next });
  }
}

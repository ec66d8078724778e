// Runs the floors: Workers that do only what no provider could leave out, under the same runtime, with
// the same sockets and storage as the served build, so that figures may be compared.
//
// Told by GRANTLOG_FLOORS; prints one line of JSON when all listen: a URL per floor, and tokens signed
// with the floors' own keys. Ends when its standard input does, and workerd with it.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Log, LogLevel, Miniflare } from "miniflare";
import workerd from "workerd";
import { freshKeys, signed } from "./jwt.mjs";

const FLOORS = ["empty", "verify_and_view", "verify_and_append", "read_of_object"];

const { state, claims, view } = JSON.parse(process.env.GRANTLOG_FLOORS);
mkdirSync(join(state, "tmp"), { recursive: true });
process.env.TMPDIR = join(state, "tmp");
process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL("../../xtask/serve/workerd.sh", import.meta.url));
process.env.GRANTLOG_WORKERD = workerd.default;
process.env.GRANTLOG_WORKERD_LOCK = join(state, "workerd.lock");

const keys = await freshKeys();
const miniflare = new Miniflare({
  host: "127.0.0.1",
  port: 0,
  cf: false,
  log: new Log(LogLevel.WARN),
  durableObjectsPersist: join(state, "do"),
  kvPersist: join(state, "kv"),
  workers: FLOORS.map((name) => floor(name)),
});

const views = await miniflare.getKVNamespace("VIEWS", "verify_and_view");
for (const { sub } of claims) await views.put(`user:${sub}`, view);
const urls = {};
for (const name of FLOORS) urls[name] = (await miniflare.unsafeGetDirectURL(name)).href;
const tokens = {};
for (const algorithm of Object.keys(keys)) {
  tokens[algorithm] = await Promise.all(claims.map((each) => signed(keys, algorithm, each)));
}
process.stdout.write(`${JSON.stringify({ urls, tokens })}\n`);

process.stdin.resume();
process.stdin.on("end", async () => {
  await miniflare.dispose();
  process.exit(0);
});

function floor(name) {
  return {
    name,
    modules: true,
    modulesRules: [{ type: "ESModule", include: ["**/*.mjs"] }],
    scriptPath: fileURLToPath(new URL(`${name}.mjs`, import.meta.url)),
    compatibilityDate: "2026-04-26",
    bindings: { KEYS: keys },
    kvNamespaces: { VIEWS: "views" },
    durableObjects: name === "verify_and_view" || name === "empty" ? {} : { LOG: { className: "Log", useSQLite: true } },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
}

// Runs the built Worker under workerd, reached by its own socket on the loopback interface.
//
// Guarantees: no proxy stands between a caller and the Worker; state lives under `state`, laid out
// as `wrangler --persist-to` does; `ready <issuer>` is printed once `/healthz` answers 200; the
// process ends when workerd does. Bindings come from wrangler.toml, values from `cargo xtask serve`.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Log, LogLevel, Miniflare } from "miniflare";
import workerd from "workerd";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import { migrate } from "./migrate.mjs";

const HEALTH_DEADLINE_MS = 60_000;
// As often as the cron in wrangler.toml, which nothing here fires.
const CRON_MS = 60_000;

const { issuer, port, state, bindings } = JSON.parse(process.env.GRANTLOG_SERVE);
delete process.env.GRANTLOG_SERVE;

// Sockets and scratch files of a killed run are in here, so they go with the next start.
const scratch = join(state, "tmp");
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
process.env.TMPDIR = scratch;
process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL("workerd.sh", import.meta.url));
process.env.GRANTLOG_WORKERD = workerd.default;
process.env.GRANTLOG_WORKERD_LOCK = join(state, "workerd.lock");

// stdout holds nothing but the ready line, and its reader may close it after that.
console.log = console.info = console.warn = console.error;
process.stdout.on("error", () => {});

let stopping = false;
const miniflare = new Miniflare(options());
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);

try {
  await migrate(await miniflare.getD1Database("READ_MODEL"), "migrations/read_model");
  await healthy();
  process.stdout.write(`ready ${issuer}\n`);
  setInterval(watchdog, CRON_MS);
} catch (error) {
  if (!stopping) fail(error);
}

function options() {
  const { workerOptions } = workerOptionsOf("wrangler.toml");
  const { modulesRules, ...worker } = workerOptions;
  const persist = (name) => join(state, "v3", name);
  return {
    ...worker,
    name: "grantlog",
    modules: true,
    modulesRules,
    scriptPath: "build/index.js",
    bindings: { ...worker.bindings, ...bindings },
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
    outboundService: { network: { allow: reachable(), tlsOptions: { trustBrowserCas: true } } },
    host: "127.0.0.1",
    port: 0,
    cf: false,
    log: new Log(LogLevel.WARN),
    handleRuntimeStdio: relay,
    cachePersist: persist("cache"),
    d1Persist: persist("d1"),
    durableObjectsPersist: persist("do"),
    kvPersist: persist("kv"),
    r2Persist: persist("r2"),
  };
}

// Clients that are told of a logout, and documents that clients point to. Addresses of this machine and of private
// networks are out of reach, except for a deployment that is itself on loopback.
function reachable() {
  const isLoopback = ["127.0.0.1", "localhost", "[::1]"].includes(new URL(issuer).hostname);
  return isLoopback ? ["public", "private"] : ["public"];
}

function relay(stdout, stderr) {
  for (const stream of [stdout, stderr]) stream.pipe(process.stderr, { end: false });
  stderr.on("end", () => {
    if (!stopping) fail(new Error("workerd has ended"));
  });
}

async function healthy() {
  const url = `http://127.0.0.1:${port}/healthz`;
  const deadline = Date.now() + HEALTH_DEADLINE_MS;
  for (let seen = "no answer"; ; ) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      if (response.status === 200) return;
      seen = `${response.status} ${text.slice(0, 200)}`;
    } catch (error) {
      seen = String(error.cause ?? error);
    }
    if (Date.now() > deadline) throw new Error(`${url} did not answer 200: ${seen}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function watchdog() {
  try {
    const worker = await miniflare.getWorker("grantlog");
    await worker.scheduled({ cron: "* * * * *" });
  } catch (error) {
    if (!stopping) console.error(`serve: the watchdog: ${error.message}`);
  }
}

async function stop() {
  if (stopping) return;
  stopping = true;
  await miniflare.dispose();
  process.exit(0);
}

function fail(error) {
  stopping = true;
  console.error(`serve: ${error.message}`);
  // What workerd said about it may still be on its way.
  setTimeout(() => process.exit(1), 100);
}

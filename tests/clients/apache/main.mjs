// Apache with mod_auth_openidc, both from Debian: login, the person's claims as headers, session, refresh, logout,
// back-channel logout; and what must be refused.

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { Browser } from "../shared/browser.mjs";
import { check, conclude } from "../shared/checks.mjs";
import { createPerson, issuer, registerClient } from "../shared/service.mjs";

const modules = "/usr/lib/apache2/modules";
const home = mkdtempSync("/tmp/grantlog-apache-");

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await freePort();
const site = `http://127.0.0.1:${port}`;
const person = await createPerson();
const client = await registerClient({
  client_name: "Apache",
  redirect_uris: [`${site}/secure/callback`],
  post_logout_redirect_uris: [`${site}/bye`],
  backchannel_logout_uri: `${site}/secure/callback?logout=backchannel`,
});

mkdirSync(`${home}/www/secure`, { recursive: true });
writeFileSync(`${home}/www/bye`, "bye");
// What the module tells the application behind it, shown by server-side includes.
writeFileSync(
  `${home}/www/secure/index.shtml`,
  '<!--#echo var="REMOTE_USER" -->|<!--#echo var="OIDC_CLAIM_given_name" -->|<!--#echo var="OIDC_access_token" -->',
);
writeFileSync(
  `${home}/apache.conf`,
  `ServerRoot ${home}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${home}/pid
ErrorLog ${home}/error.log
DocumentRoot ${home}/www
User www-data
Group www-data
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authn_core_module ${modules}/mod_authn_core.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule authz_user_module ${modules}/mod_authz_user.so
LoadModule mime_module ${modules}/mod_mime.so
LoadModule dir_module ${modules}/mod_dir.so
LoadModule filter_module ${modules}/mod_filter.so
LoadModule include_module ${modules}/mod_include.so
LoadModule auth_openidc_module ${modules}/mod_auth_openidc.so
TypesConfig /etc/mime.types
DirectoryIndex index.shtml
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCProviderTokenEndpointAuth client_secret_basic
OIDCProviderBackChannelLogoutSupported On
OIDCClientID ${client.client_id}
OIDCClientSecret ${client.client_secret}
OIDCRedirectURI ${site}/secure/callback
OIDCDefaultLoggedOutURL ${site}/bye
OIDCScope "openid profile email offline_access"
OIDCPKCEMethod S256
OIDCCryptoPassphrase a-passphrase-for-this-run-alone
OIDCRemoteUserClaim sub
OIDCPassClaimsAs environment
OIDCSessionType server-cache
OIDCStateTimeout 120
OIDCRefreshAccessTokenBeforeExpiry 890
<Location /secure>
  AuthType openid-connect
  Require valid-user
</Location>
<Directory ${home}/www>
  Options +Includes
  AddType text/html .shtml
  AddOutputFilter INCLUDES .shtml
  Require all granted
</Directory>
`,
);
// Apache's workers are another user's.
for (const folder of [home, `${home}/www`, `${home}/www/secure`]) chmodSync(folder, 0o755);

const apache = spawn("/usr/sbin/apache2", ["-f", `${home}/apache.conf`, "-DFOREGROUND"], { stdio: "inherit" });
// However this ends, Apache ends with it.
process.on("exit", () => apache.kill("SIGTERM"));
for (let attempt = 0; ; attempt += 1) {
  try {
    if ((await fetch(`${site}/bye`)).ok) break;
  } catch {
    if (attempt > 50) throw new Error("Apache does not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Follows redirects between the site and the issuer, and fills in what pages come. */
async function visit(browser, url) {
  let page = await browser.go(url, undefined, "http://127.0.0.1");
  for (const [action, fields] of [["/login", person], ["/consent", { decision: "allow" }]]) {
    if (page.html?.includes(`action="${action}"`)) page = await browser.submit(page, fields, "http://127.0.0.1");
  }
  return page;
}

/** Up to the issuer's answer, which the site has yet to see; `change` is made to what the module asks. */
async function upToCallback(browser, change = () => {}) {
  const { sentTo } = await browser.go(`${site}/secure/`, undefined, `${site}/`);
  change(sentTo.searchParams);
  const callback = await browser.authorize(sentTo, person);
  if (!callback.searchParams.has("code")) throw new Error(`no code in ${callback}`);
  return callback;
}

/** Brings an answer to the site, which must let nobody in because of it, and say why in Apache's log. */
async function mustNotLetIn(browser, callback, why) {
  const log = () => readFileSync(`${home}/error.log`, "utf8");
  const before = log().length;
  await browser.request(callback.href);
  const after = await browser.request(`${site}/secure/`);
  const said = log().slice(before);
  if (after.status !== 302 || !why.test(said)) throw new Error(`then ${after.status}, and ${said}`);
}

const browser = new Browser(issuer);
let shown;

await check("a person logs in, and the application behind Apache knows them", async () => {
  const page = await visit(browser, `${site}/secure/`);
  shown = page.html?.trim().split("|");
  if (shown?.[0] !== person.id || shown[1] !== "Ada") throw new Error(`${page.status} ${page.html} ${page.sentTo}`);
});

await check("the session holds without another visit to the issuer", async () => {
  const answer = await browser.request(`${site}/secure/`);
  if (answer.status !== 200) throw new Error(`${answer.status}`);
});

await check("the module refreshes the access token when it comes near its end", async () => {
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  await browser.request(`${site}/secure/`);
  const again = (await (await browser.request(`${site}/secure/`)).text()).trim().split("|");
  if (again[0] !== person.id || again[2] === shown[2]) throw new Error("the same access token");
});

await check("a callback with another state is refused by the client", async () => {
  const other = new Browser(issuer);
  const callback = await upToCallback(other);
  callback.searchParams.set("state", "another");
  await mustNotLetIn(other, callback, /state/);
});

await check("an ID token with another nonce is refused by the client", async () => {
  const other = new Browser(issuer);
  await mustNotLetIn(other, await upToCallback(other, (asked) => asked.set("nonce", "another")), /nonce/);
});

await check("the code of another login is refused by the server, which knows its challenge", async () => {
  const [victim, attacker] = [new Browser(issuer), new Browser(issuer)];
  const callback = await upToCallback(victim);
  callback.searchParams.set("code", (await upToCallback(attacker)).searchParams.get("code"));
  await mustNotLetIn(victim, callback, /invalid_grant/);
});

await check("a replayed code is refused by the server", async () => {
  const one = new Browser(issuer);
  const callback = await upToCallback(one);
  const two = one.copy();
  const first = await one.request(callback.href);
  if (first.status !== 302) throw new Error(`${first.status}`);
  await mustNotLetIn(two, callback, /invalid_grant/);
});

await check("logging out at the site ends both sessions", async () => {
  const page = await browser.go(`${site}/secure/callback?logout=${encodeURIComponent(`${site}/bye`)}`, undefined, "http://127.0.0.1");
  if (page.html?.trim() !== "bye") throw new Error(`${page.status} ${page.html} ${page.sentTo}`);
  const after = await browser.go(`${site}/secure/`, undefined, "http://127.0.0.1");
  if (!after.html?.includes('action="/login"')) throw new Error(`${after.status} ${after.html}`);
});

await check("a logout at the issuer reaches the site by the back channel", async () => {
  const other = new Browser(issuer);
  await visit(other, `${site}/secure/`);
  const question = await other.go(`${issuer}/logout`);
  await other.submit(question, {});
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await other.request(`${site}/secure/`);
    if (answer.status === 302) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the site's session is still there");
});

const ended = new Promise((resolve) => apache.once("exit", resolve));
apache.kill("SIGTERM");
await ended;
if (process.env.KEEP) console.log(home);
else rmSync(home, { recursive: true, force: true });
conclude();

// oidc-client-ts 3 in Chromium: code flow, userinfo, renewal by refresh token and by frame, two tabs that
// refresh at once, logout; and what must be refused.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { check, conclude } from "../shared/checks.mjs";
import { launch, logIn } from "../shared/chromium.mjs";
import { createPerson, issuer, registerClient } from "../shared/service.mjs";

const here = new URL(".", import.meta.url);
const library = new URL("../../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js", here);
const files = {
  "/oidc-client-ts.js": [readFileSync(library), "text/javascript"],
  "/silent": [readFileSync(new URL("silent.html", here)), "text/html"],
};
const app = readFileSync(new URL("app.html", here));
const server = createServer((request, response) => {
  const [body, kind] = files[new URL(request.url, "http://localhost").pathname] ?? [app, "text/html"];
  response.writeHead(200, { "content-type": `${kind}; charset=utf-8` }).end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

async function register(more) {
  const { client_id } = await registerClient({
    client_name: "Single page",
    token_endpoint_auth_method: "none",
    redirect_uris: [`${origin}/callback`, `${origin}/silent`],
    post_logout_redirect_uris: [`${origin}/bye`],
    ...more,
  });
  return {
    authority: issuer,
    client_id,
    redirect_uri: `${origin}/callback`,
    silent_redirect_uri: `${origin}/silent`,
    post_logout_redirect_uri: `${origin}/bye`,
    scope: "openid profile email",
    loadUserInfo: true,
    automaticSilentRenew: false,
  };
}

const refreshing = await register({});
const byFrame = await register({ grant_types: ["authorization_code"] });
const person = await createPerson();
const browser = await launch();

/** A tab of the app, in a window that others may share. */
async function tab(context, settings) {
  const page = await context.newPage();
  await page.goto(`${origin}/#${new URLSearchParams({ settings: JSON.stringify(settings) })}`);
  return page;
}

async function signIn(context, settings) {
  const page = await tab(context, settings);
  await page.evaluate(() => void manager.signinRedirect());
  await page.waitForURL(`${issuer}/**`);
  await logIn(page, person);
  await page.waitForURL(`${origin}/callback**`);
  const callback = page.url();
  const user = await page.evaluate(async () => {
    const { profile, refresh_token, access_token } = await manager.signinCallback();
    return { profile, refresh_token, access_token };
  });
  return { page, user, callback };
}

await check("a person signs in, and the app knows them by ID token and userinfo", async () => {
  const context = await browser.newContext();
  const { user } = await signIn(context, refreshing);
  if (user.profile.sub !== person.id || user.profile.given_name !== "Ada") throw new Error(JSON.stringify(user));
  await context.close();
});

await check("a refresh token renews silently", async () => {
  const context = await browser.newContext();
  const { page, user } = await signIn(context, refreshing);
  const renewed = await page.evaluate(async () => {
    const { access_token, refresh_token } = await manager.signinSilent();
    return { access_token, refresh_token };
  });
  if (renewed.access_token === user.access_token) throw new Error("the same access token");
  if (renewed.refresh_token === user.refresh_token) throw new Error("the same refresh token");
  await context.close();
});

await check("two tabs that refresh with one token at once both stay signed in (R1, R2)", async () => {
  const context = await browser.newContext();
  const { page } = await signIn(context, refreshing);
  const other = await tab(context, refreshing);
  const renew = (page) => page.evaluate(async () => (await manager.signinSilent()).refresh_token);
  for (let round = 0; round < 3; round += 1) {
    const [one, two] = await Promise.all([renew(page), renew(other)]);
    if (!one || !two) throw new Error("a tab was logged out");
  }
  const info = await page.evaluate(async (url) => {
    const { access_token } = await manager.getUser();
    return (await fetch(url, { headers: { authorization: `Bearer ${access_token}` } })).status;
  }, `${issuer}/userinfo`);
  if (info !== 200) throw new Error(`userinfo ${info}`);
  await context.close();
});

await check("without a refresh token a frame renews silently, by the session alone", async () => {
  const context = await browser.newContext();
  const { page, user } = await signIn(context, byFrame);
  if (user.refresh_token) throw new Error("a refresh token that nobody asked for");
  const renewed = await page.evaluate(async () => (await manager.signinSilent()).access_token);
  if (!renewed || renewed === user.access_token) throw new Error("not renewed");
  await context.close();
});

await check("signing out leads back to the app, and a silent renewal finds nobody", async () => {
  const context = await browser.newContext();
  const { page } = await signIn(context, byFrame);
  await page.evaluate(() => void manager.signoutRedirect());
  await page.waitForURL(`${origin}/bye**`);
  const error = await page.evaluate(() => manager.signinSilent().then(() => "signed in", (error) => error.error));
  if (error !== "login_required") throw new Error(error);
  await context.close();
});

await check("a callback that was not asked for is refused by the client", async () => {
  const context = await browser.newContext();
  const { page, callback } = await signIn(context, refreshing);
  const said = await page.evaluate(
    (url) => manager.signinRedirectCallback(url).then(() => "taken", (error) => error.message),
    callback,
  );
  if (!/state/.test(said)) throw new Error(said);
  await context.close();
});

await check("an ID token with another nonce is refused by the client", async () => {
  const context = await browser.newContext();
  const page = await tab(context, refreshing);
  // Someone on the way asks for another nonce than the app did.
  await page.route(`${issuer}/authorize**`, (route) => {
    const asked = new URL(route.request().url());
    if (asked.searchParams.get("nonce") !== "mine") return route.continue();
    asked.searchParams.set("nonce", "another");
    return route.fulfill({ status: 302, headers: { location: asked.href } });
  });
  await page.evaluate(() => void manager.signinRedirect({ nonce: "mine" }));
  await page.waitForURL(`${issuer}/**`);
  await logIn(page, person);
  await page.waitForURL(`${origin}/callback**`);
  const said = await page.evaluate(() => manager.signinCallback().then(() => "taken", (error) => error.message));
  if (!/nonce/.test(said)) throw new Error(said);
  await context.close();
});

await check("a replayed code is refused by the server, and what it bought is dead", async () => {
  const context = await browser.newContext();
  const page = await tab(context, refreshing);
  let exchange;
  page.on("request", (request) => {
    if (request.url() === `${issuer}/token`) exchange = request.postData();
  });
  await page.evaluate(() => void manager.signinRedirect());
  await page.waitForURL(`${issuer}/**`);
  await logIn(page, person);
  await page.waitForURL(`${origin}/callback**`);
  const { access_token } = await page.evaluate(async () => {
    const { access_token } = await manager.signinCallback();
    return { access_token };
  });
  const again = await page.evaluate(
    async ([url, body]) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return (await fetch(url, { method: "POST", headers, body })).json();
    },
    [`${issuer}/token`, exchange],
  );
  if (again.error !== "invalid_grant") throw new Error(JSON.stringify(again));
  const info = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
  if (info.status !== 401) throw new Error(`userinfo ${info.status}`);
  await context.close();
});

await browser.close();
server.close();
conclude();

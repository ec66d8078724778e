// openid-client 6: code flow with PKCE, userinfo, refresh, logout; and what it must refuse.

import * as client from "openid-client";
import { Browser } from "./shared/browser.mjs";
import { check, conclude, mustFail } from "./shared/checks.mjs";
import { createPerson, issuer, registerClient } from "./shared/service.mjs";

const redirect_uri = "http://localhost:9/callback";
const post_logout_redirect_uri = "http://localhost:9/bye";

const person = await createPerson();
const registered = await registerClient({
  redirect_uris: [redirect_uri],
  post_logout_redirect_uris: [post_logout_redirect_uri],
});
const basic = client.ClientSecretBasic(registered.client_secret);
const config = await client.discovery(new URL(issuer), registered.client_id, undefined, basic, {
  execute: [client.allowInsecureRequests],
});
const browser = new Browser(issuer);

async function begin(more = {}) {
  const code_verifier = client.randomPKCECodeVerifier();
  const parameters = {
    redirect_uri,
    scope: "openid profile email offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: "S256",
    state: client.randomState(),
    nonce: client.randomNonce(),
    ...more,
  };
  const checks = { pkceCodeVerifier: code_verifier, expectedState: parameters.state, expectedNonce: parameters.nonce };
  return { parameters, checks };
}

async function login(more) {
  const { parameters, checks } = await begin(more);
  const callback = await browser.authorize(client.buildAuthorizationUrl(config, parameters), person);
  return { callback, checks };
}

let tokens;

await check("a person logs in and the client gets tokens it can verify", async () => {
  const { callback, checks } = await login();
  tokens = await client.authorizationCodeGrant(config, callback, { ...checks, idTokenExpected: true, maxAge: 300 });
  if (tokens.claims().sub !== person.id) throw new Error("another sub");
});

await check("userinfo is about the same person", async () => {
  const info = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  if (info.given_name !== "Ada" || info.email !== `${person.username}@example.com`) throw new Error(JSON.stringify(info));
});

await check("a refresh gives new tokens", async () => {
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
  if (refreshed.access_token === tokens.access_token || !refreshed.refresh_token) throw new Error("nothing new");
  tokens = { ...tokens, ...refreshed, claims: tokens.claims };
});

await check("introspection says active, and after revocation inactive", async () => {
  const before = await client.tokenIntrospection(config, tokens.access_token);
  await client.tokenRevocation(config, tokens.access_token);
  const after = await client.tokenIntrospection(config, tokens.access_token);
  if (!before.active || after.active) throw new Error(JSON.stringify({ before, after }));
});

await check("a pushed authorization request leads to tokens", async () => {
  const { parameters, checks } = await begin();
  const url = await client.buildAuthorizationUrlWithPAR(config, parameters);
  const callback = await browser.authorize(url, person);
  await client.authorizationCodeGrant(config, callback, { ...checks, idTokenExpected: true });
});

await check("a wrong nonce is refused by the client", async () => {
  const { callback, checks } = await login();
  await mustFail(
    () => client.authorizationCodeGrant(config, callback, { ...checks, expectedNonce: "another" }),
    (error) => /nonce/.test(`${error.message} ${error.cause?.message}`),
  );
});

await check("a callback of another issuer is refused by the client (I1)", async () => {
  const { callback, checks } = await login();
  callback.searchParams.set("iss", "https://evil.example");
  await mustFail(
    () => client.authorizationCodeGrant(config, callback, checks),
    (error) => /iss/.test(`${error.message} ${error.cause?.message}`),
  );
});

await check("a replayed code is refused by the server, and what it bought is dead", async () => {
  const { callback, checks } = await login();
  const bought = await client.authorizationCodeGrant(config, callback, checks);
  await mustFail(() => client.authorizationCodeGrant(config, callback, checks), (error) => error.error === "invalid_grant");
  const after = await client.tokenIntrospection(config, bought.access_token);
  if (after.active) throw new Error("still active");
});

await check("a wrong verifier is refused by the server", async () => {
  const { callback, checks } = await login();
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  await mustFail(
    () => client.authorizationCodeGrant(config, callback, { ...checks, pkceCodeVerifier }),
    (error) => error.error === "invalid_grant",
  );
});

await check("logging out leads back to the client, and a silent request finds nobody", async () => {
  const { callback, checks } = await login();
  const bought = await client.authorizationCodeGrant(config, callback, checks);
  const url = client.buildEndSessionUrl(config, {
    post_logout_redirect_uri,
    id_token_hint: bought.id_token,
    state: "bye",
  });
  const { sentTo } = await browser.go(url.href);
  if (sentTo?.href !== `${post_logout_redirect_uri}?state=bye`) throw new Error(`sent to ${sentTo}`);
  const { parameters, checks: silent } = await begin({ prompt: "none" });
  const answer = await browser.authorize(client.buildAuthorizationUrl(config, parameters), person);
  await mustFail(
    () => client.authorizationCodeGrant(config, answer, silent),
    (error) => error.error === "login_required",
  );
});

conclude();

// oauth4webapi 3: the protocol step by step, as a public client, with every validation it makes.

import * as oauth from "oauth4webapi";
import { Browser } from "./shared/browser.mjs";
import { check, conclude, mustFail } from "./shared/checks.mjs";
import { createPerson, issuer, registerClient } from "./shared/service.mjs";

const redirect_uri = "http://localhost:9/callback";
const post_logout_redirect_uri = "http://localhost:9/bye";
const insecure = { [oauth.allowInsecureRequests]: true };

const person = await createPerson();
const registered = await registerClient({
  redirect_uris: [redirect_uri],
  post_logout_redirect_uris: [post_logout_redirect_uri],
  token_endpoint_auth_method: "none",
  id_token_signed_response_alg: "ES256",
  userinfo_signed_response_alg: "ES256",
});
const browser = new Browser(issuer);
const discovered = await oauth.discoveryRequest(new URL(issuer), insecure);
const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
const client = {
  client_id: registered.client_id,
  id_token_signed_response_alg: "ES256",
  userinfo_signed_response_alg: "ES256",
};
const authentication = oauth.None();

async function login() {
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri,
    response_type: "code",
    scope: "openid profile email offline_access",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  const callback = await browser.authorize(url, person);
  return { parameters: oauth.validateAuthResponse(as, client, callback, state), verifier, nonce };
}

async function redeem({ parameters, verifier }) {
  return oauth.authorizationCodeGrantRequest(
    as, client, authentication, parameters, redirect_uri, verifier, insecure,
  );
}

let tokens;

await check("a code buys tokens whose ID token is right in every claim and in its signature", async () => {
  const attempt = await login();
  const answer = await redeem(attempt);
  tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, {
    expectedNonce: attempt.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, answer, insecure);
  if (oauth.getValidatedIdTokenClaims(tokens).sub !== person.id) throw new Error("another sub");
});

await check("userinfo comes as a signed JWT, as registered (I4)", async () => {
  const answer = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
  if (!answer.headers.get("content-type").startsWith("application/jwt")) throw new Error(answer.headers.get("content-type"));
  const info = await oauth.processUserInfoResponse(as, client, person.id, answer);
  await oauth.validateApplicationLevelSignature(as, answer, insecure);
  if (info.family_name !== "Lovelace") throw new Error(JSON.stringify(info));
});

await check("a refresh gives new tokens", async () => {
  const answer = await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token, insecure);
  const refreshed = await oauth.processRefreshTokenResponse(as, client, answer);
  if (refreshed.refresh_token === tokens.refresh_token) throw new Error("not rotated");
  tokens = { ...tokens, ...refreshed };
});

await check("a wrong nonce is refused by the client", async () => {
  const attempt = await login();
  const answer = await redeem(attempt);
  await mustFail(
    () => oauth.processAuthorizationCodeResponse(as, client, answer, { expectedNonce: "another" }),
    (error) => /nonce/.test(error.message),
  );
});

await check("a replayed code is refused by the server", async () => {
  const attempt = await login();
  await redeem(attempt);
  const again = await redeem(attempt);
  await mustFail(
    () => oauth.processAuthorizationCodeResponse(as, client, again),
    (error) => error.error === "invalid_grant" && error.status === 400,
  );
});

await check("a wrong state is refused by the client", async () => {
  const callback = new URL(`${redirect_uri}?code=x&state=mine&iss=${encodeURIComponent(issuer)}`);
  await mustFail(async () => oauth.validateAuthResponse(as, client, callback, "yours"));
});

await check("a revoked refresh token is dead, and its access token with it", async () => {
  const revoked = await oauth.revocationRequest(as, client, authentication, tokens.refresh_token, insecure);
  await oauth.processRevocationResponse(revoked);
  const answer = await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token, insecure);
  await mustFail(() => oauth.processRefreshTokenResponse(as, client, answer), (error) => error.error === "invalid_grant");
  const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
  if (info.status !== 401) throw new Error(`${info.status}`);
});

await check("logging out leads back to the client", async () => {
  const attempt = await login();
  const bought = await oauth.processAuthorizationCodeResponse(as, client, await redeem(attempt), {
    expectedNonce: attempt.nonce,
  });
  const url = new URL(as.end_session_endpoint);
  url.search = new URLSearchParams({ id_token_hint: bought.id_token, post_logout_redirect_uri });
  const { sentTo } = await browser.go(url.href);
  if (sentTo?.href !== post_logout_redirect_uri) throw new Error(`sent to ${sentTo}`);
});

conclude();

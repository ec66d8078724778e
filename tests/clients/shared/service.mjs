// The service under test, from outside: registering clients and creating people, as an operator does.

import { randomUUID } from "node:crypto";

export const issuer = required("GRANTLOG_ISSUER");

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

async function json(path, init, status) {
  const answer = await fetch(`${issuer}${path}`, init);
  const body = await answer.text();
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${body}`);
  return body === "" ? undefined : JSON.parse(body);
}

let token;

async function operator() {
  const basic = btoa(`${required("GRANTLOG_OPERATOR_ID")}:${required("GRANTLOG_OPERATOR_SECRET")}`);
  token ??= json(
    "/token",
    {
      method: "POST",
      headers: { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "client:register scim admin audit" }),
    },
    200,
  ).then((body) => body.access_token);
  return { authorization: `Bearer ${await token}` };
}

/** Registers a client that people let in; what is not said is as most clients have it. */
export async function registerClient(metadata) {
  const body = {
    client_name: "Real client",
    grant_types: ["authorization_code", "refresh_token"],
    scope: "openid profile email offline_access",
    ...metadata,
  };
  const headers = { ...(await operator()), "content-type": "application/json" };
  return json("/register", { method: "POST", headers, body: JSON.stringify(body) }, 201);
}

/** A person with a password. */
export async function createPerson() {
  const username = `person-${randomUUID()}`;
  const password = randomUUID();
  const user = {
    userName: username,
    password,
    name: { givenName: "Ada", familyName: "Lovelace" },
    emails: [{ value: `${username}@example.com`, primary: true }],
  };
  const headers = { ...(await operator()), "content-type": "application/scim+json" };
  const { id } = await json("/scim/v2/Users", { method: "POST", headers, body: JSON.stringify(user) }, 201);
  return { id, username, password };
}

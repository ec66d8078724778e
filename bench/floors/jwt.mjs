// Access tokens as the floors know them: one key per algorithm, imported once, and claims as JSON.

const ALGORITHMS = {
  ES256: { key: { name: "ECDSA", namedCurve: "P-256" }, use: { name: "ECDSA", hash: "SHA-256" } },
  RS256: { key: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, use: { name: "RSASSA-PKCS1-v1_5" } },
};
const RSA_SIZE = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const imported = new Map();

// A fresh key pair per algorithm, as JWKs.
export async function freshKeys() {
  const keys = {};
  for (const [name, { key }] of Object.entries(ALGORITHMS)) {
    const pair = await crypto.subtle.generateKey({ ...RSA_SIZE, ...key }, true, ["sign", "verify"]);
    keys[name] = {
      verify: await crypto.subtle.exportKey("jwk", pair.publicKey),
      sign: await crypto.subtle.exportKey("jwk", pair.privateKey),
    };
  }
  return keys;
}

export async function signed(keys, algorithm, claims) {
  const message = `${text({ alg: algorithm, kid: algorithm, typ: "at+jwt" })}.${text(claims)}`;
  const key = await cached(keys, algorithm, "sign");
  const signature = await crypto.subtle.sign(ALGORITHMS[algorithm].use, key, encoder.encode(message));
  return `${message}.${base64url(new Uint8Array(signature))}`;
}

// The claims of the request's bearer token with the algorithm it is signed by.
export async function verified(keys, request) {
  const token = request.headers.get("authorization").slice("Bearer ".length);
  const [header, payload, signature] = token.split(".");
  const { alg: algorithm } = JSON.parse(decoder.decode(bytes(header)));
  const key = await cached(keys, algorithm, "verify");
  const message = encoder.encode(token.slice(0, token.lastIndexOf(".")));
  const holds = await crypto.subtle.verify(ALGORITHMS[algorithm].use, key, bytes(signature), message);
  if (!holds) throw new Error("the signature does not hold");
  return { algorithm, claims: JSON.parse(decoder.decode(bytes(payload))) };
}

async function cached(keys, algorithm, usage) {
  const name = `${usage} ${algorithm}`;
  if (!imported.has(name)) {
    const { key } = ALGORITHMS[algorithm];
    imported.set(name, await crypto.subtle.importKey("jwk", keys[algorithm][usage], key, false, [usage]));
  }
  return imported.get(name);
}

function text(value) {
  return base64url(encoder.encode(JSON.stringify(value)));
}

function base64url(bytes) {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytes(base64url) {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

// A browser without scripts: it keeps cookies, follows redirects and fills in forms.

import { request } from "node:http";

/** Fills the login and consent pages in until the browser is sent away from the issuer. */
export class Browser {
  #jar = new Map();

  constructor(issuer) {
    this.issuer = issuer;
  }

  /** A browser with the same cookies, that goes its own way from here. */
  copy() {
    const copy = new Browser(this.issuer);
    for (const [host, jar] of this.#jar) copy.#jar.set(host, new Map(jar));
    return copy;
  }

  /** One request with the cookies of its host; redirects are not followed. */
  async request(url, init = {}) {
    const host = new URL(url).host;
    const cookies = [...(this.#jar.get(host) ?? new Map())].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...init.headers, ...(cookies && { cookie: cookies }) };
    const answer = await send(url, { ...init, headers });
    for (const cookie of answer.headers.getSetCookie()) this.#keep(host, cookie);
    return answer;
  }

  #keep(host, cookie) {
    const [pair] = cookie.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const jar = this.#jar.get(host) ?? new Map();
    this.#jar.set(host, jar);
    if (value === "" || /max-age=0/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }

  /** Goes to an address and on through redirects, as long as they stay within `within`. */
  async go(url, init, within = this.issuer) {
    let answer = await this.request(url, init);
    for (let hops = 0; answer.status >= 300 && answer.status < 400 && hops < 10; hops += 1) {
      const next = new URL(answer.headers.get("location"), url).href;
      if (!next.startsWith(within)) return { sentTo: new URL(next) };
      url = next;
      answer = await this.request(url);
    }
    return { url, status: answer.status, html: await answer.text() };
  }

  /** Submits the page's form with some fields set and, if named, one of its buttons. */
  async submit(page, fields, within = this.issuer) {
    const action = new URL(attribute(/<form[^>]*>/.exec(page.html)?.[0], "action"), page.url).href;
    const body = new URLSearchParams();
    for (const [input] of page.html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      body.set(attribute(input, "name"), attribute(input, "value"));
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.go(action, { method: "POST", body }, within);
  }

  /** From an authorization request to the redirect that answers it. */
  async authorize(url, person) {
    let page = await this.go(String(url));
    if (page.html?.includes('action="/login"')) page = await this.submit(page, person);
    if (page.html?.includes('action="/consent"')) page = await this.submit(page, { decision: "allow" });
    if (!page.sentTo) throw new Error(`not sent back to the client: ${page.status} ${page.html}`);
    return page.sentTo;
  }
}

/** One request as a browser navigates; `fetch` would say that a script asks. */
function send(url, { method = "GET", headers, body }) {
  const form = body && String(body);
  if (form !== undefined) headers["content-type"] ??= "application/x-www-form-urlencoded";
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      const received = new Headers();
      for (let at = 0; at < answer.rawHeaders.length; at += 2) {
        received.append(answer.rawHeaders[at], answer.rawHeaders[at + 1]);
      }
      const text = Buffer.concat(chunks).toString();
      resolve({ status: answer.statusCode, headers: received, text: async () => text });
    });
    asked.on("error", reject);
    asked.end(form);
  });
}

function attribute(tag, name) {
  const value = new RegExp(`${name}="([^"]*)"`).exec(tag ?? "")?.[1];
  if (value === undefined) throw new Error(`no ${name} in ${tag}`);
  return value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}

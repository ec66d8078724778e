// Every page that a person sees, in Chromium: login, consent, choice, errors, account, logout, in both languages and
// both colour schemes. axe-core must find nothing; screenshots go to target/screenshots for people to look at.

import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { check, conclude } from "./shared/checks.mjs";
import { launch, logIn } from "./shared/chromium.mjs";
import { createPerson, issuer, registerClient } from "./shared/service.mjs";

const root = new URL("../../", import.meta.url);
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", root), "utf8");
const screenshots = new URL("target/screenshots/", root);
mkdirSync(screenshots, { recursive: true });

// Where the client is: it answers whatever comes, and keeps what was posted to it.
const posted = [];
const client = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method === "POST") posted.push(new URLSearchParams(Buffer.concat(chunks).toString()));
  response.end("client");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => client.once("listening", resolve));
const redirect_uri = `http://127.0.0.1:${client.address().port}/callback`;
const browser = await launch();
const registered = await registerClient({ client_name: "Photo Printer", redirect_uris: [redirect_uri] });

function authorize(more = {}) {
  const parameters = {
    client_id: registered.client_id,
    redirect_uri,
    response_type: "code",
    scope: "openid profile email offline_access",
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    ...more,
  };
  return `${issuer}/authorize?${new URLSearchParams(parameters)}`;
}

/** Looks at a page: nothing that axe-core finds, nothing that the policy blocked, nothing wider than the window. */
async function look(page, name) {
  await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname, fullPage: true });
  // The page's own policy lets no script in; a look from outside is let in beside it.
  const { violations } = await page.evaluate(`${axe}; axe.run()`);
  if (violations.length > 0) {
    const said = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    throw new Error(said.join("\n"));
  }
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  if (overflow > 0) throw new Error(`${overflow} px too wide`);
}

async function pages(context, mark) {
  const person = await createPerson();
  const complaints = [];
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const shown = async (sentence, name, go) => {
    await check(`${sentence} (${mark})`, async () => {
      await go();
      await look(page, `${name}-${mark}`);
    });
  };
  await shown("the login page", "login", () => page.goto(authorize({ login_hint: person.username })));
  await shown("the login page after a wrong password", "login-wrong", async () => {
    await page.locator("#password").fill("wrong");
    await page.locator('button[type="submit"]').click();
    await page.locator('[role="alert"]').waitFor();
  });
  await shown("the consent page", "consent", async () => {
    await page.locator("#username").fill(person.username);
    await page.locator("#password").fill(person.password);
    await page.keyboard.press("Enter");
    await page.locator('button[value="allow"]').waitFor();
  });
  await shown("the choice between accounts", "choice", () => page.goto(authorize({ prompt: "select_account" })));
  await shown("an unknown client", "error-client", () => page.goto(authorize({ client_id: "nobody" })));
  await shown("a redirect URI that is not registered", "error-redirect", () =>
    page.goto(authorize({ redirect_uri: "https://evil.example/" })));
  await shown("the account page", "account", async () => {
    await page.goto(authorize());
    const allow = page.locator('button[value="allow"]');
    if (await allow.count()) await Promise.all([page.waitForURL(`${redirect_uri}**`), allow.click()]);
    await page.goto(`${issuer}/account`);
    await page.getByRole("heading", { name: "Photo Printer" }).waitFor();
  });
  await shown("the question whether to log out", "logout", () => page.goto(`${issuer}/logout`));
  await shown("the page after logout", "logged-out", async () => {
    await page.locator('form[action="/logout"] button').click();
    await page.waitForLoadState();
  });
  await check(`nothing was blocked or went wrong on the way (${mark})`, () => {
    // A refused login and an error page have the status of one.
    const ours = complaints.filter((text) => !/status of 40[03]|favicon/.test(text));
    if (ours.length > 0) throw new Error(ours.join("\n"));
  });
}

for (const [mark, options] of [
  ["en-light", { locale: "en-GB", colorScheme: "light" }],
  ["en-dark-phone", { locale: "en-GB", colorScheme: "dark", viewport: { width: 320, height: 700 } }],
  ["ja-light", { locale: "ja-JP", colorScheme: "light" }],
]) {
  const context = await browser.newContext(options);
  await pages(context, mark);
  await context.close();
}

await check("everything works by keyboard and without JavaScript", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-GB" });
  const [page, person] = [await context.newPage(), await createPerson()];
  await page.goto(authorize({ prompt: "login consent" }));
  await page.locator("#username:focus").waitFor();
  await page.keyboard.type(person.username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await page.locator('button[value="allow"]').focus();
  const [request] = await Promise.all([
    page.waitForRequest((request) => request.url().startsWith(redirect_uri)),
    page.keyboard.press("Enter"),
  ]);
  if (!new URL(request.url()).searchParams.get("code")) throw new Error(request.url());
  await context.close();
});

await check("a form that posts the answer sends itself, under the page's policy", async () => {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(authorize({ response_mode: "form_post" }));
  await logIn(page, await createPerson());
  await page.waitForURL(redirect_uri);
  const answer = posted.at(-1);
  if (!answer?.get("code") || answer.get("state") !== "s" || answer.get("iss") !== issuer) throw new Error(`${answer}`);
  await context.close();
});

await check("what was allowed is asked again once it was taken back on the account page", async () => {
  const context = await browser.newContext({ locale: "en-GB" });
  const [page, person] = [await context.newPage(), await createPerson()];
  await page.goto(authorize());
  await logIn(page, person);
  await page.waitForURL(`${redirect_uri}**`);
  await page.goto(authorize());
  if (!page.url().startsWith(redirect_uri)) throw new Error(`asked again at ${page.url()}`);
  await page.goto(`${issuer}/account`);
  await page.getByRole("button", { name: "Photo Printer" }).click();
  await page.getByRole("status").waitFor();
  await look(page, "account-withdrawn");
  await page.goto(authorize());
  await page.locator('button[value="allow"]').waitFor();
  await context.close();
});

await check("a session ended from another device is over", async () => {
  const person = await createPerson();
  const [lost, kept] = [await browser.newContext(), await browser.newContext({ locale: "en-GB" })];
  const [there, here] = [await lost.newPage(), await kept.newPage()];
  for (const page of [there, here]) {
    await page.goto(authorize());
    await logIn(page, person);
    await page.waitForURL(`${redirect_uri}**`);
  }
  await here.goto(`${issuer}/account`);
  const others = here.locator('section[aria-labelledby="sessions"] button');
  if ((await others.count()) !== 1) throw new Error(`${await others.count()} sessions that can be ended`);
  await others.click();
  await here.getByRole("status").waitFor();
  await there.goto(authorize());
  await there.locator("#password").waitFor();
  await lost.close();
  await kept.close();
});

await browser.close();
client.close();
conclude();

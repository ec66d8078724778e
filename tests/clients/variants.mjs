// Every variant of each page in Chromium, without its script, by day, by night and on a phone: no violation of axe's
// rules, no complaint of the browser, nothing wider than its window. Then the one script, under its policy.
//
// The tests of `src/pages` lay the responses out under target/pages.

import axe from "axe-core";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { check, conclude } from "./shared/checks.mjs";
import { launch } from "./shared/chromium.mjs";

const target = new URL("../../target/", import.meta.url).pathname;
const pages = join(target, "pages");
const screenshots = join(target, "screenshots/variants");
const LOOKS = [
  { look: "light", colorScheme: "light", viewport: { width: 1000, height: 800 } },
  { look: "dark", colorScheme: "dark", viewport: { width: 1000, height: 800 } },
  { look: "phone", colorScheme: "light", viewport: { width: 320, height: 640 } },
];
/** WCAG 2.2 AA and what axe itself recommends. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Serves each response just as Grantlog would give it; asked for `?still`, without its script, as where scripts are off. */
function serve() {
  const server = createServer((request, response) => {
    const [path, still] = request.url.split("?");
    const file = path.startsWith("/assets/") ? path.replaceAll("/", "_") : `${path.slice(1)}.json`;
    try {
      const { status, headers, body } = JSON.parse(readFileSync(join(pages, file), "utf8"));
      response.writeHead(status, headers).end(still ? body.replace(/<script>.*<\/script>/, "") : body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function faultsOf(page, complaints) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate((values) => globalThis.axe.run({ runOnly: { type: "tag", values } }), RULES);
  const faults = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...faults, ...(tooWide ? ["wider than its window"] : []), ...complaints];
}

/** The one script sends the form by itself, under its policy, and the fields arrive. */
async function formPost() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const arrived = new Promise((resolve) => {
    setTimeout(resolve, 10_000, "nothing");
    context.route("https://photos.example/**", (route) => {
      resolve(`${route.request().method()} ${route.request().postData()}`);
      return route.fulfill({ body: "arrived" });
    });
  });
  await page.goto(address("form-post.en"), { waitUntil: "commit" });
  const post = await arrived;
  await context.close();
  if (!post.startsWith("POST code=")) throw new Error(`${post} arrived`);
}

const server = await serve();
const address = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
const browser = await launch();
const names = readdirSync(pages).filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5));
mkdirSync(screenshots, { recursive: true });
for (const { look, ...options } of LOOKS) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  let complaints = [];
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`script: ${error}`));
  await check(`${names.length} pages, ${look}`, async () => {
    const faults = names.length > 0 ? [] : ["no page was laid out"];
    for (const name of names) {
      complaints = [];
      const answer = await page.goto(address(`${name}?still`));
      const told = complaints.filter((complaint) => !(answer.status() >= 400 && complaint.includes("Failed to load resource")));
      faults.push(...(await faultsOf(page, told)).map((fault) => `${name}: ${fault}`));
      await page.screenshot({ path: join(screenshots, `${name}.${look}.png`), fullPage: true });
    }
    if (faults.length > 0) throw new Error(faults.join("\n"));
  });
  await context.close();
}
await check("the form sends itself, under its policy", formPost);
await browser.close();
server.close();
conclude();

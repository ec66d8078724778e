// Every page in Chromium, without its script: no violation of axe's rules, no complaint of the browser, nothing wider than
// a phone. Then the one script, under its policy.
//
//   PAGES_OUT=target/pages cargo test -p grantlog --lib pages::tests::golden
//   node tests/pages/check.mjs target/pages target/screenshots
//
// Needs `playwright-core`, `axe-core` and a Chromium (CHROMIUM, else /usr/bin/chromium).

import axe from "axe-core";
import { chromium } from "playwright-core";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [pages, screenshots] = process.argv.slice(2);
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
async function faultsOfFormPost() {
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
  if (post.startsWith("POST code=")) return 0;
  console.log(`form-post: ${post} arrived`);
  return 1;
}

const server = await serve();
const address = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const names = readdirSync(pages).filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5));
mkdirSync(screenshots, { recursive: true });
let found = 0;
for (const { look, ...options } of LOOKS) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  let complaints = [];
  page.on("console", (message) => complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`script: ${error}`));
  for (const name of names) {
    complaints = [];
    const answer = await page.goto(address(`${name}?still`));
    const told = complaints.filter((complaint) => !(answer.status() >= 400 && complaint.includes("Failed to load resource")));
    const faults = await faultsOf(page, told);
    await page.screenshot({ path: join(screenshots, `${name}.${look}.png`), fullPage: true });
    found += faults.length;
    if (faults.length > 0) console.log(`${name} (${look})\n  ${faults.join("\n  ")}`);
  }
  await context.close();
}
found += await faultsOfFormPost();
await browser.close();
server.close();
console.log(`${names.length} pages in ${LOOKS.length} looks: ${found} faults`);
process.exitCode = found > 0 || names.length === 0 ? 1 : 0;

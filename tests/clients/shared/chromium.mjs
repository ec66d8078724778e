// Debian's Chromium, driven by Playwright.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser without a window and without calls home. */
export async function launch() {
  const executablePath = programs.find(existsSync);
  if (!executablePath) throw new Error("no Chromium is installed");
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath, args });
}

/** Fills the login and consent pages in, until the browser is elsewhere. */
export async function logIn(page, person) {
  await page.locator("#username").fill(person.username);
  await page.locator("#password").fill(person.password);
  await page.locator('button[type="submit"]').click();
  await page.waitForLoadState();
  const allow = page.locator('button[name="decision"][value="allow"]');
  if (await allow.count()) await allow.click();
}

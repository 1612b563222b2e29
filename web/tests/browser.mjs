// The tests of a report open its page in Chromium, from a file and without a network.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const panels = (page, figure) => page.locator(`#figure-${figure} .panel`);

// How many marks of each layer a panel has.
export const marks = (panel) =>
  panel.evaluate((element) => {
    const counts = {};
    for (const group of element.querySelectorAll(".role-mark")) {
      const layer = [...group.classList].find((name) => name.endsWith("_marks")).replace("_marks", "");
      counts[layer] = (counts[layer] ?? 0) + group.children.length;
    }
    return counts;
  });

// `expected`: for each figure, the marks of each of its panels; and there are no other figures.
export async function assertMarks(page, expected) {
  assert.equal(await page.locator("figure").count(), Object.keys(expected).length);
  for (const [figure, counts] of Object.entries(expected)) {
    const drawn = await Promise.all((await panels(page, figure).all()).map(marks));
    assert.deepEqual(drawn, counts, figure);
  }
}

export async function download(page, locator) {
  const [file] = await Promise.all([page.waitForEvent("download"), locator.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

// The report in `directory`: withPage(options, use) opens it in a page of its own, onPage(use) in a page that all tests
// share, which they must leave as they found it.
export function reportIn(executablePath, directory) {
  const address = pathToFileURL(join(directory, "report.html")).href;
  let browser;
  before(async () => {
    // Chromium's sandbox does not work for root, the usual user of a container.
    const args = process.getuid() === 0 ? ["--no-sandbox"] : [];
    // The same fonts on every machine.
    const env = { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL("fonts.conf", import.meta.url)) };
    browser = await chromium.launch({ executablePath, args, env });
  });
  after(() => browser.close());

  // Console messages, errors, dialogs and network requests of a page are noted; each fails the test.
  async function open(options) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on("request", (request) => {
      if (request.url() !== address && !/^(blob|data):/.test(request.url())) problems.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    await page.locator("figure :is(svg, table)").first().waitFor();
    return { page, problems };
  }

  async function withPage(options, use) {
    const { page, problems } = await open(options);
    await use(page);
    assert.deepEqual(problems, []);
    await page.context().close();
  }

  let shared;
  async function onPage(use) {
    shared ??= await open({});
    await use(shared.page);
    assert.deepEqual(shared.problems, []);
  }

  // A test for each width and colour scheme: writes a screenshot to `directory`, and checks that nothing is wider than the
  // window, and what `check` checks.
  function testLooks(check = async () => {}) {
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"]) {
        test(`the page at ${width} pixels, ${colorScheme}`, () =>
          withPage({ viewport: { width, height: 844 }, colorScheme }, async (page) => {
            await page.screenshot({ path: join(directory, `report-${width}-${colorScheme}.png`), fullPage: true });
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "nothing is wider than the window");
            await check(page, width, colorScheme);
          }));
      }
    }
  }

  return { withPage, onPage, testLooks };
}

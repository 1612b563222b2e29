// The report of `hearsay reproduce` in a browser: it shows what the run has written.
// node reproduced.mjs CHROMIUM HEARSAY DIRECTORY
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { assertMarks, download, reportIn } from "./browser.mjs";

const [executablePath, hearsay, directory] = process.argv.slice(2);
rmSync(directory, { recursive: true, force: true });
execFileSync(hearsay, ["reproduce", "--quick", "--quiet", "--out", directory]);
const { onPage, testLooks } = reportIn(executablePath, directory);
const read = (name) => readFileSync(join(directory, name), "utf8");

// Each row as an object. Only labels contain commas, in quotes.
const rows = (name) => {
  const [header, ...lines] = read(name).trim().split("\n").map((line) => line.match(/("[^"]*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "")));
  return lines.map((line) => Object.fromEntries(header.filter(Boolean).map((name, i) => [name, line[i]])));
};
const summary = rows("summary.csv");

test("every figure draws a mark for every row", () =>
  onPage(async (page) => {
    const expected = {
      "random-graphs": ['"U(0, 1)"', '"U(0.5, 1)"', '"U(0, 0.5)"'].map((law) => ({ points: rows("random-graphs.csv").filter((row) => row.weights === law).length, guides: 1, lines: 1 })),
      grid: [{ references: 2, lines: 2, points: rows("grid.csv").length }],
      rates: [{ level_bands: 1, bars: 25, levels: 1, level_points: 1, lines: 5, points: summary.filter((row) => row.experiment === "rates").length - 1 }],
      certificates: [{ bands: 6, bounds: 6, lines: 6, points: 36 }],
    };
    for (const experiment of ["comparison", "comparison-noisy"]) {
      for (const [name, one] of [["one", true], ["average", false]]) {
        const shown = summary.filter((row) => row.experiment === experiment && (row.sequences === "1") === one);
        expected[`${experiment}-${name}`] = ["adaptive", "0.01", "0.1"].map((rate) => {
          const panel = shown.filter((row) => row.rate === rate);
          const points = panel.filter((row) => row.threshold !== "").length;
          const levels = panel.length - points;
          return { level_bands: levels, bars: points, levels, level_points: levels, lines: 2, points };
        });
      }
    }
    await assertMarks(page, expected);
  }));

test("saved tables are the files of the run, byte for byte", () =>
  onPage(async (page) => {
    for (const name of ["results.csv", "summary.csv", "random-graphs.csv", "grid.csv"]) {
      const file = await download(page, page.getByRole("button", { name: `Save ${name}` }));
      assert.equal(file.name, name);
      assert.ok(file.bytes.equals(readFileSync(join(directory, name))), name);
    }
  }));

test("the claims are those of claims.json", () =>
  onPage(async (page) => {
    const claims = JSON.parse(read("claims.json"));
    assert.ok(claims.length > 10);
    const shown = await page.locator(".verdict").allTextContents();
    assert.deepEqual(shown.map((verdict) => verdict.slice(1)), claims.map((claim) => claim.verdict));
    const text = (await page.locator("body").textContent()).replace(/\s+/g, " ");
    for (const { claim, measured } of claims) {
      assert.ok(text.includes(claim), claim);
      assert.ok(text.includes(measured), measured);
    }
  }));

test("a claim leads to the figure that shows it", () =>
  onPage(async (page) => {
    const targets = await page.locator(".claims a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    assert.equal(targets.length, JSON.parse(read("claims.json")).length);
    for (const target of new Set(targets)) assert.equal(await page.locator(`figure${target}`).count(), 1, target);
  }));

test("every learner has a colour and a mark of its own", () => {
  const { learners } = JSON.parse(readFileSync(new URL("../src/styles.json", import.meta.url), "utf8"));
  for (const { name } of JSON.parse(execFileSync(hearsay, ["list", "--json"])).learners) {
    assert.ok(learners.includes(name), `${name} is not listed in src/styles.json: add it at the end of \`learners\``);
  }
});

test("the page is smaller than 3 MB", () => {
  assert.ok(read("report.html").length < 3e6);
});

testLooks();

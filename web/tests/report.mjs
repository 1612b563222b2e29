// All functions of a report in a browser, with made-up numbers.
// node report.mjs CHROMIUM SAMPLE_REPORT DIRECTORY; screenshots are written to DIRECTORY.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { assertMarks, download, marks, panels, reportIn } from "./browser.mjs";

const [executablePath, sampleReport, directory] = process.argv.slice(2);
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
execFileSync(sampleReport, [directory]);
const { withPage, onPage, testLooks } = reportIn(executablePath, directory);
const text = (name) => readFileSync(join(directory, name), "utf8");

// The labels of the y axis, as [value, pixel], from the bottom up.
const yTicks = (panel) =>
  panel.evaluate((element) =>
    [...element.querySelectorAll(".role-axis-label text")]
      .filter((label) => label.getAttribute("text-anchor") === "end" && /translate\(-/.test(label.getAttribute("transform")))
      .map((label) => [
        Number(label.textContent.replace(",", "")),
        Number(/,([\d.]+)\)/.exec(label.getAttribute("transform"))[1]),
      ]),
  );

const levelPixels = (panel) =>
  panel.evaluate((element) =>
    [...element.querySelectorAll(".levels_marks line")].map((line) => Number(/,([\d.]+)\)/.exec(line.getAttribute("transform"))[1])),
  );

const rows = (name) =>
  text(name)
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));

const shortened = (value) => new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }).format(value);

test("every figure draws its marks", () =>
  onPage(async (page) => {
    const expected = {
      // 21 thresholds for two learners; four learners without.
      comparison: Array(3).fill({ level_bands: 4, bars: 42, levels: 4, lines: 2, points: 42 }),
      curves: [{ bands: 6, references: 3, lines: 6 }],
      // 10 sizes, 100 graphs each.
      "random-graphs": Array(3).fill({ points: 1000, guides: 1, lines: 1 }),
      grid: [{ references: 2, lines: 2, points: 28 }],
      sweep: [{ bars: 20, lines: 4, points: 20 }],
    };
    await assertMarks(page, expected);
  }));

test("marks are drawn at their values", () =>
  onPage(async (page) => {
    // exp3 is the first of the level lines, on a linear scale and on a logarithmic one.
    const value = Number(rows("summary.csv").find(([rate, learner]) => rate === "0.1" && learner === "exp3")[3]);
    const panel = panels(page, "comparison").nth(2);
    for (const [scale, measure] of [["log", Math.log], ["linear", (y) => y]]) {
      await page.locator(`#figure-comparison input[name=comparison-y][value=${scale}]`).check({ force: true });
      const ticks = await yTicks(panel);
      const [[low, bottom], [high, top]] = [ticks[0], ticks.at(-1)];
      const share = (measure(value) - measure(low)) / (measure(high) - measure(low));
      const [pixel] = await levelPixels(panel);
      // Labels are at whole and half pixels, 4 pixels below their ticks.
      const offset = 4;
      assert.ok(Math.abs(bottom + share * (top - bottom) - offset - pixel) <= 1.5, `${scale}: ${pixel} from ${JSON.stringify(ticks)}`);
    }
  }));

test("a logarithmic scale says how many points it leaves out", () =>
  onPage(async (page) => {
    await page.locator("#figure-comparison input[name=comparison-x][value=log]").check({ force: true });
    // The threshold 0 of two learners in three panels.
    assert.deepEqual(await marks(panels(page, "comparison").first()), { level_bands: 4, bars: 40, levels: 4, lines: 2, points: 40 });
    assert.match(await page.locator("#figure-comparison .note").textContent(), /^6 of 126 points/);
    await page.locator("#figure-comparison input[name=comparison-x][value=linear]").check({ force: true });
    assert.equal(await page.locator("#figure-comparison .note").textContent(), "");
    assert.equal(await page.locator("#figure-grid input[name=grid-x]").count(), 0, "linear_only has no switch");
  }));

test("hovering shows the values", () =>
  onPage(async (page) => {
    const panel = panels(page, "comparison").nth(1);
    await panel.scrollIntoViewIfNeeded();
    await panel.hover();
    const tip = panel.locator(".tip");
    const threshold = (await tip.locator("p").textContent()).replace("threshold ", "");
    const shown = await tip.locator("tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    const expected = rows("summary.csv")
      .filter(([rate, , at]) => rate === "0.01" && (at === "" || at === threshold))
      .sort((a, b) => b[3] - a[3])
      .map(([, learner, , regret, sd]) => [learner, `${shortened(regret)} ± ${shortened(sd)}`]);
    assert.equal(expected.length, 6);
    assert.deepEqual(shown, expected);
    await page.mouse.move(1, 1);
    assert.ok(await tip.isHidden());
  }));

test("the arrow keys move through the values, for screen readers too", () =>
  onPage(async (page) => {
    const panel = panels(page, "grid").first();
    await panel.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const [, , alpha] = rows("grid.csv").find(([weight, side]) => weight === "1/(1+d^2)" && side === "3");
    const spoken = await panel.locator("[aria-live]").textContent();
    assert.match(spoken, /^side k 3;/);
    assert.ok(spoken.includes(`1/(1+d^2) ${shortened(alpha)}`), spoken);
    await page.keyboard.press("Escape");
    assert.ok(await panel.locator(".tip").isHidden());
  }));

test("a click on the legend highlights a learner", () =>
  onPage(async (page) => {
    const figure = page.locator("#figure-curves");
    const opacities = () => figure.locator(".lines_marks path").evaluateAll((all) => all.map((path) => Number(path.getAttribute("opacity") ?? 1)));
    const ivx = figure.getByRole("button", { name: "exp3-ivx ours" });
    assert.deepEqual(await opacities(), [1, 1, 1, 1, 1, 1]);
    await ivx.click();
    assert.equal(await ivx.getAttribute("aria-pressed"), "true");
    assert.deepEqual(await opacities(), [0.125, 0.125, 0.125, 0.125, 0.125, 1]);
    await panels(page, "curves").first().hover();
    const shown = await figure.locator(".tip th").allTextContents();
    assert.deepEqual(shown.sort(), ["exp3-ivx", "exp3-ivx: certificate"]);
    await figure.getByRole("button", { name: "exp3-wix", exact: true }).click();
    assert.deepEqual(await opacities(), [0.125, 0.125, 0.125, 1, 0.125, 0.125]);
    await page.keyboard.press("Enter");
    assert.deepEqual(await opacities(), [1, 1, 1, 1, 1, 1]);
  }));

test("a saved CSV is the file of the results, byte for byte", () =>
  onPage(async (page) => {
    const tables = { comparison: "summary.csv", curves: "results.csv", "random-graphs": "random-graphs.csv", grid: "grid.csv", sweep: "sweep.csv" };
    for (const [figure, name] of Object.entries(tables)) {
      const file = await download(page, page.locator(`#figure-${figure} .save button`, { hasText: "CSV" }));
      assert.equal(file.name, name);
      assert.ok(file.bytes.equals(readFileSync(join(directory, name))), name);
    }
    const file = await download(page, page.getByRole("button", { name: "Save sweep.csv" }));
    assert.ok(file.bytes.equals(readFileSync(join(directory, "sweep.csv"))));
  }));

test("a saved picture is the whole figure", () =>
  withPage({ colorScheme: "dark" }, async (page) => {
    const tools = page.locator("#figure-comparison .save");
    const svg = await download(page, tools.getByText("SVG"));
    assert.equal(svg.name, "comparison.svg");
    const drawing = svg.bytes.toString();
    const lines = [...drawing.matchAll(/class="mark-line[^>]*><path[^>]* d="([^"]*)"/g)].map(([, path]) => path);
    assert.equal(new Set(lines).size, 6, "two lines in each of three panels, all different");
    for (const part of ["rate adaptive", "rate 0.01", "rate 0.1", "exp3-ivx (ours)", "Total regret against the threshold"]) {
      assert.ok(drawing.includes(part), part);
    }
    assert.ok(!drawing.includes("var(--"), "colours do not depend on the page's style sheet");
    const png = await download(page, tools.getByText("PNG"));
    assert.equal(png.name, "comparison.png");
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(png.bytes.readUInt32BE(16) > 1500, "wide enough for print");
  }));

test("the text about the bound agrees with the table", () =>
  onPage(async (page) => {
    const figure = page.locator("#figure-curves");
    const bounded = rows("results.csv").filter(([, , , , bound]) => bound !== "");
    const broken = bounded.filter(([, , regret, , bound]) => Number(regret) > Number(bound)).length;
    assert.equal(broken, 0);
    assert.match(await figure.locator(".bound").textContent(), new RegExp(`^The bound holds at all ${bounded.length} recorded points\\.`));
    await figure.locator("summary").click();
    const shares = await figure.locator("tbody tr td:nth-child(5)").allTextContents();
    const expected = bounded.filter(([, round]) => round === "5000").map(([, , regret, , bound]) => `${Number(((100 * regret) / bound).toPrecision(2))} %`);
    assert.deepEqual(shares, expected);
  }));

test("texts are shown unchanged, and never as markup", () =>
  onPage(async (page) => {
    assert.equal(await page.title(), "Online learning with noisy side observations");
    assert.match(await page.locator("#figure-sweep figcaption").textContent(), /<\/script> & "quotes" are only text/);
    assert.match(await page.locator("footer").textContent(), /seed 18446744073709551615$/);
    assert.deepEqual(await page.locator(".verdict").allTextContents(), ["✓holds", "◐holds in part", "✗does not hold"]);
    const settings = page.locator(".settings");
    assert.ok(await settings.isHidden());
    await page.getByText("Settings of this experiment").click();
    assert.match(await settings.textContent(), /^# all defaults filled in\nseed = 1\n/);
  }));

test("the command can be copied", () =>
  withPage({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "hearsay reproduce --seed 1 --out hearsay-out/reproduce");
  }));

test("the licences of the packages in the page are in it", () => {
  const notice = readFileSync(new URL("../../NOTICE", import.meta.url), "utf8");
  const ofPage = notice.slice(notice.indexOf("Part 2: packages"));
  assert.match(ofPage, /^vega-lite \d/m);
  assert.ok(text("report.html").includes(`<!--\n${ofPage}-->`));
});

test("every figure and control has a name for screen readers", () =>
  onPage(async (page) => {
    for (const figure of await page.locator("figure").all()) {
      const title = await figure.locator("h3").textContent();
      assert.equal(await page.getByRole("figure", { name: title }).count(), 1, title);
    }
    const names = await page.getByRole("img").evaluateAll((all) => all.map((panel) => panel.getAttribute("aria-label")));
    assert.equal(names.length, 9);
    assert.equal(new Set(names).size, 9);
    for (const control of await page.locator("button, input, a, summary").all()) {
      assert.notEqual(await control.evaluate((element) => (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent).trim()), "");
    }
  }));

testLooks(async (page, width, colorScheme) => {
  const boxes = await Promise.all((await panels(page, "comparison").all()).map((panel) => panel.boundingBox()));
  const rowsOfPanels = new Set(boxes.map((box) => box.y)).size;
  assert.equal(rowsOfPanels, width === 1280 ? 1 : 3);
  const svgWidth = await panels(page, "comparison").first().locator("svg").evaluate((svg) => svg.getBoundingClientRect().width);
  assert.ok(Math.abs(svgWidth - boxes[0].width) <= 1, "the figure fills its panel");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const brightness = /(\d+), (\d+), (\d+)/.exec(ground).slice(1).reduce((sum, part) => sum + Number(part), 0) / 765;
  assert.ok(colorScheme === "dark" ? brightness < 0.2 : brightness > 0.9, ground);
});

test("a printed page has a white background", () =>
  withPage({ colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    await page.pdf({ path: join(directory, "report.pdf"), format: "A4" });
  }));

// All functions of a report in a browser, with made-up numbers.
// node report.mjs CHROMIUM SAMPLE_REPORT DIRECTORY; screenshots are written to DIRECTORY.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const whole = (value) => new Intl.NumberFormat("en", { maximumFractionDigits: 0 }).format(value);

test("every figure draws its marks", () =>
  onPage(async (page) => {
    const expected = {
      // 21 thresholds for two learners; four learners without.
      comparison: Array(3).fill({ level_bands: 4, bars: 42, levels: 4, level_points: 4, lines: 2, points: 42 }),
      // Six marks on each curve.
      curves: [{ bands: 6, bounds: 3, lines: 6, points: 36 }],
      // 10 sizes, 100 graphs each.
      "random-graphs": Array(3).fill({ points: 1000, guides: 1, lines: 1 }),
      grid: [{ references: 2, lines: 2, points: 28 }],
      sweep: [{ bars: 20, lines: 4, points: 20 }],
      graph: [],
    };
    await assertMarks(page, expected);
  }));

test("marks are drawn at their values", () =>
  onPage(async (page) => {
    // exp3 is the third of the horizontal lines, after two of ours, on a linear scale and on a logarithmic one.
    const value = Number(rows("summary.csv").find(([rate, learner]) => rate === "0.1" && learner === "exp3")[3]);
    const panel = panels(page, "comparison").nth(2);
    for (const [scale, measure] of [["log", Math.log], ["linear", (y) => y]]) {
      await page.locator(`#figure-comparison input[name=comparison-y][value=${scale}]`).check({ force: true });
      const ticks = await yTicks(panel);
      const [[low, bottom], [high, top]] = [ticks[0], ticks.at(-1)];
      const share = (measure(value) - measure(low)) / (measure(high) - measure(low));
      const [, , pixel] = await levelPixels(panel);
      // Labels are at whole and half pixels, 4 pixels below their ticks.
      const offset = 4;
      assert.ok(Math.abs(bottom + share * (top - bottom) - offset - pixel) <= 1.5, `${scale}: ${pixel} from ${JSON.stringify(ticks)}`);
    }
  }));

test("a logarithmic scale says how many points it leaves out", () =>
  onPage(async (page) => {
    await page.locator("#figure-comparison input[name=comparison-x][value=log]").check({ force: true });
    // The threshold 0 of two learners in three panels.
    assert.deepEqual(await marks(panels(page, "comparison").first()), { level_bands: 4, bars: 40, levels: 4, level_points: 4, lines: 2, points: 40 });
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
    const [, threshold, band] = /^threshold ([\d.]+); ± (.*)$/.exec(await tip.locator("p").textContent());
    assert.equal(band, "standard deviation of 10 runs");
    const [tipBox, panelBox] = [await tip.boundingBox(), await panel.boundingBox()];
    assert.ok(tipBox.y >= panelBox.y + panelBox.height || tipBox.y + tipBox.height <= panelBox.y, "the values cover no curve");
    const shown = await tip.locator("tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    const expected = rows("summary.csv")
      .filter(([rate, , at]) => rate === "0.01" && (at === "" || at === threshold))
      .sort((a, b) => b[3] - a[3])
      .map(([, learner, , regret, sd]) => [learner, `${whole(regret)} ± ${whole(sd)}`]); // two digits of the standard deviations
    assert.equal(expected.length, 6);
    assert.deepEqual(shown, expected);
    const heights = (all) =>
      all.map((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return (top + bottom) / 2;
      });
    const dots = await panel.locator(".dot").evaluateAll(heights);
    const marks = await panel.locator(".points_marks path, .level_points_marks path").evaluateAll(heights);
    // The middle of the box of a triangle is a third of a pixel from its centre; browsers round to half a pixel.
    const isOnMark = (dot) => marks.some((mark) => Math.abs(mark - dot) < 1);
    assert.equal(dots.length, 6);
    assert.ok(dots.every(isOnMark), `the dots at ${dots} are on the marks at ${marks}`);
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
    const four = rows("grid.csv").filter(([, side]) => side === "3").map(([, , each]) => 3 - Math.floor(Math.log10(Number(each))));
    assert.ok(spoken.includes(`1/(1+d²) ${Number(alpha).toFixed(Math.min(...four))}`), spoken);
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
    // The thick lines of ours are drawn first, so that the others are not hidden below them.
    assert.deepEqual(await opacities(), [0.125, 1, 0.125, 0.125, 0.125, 0.125]);
    await panels(page, "curves").first().hover();
    assert.deepEqual(await figure.locator(".tip th").allTextContents(), ["exp3-ivx"]);
    assert.match(await figure.locator(".tip td").textContent(), /^[\d.]+ ± [\d.]+, certificate [\d.]+$/);
    await figure.getByRole("button", { name: "exp3-wix", exact: true }).click();
    assert.deepEqual(await opacities(), [0.125, 0.125, 0.125, 0.125, 0.125, 1]);
    await page.keyboard.press("Enter");
    assert.deepEqual(await opacities(), [1, 1, 1, 1, 1, 1]);
  }));

test("the reader hides the bound, and the axis follows", () =>
  onPage(async (page) => {
    const panel = panels(page, "curves").first();
    const top = async () => (await yTicks(panel)).at(-1)[0];
    const whole = await top();
    const bound = page.locator("#figure-curves").getByRole("button", { name: "certificate" });
    await bound.click();
    assert.equal(await bound.getAttribute("aria-pressed"), "false");
    assert.deepEqual(await marks(panel), { bands: 6, lines: 6, points: 36 });
    assert.ok((await top()) < whole / 2);
    await bound.click();
    assert.equal(await top(), whole);
  }));

test("the reader chooses what the bands show, and the caption says it", () =>
  onPage(async (page) => {
    const figure = page.locator("#figure-comparison");
    const choose = (name) => figure.locator(`input[name=comparison-band][value=${name}]`).check({ force: true });
    const height = () =>
      figure.locator(".level_bands_marks path").first().evaluate((path) => path.getBoundingClientRect().height);
    const sd = await height();
    assert.match(await figure.locator("figcaption").textContent(), /show ±\u00a0standard deviation of 10 runs\.$/);
    await choose("se");
    assert.ok(Math.abs((await height()) / sd - 0.5) < 0.1, "half as wide");
    assert.match(await figure.locator("figcaption").textContent(), /show ±\u00a0half of it\.$/);
    await choose("none");
    assert.deepEqual(await marks(panels(page, "comparison").first()), { levels: 4, level_points: 4, lines: 2, points: 42 });
    assert.doesNotMatch(await figure.locator("figcaption").textContent(), /±/);
    await choose("sd");
  }));

test("a learner has the same colour in every figure", () =>
  onPage(async (page) => {
    const colour = (figure, label) =>
      page.locator(`#figure-${figure}`).getByRole("button", { name: label, exact: true }).locator("path").first().getAttribute("stroke");
    const exp3 = await colour("comparison", "exp3");
    assert.equal(await colour("curves", "exp3"), exp3);
    assert.equal(await colour("sweep", "exp3, noise uniform"), exp3);
    assert.equal(await colour("sweep", "exp3, noise rademacher"), exp3);
    assert.notEqual(await colour("curves", "exp3-wix"), exp3);
    assert.equal(await colour("curves", "exp3-wix sharp ours"), await colour("curves", "exp3-wix"));
    const dashes = await page.locator("#figure-sweep .legend path:first-child").evaluateAll((all) => all.map((path) => path.getAttribute("stroke-dasharray")));
    assert.equal(new Set(dashes).size, 2, "series of one learner differ in their dashes");
  }));

test("the reader zooms and moves, in all panels together", () =>
  onPage(async (page) => {
    const figure = page.locator("#figure-comparison");
    const ticks = () => Promise.all([0, 2].map(async (panel) => (await yTicks(panels(page, "comparison").nth(panel))).map(([value]) => value)));
    const whole = await ticks();
    await figure.getByRole("button", { name: /^Zoom in/ }).click();
    const [first, last] = await ticks();
    assert.deepEqual(first, last);
    assert.ok(first.at(-1) < whole[0].at(-1));
    await panels(page, "comparison").first().focus();
    await page.keyboard.press("Shift+ArrowUp");
    const moved = await ticks();
    assert.ok(moved[0].at(-1) > first.at(-1));
    const box = await panels(page, "comparison").nth(1).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 60, { steps: 3 });
    await page.mouse.up();
    assert.ok((await ticks())[0][0] < moved[0][0], "dragging up moves the axis down");
    await figure.getByRole("button", { name: /^Show the whole/ }).click();
    assert.deepEqual(await ticks(), whole);
    await page.mouse.move(1, 1);
  }));

test("the results are sorted by any column and saved for a paper", () =>
  onPage(async (page) => {
    const table = page.locator(".ranking");
    const names = () => table.locator("tbody th").allTextContents();
    const byRank = rows("ranking.csv").map(([, name]) => name);
    assert.deepEqual(await names(), byRank);
    await table.getByRole("button", { name: "Sort by learner" }).click();
    assert.deepEqual(await names(), [...byRank].sort((a, b) => a.localeCompare(b)));
    await table.getByRole("button", { name: "Sort by rank" }).click();
    assert.deepEqual(await names(), byRank);
    assert.equal(await table.locator("tbody tr").nth(1).textContent(), "2exp3-wix sharp55.0 ±\u00a05.02.0 ±\u00a03.01,234.5");
    const file = await download(page, table.getByText("LaTeX"));
    const latex = file.bytes.toString();
    assert.match(latex, /^ {4}2 & exp3-wix sharp & 55\.0 \$\\pm\$ 5\.0 & 2\.0 \$\\pm\$ 3\.0 & 1,234\.5 \\\\$/m);
    assert.match(latex, /\\caption\{Intervals of 95 \\%; those of exp3\\_x are made up\.\}/);
  }));

test("the summary counts the verdicts, and a claim leads to its figure", () =>
  onPage(async (page) => {
    assert.equal(await page.locator(".counts").textContent(), "Of 3 claims: 1 holds, 1 in part, 1 does not");
    assert.match(await page.locator(".facts").textContent(), /Rounds5,000/);
    assert.equal(await page.locator(".claims a").getAttribute("href"), "#figure-comparison");
    assert.ok(await page.locator(".claims").isHidden());
    await page.getByText("All 3 claims").click();
    await page.locator(".claims a").click();
    assert.equal(await page.evaluate(() => location.hash), "#figure-comparison");
    await page.getByText("All 3 claims").click();
  }));

test("mathematics is written as mathematics", () =>
  onPage(async (page) => {
    assert.match(await page.locator("#figure-grid .legend").textContent(), /1\/\(1\+d²\)/);
    assert.ok((await panels(page, "grid").first().locator("svg").textContent()).includes("α*"));
    assert.match(await page.locator("#figure-comparison figcaption").textContent(), /a 5 × 5 grid/);
  }));

test("the graph is drawn with its independent set", () =>
  onPage(async (page) => {
    assert.equal(await page.locator(".node").count(), 6);
    assert.equal(await page.locator(".witness").count(), 3);
    const edges = await page.locator(".edges").getAttribute("d");
    assert.equal(edges.match(/M/g).length, 6, "a cycle of six");
    const opacities = await page.locator(".map canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, 2, 2);
      return [3, 7, 11, 15].map((at) => data[at]);
    });
    assert.deepEqual(opacities, [255, 128, 0, 255], "rows are played, columns are seen");
    assert.equal(await page.locator(".colour-bar").textContent(), "weight 0  1");
  }));

test("a saved CSV is the file of the results, byte for byte", () =>
  onPage(async (page) => {
    const tables = { comparison: "summary.csv", curves: "results.csv", "random-graphs": "random-graphs.csv", grid: "grid.csv", sweep: "sweep.csv" };
    for (const [figure, name] of Object.entries(tables)) {
      const file = await download(page, page.locator(`#figure-${figure} .buttons button`, { hasText: "CSV" }));
      assert.equal(file.name, name);
      assert.ok(file.bytes.equals(readFileSync(join(directory, name))), name);
    }
    const file = await download(page, page.getByRole("button", { name: "Save sweep.csv" }));
    assert.ok(file.bytes.equals(readFileSync(join(directory, "sweep.csv"))));
  }));

test("a saved picture is the whole figure", () =>
  withPage({ colorScheme: "dark" }, async (page) => {
    const tools = page.locator("#figure-comparison .tools");
    const svg = await download(page, tools.getByText("SVG", { exact: true }));
    assert.equal(svg.name, "comparison.svg");
    const drawing = svg.bytes.toString();
    const lines = [...drawing.matchAll(/class="mark-line[^>]*><path[^>]* d="([^"]*)"/g)].map(([, path]) => path);
    assert.equal(new Set(lines).size, 6, "two lines in each of three panels, all different");
    for (const part of ["rate adaptive", "rate 0.01", "rate 0.1", "exp3-ivx (ours)", "Total regret against the threshold"]) {
      assert.ok(drawing.includes(part), part);
    }
    assert.ok(!drawing.includes("var(--"), "colours do not depend on the page's style sheet");
    assert.ok(!drawing.includes("Vega visualization"), "a drawing is named by its title");
    const column = (await download(page, tools.getByText("column"))).bytes.toString();
    const [, width, units] = /<svg[^>]* width="([\d.]+)mm"[^>]*viewBox="0 0 (\d+) /.exec(column);
    assert.ok(width > 78 && width <= 86, `a column is 84 mm wide, this is ${width}`);
    const points = [...column.matchAll(/font-size="(\d+)px"/g)].map(([, size]) => ((size * width) / units / 25.4) * 72);
    assert.ok(Math.abs(Math.min(...points) - 8) < 0.01, "letters of 8 points");
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
    const expected = bounded.filter(([, round]) => round === "5000").map(([, , regret, , bound]) => `${((100 * regret) / bound).toFixed(1)}\u00a0%`);
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
    // Nine panels, the preview of one, the map of the graph and its nodes.
    assert.equal(names.length, 12);
    assert.equal(new Set(names).size, 12);
    const controls = await page
      .locator("button, input, a, summary")
      .evaluateAll((all) => all.map((element) => (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent).trim()));
    assert.ok(controls.length > 50);
    assert.ok(!controls.includes(""));
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

// The same report, but one of its learners takes no rate.
mkdirSync(join(directory, "no-rate"));
writeFileSync(join(directory, "no-rate", "report.html"), text("report.html").replaceAll("\\nadaptive,exp3,", "\\n,exp3,"));
const withoutRate = reportIn(executablePath, join(directory, "no-rate"));
test("learners that take no rate are in a panel that says so", () =>
  withoutRate.withPage({}, async (page) => {
    const names = await panels(page, "comparison").evaluateAll((all) => all.map((panel) => panel.getAttribute("aria-label").split(". ")[1]));
    assert.deepEqual(names, ["no rate", "rate adaptive", "rate 0.01", "rate 0.1"]);
  }));

// The same report, but all four series of a figure are of one learner.
mkdirSync(join(directory, "one-learner"));
writeFileSync(
  join(directory, "one-learner", "report.html"),
  text("report.html").replace(/"learner":"exp3-ivx"/g, '"learner":"exp3"'),
);
const ofOneLearner = reportIn(executablePath, join(directory, "one-learner"));
for (const colorScheme of ["light", "dark"]) {
  test(`many series of one learner go from strong to faint, ${colorScheme}`, () =>
    ofOneLearner.withPage({ colorScheme }, async (page) => {
      const colours = await page.locator("#figure-sweep .legend button path:first-child").evaluateAll((all) => {
        return all.map((path) => {
          const srgb = /srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(getComputedStyle(path).stroke);
          return srgb ? srgb.slice(1).map(Number) : getComputedStyle(path).stroke.match(/\d+/g).slice(0, 3).map((part) => part / 255);
        });
      });
      const lightness = colours.map((parts) => parts.reduce((sum, part) => sum + part, 0));
      assert.equal(lightness.length, 4);
      const steps = lightness.slice(1).map((value, index) => value - lightness[index]);
      assert.ok(steps.every((step) => (colorScheme === "light" ? step > 0.1 : step < -0.1)), String(lightness));
      const svg = await download(page, page.locator("#figure-sweep .tools").getByText("SVG", { exact: true }));
      assert.doesNotMatch(svg.bytes.toString(), /color-mix|var\(/);
    }));
}

test("a figure is printed alone in the width of a column", () =>
  withPage({}, async (page) => {
    await page.evaluate(() => (window.print = () => {}));
    await page.getByRole("button", { name: "Print figure 2 alone" }).click();
    await page.locator(".alone svg").waitFor({ state: "attached" });
    const size = (axis) => page.locator(".alone svg").getAttribute(axis).then(parseFloat);
    const [drawn, high] = [await size("width"), await size("height")];
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf).map(Number);
    assert.ok(drawn > 75 && drawn <= 84, `${drawn} mm`);
    assert.ok(Math.abs((width / 72) * 25.4 - drawn) < 0.5, `${(width / 72) * 25.4} mm`); // whole pixels of 1 / 96 inch
    assert.ok((height / 72) * 25.4 - high < 1, `${(height / 72) * 25.4} mm, expected ${high} mm and half of one`);
    assert.equal(pdf.match(/\/Type \/Page\b/g).length, 1);
    assert.equal(await page.locator(".alone").count(), 0); // the page is as before
  }));

test("a printed page has a white background", () =>
  withPage({ colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    await page.pdf({ path: join(directory, "report.pdf"), format: "A4" });
  }));

const ofRun = reportIn(executablePath, join(directory, "run"));
test("a learner that is shown the true losses is marked in the ranking", () =>
  ofRun.withPage({}, async (page) => {
    const names = await page.locator(".ranking tbody th").allTextContents();
    assert.deepEqual(names.filter((name) => name.includes("oracle")), ["exp3-wix sharp oracle"]);
    const latex = (await download(page, page.locator(".ranking").getByText("LaTeX"))).bytes.toString();
    assert.match(latex, /& exp3-wix sharp \(oracle\) &/);
  }));

const ofAlpha = reportIn(executablePath, join(directory, "alpha"));
test("a report names the file that it is of", () =>
  ofAlpha.withPage({}, async (page) => {
    assert.equal(await page.locator(".facts > div").first().textContent(), "Filealpha.npy"); // a name is not mathematics
  }));

const ofGraphs = reportIn(executablePath, join(directory, "graphs"));
test("every graph has a number and an id of its own", () =>
  ofGraphs.withPage({}, async (page) => {
    assert.deepEqual(await page.locator("figure .order").allTextContents(), ["Figure 1 ", "Figure 2 "]);
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, ids.join());
  }));

test("the data of one row are in the singular", () =>
  ofGraphs.withPage({}, async (page) => {
    assert.match(await page.locator("#data li").textContent(), / 1 row of 2 columns$/);
  }));

const ofCalibration = reportIn(executablePath, join(directory, "calibrate"));
test("a share of a listing is in percent", () =>
  ofCalibration.withPage({}, async (page) => {
    const beyond = await page.locator("#listing-1 tbody tr td:last-child").allTextContents();
    assert.ok(beyond.length > 0 && beyond.every((cell) => /^\d+\.\d\u00a0%$/.test(cell)), beyond.join());
  }));

const ofWorlds = reportIn(executablePath, join(directory, "worlds"));
test("a cell of a heat map has its standard error while the pointer is on it", () =>
  ofWorlds.withPage({}, async (page) => {
    const titles = await page.locator(".heat-map tbody td").evaluateAll((all) => all.map((cell) => cell.title));
    assert.ok(titles.includes("exp3-ixb, seed: 85.0 ± 2.3 (standard error)"), titles.join("; "));
    assert.ok(titles.includes("exp3, seed: 10.00"), titles.join("; "));
  }));

test("the lines of references have the colours of their series in the legend, too", () =>
  ofAlpha.withPage({}, async (page) => {
    const legend = page.locator("#figure-cost .legend");
    const colour = (name) => legend.getByRole("button", { name, exact: true }).locator("path").first().getAttribute("stroke");
    assert.equal(await colour("α*"), await colour("α(ε) / ε²"));
    assert.notEqual(await colour("αᴿ"), await colour("α*"));
  }));

test("a reference of several series has the colours of all in the legend", () =>
  onPage(async (page) => {
    const colours = await page
      .locator("#figure-curves .reference path")
      .evaluateAll((all) => all.map((path) => path.getAttribute("stroke")));
    const lines = await page.locator("#figure-curves .bounds_marks path").evaluateAll((all) => all.map((path) => path.getAttribute("stroke")));
    assert.deepEqual(new Set(colours), new Set(lines));
  }));

test("the caption explains the bound while it is shown", () =>
  ofRun.withPage({}, async (page) => {
    const caption = page.locator("#figure-curves figcaption p").first();
    assert.doesNotMatch(await caption.textContent(), /The bound/);
    await page.locator("#figure-curves").getByRole("button", { name: "certificate" }).click();
    assert.match(await caption.textContent(), /The bound holds in expectation\./);
  }));

test("the values at a tap stay until a tap elsewhere", () =>
  withPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
    const panel = panels(page, "curves").first();
    const tip = panel.locator(".tip");
    await panel.tap();
    assert.ok(await tip.isVisible());
    await panels(page, "grid").first().tap();
    assert.ok(await tip.isHidden(), "a tap on another figure");
    assert.ok(await panels(page, "grid").first().locator(".tip").isVisible());
    await page.locator("#figure-grid h3").tap();
    assert.equal(await page.locator(".tip:visible").count(), 0);
  }));

test("bars at points are whole", () =>
  ofCalibration.withPage({}, async (page) => {
    for (const figure of ["fit", "residuals", "weights"]) {
      const outside = await panels(page, figure).first().evaluate((panel) => {
        const { top, bottom } = panel.querySelector(".background").getBoundingClientRect();
        const bars = [...panel.querySelectorAll(".bars_marks line")].map((bar) => bar.getBoundingClientRect());
        return [bars.length, bars.filter((bar) => bar.top < top - 1 || bar.bottom > bottom + 1).length];
      });
      assert.ok(outside[0] > 0 && outside[1] === 0, `${figure}: ${outside}`);
    }
  }));

test("the labels of an axis have room between them, on paper, too", () =>
  withPage({ viewport: { width: 794, height: 844 } }, async (page) => {
    for (const media of ["screen", "print"]) {
      await page.emulateMedia({ media });
      const gaps = await page.locator("figure .panel").evaluateAll((all) =>
        all.flatMap((panel) => {
          const labels = [...panel.querySelectorAll(".role-axis-label text")].filter((label) => getComputedStyle(label).opacity !== "0");
          const boxes = labels.map((label) => label.getBoundingClientRect());
          const lowest = Math.max(...boxes.map((box) => box.bottom));
          const below = boxes.filter((box) => lowest - box.bottom < 2).sort((a, b) => a.left - b.left); // those of x
          return below.slice(1).map((box, index) => box.left - below[index].right);
        }),
      );
      assert.ok(gaps.length > 10 && Math.min(...gaps) > 3, `${media}: ${Math.min(...gaps)}`);
    }
  }));

test("nothing of a legend sticks out of the page's margin", () =>
  onPage(async (page) => {
    const left = await page.locator("h1").evaluate((head) => head.getBoundingClientRect().left);
    const least = await page.locator(".legend li > *").evaluateAll((all) => Math.min(...all.map((each) => each.getBoundingClientRect().left)));
    assert.ok(least >= left, `${least}, expected ${left}`);
  }));

test("the table of the bounds has heads in one style, and numbers on the right", () =>
  onPage(async (page) => {
    const heads = page.locator("#figure-curves .figures th");
    assert.deepEqual(await heads.allTextContents(), ["Learner", "Round", "Regret", "Certificate", "Share", "Holds"]);
    const aligned = await page.locator("#figure-curves .figures tbody tr").first().locator("td").evaluateAll((all) => all.map((cell) => getComputedStyle(cell).textAlign));
    assert.equal(aligned.join(" "), "start right right right right right");
  }));

test("the bands are offered in one order, whichever is drawn at first", () =>
  onPage(async (page) => {
    const offered = page.locator("#figure-comparison input[name=comparison-band]");
    assert.deepEqual(await offered.evaluateAll((all) => all.map((input) => input.value)), ["se", "sd", "none"]);
    assert.ok(await page.locator("#figure-comparison input[name=comparison-band][value=sd]").isChecked());
  }));

test("the first zoom keeps zero where it is", () =>
  withPage({}, async (page) => {
    const figure = page.locator("#figure-curves");
    const ticks = async () => (await yTicks(panels(page, "curves").first())).map(([value]) => value);
    const whole = await ticks();
    await figure.getByRole("button", { name: /^Zoom in/ }).click();
    const zoomed = await ticks();
    assert.equal(whole[0], 0);
    assert.equal(zoomed[0], 0);
    assert.ok(zoomed.at(-1) < whole.at(-1));
  }));

test("a drawing is named by the title of its figure", () =>
  onPage(async (page) => {
    const names = await page.locator(".drawing").evaluateAll((all) => all.map((drawing) => drawing.getAttribute("aria-label")));
    assert.ok(names.length > 5 && !names.includes("Vega visualization"), names.join());
    const title = await page.locator("#figure-curves h3").evaluate((head) => head.lastChild.textContent);
    assert.equal(await panels(page, "curves").first().locator(".drawing").getAttribute("aria-label"), title);
  }));

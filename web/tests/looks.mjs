// Screenshots of every kind of report compared with those in looks/: the report of a reproduction, of a run, of the
// worlds, and of the commands alpha, calibrate and evaluate, at two widths, light, dark and as they are printed.
// node looks.mjs CHROMIUM SAMPLE_REPORT DIRECTORY; with UPDATE=1 it writes looks/ anew, to be looked at and committed.
//
// Both are compared as the mean colours of blocks of 8 x 8 pixels, which is also what looks/ holds. Another version of
// Chromium may move what it draws by up to a pixel to one side. Then a block loses at most one of its eight columns, or
// rows, and gets another, so that its mean changes by at most 255 / 8 levels of a colour; rounding both means adds at most
// one level. So no block may differ by more than 33 levels. Whatever is added, removed or moved by more is noticed, which
// the last test shows for the smallest thing that a report has, one entry of a legend.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { reportIn } from "./browser.mjs";

const [executablePath, sampleReport, directory] = process.argv.slice(2);
const looks = fileURLToPath(new URL("looks/", import.meta.url));
const tolerance = 33;

rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
execFileSync(sampleReport, [directory]);
assert.ok(existsSync("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"), "these tests need the Debian package fonts-dejavu-core");

// In the browser: the mean colours of the blocks of a picture, as a picture with a pixel for each.
async function blockMeans(url) {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const [width, height] = [Math.floor(image.width / 8), Math.floor(image.height / 8)];
  const means = new ImageData(width, height);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const sums = [0, 0, 0];
      for (let pixel = 0; pixel < 64; ++pixel) {
        const from = 4 * ((8 * y + (pixel >> 3)) * image.width + 8 * x + (pixel & 7));
        for (let colour = 0; colour < 3; ++colour) sums[colour] += data[from + colour];
      }
      means.data.set([...sums.map((sum) => Math.round(sum / 64)), 255], 4 * (y * width + x));
    }
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(means, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

// In the browser: by how many levels the blocks of two pictures differ at most; infinite if their sizes differ.
async function difference([first, second]) {
  const read = async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(first), await read(second)];
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  return a.data.reduce((most, level, index) => Math.max(most, Math.abs(level - b.data[index])), 0);
}

const url = (png) => `data:image/png;base64,${png.toString("base64")}`;

// The page's policy forbids fetch, so the pictures are compared in a page of their own.
async function inOtherPage(page, run, argument) {
  const other = await page.context().newPage();
  await other.goto("about:blank");
  const result = await other.evaluate(run, argument);
  await other.close();
  return result;
}

async function look(page) {
  // Where the link back to the top is depends on the window, not on the page.
  const png = await page.screenshot({ fullPage: true, style: ".to-top { display: none !important; }" });
  return { png, means: Buffer.from(await inOtherPage(page, blockMeans, url(png)), "base64") };
}

for (const kind of ["reproduce", "run", "worlds", "alpha", "calibrate", "evaluate"]) {
  const where = kind === "reproduce" ? directory : join(directory, kind);
  const { withPage } = reportIn(executablePath, where);
  const views = [1280, 390].flatMap((width) => ["light", "dark"].map((media) => ({ width, media })));
  for (const { width, media } of [...views, { width: 794, media: "print" }]) {
    const name = `${kind}-${width}-${media}.png`;
    test(`the report of ${kind} at ${width} pixels, ${media}, looks as before`, () =>
      withPage({ viewport: { width, height: 844 }, colorScheme: media === "dark" ? "dark" : "light" }, async (page) => {
        if (media === "print") await page.emulateMedia({ media });
        const { png, means } = await look(page);
        writeFileSync(join(directory, name), png);
        if (process.env.UPDATE) writeFileSync(join(looks, name), means);
        const most = await inOtherPage(page, difference, [url(readFileSync(join(looks, name))), url(means)]);
        assert.ok(most <= tolerance, `a block differs by ${most} levels: look at ${join(directory, name)}; UPDATE=1 accepts it`);
      }));
  }
  if (kind !== "run") continue;
  test("a missing entry of a legend is a difference", () =>
    withPage({ viewport: { width: 1280, height: 844 } }, async (page) => {
      await page.locator(".legend li").nth(1).evaluate((item) => (item.style.visibility = "hidden"));
      const { means } = await look(page);
      const most = await inOtherPage(page, difference, [url(readFileSync(join(looks, "run-1280-light.png"))), url(means)]);
      assert.ok(most > tolerance, `${most}`);
    }));
}

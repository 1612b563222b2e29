import { chromium } from "playwright-core";
const [file, out] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [width, scheme] of [[1280,"light"],[1280,"dark"],[390,"light"],[390,"dark"]]) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, offline: true });
  const page = await context.newPage();
  page.on("console", m => console.log("console", m.text()));
  page.on("pageerror", e => console.log("error", e));
  await page.goto("file://" + file);
  await page.locator("figure .panel svg").first().waitFor();
  // figures drawn when near? scroll through
  const h = await page.evaluate(() => document.body.scrollHeight);
  for (let y = 0; y < h; y += 700) { await page.evaluate(y => window.scrollTo(0, y), y); await page.waitForTimeout(120); }
  await page.evaluate(() => window.scrollTo(0, 0));
  for (let y = 0, i = 0; y < h; y += 2000, i++) await page.screenshot({ path: `${out}-${width}-${scheme}-${i}.png`, fullPage: true, clip: { x: 0, y, width, height: Math.min(2000, h - y) } });
  console.log(width, scheme, await page.evaluate(() => [document.body.scrollHeight, document.documentElement.scrollWidth, document.querySelectorAll("figure .panel svg").length].join(" ")));
  await context.close();
}
await browser.close();

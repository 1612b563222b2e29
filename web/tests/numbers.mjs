// The page writes numbers as the terminal does: the examples that tests/number_text_test.cpp reads, too.
// node numbers.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const examples = JSON.parse(readFileSync(path("../../tests/golden/numbers.json"), "utf8"));
const { outputFiles } = await build({ entryPoints: [path("../src/numbers.ts")], bundle: true, write: false, format: "esm" });
const numbers = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

// The page has a sign of its own for a negative number.
const signed = (text) => text.replace("-", "−");

test("numbers are written as in the examples", () => {
  for (const [value, text] of [...examples.counts, ...examples.four_digits]) assert.equal(numbers.number(value), signed(text));
  for (const [value, decimals, text] of examples.with_decimals) assert.equal(numbers.withDecimals(value, decimals), signed(text));
});

test("columns have the decimals of the examples", () => {
  for (const { values, errors, decimals } of examples.column_decimals) {
    assert.equal(numbers.columnDecimals(values, errors), decimals, JSON.stringify({ values, errors }));
  }
});

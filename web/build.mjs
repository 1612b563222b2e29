// Builds the page: node build.mjs PAGE.cpp
// One HTML file with the script and the style inside, written as C++ text that defines
// hearsay::page_pieces(). It contains the licences of its packages. The build fails if NOTICE is out of date.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { notice, pageNotice } from "./notice.mjs";

const output = process.argv[2];
if (!output) {
  console.error("usage: node build.mjs PAGE.cpp");
  process.exit(2);
}

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",  // NOTICE has them all
    metafile: true,
    logLevel: "warning",
  });
  const [{ inputs }] = Object.values(result.metafile.outputs);
  return { text: result.outputFiles[0].text.trim(), inputs };
}

// NOTICE is checked in, so that it can be read and installed without Node.js.
function checkNotice(inputs) {
  const expected = notice(inputs);
  if (readFileSync("../NOTICE", "utf8") !== expected) {
    const path = join(dirname(output), "NOTICE");
    writeFileSync(path, expected);
    console.error(`NOTICE: is out of date, expected the text of ${path}: copy that file to NOTICE`);
    process.exit(1);
  }
}

// A policy by which the browser runs this script and no other, and uses no network.
function policy(script) {
  const hash = createHash("sha256").update(script, "utf8").digest("base64");
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;
}

function fill(template, parts) {
  return template.replace(/@([A-Z]+)@/g, (mark, name) => parts[name] ?? mark);
}

// The page as C++ string literals. They are ASCII and well below 65,536 characters, the length that a compiler must
// accept. Each has its length beside it, so that the compiler need not count.
function cpp(page) {
  const escape = (byte) => {
    const c = String.fromCharCode(byte);
    if (c === "\n") return "\\n";
    if (c === '"' || c === "\\" || c === "?") return "\\" + c;
    return byte >= 32 && byte < 127 ? c : "\\" + byte.toString(8).padStart(3, "0");
  };
  const bytes = Buffer.from(page, "utf8");
  const size = 16000;
  const pieces = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = [...bytes.subarray(at, at + size)];
    pieces.push(`{"${piece.map(escape).join("")}", ${piece.length}}`);
  }
  return `#include <array>

#include "hearsay/report/page.h"

namespace {

constexpr std::array<std::string_view, ${pieces.length}> kPieces = {{
    ${pieces.join(",\n    ")}}};

}  // namespace

std::span<const std::string_view> hearsay::page_pieces() { return kPieces; }
`;
}

mkdirSync(dirname(output), { recursive: true });
const { text: script, inputs } = await bundle("src/page.ts");
const { text: style } = await bundle("src/style.css");
checkNotice(inputs);
const notices = pageNotice(inputs);
const page = fill(readFileSync("src/page.html", "utf8"), {
  POLICY: policy(script),
  STYLE: style,
  NOTICE: notices,
  SCRIPT: script,
});
// The C++ side replaces the first mark that it finds, a script ends at the first "</script", a comment at the first "--".
if (page.split("@REPORT@").length !== 2 || /<\/script/i.test(script) || notices.includes("--")) {
  throw new Error('the script or NOTICE contains "@REPORT@", "</script" or "--", which would end their part of the page');
}
writeFileSync(output, cpp(page));

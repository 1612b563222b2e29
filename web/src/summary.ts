// The top of the page: what was run, how many claims hold, and the figure that says most.
import { element } from "./dom";
import { math } from "./math";
import type { Claim, Report } from "./report";

// A verdict has a mark and words; its colour only repeats them.
const verdicts = {
  holds: { mark: "✓", kind: "good", one: "holds", several: "hold" },
  "holds in part": { mark: "◐", kind: "partly", one: "in part", several: "in part" },
  "does not hold": { mark: "✗", kind: "bad", one: "does not", several: "do not" },
} as const;

export function summaryElement(report: Report, preview: HTMLElement | null): HTMLElement {
  const { claims, facts, input, seed, version } = report;
  const all = [...facts, ...(seed ? [{ name: "Seed", value: seed }] : []), { name: "hearsay", value: version }];
  const file = input ? [element("div", {}, element("dt", {}, "File"), element("dd", {}, input))] : []; // a path is no mathematics
  const rows = all.map(({ name, value }) => element("div", {}, element("dt", {}, ...math(name)), element("dd", {}, ...math(value))));
  const text = element("div", {}, claims.length > 0 ? countElement(claims) : null, element("dl", { class: "facts" }, ...file, ...rows));
  return element("div", { class: preview ? "summary two" : "summary" }, text, preview);
}

// "14 hold, 3 in part, 1 does not".
function countElement(claims: Claim[]): HTMLElement {
  const counts = Object.entries(verdicts)
    .map(([verdict, words]) => ({ ...words, count: claims.filter((claim) => claim.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ count, kind, one, several }) => element("span", { class: `count ${kind}` }, element("b", {}, `${count}`), ` ${count === 1 ? one : several}`));
  return element("p", { class: "counts" }, element("a", { href: "#claims" }, `Of ${claims.length} claims: `), ...separated(counts));
}

function separated(parts: HTMLElement[]): (Node | string)[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [", ", part]));
}

// Each claim leads to its figure.
export function claimsElement(claims: Claim[], figureNumber: (id: string) => number | null): HTMLElement {
  const names = ["Claim", "In the paper", "Measured here", "Verdict", "Shown in"];
  const rows = claims.map(({ claim, paper, measured, verdict, figure }) => {
    const { mark, kind } = verdicts[verdict];
    const shown = element("span", { class: `verdict ${kind}` }, element("span", { "aria-hidden": "true" }, mark), verdict);
    const order = figureNumber(figure);
    const link = order === null ? "" : element("a", { href: `#figure-${figure}` }, `figure ${order}`);
    const cells = [math(claim), math(paper), math(measured), [shown], [link]];
    return element("tr", {}, ...cells.map((content, index) => element("td", { "data-name": names[index]! }, ...content)));
  });
  return element(
    "details",
    { class: "all-claims" },
    element("summary", {}, `All ${claims.length} claims, what was measured and the verdicts`),
    element(
      "table",
      { class: "claims" },
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows),
    ),
  );
}

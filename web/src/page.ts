// Builds the page from the report inside it.
import { button, element, number, saveCsv } from "./dom";
import { figureElement } from "./figure";
import { Slots, makePlot } from "./plot";
import { type Claim, type Report, readReport } from "./report";
import { Table } from "./table";
import { colourSheet } from "./theme";

function header({ title, subtitle }: Report): HTMLElement {
  return element("header", { class: "top" }, element("h1", {}, title), subtitle ? element("p", {}, subtitle) : null);
}

function contents({ figures }: Report): HTMLElement | null {
  if (figures.length < 3) return null;
  const items = figures.map(({ id, title }) => element("li", {}, element("a", { href: `#figure-${id}` }, title)));
  return element("nav", { "aria-label": "Figures" }, element("ol", {}, ...items));
}

// A verdict has a mark and words; its colour only repeats them.
const marks = { holds: ["✓", "good"], "holds in part": ["◐", "partly"], "does not hold": ["✗", "bad"] } as const;

function claims(all: Claim[]): HTMLElement | null {
  if (all.length === 0) return null;
  const names = ["Claim", "In the paper", "Measured here", "Verdict"];
  const cell = (index: number, ...content: (Node | string)[]) => element("td", { "data-name": names[index]! }, ...content);
  const rows = all.map(({ claim, paper, measured, verdict }) => {
    const [mark, kind] = marks[verdict];
    const shown = element("span", { class: `verdict ${kind}` }, element("span", { "aria-hidden": "true" }, mark), verdict);
    return element("tr", {}, cell(0, claim), cell(1, paper), cell(2, measured), cell(3, shown));
  });
  return section(
    "claims",
    "Claims",
    element(
      "table",
      { class: "claims" },
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows),
    ),
  );
}

function figures(report: Report, tables: Table[]): HTMLElement[] {
  const slots = new Slots();
  const made = report.figures.map((figure, index) => {
    // If one figure cannot be drawn, the others still are.
    try {
      const table = tables.find(({ name }) => name === figure.table);
      if (!table) throw new Error(`there is no table ${figure.table}`);
      return figureElement(makePlot(figure, table, slots), table, index + 1);
    } catch (error) {
      console.error(error);
      return element("p", { role: "alert" }, `Figure ${index + 1}, "${figure.title}", cannot be drawn: ${String(error)}`);
    }
  });
  return made.length > 0 ? [section("figures", "Figures", ...made)] : [];
}

function again({ command, settings }: Report): HTMLElement {
  const code = element("code", {}, command);
  const copy = button("Copy", "Copy the command", async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 2000);
    } catch {
      // If the browser does not allow it, the command is selected so that the reader can copy it.
      getSelection()?.selectAllChildren(code);
    }
  });
  return section(
    "again",
    "Run it again",
    element("div", { class: "command" }, element("pre", {}, code), copy),
    settings
      ? element("details", {}, element("summary", {}, "Settings of this experiment"), element("pre", { class: "settings" }, settings))
      : null,
  );
}

function data(tables: Table[]): HTMLElement | null {
  if (tables.length === 0) return null;
  const items = tables.map((table) =>
    element(
      "li",
      {},
      button(table.name, `Save ${table.name}`, () => saveCsv(table)),
      ` ${number(table.rows.length)} rows of ${number(table.columnCount)} columns`,
    ),
  );
  return section("data", "Data", element("ul", { class: "tables" }, ...items));
}

function footer({ version, seed }: Report): HTMLElement {
  return element("footer", {}, `hearsay ${version}, seed ${seed}`);
}

function section(id: string, title: string, ...content: (Node | null)[]): HTMLElement {
  return element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), ...content);
}

const report = readReport();
document.title = report.title;
document.head.append(element("style", {}, colourSheet()));
const tables = report.tables.map(({ name, text }) => new Table(name, text));
document
  .getElementById("page")!
  .replaceChildren(
    ...[header(report), contents(report), claims(report.claims), ...figures(report, tables), again(report), data(tables), footer(report)].filter(
      (part): part is HTMLElement => part !== null,
    ),
  );

// All details are open on paper.
let folded: HTMLDetailsElement[] = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});

// Builds the page from the report inside it.
import { button, element, saveCsv } from "./dom";
import { figureElement, previewElement } from "./figure";
import { graphElement } from "./graph";
import { heatMapElement } from "./heatmap";
import { listingElement } from "./listing";
import { math } from "./math";
import { number } from "./numbers";
import { type Plot, makePlot } from "./plot";
import { rankingElement } from "./ranking";
import { type Report, readReport } from "./report";
import { claimsElement, summaryElement } from "./summary";
import { Table } from "./table";
import { Styles, colourSheet } from "./theme";

function header(report: Report, plots: (Plot | Error)[]): HTMLElement {
  const { title, subtitle, highlight } = report;
  const index = report.figures.findIndex(({ id }) => id === highlight);
  const plot = plots[index];
  const preview = plot === undefined || plot instanceof Error ? null : previewElement(plot, index + 1);
  return element(
    "header",
    { class: "top", id: "top" },
    element("h1", {}, title),
    subtitle ? element("p", {}, ...math(subtitle)) : null,
    summaryElement(report, preview),
  );
}

function contents({ figures }: Report): HTMLElement | null {
  if (figures.length < 3) return null;
  const items = figures.map(({ id, title }) => element("li", {}, element("a", { href: `#figure-${id}` }, ...math(title))));
  return element("nav", { "aria-label": "Figures" }, element("ol", {}, ...items));
}

function claims(report: Report): HTMLElement | null {
  if (report.claims.length === 0) return null;
  const order = (figure: string) => {
    const index = report.figures.findIndex(({ id }) => id === figure);
    return index < 0 ? null : index + 1;
  };
  return section("claims", "Claims", claimsElement(report.claims, order));
}

function ranking(report: Report, tables: Table[]): HTMLElement | null {
  const table = tables.find(({ name }) => name === report.ranking.table);
  return table ? section("results", "Results", rankingElement(table, report.ranking)) : null;
}

function listings(report: Report, tables: Table[]): HTMLElement[] {
  return report.listings.map((listing, index) =>
    section(`listing-${index + 1}`, listing.title, listingElement(listing, tableNamed(tables, listing.table))),
  );
}

// If one figure cannot be drawn, the others still are.
function makePlots(report: Report, tables: Table[]): (Plot | Error)[] {
  const styles = new Styles();
  return report.figures.map((figure) => {
    try {
      return makePlot(figure, tableNamed(tables, figure.table), styles);
    } catch (error) {
      console.error(error);
      return error instanceof Error ? error : new Error(String(error));
    }
  });
}

function tableNamed(tables: Table[], name: string): Table {
  const table = tables.find((each) => each.name === name);
  if (!table) throw new Error(`there is no table ${name}`);
  return table;
}

function figures(report: Report, plots: (Plot | Error)[], tables: Table[]): HTMLElement | null {
  const made = plots.map((plot, index) => {
    const { title, table } = report.figures[index]!;
    return plot instanceof Error
      ? element("p", { role: "alert" }, `Figure ${index + 1}, "${title}", cannot be drawn: ${plot.message}`)
      : figureElement(plot, tableNamed(tables, table), index + 1);
  });
  const maps = report.heat_maps.map((map, index) =>
    heatMapElement(map, tableNamed(tables, map.table), made.length + index + 1),
  );
  const graphs = report.graphs.map((graph, index) => graphElement(graph, index, made.length + maps.length + index + 1));
  const all = [...made, ...maps, ...graphs];
  return all.length > 0 ? section("figures", "Figures", ...all) : null;
}

function runAgainSection({ command, settings }: Report): HTMLElement | null {
  if (!command && !settings) return null;
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
    command ? element("div", { class: "command" }, element("pre", {}, code), copy) : null,
    settings
      ? element("details", {}, element("summary", {}, "Settings of this experiment"), element("pre", { class: "settings" }, settings))
      : null,
  );
}

// "1 row", "2 rows".
function counted(count: number, thing: string): string {
  return `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function dataSection(tables: Table[]): HTMLElement | null {
  if (tables.length === 0) return null;
  const items = tables.map((table) =>
    element(
      "li",
      {},
      button(table.name, `Save ${table.name}`, () => saveCsv(table)),
      ` ${counted(table.rows.length, "row")} of ${counted(table.columnCount, "column")}`,
    ),
  );
  return section("data", "Data", element("ul", { class: "tables" }, ...items));
}

function footer({ version, seed }: Report): HTMLElement {
  return element("footer", {}, seed ? `hearsay ${version}, seed ${seed}` : `hearsay ${version}`);
}

// A way back up, on a phone.
function backToTop(): HTMLElement {
  return element("a", { class: "to-top", href: "#top", "aria-label": "Back to the top" }, "↑");
}

function section(id: string, title: string, ...content: (Node | null)[]): HTMLElement {
  return element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), ...content);
}

const report = readReport();
document.title = report.title;
document.head.append(element("style", {}, colourSheet()));
const tables = report.tables.map(({ name, text }) => new Table(name, text));
const plots = makePlots(report, tables);
const parts = [
  header(report, plots),
  contents(report),
  claims(report),
  ranking(report, tables),
  ...listings(report, tables),
  figures(report, plots, tables),
  runAgainSection(report),
  dataSection(tables),
  footer(report),
  backToTop(),
];
document.getElementById("page")!.replaceChildren(...parts.filter((part) => part !== null));

// All details are open on paper.
let folded: HTMLDetailsElement[] = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});

// A table whose cells are coloured by how far they are from the best of their column. The numbers are in the
// cells, so the colour only repeats what they say.
import { button, element, saveCsv } from "./dom";
import { math, mathText } from "./math";
import { columnDecimals, number, withDecimals } from "./numbers";
import type { HeatMap } from "./report";
import type { Table } from "./table";

// 0 is the best and has no colour; from 1 on the colour is the strongest.
function strength(value: number | null): string {
  const share = Math.min(Math.max(value ?? 1, 0), 1);
  return `${Math.round(60 * share)}%`;
}

// What a cell shows while the pointer is on it.
function cellTitle(row: string, column: string, value: number, error: number | null): string {
  const decimals = columnDecimals([value], error === null ? [] : [error]);
  const spread = error === null ? "" : ` ± ${withDecimals(error, decimals)} (standard error)`;
  return `${row}, ${column}: ${withDecimals(value, decimals)}${spread}`;
}

export function heatMapElement(map: HeatMap, table: Table, order: number): HTMLElement {
  const rowOf = table.column(map.row);
  const columnOf = table.column(map.column);
  const notes = map.notes.map((note) => table.column(note));
  const value = table.numbers(map.value);
  const error = map.error ? table.numbers(map.error) : () => null;
  const colour = table.numbers(map.colour);
  const columns = [...new Set(table.rows.map(columnOf))];
  const byRow = new Map<string, Map<string, string[]>>();
  for (const row of table.rows) {
    const cells = byRow.get(rowOf(row)) ?? new Map<string, string[]>();
    byRow.set(rowOf(row), cells.set(columnOf(row), row));
  }
  // The rows that are best on average come first.
  const average = (cells: Map<string, string[]>) => [...cells.values()].reduce((sum, row) => sum + (colour(row) ?? 1), 0) / cells.size;
  const sorted = [...byRow].sort(([, a], [, b]) => average(a) - average(b));
  const summaries = new Map(map.columns.map(({ name, summary }) => [name, summary]));
  const head = [map.row_title, ...columns].map((name) =>
    element("th", { scope: "col", ...(summaries.has(name) ? { title: mathText(summaries.get(name)!) } : {}) }, ...math(name)),
  );
  const names = map.columns.map(({ name, summary }) => element("div", {}, element("dt", {}, name), element("dd", {}, ...math(summary))));
  const body = sorted.map(([name, cells]) => {
    const first = [...cells.values()][0]!;
    const known = notes.map((note) => note(first)).filter(Boolean);
    const title = element("th", { scope: "row" }, name, known.length > 0 ? element("small", {}, ...math(known.join(", "))) : null);
    const shown = columns.map((column) => {
      const row = cells.get(column);
      const cell = row ? value(row) : null;
      if (!row || cell === null) return element("td");
      const share = colour(row);
      const best = share === 0 ? { class: "best" } : {};
      const title = cellTitle(name, mathText(column), cell, error(row));
      return element("td", { ...best, title, style: `--strength: ${strength(share)}` }, number(Math.round(cell)));
    });
    return element("tr", {}, title, ...shown);
  });
  const id = `figure-${map.id}`;
  const scale = ["best", "between", "uniform play or worse"].map((name, index) =>
    element("li", {}, element("span", { style: `--strength: ${strength(index / 2)}` }), name),
  );
  return element(
    "figure",
    { id, class: "heat-map", "aria-labelledby": `${id}-title` },
    element(
      "header",
      {},
      element("h3", { id: `${id}-title` }, element("span", { class: "order" }, `Figure ${order} `), ...math(map.title)),
      element("div", { class: "buttons" }, button("CSV", `Save the data of figure ${order} (${table.name})`, () => saveCsv(table))),
    ),
    element("ul", { class: "scale", "aria-label": "What the colours mean" }, ...scale),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": `${id}-title` },
      element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)),
    ),
    element("figcaption", {}, element("p", {}, ...math(map.caption)), names.length > 0 ? element("dl", { class: "names" }, ...names) : null),
  );
}

// The table of the learners by regret. A reader sorts it by a column, and saves it as LaTeX for a paper.
import { button, columnFormat, element, save, saveCsv } from "./dom";
import { math } from "./math";
import type { Table } from "./table";

interface Row {
  rank: number;
  name: string;
  regret: Interval;
  difference: Interval;
  bound: number | null;
}

// A mean, and half the width of its confidence interval.
interface Interval {
  mean: number;
  half: number | null;
}

// A column as it is shown, sorted and written.
interface Column {
  title: string;
  order: (row: Row) => number | string;
  text: (row: Row) => string;
}

const firstRows = 12; // the others are shown if the reader asks for them

export function rankingElement(table: Table, caption: string): HTMLElement {
  const rows = readRows(table);
  const columns = makeColumns(rows);
  const body = element("tbody");
  let shown = Math.min(rows.length, firstRows);
  const fill = () => body.replaceChildren(...rows.slice(0, shown).map((row) => rowElement(row, columns)));
  const heads = columns.map(({ title, order }) => {
    const head = element("th", { scope: "col", "aria-sort": title === "Rank" ? "ascending" : "none" });
    const sort = button(title, `Sort by ${title.toLowerCase()}`, () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => compare(order(a), order(b)) * (down ? -1 : 1));
      fill();
    });
    head.append(sort);
    return head;
  });
  const more = button(`Show all ${rows.length}`, `Show all ${rows.length} rows`, () => {
    shown = rows.length;
    more.remove();
    fill();
  });
  fill();
  return element(
    "div",
    { class: "ranking" },
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)),
    element(
      "div",
      { class: "buttons" },
      rows.length > shown ? more : null,
      button("CSV", `Save ${table.name}`, () => saveCsv(table)),
      button("LaTeX", "Save the table for a paper (ranking.tex)", () => save("ranking.tex", new Blob([latex(rows, columns, caption)]))),
    ),
    element("p", { class: "caption" }, ...math(caption)),
  );
}

function readRows(table: Table): Row[] {
  const name = table.column("name");
  const number = (column: string) => table.numbers(column);
  const [rank, bound] = [number("rank"), number("bound")];
  const interval = (column: string) => {
    const [mean, high] = [number(column), number(`${column}_high`)];
    return (row: string[]): Interval => {
      const [middle, end] = [mean(row)!, high(row)];
      return { mean: middle, half: end === null ? null : end - middle };
    };
  };
  const [regret, difference] = [interval("regret"), interval("difference")];
  return table.rows.map((row) => ({
    rank: rank(row)!,
    name: name(row),
    regret: regret(row),
    difference: difference(row),
    bound: bound(row),
  }));
}

function makeColumns(rows: Row[]): Column[] {
  const written = columnFormat(rows.map((row) => row.regret.mean));
  const interval = ({ mean, half }: Interval) => (half === null ? written(mean) : `${written(mean)} ± ${written(half)}`);
  return [
    { title: "Rank", order: (row) => row.rank, text: (row) => `${row.rank}` },
    { title: "Learner", order: (row) => row.name, text: (row) => row.name },
    { title: "Regret", order: (row) => row.regret.mean, text: (row) => interval(row.regret) },
    { title: "More than the best", order: (row) => row.difference.mean, text: (row) => (row.rank === 1 ? "" : interval(row.difference)) },
    { title: "Bound", order: (row) => row.bound ?? Infinity, text: (row) => written(row.bound) },
  ];
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b)) : a - b;
}

function rowElement(row: Row, columns: Column[]): HTMLElement {
  return element("tr", {}, ...columns.map(({ title, text }) => element(title === "Learner" ? "th" : "td", {}, ...math(text(row)))));
}

// With the package booktabs. Texts are escaped.
function latex(rows: Row[], columns: Column[], caption: string): string {
  const special: Record<string, string> = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
  const escape = (text: string) =>
    text
      .replace(/[\\~^&%$#_{}]/g, (sign) => special[sign] ?? `\\${sign}`)
      .replace(/ ± /g, " $\\pm$ ")
      .replace(/−/g, "$-$");
  const line = (cells: string[]) => `    ${cells.map(escape).join(" & ")} \\\\`;
  return [
    "% With \\usepackage{booktabs}.",
    "\\begin{table}",
    "  \\centering",
    `  \\begin{tabular}{rl${"r".repeat(columns.length - 2)}}`,
    "    \\toprule",
    line(columns.map(({ title }) => title)),
    "    \\midrule",
    ...rows.map((row) => line(columns.map(({ text }) => text(row)))),
    "    \\bottomrule",
    "  \\end{tabular}",
    `  \\caption{${escape(caption)}}`,
    "\\end{table}",
    "",
  ].join("\n");
}

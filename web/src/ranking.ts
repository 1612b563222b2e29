// The table of the learners by regret. A reader sorts it by a column, and saves it as LaTeX for a paper.
import { button, save, saveCsv } from "./dom";
import { columnDecimals, withDecimals } from "./numbers";
import type { Report } from "./report";
import { type Column, sortedTable } from "./sorted_table";
import type { Table } from "./table";

interface Row {
  rank: number;
  name: string;
  isOracle: boolean; // shown every true loss
  regret: Interval;
  difference: Interval;
  bound: number | null;
}

// A mean, and half the width of its confidence interval.
interface Interval {
  mean: number;
  half: number | null;
}

export function rankingElement(table: Table, { caption, oracles }: Report["ranking"]): HTMLElement {
  const rows = readRows(table, oracles);
  const columns = makeColumns(rows);
  const buttons = [
    button("CSV", `Save ${table.name}`, () => saveCsv(table)),
    button("LaTeX", "Save the table for a paper (ranking.tex)", () => save("ranking.tex", new Blob([latex(rows, columns, caption)]))),
  ];
  return sortedTable(rows, columns, buttons, caption);
}

function readRows(table: Table, oracles: string[]): Row[] {
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
    isOracle: oracles.includes(name(row)),
    regret: regret(row),
    difference: difference(row),
    bound: bound(row),
  }));
}

function makeColumns(rows: Row[]): Column<Row>[] {
  const decimals = columnDecimals(
    rows.map((row) => row.regret.mean),
    rows.map((row) => row.regret.half ?? 0),
  );
  const written = (value: number) => withDecimals(value, decimals);
  const interval = ({ mean, half }: Interval) => (half === null ? written(mean) : `${written(mean)} ± ${written(half)}`);
  return [
    { title: "Rank", order: (row) => row.rank, text: (row) => `${row.rank}` },
    { title: "Learner", order: (row) => row.name, text: (row) => row.name, badge: (row) => (row.isOracle ? "oracle" : ""), isText: true, isName: true },
    { title: "Regret", order: (row) => row.regret.mean, text: (row) => interval(row.regret) },
    { title: "More than the best", order: (row) => row.difference.mean, text: (row) => (row.rank === 1 ? "" : interval(row.difference)) },
    { title: "Bound", order: (row) => row.bound ?? Infinity, text: (row) => (row.bound === null ? "" : written(row.bound)) },
  ];
}

// With the package booktabs. Texts are escaped.
function latex(rows: Row[], columns: Column<Row>[], caption: string): string {
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
    ...rows.map((row) => line(columns.map(({ text, badge }) => (badge?.(row) ? `${text(row)} (${badge(row)})` : text(row))))),
    "    \\bottomrule",
    "  \\end{tabular}",
    `  \\caption{${escape(caption)}}`,
    "\\end{table}",
    "",
  ].join("\n");
}

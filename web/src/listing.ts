// A table of the report, of which some columns are shown. The first column of texts has the names of the rows.
import { button, saveCsv } from "./dom";
import { columnDecimals, withDecimals } from "./numbers";
import type { Listing } from "./report";
import { type Column, sortedTable } from "./sorted_table";
import type { Table } from "./table";

export function listingElement({ columns, caption }: Listing, table: Table): HTMLElement {
  const shown = columns.map((column) => makeColumn(table, column));
  const name = shown.find(({ isText }) => isText);
  const made = shown.map((column) => ({ ...column, isName: column === name }));
  return sortedTable([...table.rows], made, [button("CSV", `Save ${table.name}`, () => saveCsv(table))], caption);
}

// A column of numbers is written with the same decimals everywhere, as the report says or as its numbers suggest; rows
// without a number come last.
function makeColumn(table: Table, { column, title, decimals: given, percent }: Listing["columns"][number]): Column<string[]> {
  const [text, value] = [table.column(column), table.numbers(column)];
  const values = table.rows.map(value);
  if (!table.rows.every((row, index) => text(row) === "" || values[index] !== null)) {
    return { title, order: text, text, isText: true };
  }
  const numbers = values.filter((each) => each !== null);
  const decimals = given >= 0 ? given : numbers.every(Number.isInteger) ? 0 : columnDecimals(numbers, []);
  const written = (each: number) => (percent ? `${withDecimals(100 * each, decimals)}\u00a0%` : withDecimals(each, decimals));
  const format = (each: number | null) => (each === null ? "" : written(each));
  return { title, order: (row) => value(row) ?? Infinity, text: (row) => format(value(row)) };
}

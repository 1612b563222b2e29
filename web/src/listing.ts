// A table of the report, of which some columns are shown. The first column of texts has the names of the rows.
import { button, columnFormat, number, saveCsv } from "./dom";
import type { Listing } from "./report";
import { type Column, sortedTable } from "./sorted_table";
import type { Table } from "./table";

export function listingElement({ columns, caption }: Listing, table: Table): HTMLElement {
  const shown = columns.map(({ column, title }) => makeColumn(table, column, title));
  const name = shown.find(({ isText }) => isText);
  const made = shown.map((column) => ({ ...column, isName: column === name }));
  return sortedTable([...table.rows], made, [button("CSV", `Save ${table.name}`, () => saveCsv(table))], caption);
}

// A column of numbers is written with the same decimals everywhere; rows without a number come last.
function makeColumn(table: Table, column: string, title: string): Column<string[]> {
  const [text, value] = [table.column(column), table.numbers(column)];
  const values = table.rows.map(value);
  if (!table.rows.every((row, index) => text(row) === "" || values[index] !== null)) {
    return { title, order: text, text, isText: true };
  }
  const isWhole = values.every((each) => each === null || Number.isInteger(each));
  const format = isWhole ? (each: number | null) => (each === null ? "" : number(each)) : columnFormat(values);
  return { title, order: (row) => value(row) ?? Infinity, text: (row) => format(value(row)) };
}

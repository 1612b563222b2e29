// A CSV text and the values in it. The text is kept unchanged, as readers can save it.
import { csvParseRows } from "d3-dsv";

export class Table {
  readonly rows: string[][];
  private readonly columns: Map<string, number>;

  constructor(
    readonly name: string,
    readonly text: string,
  ) {
    const [header = [], ...rows] = csvParseRows(text);
    this.columns = new Map(header.map((column, index) => [column, index]));
    this.rows = rows;
  }

  get columnCount(): number {
    return this.columns.size;
  }

  // A function that reads one column of a row.
  column(name: string): (row: string[]) => string {
    const index = this.columns.get(name);
    if (index === undefined) throw new Error(`${this.name} has no column "${name}"`);
    return (row) => row[index] ?? "";
  }

  // The same as a number; null if the cell holds none.
  numbers(name: string): (row: string[]) => number | null {
    const cell = this.column(name);
    return (row) => {
      const text = cell(row);
      const value = text.trim() === "" ? NaN : Number(text);
      return Number.isFinite(value) ? value : null;
    };
  }
}

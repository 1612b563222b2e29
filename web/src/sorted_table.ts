// A table that a reader sorts by a column. It shows its first rows, and the others if the reader asks for them.
import { button, element } from "./dom";
import { math } from "./math";

// A column as it is shown, sorted and written.
export interface Column<Row> {
  title: string;
  order: (row: Row) => number | string;
  text: (row: Row) => string;
  isName?: boolean; // whether its cells are the names of the rows
}

const firstRows = 12;

// `rows` are in the order of the first column, and are sorted in place.
export function sortedTable<Row>(rows: Row[], columns: Column<Row>[], buttons: HTMLElement[], caption: string): HTMLElement {
  const body = element("tbody");
  let shown = Math.min(rows.length, firstRows);
  const fill = () => body.replaceChildren(...rows.slice(0, shown).map((row) => rowElement(row, columns)));
  const heads = columns.map(({ title, order }, index) => {
    const head = element("th", { scope: "col", "aria-sort": index === 0 ? "ascending" : "none" });
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
    element("div", { class: "buttons" }, rows.length > shown ? more : null, ...buttons),
    element("p", { class: "caption" }, ...math(caption)),
  );
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b)) : a - b;
}

function rowElement<Row>(row: Row, columns: Column<Row>[]): HTMLElement {
  return element("tr", {}, ...columns.map(({ isName, text }) => element(isName ? "th" : "td", {}, ...math(text(row)))));
}

// A table that a reader sorts by a column. It shows its first rows, and the others if the reader asks for them.
import { button, element } from "./dom";
import { math, mathText } from "./math";
import { number } from "./numbers";

// A column as it is shown, sorted and written.
export interface Column<Row> {
  title: string;
  order: (row: Row) => number | string;
  text: (row: Row) => string;
  badge?: (row: Row) => string; // a word beside the text; may be empty
  isText?: boolean; // aligned to the left
  isName?: boolean; // whether its cells are the names of the rows
}

// A long table shows this many rows at first; one that is hardly longer shows all.
const firstRows = 12;
const hardlyLonger = 18;

// `rows` are shown in their order at first, and are sorted in place.
export function sortedTable<Row>(rows: Row[], columns: Column<Row>[], buttons: HTMLElement[], caption: string): HTMLElement {
  const body = element("tbody");
  let shown = rows.length > hardlyLonger ? firstRows : rows.length;
  const fill = () => body.replaceChildren(...rows.slice(0, shown).map((row) => rowElement(row, columns)));
  const isSorted = rows.every((row, index) => index === 0 || compare(columns[0]!.order(rows[index - 1]!), columns[0]!.order(row)) <= 0);
  const heads = columns.map(({ title, order, isText }, index) => {
    const head = element("th", { scope: "col", class: alignment(isText), "aria-sort": index === 0 && isSorted ? "ascending" : "none" });
    const sort = button(mathText(title), `Sort by ${mathText(title.toLowerCase())}`, () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => compare(order(a), order(b)) * (down ? -1 : 1));
      fill();
    });
    head.append(sort);
    return head;
  });
  const leftOut = element("p", { class: "left-out" }, `The first ${shown} of ${number(rows.length)} rows.`); // on paper
  const more = button(`Show all ${number(rows.length)}`, `Show all ${number(rows.length)} rows`, () => {
    shown = rows.length;
    more.remove();
    leftOut.remove();
    fill();
  });
  fill();
  return element(
    "div",
    { class: "ranking" },
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)),
    rows.length > shown ? leftOut : null,
    element("div", { class: "buttons" }, rows.length > shown ? more : null, ...buttons),
    element("p", { class: "caption" }, ...math(caption)),
  );
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b)) : a - b;
}

function rowElement<Row>(row: Row, columns: Column<Row>[]): HTMLElement {
  return element(
    "tr",
    {},
    ...columns.map(({ isName, isText, text, badge }) => {
      const word = badge?.(row);
      const shown = word ? [" ", element("span", { class: "badge" }, word)] : [];
      return element(isName ? "th" : "td", { class: alignment(isText) }, ...math(text(row)), ...shown);
    }),
  );
}

function alignment(isText = false): string {
  return isText ? "text" : "number";
}

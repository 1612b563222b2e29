// Makes elements in one expression. Text is added as text, never as markup.

type Child = Node | string | null;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child): child is Node | string => child !== null));
  return made;
}

export function svg(tag: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export function button(label: string, name: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": name, title: name }, label);
  made.addEventListener("click", act);
  return made;
}

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  // The browser may still read the content after click() has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function saveCsv(table: { name: string; text: string }): void {
  save(table.name, new Blob([table.text], { type: "text/csv" }));
}

const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

// Four digits, and all digits of a whole number: "300,000".
export function number(value: number): string {
  return Math.abs(value) >= 1000 ? whole.format(value) : format.format(value);
}

// With as many decimals as number(other) has.
export function alike(value: number, other: number): string {
  const decimals = number(other).split(".")[1]?.length ?? 0;
  return new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value);
}

// A function that writes the numbers of a column with the same number of decimals, four digits for the largest.
export function columnFormat(values: (number | null)[]): (value: number | null) => string {
  const largest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(largest || 1)), 0), 6);
  const column = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (value) => (value === null ? "" : column.format(value).replace("-", "−"));
}

export function percent(share: number): string {
  return `${format.format(Number((100 * share).toPrecision(2)))}\u00a0%`;
}

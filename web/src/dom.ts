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

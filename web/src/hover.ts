// Shows the values at the pointer, or where the arrow keys have moved to: a vertical line, a dot on each
// series and a small table beside it.
import type { View } from "vega";
import type { Choice } from "./chart";
import { element, number } from "./dom";
import type { Panel, Plot } from "./plot";
import { named, seriesColour } from "./theme";

type Entry = { label: string; colour: string; y: number; text: string };

export class Hover {
  private readonly hairline = element("div", { class: "hairline", hidden: "" });
  private readonly dots = element("div");
  private readonly tip = element("div", { class: "tip", hidden: "" });
  private readonly spoken = element("div", { class: "spoken", "aria-live": "polite" });
  private at: number | null = null; // an x

  constructor(
    private readonly box: HTMLElement,
    private readonly plot: Plot,
    private readonly panel: Panel,
    private readonly choice: () => Choice,
    private readonly view: () => View,
  ) {
    box.append(this.hairline, this.dots, this.tip, this.spoken);
    box.addEventListener("pointermove", (event) => this.follow(event));
    box.addEventListener("pointerdown", (event) => this.follow(event));
    box.addEventListener("pointerleave", () => this.hide());
    box.addEventListener("blur", () => this.hide());
    box.addEventListener("keydown", (event) => this.step(event));
  }

  hide(): void {
    this.at = null;
    this.hairline.hidden = true;
    this.tip.hidden = true;
    this.dots.replaceChildren();
  }

  private follow(event: PointerEvent): void {
    const pointer = event.clientX - this.box.getBoundingClientRect().left;
    const gap = (x: number) => Math.abs(this.place("x", x) - pointer);
    const [first, ...others] = this.stops();
    if (first === undefined) return;
    this.show(others.reduce((best, x) => (gap(x) < gap(best) ? x : best), first));
  }

  private step(event: KeyboardEvent): void {
    if (event.key === "Escape") this.hide();
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const stops = this.stops();
    const move = event.key === "ArrowRight" ? 1 : -1;
    const from = this.at === null ? (move > 0 ? -1 : stops.length) : stops.indexOf(this.at);
    const next = stops[Math.min(Math.max(from + move, 0), stops.length - 1)];
    if (next === undefined) return;
    this.show(next);
    this.spoken.textContent = [
      `${this.plot.figure.x.title} ${number(next)}`,
      ...this.entries(next).map((entry) => `${entry.label} ${entry.text}`),
    ].join("; ");
  }

  private show(x: number): void {
    this.at = x;
    const entries = this.entries(x);
    const left = this.place("x", x);
    this.hairline.hidden = false;
    this.hairline.style.left = `${left}px`;
    this.hairline.style.top = `${this.view().origin()[1]}px`;
    this.hairline.style.height = `${this.view().scale("y").range()[0]}px`;
    this.dots.replaceChildren(
      ...entries.map((entry) => {
        const dot = element("div", { class: "dot" });
        dot.style.left = `${left}px`;
        dot.style.top = `${this.place("y", entry.y)}px`;
        dot.style.background = entry.colour;
        return dot;
      }),
    );
    this.tip.replaceChildren(
      element("p", {}, `${this.plot.figure.x.title} ${number(x)}`),
      element("table", {}, element("tbody", {}, ...entries.map(tipRow))),
    );
    this.tip.hidden = false;
    this.placeTip(left);
  }

  // Beside the vertical line, over a neighbouring panel if need be; below the panel if the window has no
  // room on either side.
  private placeTip(hairline: number): void {
    const { tip, box } = this;
    const edge = box.getBoundingClientRect().left;
    const first = 8 - edge;
    const last = document.documentElement.clientWidth - edge - tip.offsetWidth - 8;
    const right = hairline + 14;
    const left = hairline - 14 - tip.offsetWidth;
    const beside = right <= last || left >= first;
    const at = right <= last ? right : beside ? left : Math.max(Math.min(hairline - tip.offsetWidth / 2, last), first);
    tip.style.left = `${at}px`;
    tip.style.top = `${beside ? this.view().origin()[1] : box.clientHeight}px`;
  }

  private stops(): number[] {
    const { x, y } = this.choice();
    const xs = this.panel.lines
      .filter((point) => (x === "linear" || point.x > 0) && (y === "linear" || point.y > 0))
      .map((point) => point.x);
    return [...new Set(xs)].sort((a, b) => a - b);
  }

  // The values at x, the largest first.
  private entries(x: number): Entry[] {
    const { focus, y } = this.choice();
    const { plot, panel } = this;
    const colours = new Map(plot.series.map((one) => [one.label, seriesColour(named, one.slot)]));
    const values = [...panel.lines.filter((point) => point.x === x), ...panel.levels].map((point) => ({
      label: point.series,
      series: point.series,
      colour: colours.get(point.series)!,
      y: point.y,
      text: plot.figure.mark === "scatter" ? this.scatterText(x, point) : valueText(point),
    }));
    const references = panel.references.flatMap((line) => {
      const height = line.level ?? line.points.find((point) => point.x === x)?.y;
      if (height === undefined) return [];
      return {
        label: line.series === null ? line.reference.title : `${line.series}: ${line.reference.title}`,
        series: line.series,
        colour: line.series === null ? named.quiet : colours.get(line.series)!,
        y: height,
        text: number(height),
      };
    });
    return [...values, ...references]
      .filter((entry) => focus === null || entry.series === null || entry.series === focus)
      .filter((entry) => y === "linear" || entry.y > 0)
      .sort((a, b) => b.y - a.y);
  }

  private scatterText(x: number, mean: { series: string; y: number }): string {
    const ys = this.panel.points
      .filter((point) => point.x === x && point.series === mean.series)
      .map((point) => point.y);
    return `mean ${number(mean.y)}, ${number(Math.min(...ys))} to ${number(Math.max(...ys))}`;
  }

  // The position of a value, in pixels of the box.
  private place(axis: "x" | "y", value: number): number {
    const view = this.view();
    return view.origin()[axis === "x" ? 0 : 1] + view.scale(axis)(value);
  }
}

function valueText(point: { y: number; high: number }): string {
  const spread = point.high - point.y;
  return spread > 0 ? `${number(point.y)} ± ${number(spread)}` : number(point.y);
}

function tipRow(entry: Entry): HTMLTableRowElement {
  const swatch = element("span", { class: "swatch" });
  swatch.style.background = entry.colour;
  return element("tr", {}, element("th", {}, swatch, entry.label), element("td", {}, entry.text));
}

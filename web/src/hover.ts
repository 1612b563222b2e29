// Shows the values at the pointer, or where the arrow keys have moved to: a vertical line, a dot on each
// series and a small table, which is outside the panel so that it covers no curve.
import type { View } from "vega";
import { type Choice, bandAround, originOf } from "./chart";
import { element } from "./dom";
import { math, mathText } from "./math";
import { columnDecimals, number, withDecimals } from "./numbers";
import type { Level, Panel, Plot } from "./plot";
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
    // A finger leaves when it is lifted: the values stay until the reader taps elsewhere.
    box.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") this.hide();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!(event.target instanceof Node && box.contains(event.target))) this.hide();
    });
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
    if ((event.key !== "ArrowLeft" && event.key !== "ArrowRight") || event.shiftKey) return;
    event.preventDefault();
    const stops = this.stops();
    const move = event.key === "ArrowRight" ? 1 : -1;
    const from = this.at === null ? (move > 0 ? -1 : stops.length) : stops.indexOf(this.at);
    const next = stops[Math.min(Math.max(from + move, 0), stops.length - 1)];
    if (next === undefined) return;
    this.show(next);
    this.spoken.textContent = [
      this.heading(next),
      ...this.entries(next).map((entry) => `${mathText(entry.label)} ${entry.text}`),
    ].join("; ");
  }

  private show(x: number): void {
    this.at = x;
    const entries = this.entries(x);
    const left = this.place("x", x);
    this.hairline.hidden = false;
    this.hairline.style.left = `${left}px`;
    this.hairline.style.top = `${originOf(this.view())[1]}px`;
    this.hairline.style.height = `${this.view().scale("y").range()[0]}px`;
    const [bottom, top] = this.view().scale("y").domain();
    const inside = entries.filter(({ y }) => y >= bottom && y <= top);
    this.dots.replaceChildren(
      ...inside.map((entry) => {
        const dot = element("div", { class: "dot" });
        dot.style.left = `${left}px`;
        dot.style.top = `${this.place("y", entry.y)}px`;
        dot.style.background = entry.colour;
        return dot;
      }),
    );
    this.tip.replaceChildren(
      element("p", {}, this.heading(x)),
      element("table", {}, element("tbody", {}, ...entries.map(tipRow))),
    );
    this.tip.hidden = false;
    this.placeTip(left);
  }

  // What the values belong to, and what ± or the brackets are.
  private heading(x: number): string {
    const { figure } = this.plot;
    const band = this.choice().band;
    const at = mathText(figure.x.labels[Math.round(x) - 1] ?? `${figure.x.title} ${number(x)}`);
    if (band === null || figure.bands.length === 0) return at;
    const { low, title } = figure.bands[band]!;
    return `${at}; ${low === "" ? "±" : "in brackets:"} ${title}`;
  }

  // Below the panel, or above it if the window has room only there.
  private placeTip(hairline: number): void {
    const { tip, box } = this;
    const { left, top, bottom } = box.getBoundingClientRect();
    const last = document.documentElement.clientWidth - left - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(Math.min(hairline - tip.offsetWidth / 2, last), 8 - left)}px`;
    const { clientHeight } = document.documentElement;
    const above = -tip.offsetHeight - 4;
    const isAbove = bottom + 4 + tip.offsetHeight > clientHeight && top + above >= 0;
    tip.style.top = `${isAbove ? above : box.clientHeight + 4}px`;
  }

  private stops(): number[] {
    const { x, y, window } = this.choice();
    const xs = this.panel.lines
      .filter((point) => (x === "linear" || point.x > 0) && (y === "linear" || point.y > 0))
      .filter((point) => window === null || (point.x >= window.x[0] && point.x <= window.x[1]))
      .map((point) => point.x);
    return [...new Set(xs)].sort((a, b) => a - b);
  }

  // The values at x, the largest first.
  private entries(x: number): Entry[] {
    const { focus, y, hidden } = this.choice();
    const { plot, panel } = this;
    const colours = new Map(plot.series.map((one) => [one.label, seriesColour(named, one.style)]));
    const references = panel.references.flatMap(({ reference: { title }, series, level, points }) => {
      const height = level ?? points.find((point) => point.x === x)?.y;
      return height === undefined || hidden.has(title) ? [] : [{ title, series, y: height }];
    });
    const points = [...panel.lines.filter((point) => point.x === x), ...panel.levels];
    const decimals = columnDecimals(points.map(({ y }) => y), points.map((point) => this.halfWidth(point)));
    const written = (value: number) => withDecimals(value, decimals);
    const ofSeries = (label: string) =>
      references.filter(({ series }) => series === label).map(({ title, y }) => `, ${mathText(title)} ${written(y)}`).join("");
    const values = points.map((point) => ({
      label: point.series,
      series: point.series,
      colour: colours.get(point.series)!,
      y: point.y,
      text: plot.figure.mark === "scatter" ? this.scatterText(x, point, written) : this.valueText(point, written) + ofSeries(point.series),
    }));
    const guides = references
      .filter(({ series }) => series === null)
      .map(({ title, y }) => ({ label: title, series: null, colour: named.ink, y, text: written(y) }));
    return [...values, ...guides]
      .filter((entry) => focus === null || entry.series === null || entry.series === focus)
      .filter((entry) => y === "linear" || entry.y > 0)
      .sort((a, b) => b.y - a.y);
  }

  private scatterText(x: number, mean: { series: string; y: number }, written: (value: number) => string): string {
    const ys = this.panel.points
      .filter((point) => point.x === x && point.series === mean.series)
      .map((point) => point.y);
    return `mean ${written(mean.y)}, ${written(Math.min(...ys))} to ${written(Math.max(...ys))}`;
  }

  private halfWidth(point: Level): number {
    const [low, high] = bandAround(point, this.choice());
    return (high - low) / 2;
  }

  private valueText(point: Level, written: (value: number) => string): string {
    const [low, high] = bandAround(point, this.choice());
    if (low === high) return written(point.y);
    const hasEnds = this.plot.figure.bands[this.choice().band!]!.low !== "";
    return written(point.y) + (hasEnds ? ` (${written(low)} to ${written(high)})` : ` ± ${written(high - point.y)}`);
  }

  // The position of a value, in pixels of the box.
  private place(axis: "x" | "y", value: number): number {
    const view = this.view();
    return originOf(view)[axis === "x" ? 0 : 1] + view.scale(axis)(value);
  }
}

function tipRow(entry: Entry): HTMLTableRowElement {
  const swatch = element("span", { class: "swatch" });
  swatch.style.background = entry.colour;
  return element("tr", {}, element("th", {}, swatch, ...math(entry.label)), element("td", {}, entry.text));
}

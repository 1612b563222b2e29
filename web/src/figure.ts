// One figure of the page: legend, panels, caption, and the controls of a reader.
import type { View } from "vega";
import { type Choice, type LegendEntry, columnPicture, drawPanel, farLevels, legendEntries, picture } from "./chart";
import { button, element, save, saveCsv, svg } from "./dom";
import { Hover } from "./hover";
import { math, mathText } from "./math";
import { columnDecimals, number, percent, withDecimals } from "./numbers";
import { type BoundCheck, type Panel, type Plot, boundChecks } from "./plot";
import type { Axis } from "./report";
import type { Table } from "./table";
import { named, seriesColour, seriesShape } from "./theme";
import { Zoom } from "./zoom";

export function figureElement(plot: Plot, table: Table, order: number): HTMLElement {
  const { figure } = plot;
  const choice = firstChoice(plot);
  const note = element("p", { class: "note", role: "status" });
  const drawn = element("span");
  const redraw = () => {
    note.textContent = hiddenNote(plot, choice);
    drawn.replaceChildren(...math(drawnNote(plot, choice)));
    for (const view of views) view.draw();
  };
  const zoom: Zoom = new Zoom(choice, () => views[0]!.shown(), redraw);
  const views: PanelView[] = plot.panels.map((panel) => new PanelView(plot, panel, choice, zoom));
  drawn.replaceChildren(...math(drawnNote(plot, choice)));

  const id = `figure-${figure.id}`;
  return element(
    "figure",
    { id, "aria-labelledby": `${id}-title` },
    element(
      "header",
      {},
      element("h3", { id: `${id}-title` }, element("span", { class: "order" }, `Figure ${order} `), ...math(figure.title)),
      tools(plot, table, order, choice, zoom, redraw),
    ),
    legend(plot, choice, {
      focus: () => {
        for (const view of views) view.focus();
      },
      redraw,
    }),
    element("div", { class: views.length > 1 ? "panels several" : "panels" }, ...views.map((view) => view.box)),
    note,
    element("figcaption", {}, element("p", {}, ...math(figure.caption), " ", drawn), ...boundElements(plot)),
  );
}

// The controls above a figure: scales, bands, zoom and saving.
function tools(plot: Plot, table: Table, order: number, choice: Choice, zoom: Zoom, redraw: () => void): HTMLElement {
  return element(
    "div",
    { class: "tools" },
    ...(["x", "y"] as const).map((axis) =>
      scaleSwitch(plot, axis, choice[axis], (scale) => {
        choice[axis] = scale;
        choice.window = null;
        redraw();
      }),
    ),
    bandSwitch(plot, choice, redraw),
    element(
      "div",
      { class: "buttons", role: "group", "aria-label": "Zoom" },
      button("+", "Zoom in (key +; or the wheel with Ctrl). Drag to move", () => zoom.by(1.5)),
      button("−", "Zoom out (key -)", () => zoom.by(1 / 1.5)),
      button("whole", "Show the whole figure (key 0)", () => zoom.whole()),
    ),
    element(
      "div",
      { class: "buttons", role: "group", "aria-label": "Save" },
      button("CSV", `Save the data of figure ${order} (${table.name})`, () => saveCsv(table)),
      button("SVG", `Save figure ${order} as SVG`, () => void saveSvg(plot, choice)),
      button("SVG, column", `Save figure ${order} as SVG in the width of a paper's column`, () => void saveColumn(plot, choice)),
      button("PNG", `Save figure ${order} as PNG`, () => void savePng(plot, choice)),
      button("PDF", `Print figure ${order} alone in the width of a paper's column, to save it as PDF`, () => void printColumn(plot, choice)),
    ),
  );
}

// The first panel of a figure with its legend, without controls, as a picture of what the report shows.
export function previewElement(plot: Plot, order: number): HTMLElement {
  const choice = firstChoice(plot);
  const view = new PanelView(plot, plot.panels[0]!, choice, null, "Preview. ");
  const items = legendEntries(plot)
    .filter(({ label }) => !choice.hidden.has(label))
    .map((entry) => element("li", { class: "entry" }, swatchElement(entry, plot), ...math(entry.label)));
  return element(
    "div",
    { class: "preview" },
    element("p", {}, element("a", { href: `#figure-${plot.figure.id}` }, `Figure ${order}: `, ...math(plot.figure.title))),
    element("ul", { class: "legend" }, ...items),
    view.box,
  );
}

function firstChoice({ figure }: Plot): Choice {
  return {
    x: startScale(figure.x),
    y: startScale(figure.y),
    focus: null,
    band: figure.bands.length > 0 ? 0 : null,
    hidden: new Set(figure.references.filter(({ shown }) => !shown).map(({ title }) => title)),
    window: null,
  };
}

class PanelView {
  readonly box: HTMLElement;
  // The panel has a name for screen readers; the descriptions that Vega gives each mark are left out.
  private readonly drawing = element("div", { class: "drawing", "aria-hidden": "true" });
  private view: View | null = null;
  private readonly hover: Hover;
  private width = 0;

  constructor(
    private readonly plot: Plot,
    private readonly panel: Panel,
    private readonly choice: Choice,
    zoom: Zoom | null,
    prefix = "",
  ) {
    this.box = element("div", { class: "panel", tabindex: "0", role: "img", "aria-label": prefix + panelName(plot, panel) }, this.drawing);
    this.hover = new Hover(this.box, plot, panel, () => this.choice, () => this.shown());
    zoom?.listen(this.box);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  shown(): View {
    return this.view!;
  }

  draw(): void {
    if (this.width === 0) return; // not on the page yet: the observer draws it then
    this.hover.hide();
    this.view?.finalize();
    const alone = this.plot.panels.length === 1;
    const height = alone && this.width > 600 ? 420 : 300;
    this.view = drawPanel(this.drawing, this.plot, this.panel, this.choice, { width: this.width, height });
    this.box.classList.toggle("zoomed", this.choice.window !== null);
  }

  focus(): void {
    this.hover.hide();
    this.view?.signal("focus", this.choice.focus).run();
  }

  private resize(): void {
    const width = Math.floor(this.box.clientWidth);
    if (width === this.width) return;
    this.width = width;
    this.draw();
  }
}

function panelName(plot: Plot, panel: Panel): string {
  const { figure, series } = plot;
  const what = `${figure.y.title} against ${figure.x.title}`;
  const who = series.map((one) => (one.ours ? `${one.label} (ours)` : one.label)).join(", ");
  return mathText([figure.title, panel.label, `${what}: ${who}`, "The arrow keys read the values"].filter(Boolean).join(". "));
}

function startScale(axis: Axis): Choice["x"] {
  return axis.scale === "log" ? "log" : "linear";
}

// A row of buttons of which one is chosen.
function switchElement(
  id: string,
  name: string,
  spoken: string,
  options: { value: string; title: string }[],
  chosen: string,
  choose: (value: string) => void,
): HTMLElement {
  const labels = options.map(({ value, title }) => {
    const input = element("input", { type: "radio", name: id, value });
    input.checked = value === chosen;
    input.addEventListener("change", () => choose(value));
    return element("label", { title }, input, element("span", {}, value));
  });
  return element("fieldset", { class: "switch" }, element("legend", {}, name, element("span", { class: "spoken" }, spoken)), ...labels);
}

function scaleSwitch(plot: Plot, axis: "x" | "y", chosen: Choice["x"], choose: (scale: Choice["x"]) => void): HTMLElement | null {
  const positive = new Set(plot.panels.flatMap((panel) => panel.lines.map((point) => point[axis])).filter((value) => value > 0));
  if (plot.figure[axis].scale === "linear_only" || positive.size < 2) return null;
  const options = ["linear", "log"].map((value) => ({ value, title: `${value} scale` }));
  const title = ` axis: ${mathText(plot.figure[axis].title)}`;
  return switchElement(`${plot.figure.id}-${axis}`, axis, title, options, chosen, (scale) => choose(scale as Choice["x"]));
}

function bandSwitch(plot: Plot, choice: Choice, redraw: () => void): HTMLElement | null {
  const { bands, id } = plot.figure;
  if (bands.length === 0) return null;
  const known = ["95 %", "se", "sd"]; // in this order in every figure, whichever is drawn at first
  const place = ({ name }: { name: string }) => (known.includes(name) ? known.indexOf(name) : known.length);
  const sorted = [...bands].sort((a, b) => place(a) - place(b));
  const options = [...sorted.map(({ name, title }) => ({ value: name, title })), { value: "none", title: "no band" }];
  return switchElement(`${id}-band`, "±", " band around the curves", options, bands[0]!.name, (name) => {
    const index = bands.findIndex((band) => band.name === name);
    choice.band = index < 0 ? null : index;
    redraw();
  });
}

// Says which points a logarithmic scale cannot show.
function hiddenNote(plot: Plot, choice: Choice): string {
  const points = plot.panels.flatMap((panel) => panel.points);
  const hidden = points.filter((point) => (choice.x === "log" && point.x <= 0) || (choice.y === "log" && point.y <= 0));
  if (hidden.length === 0) return "";
  return `${number(hidden.length)} of ${number(points.length)} points are at or below zero and cannot be drawn on a logarithmic scale.`;
}

// Says what the bands and the references are, and which horizontal lines are above the panels.
function drawnNote(plot: Plot, choice: Choice): string {
  const { figure } = plot;
  const levels = plot.panels.some((panel) => panel.levels.length > 0);
  const marks = [figure.mark === "curve" ? "Bands" : "Bars", ...(levels ? ["shaded strips"] : [])].join(" and ");
  const band = choice.band === null ? undefined : figure.bands[choice.band];
  const far = choice.window === null ? plot.panels.flatMap((panel) => farLevels(plot, panel).map((level) => farNote(panel, level))) : [];
  const notes = figure.references.filter(({ title, note }) => note !== "" && !choice.hidden.has(title)).map(({ note }) => note);
  return [...notes, ...(band ? [`${marks} show ${band.low === "" ? "±" : "the"} ${band.title}.`] : []), ...(far.length > 0 ? [`Above what is drawn: ${far.join(", ")}.`] : [])].join(" ");
}

function farNote(panel: Panel, level: { series: string; y: number }): string {
  return `${level.series} at ${number(level.y)}${panel.label === "" ? "" : ` (${panel.label})`}`;
}

// A series is highlighted, a reference is shown or hidden.
function legend(plot: Plot, choice: Choice, { focus, redraw }: { focus: () => void; redraw: () => void }): HTMLElement | null {
  const entries = legendEntries(plot);
  if (entries.length < 2) return null;
  const seriesButtons: HTMLButtonElement[] = [];
  const items = entries.map((entry) => {
    const { label, series } = entry;
    const badge = series?.ours ? element("span", { class: "badge" }, "ours") : null;
    const made = element("button", { type: "button", class: "entry" }, swatchElement(entry, plot), ...math(label), badge);
    if (series === null) {
      const show = () => {
        made.setAttribute("aria-pressed", String(!choice.hidden.has(label)));
        made.title = mathText(choice.hidden.has(label) ? `Show: ${label}` : `Hide: ${label}`);
      };
      made.classList.add("reference");
      show();
      made.addEventListener("click", () => {
        if (!choice.hidden.delete(label)) choice.hidden.add(label);
        choice.window = null;
        show();
        redraw();
      });
    } else {
      made.classList.add("series");
      made.setAttribute("aria-pressed", "false");
      made.addEventListener("click", () => {
        choice.focus = choice.focus === label ? null : label;
        for (const other of seriesButtons) other.setAttribute("aria-pressed", String(other === made && choice.focus === label));
        focus();
      });
      seriesButtons.push(made);
    }
    return element("li", {}, made);
  });
  return element("ul", { class: "legend", "aria-label": "Legend: choose a series to highlight it, a dashed line to show or hide it" }, ...items);
}

// The line as it is drawn, with the shape of the series if points are drawn. The line
// of a reference of several series has the colours of all, dash by dash.
function swatchElement({ series, of, dash }: LegendEntry, plot: Plot): SVGElement {
  const colours = of.length > 0 ? of.map(({ style }) => seriesColour(named, style)) : [named.ink];
  const colour = colours[0]!;
  const swatch = svg("svg", { class: "swatch", viewBox: "-14 -6 28 12", width: "28", height: "12", "aria-hidden": "true" });
  if (colours.length > 1) {
    const [length, gap] = dash as [number, number];
    for (let left = -14, k = 0; left + length <= 14; left += length + gap, ++k) {
      swatch.append(svg("path", { d: `M${left},0h${length}`, stroke: colours[k % colours.length]!, "stroke-width": "2" }));
    }
  } else if (series === null || plot.figure.mark !== "bars") {
    swatch.append(
      svg("path", {
        d: "M-14,0H14",
        stroke: colour,
        "stroke-width": series?.ours ? "2.75" : "1.75",
        "stroke-dasharray": dash.join(" "),
      }),
    );
  }
  if (series && plot.figure.mark !== "scatter") {
    swatch.append(
      svg("path", {
        d: seriesShape(series.style),
        transform: "scale(3.6)",
        fill: series.ours ? colour : named.ground,
        stroke: colour,
        "stroke-width": ".45",
      }),
    );
  }
  return swatch;
}

function boundElements(plot: Plot): HTMLElement[] {
  const { figure } = plot;
  const checks: BoundCheck[] = boundChecks(plot);
  if (checks.length === 0) return [];
  const points = checks.reduce((sum, check) => sum + check.points, 0);
  const broken = checks.filter((check) => check.broken.length > 0);
  const brokenPoints = broken.reduce((sum, check) => sum + check.broken.length, 0);
  const shares = checks.map(({ last }) => last.y / last.bound);
  const ends = new Set(checks.map(({ last }) => last.x));
  const end = ends.size === 1 ? `At ${figure.x.title} ${number(checks[0]!.last.x)}` : "At the end";
  const tight = `${end}, ${figure.y.title} is ${percentRange(shares)} of it.`;
  const first = broken[0];
  const holds = first
    ? `The bound is exceeded at ${number(brokenPoints)} of ${number(points)} recorded points, first by ${first.series} at ${figure.x.title} ${number(first.broken[0]!)}.`
    : `The bound holds at all ${number(points)} recorded points.`;
  const several = plot.panels.length > 1;
  const texts = [...(several ? ["Panel"] : []), "Learner"];
  const numbers = [figure.x.title, figure.y.title, checks[0]!.title, "Share", "Holds"];
  const head = [...texts, ...numbers.map((title) => title.charAt(0).toUpperCase() + title.slice(1))];
  const alignment = (column: number) => ({ class: column < texts.length ? "text" : "number" });
  const decimals = columnDecimals(checks.flatMap(({ last }) => [last.y, last.bound]), []);
  const rows = checks.map((check) => [
    ...(several ? [check.panel] : []),
    check.series,
    number(check.last.x),
    withDecimals(check.last.y, decimals),
    withDecimals(check.last.bound, decimals),
    `${withDecimals((100 * check.last.y) / check.last.bound, 1)}\u00a0%`,
    check.broken.length === 0 ? "✓ everywhere" : `✗ not at ${number(check.broken.length)} of ${number(check.points)}`,
  ]);
  return [
    element("p", { class: "bound" }, element("strong", {}, holds), ` ${tight}`),
    element(
      "details",
      {},
      element("summary", {}, "How tight, learner by learner"),
      element(
        "div",
        { class: "scroll" },
        element(
          "table",
          { class: "figures" },
          element("thead", {}, element("tr", {}, ...head.map((cell, column) => element("th", { scope: "col", ...alignment(column) }, ...math(cell))))),
          element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, column) => element("td", alignment(column), ...math(cell)))))),
        ),
      ),
    ),
  ];
}

function percentRange(shares: number[]): string {
  const [low, high] = [percent(Math.min(...shares)), percent(Math.max(...shares))];
  return low === high ? low : `${low} to ${high}`;
}

async function saveSvg(plot: Plot, choice: Choice): Promise<void> {
  const text = await picture(plot, choice).toSVG();
  save(`${plot.figure.id}.svg`, new Blob([text], { type: "image/svg+xml" }));
}

async function saveColumn(plot: Plot, choice: Choice): Promise<void> {
  save(`${plot.figure.id}-column.svg`, new Blob([await columnPicture(plot, choice)], { type: "image/svg+xml" }));
}

// Prints the figure alone on a page of its size, which a browser saves as PDF: a page cannot write one without a library.
async function printColumn(plot: Plot, choice: Choice): Promise<void> {
  const text = await columnPicture(plot, choice);
  const [, width, height] = /width="([\d.]+)mm" height="([\d.]+)mm"/.exec(text)!;
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  // A little higher than the figure, which a rounded height would put on two pages.
  const size = element("style", {}, `@page { size: ${width}mm ${Number(height) + 0.5}mm; margin: 0; }`);
  const alone = element("div", { class: "alone" }, drawing);
  document.head.append(size);
  document.body.append(alone);
  addEventListener("afterprint", () => [size, alone].forEach((each) => each.remove()), { once: true });
  print();
}

async function savePng(plot: Plot, choice: Choice): Promise<void> {
  const canvas = (await picture(plot, choice).toCanvas(2)) as HTMLCanvasElement;
  canvas.toBlob((png) => png && save(`${plot.figure.id}.png`, png), "image/png");
}

// One figure of the page: legend, panels, caption, and the controls of a reader.
import type { View } from "vega";
import { type Choice, drawPanel, legendEntries, picture } from "./chart";
import { button, element, number, percent, save, saveCsv, svg } from "./dom";
import { Hover } from "./hover";
import { type BoundCheck, type Panel, type Plot, type Series, boundChecks } from "./plot";
import type { Axis } from "./report";
import type { Table } from "./table";
import { named, seriesColour, seriesShape } from "./theme";

export function figureElement(plot: Plot, table: Table, order: number): HTMLElement {
  const { figure } = plot;
  const choice: Choice = { x: startScale(figure.x), y: startScale(figure.y), focus: null };
  const views = plot.panels.map((panel) => new PanelView(plot, panel, choice));
  const note = element("p", { class: "note", role: "status" });

  const rescale = (axis: "x" | "y", scale: Choice["x"]) => {
    choice[axis] = scale;
    note.textContent = hiddenNote(plot, choice);
    for (const view of views) view.draw();
  };
  const focus = (label: string | null) => {
    choice.focus = label;
    for (const view of views) view.focus();
  };
  const tools = element(
    "div",
    { class: "tools" },
    ...(["x", "y"] as const).map((axis) => scaleSwitch(plot, axis, choice[axis], (scale) => rescale(axis, scale))),
    element(
      "div",
      { class: "save", role: "group", "aria-label": "Save" },
      button("CSV", `Save the data of figure ${order} (${table.name})`, () => saveCsv(table)),
      button("SVG", `Save figure ${order} as SVG`, () => void saveSvg(plot, choice)),
      button("PNG", `Save figure ${order} as PNG`, () => void savePng(plot, choice)),
    ),
  );
  const id = `figure-${figure.id}`;
  return element(
    "figure",
    { id, "aria-labelledby": `${id}-title` },
    element(
      "header",
      {},
      element("h3", { id: `${id}-title` }, element("span", { class: "order" }, `Figure ${order} `), figure.title),
      tools,
    ),
    legend(plot, focus),
    element("div", { class: views.length > 1 ? "panels several" : "panels" }, ...views.map((view) => view.box)),
    note,
    element("figcaption", {}, ...caption(plot)),
  );
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
  ) {
    this.box = element("div", { class: "panel", tabindex: "0", role: "img", "aria-label": panelName(plot, panel) }, this.drawing);
    this.hover = new Hover(this.box, plot, panel, () => this.choice, () => this.view!);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  draw(): void {
    if (this.width === 0) return; // not on the page yet: the observer draws it then
    this.hover.hide();
    this.view?.finalize();
    const alone = this.plot.panels.length === 1;
    const height = alone && this.width > 600 ? 420 : 300;
    this.view = drawPanel(this.drawing, this.plot, this.panel, this.choice, { width: this.width, height });
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
  return [figure.title, panel.label, `${what}: ${who}`, "The arrow keys read the values"].filter(Boolean).join(". ");
}

function startScale(axis: Axis): Choice["x"] {
  return axis.scale === "log" ? "log" : "linear";
}

function scaleSwitch(
  plot: Plot,
  axis: "x" | "y",
  chosen: Choice["x"],
  choose: (scale: Choice["x"]) => void,
): HTMLElement | null {
  const positive = new Set(plot.panels.flatMap((panel) => panel.lines.map((point) => point[axis])).filter((value) => value > 0));
  if (plot.figure[axis].scale === "linear_only" || positive.size < 2) return null;
  const name = `${plot.figure.id}-${axis}`;
  const option = (scale: Choice["x"]) => {
    const input = element("input", { type: "radio", name, value: scale });
    input.checked = scale === chosen;
    input.addEventListener("change", () => choose(scale));
    return element("label", {}, input, element("span", {}, scale));
  };
  return element(
    "fieldset",
    { class: "scale" },
    element("legend", {}, axis, element("span", { class: "spoken" }, ` axis: ${plot.figure[axis].title}`)),
    option("linear"),
    option("log"),
  );
}

// Says which points a logarithmic scale cannot show.
function hiddenNote(plot: Plot, choice: Choice): string {
  const points = plot.panels.flatMap((panel) => panel.points);
  const hidden = points.filter((point) => (choice.x === "log" && point.x <= 0) || (choice.y === "log" && point.y <= 0));
  if (hidden.length === 0) return "";
  return `${number(hidden.length)} of ${number(points.length)} points are at or below zero and have no place on a logarithmic scale.`;
}

function legend(plot: Plot, focus: (label: string | null) => void): HTMLElement | null {
  const entries = legendEntries(plot);
  if (entries.length < 2) return null;
  const buttons: HTMLButtonElement[] = [];
  const items = entries.map(({ label, series }) => {
    const swatch = swatchElement(series, plot.figure.mark === "points");
    if (series === null) return element("li", {}, element("span", { class: "entry" }, swatch, label));
    const badge = series.ours ? element("span", { class: "ours" }, "ours") : null;
    const made = element("button", { type: "button", class: "entry", "aria-pressed": "false" }, swatch, label, badge);
    made.addEventListener("click", () => {
      const pressed = made.getAttribute("aria-pressed") === "true";
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === made && !pressed));
      focus(pressed ? null : label);
    });
    buttons.push(made);
    return element("li", {}, made);
  });
  return element("ul", { class: "legend", "aria-label": "Legend: choose a series to highlight it" }, ...items);
}

// The line as it is drawn: dashed for a reference, with the shape of the series if points are drawn.
function swatchElement(series: Series | null, shaped: boolean): SVGElement {
  const colour = series ? seriesColour(named, series.slot) : named.quiet;
  const swatch = svg("svg", { class: "swatch", viewBox: "-12 -6 24 12", width: "24", height: "12", "aria-hidden": "true" });
  swatch.append(
    svg("path", {
      d: "M-12,0H12",
      stroke: colour,
      "stroke-width": series?.ours ? "2.75" : "1.75",
      ...(series ? {} : { "stroke-dasharray": "6 3" }),
    }),
  );
  if (series && shaped) {
    swatch.append(
      svg("path", {
        d: seriesShape(series.slot),
        transform: "scale(3.6)",
        fill: series.ours ? colour : named.ground,
        stroke: colour,
        "stroke-width": ".45",
      }),
    );
  }
  return swatch;
}

function caption(plot: Plot): HTMLElement[] {
  const { figure } = plot;
  const levels = plot.panels.some((panel) => panel.levels.length > 0);
  const marks = [figure.mark === "curve" ? "bands" : "bars", ...(levels ? ["shaded strips"] : [])];
  const spread = `${capital(marks.join(" and "))} show ± ${figure.error_title}.`;
  const text = figure.error ? `${figure.caption} ${spread}` : figure.caption;
  const checks = boundChecks(plot);
  return [element("p", {}, text), ...(checks.length > 0 ? boundElements(plot, checks) : [])];
}

function boundElements(plot: Plot, checks: BoundCheck[]): HTMLElement[] {
  const { figure } = plot;
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
  const head = [...(several ? ["Panel"] : []), "Learner", figure.x.title, figure.y.title, checks[0]!.title, "Share", "Holds"];
  const rows = checks.map((check) => [
    ...(several ? [check.panel] : []),
    check.series,
    number(check.last.x),
    number(check.last.y),
    number(check.last.bound),
    percent(check.last.y / check.last.bound),
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
          element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell)))),
          element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))),
        ),
      ),
    ),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function percentRange(shares: number[]): string {
  const [low, high] = [percent(Math.min(...shares)), percent(Math.max(...shares))];
  return low === high ? low : `${low} to ${high}`;
}

async function saveSvg(plot: Plot, choice: Choice): Promise<void> {
  const text = await picture(plot, choice).toSVG();
  save(`${plot.figure.id}.svg`, new Blob([text], { type: "image/svg+xml" }));
}

async function savePng(plot: Plot, choice: Choice): Promise<void> {
  const canvas = (await picture(plot, choice).toCanvas(2)) as HTMLCanvasElement;
  canvas.toBlob((png) => png && save(`${plot.figure.id}.png`, png), "image/png");
}

// A plot as a Vega-Lite chart: one view a panel on the screen, all panels with titles and legend in
// a picture to save.
import { View, parse } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { type TopLevelSpec, compile } from "vega-lite";
import type { Panel, Plot } from "./plot";
import type { Axis } from "./report";
import { type Colours, font, light, named, seriesColour, seriesShape } from "./theme";

export type Choice = {
  x: "linear" | "log";
  y: "linear" | "log";
  focus: string | null; // the series singled out
};

type Size = { width: number; height: number };
type Layer = { name: string; data: { values: object[] }; mark: object; encoding: object };

export function drawPanel(
  container: HTMLElement,
  plot: Plot,
  panel: Panel,
  choice: Choice,
  size: Size,
): View {
  const spec = {
    ...size,
    ...panelSpec(plot, panel, choice, named, size),
    ...frame(choice, named),
    autosize: { type: "fit", contains: "padding" },
    background: "transparent",
    padding: { left: 0, right: 6, top: 2, bottom: 0 },
  };
  return makeView(spec).renderer("svg").initialize(container).run();
}

export function picture(plot: Plot, choice: Choice): View {
  const size = plot.panels.length > 1 ? { width: 320, height: 260 } : { width: 720, height: 380 };
  // Layers of one name in several panels would share one panel's data.
  const panels = plot.panels.map((panel, index) => ({
    ...size,
    ...panelSpec(plot, panel, choice, light, size, `panel-${index}-`),
  }));
  const title = { text: plot.figure.title, anchor: "start", fontSize: 17, fontWeight: 600, offset: 16 };
  return makeView({
    ...frame(choice, light),
    vconcat: [{ hconcat: panels, spacing: 36 }, legendSpec(plot)],
    title,
    spacing: 16,
    background: light.ground,
    padding: 20,
  });
}

// Interpreted, not compiled: the page forbids itself to make code from text.
function makeView(spec: object): View {
  // Typed as the schema's union of unions, which no spread of parts satisfies.
  const compiled = compile(spec as TopLevelSpec).spec;
  return new View(parse(compiled, undefined, { ast: true }), { expr: expressionInterpreter });
}

function frame(choice: Choice, colours: Colours): object {
  const axis = {
    labelColor: colours.quiet,
    titleColor: colours.quiet,
    gridColor: colours.line,
    domainColor: colours.line,
    tickColor: colours.line,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 400,
    labelPadding: 6,
    tickSize: 4,
  };
  return {
    params: [{ name: "focus", value: choice.focus }],
    config: {
      font,
      axis,
      view: { stroke: null },
      title: { color: colours.ink, fontSize: 14, fontWeight: 600, offset: 8 },
    },
  };
}

function panelSpec(
  plot: Plot,
  panel: Panel,
  choice: Choice,
  colours: Colours,
  size: Size,
  prefix = "",
): { layer: Layer[]; title?: object } {
  const layer = layers(plot, panel, choice, colours, size)
    .filter(({ data }) => data.values.length > 0)
    .map((one) => ({ ...one, name: prefix + one.name }));
  if (panel.label === "") return { layer };
  return { layer, title: { text: panel.label, anchor: "start", frame: "group" } };
}

function layers(plot: Plot, panel: Panel, choice: Choice, colours: Colours, size: Size): Layer[] {
  const { figure } = plot;
  const heights = range(
    (figure.panels_share_y ? plot.panels : [panel]).flatMap(allY),
    figure.y,
    choice.y,
  );
  const widths = range(plot.panels.flatMap(allX), figure.x, choice.x);

  // A logarithmic scale has no place for what is not positive: such points are left out, and a band
  // that reaches so low ends at the floor.
  const shown = (row: { x?: number; y: number }) =>
    (choice.y === "linear" || row.y > 0) &&
    (choice.x === "linear" || row.x === undefined || row.x > 0);
  const ours = new Set(plot.series.filter((one) => one.ours).map((one) => one.label));
  const colourOf = new Map(plot.series.map((one) => [one.label, seriesColour(colours, one.slot)]));
  const rows = <Row extends { series: string; x?: number; y: number; low: number }>(all: Row[]) =>
    all.filter(shown).map((row) => ({
      ...row,
      low: choice.y === "log" ? Math.max(row.low, heights[0]) : row.low,
      ours: ours.has(row.series),
      fill: ours.has(row.series) ? colourOf.get(row.series) : colours.ground,
    }));
  const points = rows(panel.points);
  const lines = rows(panel.lines);
  const levels = rows(panel.levels);
  const references = panel.references.flatMap(({ series, points: along, level }, line) =>
    (level === null ? along : [{ y: level }]).filter(shown).map((row) => ({ ...row, line, series })),
  );
  const guides = references.filter((row) => row.series === null);
  const own = references.filter((row) => row.series !== null);
  const sloped = (row: object) => "x" in row;
  const level = (row: object) => !("x" in row);

  const x = position("x", figure.x, choice.x, widths, size.width / 80);
  const y = position("y", figure.y, choice.y, heights, size.height / 50);
  const spread = { y: { ...y, field: "low" }, y2: { field: "high" } };
  const color = {
    field: "series",
    type: "nominal",
    scale: { domain: [...colourOf.keys()], range: [...colourOf.values()] },
    legend: null,
  };
  const opacity = (full: number) => ({
    condition: { test: "focus === null || datum.series === focus", value: full },
    value: full / 8,
  });
  const strokeWidth = { condition: { test: "datum.ours", value: 2.75 }, value: 1.75 };
  const make = (name: string, values: object[], mark: object, encoding: object): Layer => ({
    name,
    data: { values },
    mark: { aria: false, ...mark },
    encoding,
  });
  const dashed = { strokeDash: [6, 4], strokeWidth: 1.5 };
  const grey = { ...dashed, color: colours.quiet };
  const line = { type: "line", strokeJoin: "round" };
  const detail = { field: "line", type: "nominal" };

  const drawn: Layer[] = [];
  if (figure.error !== "") {
    drawn.push(make("level-bands", levels, { type: "rect" }, { ...spread, color, opacity: opacity(0.12) }));
    drawn.push(
      figure.mark === "curve"
        ? make("bands", lines, { type: "area" }, { x, ...spread, color, opacity: opacity(0.16) })
        : make("bars", points, { type: "rule", strokeWidth: 1.5 }, { x, ...spread, color, opacity: opacity(0.6) }),
    );
  }
  if (figure.mark === "scatter") {
    const dot = { type: "point", size: 24, filled: true };
    drawn.push(make("points", points, dot, { x, y, color, opacity: opacity(0.2) }));
  }
  drawn.push(
    make("guides", guides.filter(sloped), { ...line, ...grey }, { x, y, detail }),
    make("guide-levels", guides.filter(level), { type: "rule", ...grey }, { y }),
    make("references", own.filter(sloped), { ...line, ...dashed }, { x, y, color, detail, opacity: opacity(0.9) }),
    make("reference-levels", own.filter(level), { type: "rule", ...dashed }, { y, color, opacity: opacity(0.9) }),
    make("levels", levels, { type: "rule" }, { y, color, strokeWidth, opacity: opacity(1) }),
    make("lines", lines, line, { x, y, color, strokeWidth, opacity: opacity(1) }),
  );
  if (figure.mark === "points") {
    const shapes = plot.series.map((one) => seriesShape(one.slot));
    drawn.push(
      make("points", points, { type: "point", size: 36, strokeWidth: 1.5 }, {
        x,
        y,
        stroke: color,
        fill: { field: "fill", type: "nominal", scale: null },
        shape: { ...color, scale: { domain: [...colourOf.keys()], range: shapes } },
        opacity: opacity(1),
      }),
    );
  }
  return drawn;
}

function position(
  channel: "x" | "y",
  axis: Axis,
  type: Choice["x"],
  domain: [number, number],
  ticks: number,
): object {
  // The title of y stands level above its axis, where it can be read without turning the head.
  const title =
    channel === "x"
      ? { titlePadding: 10 }
      : { titleAngle: 0, titleAlign: "left", titleBaseline: "bottom", titleX: 0, titleY: -8 };
  return {
    field: channel,
    type: "quantitative",
    title: axis.title,
    scale: type === "log" ? { type, domain } : { type, domain, nice: true, zero: false },
    axis: {
      grid: channel === "y",
      domain: channel === "x",
      ticks: channel === "x",
      ...(type === "log" ? { values: logTicks(domain, ticks) } : { tickCount: Math.max(3, Math.floor(ticks)) }),
      ...title,
    },
  };
}

// 1, 2, 5, 10, ... where there is room, else powers of ten.
function logTicks([low, high]: [number, number], most: number): number[] {
  const ticks = (steps: number[]) => {
    const all: number[] = [];
    for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; ++power) {
      all.push(...steps.map((step) => Number(`${step}e${power}`)));
    }
    return all.filter((tick) => tick >= low && tick <= high);
  };
  const fine = ticks([1, 2, 5]);
  const coarse = ticks([1]);
  return fine.length <= Math.max(most, 4) || coarse.length < 2 ? fine : coarse;
}

function range(values: number[], axis: Axis, type: Choice["x"]): [number, number] {
  const usable = type === "log" ? values.filter((value) => value > 0) : values;
  if (usable.length === 0) return type === "log" ? [1, 10] : [0, 1];
  let low = usable[0]!;
  let high = low;
  for (const value of usable) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (type === "log") return [low / 1.1, high * 1.1];
  if (axis.from_zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

function allX(panel: Panel): number[] {
  return panel.points.map((point) => point.x);
}

function allY(panel: Panel): number[] {
  return [
    ...[...panel.points, ...panel.levels].flatMap((point) => [point.low, point.y, point.high]),
    ...panel.references.flatMap((line) => [...line.points.map((point) => point.y), line.level ?? []].flat()),
  ];
}

// What the legend names: every series, then the dashed lines.
export type LegendEntry = { label: string; series: Plot["series"][number] | null };

export function legendEntries(plot: Plot): LegendEntry[] {
  const titles = new Set(plot.panels.flatMap((panel) => panel.references).map((line) => line.reference.title));
  return [
    ...plot.series.map((series) => ({ label: series.label, series })),
    ...[...titles].map((label) => ({ label, series: null })),
  ];
}

function legendSpec(plot: Plot): object {
  const columns = 3;
  const entries = legendEntries(plot).map(({ label, series }, index) => ({
    label: series?.ours ? `${label} (ours)` : label,
    series: label,
    left: (index % columns) * 260,
    top: Math.floor(index / columns) * 22,
    colour: series ? seriesColour(light, series.slot) : light.quiet,
    fill: series?.ours ? seriesColour(light, series.slot) : light.ground,
    shape: series ? seriesShape(series.slot) : null,
    dashed: series === null,
    ours: series?.ours ?? false,
  }));
  const at = (field: string) => ({ field, type: "quantitative", scale: null, axis: null });
  const as = (field: string) => ({ field, type: "nominal", scale: null });
  const y = at("top");
  const swatch = { x: at("left"), x2: { field: "right" }, y, color: as("colour") };
  const right = [{ calculate: "datum.left + 28", as: "right" }];
  const layer: object[] = [
    { transform: [...right, { filter: "!datum.dashed" }], mark: { type: "rule", strokeWidth: 2 }, encoding: swatch },
    { transform: [...right, { filter: "datum.dashed" }], mark: { type: "rule", strokeWidth: 1.5, strokeDash: [6, 4] }, encoding: swatch },
    {
      transform: [{ calculate: "datum.left + 38", as: "text" }],
      mark: { type: "text", align: "left", baseline: "middle", fontSize: 13, color: light.ink },
      encoding: { x: at("text"), y, text: { field: "label", type: "nominal" } },
    },
  ];
  if (plot.figure.mark === "points") {
    layer.push({
      transform: [{ calculate: "datum.left + 14", as: "middle" }, { filter: "datum.shape !== null" }],
      mark: { type: "point", size: 36, strokeWidth: 1.5, opacity: 1 },
      encoding: { x: at("middle"), y, stroke: as("colour"), fill: as("fill"), shape: as("shape") },
    });
  }
  return { width: columns * 260, height: Math.ceil(entries.length / columns) * 22, data: { values: entries }, layer };
}

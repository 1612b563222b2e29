// A plot as a Vega-Lite chart: one view for each panel on the screen, all panels with titles and legend
// in a picture to save.
import { View, parse } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { type TopLevelSpec, compile } from "vega-lite";
import type { Panel, Plot } from "./plot";
import type { Axis } from "./report";
import { type Colours, font, light, named, seriesColour, seriesShape } from "./theme";

export type Choice = {
  x: "linear" | "log";
  y: "linear" | "log";
  focus: string | null; // the series that is highlighted
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
  // Layers of the same name in several panels would share the data of one panel.
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

// Expressions are interpreted: the content security policy of the page forbids to compile them.
function makeView(spec: object): View {
  // The type of a specification is a union of unions that no object made by spreading satisfies.
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

// The layers of a panel, from the back to the front.
function layers(plot: Plot, panel: Panel, choice: Choice, colours: Colours, size: Size): Layer[] {
  const { figure } = plot;
  const heights = range(
    (figure.panels_share_y ? plot.panels : [panel]).flatMap(allY),
    figure.y,
    choice.y,
  );
  const widths = range(plot.panels.flatMap(allX), figure.x, choice.x);
  const rows = visibleRows(plot, panel, choice, colours, heights[0]);
  const encodings = makeEncodings(plot, choice, colours, size, widths, heights);
  return [
    ...errorLayers(plot, rows, encodings),
    ...(figure.mark === "scatter" ? [scatterLayer(rows, encodings)] : []),
    ...referenceLayers(rows, encodings, colours),
    ...lineLayers(rows, encodings),
    ...(figure.mark === "points" ? [pointLayer(plot, rows, encodings)] : []),
  ];
}

type ReferenceRow = { x?: number; y: number; line: number; series: string | null };

// What a panel shows under the chosen scales.
interface Rows {
  points: object[];
  lines: object[];
  levels: object[];
  references: ReferenceRow[];
}

// A logarithmic scale has no place for numbers that are not positive: such points are left out, and a
// band that reaches below `floor` ends there.
function visibleRows(plot: Plot, panel: Panel, choice: Choice, colours: Colours, floor: number): Rows {
  const isVisible = (row: { x?: number; y: number }) =>
    (choice.y === "linear" || row.y > 0) &&
    (choice.x === "linear" || row.x === undefined || row.x > 0);
  const seriesOf = new Map(plot.series.map((one) => [one.label, one]));
  const visible = <Row extends { series: string; x?: number; y: number; low: number }>(all: Row[]) =>
    all.filter(isVisible).map((row) => {
      const { ours, slot } = seriesOf.get(row.series)!;
      return {
        ...row,
        low: choice.y === "log" ? Math.max(row.low, floor) : row.low,
        ours,
        fill: ours ? seriesColour(colours, slot) : colours.ground,
      };
    });
  return {
    points: visible(panel.points),
    lines: visible(panel.lines),
    levels: visible(panel.levels),
    references: panel.references.flatMap(({ series, points, level }, line) =>
      (level === null ? points : [{ y: level }]).filter(isVisible).map((row) => ({ ...row, line, series })),
    ),
  };
}

// How rows become marks, in the terms of Vega-Lite.
interface Encodings {
  x: object;
  y: object;
  spread: { y: object; y2: object }; // from low to high
  color: { field: string; type: string; scale: { domain: string[]; range: string[] }; legend: null };
  strokeWidth: object;
  opacity: (full: number) => object; // less for series that are not in focus
}

function makeEncodings(
  plot: Plot,
  choice: Choice,
  colours: Colours,
  size: Size,
  widths: [number, number],
  heights: [number, number],
): Encodings {
  const { figure, series } = plot;
  const y = position("y", figure.y, choice.y, heights, size.height / 50);
  return {
    x: position("x", figure.x, choice.x, widths, size.width / 80),
    y,
    spread: { y: { ...y, field: "low" }, y2: { field: "high" } },
    color: {
      field: "series",
      type: "nominal",
      scale: { domain: series.map((one) => one.label), range: series.map((one) => seriesColour(colours, one.slot)) },
      legend: null,
    },
    strokeWidth: { condition: { test: "datum.ours", value: 2.75 }, value: 1.75 },
    opacity: (full) => ({
      condition: { test: "focus === null || datum.series === focus", value: full },
      value: full / 8,
    }),
  };
}

function makeLayer(name: string, values: object[], mark: object, encoding: object): Layer {
  return { name, data: { values }, mark: { aria: false, ...mark }, encoding };
}

const line = { type: "line", strokeJoin: "round" };

// Bands around curves, bars at points, strips along level lines.
function errorLayers({ figure }: Plot, rows: Rows, { x, spread, color, opacity }: Encodings): Layer[] {
  if (figure.error === "") return [];
  const strips = makeLayer("level-bands", rows.levels, { type: "rect" }, { ...spread, color, opacity: opacity(0.12) });
  const around =
    figure.mark === "curve"
      ? makeLayer("bands", rows.lines, { type: "area" }, { x, ...spread, color, opacity: opacity(0.16) })
      : makeLayer("bars", rows.points, { type: "rule", strokeWidth: 1.5 }, { x, ...spread, color, opacity: opacity(0.6) });
  return [strips, around];
}

function scatterLayer(rows: Rows, { x, y, color, opacity }: Encodings): Layer {
  return makeLayer("points", rows.points, { type: "point", size: 24, filled: true }, { x, y, color, opacity: opacity(0.2) });
}

// Dashed lines: guides in grey, the references of a series in its colour; each along x, or level.
function referenceLayers(rows: Rows, { x, y, color, opacity }: Encodings, colours: Colours): Layer[] {
  const dashed = { strokeDash: [6, 4], strokeWidth: 1.5 };
  const grey = { ...dashed, color: colours.quiet };
  const detail = { field: "line", type: "nominal" };
  const isLevel = (row: ReferenceRow) => row.x === undefined;
  const guides = rows.references.filter((row) => row.series === null);
  const ofSeries = rows.references.filter((row) => row.series !== null);
  const along = (all: ReferenceRow[]) => all.filter((row) => !isLevel(row));
  return [
    makeLayer("guides", along(guides), { ...line, ...grey }, { x, y, detail }),
    makeLayer("guide-levels", guides.filter(isLevel), { type: "rule", ...grey }, { y }),
    makeLayer("references", along(ofSeries), { ...line, ...dashed }, { x, y, color, detail, opacity: opacity(0.9) }),
    makeLayer("reference-levels", ofSeries.filter(isLevel), { type: "rule", ...dashed }, { y, color, opacity: opacity(0.9) }),
  ];
}

function lineLayers(rows: Rows, { x, y, color, strokeWidth, opacity }: Encodings): Layer[] {
  return [
    makeLayer("levels", rows.levels, { type: "rule" }, { y, color, strokeWidth, opacity: opacity(1) }),
    makeLayer("lines", rows.lines, line, { x, y, color, strokeWidth, opacity: opacity(1) }),
  ];
}

function pointLayer(plot: Plot, rows: Rows, { x, y, color, opacity }: Encodings): Layer {
  const shapes = plot.series.map((one) => seriesShape(one.slot));
  return makeLayer("points", rows.points, { type: "point", size: 36, strokeWidth: 1.5 }, {
    x,
    y,
    stroke: color,
    fill: { field: "fill", type: "nominal", scale: null },
    shape: { ...color, scale: { domain: color.scale.domain, range: shapes } },
    opacity: opacity(1),
  });
}

function position(
  channel: "x" | "y",
  axis: Axis,
  type: Choice["x"],
  domain: [number, number],
  ticks: number,
): object {
  // The title of y is horizontal, above its axis, so that it is easy to read.
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

// 1, 2, 5, 10, ... if there is room, else powers of ten.
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

// The entries of the legend: every series, then the dashed lines.
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

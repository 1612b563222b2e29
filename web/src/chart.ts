// A plot as a Vega-Lite chart: one view for each panel on the screen, all panels with titles and legend
// in a picture to save.
import { View, parse } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { type TopLevelSpec, compile } from "vega-lite";
import { mathText } from "./math";
import type { Level, Panel, Plot, Point } from "./plot";
import type { Axis } from "./report";
import { type Colours, boundDash, font, guideDash, light, named, seriesColour, seriesDash, seriesShape } from "./theme";

export type Range = [number, number];

// What the reader has chosen in a figure.
export type Choice = {
  x: "linear" | "log";
  y: "linear" | "log";
  focus: string | null; // the series that is highlighted
  band: number | null; // index of the band that is drawn; null if none is
  hidden: Set<string>; // the titles of references that are not drawn
  window: { x: Range; y: Range } | null; // the part of the axes that is shown; null for the whole
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
    description: mathText(plot.figure.title),
    ...size,
    ...panelSpec(plot, panel, choice, named, size),
    ...frame(choice, named, forScreen),
    autosize: { type: "fit", contains: "padding" },
    background: "transparent",
    padding: { left: 0, right: 6, top: 2, bottom: 0 },
  };
  return makeView(spec).renderer("svg").initialize(container).run();
}

// Where the axes of a drawing begin, in pixels from its corner.
export function originOf(view: View): [number, number] {
  const [x, y] = view.origin();
  const { left, top } = view.padding() as { left: number; top: number }; // drawPanel() gives all four sides
  return [x + left, y + top];
}

// How large the letters of a picture are, and how its legend is set.
interface Print {
  letters: number;
  headings: number;
  legend: { columns: number; width: number; height: number };
}

const forScreen: Print = { letters: 12, headings: 14, legend: { columns: 3, width: 260, height: 22 } };

export function picture(plot: Plot, choice: Choice): View {
  const size = plot.panels.length > 1 ? { width: 320, height: 260 } : { width: 720, height: 380 };
  const title = { text: mathText(plot.figure.title), anchor: "start", fontSize: 17, fontWeight: 600, offset: 16 };
  return makeView({
    description: mathText(plot.figure.title),
    ...frame(choice, light, forScreen),
    vconcat: [{ hconcat: pictureOfPanels(plot, choice, size), spacing: 36 }, legendSpec(plot, choice, forScreen)],
    title,
    spacing: 16,
    background: light.ground,
    padding: 20,
  });
}

// The figure in the width of a paper's column, 84 mm, with letters of 8 points: its panels one below the other, without
// a title, which a paper has in its caption. A unit of the drawing is half a point.
export async function columnPicture(plot: Plot, choice: Choice): Promise<string> {
  const short = legendEntries(plot).every(({ label }) => label.length <= 12);
  const print: Print = { letters: 16, headings: 18, legend: { columns: short ? 2 : 1, width: 205, height: 22 } };
  const view = makeView({
    description: mathText(plot.figure.title),
    ...frame(choice, light, print),
    vconcat: [...pictureOfPanels(plot, choice, { width: 405, height: 230 }), legendSpec(plot, choice, print)],
    spacing: 16,
    background: light.ground,
    padding: 2,
  });
  const millimetres = (units: string) => `${((Number(units) / 2 / 72) * 25.4).toFixed(2)}mm`;
  const size = /width="([\d.]+)" height="([\d.]+)"/;
  return (await view.toSVG()).replace(size, (_, width, height) => `width="${millimetres(width)}" height="${millimetres(height)}"`);
}

// Layers of the same name in several panels would share the data of one panel.
function pictureOfPanels(plot: Plot, choice: Choice, size: Size): object[] {
  return plot.panels.map((panel, index) => ({ ...size, ...panelSpec(plot, panel, choice, light, size, `panel-${index}-`) }));
}

// Expressions are interpreted: the content security policy of the page forbids compiling them.
function makeView(spec: object): View {
  // The type of a specification is a union of unions that no object made by spreading satisfies.
  const compiled = compile(spec as TopLevelSpec).spec;
  return new View(parse(compiled, undefined, { ast: true }), { expr: expressionInterpreter });
}

function frame(choice: Choice, colours: Colours, { letters, headings }: Print): object {
  const axis = {
    labelColor: colours.quiet,
    titleColor: colours.quiet,
    gridColor: colours.line,
    domainColor: colours.line,
    tickColor: colours.line,
    labelFontSize: letters,
    titleFontSize: letters,
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
      title: { color: colours.ink, fontSize: headings, fontWeight: 600, offset: 8 },
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
  return { layer, title: { text: mathText(panel.label), anchor: "start", frame: "group" } };
}

// The layers of a panel, from the back to the front. All panels of a figure have the same axes.
function layers(plot: Plot, panel: Panel, choice: Choice, colours: Colours, size: Size): Layer[] {
  const { figure } = plot;
  const heights = choice.window?.y ?? range(allY(plot, choice), figure.y, choice.y);
  const widths = choice.window?.x ?? range([...plot.panels.flatMap(allX), ...labelledEnds(figure.x)], figure.x, choice.x);
  const rows = visibleRows(plot, panel, choice, colours, widths, heights);
  const encodings = makeEncodings(plot, choice, colours, size, widths, heights);
  const all = [
    ...bandLayers(plot, choice, rows, encodings),
    ...(figure.mark === "scatter" ? [scatterLayer(rows, encodings)] : []),
    ...(figure.mark === "bars" ? [] : lineLayers(plot, rows, encodings)),
    ...(figure.mark === "scatter" ? [] : [pointLayer("points", plot, rows.points, encodings)]),
    ...(figure.mark === "scatter" ? [] : [pointLayer("level-points", plot, rows.levelMarks, encodings)]),
    ...referenceLayers(rows, encodings, colours),
  ];
  // Marks at the edge are whole; bands may be cut.
  const isCut = ({ name }: Layer) => choice.window !== null || /^(bands|bars|level-bands)$/.test(name);
  return all.map((one) => (isCut(one) ? { ...one, mark: { ...one.mark, clip: true } } : one));
}

type ReferenceRow = { x?: number; y: number; line: number; series: string | null; isBound: boolean };

// What a panel shows under the choices of the reader.
interface Rows {
  points: object[];
  lines: object[];
  levels: object[];
  levelMarks: object[]; // a place on each horizontal line for the mark of its series
  references: ReferenceRow[];
}

// A logarithmic scale has no place for numbers that are not positive: such points are left out, and a
// band that reaches below the axis ends there.
function visibleRows(plot: Plot, panel: Panel, choice: Choice, colours: Colours, widths: Range, heights: Range): Rows {
  const isVisible = (row: { x?: number; y: number }) =>
    (choice.y === "linear" || row.y > 0) &&
    (choice.x === "linear" || row.x === undefined || row.x > 0);
  const seriesOf = new Map(plot.series.map((one) => [one.label, one]));
  const visible = <Row extends Level & { x?: number }>(all: Row[]) =>
    all.filter(isVisible).map((row) => {
      const { ours, style } = seriesOf.get(row.series)!;
      const [low, high] = bandAround(row, choice);
      return {
        ...row,
        low: choice.y === "log" ? Math.max(low, heights[0]) : low,
        high,
        ours,
        fill: ours ? seriesColour(colours, style) : colours.ground,
      };
    });
  // The thick lines of ours are below the others, so that neither of two equal curves hides the other.
  const oursFirst = <Row extends { ours: boolean }>(all: Row[]) => all.sort((a, b) => Number(b.ours) - Number(a.ours));
  return {
    points: visible(plot.figure.mark === "curve" ? markedPoints(plot, panel, choice, widths) : panel.points),
    lines: oursFirst(visible(panel.lines)),
    levels: oursFirst(visible(shownLevels(plot, panel, choice))),
    levelMarks: visible(levelMarks(plot, shownLevels(plot, panel, choice), choice, widths)),
    references: panel.references
      .filter(({ reference }) => !choice.hidden.has(reference.title))
      .flatMap(({ reference, series, points, level }, line) =>
        (level === null ? points : [{ y: level }])
          .filter(isVisible)
          .map((row) => ({ ...row, line, series, isBound: reference.kind === "bound" })),
      ),
  };
}

export function bandAround(point: Level, choice: Choice): Range {
  return choice.band === null ? [point.y, point.y] : point.bands[choice.band]!;
}

function levelMarks(plot: Plot, levels: Level[], choice: Choice, [low, high]: Range): Point[] {
  return levels.map((level) => {
    const share = (plot.series.findIndex(({ label }) => label === level.series) + 0.5) / plot.series.length;
    const x = choice.x === "log" ? low * (high / low) ** share : low + share * (high - low);
    return { ...level, x };
  });
}

// A few points of each curve, at which its mark is drawn, so that curves of the same colour can be distinguished. Marks
// of different curves are at different places.
function markedPoints(plot: Plot, panel: Panel, choice: Choice, widths: Range): Point[] {
  const marksOfCurve = 6;
  const measure = (x: number) => (choice.x === "log" ? Math.log(x) : x);
  const [low, high] = [measure(widths[0]), measure(widths[1])];
  return plot.series.flatMap(({ label }, index) => {
    const own = panel.lines.filter((point) => point.series === label && (choice.x === "linear" || point.x > 0));
    const offset = (index + 0.5) / plot.series.length;
    const places = Array.from({ length: marksOfCurve }, (_, k) => low + ((k + offset) / marksOfCurve) * (high - low));
    const nearest = (place: number) =>
      own.reduce<Point | null>(
        (best, point) => (best === null || Math.abs(measure(point.x) - place) < Math.abs(measure(best.x) - place) ? point : best),
        null,
      );
    return [...new Set(places.map(nearest))].filter((point) => point !== null);
  });
}

// The horizontal lines that have a place in the panel: one that is far above all curves would press them together.
function shownLevels(plot: Plot, panel: Panel, choice: Choice): Level[] {
  if (choice.window !== null) return panel.levels;
  const limit = levelLimit(plot);
  return panel.levels.filter((level) => level.y <= limit);
}

export function farLevels(plot: Plot, panel: Panel): Level[] {
  const limit = levelLimit(plot);
  return panel.levels.filter((level) => level.y > limit);
}

function levelLimit(plot: Plot): number {
  const highest = plot.panels.flatMap((panel) => panel.lines).reduce((most, point) => Math.max(most, point.y), -Infinity);
  return highest > 0 ? 2 * highest : Infinity;
}

// How rows become marks, in the terms of Vega-Lite.
interface Encodings {
  x: object;
  y: object;
  spread: { y: object; y2: object }; // from low to high
  color: { field: string; type: string; scale: { domain: string[]; range: string[] }; legend: null };
  strokeDash: object;
  strokeWidth: object;
  opacity: (full: number) => object; // less for series that are not in focus
}

function makeEncodings(
  plot: Plot,
  choice: Choice,
  colours: Colours,
  size: Size,
  widths: Range,
  heights: Range,
): Encodings {
  const { figure, series } = plot;
  const isWhole = choice.window === null;
  const y = position("y", figure.y, choice.y, heights, isWhole, size.height / 60);
  const domain = series.map((one) => one.label);
  return {
    x: position("x", figure.x, choice.x, widths, isWhole && figure.x.labels.length === 0, size.width / 80),
    y,
    spread: { y: { ...y, field: "low" }, y2: { field: "high" } },
    color: {
      field: "series",
      type: "nominal",
      scale: { domain, range: series.map((one) => seriesColour(colours, one.style)) },
      legend: null,
    },
    strokeDash: {
      field: "series",
      type: "nominal",
      scale: { domain, range: series.map((one) => seriesDash(one.style)) },
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

// Bands around curves, bars at points, strips along horizontal lines.
function bandLayers({ figure }: Plot, choice: Choice, rows: Rows, { x, spread, color, opacity }: Encodings): Layer[] {
  if (choice.band === null || figure.bands.length === 0) return [];
  const strips = makeLayer("level-bands", rows.levels, { type: "rect" }, { ...spread, color, opacity: opacity(0.18) });
  const around =
    figure.mark === "curve"
      ? makeLayer("bands", rows.lines, { type: "area" }, { x, ...spread, color, opacity: opacity(0.24) })
      : makeLayer("bars", rows.points, { type: "rule", strokeWidth: 1.5 }, { x, ...spread, color, opacity: opacity(0.6) });
  return [strips, around];
}

function scatterLayer(rows: Rows, { x, y, color, opacity }: Encodings): Layer {
  return makeLayer("points", rows.points, { type: "point", size: 24, filled: true }, { x, y, color, opacity: opacity(0.2) });
}

// Guides are dashed and grey, the references of a series have its colour, and bounds are dotted; each along x, or level.
function referenceLayers(rows: Rows, { x, y, color, opacity }: Encodings, colours: Colours): Layer[] {
  const dashed = { strokeDash: guideDash, strokeWidth: 1.5 };
  const dotted = { strokeDash: boundDash, strokeWidth: 2, strokeCap: "round" };
  const grey = { ...dashed, strokeWidth: 2, color: colours.ink };
  const detail = { field: "line", type: "nominal" };
  const guides = rows.references.filter((row) => row.series === null);
  const bounds = rows.references.filter((row) => row.isBound);
  const ofSeries = rows.references.filter((row) => row.series !== null && !row.isBound);
  const along = (all: ReferenceRow[]) => all.filter((row) => row.x !== undefined);
  const level = (all: ReferenceRow[]) => all.filter((row) => row.x === undefined);
  const coloured = { y, color, opacity: opacity(0.9) };
  return [
    makeLayer("bounds", along(bounds), { ...line, ...dotted }, { x, ...coloured, detail }),
    makeLayer("bound-levels", level(bounds), { type: "rule", ...dotted }, coloured),
    makeLayer("references", along(ofSeries), { ...line, ...dashed }, { x, ...coloured, detail }),
    makeLayer("reference-levels", level(ofSeries), { type: "rule", ...dashed }, coloured),
    makeLayer("guides", along(guides), { ...line, ...grey }, { x, y, detail }),
    makeLayer("guide-levels", level(guides), { type: "rule", ...grey }, { y }),
  ];
}

function lineLayers({ figure }: Plot, rows: Rows, { x, y, color, strokeDash, strokeWidth, opacity }: Encodings): Layer[] {
  return [
    makeLayer("levels", rows.levels, { type: "rule" }, { y, color, strokeDash, strokeWidth, opacity: opacity(1) }),
    makeLayer("lines", rows.lines, figure.mark === "steps" ? { ...line, interpolate: "step-before" } : line, { x, y, color, strokeDash, strokeWidth, opacity: opacity(1) }),
  ];
}

function pointLayer(name: string, plot: Plot, rows: object[], { x, y, color, opacity }: Encodings): Layer {
  const shapes = plot.series.map((one) => seriesShape(one.style));
  return makeLayer(name, rows, { type: "point", size: 36, strokeWidth: 1.5 }, {
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
  domain: Range,
  isNice: boolean,
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
    title: mathText(axis.title),
    scale: type === "log" ? { type, domain } : { type, domain, nice: isNice, zero: false },
    axis: {
      grid: channel === "y",
      domain: channel === "x",
      ticks: channel === "x",
      ...(type === "log" ? { values: logTicks(domain, ticks) } : { tickCount: Math.max(3, Math.floor(ticks)) }),
      // Letters are larger on paper than they are drawn.
      ...(channel === "x" ? { labelOverlap: "parity", labelSeparation: 12 } : {}),
      ...labelTicks(axis, ticks),
      ...title,
    },
  };
}

// The names of places: slanted if they are too long for the room that each has, and upright if slanted lines would touch.
function labelTicks({ labels }: Axis, ticks: number): object {
  if (labels.length === 0) return {};
  const letters = Math.max(...labels.map((label) => label.length));
  const room = (80 * ticks) / labels.length; // in pixels
  const isLong = letters > (11 * room) / 80;
  const isDense = room < 20;
  return {
    values: labels.map((_, index) => index + 1),
    tickCount: labels.length, // Vega leaves out values beyond it
    labelExpr: `${JSON.stringify(labels.map(mathText))}[datum.value - 1]`,
    labelLimit: isLong ? 140 : room - 8,
    labelOverlap: room < 14 ? "greedy" : false,
    ...(isLong ? { labelAngle: isDense ? -90 : -40, labelAlign: "right", labelBaseline: isDense ? "middle" : "top" } : {}),
  };
}

// 1, 2, 5, 10, ... if there is room, else powers of ten.
function logTicks([low, high]: Range, most: number): number[] {
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

function range(values: number[], axis: Axis, type: Choice["x"]): Range {
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

// A labelled place reaches half way to its neighbours.
function labelledEnds({ labels }: Axis): number[] {
  return labels.length > 0 ? [0.5, labels.length + 0.5] : [];
}

function allX(panel: Panel): number[] {
  return panel.points.map((point) => point.x);
}

// Bands extend the axis only as far as the curves keep most of the height. Bars at points extend it fully.
function allY(plot: Plot, choice: Choice): number[] {
  const shown = plot.panels.flatMap((panel) => [...panel.points, ...shownLevels(plot, panel, choice)]);
  const [least, most] = shown.reduce(([low, high], { y }) => [Math.min(low, y), Math.max(high, y)], [Infinity, -Infinity]);
  const room = plot.figure.mark === "curve" ? 0.25 * (most - least) : Infinity;
  const cut = (y: number) => Math.min(Math.max(y, least - room), most + room);
  const references = plot.panels
    .flatMap((panel) => panel.references)
    .filter(({ reference }) => !choice.hidden.has(reference.title))
    .flatMap((line) => [...line.points.map((point) => point.y), line.level ?? []].flat());
  return [...shown.flatMap((point) => [point.y, ...bandAround(point, choice).map(cut)]), ...references];
}

// The entries of the legend: every series, then the references.
export type LegendEntry =
  | { label: string; series: Plot["series"][number]; of: Plot["series"]; dash: number[] }
  | { label: string; series: null; of: Plot["series"]; dash: number[] }; // of: the series whose colours its lines have

export function legendEntries(plot: Plot): LegendEntry[] {
  const references = new Map(plot.panels.flatMap((panel) => panel.references).map(({ reference }) => [reference.title, reference]));
  return [
    ...plot.series.map((series) => ({ label: series.label, series, of: [series], dash: seriesDash(series.style) })),
    ...[...references].map(([label, { kind }]) => ({ label, series: null, of: seriesWith(plot, label), dash: kind === "bound" ? boundDash : guideDash })),
  ];
}

// The series that have a reference of this title. There are none of a guide, which belongs to the whole panel.
function seriesWith({ panels, series }: Plot, title: string): Plot["series"] {
  const owners = new Set(panels.flatMap((panel) => panel.references).filter(({ reference }) => reference.title === title).map((line) => line.series));
  return series.filter(({ label }) => owners.has(label));
}

function legendSpec(plot: Plot, choice: Choice, { letters, legend: { columns, width, height } }: Print): object {
  const shown = legendEntries(plot).filter(({ label, series }) => series !== null || !choice.hidden.has(label));
  const entries = shown.map(({ label, series, of, dash }, index) => ({
    label: mathText(series?.ours ? `${label} (ours)` : label),
    series: label,
    left: (index % columns) * width,
    top: Math.floor(index / columns) * height,
    colour: of.length === 1 ? seriesColour(light, of[0]!.style) : light.ink,
    fill: series?.ours ? seriesColour(light, series.style) : light.ground,
    shape: series ? seriesShape(series.style) : null,
    dash,
    hasLine: series === null || plot.figure.mark !== "bars",
  }));
  const at = (field: string) => ({ field, type: "quantitative", scale: null, axis: null });
  const as = (field: string) => ({ field, type: "nominal", scale: null });
  const y = at("top");
  const layer: object[] = [
    {
      transform: [{ filter: "datum.hasLine" }, { calculate: `datum.left + ${2 * letters}`, as: "right" }],
      mark: { type: "rule", strokeWidth: 2 },
      encoding: { x: at("left"), x2: { field: "right" }, y, color: as("colour"), strokeDash: as("dash") },
    },
    {
      transform: [{ calculate: `datum.left + ${2.8 * letters}`, as: "text" }],
      mark: { type: "text", align: "left", baseline: "middle", fontSize: letters, color: light.ink },
      encoding: { x: at("text"), y, text: { field: "label", type: "nominal" } },
    },
  ];
  if (plot.figure.mark !== "scatter") {
    layer.push({
      transform: [{ calculate: `datum.left + ${letters}`, as: "middle" }, { filter: "datum.shape !== null" }],
      mark: { type: "point", size: 3 * letters, strokeWidth: 1.5, opacity: 1 },
      encoding: { x: at("middle"), y, stroke: as("colour"), fill: as("fill"), shape: as("shape") },
    });
  }
  return { width: columns * width, height: Math.ceil(entries.length / columns) * height, data: { values: entries }, layer };
}

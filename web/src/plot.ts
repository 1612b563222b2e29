// The contents of a figure as values: its panels, series, points and lines, and whether its bounds hold.
// Nothing here depends on how it is drawn.
import type { Band, Figure, FigureSeries, Reference } from "./report";
import type { Table } from "./table";
import { type Style, type Styles, placeInSweeps } from "./theme";

export interface Series {
  label: string;
  style: Style;
  ours: boolean;
}

export interface Point {
  series: string;
  x: number;
  y: number;
  bands: [number, number][]; // the ends of each band of the figure
}

// A point that stands for every x.
export type Level = Omit<Point, "x">;

export interface ReferenceLine {
  reference: Reference;
  series: string | null; // null if it belongs to the whole panel
  points: { x: number; y: number }[]; // empty if it is level
  level: number | null;
}

export interface Panel {
  label: string;
  points: Point[];
  lines: Point[]; // the points that lines go through: all, or the means at each x
  levels: Level[];
  references: ReferenceLine[];
}

export interface Plot {
  figure: Figure;
  series: Series[];
  panels: Panel[];
}

export function makePlot(figure: Figure, table: Table, styles: Styles): Plot {
  const x = table.numbers(figure.x.column);
  const y = table.numbers(figure.y.column);
  const bands = figure.bands.map((band) => bandEnds(band, table));
  const panelOf = figure.panel ? table.column(figure.panel) : () => "";
  const seriesOf = seriesFinder(figure, table);
  const references = figure.references.map((reference) => ({
    reference,
    value: table.numbers(reference.column),
  }));

  const series = new Map<string, Series>();
  const panels = new Map<string, Panel>();
  for (const row of keptRows(figure, table)) {
    const { label, ours, learner } = seriesOf(row);
    const panel = entry(panels, panelOf(row), (value) => ({
      label: panelLabel(figure, value),
      points: [],
      lines: [],
      levels: [],
      references: [],
    }));
    const at = x(row);
    for (const { reference, value } of references) {
      const height = value(row);
      if (height !== null) addReference(panel, reference, label, at, height);
    }
    const height = y(row);
    if (height === null) continue;
    entry(series, label, () => ({ label, style: styles.of(learner, label, figure.series_columns), ours }));
    const level = { series: label, y: height, bands: bands.map((ends) => ends(row, height)) };
    if (at === null) panel.levels.push(level);
    else panel.points.push({ ...level, x: at });
  }
  for (const panel of panels.values()) {
    panel.lines = figure.mark === "scatter" ? means(panel.points) : panel.points;
  }
  placeInSweeps([...series.values()].map(({ style }) => style));
  return { figure, series: [...series.values()], panels: [...panels.values()] };
}

// "rate 0.1", or "no rate" for learners that take none.
function panelLabel({ panel, panel_title: title }: Figure, value: string): string {
  return panel !== "" && value === "" ? `no ${title}` : [title, value].filter(Boolean).join(" ");
}

// The ends of a band around y; both are y where the table has none.
function bandEnds({ column, factor, low, high }: Band, table: Table): (row: string[], y: number) => [number, number] {
  if (low === "") {
    const value = table.numbers(column);
    return (row, y) => [y - factor * (value(row) ?? 0), y + factor * (value(row) ?? 0)];
  }
  const [lower, upper] = [table.numbers(low), table.numbers(high)];
  return (row, y) => [lower(row) ?? y, upper(row) ?? y];
}

function keptRows(figure: Figure, table: Table): string[][] {
  const tests = Object.entries(figure.filter).map(([column, values]) => {
    const cell = table.column(column);
    return (row: string[]) => values.includes(cell(row));
  });
  return table.rows.filter((row) => tests.every((test) => test(row)));
}

// The series of a row, which the figure lists by its values in `series_columns`.
function seriesFinder(figure: Figure, table: Table): (row: string[]) => FigureSeries {
  const key = (values: string[]) => JSON.stringify(values);
  const known = new Map(figure.series.map((series) => [key(series.values), series]));
  const cells = figure.series_columns.map((column) => table.column(column));
  return (row) => {
    const values = cells.map((cell) => cell(row));
    const series = known.get(key(values));
    if (!series) throw new Error(`${table.name} has a row of no known series: ${values.join(", ")}`);
    return series;
  };
}

function addReference(
  panel: Panel,
  reference: Reference,
  label: string,
  x: number | null,
  y: number,
): void {
  const series = reference.kind === "guide" ? null : label;
  let line = panel.references.find(
    (known) =>
      known.reference === reference && known.series === series && (known.level !== null) === (x === null),
  );
  if (!line) {
    line = { reference, series, points: [], level: x === null ? y : null };
    panel.references.push(line);
  }
  // Every series, and every graph of a size, has the value of a guide: it is added once.
  if (x !== null && !line.points.some((point) => point.x === x)) line.points.push({ x, y });
}

function means(points: Point[]): Point[] {
  const groups = new Map<string, Point[]>();
  for (const point of points) entry(groups, `${point.x} ${point.series}`, () => []).push(point);
  return [...groups.values()].map((group) => {
    const y = group.reduce((sum, point) => sum + point.y, 0) / group.length;
    return { ...group[0]!, y };
  });
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
}

// Whether one series in one panel stays below its bound.
export interface BoundCheck {
  panel: string;
  series: string;
  title: string;
  points: number;
  broken: number[]; // the x at which y is above the bound
  last: { x: number; y: number; bound: number };
}

export function boundChecks(plot: Plot): BoundCheck[] {
  const checks: BoundCheck[] = [];
  for (const panel of plot.panels) {
    for (const { reference, series, points } of panel.references) {
      if (reference.kind !== "bound" || series === null) continue;
      const bounds = new Map(points.map(({ x, y }) => [x, y]));
      const pairs = panel.lines
        .filter((point) => point.series === series && bounds.has(point.x))
        .map(({ x, y }) => ({ x, y, bound: bounds.get(x)! }))
        .sort((a, b) => a.x - b.x);
      const last = pairs.at(-1);
      if (!last) continue;
      checks.push({
        panel: panel.label,
        series,
        title: reference.title,
        points: pairs.length,
        broken: pairs.filter(({ y, bound }) => y > bound).map(({ x }) => x),
        last,
      });
    }
  }
  return checks;
}

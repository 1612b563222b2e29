// The report that the C++ side puts into the page. hearsay/report/html.h describes each field.

export interface Axis {
  column: string;
  title: string;
  scale: "linear" | "log" | "linear_only";
  from_zero: boolean;
  labels: string[];
}

export interface Reference {
  column: string;
  title: string;
  kind: "guide" | "of_series" | "bound";
  shown: boolean;
  note: string;
}

export interface Band {
  name: string;
  column: string;
  factor: number;
  title: string;
  low: string;
  high: string;
}

export interface FigureSeries {
  values: string[];
  label: string;
  ours: boolean;
  learner: string;
}

export interface Figure {
  id: string;
  title: string;
  caption: string;
  table: string;
  filter: Record<string, string[]>;
  mark: "curve" | "points" | "steps" | "scatter" | "bars";
  x: Axis;
  y: Axis;
  bands: Band[];
  references: Reference[];
  series_columns: string[];
  series: FigureSeries[];
  panel: string;
  panel_title: string;
}

export interface Claim {
  claim: string;
  paper: string;
  measured: string;
  verdict: "holds" | "holds in part" | "does not hold";
  figure: string;
}

export interface HeatMap {
  id: string;
  title: string;
  caption: string;
  table: string;
  row: string;
  row_title: string;
  column: string;
  value: string;
  error: string;
  colour: string;
  notes: string[];
  columns: { name: string; summary: string }[];
}

export interface GraphPicture {
  caption: string;
  arms: number;
  side: number;
  weights: string;
  threshold: number;
  witness: number[];
}

export interface Listing {
  table: string;
  title: string;
  caption: string;
  columns: { column: string; title: string; decimals: number; percent: boolean }[];
}

export interface Report {
  title: string;
  subtitle: string;
  input: string;
  command: string;
  version: string;
  seed: string;
  settings: string;
  facts: { name: string; value: string }[];
  claims: Claim[];
  highlight: string;
  ranking: { table: string; caption: string; oracles: string[] };
  listings: Listing[];
  figures: Figure[];
  heat_maps: HeatMap[];
  graphs: GraphPicture[];
  tables: { name: string; text: string }[];
}

export function readReport(): Report {
  const text = document.getElementById("report")?.textContent;
  if (!text) throw new Error("this page holds no report");
  return JSON.parse(text) as Report;
}

// The report that the C++ side puts into the page. hearsay/report/html.h describes each field.

export interface Axis {
  column: string;
  title: string;
  scale: "linear" | "log" | "linear_only";
  from_zero: boolean;
}

export interface Reference {
  column: string;
  title: string;
  kind: "guide" | "of_series" | "bound";
}

export interface FigureSeries {
  values: string[];
  label: string;
  ours: boolean;
}

export interface Figure {
  id: string;
  title: string;
  caption: string;
  table: string;
  filter: Record<string, string[]>;
  mark: "curve" | "points" | "scatter";
  x: Axis;
  y: Axis;
  error: string;
  error_title: string;
  references: Reference[];
  series_columns: string[];
  series: FigureSeries[];
  panel: string;
  panel_title: string;
  panels_share_y: boolean;
}

export interface Claim {
  claim: string;
  paper: string;
  measured: string;
  verdict: "holds" | "holds in part" | "does not hold";
}

export interface Report {
  title: string;
  subtitle: string;
  command: string;
  version: string;
  seed: string;
  settings: string;
  claims: Claim[];
  figures: Figure[];
  tables: { name: string; text: string }[];
}

export function readReport(): Report {
  const text = document.getElementById("report")?.textContent;
  if (!text) throw new Error("this page holds no report");
  return JSON.parse(text) as Report;
}

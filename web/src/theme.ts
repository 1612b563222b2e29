// Colours. Those of the series are in styles.json, with the marks, dashes and slots of the learners, from where Python's
// plots take them too. They are based on the palette of Okabe and Ito, which can be distinguished with every kind of
// colour vision, changed so that each has a contrast of at least 3 : 1 to its ground. (Yellow cannot have that on white:
// it is violet here.)
import styles from "./styles.json";

export interface Colours {
  ground: string;
  raised: string;
  ink: string;
  quiet: string;
  line: string;
  edge: string; // the shadow at the edge of a table that can be scrolled further
  accent: string;
  good: string;
  partly: string;
  bad: string;
  heat: string;
  series: string[];
}

export const light: Colours = {
  ground: styles.ground.light,
  raised: "#f6f7f8",
  ink: styles.ink.light,
  quiet: "#5b6570",
  line: "#e2e5e9",
  edge: "#d9dde1",
  accent: "#0067a3",
  good: "#00714f",
  partly: "#8a5a00",
  bad: "#b23a00",
  heat: "#e0642a",
  series: styles.light,
};

export const dark: Colours = {
  ground: styles.ground.dark,
  raised: "#1d2125",
  ink: styles.ink.dark,
  quiet: "#9aa4ae",
  line: "#2e343a",
  edge: "#454d55",
  accent: "#6db9ec",
  good: "#3fc79b",
  partly: "#e8b04a",
  bad: "#ff9466",
  heat: "#b8501f",
  series: styles.dark,
};

// The slots of the learners of hearsay are their places in the list. A slot is a colour and a shape, so a learner looks
// the same in every figure of every report: names are only ever added at the end. Those that are compared most often come
// first and have colours of their own.
const { learners, dashes, sweep } = styles;

// What a series looks like: slot is an index of colours and shapes, variant one of dashes. If a figure has many series of
// one slot, a sweep, place is that of the series among them, from -1 to 1.
export interface Style {
  slot: number;
  variant: number;
  place: number | null;
}

// Gives each series of a report its style: the slot is that of its learner, and series of the same learner differ in
// their dashes.
export class Styles {
  private readonly variants = new Map<number, string[]>();
  private readonly others = new Map<string, string[]>();

  of(learner: string, label: string, columns: string[]): Style {
    if (learner === "") return { slot: place(this.others, columns.join("\n"), label), variant: 0, place: null };
    const slot = learnerSlot(learner);
    // "exp3-wix sharp" is a variant of exp3-wix, also where that is missing.
    if (label.startsWith(`${learner} `)) place(this.variants, slot, learner);
    return { slot, variant: place(this.variants, slot, label), place: null };
  }
}

// Finds the sweeps among the series of a figure.
export function placeInSweeps(series: Style[]): void {
  for (const slot of new Set(series.map((one) => one.slot))) {
    const alike = series.filter((one) => one.slot === slot);
    if (alike.length <= sweep.above) continue;
    for (const [index, one] of alike.entries()) one.place = (2 * index) / (alike.length - 1) - 1;
  }
}

// The place of a value among those that were asked for under this key.
function place<Key>(known: Map<Key, string[]>, key: Key, value: string): number {
  const values = known.get(key) ?? [];
  known.set(key, values);
  if (!values.includes(value)) values.push(value);
  return values.indexOf(value);
}

function learnerSlot(name: string): number {
  const listed = learners.indexOf(name);
  if (listed >= 0) return listed;
  let hash = 0; // of a learner of the user's own
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 1_000_003;
  return hash % (shapes.length * light.series.length);
}

// Shapes around the origin, 2 wide, as paths that the charts and the legend share. There are seven shapes
// and eight colours, so that only the 57th slot looks like the first.
const shapes = styles.shapes.map(({ path }) => path);

// The same colours as variables of the style sheet, which sets them for light, dark and print.
export const named: Colours = {
  ground: "var(--ground)",
  raised: "var(--raised)",
  ink: "var(--ink)",
  quiet: "var(--quiet)",
  line: "var(--line)",
  edge: "var(--edge)",
  accent: "var(--accent)",
  good: "var(--good)",
  partly: "var(--partly)",
  bad: "var(--bad)",
  heat: "var(--heat)",
  series: light.series.map((_, slot) => `var(--series-${slot})`),
};

export function colourSheet(): string {
  const rules = (colours: Colours) => {
    const { series, ...others } = colours;
    const names = Object.entries(others).map(([name, value]) => `--${name}:${value};`);
    return `:root{${names.join("")}${series.map((value, slot) => `--series-${slot}:${value};`).join("")}}`;
  };
  return `${rules(light)}@media screen and (prefers-color-scheme:dark){${rules(dark)}}`;
}

// Solid first. Dots, [1.5, 3], are for bounds. Learners of the same colour have different dashes, too: marks alone are
// hard to tell apart where curves cross.
export function seriesDash({ slot, variant }: Style): number[] {
  return dashes[(variant + Math.floor(slot / light.series.length)) % dashes.length]!;
}

export const boundDash = [1.5, 3];
export const guideDash = [6, 4];

// Along a sweep the colour of the learner goes from strong, nearer to that of the ink, to faint, nearer to the ground.
export function seriesColour(colours: Colours, { slot, place }: Style): string {
  const colour = colours.series[slot % colours.series.length]!;
  if (place === null) return colour;
  return place < 0 ? mixed(colour, colours.ink, -place * sweep.strongest) : mixed(colour, colours.ground, place * sweep.faintest);
}

// The colour with a share of another one. Variables are mixed by the browser; a picture that is saved has numbers.
function mixed(colour: string, other: string, share: number): string {
  if (!colour.startsWith("#")) return `color-mix(in srgb, ${colour}, ${other} ${(100 * share).toFixed(1)}%)`;
  const parts = [1, 3, 5].map((at) => {
    const [own, others] = [colour, other].map((each) => parseInt(each.slice(at, at + 2), 16));
    return Math.round(own! + share * (others! - own!)).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

export function seriesShape({ slot }: Style): string {
  return shapes[slot % shapes.length]!;
}

export const font =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif';

// The observation graph: a map of its weights, and its arms as nodes with those of the independent set filled.
import { element, svg } from "./dom";
import { math } from "./math";
import { number } from "./numbers";
import type { GraphPicture } from "./report";
import { light } from "./theme";

// `index` is the place among the graphs of the report, `order` the number of the figure.
export function graphElement(graph: GraphPicture, index: number, order: number): HTMLElement {
  const id = index === 0 ? "figure-graph" : `figure-graph-${index + 1}`;
  const pictures = [mapElement(graph), graph.threshold > 0 ? nodesElement(graph) : null];
  return element(
    "figure",
    { id, class: "graph", "aria-labelledby": `${id}-title` },
    element("header", {}, element("h3", { id: `${id}-title` }, element("span", { class: "order" }, `Figure ${order} `), "The observation graph")),
    element("div", { class: "pictures" }, ...pictures),
    element("figcaption", {}, element("p", {}, ...math(graph.caption))),
  );
}

// The weight in a cell of the map, in [0, 1].
function weightAt({ weights, side }: GraphPicture, row: number, column: number): number {
  return parseInt(weights.substr(2 * (row * side + column), 2), 16) / 255;
}

// One pixel for each cell, the weight as opacity: so it is right on a light and on a dark ground. The largest weight has
// the full colour; where cells are means over blocks of a sparse graph, it is far below 1.
function mapElement(graph: GraphPicture): HTMLElement {
  const { side, arms } = graph;
  const canvas = element("canvas", { width: `${side}`, height: `${side}`, role: "img", "aria-label": `The weights of ${graph.arms} arms` });
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(side, side);
  const colour = [1, 3, 5].map((at) => parseInt(mapColour.slice(at, at + 2), 16));
  const weights = Array.from({ length: side * side }, (_, cell) => weightAt(graph, Math.floor(cell / side), cell % side));
  const largest = Math.max(...weights);
  weights.forEach((weight, cell) => image.data.set([...colour, (255 * weight) / (largest || 1)], 4 * cell));
  context.putImageData(image, 0, 0);
  const bar = element("span", { style: `background: linear-gradient(to right, transparent, ${mapColour})` });
  const scale = element("p", { class: "colour-bar" }, side < arms ? "mean weight 0 " : "weight 0 ", bar, ` ${number(Number(largest.toPrecision(2)))}`);
  return element("div", { class: "map" }, element("p", {}, "rows: arm played; columns: arm seen"), canvas, scale);
}

const mapColour = light.series[5]!;

type Place = { x: number; y: number };

function nodesElement(graph: GraphPicture): SVGElement {
  const radius = Math.min(0.03, 0.4 / graph.arms + 0.008);
  const places = apart(layOut(graph), 2.4 * radius);
  const { edges, witness } = { edges: edgesOf(graph), witness: new Set(graph.witness) };
  const drawing = svg("svg", {
    class: "nodes",
    viewBox: "-0.06 -0.06 1.12 1.12",
    role: "img",
    "aria-label": `${graph.arms} arms, of which ${witness.size} are independent: ${graph.witness.join(", ")}`,
  });
  const line = ([a, b]: [number, number]) => `M${at(places[a]!)}L${at(places[b]!)}`;
  // The more lines there are, the fainter they are: thousands would be a grey area without arms.
  const faintness = Math.min(0.6, Math.max(0.03, 100 / edges.length));
  drawing.append(svg("path", { class: "edges", d: edges.map(line).join(""), opacity: faintness.toFixed(3) }));
  places.forEach(({ x, y }, arm) => {
    const node = svg("circle", { class: witness.has(arm) ? "node witness" : "node", cx: fixed(x), cy: fixed(y), r: fixed(radius) });
    const title = svg("title", {});
    title.textContent = witness.has(arm) ? `arm ${arm}, in the independent set` : `arm ${arm}`;
    node.append(title);
    drawing.append(node);
  });
  return drawing;
}

const fixed = (value: number) => value.toFixed(4);
const at = ({ x, y }: Place) => `${fixed(x)},${fixed(y)}`;

// The pairs of arms of which one shows the other with at least the threshold. The map has 256 shades, so a weight that
// equals the threshold may be half a shade below it.
function edgesOf(graph: GraphPicture): [number, number][] {
  const least = graph.threshold - 0.5 / 255;
  const edges: [number, number][] = [];
  for (let a = 0; a < graph.arms; ++a) {
    for (let b = 0; b < a; ++b) {
      if (Math.max(weightAt(graph, a, b), weightAt(graph, b, a)) >= least) edges.push([a, b]);
    }
  }
  return edges;
}

// The last digits of cos, sin and hypot differ between browsers, and the movement below magnifies any difference. Rounded
// starting points and the square root, which is exact everywhere, give the same picture in all.
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
const lengthOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);

// Arms repel each other and are drawn together by the weights between them, starting from a spiral; no randomness, so
// that a graph always looks the same. The result fills the unit square.
function layOut(graph: GraphPicture): Place[] {
  const { arms } = graph;
  const rounds = 150;
  const distance = 1 / Math.sqrt(arms);
  const places: Place[] = Array.from({ length: arms }, (_, arm) => {
    const [angle, from] = [2.4 * arm, 0.5 * Math.sqrt((arm + 0.5) / arms)];
    return { x: rounded(from * Math.cos(angle)), y: rounded(from * Math.sin(angle)) };
  });
  for (let round = 0; round < rounds; ++round) {
    const longest = 0.1 * (1 - round / rounds);
    const moves: Place[] = places.map(() => ({ x: 0, y: 0 }));
    for (let a = 0; a < arms; ++a) {
      for (let b = 0; b < a; ++b) {
        const [dx, dy] = [places[a]!.x - places[b]!.x, places[a]!.y - places[b]!.y];
        const length = Math.max(lengthOf(dx, dy), 1e-6);
        const weight = Math.max(weightAt(graph, a, b), weightAt(graph, b, a));
        const force = (distance * distance) / length - (weight * weight * length * length) / distance;
        const [x, y] = [(dx / length) * force, (dy / length) * force];
        moves[a]!.x += x;
        moves[a]!.y += y;
        moves[b]!.x -= x;
        moves[b]!.y -= y;
      }
    }
    moves.forEach((move, arm) => {
      const length = Math.max(lengthOf(move.x, move.y), 1e-9);
      const share = Math.min(length, longest) / length;
      places[arm]!.x += share * move.x;
      places[arm]!.y += share * move.y;
    });
  }
  return inUnitSquare(places);
}

// Pushes arms away from each other that are nearer than `distance`, as those of a clique are: each pair by half of what
// is missing, until hardly anything is.
function apart(places: Place[], distance: number): Place[] {
  const moved = places.map((place) => ({ ...place }));
  for (let round = 0, worst = Infinity; round < 200 && worst > 0.05 * distance; ++round) {
    worst = 0;
    for (let a = 0; a < moved.length; ++a) {
      for (let b = 0; b < a; ++b) {
        const [dx, dy] = [moved[a]!.x - moved[b]!.x, moved[a]!.y - moved[b]!.y];
        const length = Math.max(lengthOf(dx, dy), 1e-6);
        const missing = distance - length;
        if (missing <= 0) continue;
        worst = Math.max(worst, missing);
        const [x, y] = [(dx / length) * (missing / 2), (dy / length) * (missing / 2)];
        moved[a]!.x += x;
        moved[a]!.y += y;
        moved[b]!.x -= x;
        moved[b]!.y -= y;
      }
    }
  }
  return inUnitSquare(moved);
}

function inUnitSquare(places: Place[]): Place[] {
  const low = { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
  const size = Math.max(...places.map(({ x, y }) => Math.max(x - low.x, y - low.y)), 1e-6);
  return places.map(({ x, y }) => ({ x: (x - low.x) / size, y: (y - low.y) / size }));
}

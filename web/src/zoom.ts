// The part of a figure's axes that is shown. A reader zooms with the buttons, with the keys + and -, or with the wheel
// while Ctrl is held; what is enlarged is moved by dragging, or by the arrow keys while Shift is held.
import type { View } from "vega";
import { type Choice, type Range, originOf } from "./chart";

type Shares = { x: number; y: number }; // of the width and the height of a panel, from the lower left

export class Zoom {
  private from: PointerEvent | null = null;

  // `view` returns the view of a panel, any of them, because all panels of a figure have the same axes. `redraw` is called
  // after each change of the choice.
  constructor(
    private readonly choice: Choice,
    private readonly view: () => View,
    private readonly redraw: () => void,
  ) {}

  // Makes the panel of `box` react.
  listen(box: HTMLElement): void {
    box.addEventListener("keydown", (event) => this.press(event));
    box.addEventListener("wheel", (event) => this.turn(box, event), { passive: false });
    box.addEventListener("pointerdown", (event) => {
      if (this.choice.window !== null) this.from = event;
    });
    box.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) box.addEventListener(end, () => (this.from = null));
  }

  // Shows `1 / factor` of the axes. The place `at` stays where it is on the screen: by default the middle of an axis, or
  // its start if that is 0, because the best curves are there.
  by(factor: number, at: Shares | null = null): void {
    const { x, y } = this.domains();
    const fixed = ([low]: Range) => (low === 0 ? 0 : 0.5);
    at ??= { x: fixed(x), y: fixed(y) };
    this.choice.window = {
      x: scaled(x, this.choice.x, 1 / factor, at.x),
      y: scaled(y, this.choice.y, 1 / factor, at.y),
    };
    this.redraw();
  }

  whole(): void {
    this.choice.window = null;
    this.redraw();
  }

  private move(by: Shares): void {
    const { x, y } = this.domains();
    this.choice.window = { x: moved(x, this.choice.x, by.x), y: moved(y, this.choice.y, by.y) };
    this.redraw();
  }

  private domains(): { x: Range; y: Range } {
    const domain = (axis: string) => this.view().scale(axis).domain() as Range;
    return { x: domain("x"), y: domain("y") };
  }

  private press(event: KeyboardEvent): void {
    const step = 0.2;
    const moves: Record<string, Shares> = {
      ArrowLeft: { x: -step, y: 0 },
      ArrowRight: { x: step, y: 0 },
      ArrowUp: { x: 0, y: step },
      ArrowDown: { x: 0, y: -step },
    };
    const move = moves[event.key];
    if (event.key === "+") this.by(1.5);
    else if (event.key === "-") this.by(1 / 1.5);
    else if (event.key === "0") this.whole();
    else if (event.shiftKey && move) this.move(move);
    else return;
    event.preventDefault();
  }

  private turn(box: HTMLElement, event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = box.getBoundingClientRect();
    const [originX, originY] = originOf(this.view());
    const { width, height } = this.size();
    this.by(event.deltaY < 0 ? 1.2 : 1 / 1.2, {
      x: (event.clientX - left - originX) / width,
      y: 1 - (event.clientY - top - originY) / height,
    });
  }

  private drag(event: PointerEvent): void {
    if (this.from === null || event.buttons === 0) return;
    const { width, height } = this.size();
    this.move({ x: (this.from.clientX - event.clientX) / width, y: (event.clientY - this.from.clientY) / height });
    this.from = event;
  }

  private size(): { width: number; height: number } {
    const length = (axis: string) => Math.max(...(this.view().scale(axis).range() as number[]));
    return { width: length("x"), height: length("y") };
  }
}

// On a logarithmic scale the logarithms are scaled and moved.
function throughScale(domain: Range, type: Choice["x"], change: (low: number, high: number) => Range): Range {
  if (type === "linear") return change(...domain);
  const [low, high] = change(Math.log(domain[0]), Math.log(domain[1]));
  return [Math.exp(low), Math.exp(high)];
}

function scaled(domain: Range, type: Choice["x"], factor: number, at: number): Range {
  return throughScale(domain, type, (low, high) => {
    const fixed = low + at * (high - low);
    return [fixed + factor * (low - fixed), fixed + factor * (high - fixed)];
  });
}

function moved(domain: Range, type: Choice["x"], by: number): Range {
  return throughScale(domain, type, (low, high) => [low + by * (high - low), high + by * (high - low)]);
}

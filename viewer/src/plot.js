// A line plot as SVG that marks the frame shown; a click goes to the frame at that time.

import { CURVES } from "./colours.js";
import { si } from "./format.js";
import { range } from "./quantities.js";

const [WIDTH, HEIGHT] = [300, 170];
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 6, 8, 22];

/** Points of a curve at most: more cannot be resolved. */
const POINTS = 600;

export class Plot {
  /** @param {(time: number) => void} onPick */
  constructor(holder, legend, onPick) {
    this.holder = holder;
    this.legend = legend;
    this.choice = null;
    this.time = 0;
    const pick = (event) => {
      if (!this.choice || (event.type === "pointermove" && !event.buttons)) return;
      const box = holder.querySelector("svg").getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      const share = Math.min(1, Math.max(0, (x - LEFT) / (WIDTH - LEFT - RIGHT)));
      onPick(this.from + share * (this.to - this.from));
    };
    holder.addEventListener("pointerdown", pick);
    holder.addEventListener("pointermove", pick);
  }

  /** @param {{ label: string, times: Float64Array, columns: object[], unit: string }} choice */
  show(choice) {
    this.choice = choice;
    [this.from, this.to] = range(choice.times);
    const ranges = choice.columns.map((column) => range(column.values));
    let low = Math.min(0, ...ranges.map(([least]) => least));
    let high = Math.max(...ranges.map(([, most]) => most));
    if (high <= low) [low, high] = [low - 0.5, low + 0.5];
    [this.low, this.high] = [low, high];
    this.holder.innerHTML = this.svg();
    this.legend.replaceChildren(...choice.columns.map((column, i) => {
      const item = document.createElement("span");
      item.append(swatch(`var(--curve-${i % CURVES})`), column.name.replaceAll("_", " "));
      return item;
    }));
    this.mark(this.time);
  }

  x(time) {
    const share = this.to > this.from ? (time - this.from) / (this.to - this.from) : 0;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  y(value) {
    return HEIGHT - BOTTOM - ((value - this.low) / (this.high - this.low)) * (HEIGHT - TOP - BOTTOM);
  }

  svg() {
    const { columns, unit, label } = this.choice;
    const marks = [0, 0.5, 1].map((share) => this.low + share * (this.high - this.low));
    const rows = marks.map((value) => {
      const y = this.y(value).toFixed(1);
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/>` +
        `<text x="${LEFT - 5}" y="${+y + 4}" text-anchor="end">${si(value, unit)}</text>`;
    });
    const ends = [["start", LEFT, this.from], ["end", WIDTH - RIGHT, this.to]].map(([anchor, x, time]) =>
      `<text x="${x}" y="${HEIGHT - 6}" text-anchor="${anchor}">${si(time, "s")}</text>`);
    const lines = columns.map((column, i) => this.line(column, `var(--curve-${i % CURVES})`));
    const now = `<line class="now" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`;
    const name = label.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" ` +
      `aria-label="${name.replaceAll('"', "&quot;")} over time">${rows.join("")}${ends.join("")}${lines.join("")}${now}</svg>`;
  }

  line(column, colour) {
    const { times } = this.choice;
    const every = Math.max(1, Math.ceil(times.length / POINTS));
    const points = [];
    for (let i = 0; i < times.length; i += every) {
      const last = Math.min(times.length - 1, i + every - 1);
      // Of the points at one pixel, the largest.
      let k = i;
      for (let j = i; j <= last; j++) if (Math.abs(column.values[j]) > Math.abs(column.values[k])) k = j;
      if (Number.isFinite(column.values[k])) points.push(`${this.x(times[k]).toFixed(1)},${this.y(column.values[k]).toFixed(1)}`);
    }
    return `<polyline points="${points.join(" ")}" style="stroke: ${colour}"/>`;
  }

  /** Marks the time of the frame shown. */
  mark(time) {
    this.time = time;
    const line = this.holder.querySelector(".now");
    if (!line) return;
    const x = this.x(Math.min(this.to, Math.max(this.from, time)));
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
}

export function swatch(colour) {
  const mark = document.createElement("i");
  mark.style.background = colour;
  return mark;
}

// The part of space that a run takes, without grains that got lost.

import { turn } from "./polygon.js";

/** Diagonal of the largest wall that views are fitted to, over that of the grains. */
const LARGEST_WALL = 4;

/** Bounds of some frames: `{ low, high }`, each x, y, z. A few that are far away from all others are left out. */
export function boundsOf(frames, model) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const frame of frames) {
    if (!frame.count) continue;
    const reach = frame.list.shapes.reduce((most, shape) => Math.max(most, model.shapes[shape].reach), 0);
    for (let axis = 0; axis < model.dimension; axis++) {
      const [from, to] = extent(frame.positions, axis);
      low[axis] = Math.min(low[axis], from - reach);
      high[axis] = Math.max(high[axis], to + reach);
    }
  }
  if (model.dimension === 2) low[2] = high[2] = 0;
  // Nothing to see yet.
  if (!low.every(Number.isFinite)) return { low: [-0.5, -0.5, -0.5], high: [0.5, 0.5, 0.5] };
  return { low, high };
}

/** Least and largest coordinate, but no further out than the width of the middle 96 in a hundred grains. */
function extent(positions, axis) {
  const all = new Float64Array(positions.length / 3);
  for (let i = 0; i < all.length; i++) all[i] = positions[3 * i + axis];
  const sorted = all.filter(Number.isFinite).sort();
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  const width = at(0.98) - at(0.02);
  return [Math.max(sorted[0], at(0.02) - width), Math.min(sorted.at(-1), at(0.98) + width)];
}

export function middle({ low, high }) {
  return low.map((value, axis) => (value + high[axis]) / 2);
}

/** Length of the diagonal. */
export function span({ low, high }) {
  return Math.hypot(...low.map((value, axis) => high[axis] - value)) || 1;
}

/** Walls with ends are seen whole, unless they are so large that the grains would not be seen any more. */
export function includeWalls(bounds, frames, model) {
  const [low, high] = [bounds.low.slice(), bounds.high.slice()];
  const limit = LARGEST_WALL * span(bounds);
  for (const frame of frames) {
    frame.walls.forEach((state, i) => {
      const points = state.present ? (model.walls[i].surface?.points ?? []) : [];
      const [wallLow, wallHigh] = extentOfWall(points, state, model.dimension);
      if (Math.hypot(...wallLow.map((x, k) => wallHigh[k] - x)) > limit) return;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], wallLow[k]);
        high[k] = Math.max(high[k], wallHigh[k]);
      }
    });
  }
  return { low, high };
}

function extentOfWall(points, state, dimension) {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  for (let i = 0; i < points.length; i += dimension) {
    const own = [points[i], points[i + 1], dimension === 3 ? points[i + 2] : 0];
    turn(state.rotation, own).forEach((x, k) => {
      low[k] = Math.min(low[k], x + state.position[k]);
      high[k] = Math.max(high[k], x + state.position[k]);
    });
  }
  return [low, high];
}

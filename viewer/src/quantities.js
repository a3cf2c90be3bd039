// What grains can be coloured by.

/** @typedef {{ key: string, label: string, about?: string, unit?: string, kind: "scale" | "classes" | "plain",
 *   values?: (frame: object, model: object) => Float32Array, names?: (model: object) => string[] }} Quantity */

/** @type {Quantity[]} */
export const QUANTITIES = [
  { key: "speed", label: "Speed", unit: "m/s", kind: "scale", values: (frame) => lengths(frame.velocities) },
  { key: "spin", label: "Angular velocity", unit: "rad/s", kind: "scale", values: (frame) => lengths(frame.spins) },
  {
    key: "force",
    label: "Force",
    about: "sum of the magnitudes of the contact forces",
    unit: "N",
    kind: "scale",
    values: (frame) => frame.loads,
  },
  {
    key: "coordination",
    label: "Coordination",
    about: "number of bodies in contact",
    kind: "scale",
    values: (frame) => Float32Array.from(frame.coordination),
  },
  {
    key: "size",
    label: "Size",
    about: "diameter of the sphere or disc of the same volume",
    unit: "m",
    kind: "scale",
    values: (frame, model) => Float32Array.from(frame.list.shapes, (shape) => model.shapes[shape].diameter),
  },
  {
    key: "shape",
    label: "Shape",
    kind: "classes",
    values: (frame, model) => Float32Array.from(frame.list.shapes, (shape) => model.shapes[shape].family),
    names: (model) => model.families,
  },
  {
    key: "material",
    label: "Material",
    kind: "classes",
    values: (frame) => Float32Array.from(frame.list.materials),
    names: (model) => model.materials,
  },
  { key: "plain", label: "One colour", kind: "plain", values: (frame) => new Float32Array(frame.count) },
];

/** The unit in a run: in the plane forces are per metre of depth. */
export function unitOf({ unit }, model) {
  return unit === "N" ? forceUnit(model) : unit;
}

export function forceUnit(model) {
  return model.dimension === 3 ? "N" : "N/m";
}

export function quantity(key) {
  return QUANTITIES.find((one) => one.key === key) ?? QUANTITIES[0];
}

function lengths(vectors) {
  const found = new Float32Array(vectors.length / 3);
  for (let i = 0; i < found.length; i++) {
    found[i] = Math.hypot(vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]);
  }
  return found;
}

/** Share of the grains of a frame that a scale covers, where the others are far outside. */
const USUAL = 0.99;

/** The ends of a scale over some frames, as snapshots have them: from zero, except for sizes; outliers are cut off. */
export function scaleRange({ key }, frames) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of frames) {
    const sorted = values.filter(Number.isFinite).sort();
    if (!sorted.length) continue;
    const [most, usual] = [sorted.at(-1), sorted[Math.round(USUAL * (sorted.length - 1))]];
    low = Math.min(low, sorted[0]);
    high = Math.max(high, most > 2 * usual && usual > 0 ? usual : most);
  }
  if (key === "size" && low < high) return [low, high];
  if (key === "size" && low === high) return [0.5 * low, 1.5 * high];
  if (key === "coordination") return [0, Math.max(high, 1)];
  return [0, high > 0 ? high : 1];
}

/** Decades that a logarithmic scale spans at most, unless its ends are given. */
const DECADES = 4;

/** The ends of a logarithmic scale: the least positive value, but not further down than some decades. */
export function logRange([low, high], frames) {
  if (low > 0) return [low, high];
  let least = Infinity;
  for (const values of frames) for (const value of values) if (value > 0 && value < least) least = value;
  return [Math.min(Math.max(least, high * 10 ** -DECADES), high / 10), high];
}

/** The quantity that tells the grains of a frame apart, as snapshots choose it: shape, else size, else speed. */
export function telling({ list }, { shapes }) {
  const used = Array.from(new Set(list.shapes), (shape) => shapes[shape]);
  const sizes = used.map(({ diameter }) => diameter);
  if (new Set(used.map(({ family }) => family)).size > 1) return "shape";
  return Math.max(...sizes) > 1.01 * Math.min(...sizes) ? "size" : "speed";
}

/** Least and largest, without NaN. */
export function range(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}

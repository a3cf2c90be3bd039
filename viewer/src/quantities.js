// What grains can be coloured by.

/** @typedef {{ key: string, label: string, about?: string, unit?: string, kind: "scale" | "classes" | "plain",
 *   values?: (frame: object, model: object) => Float32Array, names?: (model: object) => string[] }} Quantity */

/** @type {Quantity[]} */
export const QUANTITIES = [
  { key: "speed", label: "Speed", unit: "m/s", kind: "scale", values: (frame) => lengths(frame.velocities) },
  { key: "spin", label: "Spin", unit: "rad/s", kind: "scale", values: (frame) => lengths(frame.spins) },
  {
    key: "force",
    label: "Force",
    about: "sum of the contact forces",
    unit: "N",
    kind: "scale",
    values: (frame) => frame.loads,
  },
  {
    key: "coordination",
    label: "Coordination",
    about: "bodies that it touches",
    kind: "scale",
    values: (frame) => Float32Array.from(frame.coordination),
  },
  {
    key: "size",
    label: "Size",
    about: "diameter of the ball or disc as large",
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

/** Least and largest, passing over what is no number. */
export function range(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 0];
}

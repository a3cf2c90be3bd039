// What a trajectory's description says, as it is needed here: surfaces, sizes and names of shapes.

import { compoundLevels } from "./compound.js";
import { si } from "./format.js";

/** @param {object} description the `HEAD` of docs/trajectory.md */
export function makeModel(description) {
  const { dimension } = description;
  const prototypes = description.prototypes.map((prototype) => makePrototype(prototype, dimension));
  const families = [];
  const shapes = description.shapes.map((entry) => {
    // Classes of sizes, "pebble.3", are of one family.
    const name = (entry.name ?? (entry.parts ? "compound" : entry.shape.shape)).replace(/\.\d+$/, "");
    if (!families.includes(name)) families.push(name);
    if (entry.parts) entry = ownPrototype(entry, prototypes);
    return makeShape(entry, prototypes[entry.prototype], families.indexOf(name), dimension);
  });
  const materials = description.materials.length ? description.materials : ["material"];
  return { dimension, title: description.title, prototypes, shapes, families, materials, walls: description.walls };
}

/** A shape of several parts has a surface of its own, which is as large as it is. */
function ownPrototype(entry, prototypes) {
  const levels = compoundLevels(entry.parts, prototypes);
  const prototype = prototypes.push({ shape: entry.shape, levels }) - 1;
  return { ...entry, prototype, scale: [1, 1, 1], centroid: [0, 0, 0] };
}

function makePrototype(prototype, dimension) {
  const levels = prototype.levels.map((level) => makeLevel(level, dimension));
  return { shape: prototype.shape, levels };
}

/** Flat typed arrays with three numbers per vertex, also in the plane. There `rings` are the polygons, here there are none. */
export function makeLevel(level, dimension) {
  const points = dimension === 3 ? Float32Array.from(level.points) : inSpace(level.points);
  const normals = dimension === 3 ? Float32Array.from(level.normals) : null;
  const faces = Uint32Array.from(level.faces);
  return { points, normals, faces, rings: dimension === 3 ? [] : [faces] };
}

function inSpace(flat) {
  const points = new Float32Array((flat.length / 2) * 3);
  for (let i = 0; 2 * i < flat.length; i++) points.set([flat[2 * i], flat[2 * i + 1], 0], 3 * i);
  return points;
}

function makeShape(entry, prototype, family, dimension) {
  const three = (numbers, missing) => [numbers[0], numbers[1], numbers[2] ?? missing];
  const [scale, centroid] = [three(entry.scale, 1), three(entry.centroid, 0)];
  const { volume } = entry;
  const diameter = dimension === 3 ? Math.cbrt((6 * volume) / Math.PI) : Math.sqrt((4 * volume) / Math.PI);
  return {
    name: entry.name,
    about: entry.parts ? `${entry.parts.length} parts` : tell(entry.shape),
    prototype: entry.prototype,
    scale,
    centroid,
    family,
    diameter,
    reach: reach(prototype, scale, centroid),
  };
}

/** Radius of the ball about the centre of mass that holds the shape. */
function reach(prototype, scale, centroid) {
  const points = prototype.levels.at(-1)?.points ?? [];
  let largest = 0;
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [0, 1, 2].map((k) => scale[k] * points[i + k] - centroid[k]);
    largest = Math.max(largest, x * x + y * y + z * z);
  }
  return Math.sqrt(largest);
}

/** A shape in words: "ellipsoid, radii 2 mm × 2 mm × 4 mm". */
function tell({ shape, ...parameters }) {
  const lengths = ["radius", "radii", "semi_axes", "half_height"];
  const parts = Object.entries(parameters).map(([key, value]) => {
    const label = key.replaceAll("_", " ");
    if (key === "vertices") return `${value.length} vertices`;
    const unit = lengths.includes(key) ? "m" : "";
    const numbers = [value].flat(2).filter((number) => typeof number === "number");
    return `${label} ${numbers.slice(0, 4).map((number) => si(number, unit)).join(" × ")}`;
  });
  return [shape, ...parts].join(", ");
}

// Surfaces of shapes that are made of several: see docs/trajectory.md, "parts".

import { turn } from "./polygon.js";

/** The levels of detail of all parts together, in the frame of the centre of mass. */
export function compoundLevels(parts, prototypes) {
  const levelsOf = ({ prototype }) => prototypes[prototype].levels;
  const count = Math.max(...parts.map((part) => levelsOf(part).length));
  const level = (k) => join(parts.map((part) => place(part, levelsOf(part)[Math.min(k, levelsOf(part).length - 1)])));
  return Array.from({ length: count }, (_, k) => level(k));
}

/** A part's surface where it is in the compound. */
function place(part, { points, normals, faces, rings }) {
  const [w, x, y, z] = part.rotation;
  const three = (numbers, missing) => [numbers[0], numbers[1], numbers[2] ?? missing];
  const [position, scale, centroid] = [three(part.position, 0), three(part.scale, 1), three(part.centroid, 0)];
  const each = (vectors, move) => {
    const moved = new Float32Array(vectors.length);
    for (let i = 0; i < vectors.length; i += 3) moved.set(move(vectors.subarray(i, i + 3)), i);
    return moved;
  };
  const point = (p) => turn([x, y, z, w], scale.map((s, k) => s * p[k] - centroid[k])).map((c, k) => c + position[k]);
  const normal = (n) => {
    const turned = turn([x, y, z, w], scale.map((s, k) => n[k] / s));
    return turned.map((c) => c / Math.hypot(...turned));
  };
  return { points: each(points, point), normals: normals && each(normals, normal), faces, rings };
}

/** Several surfaces as one. */
function join(levels) {
  const starts = [];
  levels.reduce((start, { points }) => (starts.push(start), start + points.length / 3), 0);
  const moved = (corners, k) => corners.map((corner) => corner + starts[k]);
  const all = (name) => Float32Array.from(levels.flatMap((level) => [...level[name]]));
  return {
    points: all("points"),
    normals: levels[0].normals && all("normals"),
    faces: Uint32Array.from(levels.flatMap(({ faces }, k) => [...moved(faces, k)])),
    rings: levels.flatMap(({ rings }, k) => rings.map((ring) => moved(ring, k))),
  };
}

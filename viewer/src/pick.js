// Which grain is under the pointer: the line of sight against the true surfaces.

import { cross, dot, turn } from "./polygon.js";

const less = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/**
 * The index of the grain that a line of sight meets first, or -1.
 * @param {{ origin: number[], direction: number[] }} ray in the frame of the picture
 * @param {(point: number[], centre: number[]) => boolean} hidden whether a point of a grain is clipped away
 */
export function pick(ray, frame, model, origin, hidden) {
  const candidates = [];
  for (let i = 0; i < frame.count; i++) {
    const centre = [0, 1, 2].map((k) => frame.positions[3 * i + k] - origin[k]);
    const { reach } = model.shapes[frame.list.shapes[i]];
    const to = less(centre, ray.origin);
    const along = dot(to, ray.direction);
    const miss = dot(to, to) - along * along;
    if (miss <= reach * reach) candidates.push({ i, centre, nearest: along - Math.sqrt(reach * reach - miss) });
  }
  candidates.sort((a, b) => a.nearest - b.nearest);
  let best = { distance: Infinity, i: -1 };
  for (const { i, centre, nearest } of candidates) {
    if (nearest > best.distance) break;
    const distance = meet(ray, frame, model, i, centre, hidden);
    if (distance < best.distance) best = { distance, i };
  }
  return best.i;
}

/** How far along the line of sight the grain's surface is, where it is not clipped away. */
function meet(ray, frame, model, i, centre, hidden) {
  const shape = model.shapes[frame.list.shapes[i]];
  const level = model.prototypes[shape.prototype].levels.at(-1);
  const [x, y, z, w] = frame.rotations.subarray(4 * i, 4 * i + 4);
  const back = [-x, -y, -z, w];
  // In the prototype's own coordinates lengths along the ray stay what they are.
  const toPrototype = (v, shift) => turn(back, v).map((c, k) => (c + shift * shape.centroid[k]) / shape.scale[k]);
  const [from, direction] = [toPrototype(less(ray.origin, centre), 1), toPrototype(ray.direction, 0)];
  const crossings = model.dimension === 3 ? throughSurface(level, from, direction) : throughPolygons(level, from, direction);
  const at = (distance) => ray.origin.map((c, k) => c + distance * ray.direction[k]);
  const seen = crossings.filter((distance) => distance > 0 && !hidden(at(distance), centre));
  return seen.length ? Math.min(...seen) : Infinity;
}

/** Möller and Trumbore 1997, both sides of each triangle. */
function throughSurface({ points, faces }, from, direction) {
  const corner = (i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const found = [];
  for (let f = 0; f < faces.length; f += 3) {
    const a = corner(faces[f]);
    const [e1, e2] = [less(corner(faces[f + 1]), a), less(corner(faces[f + 2]), a)];
    const p = cross(direction, e2);
    const determinant = dot(e1, p);
    if (determinant === 0) continue;
    const t = less(from, a);
    const u = dot(t, p) / determinant;
    if (u < 0 || u > 1) continue;
    const q = cross(t, e1);
    const v = dot(direction, q) / determinant;
    if (v >= 0 && u + v <= 1) found.push(dot(e2, q) / determinant);
  }
  return found;
}

/** Where the plane is met, if that is inside a polygon: an odd number of its sides lies to the right. */
function throughPolygons({ points, rings }, from, direction) {
  if (direction[2] === 0) return [];
  const distance = -from[2] / direction[2];
  const [x, y] = [from[0] + distance * direction[0], from[1] + distance * direction[1]];
  const inside = (ring) => {
    const crossed = ring.filter((corner, k) => {
      const next = ring[(k + 1) % ring.length];
      const [ax, ay, bx, by] = [points[3 * corner], points[3 * corner + 1], points[3 * next], points[3 * next + 1]];
      return ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay);
    });
    return crossed.length % 2 === 1;
  };
  return rings.some(inside) ? [distance] : [];
}

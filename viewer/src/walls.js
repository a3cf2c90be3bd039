// Walls and tools. Unbounded planes are drawn as far as the grains reach and up to other walls.

import * as THREE from "three";

import { middle, span } from "./bounds.js";
import { triangulate } from "./geometry.js";
import { makeLevel } from "./model.js";
import { cut, dot, square, turn } from "./polygon.js";

/** How far beyond the grains walls without end go, and how thick lines are in the plane, over the scene's diagonal. */
const BEYOND = 0.06;
const THICK = 0.006;

/** Faces that meet at a sharper angle (degrees) have a line along their edge. */
const EDGE = 25;

export class Walls {
  constructor(model, origin, bounds, clip) {
    this.model = model;
    this.origin = origin;
    this.bounds = bounds;
    this.group = new THREE.Group();
    this.material = new THREE.MeshLambertMaterial({
      side: THREE.DoubleSide, transparent: true, depthWrite: false, clippingPlanes: clip,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    // Walls without end are seen from the side where grains are; from behind only their edges are.
    this.oneSided = this.material.clone();
    this.oneSided.side = model.dimension === 3 ? THREE.FrontSide : THREE.DoubleSide;
    this.lines = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55, clippingPlanes: clip });
    this.materials = [this.material, this.oneSided];
    /** Indices of walls that are hidden one by one. */
    this.hidden = new Set();
    this.parts = model.walls.map((wall) => this.makePart(wall));
    this.parts.forEach(({ holder }) => this.group.add(holder));
    this.style("faint");
  }

  makePart(wall) {
    const holder = new THREE.Group();
    const endless = wall.surface === null;
    const part = { wall, holder, endless, drawn: "", present: false };
    if (!endless) this.fillHolder(part, this.bounded(wall.surface));
    return part;
  }

  fillHolder(part, { inside, edges }) {
    part.holder.children.forEach((child) => child.geometry.dispose());
    part.holder.clear();
    const mesh = new THREE.Mesh(inside, part.endless ? this.oneSided : this.material);
    mesh.renderOrder = 10;
    const lines = new THREE.LineSegments(edges, this.lines);
    lines.renderOrder = 11;
    part.holder.add(mesh, lines);
  }

  /** A surface that the description has. */
  bounded(told) {
    const level = makeLevel(told, this.model.dimension);
    if (this.model.dimension === 2) return this.boundedInPlane(level);
    const inside = new THREE.BufferGeometry();
    inside.setAttribute("position", new THREE.BufferAttribute(level.points, 3));
    inside.setAttribute("normal", new THREE.BufferAttribute(level.normals, 3));
    inside.setIndex(new THREE.BufferAttribute(level.faces, 1));
    return { inside, edges: new THREE.EdgesGeometry(inside, EDGE) };
  }

  boundedInPlane(level) {
    const corners = Array.from(level.faces, (i) => Array.from(level.points.subarray(3 * i, 3 * i + 3)));
    if (corners.length > 2) return flat(level.points, triangulate(level.points, level.rings[0]), corners);
    return this.strip(corners, null);
  }

  /** A line that can be seen: to one side where that is where the wall is, or to both. */
  strip([a, b], solid) {
    const thick = THICK * span(this.bounds);
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const side = solid ?? [-(b[1] - a[1]) / length, (b[0] - a[0]) / length, 0];
    const move = (p, share) => p.map((x, k) => x + share * thick * side[k]);
    const near = solid ? 0 : -0.25;
    const corners = [move(a, near), move(b, near), move(b, solid ? 1 : 0.25), move(a, solid ? 1 : 0.25)];
    return flat(Float32Array.from(corners.flat()), [0, 1, 2, 0, 2, 3], solid ? [a, b] : corners);
  }

  /** Normal and offset of every wall without end that is there, less the origin. */
  planes(states) {
    return this.parts.map(({ wall, endless }, i) => {
      const state = states[i];
      if (!endless || !state?.present || !wall.shape.normal) return null;
      const own = [...wall.shape.normal, 0].slice(0, 3);
      const normal = turn(state.rotation, own);
      const offset = wall.shape.offset + dot(normal, state.position) - dot(normal, this.origin);
      return { normal, offset };
    });
  }

  show(frame) {
    const planes = this.planes(frame.walls);
    const told = JSON.stringify(planes);
    this.parts.forEach((part, i) => {
      const state = frame.walls[i];
      part.present = Boolean(state?.present);
      part.holder.visible = part.present && !this.hidden.has(i);
      if (!state) return;
      if (!part.endless) {
        part.holder.position.set(...state.position.map((x, k) => x - this.origin[k]));
        part.holder.quaternion.set(...state.rotation);
      } else if (part.drawn !== told && planes[i]) {
        part.drawn = told;
        this.fillHolder(part, this.endless(planes, i));
      }
    });
  }

  endless(planes, which) {
    const { normal, offset } = planes[which];
    const reach = span(this.bounds);
    const centre = middle(this.bounds).map((x, k) => x - this.origin[k]);
    let polygon = square(normal, offset, centre, 2 * reach);
    for (let axis = 0; axis < this.model.dimension; axis++) {
      const unit = [0, 1, 2].map((k) => (k === axis ? 1 : 0));
      const [low, high] = [this.bounds.low[axis], this.bounds.high[axis]].map((x) => x - this.origin[axis]);
      polygon = cut(polygon, unit, high + BEYOND * reach);
      polygon = cut(polygon, unit.map((x) => -x), -(low - BEYOND * reach));
    }
    for (const [i, other] of planes.entries()) {
      // The other wall is where its normal · x ≤ its offset: what is inside it does not show.
      const same = other && dot(other.normal, normal) > 1 - 1e-9;
      if (i !== which && other && !same) polygon = cut(polygon, other.normal.map((x) => -x), -other.offset);
    }
    if (this.model.dimension === 2) return this.endlessInPlane(polygon, normal);
    const fan = polygon.slice(2).flatMap((_, i) => [0, i + 1, i + 2]);
    return flat(Float32Array.from(polygon.flat()), fan, polygon, normal);
  }

  /** In the plane the polygon stands upright on its line. */
  endlessInPlane(polygon, normal) {
    const along = [-normal[1], normal[0], 0];
    const sorted = polygon.map((p) => [p[0], p[1], 0]).sort((p, q) => dot(p, along) - dot(q, along));
    if (sorted.length < 2) return flat(new Float32Array(), [], []);
    return this.strip([sorted[0], sorted.at(-1)], normal.map((x) => -x));
  }

  hide(index, hidden) {
    if (hidden) this.hidden.add(index);
    else this.hidden.delete(index);
    const part = this.parts[index];
    part.holder.visible = part.present && !hidden;
  }

  /** @param {"faint" | "solid" | "hidden"} style */
  style(style) {
    const inPlane = this.model.dimension === 2;
    this.group.visible = style !== "hidden";
    for (const material of this.materials) {
      material.opacity = style === "solid" ? 1 : inPlane ? 0.6 : material === this.oneSided ? 0.2 : 0.35;
      material.transparent = style !== "solid";
      material.depthWrite = style === "solid";
      material.needsUpdate = true;
    }
  }

  /** After another number of clipping planes. */
  recompile() {
    for (const material of [...this.materials, this.lines]) material.needsUpdate = true;
  }

  colour(inside, line) {
    this.materials.forEach((material) => material.color.set(inside));
    this.lines.color.set(line);
  }
}

/** A flat piece with its boundary. */
function flat(points, triangles, corners, normal = [0, 0, 1]) {
  const inside = new THREE.BufferGeometry();
  inside.setAttribute("position", new THREE.BufferAttribute(points, 3));
  const normals = Float32Array.from({ length: points.length }, (_, i) => normal[i % 3]);
  inside.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  inside.setIndex(triangles);
  const rounds = corners.length > 2 ? corners.length : corners.length - 1;
  const lines = Array.from({ length: Math.max(0, rounds) }, (_, i) => [corners[i], corners[(i + 1) % corners.length]]);
  const edges = new THREE.BufferGeometry();
  edges.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(lines.flat(2)), 3));
  return { inside, edges };
}

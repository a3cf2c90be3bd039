// The outline of a cell that repeats.

import * as THREE from "three";

export class CellOutline {
  constructor(model, origin, bounds, material) {
    this.model = model;
    this.origin = origin;
    this.bounds = bounds;
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.lines.renderOrder = 11;
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.group = new THREE.Group();
    this.group.add(this.lines);
  }

  show({ cell }) {
    this.lines.visible = Boolean(cell);
    if (!cell) return;
    const points = edges(cell, this.model.dimension, this.bounds).flat();
    const less = points.flatMap((point) => point.map((x, k) => x - this.origin[k]));
    this.lines.geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(less), 3));
  }
}

/** Cells are seen whole. */
export function includeCell(bounds, frames, { dimension }) {
  const [low, high] = [bounds.low.slice(), bounds.high.slice()];
  for (const { cell } of frames.filter((frame) => frame.cell)) {
    for (const corner of edges(cell, dimension, bounds).flat()) {
      corner.forEach((x, k) => ([low[k], high[k]] = [Math.min(low[k], x), Math.max(high[k], x)]));
    }
  }
  return { low, high };
}

/** Pairs of corners. Where nothing repeats the cell reaches as far as the grains. */
export function edges({ centre, sides }, dimension, { low, high }) {
  const axes = [0, 1, 2].slice(0, dimension);
  const middle = centre.map((x, k) => (sides[k] || k >= dimension ? x : (low[k] + high[k]) / 2));
  const whole = axes.map((k) => sides[k] ?? [0, 1, 2].map((i) => (i === k ? high[k] - low[k] : 0)));
  const half = (bits, axis) => ((bits >> axis) & 1 ? 0.5 : -0.5);
  const corner = (bits) => middle.map((x, k) => axes.reduce((sum, axis) => sum + half(bits, axis) * whole[axis][k], x));
  // From each corner along every axis at whose beginning it is.
  const corners = Array.from({ length: 1 << dimension }, (_, bits) => bits);
  return corners.flatMap((bits) =>
    axes.filter((axis) => !((bits >> axis) & 1)).map((axis) => [corner(bits), corner(bits | (1 << axis))]));
}

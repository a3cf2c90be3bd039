// Surfaces as the graphics card wants them.

import * as THREE from "three";

function instanced(points) {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.instanceCount = 0;
  return geometry;
}

/** A surface in space. */
export function surface({ points, normals, faces }) {
  const geometry = instanced(points);
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(faces, 1));
  return geometry;
}

/** The inside of polygons. */
export function fill({ points, rings }) {
  const geometry = instanced(points);
  geometry.setIndex(rings.flatMap((ring) => triangulate(points, ring)));
  geometry.setAttribute("normal", new THREE.BufferAttribute(upward(points.length), 3));
  return geometry;
}

/** The boundary of polygons, and a line from the middle to one end, which shows how they turn. */
export function outline({ points, rings }) {
  const withCentre = new Float32Array(points.length + 3);
  withCentre.set(points);
  const geometry = instanced(withCentre);
  const around = (ring) => Array.from(ring, (corner, i) => [corner, ring[(i + 1) % ring.length]]);
  geometry.setIndex([...rings.flatMap(around), [points.length / 3, rings[0][0]]].flat());
  geometry.setAttribute("normal", new THREE.BufferAttribute(upward(withCentre.length), 3));
  return geometry;
}

/** Triangles of one polygon, given by its corners. */
export function triangulate(points, ring) {
  const contour = Array.from(ring, (i) => new THREE.Vector2(points[3 * i], points[3 * i + 1]));
  return THREE.ShapeUtils.triangulateShape(contour, []).flat().map((corner) => ring[corner]);
}

function upward(length) {
  return Float32Array.from({ length }, (_, i) => (i % 3 === 2 ? 1 : 0));
}

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

/** The inside of a polygon. */
export function fill({ points, faces }) {
  const geometry = instanced(points);
  geometry.setIndex(triangulate(points, faces));
  geometry.setAttribute("normal", new THREE.BufferAttribute(upward(points.length), 3));
  return geometry;
}

/** The boundary of a polygon, and a line from its middle to one end, which shows how it turns. */
export function outline({ points, faces }) {
  const withCentre = new Float32Array(points.length + 3);
  withCentre.set(points);
  const geometry = instanced(withCentre);
  const lines = Array.from(faces, (corner, i) => [corner, faces[(i + 1) % faces.length]]);
  geometry.setIndex([...lines, [points.length / 3, faces[0]]].flat());
  geometry.setAttribute("normal", new THREE.BufferAttribute(upward(withCentre.length), 3));
  return geometry;
}

export function triangulate(points, faces) {
  const contour = Array.from(faces, (i) => new THREE.Vector2(points[3 * i], points[3 * i + 1]));
  return THREE.ShapeUtils.triangulateShape(contour, []).flat().map((corner) => faces[corner]);
}

function upward(length) {
  return Float32Array.from({ length }, (_, i) => (i % 3 === 2 ? 1 : 0));
}

// Contact forces as cylinders from centre to contact to centre.

import * as THREE from "three";

import { secondBody } from "./frame.js";
import { chainFragment, chainVertex } from "./shaders.js";

/** Contacts that are drawn at most: the strongest. */
const MOST = 100_000;

/** Thickness of the strongest force over the grains' mean diameter. */
const THICKNESS = 0.3;

export class Chains {
  constructor(model, origin, shared) {
    this.model = model;
    this.origin = origin;
    const { uClip, uClipMode, uUp, uOrthographic, uFlat } = shared;
    this.uniforms = { uClip, uClipMode, uUp, uOrthographic, uFlat, uThickness: { value: 1 }, uStrongest: { value: 1 } };
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: chainVertex, fragmentShader: chainFragment,
      side: THREE.DoubleSide,
    });
    // In the plane forces lie upon the grains.
    material.depthTest = model.dimension === 3;
    this.mesh = new THREE.Mesh(tube(model.dimension === 3 ? 8 : 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.mesh.visible = false;
    this.strongest = 0;
    this.drawn = 0;
  }

  /** Takes the forces of a moment; only what is visible is worth it. */
  show(frame) {
    const { contacts } = frame;
    this.strongest = 0;
    this.drawn = 0;
    if (contacts) this.fill(frame, contacts);
    this.mesh.geometry.instanceCount = this.drawn;
    this.uniforms.uStrongest.value = this.strongest;
  }

  fill(frame, contacts) {
    const size = Float32Array.from({ length: contacts.count }, (_, i) =>
      Math.hypot(contacts.forces[3 * i], contacts.forces[3 * i + 1], contacts.forces[3 * i + 2]),
    );
    const weakest = size.length > MOST ? size.slice().sort()[size.length - MOST] : 0;
    const [start, end] = [new Float32Array(8 * size.length), new Float32Array(6 * size.length)];
    const centre = (grain) => [0, 1, 2].map((k) => frame.positions[3 * grain + k] - this.origin[k]);
    const add = (from, to, force) => {
      start.set([...from, force], 4 * this.drawn);
      end.set(to, 3 * this.drawn++);
    };
    size.forEach((force, i) => {
      if (!(force > 0) || force < weakest) return;
      this.strongest = Math.max(this.strongest, force);
      const point = [0, 1, 2].map((k) => contacts.points[3 * i + k] - this.origin[k]);
      add(centre(contacts.first[i]), point, force);
      const second = secondBody(contacts, i);
      if (second >= 0) add(point, centre(second), force);
    });
    const { geometry } = this.mesh;
    geometry.dispose();
    geometry.setAttribute("start", new THREE.InstancedBufferAttribute(start, 4));
    geometry.setAttribute("end", new THREE.InstancedBufferAttribute(end, 3));
    const diameters = Array.from(frame.list.shapes, (shape) => this.model.shapes[shape].diameter);
    const mean = diameters.reduce((sum, diameter) => sum + diameter, 0) / Math.max(1, diameters.length);
    this.uniforms.uThickness.value = 0.5 * THICKNESS * mean;
  }
}

/** An open cylinder along z of radius and length one. */
function tube(sides) {
  const geometry = new THREE.InstancedBufferGeometry();
  const points = [];
  for (const z of [0, 1]) {
    for (let i = 0; i < sides; i++) {
      const angle = (2 * Math.PI * i) / sides;
      points.push(Math.cos(angle), Math.sin(angle), z);
    }
  }
  const faces = Array.from({ length: sides }, (_, i) => {
    const j = (i + 1) % sides;
    return [i, j, sides + j, i, sides + j, sides + i];
  });
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(faces.flat());
  geometry.instanceCount = 0;
  return geometry;
}

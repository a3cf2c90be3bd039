// Grains on the graphics card: their numbers in textures, their surfaces instanced, coarser where they are far away.

import * as THREE from "three";

import { classTable, ENTRIES, plainTable, scaleTable } from "./colours.js";
import { fill, outline, surface } from "./geometry.js";
import { grainFragment, grainVertex, outlineFragment, TEXTURE_WIDTH } from "./shaders.js";

/** Radius in pixels below which a surface is drawn at its coarsest, its next coarsest … level. */
const FINE_ENOUGH = [5, 22];

/** Triangles at most, where surfaces can be drawn coarser: 100 000 grains at their coarsest are five million. */
const MOST_TRIANGLES = 5_000_000;

/** Coarser than this nothing becomes. */
const LEAST_CROWDING = 0.02;

const TABLES = { scale: scaleTable, classes: classTable, plain: plainTable };

/** A texture of float32 numbers for `count` items. */
function table(count, format, channels) {
  const rows = Math.max(1, Math.ceil(count / TEXTURE_WIDTH));
  const data = new Float32Array(TEXTURE_WIDTH * rows * channels);
  const texture = new THREE.DataTexture(data, TEXTURE_WIDTH, rows, format, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

export class Grains {
  /** @param {object} model see model.js; positions are shown less `origin`, so that single precision is enough */
  constructor(model, origin) {
    this.model = model;
    this.origin = origin;
    this.group = new THREE.Group();
    this.frame = null;
    this.list = null;
    this.capacity = 0;
    /** Factor on the thresholds of detail: smaller is coarser. */
    this.detail = 1;
    /** The same, as far as the number of triangles asks for it. */
    this.crowding = 1;
    this.uniforms = {
      uPlaces: { value: null }, uTurns: { value: null }, uKinds: { value: null }, uShapes: { value: this.shapes() },
      uColours: { value: null }, uRange: { value: new THREE.Vector2(0, 1) }, uLogarithmic: { value: false }, uClasses: { value: 0 },
      uOpacity: { value: 1 }, uSelected: { value: -1 }, uFlat: { value: model.dimension === 2 },
      uClip: { value: new THREE.Vector4() }, uClipMode: { value: 0 }, uUp: { value: new THREE.Vector3(0, 1, 0) },
      uOrthographic: { value: model.dimension === 2 }, uLine: { value: new THREE.Color(0x222222) },
    };
    this.material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: grainVertex, fragmentShader: grainFragment,
      side: THREE.DoubleSide,
    });
    this.lineMaterial = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: grainVertex, fragmentShader: outlineFragment,
    });
    this.stacks = model.prototypes.map((prototype) => this.makeStack(prototype));
    this.paint("plain");
  }

  shapes() {
    const texture = table(2 * this.model.shapes.length, THREE.RGBAFormat, 4);
    this.model.shapes.forEach((shape, i) => {
      texture.image.data.set(shape.scale, 8 * i);
      texture.image.data.set(shape.centroid, 8 * i + 4);
    });
    return texture;
  }

  /** The levels of detail of one surface. */
  makeStack(prototype) {
    const inPlane = this.model.dimension === 2;
    const levels = prototype.levels.map((level) => {
      const meshes = [new THREE.Mesh(inPlane ? fill(level) : surface(level), this.material)];
      if (inPlane) meshes.push(new THREE.LineSegments(outline(level), this.lineMaterial));
      meshes.forEach((mesh, order) => {
        mesh.frustumCulled = false;
        mesh.renderOrder = order;
        this.group.add(mesh);
      });
      return { meshes, indices: null, count: 0, triangles: meshes[0].geometry.index.count / 3 };
    });
    return { levels };
  }

  /** Shows a frame. */
  show(frame) {
    this.frame = frame;
    if (frame.list !== this.list) this.relist(frame.list);
    const [places, turns] = [this.uniforms.uPlaces.value, this.uniforms.uTurns.value];
    const data = places.image.data;
    for (let i = 0; i < frame.count; i++) {
      for (let k = 0; k < 3; k++) data[4 * i + k] = frame.positions[3 * i + k] - this.origin[k];
    }
    turns.image.data.set(frame.rotations);
    places.needsUpdate = turns.needsUpdate = true;
  }

  /** Other grains than before: room for them, and which shape each has. */
  relist(list) {
    this.list = list;
    if (list.count > this.capacity || !this.uniforms.uPlaces.value) {
      this.capacity = Math.ceil(list.count * 1.25) + 16;
      for (const [name, format, channels] of [
        ["uPlaces", THREE.RGBAFormat, 4], ["uTurns", THREE.RGBAFormat, 4], ["uKinds", THREE.RedFormat, 1],
      ]) {
        this.uniforms[name].value?.dispose();
        this.uniforms[name].value = table(this.capacity, format, channels);
      }
    }
    this.uniforms.uKinds.value.image.data.set(list.shapes);
    this.uniforms.uKinds.value.needsUpdate = true;
    const counts = new Array(this.stacks.length).fill(0);
    for (const shape of list.shapes) counts[this.model.shapes[shape].prototype]++;
    this.stacks.forEach((stack, k) => stack.levels.forEach((level) => this.makeRoom(level, counts[k])));
  }

  makeRoom(level, count) {
    if (level.indices && level.indices.array.length >= count) return;
    level.indices = new THREE.InstancedBufferAttribute(new Float32Array(Math.ceil(count * 1.25)), 1);
    level.indices.setUsage(THREE.DynamicDrawUsage);
    level.meshes.forEach((mesh) => {
      mesh.geometry.dispose();
      mesh.geometry.setAttribute("grain", level.indices);
    });
  }

  /** Colours by a value for each grain. */
  colour(values, range, logarithmic) {
    const places = this.uniforms.uPlaces.value;
    for (let i = 0; i < values.length; i++) places.image.data[4 * i + 3] = values[i];
    places.needsUpdate = true;
    this.uniforms.uRange.value.set(...range);
    this.uniforms.uLogarithmic.value = logarithmic;
  }

  /** @param {"scale" | "classes" | "plain"} kind */
  paint(kind) {
    this.uniforms.uColours.value?.dispose();
    const texture = new THREE.DataTexture(TABLES[kind](), ENTRIES, 1);
    texture.needsUpdate = true;
    this.uniforms.uColours.value = texture;
    this.uniforms.uClasses.value = kind === "classes" ? 1 : 0;
  }

  /** @param {number} opacity 1 for solid grains, less for what can be seen through, 0 for none */
  fade(opacity) {
    this.group.visible = opacity > 0;
    this.uniforms.uOpacity.value = opacity;
    for (const material of [this.material, this.lineMaterial]) {
      material.transparent = opacity < 1;
      material.depthWrite = opacity === 1;
      material.side = opacity < 1 ? THREE.FrontSide : THREE.DoubleSide;
      material.needsUpdate = true;
    }
  }

  /** Draws as finely as can be with not too many triangles. Returns their number. */
  arrange(camera, height) {
    if (!this.frame) return 0;
    this.crowding = Math.min(1, this.crowding * 1.1);
    let triangles = this.sort(camera, height);
    while (triangles > MOST_TRIANGLES && this.crowding > LEAST_CROWDING) {
      this.crowding *= 0.8;
      triangles = this.sort(camera, height);
    }
    return triangles;
  }

  /** Sorts the grains by how near they are; those out of sight are left out. Returns the number of triangles. */
  sort(camera, height) {
    this.uniforms.uUp.value.set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
    this.stacks.forEach((stack) => stack.levels.forEach((level) => (level.count = 0)));
    const frustum = new THREE.Frustum().setFromProjectionMatrix(
      new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const eye = camera.position;
    const [place, shapes] = [this.uniforms.uPlaces.value.image.data, this.model.shapes];
    const planes = frustum.planes.flatMap(({ normal, constant }) => [...normal.toArray(), constant]);
    const outside = (x, y, z, reach) => {
      for (let p = 0; p < 24; p += 4) {
        if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] < -reach) return true;
      }
      return false;
    };
    const pixels = camera.projectionMatrix.elements[5] * height * 0.5 * this.detail * this.crowding;
    for (let i = 0; i < this.frame.count; i++) {
      const x = place[4 * i];
      const y = place[4 * i + 1];
      const z = place[4 * i + 2];
      const { reach, prototype } = shapes[this.list.shapes[i]];
      if (outside(x, y, z, reach)) continue;
      const distance = camera.isPerspectiveCamera ? Math.hypot(x - eye.x, y - eye.y, z - eye.z) : 1;
      const radius = (reach * pixels) / distance;
      const { levels } = this.stacks[prototype];
      const fine = radius < FINE_ENOUGH[0] ? 0 : radius < FINE_ENOUGH[1] ? 1 : 2;
      const level = levels[Math.min(fine, levels.length - 1)];
      if (level) level.indices.array[level.count++] = i;
    }
    return this.upload();
  }

  upload() {
    let triangles = 0;
    for (const { levels } of this.stacks) {
      for (const level of levels) {
        level.indices.needsUpdate = level.count > 0;
        for (const mesh of level.meshes) {
          mesh.visible = level.count > 0;
          mesh.geometry.instanceCount = level.count;
        }
        triangles += level.count * level.triangles;
      }
    }
    return triangles;
  }
}

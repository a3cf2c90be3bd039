// The picture: camera, light, what moves the camera, and drawing when something has changed.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { middle, span } from "./bounds.js";

// Colours are made for the screen by our own shaders: nothing is to be converted.
THREE.ColorManagement.enabled = false;

/** From where to look: direction towards the eye, and what is upwards. */
const VIEWS = {
  iso: [[1, -1.35, 0.75], [0, 0, 1]],
  x: [[1, 0, 0], [0, 0, 1]],
  y: [[0, -1, 0], [0, 0, 1]],
  z: [[0, 0, 1], [0, 1, 0]],
};

const FIELD_OF_VIEW = 32;

/** Seconds for a picture that is too long, and short enough to show more. */
const SLOW = 0.05;
const FAST = 0.02;

export class Stage {
  constructor(canvas, dimension) {
    this.canvas = canvas;
    this.flat = dimension === 2;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.localClippingEnabled = true;
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.scene = new THREE.Scene();
    this.camera = this.flat
      ? new THREE.OrthographicCamera(-1, 1, 1, -1, -10, 10)
      : new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.camera.up.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
    this.light();
    this.controls = this.makeControls();
    this.before = [];
    this.requested = false;
    this.drawn = 0;
    this.lastDraw = 0;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  light() {
    const lamp = new THREE.DirectionalLight(0xffffff, 1.6);
    lamp.position.set(-0.45, 0.65, 0.75);
    this.camera.add(lamp);
    this.scene.add(this.camera, new THREE.AmbientLight(0xffffff, 1.6));
  }

  makeControls() {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.screenSpacePanning = true;
    controls.zoomToCursor = true;
    if (this.flat) {
      controls.enableRotate = false;
      controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      controls.touches.ONE = THREE.TOUCH.PAN;
    }
    controls.addEventListener("change", () => this.request());
    return controls;
  }

  /** The bounds that views are fitted to, less the origin. */
  frameBounds(bounds, origin) {
    const less = (corner) => corner.map((x, k) => x - origin[k]);
    this.bounds = { low: less(bounds.low), high: less(bounds.high) };
  }

  /** Looks from a side, near enough to fill the picture. @param {"iso" | "x" | "y" | "z"} name */
  look(name) {
    const [direction, up] = VIEWS[this.flat ? "z" : name];
    this.camera.up.set(...up);
    this.fit(new THREE.Vector3(...direction).normalize());
  }

  /** Fits bounds (less the origin) into the picture, from the direction that the eye is in. */
  fit(direction = this.camera.position.clone().sub(this.controls.target).normalize(), bounds = this.bounds) {
    const centre = new THREE.Vector3(...middle(bounds));
    this.camera.position.copy(centre).add(direction);
    this.camera.lookAt(centre);
    this.camera.updateMatrixWorld();
    const turned = this.camera.quaternion.clone().invert();
    const seen = corners(bounds).map((corner) => corner.sub(centre).applyQuaternion(turned));
    const most = (measure) => Math.max(...seen.map(measure));
    let distance = 2 * span(bounds);
    if (this.flat) {
      const { width, height } = this.size();
      const [x, y] = [most((c) => Math.abs(c.x)), most((c) => Math.abs(c.y))];
      this.half = 1.08 * Math.max(y, (x * height) / width, 1e-30);
      this.camera.zoom = 1;
    } else {
      const tan = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
      const { aspect } = this.camera;
      distance = 1.04 * most((c) => c.z + Math.max(Math.abs(c.y), Math.abs(c.x) / aspect) / tan);
    }
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.controls.target.copy(centre);
    this.controls.update();
    this.project();
    this.request();
  }

  size() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
  }

  resize() {
    const { width, height } = this.size();
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.project();
    this.draw();
  }

  /** Sets the camera's lens: as the window is, and as near and far as there is something to see. */
  project() {
    const { width, height } = this.size();
    const { camera } = this;
    const size = this.bounds ? span(this.bounds) : 1;
    if (this.flat) {
      const half = this.half ?? 1;
      [camera.top, camera.bottom] = [half, -half];
      [camera.left, camera.right] = [(-half * width) / height, (half * width) / height];
      [camera.near, camera.far] = [-20 * size, 20 * size];
    } else {
      camera.aspect = width / height;
      const distance = camera.position.distanceTo(this.controls.target);
      camera.near = Math.max(distance - 3 * size, 0.004 * Math.min(size, distance), 1e-12);
      camera.far = distance + 4 * size;
    }
    camera.updateProjectionMatrix();
  }

  /** Nearer (factor above one) or further away. */
  zoom(factor) {
    if (this.flat) {
      this.camera.zoom *= factor;
    } else {
      const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(1 / factor);
      this.camera.position.copy(this.controls.target).add(offset);
    }
    this.controls.update();
    this.request();
  }

  /** Turns the eye about the scene, in radians. */
  orbit(sideways, upwards) {
    if (this.flat) return;
    const around = new THREE.Spherical().setFromVector3(this.toUp(this.camera.position.clone().sub(this.controls.target)));
    around.theta += sideways;
    around.phi = Math.min(Math.PI - 0.01, Math.max(0.01, around.phi - upwards));
    const offset = new THREE.Vector3().setFromSpherical(around);
    this.camera.position.copy(this.controls.target).add(this.fromUp(offset));
    this.controls.update();
    this.request();
  }

  toUp(v) {
    return v.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0)));
  }

  fromUp(v) {
    return v.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.camera.up));
  }

  /** Moves the scene by shares of the picture's height. */
  pan(sideways, upwards) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const height = this.flat
      ? (2 * (this.half ?? 1)) / this.camera.zoom
      : 2 * distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const move = new THREE.Vector3(-sideways * height, -upwards * height, 0).applyQuaternion(this.camera.quaternion);
    this.camera.position.add(move);
    this.controls.target.add(move);
    this.controls.update();
    this.request();
  }

  background(colour) {
    this.renderer.setClearColor(colour, 1);
    this.request();
  }

  /** Draws soon, once, however often it is asked for. */
  request() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.requested = false;
    this.project();
    this.camera.updateMatrixWorld();
    const { height } = this.size();
    this.before.forEach((prepare) => prepare(this.camera, height));
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.measure();
  }

  /** How long pictures take while one follows the other. */
  measure() {
    const now = performance.now() / 1000;
    const took = now - this.lastDraw;
    this.lastDraw = now;
    // After a pause nothing is known.
    if (took < 0.5) this.took = 0.8 * (this.took ?? took) + 0.2 * took;
  }

  /** Whether to show less (−1) or more (+1) detail. */
  pace() {
    if (!this.took) return 0;
    return this.took > SLOW ? -1 : this.took < FAST ? 1 : 0;
  }

  /** The line of sight through a point of the canvas (pixels from its corner): origin and direction. */
  ray(x, y) {
    const { width, height } = this.size();
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return { origin: caster.ray.origin.toArray(), direction: caster.ray.direction.toArray() };
  }

  /** Where a point (less the origin) is on the canvas, in pixels. */
  onCanvas(point) {
    const { width, height } = this.size();
    const seen = new THREE.Vector3(...point).project(this.camera);
    return [((seen.x + 1) * width) / 2, ((1 - seen.y) * height) / 2];
  }
}

function corners({ low, high }) {
  const corner = (i) => new THREE.Vector3(...[0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])));
  return Array.from({ length: 8 }, (_, i) => corner(i));
}

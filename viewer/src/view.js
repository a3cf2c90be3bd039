// The state of the view: the frame shown, its colouring, clipping, and what is hidden.

import * as THREE from "three";

import { boundsOf, includeWalls, middle } from "./bounds.js";
import { CellOutline, includeCell } from "./cell.js";
import { Chains } from "./chains.js";
import { Grains } from "./grains.js";
import { pick } from "./pick.js";
import { dot } from "./polygon.js";
import { logRange, quantity, scaleRange, telling } from "./quantities.js";
import { Walls } from "./walls.js";

/** Frames from which bounds and colour scales of the whole run are taken. */
const SAMPLES = 7;

const OPACITY = { solid: 1, faint: 0.13, hidden: 0 };

/** Below this number of triangles, detail does not limit the frame rate. */
const FEW_TRIANGLES = 20_000;

export class View {
  constructor(stage, trajectory, model) {
    Object.assign(this, { stage, trajectory, model });
    this.quantity = quantity("speed");
    /** "run", "frame" or "own" */
    this.rangeMode = "run";
    /** Ends of the scale as typed in; NaN for those that are not. */
    this.ownRange = [NaN, NaN];
    this.logarithmic = false;
    this.range = [0, 1];
    this.clip = { axis: -1, share: 0.5, flip: false, whole: false };
    this.clipPlanes = [];
    this.selected = null;
    this.samples = [];
    this.number = 0;
    this.frame = null;
    this.chainsWanted = false;
  }

  /** Reads some frames and builds the scene. */
  async prepare() {
    await this.sample();
    this.bounds = this.boundsIn(this.samples);
    this.origin = middle(this.bounds);
    const { stage, model, origin } = this;
    this.grains = new Grains(model, origin);
    this.walls = new Walls(model, origin, this.bounds, this.clipPlanes);
    this.chains = new Chains(model, origin, this.grains.uniforms);
    this.cell = new CellOutline(model, origin, this.bounds, this.walls.lines);
    stage.scene.add(this.grains.group, this.walls.group, this.cell.group, this.chains.mesh);
    stage.frameBounds(this.bounds, origin);
    stage.before.push((camera, height) => this.arrange(camera, height));
    stage.look("iso");
    const last = this.samples.at(-1);
    this.setQuantity(last?.count ? telling(last, model) : "speed");
  }

  /** Bounds of some frames with their walls and cell. */
  boundsIn(frames) {
    const bounds = includeWalls(boundsOf(frames, this.model), frames, this.model);
    return includeCell(bounds, frames, this.model);
  }

  /** Frames spread over the whole run. */
  async sample() {
    const count = this.trajectory.frames.length;
    const numbers = new Set();
    for (let i = 0; i < Math.min(SAMPLES, count); i++) {
      numbers.add(Math.round((i * (count - 1)) / Math.max(1, Math.min(SAMPLES, count) - 1)));
    }
    // Damaged frames are skipped.
    const frames = await Promise.allSettled([...numbers].map((number) => this.trajectory.frame(number)));
    this.samples = frames.filter((frame) => frame.status === "fulfilled").map((frame) => frame.value);
  }

  /** Detail follows how long pictures take. */
  arrange(camera, height) {
    const pace = this.stage.pace();
    if (pace < 0 && this.triangles > FEW_TRIANGLES) this.grains.detail = Math.max(0.1, this.grains.detail * 0.85);
    if (pace > 0) this.grains.detail = Math.min(1, this.grains.detail * 1.1);
    this.triangles = this.grains.arrange(camera, height);
  }

  async show(number) {
    const frame = await this.trajectory.frame(number);
    this.number = number;
    this.frame = frame;
    this.grains.show(frame);
    this.walls.show(frame);
    this.cell.show(frame);
    if (this.chainsWanted) this.chains.show(frame);
    this.colour();
    this.mark();
    this.stage.request();
    return frame;
  }

  /** Fits everything in this frame into the picture. */
  fit() {
    this.fitTo(this.boundsIn([this.frame]));
  }

  /** Fits the grains of this frame into the picture, without walls. */
  fitGrains() {
    this.fitTo(boundsOf([this.frame], this.model));
  }

  fitTo(bounds) {
    const less = (corner) => corner.map((x, k) => x - this.origin[k]);
    this.stage.fit(undefined, { low: less(bounds.low), high: less(bounds.high) });
  }

  setQuantity(key) {
    this.quantity = quantity(key);
    this.grains.paint(this.quantity.kind);
    this.rescale();
  }

  /** @param {"run" | "frame" | "own"} mode whether the colour scale covers the whole run, this frame, or a given range */
  setRange(mode, own, logarithmic) {
    Object.assign(this, { rangeMode: mode, ownRange: own, logarithmic });
    this.rescale();
  }

  /** Finds the ends of the scale of the whole run. */
  rescale() {
    const frames = this.samples.map((frame) => this.quantity.values(frame, this.model));
    this.runScale = { frames, range: scaleRange(this.quantity, frames) };
    if (this.frame) this.colour();
    this.stage.request();
  }

  colour() {
    const values = this.quantity.values(this.frame, this.model);
    this.range = this.scale(values);
    this.grains.colour(values, this.range, this.logarithmic && this.range[0] > 0);
  }

  /** The ends of the colour scale for the values of this frame. */
  scale(values) {
    const here = this.rangeMode === "frame" ? { frames: [values], range: scaleRange(this.quantity, [values]) } : this.runScale;
    let { range } = here;
    if (this.rangeMode === "own") range = range.map((end, i) => (Number.isFinite(this.ownRange[i]) ? this.ownRange[i] : end));
    if (this.logarithmic) range = logRange(range, here.frames);
    return range[0] < range[1] ? range : [range[0], range[0] + (Math.abs(range[0]) || 1) * 1e-3];
  }

  setGrains(style) {
    this.grains.fade(OPACITY[style]);
    this.stage.request();
  }

  setWalls(style) {
    this.walls.style(style);
    this.cell.group.visible = style !== "hidden";
    this.stage.request();
  }

  /** Shows or hides a single wall. */
  setWall(index, shown) {
    this.walls.hide(index, !shown);
    this.stage.request();
  }

  setChains(wanted) {
    this.chainsWanted = wanted;
    this.chains.mesh.visible = wanted;
    if (wanted) this.chains.show(this.frame);
    this.stage.request();
  }

  /** @param {{ axis: number, share: number, flip: boolean, whole: boolean }} clip axis -1 for none */
  setClip(clip) {
    this.clip = clip;
    const { uClip, uClipMode } = this.grains.uniforms;
    this.clipPlanes.length = 0;
    uClipMode.value = clip.axis < 0 ? 0 : clip.whole ? 2 : 1;
    if (clip.axis >= 0) {
      const sign = clip.flip ? -1 : 1;
      const normal = [0, 1, 2].map((k) => (k === clip.axis ? sign : 0));
      const offset = sign * (this.clipAt() - this.origin[clip.axis]);
      uClip.value.set(...normal, offset);
      // Theirs keeps what is above: the other sign.
      this.clipPlanes.push(new THREE.Plane(new THREE.Vector3(...normal).negate(), offset));
    }
    this.walls.recompile();
    this.stage.request();
  }

  /** Position of the clipping plane in metres. */
  clipAt() {
    const { axis, share } = this.clip;
    return this.bounds.low[axis] + share * (this.bounds.high[axis] - this.bounds.low[axis]);
  }

  hidden(point, centre) {
    if (this.clip.axis < 0) return false;
    const { x, y, z, w } = this.grains.uniforms.uClip.value;
    return dot([x, y, z], this.clip.whole ? centre : point) > w;
  }

  /** The index of the grain at a point of the canvas, or -1. */
  pickAt(x, y) {
    if (!this.frame || !this.grains.group.visible) return -1;
    return pick(this.stage.ray(x, y), this.frame, this.model, this.origin, (point, centre) => this.hidden(point, centre));
  }

  /** Follows a grain by its id, or none. */
  select(id) {
    this.selected = id;
    this.mark();
    this.stage.request();
  }

  /** Index of the selected grain in this frame, or -1. */
  get selectedIndex() {
    return this.selected === null || !this.frame ? -1 : this.frame.list.ids.indexOf(this.selected);
  }

  mark() {
    this.grains.uniforms.uSelected.value = this.selectedIndex;
  }

  /** Where a grain's centre is on the canvas. */
  place(index) {
    const centre = [0, 1, 2].map((k) => this.frame.positions[3 * index + k] - this.origin[k]);
    return this.stage.onCanvas(centre);
  }
}

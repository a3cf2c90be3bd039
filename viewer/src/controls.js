// Buttons, lists and sliders, and what they do.

import { choices } from "./csv.js";
import { parseTime, plain, si, whole } from "./format.js";
import { drawGrain } from "./inspector.js";
import { bindKeys, drawHelp, keyTable } from "./keys.js";
import { drawLegend } from "./legend.js";
import { SPEEDS } from "./player.js";
import { Plot } from "./plot.js";
import { QUANTITIES, unitOf } from "./quantities.js";
import { save, takePicture } from "./screenshot.js";

const byId = (id) => document.getElementById(id);

/** Pixels that the pointer may move during a click. */
const STILL = 4;

export class Controls {
  constructor(view, player, stage) {
    Object.assign(this, { view, player, stage });
    this.plot = new Plot(byId("plot"), byId("plot-legend"), (time) => player.jump(player.at(time)));
    this.choices = [];
    this.fillLists();
    this.bindTime();
    this.bindLook();
    this.bindRange();
    this.bindClip();
    this.bindGrain();
    byId("series").addEventListener("change", () => this.showSeries());
    const table = keyTable({ player, stage, controls: this });
    drawHelp(byId("help-keys"), table);
    bindKeys(table);
  }

  fillLists() {
    const option = (value, text) => new Option(text, value);
    byId("quantity").append(...QUANTITIES.map(({ key, label }) => option(key, label)));
    byId("quantity").value = this.view.quantity.key;
    this.listWalls();
    byId("speed").append(...SPEEDS.map((speed) => option(speed, `${speed} per s`)));
    byId("speed").value = this.player.speed;
    if (this.view.model.dimension === 2) byId("clip-axis").querySelector("[value='2']").remove();
  }

  /** A check box for each wall. */
  listWalls() {
    const { walls } = this.view.model;
    byId("wall-list").hidden = walls.length === 0;
    const boxes = walls.map(({ name }, i) => {
      const label = document.createElement("label");
      label.className = "check";
      const box = document.createElement("input");
      Object.assign(box, { type: "checkbox", checked: true });
      box.dataset.wall = i;
      box.addEventListener("change", () => this.view.setWall(i, box.checked));
      label.append(box, name || `wall ${i}`);
      return label;
    });
    byId("wall-list").append(...boxes);
  }

  bindTime() {
    const { player } = this;
    byId("play").addEventListener("click", () => player.toggle());
    byId("first").addEventListener("click", () => player.jump(0));
    byId("last").addEventListener("click", () => this.toLast());
    byId("back").addEventListener("click", () => player.step(-1));
    byId("forth").addEventListener("click", () => player.step(1));
    byId("scrub").addEventListener("input", (event) => player.jump(Number(event.target.value)));
    byId("speed").addEventListener("change", (event) => {
      player.speed = Number(event.target.value);
      this.refresh();
    });
    byId("frame-number").addEventListener("change", (event) => this.enterFrame(event.target, Number(event.target.value) - 1));
    byId("frame-time").addEventListener("change", (event) => {
      const time = parseTime(event.target.value);
      this.enterFrame(event.target, Number.isNaN(time) ? NaN : player.at(time));
    });
    byId("clock").addEventListener("submit", (event) => {
      event.preventDefault();
      document.activeElement.blur();
    });
  }

  /** Goes to a frame that was typed in; what is not a number leaves the frame as it is. */
  enterFrame(input, number) {
    input.blur();
    if (Number.isFinite(number)) this.player.jump(Math.round(number));
    else this.refresh();
  }

  bindRange() {
    for (const id of ["range", "range-low", "range-high", "range-log"]) {
      byId(id).addEventListener("change", () => this.setRange());
    }
  }

  setRange() {
    const { view } = this;
    const mode = byId("range").value;
    // A custom range starts from the one that is shown.
    if (mode === "own" && view.rangeMode !== "own") {
      ["range-low", "range-high"].forEach((id, i) => (byId(id).value = Number(view.range[i].toPrecision(3))));
    }
    const own = ["range-low", "range-high"].map((id) => (byId(id).value === "" ? NaN : Number(byId(id).value)));
    view.setRange(mode, own, byId("range-log").checked);
    this.refresh();
  }

  /** Another quantity has a range of its own. */
  setQuantity(key) {
    if (byId("range").value === "own") byId("range").value = "run";
    this.view.setQuantity(key);
    this.setRange();
  }

  /** The last frame; in a live run, from then on the newest one. */
  async toLast() {
    await this.player.jump(this.player.count - 1);
    this.player.following = this.live;
    this.refresh();
  }

  bindLook() {
    const { view, stage } = this;
    byId("zoom-in").addEventListener("click", () => stage.zoom(1.25));
    byId("zoom-out").addEventListener("click", () => stage.zoom(1 / 1.25));
    byId("fit").addEventListener("click", () => view.fit());
    byId("fit-grains").addEventListener("click", () => view.fitGrains());
    for (const button of document.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => stage.look(button.dataset.view));
    }
    const choose = (id, action) => byId(id).addEventListener("change", (event) => (action(event.target), this.refresh()));
    choose("quantity", ({ value }) => this.setQuantity(value));
    choose("grains", ({ value }) => view.setGrains(value));
    choose("walls", ({ value }) => view.setWalls(value));
    choose("chains", ({ checked }) => this.setChains(checked));
    byId("shot").addEventListener("click", () => {
      const name = `${view.model.title.replace(/[^\w-]+/g, "-").slice(0, 40)}-${view.frame.step}.png`;
      save(takePicture(view, stage.canvas, this.clock()), name);
    });
    byId("help-open").addEventListener("click", () => byId("help").showModal());
  }

  /** Solid grains hide force chains: they become transparent. */
  setChains(wanted) {
    this.view.setChains(wanted);
    const inSpace = this.view.model.dimension === 3;
    if (inSpace) byId("grains").value = wanted ? "faint" : "solid";
    if (inSpace) this.view.setGrains(byId("grains").value);
    const note = byId("chains-note");
    note.hidden = !wanted || this.view.frame.contactCount !== null;
    note.textContent = "This frame was written without contacts.";
  }

  bindClip() {
    for (const id of ["clip-axis", "clip-at", "clip-flip", "clip-whole"]) {
      byId(id).addEventListener("input", () => this.setClip());
    }
  }

  setClip() {
    const axis = byId("clip-axis").value === "off" ? -1 : Number(byId("clip-axis").value);
    const share = Number(byId("clip-at").value) / 1000;
    this.view.setClip({ axis, share, flip: byId("clip-flip").checked, whole: byId("clip-whole").checked });
    byId("clip-more").hidden = axis < 0;
    if (axis >= 0) byId("clip-told").textContent = `at ${"xyz"[axis]} = ${si(this.view.clipAt(), "m")}`;
  }

  nextClip() {
    const list = byId("clip-axis");
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    this.setClip();
  }

  nextQuantity() {
    const list = byId("quantity");
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    this.setQuantity(list.value);
  }

  changeSpeed(by) {
    const list = byId("speed");
    list.selectedIndex = Math.min(SPEEDS.length - 1, Math.max(0, list.selectedIndex + by));
    this.player.speed = Number(list.value);
    this.refresh();
  }

  bindGrain() {
    const { canvas } = this.stage;
    let down = null;
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("click", (event) => {
      const moved = down ? Math.hypot(event.clientX - down[0], event.clientY - down[1]) : 0;
      if (moved > STILL) return;
      const box = canvas.getBoundingClientRect();
      const index = this.view.pickAt(event.clientX - box.left, event.clientY - box.top);
      this.select(index < 0 ? null : this.view.frame.list.ids[index]);
    });
    byId("find").addEventListener("submit", (event) => {
      event.preventDefault();
      const id = byId("find-id").value;
      this.select(id === "" ? null : Number(id));
    });
    byId("drop").addEventListener("click", () => this.deselect());
  }

  select(id) {
    this.view.select(id);
    byId("find-id").value = id ?? "";
    this.refresh();
    if (id !== null && document.body.clientWidth > 760) byId("grain-section").scrollIntoView({ block: "nearest" });
  }

  deselect() {
    this.select(null);
  }

  /** @param {[string, string][]} files name and text of time series */
  setSeries(files) {
    const chosen = byId("series").value;
    this.choices = choices(files);
    byId("series-section").hidden = this.choices.length === 0;
    byId("series").replaceChildren(...this.choices.map(({ label }) => new Option(label, label)));
    if (this.choices.some(({ label }) => label === chosen)) byId("series").value = chosen;
    this.showSeries();
  }

  showSeries() {
    const choice = this.choices[byId("series").selectedIndex];
    if (choice) this.plot.show(choice);
  }

  /** The time and number of the frame shown. */
  clock() {
    const { frame } = this.view;
    return `t = ${si(frame.time, "s", 4)} · frame ${this.player.number + 1} of ${this.player.count}`;
  }

  showClock() {
    const { player, view } = this;
    const set = (id, value) => {
      // Not while someone is typing.
      if (document.activeElement !== byId(id)) byId(id).value = value;
    };
    set("frame-number", player.number + 1);
    set("frame-time", si(view.frame.time, "s", 4));
    byId("frame-count").textContent = `of ${player.count}`;
  }

  /** Updates all controls to the frame shown. */
  refresh() {
    const { view, player } = this;
    const { frame } = view;
    if (!frame) return;
    const scrub = byId("scrub");
    scrub.max = player.count - 1;
    scrub.value = player.number;
    this.showClock();
    scrub.setAttribute("aria-valuetext", this.clock());
    byId("play").classList.toggle("playing", player.playing);
    byId("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
    byId("play").disabled = player.count < 2;
    byId("pace").textContent = this.pace();
    const contacts = frame.contactCount === null ? "" : `, ${whole(frame.contactCount)} contacts`;
    byId("facts").textContent = `${whole(frame.count)} grains${contacts}, step ${whole(frame.step)}`;
    byId("quantity").value = view.quantity.key;
    byId("range-controls").hidden = view.quantity.kind !== "scale";
    byId("range-own").hidden = view.rangeMode !== "own";
    const unit = unitOf(view.quantity, view.model);
    byId("range-low-label").textContent = unit ? `From (${unit})` : "From";
    byId("range-high-label").textContent = unit ? `To (${unit})` : "To";
    drawLegend(byId("legend"), view);
    drawGrain({ table: byId("grain"), note: byId("grain-note"), drop: byId("drop") }, view);
    this.plot.mark(frame.time);
  }

  /** Simulated time per second of playing. */
  pace() {
    const { frames } = this.player.trajectory;
    if (frames.length < 2) return "";
    const each = (frames.at(-1).time - frames[0].time) / (frames.length - 1);
    return `${plain(each * this.player.speed, 2)} × real time`;
  }
}

// Buttons, lists and sliders, and what they do.

import { choices } from "./csv.js";
import { plain, si, whole } from "./format.js";
import { drawGrain } from "./inspector.js";
import { bindKeys, drawHelp, keyTable } from "./keys.js";
import { drawLegend } from "./legend.js";
import { SPEEDS } from "./player.js";
import { Plot } from "./plot.js";
import { QUANTITIES } from "./quantities.js";
import { save, takePicture } from "./screenshot.js";

const byId = (id) => document.getElementById(id);

/** Pixels that the pointer may move in a click. */
const STILL = 4;

export class Controls {
  constructor(view, player, stage) {
    Object.assign(this, { view, player, stage });
    this.plot = new Plot(byId("plot"), byId("plot-legend"), (time) => player.jump(player.at(time)));
    this.choices = [];
    this.fillLists();
    this.bindTime();
    this.bindLook();
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
    byId("speed").append(...SPEEDS.map((speed) => option(speed, `${speed} per s`)));
    byId("speed").value = this.player.speed;
    if (this.view.model.dimension === 2) byId("clip-axis").querySelector("[value='2']").remove();
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
  }

  /** The last moment; where a run is live, from then on the newest. */
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
    for (const button of document.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => stage.look(button.dataset.view));
    }
    const choose = (id, action) => byId(id).addEventListener("change", (event) => (action(event.target), this.refresh()));
    choose("quantity", ({ value }) => view.setQuantity(value));
    choose("range", ({ value }) => view.setWholeRun(value === "run"));
    choose("grains", ({ value }) => view.setGrains(value));
    choose("walls", ({ value }) => view.setWalls(value));
    choose("chains", ({ checked }) => this.setChains(checked));
    byId("shot").addEventListener("click", () => {
      const name = `${view.model.title.replace(/[^\w-]+/g, "-").slice(0, 40)}-${view.frame.step}.png`;
      save(takePicture(view, stage.canvas, byId("clock").textContent), name);
    });
    byId("help-open").addEventListener("click", () => byId("help").showModal());
  }

  /** Forces hide behind solid grains: those become faint with them. */
  setChains(wanted) {
    this.view.setChains(wanted);
    const inSpace = this.view.model.dimension === 3;
    if (inSpace) byId("grains").value = wanted ? "faint" : "solid";
    if (inSpace) this.view.setGrains(byId("grains").value);
    const note = byId("chains-note");
    note.hidden = !wanted || this.view.frame.contactCount !== null;
    note.textContent = "This moment has no contacts in the trajectory.";
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
    this.view.setQuantity(list.value);
    this.refresh();
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
    byId("drop").addEventListener("click", () => this.letGo());
  }

  select(id) {
    this.view.select(id);
    byId("find-id").value = id ?? "";
    this.refresh();
    if (id !== null && document.body.clientWidth > 760) byId("grain-section").scrollIntoView({ block: "nearest" });
  }

  letGo() {
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

  /** Brings everything up to what is shown. */
  refresh() {
    const { view, player } = this;
    const { frame } = view;
    if (!frame) return;
    const scrub = byId("scrub");
    scrub.max = player.count - 1;
    scrub.value = player.number;
    const clock = `${si(frame.time, "s", 4)} · ${player.number + 1} of ${player.count}`;
    byId("clock").textContent = clock;
    scrub.setAttribute("aria-valuetext", clock);
    byId("play").classList.toggle("playing", player.playing);
    byId("play").setAttribute("aria-label", player.playing ? "Pause" : "Play");
    byId("play").disabled = player.count < 2;
    byId("pace").textContent = this.pace();
    const contacts = frame.contactCount === null ? "" : `, ${whole(frame.contactCount)} contacts`;
    byId("facts").textContent = `${whole(frame.count)} grains${contacts}, step ${whole(frame.step)}`;
    byId("range-label").hidden = view.quantity.kind !== "scale";
    drawLegend(byId("legend"), view);
    drawGrain({ table: byId("grain"), note: byId("grain-note"), drop: byId("drop") }, view);
    this.plot.mark(frame.time);
  }

  /** How much slower or faster than life. */
  pace() {
    const { frames } = this.player.trajectory;
    if (frames.length < 2) return "";
    const each = (frames.at(-1).time - frames[0].time) / (frames.length - 1);
    return `${plain(each * this.player.speed, 2)} × real time`;
  }
}

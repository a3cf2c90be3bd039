// Entry point: finds the run, shows it, follows a live one.

import { Controls } from "./controls.js";
import { makeModel } from "./model.js";
import { Player } from "./player.js";
import { Embedded, Served } from "./source.js";
import { Stage } from "./stage.js";
import { Theme } from "./theme.js";
import { Shortened, Trajectory, Unreadable } from "./trajectory.js";
import { View } from "./view.js";

const byId = (id) => document.getElementById(id);

/** Interval at which a live run is polled, in milliseconds. */
const LIVE = 500;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

function message(title, text) {
  byId("message").hidden = false;
  byId("message-title").textContent = title;
  byId("message-text").textContent = text;
}

function notice(text) {
  byId("notice").hidden = !text;
  byId("notice").textContent = text;
}

/** Shows an error; unexpected ones go to the console, too. */
function fail(error) {
  if (!(error instanceof Unreadable)) console.error(error);
  message("This run cannot be shown", error.message);
}

/** Opens the trajectory; waits for the first frame of a live run. */
async function openTrajectory(source) {
  for (;;) {
    try {
      const trajectory = await Trajectory.open(source);
      if (trajectory.frames.length) return trajectory;
      if (!source.live) throw new Unreadable(noFrames(trajectory));
    } catch (error) {
      if (!source.live || !(error instanceof Unreadable)) throw error;
    }
    message("Waiting for the first frame", "The run has not written one yet.");
    await pause(LIVE);
  }
}

function noFrames({ broken }) {
  return broken ? `The trajectory has no complete frame: ${broken}.` : "The trajectory has no frames.";
}

/** Narrow windows start without the control panel. */
function bindPanel() {
  const show = (shown) => {
    document.body.classList.toggle("no-panel", !shown);
    byId("panel-toggle").setAttribute("aria-expanded", String(shown));
  };
  show(document.body.clientWidth > 760);
  byId("panel-toggle").addEventListener("click", () => show(document.body.classList.contains("no-panel")));
}

async function start() {
  const themed = { view: null, stage: null };
  const theme = new Theme((colours) => {
    themed.stage?.background(colours.stage);
    themed.view?.walls.colour(colours.wall, colours.line);
    themed.view?.grains.uniforms.uLine.value.set(colours.outline);
  });
  byId("theme").addEventListener("click", () => theme.toggle());
  bindPanel();
  const source = Embedded.find() ?? (await Served.open());
  const trajectory = await openTrajectory(source);
  byId("message").hidden = true;
  const model = makeModel(trajectory.description);
  document.title = `${model.title} – Gritstone`;
  byId("title").textContent = model.title;
  document.body.classList.toggle("plane", model.dimension === 2);

  const stage = (themed.stage = makeStage(model.dimension));
  const view = new View(stage, trajectory, model);
  await view.prepare();
  themed.view = view;
  theme.set(theme.name);
  const player = new Player(trajectory, (number) => view.show(number), () => controls.refresh());
  const controls = new Controls(view, player, stage);
  player.show = (number) => view.show(number).catch((error) => notice(error.message));
  await openAtEnd(player);
  controls.refresh();
  controls.setSeries(await source.series());
  if (trajectory.broken && !source.live) notice(cutOff(trajectory));
  // For tests and for the browser's console.
  window.gritstone = { view, player, stage, trajectory, controls, model };
  if (source.live) await follow(source, trajectory, { view, player, controls });
}

/** Opens on the last frame, or on the last one that can be read. */
async function openAtEnd(player) {
  for (let number = player.count - 1; number > 0; number--) {
    const frame = await player.trajectory.frame(number).catch(() => null);
    if (frame) return player.go(number);
  }
  return player.go(0);
}

function makeStage(dimension) {
  try {
    return new Stage(byId("canvas"), dimension);
  } catch (error) {
    throw new Unreadable(`This browser does not support WebGL 2 (${error.message}).`);
  }
}

function cutOff(trajectory) {
  const count = trajectory.frames.length;
  return `The trajectory has ${count} complete frame${count === 1 ? "" : "s"}; after them ${trajectory.broken}. ` +
    "If the run has not ended, use gritstone view --live.";
}

/** Shows new frames and series of a run while it is running. */
async function follow(source, trajectory, { view, player, controls }) {
  const badge = byId("live");
  badge.hidden = false;
  player.following = controls.live = true;
  for (let told = ""; ; await pause(LIVE)) {
    try {
      const found = await trajectory.refresh();
      if (found) {
        await view.sample();
        view.rescale();
        if (player.following) await player.go(player.count - 1);
        controls.refresh();
      }
      const sizes = JSON.stringify(source.state.series_sizes);
      if (sizes !== told) controls.setSeries(await source.series());
      told = sizes;
      badge.textContent = source.state.finished ? "finished" : "live";
      badge.classList.toggle("done", source.state.finished);
      notice("");
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      // A resumed run has truncated its files to its checkpoint.
      if (error instanceof Shortened) location.reload();
      notice(error.message);
    }
  }
}

start().catch(fail);

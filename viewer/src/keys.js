// Keyboard shortcuts; the help is made from the same table.

const TURN = 0.12;
const STEP = 0.08;

/** @returns {[string[], string, (event: KeyboardEvent) => void][]} keys, meaning, action */
export function keyTable({ player, stage, controls }) {
  const press = (id) => () => document.getElementById(id).click();
  return [
    [[" "], "play or pause", () => player.toggle()],
    [[",", "."], "previous frame, next frame", (event) => player.step(event.key === "," ? -1 : 1)],
    [["Home", "End"], "first frame, last frame", (event) => player.jump(event.key === "Home" ? 0 : player.count - 1)],
    [["<", ">"], "slower, faster", (event) => controls.changeSpeed(event.key === "<" ? -1 : 1)],
    [["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "rotate; with Shift, and in 2D, pan", (event) => arrow(stage, event)],
    [["+", "=", "-"], "zoom in, zoom out", (event) => stage.zoom(event.key === "-" ? 1 / 1.2 : 1.2)],
    [["f"], "fit all into the view", press("fit")],
    [["g"], "fit the grains into the view", press("fit-grains")],
    [["j"], "jump to a frame number", () => document.getElementById("frame-number").select()],
    [["1", "2", "3", "4"], "isometric view, along x, along y, top view", (event) => stage.look(["iso", "x", "y", "z"][event.key - 1])],
    [["k"], "next colour quantity", () => controls.nextQuantity()],
    [["c"], "force chains on or off", press("chains")],
    [["x"], "clip along the next axis, or not at all", () => controls.nextClip()],
    [["Escape"], "deselect the grain", () => controls.deselect()],
    [["s"], "save a picture", press("shot")],
    [["t"], "light or dark theme", press("theme")],
    [["m"], "show or hide the control panel", press("panel-toggle")],
    [["?", "h"], "this help", press("help-open")],
  ];
}

function arrow(stage, event) {
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
  const upwards = { ArrowDown: -1, ArrowUp: 1 }[event.key] ?? 0;
  if (event.shiftKey || stage.flat) stage.pan(sideways * STEP, upwards * STEP);
  else stage.orbit(sideways * TURN, upwards * TURN);
}

const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

export function bindKeys(table) {
  const actions = new Map(table.flatMap(([keys, , action]) => keys.map((key) => [key, action])));
  window.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    // A button that has the focus is pressed by Space.
    if (event.key === " " && event.target.closest("button")) return;
    const action = actions.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

export function drawHelp(holder, table) {
  const lines = document.createElement("table");
  for (const [keys, meaning] of table) {
    const line = lines.insertRow();
    const shown = keys.filter((key) => key !== "=").map((key) => {
      const cap = document.createElement("kbd");
      cap.textContent = NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
      return [cap, " "];
    });
    line.insertCell().append(...shown.flat());
    line.insertCell().textContent = meaning;
  }
  holder.replaceChildren(lines);
}

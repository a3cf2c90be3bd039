// State of the selected grain.

import { secondBody } from "./frame.js";
import { plain, si } from "./format.js";
import { forceUnit } from "./quantities.js";

/** Contacts that are listed, the strongest first. */
const MOST = 12;

export function drawGrain(elements, view) {
  const index = view.selectedIndex;
  const { table, note, drop } = elements;
  drop.hidden = view.selected === null;
  table.hidden = index < 0;
  note.hidden = index >= 0;
  note.textContent = view.selected === null
    ? "Click a grain or enter its id."
    : `There is no grain ${view.selected} in this frame.`;
  if (index < 0) return;
  const rows = [...facts(view, index), ...contacts(view, index)];
  table.tBodies[0].replaceChildren(...rows.map(([name, value]) => row(name, value)));
}

function row(name, value) {
  const line = document.createElement("tr");
  const [head, cell] = [document.createElement("th"), document.createElement("td")];
  head.textContent = name;
  head.scope = "row";
  cell.textContent = value;
  line.append(head, cell);
  line.dataset.key = name;
  return line;
}

function facts({ frame, model }, i) {
  const axes = model.dimension;
  const vector = (numbers, unit) => `${Array.from(numbers, (x) => plain(x, 4)).join(", ")} ${unit}`;
  const part = (numbers) => numbers.subarray(3 * i, 3 * i + axes);
  const shape = model.shapes[frame.list.shapes[i]];
  const spin = frame.spins.subarray(3 * i, 3 * i + 3);
  return [
    ["Id", String(frame.list.ids[i])],
    ["Shape", shape.name ? `${shape.name}: ${shape.about}` : shape.about],
    ["Material", model.materials[frame.list.materials[i]] ?? "–"],
    ["Size", si(shape.diameter, "m", 4)],
    ["Position", vector(part(frame.positions), "m")],
    ["Speed", si(Math.hypot(...part(frame.velocities)), "m/s", 4)],
    ["Velocity", vector(part(frame.velocities), "m/s")],
    ["Angular velocity", axes === 3 ? vector(spin, "rad/s") : `${plain(spin[2], 4)} rad/s`],
    ["Force", si(frame.loads[i], forceUnit(model), 4)],
    ["Coordination", String(frame.coordination[i])],
  ];
}

function contacts({ frame, model }, i) {
  if (!frame.contacts) return [];
  const found = [];
  for (let c = 0; c < frame.contacts.count; c++) {
    const second = secondBody(frame.contacts, c);
    if (frame.contacts.first[c] !== i && second !== i) continue;
    const other = frame.contacts.first[c] === i ? second : frame.contacts.first[c];
    const name = other < 0 ? model.walls[-1 - other]?.name || `wall ${-1 - other}` : `grain ${frame.list.ids[other]}`;
    found.push({ name, force: Math.hypot(...frame.contacts.forces.subarray(3 * c, 3 * c + 3)) });
  }
  found.sort((a, b) => b.force - a.force);
  const unit = forceUnit(model);
  return found.slice(0, MOST).map(({ name, force }) => [`↔ ${name}`, si(force, unit)]);
}

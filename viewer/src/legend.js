// Legend of the colours.

import { classColour, css, gradient } from "./colours.js";
import { si, whole } from "./format.js";
import { swatch } from "./plot.js";
import { forceUnit, unitOf } from "./quantities.js";

/** Classes listed at most. */
const MOST = 12;

export function drawLegend(holder, view) {
  const { quantity, range, frame, model } = view;
  holder.hidden = quantity.kind === "plain" && !view.chainsWanted;
  holder.replaceChildren();
  if (quantity.kind !== "plain") holder.append(text(title(quantity) + (isLogarithmic(view) ? " (logarithmic)" : "")));
  if (quantity.kind === "scale") holder.append(bar(gradient("to right")), ends(range, unitOf(quantity, model), isLogarithmic(view)));
  if (quantity.kind === "classes") holder.append(classes(quantity.names(model), quantity.values(frame, model)));
  if (view.chainsWanted && view.chains.strongest > 0) {
    const about = text("Contact force");
    about.style.marginTop = "5px";
    holder.append(about, bar("linear-gradient(to right, #fab84c, #bf0d1a)"), ends([0, view.chains.strongest], forceUnit(model), false));
  }
  holder.setAttribute("aria-label", `Legend: ${holder.innerText.replaceAll("\n", ", ")}`);
}

/** Whether the colour scale is logarithmic: only where its lower end is positive. */
export function isLogarithmic({ logarithmic, range }) {
  return logarithmic && range[0] > 0;
}

/** The value in the middle of the colour bar. */
function centre([low, high], logarithmic) {
  return logarithmic ? Math.sqrt(low * high) : (low + high) / 2;
}

/** The quantity and, where needed, its definition. */
export function title({ label, about }) {
  return about ? `${label}: ${about}` : label;
}

function text(content) {
  const line = document.createElement("div");
  line.textContent = content;
  return line;
}

function bar(background) {
  const line = document.createElement("div");
  line.className = "bar";
  line.style.background = background;
  return line;
}

function ends([low, high], unit, logarithmic) {
  const line = document.createElement("div");
  line.className = "ends";
  line.append(text(si(low, unit)), text(si(centre([low, high], logarithmic), unit)), text(si(high, unit)));
  return line;
}

function classes(names, values) {
  const counts = new Array(names.length).fill(0);
  for (const value of values) counts[value]++;
  const list = document.createElement("ul");
  const there = [...names.keys()].filter((i) => counts[i] > 0);
  for (const i of there.slice(0, MOST)) {
    const item = document.createElement("li");
    item.append(swatch(css(classColour(i))), `${names[i]} (${whole(counts[i])})`);
    list.append(item);
  }
  if (there.length > MOST) {
    const more = document.createElement("li");
    more.textContent = `and ${there.length - MOST} more`;
    list.append(more);
  }
  return list;
}

// Screenshot: the canvas with title, time and legend as PNG.

import { classColour, css, scaleTable } from "./colours.js";
import { si } from "./format.js";
import { isLogarithmic, title } from "./legend.js";
import { unitOf } from "./quantities.js";

export function takePicture(view, canvas, clock) {
  view.stage.draw();
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [canvas.width, canvas.height];
  const pen = picture.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const unit = canvas.width / canvas.clientWidth;
  const style = getComputedStyle(document.documentElement);
  pen.scale(unit, unit);
  pen.fillStyle = style.getPropertyValue("--ink");
  pen.font = `14px ${style.fontFamily}`;
  pen.textBaseline = "top";
  pen.fillText(`${view.model.title}   ${clock}`, 12, 12);
  legend(pen, view, canvas.clientHeight);
  return picture;
}

export function save(picture, name) {
  picture.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }, "image/png");
}

function legend(pen, view, height) {
  const { quantity, range } = view;
  const unit = unitOf(quantity, view.model);
  if (quantity.kind === "scale") {
    const table = scaleTable();
    for (let x = 0; x < 220; x++) {
      const at = 4 * Math.round((x / 219) * (table.length / 4 - 1));
      pen.fillStyle = `rgb(${table[at]} ${table[at + 1]} ${table[at + 2]})`;
      pen.fillRect(12 + x, height - 36, 1, 10);
    }
    ink(pen);
    pen.fillText(title(quantity) + (isLogarithmic(view) ? " (logarithmic)" : ""), 12, height - 56);
    pen.fillText(si(range[0], unit), 12, height - 22);
    pen.textAlign = "right";
    pen.fillText(si(range[1], unit), 232, height - 22);
  }
  if (quantity.kind === "classes") {
    const names = quantity.names(view.model).slice(0, 12);
    names.forEach((name, i) => {
      const y = height - 20 * (names.length - i) - 6;
      pen.fillStyle = css(classColour(i));
      pen.fillRect(12, y + 2, 12, 12);
      ink(pen);
      pen.fillText(name, 30, y);
    });
  }
}

function ink(pen) {
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink");
}

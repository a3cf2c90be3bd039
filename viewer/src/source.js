// Sources of a run: the server of `gritstone view`, or data embedded in the page.

import { HEADER, Unreadable } from "./trajectory.js";

/** A run served by `gritstone view`. */
export class Served {
  static async open() {
    const served = new Served();
    served.state = await served.status();
    return served;
  }

  get live() {
    return this.state.live;
  }

  /** Files of the run and their present lengths. */
  async status() {
    this.state = await (await ask("status.json")).json();
    return this.state;
  }

  async size() {
    const { trajectory } = await this.status();
    if (trajectory === null) throw new Unreadable(missing(this.state.folder));
    return trajectory;
  }

  async bytes(from, length) {
    if (!length) return new Uint8Array();
    const range = { Range: `bytes=${from}-${from + length - 1}` };
    const answer = await ask("trajectory.grit", { headers: range });
    return new Uint8Array(await answer.arrayBuffer());
  }

  /** Concatenated headers of the chunks from an offset on. */
  async headers(from) {
    return new Uint8Array(await (await ask(`headers?from=${from}`)).arrayBuffer());
  }

  /** Time series: pairs of name and text. */
  async series() {
    const texts = this.state.series.map(async (name) => [name, await (await ask(`series/${encodeURIComponent(name)}`)).text()]);
    return Promise.all(texts);
  }
}

/** A run embedded in the page by `gritstone export`. */
export class Embedded {
  /** Null if the page has no embedded run. */
  static find() {
    const about = document.getElementById("run-about");
    return about ? new Embedded(JSON.parse(about.textContent)) : null;
  }

  constructor(about) {
    this.state = about;
    this.live = false;
    const pieces = [...document.querySelectorAll("script.run-trajectory")];
    this.data = join(pieces.map((piece) => fromBase64(piece.textContent)));
    // The text is no longer needed and larger than the bytes.
    pieces.forEach((piece) => piece.remove());
  }

  async size() {
    return this.data.length;
  }

  async bytes(from, length) {
    return this.data.subarray(from, from + length);
  }

  async headers(from) {
    const found = [];
    for (let at = from; at < this.data.length; ) {
      const header = this.data.subarray(at, at + HEADER);
      found.push(header);
      if (header.length < HEADER) break;
      at += HEADER + new DataView(header.buffer, header.byteOffset).getUint32(4, true);
    }
    return join(found);
  }

  async series() {
    return Object.entries(this.state.series);
  }
}

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function missing(folder) {
  return `There is no trajectory.grit in ${folder}: the run has not written one yet, or the scene has output.trajectory = false.`;
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Unreadable("gritstone view does not respond: it was stopped. Start it again and reload this page.");
  }
  if (answer.status === 416) return new Response(new Uint8Array());
  if (!answer.ok) throw new Unreadable((await answer.text()).trim() || `The server returned status ${answer.status}.`);
  return answer;
}

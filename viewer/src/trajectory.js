// Reading a trajectory chunk by chunk, also one that is being written, or that was cut: see docs/trajectory.md.

import { crc32 } from "./crc32.js";
import { decodeCell, decodeFrame, decodeList, listOf } from "./frame.js";

const MAGIC = [0x89, 0x47, 0x52, 0x49, 0x54, 0x0d, 0x0a, 0x1a];
const VERSION = 2;
const START = 16;
export const HEADER = 40;

/** Frames that are kept decoded, by their number of bytes. */
const CACHE_BYTES = 256 << 20;

/** A file that cannot be shown, in words for people. */
export class Unreadable extends Error {}

/** A file that was cut back by a run that goes on from its checkpoint. */
export class Shortened extends Unreadable {}

/** @typedef {{ size(): Promise<number>, bytes(from: number, length: number): Promise<Uint8Array>,
 *   headers(from: number): Promise<Uint8Array> }} Source */

export class Trajectory {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.description = null;
    this.lists = [];
    /** By the number of the frame that comes after. */
    this.cells = new Map();
    this.frames = [];
    /** Where the next chunk would start. */
    this.end = START;
    /** Why there is nothing more to read behind the last frame, or null. */
    this.broken = null;
    this.decodedLists = new Map();
    this.cache = new Map();
    this.cached = 0;
  }

  /** Reads the description and finds the frames. */
  static async open(source) {
    const trajectory = new Trajectory(source);
    // Asked first, because it tells where there is no file at all.
    const size = await source.size();
    const start = await source.bytes(0, Math.min(size, START));
    if (MAGIC.some((byte, i) => start.length > i && start[i] !== byte)) {
      throw new Unreadable("This file is not a trajectory of Gritstone.");
    }
    if (start.length < START) throw new Unreadable("The trajectory ends before its description: it was cut off.");
    const version = new DataView(start.buffer, start.byteOffset).getUint32(8, true);
    if (version !== VERSION) {
      throw new Unreadable(`The trajectory has layout version ${version}, but this page reads version ${VERSION}.`);
    }
    await trajectory.refresh();
    if (!trajectory.description) {
      throw new Unreadable(`The trajectory has no description: ${trajectory.broken ?? "it ends too early"}.`);
    }
    return trajectory;
  }

  get dimension() {
    return this.description.dimension;
  }

  /** Looks for frames that were written since; returns how many. */
  async refresh() {
    const before = this.frames.length;
    const size = await this.source.size();
    if (size < this.end) throw new Shortened("The trajectory has become shorter.");
    const found = await this.source.headers(this.end);
    this.broken = null;
    let described = null;
    for (let at = 0; at < found.length; at += HEADER) {
      const header = readHeader(found.subarray(at, at + HEADER));
      const left = size - this.end;
      if (!header) {
        this.broken = left < HEADER ? "it ends in the middle of a frame" : `bytes have changed at ${this.end}`;
        break;
      }
      if (HEADER + header.stored > left) break;
      const entry = { ...header, offset: this.end };
      if (header.kind === "HEAD") described = entry;
      if (header.kind === "GRNS") this.lists.push(entry);
      if (header.kind === "CELL") this.cells.set(this.frames.length, entry);
      if (header.kind === "FRAM") this.frames.push(entry);
      this.end += HEADER + header.stored;
    }
    if (!this.broken && this.end < size) this.broken = "it ends in the middle of a frame";
    if (described) this.description = JSON.parse(new TextDecoder().decode(await this.payload(described)));
    return this.frames.length - before;
  }

  /** The checked and decompressed content of a chunk. */
  async payload(entry) {
    const stored = await this.source.bytes(entry.offset + HEADER, entry.stored);
    if (stored.length !== entry.stored || crc32(stored) !== entry.checksum) {
      throw new Unreadable(`The trajectory is damaged at byte ${entry.offset}: bytes have changed or are missing.`);
    }
    const inflated = new Blob([stored]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(inflated).arrayBuffer());
  }

  /** One frame, decoded. */
  frame(number) {
    const kept = this.cache.get(number);
    if (kept) {
      // The one used last stays longest.
      this.cache.delete(number);
      this.cache.set(number, kept);
      return kept.promise;
    }
    const item = { promise: this.load(number), bytes: 4 * this.frames[number].raw };
    this.cache.set(number, item);
    this.cached += item.bytes;
    item.promise.catch(() => this.forget(number));
    for (const oldest of this.cache.keys()) {
      if (this.cached <= CACHE_BYTES || this.cache.size <= 3) break;
      this.forget(oldest);
    }
    return item.promise;
  }

  forget(number) {
    this.cached -= this.cache.get(number)?.bytes ?? 0;
    this.cache.delete(number);
  }

  async load(number) {
    const entry = this.frames[number];
    const payload = await this.payload(entry);
    try {
      const frame = decodeFrame(payload, await this.list(listOf(payload)), this.dimension);
      return Object.assign(frame, { step: entry.step, time: entry.time, cell: await this.cell(number) });
    } catch (error) {
      if (error instanceof RangeError) throw new Unreadable(`Frame ${number} of the trajectory is damaged.`);
      throw error;
    }
  }

  /** The cell that repeats, or null. */
  async cell(number) {
    const entry = this.cells.get(number);
    return entry ? decodeCell(await this.payload(entry)) : null;
  }

  list(number) {
    const entry = this.lists[number];
    if (!entry) throw new Unreadable(`The list of grains ${number} is missing in the trajectory.`);
    if (!this.decodedLists.has(number)) this.decodedLists.set(number, this.payload(entry).then(decodeList));
    return this.decodedLists.get(number);
  }
}

/** A chunk's header, or null where its checksum does not fit. */
function readHeader(bytes) {
  if (bytes.length < HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const u32 = (at) => view.getUint32(at, true);
  if (crc32(bytes.subarray(0, 36)) !== u32(36)) return null;
  return {
    kind: String.fromCharCode(...bytes.subarray(0, 4)),
    stored: u32(4),
    raw: u32(8),
    checksum: u32(12),
    step: Number(view.getBigUint64(16, true)),
    time: view.getFloat64(24, true),
    number: u32(32),
  };
}

// Lists of grains and frames: see docs/trajectory.md, `GRNS` and `FRAM`.

import { Columns } from "./columns.js";

const WALL = 2 ** 31;
const SQRT_HALF = Math.SQRT1_2;

/** Which list of grains a frame refers to. */
export function listOf(payload) {
  return new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
}

/** Ids, shapes and materials of grains. */
export function decodeList(payload) {
  const count = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
  const columns = new Columns(payload, 4);
  return { count, ids: columns.u32(count), shapes: columns.u32(count), materials: columns.u16(count) };
}

/** The middle of a cell that repeats, and its side along each axis, null where nothing repeats. */
export function decodeCell(payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const vector = (i) => [0, 1, 2].map((k) => view.getFloat64(24 * i + 8 * k, true));
  const sides = [1, 2, 3].map(vector).map((side) => (Math.hypot(...side) > 0 ? side : null));
  return { centre: vector(0), sides };
}

/**
 * What there is at a moment. Vectors are interleaved x, y, z; rotations are quaternions x, y, z, w.
 * In the plane, z is zero and rotations are about z.
 */
export function decodeFrame(payload, list, dimension) {
  const view = new DataView(payload.buffer, payload.byteOffset);
  const [, n, wallCount, contactCount, recorded] = [0, 4, 8, 12, 16].map((at) => view.getUint32(at, true));
  if (n !== list.count) throw new RangeError("the frame and its list of grains do not fit");
  const number = (at) => view.getFloat64(at, true);
  const [quantum, origin] = [number(24), [number(32), number(40), number(48)]];
  const columns = new Columns(payload, 88);
  const axes = dimension === 3 ? [0, 1, 2] : [0, 1];
  const positions = columns.points(n, dimension, origin, quantum);
  const rotations = dimension === 3 ? turnsInSpace(columns, n) : turnsInPlane(columns, n);
  const velocities = columns.halfVectors(n, axes, number(56));
  const spins = columns.halfVectors(n, dimension === 3 ? axes : [2], number(64));
  const loads = columns.half(n, number(72));
  const coordination = columns.u8(n);
  const walls = takeWalls(columns, wallCount, dimension);
  const contacts = () => takeContacts(columns, contactCount, dimension, origin, quantum, number(80));
  const frame = { count: n, list, positions, rotations, velocities, spins, loads, coordination, walls };
  return withContacts(frame, recorded ? contactCount : null, contacts);
}

/** Contacts take most of the time and are seldom asked for: they are decoded when they are. */
function withContacts(frame, contactCount, take) {
  let contacts = null;
  const get = () => (contactCount === null ? null : (contacts ??= take()));
  return Object.defineProperty({ ...frame, contactCount }, "contacts", { get });
}

/** The angle is a fraction of a turn. */
function turnsInPlane(columns, n) {
  const angles = columns.u16(n);
  const rotations = new Float32Array(4 * n);
  for (let i = 0; i < n; i++) {
    const half = (Math.PI * angles[i]) / 65536;
    rotations[4 * i + 2] = Math.sin(half);
    rotations[4 * i + 3] = Math.cos(half);
  }
  return rotations;
}

/** The quaternion comes without its largest component. */
function turnsInSpace(columns, n) {
  const words = [columns.u16(n), columns.u16(n), columns.u16(n)];
  const rotations = new Float32Array(4 * n);
  const others = new Float64Array(3);
  const value = (word) => ((2 * (word & 0xfff)) / 4095 - 1) * SQRT_HALF;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) others[k] = value(words[k][i]);
    const rest = others[0] ** 2 + others[1] ** 2 + others[2] ** 2;
    const largest = (words[0][i] >> 12) & 3;
    for (let k = 0, next = 0; k < 4; k++) {
      const component = k === largest ? Math.sqrt(Math.max(0, 1 - rest)) : others[next++];
      // Stored as w, x, y, z.
      rotations[4 * i + ((k + 3) & 3)] = component;
    }
  }
  return rotations;
}

function takeWalls(columns, count, dimension) {
  const present = columns.f32(count);
  const vectors = () => Array.from({ length: dimension }, () => columns.f32(count));
  const position = vectors();
  const turn = Array.from({ length: dimension === 3 ? 4 : 1 }, () => columns.f32(count));
  const force = vectors();
  const vector = (axes, i) => [0, 1, 2].map((axis) => axes[axis]?.[i] ?? 0);
  const rotation = (i) => {
    if (dimension === 3) return [turn[1][i], turn[2][i], turn[3][i], turn[0][i]];
    return [0, 0, Math.sin(turn[0][i] / 2), Math.cos(turn[0][i] / 2)];
  };
  return Array.from({ length: count }, (_, i) => ({
    present: present[i] !== 0,
    position: vector(position, i),
    rotation: rotation(i),
    force: vector(force, i),
  }));
}

function takeContacts(columns, count, dimension, origin, quantum, unit) {
  const [first, second] = [columns.u32(count), columns.u32(count)];
  const points = columns.points(count, dimension, origin, quantum);
  const forces = columns.halfVectors(count, dimension === 3 ? [0, 1, 2] : [0, 1], unit);
  return { count, first, second, points, forces };
}

/** The second body of a contact: a grain's index, or -1 − index of the wall. */
export function secondBody(contacts, i) {
  const second = contacts.second[i];
  return second >= WALL ? -1 - (second - WALL) : second;
}

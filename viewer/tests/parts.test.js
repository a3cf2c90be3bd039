// Parts that need no browser, against answers from elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 as zlib } from "node:zlib";

import { boundsOf } from "../src/bounds.js";
import { channels, classColour, css, CURVES, PALETTE, scaleTable, VIRIDIS } from "../src/colours.js";
import { edges } from "../src/cell.js";
import { Columns } from "../src/columns.js";
import { crc32 } from "../src/crc32.js";
import { choices, readSeries } from "../src/csv.js";
import { parseTime, plain, si, whole } from "../src/format.js";
import { secondBody } from "../src/frame.js";
import { makeModel } from "../src/model.js";
import { pick } from "../src/pick.js";
import { cut, square, turn } from "../src/polygon.js";
import { logRange, scaleRange, telling } from "../src/quantities.js";
import { Trajectory } from "../src/trajectory.js";
import { folder, gritstone, scene, table } from "./program.js";

test("checksums are those of zlib", () => {
  // The check value of every catalogue of CRCs.
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  for (const length of [0, 1, 7, 8, 9, 1000, 4099]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 2654435761) >>> 13);
    assert.equal(crc32(bytes), zlib(bytes));
  }
});

test("halves are those of IEEE 754", () => {
  const halves = [[0x3c00, 1], [0xc000, -2], [0x7bff, 65504], [0x3555, 0.333251953125], [0, 0]];
  const words = halves.map(([half]) => half);
  const bytes = Uint8Array.from([...words.map((word) => word & 255), ...words.map((word) => word >> 8)]);
  assert.deepEqual([...new Columns(bytes, 0).half(5, 1)], halves.map(([, number]) => Math.fround(number)));
  assert.ok(Number.isNaN(new Columns(Uint8Array.from([0, 0x7e]), 0).half(1, 1)[0]));
  assert.throws(() => new Columns(bytes, 0).u32(3), RangeError);
});

test("numbers are written for people", () => {
  assert.deepEqual([si(0.0021, "m"), si(999.99, "N"), si(0, "s"), si(-2.5e6, "Pa"), si(NaN, "m")], ["2.1 mm", "1 kN", "0 s", "-2.5 MPa", "–"]);
  assert.deepEqual([plain(1234.56), plain(1e-7), plain(0), whole(1234567)], ["1230", "1e-7", "0", "1\u202f234\u202f567"]);
});

test("prefixes go with the unit that they are written before", () => {
  const written = [
    [0.0566, "kg", "56.6 g"], [3.2, "kg", "3.2 kg"], [5400, "kg", "5400 kg"], [2e-6, "kg/s", "2 mg/s"], [0, "kg", "0 kg"],
    [2500, "kg/m3", "2500 kg/m3"], [2.5e-5, "m2", "2.5e-5 m2"], [4e-9, "m3", "4e-9 m3"], [1500, "1/s", "1500 1/s"],
    [0.004, "N m", "4 mN m"], [0.003, "deg", "0.003 deg"], [0.02, "rad/s", "20 mrad/s"], [90, "min", "90 min"],
    [1e-4, "m2/s", "1e-4 m2/s"], [25_000, "s", "25000 s"], [0.05, "kg m2", "50 g m2"],
  ];
  for (const [value, unit, expected] of written) assert.equal(si(value, unit), expected);
});

test("times are typed with and without a unit", () => {
  const typed = ["0.2", "200 ms", " 50us ", "1.5e-3 s", "2 min", ".5", "-1 ms", "soon", "", "5 mm"];
  assert.deepEqual(typed.map(parseTime).map((t) => Math.round(t * 1e9) / 1e9), [0.2, 0.2, 5e-5, 0.0015, 120, 0.5, -0.001, NaN, NaN, NaN]);
});

test("colours are those of snapshots and reports", () => {
  const crates = new URL("../../crates/", import.meta.url);
  const render = readFileSync(new URL("gritstone-render/src/colormap.rs", crates), "utf8");
  const hex = (text) => text.match(/0x[0-9A-F]{6}/g).map(Number);
  assert.deepEqual(VIRIDIS, hex(/VIRIDIS[^;]*table: &\[([^\]]*)\]/.exec(render)[1]));
  assert.deepEqual(PALETTE, hex(/KINDS: \[u32; 7\] = \[([^\]]*)\]/.exec(render)[1]));
  // Half of the way to white, and 0.65 of the way to black, in linear light; a test of gritstone-render has the same bytes.
  assert.deepEqual([0, 7, 14].map((i) => channels(classColour(i))), [[68, 119, 170], [192, 202, 218], [39, 72, 105]]);
  assert.deepEqual([...scaleTable().subarray(0, 3)], [0x44, 0x01, 0x54]);
  const report = readFileSync(new URL("gritstone-report/src/plot/palette.rs", crates), "utf8");
  const series = [...report.matchAll(/\("(#[0-9a-f]{6})", "(#[0-9a-f]{6})"\),/g)];
  const style = readFileSync(new URL("../src/style.css", import.meta.url), "utf8");
  assert.equal(series.length, CURVES);
  series.forEach(([, light, dark], i) => {
    assert.deepEqual(style.match(new RegExp(`--curve-${i}: #[0-9a-f]{6}`, "g")), [`--curve-${i}: ${light}`, `--curve-${i}: ${dark}`]);
  });
  assert.equal(css(PALETTE[0]), "#4477aa");
});

test("colour scales cover what snapshots' scales cover", () => {
  const values = (...numbers) => Float32Array.from(numbers);
  assert.deepEqual(scaleRange({ key: "speed" }, [values(1, 2, 3), values(0.5, 4, NaN)]), [0, 4]);
  // One grain in two hundred that flies off.
  const outlier = Float32Array.from({ length: 200 }, (_, i) => (i === 7 ? 1000 : 1 + i / 1000));
  assert.ok(Math.abs(scaleRange({ key: "speed" }, [outlier])[1] - 1.2) < 0.01);
  assert.deepEqual(scaleRange({ key: "size" }, [values(2, 3), values(1, 2)]), [1, 3]);
  assert.deepEqual(scaleRange({ key: "size" }, [values(2, 2)]), [1, 3]);
  assert.deepEqual(scaleRange({ key: "coordination" }, [values(0, 0)]), [0, 1]);
  assert.deepEqual(scaleRange({ key: "force" }, [values()]), [0, 1]);
  assert.deepEqual(logRange([0, 10], [values(0, 0.5, 10)]), [0.5, 10]);
  assert.deepEqual(logRange([0, 10], [values(1e-9, 10)]), [0.001, 10]);
  assert.deepEqual(logRange([2, 10], [values(1)]), [2, 10]);
});

test("the colouring at the start tells grains apart", () => {
  const shapes = [{ family: 0, diameter: 1 }, { family: 0, diameter: 1.005 }, { family: 0, diameter: 2 }, { family: 1, diameter: 1 }];
  const of = (...used) => telling({ list: { shapes: Uint32Array.from(used) } }, { shapes });
  assert.deepEqual([of(0, 1), of(0, 2, 0), of(0, 3), of(3)], ["speed", "size", "shape", "speed"]);
});

test("polygons are cut by half-spaces", () => {
  const whole = square([0, 0, 1], 0.5, [2, 3, 9], 1);
  assert.deepEqual(whole.map((p) => p[2]), [0.5, 0.5, 0.5, 0.5]);
  const half = cut(whole, [1, 0, 0], 2);
  assert.deepEqual(half.map(([x]) => x).sort(), [1, 1, 2, 2]);
  assert.deepEqual(cut(whole, [0, 0, 1], 0), []);
  // A quarter turn about z takes x to y.
  const [x, y] = turn([0, 0, Math.SQRT1_2, Math.SQRT1_2], [1, 0, 0]);
  assert.ok(Math.abs(x) < 1e-15 && Math.abs(y - 1) < 1e-15);
});

test("a cell's edges lead from corner to corner", () => {
  const bounds = { low: [-9, -9, 1], high: [9, 9, 3] };
  const sheared = edges({ centre: [1, 0.5, 0], sides: [[2, 0, 0], [0.5, 1, 0], null] }, 2, bounds);
  assert.deepEqual(sheared.slice(0, 2), [[[-0.25, 0, 0], [1.75, 0, 0]], [[-0.25, 0, 0], [0.25, 1, 0]]]);
  assert.equal(sheared.length, 4);
  // Along z, where nothing repeats, it reaches as far as the grains.
  const upright = edges({ centre: [0, 0, 0], sides: [[4, 0, 0], [0, 4, 0], null] }, 3, bounds);
  assert.equal(upright.length, 12);
  assert.deepEqual([...new Set(upright.flat().map(([, , z]) => z))], [1, 3]);
});

test("time series are read with units, without a line that is being written", () => {
  const text = "step,time [s],kinetic [J],elastic [J],grains\n0,0,1,2,5\n1,0.5,3,4,5\n2,1,9";
  const series = readSeries(text);
  assert.deepEqual([...series.times], [0, 0.5]);
  assert.deepEqual(series.columns.map(({ name, unit }) => [name, unit]), [["kinetic", "J"], ["elastic", "J"], ["grains", ""]]);
  assert.equal(readSeries("id,x\n1,2\n"), null);
  const labels = choices([["energies.csv", text]]).map(({ label }) => label);
  assert.deepEqual(labels, ["all energies (J)", "kinetic (J)", "elastic (J)", "grains"]);
});

/** A trajectory in memory. */
function inMemory(bytes) {
  return {
    size: async () => bytes.length,
    bytes: async (from, length) => bytes.subarray(from, from + length),
    headers: async (from) => {
      const found = [];
      for (let at = from; at < bytes.length; at += 40 + bytes.readUInt32LE(at + 4)) found.push(bytes.subarray(at, at + 40));
      return Buffer.concat(found);
    },
  };
}

for (const name of ["space", "plane"]) {
  test(`the last frame is what final.csv says, in ${name}`, async (context) => {
    const out = join(folder(context), "out");
    gritstone("run", scene(name), "--out", out);
    const trajectory = await Trajectory.open(inMemory(readFileSync(join(out, "trajectory.grit"))));
    const frame = await trajectory.frame(trajectory.frames.length - 1);
    const rows = table(join(out, "final.csv"));
    assert.deepEqual([...frame.list.ids], rows.map(({ id }) => id));
    const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} ${b}`);
    const fastest = Math.max(...rows.map(({ vx, vy, vz = 0 }) => Math.hypot(vx, vy, vz)));
    rows.forEach((row, i) => {
      // Steps of positions are at most 1/4096 of the smallest grain, all of which are below 10 mm.
      [row.x, row.y, row.z ?? 0].forEach((x, k) => near(frame.positions[3 * i + k], x, 0.01 / 8192));
      [row.vx, row.vy, row.vz ?? 0].forEach((v, k) => near(frame.velocities[3 * i + k], v, fastest / 2048));
      const spin = name === "space" ? [row.wx, row.wy, row.wz] : [0, 0, row.spin];
      spin.forEach((w, k) => near(frame.spins[3 * i + k], w, Math.abs(w) / 2048 + 1e-6));
      const q = name === "space" ? [row.qx, row.qy, row.qz, row.qw] : [0, 0, Math.sin(row.angle / 2), Math.cos(row.angle / 2)];
      const same = q.reduce((sum, c, k) => sum + c * frame.rotations[4 * i + k], 0);
      near(Math.abs(same), 1, 1e-6);
    });
  });
}

test("sizes and bounds are those of the shapes", () => {
  const level = { points: [1, 0, 0, 0, 1, 0, 0, 0, 1, -1, -1, -1], normals: [], faces: [] };
  const model = makeModel({
    dimension: 3, title: "", materials: [], walls: [],
    prototypes: [{ shape: { shape: "sphere" }, levels: [level] }],
    shapes: [{ name: null, shape: { shape: "sphere", radius: 0.5 }, prototype: 0, scale: [0.5, 0.5, 0.5], centroid: [0, 0, 0], volume: Math.PI / 6 }],
  });
  assert.ok(Math.abs(model.shapes[0].diameter - 1) < 1e-12);
  assert.ok(Math.abs(model.shapes[0].reach - 0.5 * Math.sqrt(3)) < 1e-7);
  // A hundred grains in a row, and one that got lost.
  const positions = new Float64Array(303);
  for (let i = 0; i < 100; i++) positions[3 * i] = i;
  positions[300] = 1e6;
  const { low, high } = boundsOf([{ count: 101, list: { shapes: new Uint32Array(101) }, positions }], model);
  assert.ok(low[0] < 0 && low[0] > -2 && high[0] > 99 && high[0] < 250, `${low} ${high}`);
});

test("walls among contacts are told from grains", () => {
  assert.deepEqual([0, 1].map((i) => secondBody({ second: Uint32Array.from([7, 2 ** 31 + 3]) }, i)), [7, -4]);
});

test("parts of a compound are where the document puts them", () => {
  // Two unit squares in the plane, one turned by a quarter and moved by (3, 0), twice as wide along its own x.
  const flatLevel = { points: [1, 1, -1, 1, -1, -1, 1, -1], normals: [], faces: [0, 1, 2, 3] };
  const part = { shape: {}, prototype: 0, scale: [1, 1], centroid: [0, 0], position: [0, 0], rotation: [1, 0, 0, 0] };
  const turned = { ...part, scale: [2, 1], position: [3, 0], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };
  const model = makeModel({
    dimension: 2, title: "", materials: [], walls: [],
    prototypes: [{ shape: {}, levels: [flatLevel] }],
    shapes: [{ name: "pair", shape: {}, prototype: 0, scale: [1, 1], centroid: [0, 0], volume: 12, parts: [part, turned] }],
  });
  const [{ points, rings }] = model.prototypes[model.shapes[0].prototype].levels;
  const corner = (i) => [...points.subarray(3 * i, 3 * i + 3)].map((x) => Math.round(x * 1e6) / 1e6 + 0);
  assert.deepEqual(rings.map((ring) => [...ring]), [[0, 1, 2, 3], [4, 5, 6, 7]]);
  assert.deepEqual([0, 4, 5].map(corner), [[1, 1, 0], [2, 2, 0], [2, -2, 0]]);
  assert.ok(Math.abs(model.shapes[0].reach - Math.hypot(4, 2)) < 1e-6);
  // A line of sight onto the second, the gap between them (none), and beside both.
  const frame = { count: 1, positions: [0, 0, 0], rotations: Float32Array.from([0, 0, 0, 1]), list: { shapes: [0] } };
  const at = (x, y) => pick({ origin: [x, y, 5], direction: [0, 0, -1] }, frame, model, [0, 0, 0], () => false);
  assert.deepEqual([at(3, 1.9), at(0, 0.9), at(0, 1.5), at(4.5, 0)], [0, 0, -1, -1]);
});

test("lines of sight meet surfaces where they are", () => {
  const octahedron = {
    points: [1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
    normals: [], faces: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5],
  };
  const shape = { name: null, shape: { shape: "octahedron" }, prototype: 0, scale: [2, 1, 1], centroid: [0, 0, 0], volume: 1 };
  const model = makeModel({
    dimension: 3, title: "", materials: [], walls: [], prototypes: [{ shape: {}, levels: [octahedron] }], shapes: [shape],
  });
  // The second is behind the first, turned by a quarter about z: long along y.
  const rotations = Float32Array.from([0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  const frame = { count: 2, positions: [0, 0, 0, 0, 0, -3], rotations, list: { shapes: [0, 0] } };
  const at = (x, y, hidden = () => false) => pick({ origin: [x, y, 9], direction: [0, 0, -1] }, frame, model, [0, 0, 0], hidden);
  assert.deepEqual([at(0, 0.1), at(1.5, 0.1), at(0.1, 1.5), at(1.5, 1.5)], [0, 0, 1, -1]);
  // What is cut away is looked through.
  assert.equal(at(0, 0.1, ([, , z]) => z > -2), 1);
});

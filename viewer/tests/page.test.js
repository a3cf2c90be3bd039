// The page in a real browser, as `gritstone view` serves it and as `gritstone export` writes it.

import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { spawn } from "node:child_process";

import { scaleTable } from "../src/colours.js";
import { background, colourAt, covered, differing, digest, launch, open, pixels, shown } from "./browser.js";
import { folder, gritstone, PROGRAM, scene, table, view } from "./program.js";

describe("the page", () => {
  let browser;
  let runs;
  const out = (name) => join(runs, name);

  before(async () => {
    runs = mkdtempSync(join(tmpdir(), "gritstone-viewer-"));
    for (const name of ["space", "plane", "machine", "cell"]) gritstone("run", scene(name), "--out", out(name));
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    rmSync(runs, { recursive: true, force: true });
  });

  /** A page that shows a run; it is closed with the test, which fails if the page has complained. */
  async function show(context, url, options) {
    const page = await open(browser, url, options);
    context.after(async () => {
      assert.deepEqual(page.errors, []);
      await page.close();
    });
    await shown(page);
    // Software draws slowly: coarse surfaces are enough here.
    await page.evaluate(() => (window.gritstone.view.grains.detail = 0.1));
    return page;
  }

  const served = async (context, name, options) => show(context, await view(context, out(name)), options);

  /** Goes to a moment and waits for it. */
  const go = (page, number) => page.evaluate((n) => window.gritstone.player.jump(n), number);

  /** Where the grain with an id is on the page, and its colour there. */
  async function place(page, id) {
    return page.evaluate((wanted) => {
      const { view: shownView } = window.gritstone;
      const index = shownView.frame.list.ids.indexOf(wanted);
      if (index < 0) throw new Error(`there is no grain ${wanted}`);
      const [x, y] = shownView.place(index);
      const box = document.getElementById("canvas").getBoundingClientRect();
      return { x: x + box.left, y: y + box.top, canvas: [Math.round(x), Math.round(y)] };
    }, id);
  }

  /** The colour of a grain about its centre, from which a line leads to its boundary. */
  async function colourOf(page, picture, id) {
    const [x, y] = (await place(page, id)).canvas;
    const around = [[3, 3], [-3, 3], [-3, -3], [3, -3]].map(([dx, dy]) => colourAt(picture, [x + dx, y + dy]));
    const found = (await Promise.all(around)).map(String).sort();
    // Three of the four at least are the same.
    return found[1].split(",").map(Number);
  }

  const row = (page, key) => page.locator(`#grain tr[data-key="${key}"] td`).innerText();

  const numbers = (text) => text.match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);

  for (const name of ["space", "plane"]) {
    test(`shows what there is, in ${name}`, async (context) => {
      const page = await served(context, name);
      const picture = await pixels(page);
      const share = await covered(picture);
      assert.ok(share > 0.03 && share < 0.95, `${share}`);
      const count = table(join(out(name), "final.csv")).length;
      assert.match(await page.locator("#facts").innerText(), new RegExp(`^${count} grains`));
      // Every grain is drawn where it is: in the plane none hides another.
      if (name === "plane") {
        for (const id of [1, 17, 48]) assert.notDeepEqual(await colourOf(page, picture, id), await background(picture));
      }
    });
  }

  test("opens on the last frame, coloured as snapshots are", async (context) => {
    for (const [name, last, quantity] of [["plane", 40, "shape"], ["machine", 8, "speed"]]) {
      const page = await served(context, name);
      assert.equal(await page.evaluate(() => window.gritstone.player.number), last);
      assert.equal(await page.locator("#quantity").inputValue(), quantity);
    }
  });

  test("goes to a frame and to a time that are typed in", async (context) => {
    const page = await served(context, "plane");
    const type = async (id, text) => {
      await page.locator(id).fill(text);
      await page.keyboard.press("Enter");
      await page.evaluate(() => window.gritstone.player.busy);
      return [await page.locator("#frame-number").inputValue(), await page.locator("#frame-time").inputValue()];
    };
    assert.deepEqual(await type("#frame-number", "11"), ["11", "100 ms"]);
    assert.deepEqual(await type("#frame-time", "0.2"), ["21", "200 ms"]);
    assert.deepEqual(await type("#frame-time", "52 ms"), ["6", "50 ms"]);
    assert.deepEqual(await type("#frame-number", "9999"), ["41", "400 ms"]);
    assert.deepEqual(await type("#frame-time", "later"), ["41", "400 ms"]);
  });

  test("hides single walls", async (context) => {
    const page = await served(context, "machine");
    await page.locator("#grains").selectOption("hidden");
    await page.locator("#wall-list summary").click();
    assert.deepEqual(await page.locator("#wall-list label").allInnerTexts(), ["beam", "plate"]);
    const both = await covered(await pixels(page));
    await page.getByRole("checkbox", { name: "beam" }).uncheck();
    const one = await covered(await pixels(page));
    assert.ok(one > 0 && one < both, `${one} ${both}`);
    await go(page, 3);
    assert.ok((await covered(await pixels(page))) < both);
    await page.getByRole("checkbox", { name: "plate" }).uncheck();
    assert.equal(await covered(await pixels(page)), 0);
    await page.getByRole("checkbox", { name: "beam" }).check();
    await page.getByRole("checkbox", { name: "plate" }).check();
    assert.ok((await covered(await pixels(page))) > one);
  });

  test("fits the grains into the view", async (context) => {
    const page = await served(context, "plane");
    await page.locator("#fit").click();
    const all = await covered(await pixels(page));
    await page.locator("#walls").selectOption("hidden");
    await page.locator("#fit-grains").click();
    const [xs, ys] = await page.evaluate(() => {
      const { view: shownView } = window.gritstone;
      const places = [...shownView.frame.list.ids.keys()].map((i) => shownView.place(i));
      return [0, 1].map((k) => [Math.min(...places.map((p) => p[k])), Math.max(...places.map((p) => p[k]))]);
    });
    const { width, height } = await page.locator("#canvas").boundingBox();
    const shares = [(xs[1] - xs[0]) / width, (ys[1] - ys[0]) / height];
    assert.ok(Math.max(...shares) > 0.7 && Math.max(...shares) < 1, `${shares}`);
    assert.ok(all > 0);
  });

  test("takes a range of its own, and a logarithmic one", async (context) => {
    const page = await served(context, "plane");
    await page.locator("#quantity").selectOption("speed");
    const ends = async () => numbers(await page.locator("#legend .ends").first().innerText());
    await page.locator("#range").selectOption("own");
    await page.locator("#range-low").fill("1");
    await page.locator("#range-high").fill("16");
    await page.locator("#range-high").blur();
    assert.deepEqual(await ends(), [1, 8.5, 16]);
    // Colours follow from the speeds: grains in the plane are not shaded.
    const table256 = scaleTable();
    const check = async (share) => {
      const picture = await pixels(page);
      for (const id of [1, 12, 30, 48]) {
        const speed = await page.evaluate((wanted) => {
          const { frame } = window.gritstone.view;
          const i = frame.list.ids.indexOf(wanted);
          return Math.hypot(frame.velocities[3 * i], frame.velocities[3 * i + 1]);
        }, id);
        const entry = Math.round(255 * Math.min(1, Math.max(0, share(speed))));
        const near = [-1, 0, 1].map((by) => String([...table256.subarray(4 * (entry + by), 4 * (entry + by) + 3)]));
        assert.ok(near.includes(String(await colourOf(page, picture, id))), `grain ${id} at ${speed} m/s`);
      }
    };
    await go(page, 20);
    await check((speed) => (speed - 1) / 15);
    await page.locator("#range-log").check();
    assert.deepEqual(await ends(), [1, 4, 16]);
    await check((speed) => Math.log(speed) / Math.log(16));
    await page.locator("#range").selectOption("frame");
    const [low, middle, high] = await page.evaluate(() => {
      const { range } = window.gritstone.view;
      return [range[0], Math.sqrt(range[0] * range[1]), range[1]];
    });
    assert.ok(low > 0 && low < middle && middle < high);
    const logarithmic = await pixels(page);
    await page.locator("#range-log").uncheck();
    assert.ok(await differing(logarithmic, await pixels(page)) > 1000);
    // Another quantity starts from its own values.
    await page.locator("#range").selectOption("own");
    await page.locator("#quantity").selectOption("coordination");
    assert.equal(await page.locator("#range").inputValue(), "run");
  });

  for (const [width, height] of [[1280, 800], [800, 800], [800, 600]]) {
    test(`shows the chart without scrolling at ${width} by ${height}`, async (context) => {
      const page = await served(context, "plane", { viewport: { width, height } });
      const box = await page.locator("#plot svg").boundingBox();
      const footer = await page.locator("footer").boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= footer.y, `${box.y} ${box.height} ${footer.y}`);
    });
  }

  test("plays, pauses and scrubs", async (context) => {
    const page = await served(context, "plane");
    await go(page, 0);
    const first = await pixels(page);
    await page.locator("#play").click();
    await page.waitForFunction(() => window.gritstone.player.number >= 3, null, { polling: 50 });
    await page.locator("#play").click();
    const paused = await page.evaluate(() => window.gritstone.player.playing);
    assert.equal(paused, false);
    const second = await pixels(page);
    assert.ok(await differing(first, second) > 1000);
    await page.locator("#scrub").fill("40");
    await page.waitForFunction(() => window.gritstone.player.number === 40, null, { polling: 50 });
    assert.ok(await differing(second, await pixels(page)) > 1000);
    assert.equal(await page.locator("#frame-time").inputValue(), "400 ms");
    assert.equal(await page.locator("#frame-count").innerText(), "of 41");
    await page.keyboard.press("Home");
    await page.waitForFunction(() => window.gritstone.player.number === 0, null, { polling: 50 });
    assert.equal(await differing(first, await pixels(page)), 0);
  });

  test("colours by shape, material and numbers, with a legend", async (context) => {
    const page = await served(context, "plane");
    const shapes = await page.evaluate(() => [...window.gritstone.view.frame.list.shapes]);
    await page.locator("#quantity").selectOption("shape");
    let picture = await pixels(page);
    // The "bright" palette of Paul Tol in the order of the scene's shapes.
    const palette = [[0x44, 0x77, 0xaa], [0xee, 0x66, 0x77], [0x22, 0x88, 0x33], [0xcc, 0xbb, 0x44]];
    for (const i of [0, 9, 20, 33, 47]) assert.deepEqual(await colourOf(page, picture, i + 1), palette[shapes[i]]);
    const legend = await page.locator("#legend").innerText();
    for (const name of ["disc", "egg", "tile", "kite"]) assert.match(legend, new RegExp(`${name} \\(\\d+\\)`));
    await page.locator("#quantity").selectOption("size");
    picture = await pixels(page);
    const colours = await Promise.all([...shapes.keys()].map(async (i) => String(await colourOf(page, picture, i + 1))));
    assert.ok(new Set(colours).size >= 3);
    // The disc has a diameter of 16 mm; the others are as large as a disc between the ends of the scale.
    const ends = numbers(await page.locator("#legend .ends").innerText());
    assert.ok(ends[0] < 16 && ends[2] >= 16, `${ends}`);
    for (const quantity of ["speed", "spin", "force", "coordination", "material", "plain"]) {
      await page.locator("#quantity").selectOption(quantity);
      assert.ok((await covered(await pixels(page))) > 0.01, quantity);
    }
  });

  test("cuts the scene open", async (context) => {
    const page = await served(context, "space");
    await page.evaluate(() => window.gritstone.stage.look("z"));
    await page.locator("#walls").selectOption("hidden");
    const whole = await covered(await pixels(page));
    await page.locator("#clip-axis").selectOption("0");
    const left = await covered(await pixels(page));
    await page.locator("#clip-flip").check();
    const right = await covered(await pixels(page));
    // From above, either half is there once; edges may count twice.
    assert.ok(left > 0.1 * whole && right > 0.1 * whole, `${left} ${right} ${whole}`);
    assert.ok(Math.abs(left + right - whole) < 0.03 * whole, `${left} ${right} ${whole}`);
    await page.locator("#clip-whole").check();
    const kept = await covered(await pixels(page));
    assert.notEqual(kept, right);
    await page.locator("#clip-axis").selectOption("off");
    assert.equal(await covered(await pixels(page)), whole);
  });

  test("tells of the grain that is clicked, in the plane", async (context) => {
    const page = await served(context, "plane");
    await go(page, 40);
    const rows = table(join(out("plane"), "final.csv"));
    for (const wanted of [rows[3], rows[25], rows[44]]) {
      const { x, y } = await place(page, wanted.id);
      await page.mouse.click(x, y);
      assert.equal(await row(page, "Id"), String(wanted.id));
      numbers(await row(page, "Position")).forEach((value, k) => {
        const expected = [wanted.x, wanted.y][k];
        // Four digits are shown.
        assert.ok(Math.abs(value - expected) < 5.1e-4 * Math.max(Math.abs(expected), 0.01), `${value}`);
      });
      const speed = Math.hypot(wanted.vx, wanted.vy);
      numbers(await row(page, "Velocity")).forEach((value, k) => {
        assert.ok(Math.abs(value - [wanted.vx, wanted.vy][k]) < 2e-3 * speed + 1e-4, `${value}`);
      });
    }
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#grain").isVisible(), false);
  });

  test("tells of the grain that is clicked, in space, and finds one by its id", async (context) => {
    const page = await served(context, "space");
    await go(page, 20);
    await page.evaluate(() => window.gritstone.stage.look("z"));
    const rows = table(join(out("space"), "final.csv"));
    // Nothing is above the highest.
    const highest = rows.reduce((a, b) => (b.z > a.z ? b : a));
    const { x, y } = await place(page, highest.id);
    await page.mouse.click(x, y);
    assert.equal(await row(page, "Id"), String(highest.id));
    numbers(await row(page, "Position")).forEach((value, k) => {
      assert.ok(Math.abs(value - [highest.x, highest.y, highest.z][k]) < 1e-5, `${value}`);
    });
    numbers(await row(page, "Angular velocity")).forEach((value, k) => {
      const spin = [highest.wx, highest.wy, highest.wz][k];
      assert.ok(Math.abs(value - spin) < 1e-3 * Math.abs(spin) + 1e-3, `${value} ${spin}`);
    });
    await page.locator("#find-id").fill("7");
    await page.locator("#find button").first().click();
    assert.equal(await row(page, "Id"), "7");
    // Beside all grains there is none.
    await page.mouse.click(x, (await page.locator("#canvas").boundingBox()).y + 3);
    assert.equal(await page.locator("#grain").isVisible(), false);
  });

  test("draws contact forces", async (context) => {
    const page = await served(context, "plane");
    await go(page, 40);
    const without = await pixels(page);
    await page.locator("#chains").check();
    assert.ok(await differing(without, await pixels(page)) > 500);
    const strongest = await page.evaluate(() => {
      const { forces } = window.gritstone.view.frame.contacts;
      return Math.max(...Array.from({ length: forces.length / 3 }, (_, i) => Math.hypot(...forces.subarray(3 * i, 3 * i + 3))));
    });
    const told = numbers((await page.locator("#legend .ends").last().innerText()).split("\n").at(-1))[0];
    assert.ok([1, 1e3].some((unit) => Math.abs(told * unit - strongest) < 0.01 * strongest), `${told} ${strongest}`);
  });

  test("walls that vanish are not drawn any more", async (context) => {
    const page = await served(context, "space");
    await page.locator("#grains").selectOption("hidden");
    await go(page, 14);
    const before = await covered(await pixels(page));
    await go(page, 16);
    assert.notEqual(await covered(await pixels(page)), before);
  });

  /** Where a wall's part of the scene is drawn: a point of the wall's own frame, in the world. */
  const onWall = (page, name, point) => page.evaluate(([wanted, own]) => {
    const { view: shownView, stage } = window.gritstone;
    stage.draw();
    const { holder } = shownView.walls.parts.find(({ wall }) => wall.name === wanted);
    const shownAt = holder.children[0].localToWorld(stage.camera.position.clone().set(...own)).toArray();
    return shownAt.map((x, k) => x + shownView.origin[k]);
  }, [name, point]);

  test("tools move as the scene says", async (context) => {
    const page = await served(context, "machine");
    await page.locator("#grains").selectOption("hidden");
    const near = (found, wanted) => found.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]) < 1e-6, `${found} ${wanted}`));
    const pictures = [];
    for (const [number, time] of [[0, 0], [4, 0.2], [8, 0.4]]) {
      await go(page, number);
      pictures.push(await pixels(page));
      // The plate rises by 2 cm in 0.4 s; the beam turns about (6, 6) cm once a second.
      near(await onWall(page, "plate", [0.01, 0.02, 0]), [0.07, 0.08, 0.08 + 0.05 * time]);
      const [cos, sin] = [Math.cos(2 * Math.PI * time), Math.sin(2 * Math.PI * time)];
      near(await onWall(page, "beam", [0.1, 0.065, 0.03]), [
        0.06 + 0.04 * cos - 0.005 * sin, 0.06 + 0.04 * sin + 0.005 * cos, 0.03,
      ]);
    }
    for (const [a, b] of [[0, 1], [1, 2], [0, 2]]) assert.ok(await differing(pictures[a], pictures[b]) > 500);
    // Bodies with ends can be seen: a point of the beam is not background.
    const [x, y] = await page.evaluate(() => {
      const { view: shownView, stage } = window.gritstone;
      return stage.onCanvas([0.06, 0.06, 0.03].map((value, k) => value - shownView.origin[k])).map(Math.round);
    });
    assert.notDeepEqual(await colourAt(pictures[2], [x, y]), await background(pictures[2]));
  });

  test("draws the cell that repeats", async (context) => {
    const page = await served(context, "cell");
    await page.locator("#grains").selectOption("hidden");
    for (const [number, shear] of [[0, 0], [8, 0.4]]) {
      await go(page, number);
      const picture = await pixels(page);
      // The cell is 10 cm wide and high; its upper side has slid by the shear times its height.
      const middles = [[0.05 - 0.05 * shear, 0], [0.05 + 0.05 * shear, 0.1], [0, 0.05], [0.1, 0.05]];
      const canvas = await page.evaluate((points) => {
        const { view: shownView, stage } = window.gritstone;
        return points.map((p) => stage.onCanvas([...p, 0].map((x, k) => x - shownView.origin[k])).map(Math.round));
      }, middles);
      const empty = String(await background(picture));
      for (const [x, y] of canvas) {
        const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => colourAt(picture, [x + dx, y + dy])));
        const colours = (await Promise.all(around)).map(String);
        assert.ok(colours.some((colour) => colour !== empty), `${number}: ${x} ${y}`);
      }
      // But nothing in its middle.
      const [x, y] = [0, 1].map((k) => Math.round((canvas[2][k] + canvas[3][k]) / 2));
      assert.equal(String(await colourAt(picture, [x, y])), empty);
    }
  });

  test("shows time series and goes where they are clicked", async (context) => {
    const page = await served(context, "plane");
    await page.locator("#series").selectOption("energies: contacts");
    const last = table(join(out("plane"), "energies.csv")).at(-1);
    const top = await page.locator("#plot text").nth(2).innerHTML();
    assert.ok(Number(top) >= last.contacts);
    const plot = page.locator("#plot svg");
    const { width } = await plot.boundingBox();
    await plot.click({ position: { x: width - 8, y: 40 } });
    await page.waitForFunction(() => window.gritstone.player.number === 40, null, { polling: 50 });
  });

  test("an exported page shows the same without a network", async (context) => {
    const file = join(folder(context), "run.html");
    gritstone("export", out("plane"), "--out", file);
    const page = await show(context, await view(context, out("plane")));
    const alone = await browser.newContext({ offline: true, viewport: { width: 900, height: 640 } });
    context.after(() => alone.close());
    const asked = [];
    const exported = await alone.newPage();
    exported.on("request", (request) => asked.push(request.url()));
    await exported.goto(pathToFileURL(file).href);
    await shown(exported);
    await exported.evaluate(() => (window.gritstone.view.grains.detail = 0.1));
    for (const number of [0, 25]) {
      await go(page, number);
      await go(exported, number);
      assert.equal(await digest(await pixels(page)), await digest(await pixels(exported)));
    }
    assert.equal(await exported.locator("#series option").count(), await page.locator("#series option").count());
    assert.deepEqual(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
  });

  test("a thinned page has fewer moments", async (context) => {
    const file = join(folder(context), "run.html");
    gritstone("export", out("plane"), "--every", "10", "--out", file);
    const page = await show(context, pathToFileURL(file).href);
    assert.equal(await page.locator("#frame-count").innerText(), "of 5");
    assert.equal(await page.locator("#frame-time").inputValue(), "400 ms");
  });

  test("follows a run that is written meanwhile, frame by whole frame", async (context) => {
    const live = folder(context);
    const whole = readFileSync(join(out("plane"), "trajectory.grit"));
    // Where each chunk ends, as docs/trajectory.md has it.
    const ends = [];
    for (let at = 16; at < whole.length; ends.push(at)) at += 40 + whole.readUInt32LE(at + 4);
    const url = await view(context, live, "--live");
    const page = await open(browser, url);
    context.after(() => page.close());
    await page.getByText("Waiting for the first frame").waitFor();
    const path = join(live, "trajectory.grit");
    // Description, list of grains, two frames, and half of the third.
    const half = Math.round((ends[3] + ends[4]) / 2);
    writeFileSync(path, whole.subarray(0, half));
    await shown(page);
    const count = () => page.evaluate(() => window.gritstone.player.count);
    assert.equal(await count(), 2);
    appendFileSync(path, whole.subarray(half, ends[9]));
    await page.waitForFunction(() => window.gritstone.player.count === 8 && window.gritstone.player.number === 7, null, { polling: 50 });
    assert.equal(await page.locator("#live").innerText(), "live");
    // Whoever looks at an earlier frame stays there.
    await page.locator("#first").click();
    appendFileSync(path, whole.subarray(ends[9]));
    await page.waitForFunction(() => window.gritstone.player.count === 41, null, { polling: 50 });
    assert.equal(await page.evaluate(() => window.gritstone.player.number), 0);
    cpSync(join(out("plane"), "summary.json"), join(live, "summary.json"));
    await page.getByText("finished", { exact: true }).waitFor();
    assert.deepEqual(page.errors, []);
  });

  test("follows a real run from before its first frame to its end", async (context) => {
    const live = join(folder(context), "run");
    mkdirSync(live);
    const page = await open(browser, await view(context, live, "--live"));
    context.after(() => page.close());
    await page.getByText("Waiting for the first frame").waitFor();
    const run = spawn(PROGRAM, ["run", scene("plane"), "--out", live], { stdio: "ignore" });
    context.after(() => run.kill());
    await shown(page);
    await page.getByText("finished", { exact: true }).waitFor({ timeout: 60_000 });
    await page.waitForFunction(() => window.gritstone.player.number === 40, null, { polling: 50 });
  });

  describe("says what is wrong", () => {
    /** A copy of a run whose trajectory is altered once it is served, because the program looks before it serves. */
    async function altered(context, alter) {
      const copy = join(folder(context), "run");
      cpSync(out("plane"), copy, { recursive: true });
      const url = await view(context, copy);
      alter(join(copy, "trajectory.grit"));
      const page = await open(browser, url);
      context.after(() => page.close());
      return page;
    }

    test("of a trajectory that was cut", async (context) => {
      const page = await altered(context, (path) => writeFileSync(path, readFileSync(path).subarray(0, -100)));
      await shown(page);
      await page.locator("#notice").waitFor();
      assert.match(await page.locator("#notice").innerText(), /has 40 complete frames; after them it ends in the middle of a frame/);
      assert.ok((await covered(await pixels(page))) > 0.01);
    });

    test("of bytes that have changed", async (context) => {
      const page = await altered(context, (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 5] ^= 1;
        writeFileSync(path, bytes);
      });
      await shown(page);
      await page.locator("#last").click();
      await page.getByText(/damaged at byte \d+/).waitFor();
    });

    const hopeless = [
      ["of a missing trajectory", (path) => rmSync(path), /There is no trajectory.grit/],
      ["of a file that is none", (path) => writeFileSync(path, "some text that is no trajectory"), /not a trajectory/],
      ["of one without frames", (path) => writeFileSync(path, readFileSync(path).subarray(0, 300)), /no description: it ends in the middle/],
      ["of another version", (path) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, 8), Buffer.from([9, 0, 0, 0, 0, 0, 0, 0])])), /version 9/],
    ];
    for (const [what, alter, expected] of hopeless) {
      test(what, async (context) => {
        const page = await altered(context, alter);
        await page.locator("#message-text").filter({ hasText: expected }).waitFor();
        assert.equal(await page.locator("#message-title").innerText(), "This run cannot be shown");
      });
    }
  });

  test("works by keys alone", async (context) => {
    const page = await served(context, "space");
    await go(page, 12);
    const first = await pixels(page);
    for (const key of ["+", "-", "ArrowLeft", "ArrowUp", "Shift+ArrowRight", "2", "x", "k", "."]) {
      const before = await pixels(page);
      await page.keyboard.press(key);
      await page.evaluate(() => window.gritstone.player.busy);
      assert.ok(await differing(before, await pixels(page)) > 300, key);
    }
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#help").isVisible(), false);
    assert.ok(await differing(first, await pixels(page)) > 1000);
    // And without a wheel by buttons.
    const before = await pixels(page);
    await page.locator("#zoom-in").click();
    assert.ok(await differing(before, await pixels(page)) > 1000);
  });

  test("saves a picture", async (context) => {
    const page = await served(context, "plane");
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#shot").click()]);
    assert.match(download.suggestedFilename(), /^Every-shape-in-the-plane-20000\.png$/);
    const png = readFileSync(await download.path());
    const canvas = await page.evaluate(() => [document.getElementById("canvas").width, document.getElementById("canvas").height]);
    assert.deepEqual([png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)], ["PNG", ...canvas]);
  });

  for (const [width, height] of [[1280, 800], [390, 844]]) {
    test(`fits into ${width} pixels, light and dark`, async (context) => {
      const page = await served(context, "plane", { viewport: { width, height }, colorScheme: "light" });
      const day = await background(await pixels(page));
      await page.locator("#theme").click();
      const night = await background(await pixels(page));
      assert.ok(day.every((byte) => byte > 200) && night.every((byte) => byte < 60), `${day} ${night}`);
      if (width < 700) await page.locator("#panel-toggle").click();
      const wrong = await page.evaluate(() => {
        const wide = [...document.querySelectorAll("body *")].filter((element) => {
          const box = element.getBoundingClientRect();
          return box.width > 0 && box.right > window.innerWidth + 0.5 && !element.closest("svg");
        });
        // What can be used must have a name for those who cannot see it.
        const named = (e) => e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim();
        const nameless = [...document.querySelectorAll("button, select, input")].filter((element) => !named(element));
        return [...wide, ...nameless].map((element) => element.outerHTML.slice(0, 80));
      });
      assert.deepEqual(wrong, []);
    });
  }
});

// The program itself: runs scenes, serves folders.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const PROGRAM = process.env.GRITSTONE ?? fileURLToPath(new URL("../../target/release/gritstone", import.meta.url));

export const scene = (name) => fileURLToPath(new URL(`scenes/${name}.toml`, import.meta.url));

/** A folder that is gone with the test. */
export function folder(context) {
  const path = mkdtempSync(join(tmpdir(), "gritstone-viewer-"));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs the program to its end. */
export function gritstone(...words) {
  const done = spawnSync(PROGRAM, words, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${words.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

/** Serves a folder; returns the address. */
export async function view(context, path, ...more) {
  const child = spawn(PROGRAM, ["view", path, "--no-open", "--json", ...more], { stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => child.kill());
  const [line] = await Promise.race([
    createInterface(child.stdout)[Symbol.asyncIterator]().next().then(({ value }) => [value]),
    new Promise((_, fail) => child.on("exit", (code) => fail(new Error(`view ended with ${code}`)))),
  ]);
  return JSON.parse(line).url;
}

/** The rows of a table, as objects of numbers. */
export function table(path) {
  const [names, ...rows] = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(row.map((value, k) => [names[k], Number(value)])));
}

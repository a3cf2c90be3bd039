// Makes the page: one file with everything in it. `--check` only says whether the one that is there is current.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";

import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const page = new URL("../crates/gritstone-cli/src/view/page.html", here);

/** Everything that the page is made from, by name. */
function sources() {
  const scripts = readdirSync(new URL("src/", here)).sort().map((name) => `src/${name}`);
  return ["build.mjs", "index.html", "package-lock.json", "package.json", ...scripts];
}

/** A checksum over names and contents, which a test of the program compares without any of these tools. */
function stamp() {
  const sum = sources().reduce((crc, name) => crc32(readFileSync(new URL(name, here)), crc32(`${name}\n`, crc)), 0);
  return sum.toString(16).padStart(8, "0");
}

async function make() {
  const bundle = await build({
    entryPoints: ["src/main.js"], absWorkingDir: new URL(".", here).pathname,
    bundle: true, minify: true, write: false, format: "iife", target: "es2022", legalComments: "none", charset: "utf8",
  });
  const [script] = bundle.outputFiles;
  const three = JSON.parse(readFileSync(new URL("node_modules/three/package.json", here)));
  const note = `<!-- sources ${stamp()}; with three.js ${three.version}, Copyright 2010-2026 three.js authors, MIT licence -->`;
  const style = readFileSync(new URL("src/style.css", here), "utf8");
  // Functions, so that $ has no meaning in what is put in.
  return readFileSync(new URL("index.html", here), "utf8")
    .replace("<!doctype html>", () => `<!doctype html>\n${note}`)
    .replace("<!-- build: style -->", () => `<style>\n${style}</style>`)
    .replace("<!-- build: script -->", () => `<script>\n${script.text.replaceAll("</script", "<\\/script")}</script>`);
}

const made = await make();
if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== made) {
    console.error("The page is not what its sources make: run `npm run build` in viewer/ and commit it.");
    process.exit(1);
  }
  console.log("The page is current.");
} else {
  writeFileSync(page, made);
  console.log(`${(made.length / 1000).toFixed(0)} kB`);
}

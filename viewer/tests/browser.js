// A browser to test in: Debian's Chromium, drawing without a graphics card.

import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Starts a browser with a profile of its own, which is gone with it. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
}

/** Opens an address and waits until the run is shown; what goes wrong on the page fails the test. */
export async function open(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 900, height: 640 }, ...options });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

/** Waits until the page has shown a moment. */
export async function shown(page) {
  await page.waitForFunction(() => window.gritstone?.view.frame, null, { polling: 100, timeout: 60_000 });
  return page;
}

/** What the canvas shows, drawn anew. It stays in the page, because handing a million numbers over takes seconds. */
export function pixels(page) {
  return page.evaluateHandle(() => {
    window.gritstone.stage.draw();
    const canvas = document.getElementById("canvas");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const bytes = pen.getImageData(0, 0, copy.width, copy.height).data;
    return { width: copy.width, height: copy.height, words: new Uint32Array(bytes.buffer) };
  });
}

/** Share of the pixels that are not background, which the upper right corner is. */
export function covered(picture) {
  return picture.evaluate(({ width, words }) => words.filter((word) => word !== words[width - 1]).length / words.length);
}

/** Number of pixels in which two pictures of a page differ. */
export function differing(picture, other) {
  return picture.evaluate((a, b) => a.words.filter((word, i) => word !== b.words[i]).length, other);
}

/** All pixels as one text, to compare pictures of different pages. */
export function digest(picture) {
  return picture.evaluate(async ({ words }) => {
    let sum = 0;
    for (const word of words) sum = (Math.imul(sum, 31) + word) | 0;
    return `${words.length} ${sum}`;
  });
}

/** Red, green and blue of a pixel. */
export function colourAt(picture, [x, y]) {
  return picture.evaluate(({ width, words }, at) => {
    const word = words[at[1] * width + at[0]];
    return [word & 255, (word >> 8) & 255, (word >> 16) & 255];
  }, [x, y]);
}

export const background = (picture) => picture.evaluate(({ width, words }) => {
  const word = words[width - 1];
  return [word & 255, (word >> 8) & 255, (word >> 16) & 255];
});

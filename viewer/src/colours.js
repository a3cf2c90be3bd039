// Colour maps and palettes.

/** Viridis (van der Walt and Smith, CC0) without its darkest fifth, in which shading could not be seen. */
const VIRIDIS = [
  0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779,
  0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725,
];

/** Told apart by eyes with and without colour blindness (Okabe and Ito), then more. */
const PALETTE = [
  0xe69f00, 0x56b4e9, 0x009e73, 0xd55e00, 0xcc79a7, 0x0072b2, 0xf0e442, 0x999999, 0x8c564b, 0x9467bd, 0x17becf,
  0xbcbd22,
];

export const ENTRIES = 256;

/** What grains look like that are not told apart. */
export const PLAIN = 0xd9b48a;

/** Colours of a scale from low to high: bytes r, g, b, a. */
export function scaleTable() {
  const table = new Uint8Array(4 * ENTRIES);
  for (let i = 0; i < ENTRIES; i++) {
    const place = (i / (ENTRIES - 1)) * (VIRIDIS.length - 1);
    const k = Math.min(Math.floor(place), VIRIDIS.length - 2);
    const [low, high] = [channels(VIRIDIS[k]), channels(VIRIDIS[k + 1])];
    for (let c = 0; c < 3; c++) table[4 * i + c] = Math.round(low[c] + (high[c] - low[c]) * (place - k));
    table[4 * i + 3] = 255;
  }
  return table;
}

/** One colour for each class; after twelve they come again. */
export function classTable() {
  const table = new Uint8Array(4 * ENTRIES);
  for (let i = 0; i < ENTRIES; i++) table.set([...channels(classColour(i)), 255], 4 * i);
  return table;
}

export function plainTable() {
  const table = new Uint8Array(4 * ENTRIES);
  for (let i = 0; i < ENTRIES; i++) table.set([...channels(PLAIN), 255], 4 * i);
  return table;
}

export function classColour(index) {
  return PALETTE[index % PALETTE.length];
}

export function channels(colour) {
  return [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
}

export function css(colour) {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

/** The scale as a gradient of CSS. */
export function gradient(direction) {
  return `linear-gradient(${direction}, ${VIRIDIS.map(css).join(", ")})`;
}

// Colour maps and palettes: those of gritstone-render and gritstone-report, so that the viewer, snapshots and reports agree.

/** Viridis (van der Walt and Smith, CC0), every 17th of its 256 colours. */
export const VIRIDIS = [
  0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e, 0x1f988b, 0x22a884,
  0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725,
];

/** Seven colours that are distinct with and without colour blindness ("bright" of P. Tol, SRON/EPS/TN/09-002). */
export const PALETTE = [0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee, 0xaa3377, 0xbbbbbb];

/** Number of curve colours, which the style sheet defines for light and dark pages. */
export const CURVES = 6;

export const ENTRIES = 256;

/** The single colour of all grains. */
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

/** One colour per class. */
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

/** The colour of a class: after seven the same ones lighter, after fourteen darker, then from the start again. */
export function classColour(index) {
  const colour = PALETTE[index % PALETTE.length];
  const round = Math.floor(index / PALETTE.length) % 3;
  if (round === 0) return colour;
  const [end, share] = round === 1 ? [1, 0.5] : [0, 0.65];
  const mixed = channels(colour).map((byte) => encode(decode(byte) + (end - decode(byte)) * share));
  return (mixed[0] << 16) | (mixed[1] << 8) | mixed[2];
}

/** IEC 61966-2-1, from a byte to linear light. */
function decode(byte) {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

/** IEC 61966-2-1, from linear light to a byte. */
function encode(light) {
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
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

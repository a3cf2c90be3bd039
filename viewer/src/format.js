// Numbers with units, for reading and from typing.

const PREFIXES = [
  [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"],
];

/** Units that take a prefix, as the first factor of a product: in "m2" the prefix would be squared, "1/s" has no place for it. */
const PREFIXED = /^(m|g|s|N|J|W|Pa|Hz|rad)(?![\w²³^])/;

/** Time and length above one second and one kilometre, and mass above one kilogram, are written without a prefix. */
const LARGEST = { s: 1, m: 1e3, g: 1e3 };

/** A number with a unit, in the prefix that suits it: 0.0021 m is 2.1 mm, 0.0566 kg is 56.6 g. */
export function si(value, unit, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (!unit) return plain(value, digits);
  if (value === 0) return `0 ${unit}`;
  const [number, base] = unit.startsWith("kg") ? [1000 * value, unit.slice(1)] : [value, unit];
  const [, symbol] = PREFIXED.exec(base) ?? [];
  if (!symbol) return `${plain(value, digits)} ${unit}`;
  const most = LARGEST[symbol] ?? Infinity;
  const prefixes = PREFIXES.filter(([factor]) => factor <= most);
  const size = Math.abs(number) * (1 + 10 ** -digits / 2);
  const [factor, prefix] = prefixes.find(([factor]) => size >= factor) ?? prefixes.at(-1);
  return `${plain(number / factor, digits)} ${prefix}${base}`;
}

/** As many digits as asked for, without zeros at the end. */
export function plain(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

/** 12345 as 12 345. */
export function whole(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

const SECONDS = { "": 1, s: 1, ms: 1e-3, us: 1e-6, "µs": 1e-6, "μs": 1e-6, ns: 1e-9, min: 60, h: 3600 };

/** A typed time in seconds, "0.2" or "200 ms"; NaN where it is not one. */
export function parseTime(text) {
  const [, number, unit] = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-zµμ]*)\s*$/i.exec(text) ?? [];
  return number === undefined ? NaN : Number(number) * (SECONDS[unit] ?? NaN);
}

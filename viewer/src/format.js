// Numbers for people.

const PREFIXES = [
  [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"],
];

/** A number with a unit, in the prefix that suits it: 0.0021 m is 2.1 mm. */
export function si(value, unit, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (!unit) return plain(value, digits);
  if (value === 0) return `0 ${unit}`;
  const size = Math.abs(value) * (1 + 10 ** -digits / 2);
  const [factor, prefix] = PREFIXES.find(([factor]) => size >= factor) ?? PREFIXES.at(-1);
  return `${plain(value / factor, digits)} ${prefix}${unit}`;
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

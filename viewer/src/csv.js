// Time series of a run: CSV with a line of names, units in brackets.

/** @returns {{ columns: { name: string, unit: string, values: Float64Array }[], times: Float64Array } | null} */
export function readSeries(text) {
  const lines = text.split("\n");
  const names = lines[0].trim().split(",").map((name) => name.trim());
  // The last line may still be incomplete.
  const rows = lines.slice(1, -1).filter((line) => line && !line.startsWith("#")).map((line) => line.split(","));
  const whole = rows.filter((row) => row.length === names.length);
  const columns = names.map((title, k) => {
    const [, name, unit = ""] = /^(.*?)\s*(?:\[(.*)\])?$/.exec(title);
    return { name, unit, values: Float64Array.from(whole, (row) => (row[k].trim() ? Number(row[k]) : NaN)) };
  });
  const time = columns.find((column) => column.name === "time");
  if (!time) return null;
  const shown = columns.filter((column) => column !== time && column.name !== "step");
  return { columns: shown.filter((column) => column.values.some(Number.isFinite)), times: time.values };
}

/** Plots on offer: all columns of a file with the same unit, then each column by itself. */
export function choices(files) {
  const found = [];
  for (const [file, text] of files) {
    const series = readSeries(text);
    if (!series) continue;
    const origin = file.replace(/\.csv$/, "");
    const label = (what) => (files.length > 1 ? `${origin}: ${what}` : what);
    for (const unit of new Set(series.columns.map((column) => column.unit))) {
      const together = series.columns.filter((column) => column.unit === unit);
      if (unit && together.length > 1) {
        const what = unit === "J" ? "all energies" : `all in ${unit}`;
        found.push({ label: label(`${what} (${unit})`), times: series.times, columns: together, unit });
      }
    }
    for (const column of series.columns) {
      const name = column.name.replaceAll("_", " ") + (column.unit ? ` (${column.unit})` : "");
      found.push({ label: label(name), times: series.times, columns: [column], unit: column.unit });
    }
  }
  return found;
}

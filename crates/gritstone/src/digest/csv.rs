//! Time series as runs write them: a header with units in brackets, then numbers.

use std::path::Path;

use gritstone_files::memory;

/// Most points of a curve on the page.
const MOST_POINTS: usize = 300;

/// A table as text and as numbers takes at most so many times the bytes of its file.
const PER_BYTE: u64 = 8;

/// A table of numbers.
pub(super) struct TimeSeries {
    pub(super) columns: Vec<Column>,
    /// Index of the column that the others are plotted over.
    pub(super) over: usize,
}

/// A column: its name, its unit, its numbers.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) unit: Option<String>,
    pub(super) values: Vec<f64>,
}

impl TimeSeries {
    /// Reads a file; nothing where it is no time series. Text that is no number leaves a gap.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let text = String::from_utf8(memory::read_at_most(path, memory::limit() / PER_BYTE).ok()?).ok()?;
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let mut columns: Vec<Column> = lines.next()?.split(',').map(Column::named).collect();
        let over = columns.iter().position(|column| column.name == "time")?;
        for line in lines {
            let mut fields = line.split(',');
            for column in &mut columns {
                column
                    .values
                    .push(fields.next().and_then(|field| field.trim().parse().ok()).unwrap_or(f64::NAN));
            }
        }
        (!columns[over].values.is_empty()).then_some(Self { columns, over })
    }

    /// The points of a column, thinned to what a plot can show.
    pub(super) fn points(&self, column: &Column) -> Vec<(f64, f64)> {
        let times = &self.columns[self.over].values;
        let every = times.len().div_ceil(MOST_POINTS).max(1);
        let last = times.len() - 1;
        let chosen = (0..times.len()).filter(|i| i % every == 0 || *i == last);
        chosen.map(|i| (times[i], column.values[i])).collect()
    }

    /// A column by its name.
    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Column {
    /// From a heading such as `time [s]`.
    fn named(heading: &str) -> Self {
        let heading = heading.trim();
        let (name, unit) = match heading.split_once('[') {
            Some((name, unit)) => (name.trim(), Some(unit.trim_end_matches(']').trim().to_owned())),
            None => (heading, None),
        };
        Self { name: name.to_owned(), unit: unit.filter(|unit| !unit.is_empty()), values: Vec::new() }
    }

    /// The largest absolute value.
    pub(super) fn magnitude(&self) -> f64 {
        self.values.iter().filter(|value| value.is_finite()).fold(0.0, |most, value| most.max(value.abs()))
    }

    /// Whether there is something to plot.
    pub(super) fn is_alive(&self) -> bool {
        self.values.iter().any(|value| value.is_finite() && *value != 0.0)
    }
}

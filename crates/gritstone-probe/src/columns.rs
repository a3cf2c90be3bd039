//! Names and units of what is measured.

use gritstone_core::Dim;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it is.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
}

/// The mean of some numbers; not a number without any.
pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = numbers.fold((0.0, 0.0), |(count, sum), x| (count + 1.0, sum + x));
    sum / count
}

/// The largest of some numbers; not a number without any.
pub(crate) fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::NAN, f64::max)
}

/// Names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

impl Column {
    /// A column with a unit.
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self { name: name.into(), unit }
    }

    /// A column for each component of a vector.
    pub(crate) fn vector<D: Dim>(name: &str, unit: &'static str) -> impl Iterator<Item = Self> {
        (0..D::N).map(move |i| Self::new(format!("{name}{}", AXES[i]), unit))
    }

    /// A column for each component of a spin or torque: one in the plane.
    pub(crate) fn spin<D: Dim>(name: &str, unit: &'static str) -> impl Iterator<Item = Self> {
        let axes: &[&str] = if D::N == 2 { &["z"] } else { &AXES };
        axes.iter().map(move |axis| Self::new(format!("{name}{axis}"), unit))
    }

    /// A column for each component of a tensor, row by row.
    pub(crate) fn tensor<D: Dim>(name: &str, unit: &'static str) -> impl Iterator<Item = Self> {
        (0..D::N * D::N).map(move |k| Self::new(format!("{name}{}{}", AXES[k / D::N], AXES[k % D::N]), unit))
    }
}

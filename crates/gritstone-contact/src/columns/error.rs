//! What can be wrong with arrays of bodies and pairs.

/// Why arrays cannot be solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ColumnError {
    /// An array has the wrong length.
    #[error("{name} has {given} rows, but must have {needed}, one for each body")]
    Length {
        /// Which array.
        name: &'static str,
        /// How many rows it has.
        given: usize,
        /// How many it must have.
        needed: usize,
    },
    /// An index points at nothing.
    #[error("{name}[{row}] has the index {value}, but must be below {count}")]
    Index {
        /// Which array.
        name: &'static str,
        /// Where in it.
        row: usize,
        /// The index that was given.
        value: u32,
        /// How many things there are to point at.
        count: usize,
    },
    /// A number is not usable as a coordinate or angle.
    #[error("{name}[{row}] has the number {value:?}, but must be finite and within 1e30 of zero")]
    Number {
        /// Which array.
        name: &'static str,
        /// Where in it.
        row: usize,
        /// What was given.
        value: f64,
    },
    /// A quaternion without a direction.
    #[error("quaternions[{row}] has length zero or is not finite, but must be a rotation")]
    Quaternion {
        /// Where in the array.
        row: usize,
    },
}

pub(super) fn check_index(
    name: &'static str,
    row: usize,
    value: u32,
    count: usize,
) -> Result<(), ColumnError> {
    if (value as usize) < count { Ok(()) } else { Err(ColumnError::Index { name, row, value, count }) }
}

/// Largest coordinate, in either direction, for which exact predicates neither under- nor overflow.
const LARGEST: f64 = 1e30;

pub(super) fn check_number(name: &'static str, row: usize, value: f64) -> Result<(), ColumnError> {
    // NaN fails the comparison, too.
    if value.abs() <= LARGEST { Ok(()) } else { Err(ColumnError::Number { name, row, value }) }
}

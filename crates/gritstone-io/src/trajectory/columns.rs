//! Columns of numbers as byte planes: first the lowest byte of every number, then the next. High bytes are much alike, so
//! that compression finds them.

/// Adds a column.
pub(super) fn push<const W: usize>(out: &mut Vec<u8>, column: &[[u8; W]]) {
    for byte in 0..W {
        out.extend(column.iter().map(|number| number[byte]));
    }
}

/// Takes columns off the front of a payload.
pub(super) struct Columns<'p> {
    rest: &'p [u8],
}

impl<'p> Columns<'p> {
    pub(super) fn new(payload: &'p [u8]) -> Self {
        Self { rest: payload }
    }

    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// The next column of `count` numbers; nothing when the payload is too short.
    pub(super) fn take<const W: usize>(&mut self, count: usize) -> Option<Vec<[u8; W]>> {
        let (planes, rest) = self.rest.split_at_checked(count.checked_mul(W)?)?;
        self.rest = rest;
        Some((0..count).map(|i| std::array::from_fn(|byte| planes[byte * count + i])).collect())
    }

    /// A single number.
    pub(super) fn one<const W: usize>(&mut self) -> Option<[u8; W]> {
        self.take(1).map(|column| column[0])
    }
}

//! What \[wellmann2008\] reports of its validation, for the intervals 1, 2 and 3 of its Table I.

/// Figure 5 and the text about it: pairs that are apart.
pub struct Separated {
    /// Share of pairs that are excluded after 0 iterations.
    pub at_once: [f64; 3],
    /// Share of pairs that need five or more iterations.
    pub five_or_more: [f64; 3],
    /// Pairs that are not excluded within 50 iterations, of 10⁶.
    pub not_within_50: [f64; 3],
    /// The largest number of new start points.
    pub most_new_starts: u32,
}

/// Figure 6 and the text about it: pairs that overlap.
pub struct Overlapping {
    /// Share of pairs that need 20 or more iterations.
    pub twenty_or_more: [f64; 3],
    /// Pairs that converge to a local minimum or do not converge within 50 iterations, of 10⁶.
    pub failed: [f64; 3],
    /// The largest number of new start points.
    pub most_new_starts: [u32; 3],
}

/// Table II: average errors.
pub struct Errors {
    /// |d̃ − d|/d.
    pub depth: [f64; 3],
    /// ‖p̃ − p‖.
    pub point: [f64; 3],
    /// Angle between c̃ and c in degrees.
    pub angle: [f64; 3],
}

/// The first test series.
pub const SEPARATED: Separated = Separated {
    at_once: [0.881, 0.852, 0.782],
    five_or_more: [0.011, 0.011, 0.037],
    not_within_50: [28.0, 24.0, 456.0],
    most_new_starts: 3,
};

/// The second test series.
pub const OVERLAPPING: Overlapping = Overlapping {
    twenty_or_more: [0.004, 0.004, 0.045],
    failed: [193.0, 198.0, 9219.0],
    most_new_starts: [2, 2, 15],
};

/// Table II.
pub const ERRORS: Errors = Errors {
    depth: [2.34e-6, 2.40e-6, 3.21e-5],
    point: [4.34e-8, 4.40e-8, 3.72e-7],
    angle: [4.21e-3, 5.05e-3, 1.82e-2],
};

//! How much is asked of a method.

/// Which pairs a method must solve, and how well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tier {
    /// Exponents of superellipsoids.
    pub exponents: [f64; 2],
    /// Largest ratio of two radii of a grain.
    pub aspect: f64,
    /// Deepest overlap, as a fraction of the smallest radius.
    pub deepest: f64,
    /// Whether grains may be aligned with each other and touch on their axes, where faces are flat and corners sharp.
    pub aligned: bool,
    /// Whether figures in the plane may be polygons and segments.
    pub corners: bool,
    /// Whether all figures are polygons, and all solids polyhedra.
    pub only_corners: bool,
    /// Error allowed in the gap, as a fraction of the smaller grain's size.
    pub accuracy: f64,
    /// What the points may be off by, as a fraction of the smaller grain's size.
    pub witness: f64,
    /// Whether every answer must be proven.
    pub certified: bool,
    /// Whether a few scenes in a hundred may stay unresolved.
    pub may_give_up: bool,
}

impl Tier {
    /// All shapes, deep overlaps, faces on faces; every answer proven.
    pub const CERTIFIED: Self = Self {
        exponents: [0.1, 1.9],
        aspect: 20.0,
        deepest: 0.5,
        aligned: true,
        corners: true,
        only_corners: false,
        accuracy: 1e-9,
        witness: 2e-7,
        certified: true,
        may_give_up: false,
    };

    /// The same to nearly all digits, as can be had in the plane.
    pub const EXACT: Self = Self { accuracy: 1e-11, witness: 2e-9, ..Self::CERTIFIED };

    /// Polygons and polyhedra alone, to nearly all digits.
    pub const POLYTOPES: Self = Self { only_corners: true, ..Self::EXACT };

    /// The same from bounds alone, which leave a direction free to turn by about the square root of their width, and the
    /// points go with it. Where smooth bodies just touch, a few answers stay unresolved.
    pub const BOUNDED: Self = Self { witness: 1e-4, may_give_up: true, ..Self::CERTIFIED };

    /// Rounded shapes, small overlaps, to nearly all digits.
    pub const CONVERGED: Self = Self {
        exponents: [0.7, 1.3],
        aspect: 6.0,
        deepest: 1e-3,
        aligned: false,
        corners: false,
        only_corners: false,
        accuracy: 1e-11,
        witness: 1e-10,
        certified: false,
        may_give_up: false,
    };

    /// The same, to the digits that \[wellmann2008\] asks for: ‖grad f‖ below 1e-6.
    pub const PUBLISHED: Self = Self { accuracy: 1e-7, witness: 1e-4, ..Self::CONVERGED };
}

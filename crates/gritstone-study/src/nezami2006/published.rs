//! What the paper prints.

/// Figure 13: ratios of Cundall's time to that of the shortest link, for nine pairs.
pub const LINK_13: [f64; 9] = [5.7, 9.6, 16.4, 5.0, 11.3, 11.8, 15.9, 9.8, 10.5];
/// Figure 13: the same for the fast common plane.
pub const PLANE_13: [f64; 9] = [2.3, 3.1, 4.6, 2.6, 3.3, 3.0, 3.6, 1.3, 3.7];

/// Ratios of Cundall's time in simulations, from least to most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    /// The shortest link.
    pub link: [f64; 2],
    /// The fast common plane.
    pub plane: [f64; 2],
}

/// Figure 16: particle flow, 500 to 45 000 particles.
pub const FLOW: Ratios = Ratios { link: [17.0, 21.0], plane: [10.0, 13.0] };
/// Table I: soil and a bucket, three phases.
pub const BUCKET: Ratios = Ratios { link: [18.05, 18.31], plane: [11.12, 12.54] };

/// Table I: ratios of the shortest link and of the fast common plane in each phase of the bucket's motion.
pub const TABLE_1: [[f64; 2]; 3] = [[18.31, 12.54], [18.14, 11.12], [18.05, 11.68]];

/// Section 5.2.1: share of contacts that need at most two iterations in particle flow.
pub const WITHIN_TWO_FLOW: f64 = 0.95;
/// Section 5.2.2: the same with the bucket.
pub const WITHIN_TWO_BUCKET: f64 = 0.98;

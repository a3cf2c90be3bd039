//! How large grains are.
//!
//! A grain's size is the diameter of the ball (in the plane, the disc) of the same volume; shapes are scaled to it.

use crate::quantity::{Factor, Length, Quantity, UnitInterval};
use crate::section::{choice, keywords, section};

choice! {
    /// Size distribution of grains. A grain's size is the diameter of the sphere (in 2D, the disc) of the
    /// same volume, whatever the lengths of the shape are. The distribution is sampled in classes of equal share, each with the size
    /// in its middle: `size = { distribution = "uniform", low = "8 mm", high = "14 mm" }`.
    Size by "distribution" {
        Uniform(UniformSize) => "uniform",
        Lognormal(LognormalSize) => "lognormal",
        Sieve(SieveSize) => "sieve",
    }
}

section! {
    /// Uniform distribution between two sizes.
    UniformSize {
        /// The smallest.
        low: Quantity<Length>;
        /// The largest.
        high: Quantity<Length>;
        /// Whether classes have equal number or equal mass.
        by: By = By::Number;
        /// Number of classes.
        classes: u32 = 20;
    }
}

section! {
    /// Log-normal distribution, truncated at both ends.
    LognormalSize {
        /// The median before truncation.
        median: Quantity<Length>;
        /// Standard deviation of the logarithm (to base e) of the size.
        sigma: Quantity<Factor>;
        /// The smallest; default: three standard deviations below the median.
        low: Option<Quantity<Length>>;
        /// The largest; default: three standard deviations above the median.
        high: Option<Quantity<Length>>;
        /// Whether classes have equal number or equal mass.
        by: By = By::Number;
        /// Number of classes.
        classes: u32 = 20;
    }
}

section! {
    /// A table of sieves: how much of the mass passes each. Between them the curve is straight over the logarithm of the
    /// size.
    SieveSize {
        /// Sieve openings, from fine to coarse.
        sizes: Vec<Quantity<Length>>;
        /// Fraction of the mass that passes each, from 0 at the first to 1 at the last: 0.3 or "30 %".
        passing: Vec<Quantity<UnitInterval>>;
        /// Sieve opening that half of the mass passes, in addition to the table.
        d50: Option<Quantity<Length>>;
        /// Number of classes.
        classes: u32 = 20;
    }
}

keywords! {
    /// Whether classes have equal number or equal mass.
    By {
        /// The number of grains.
        Number => "number",
        /// Their mass.
        Mass => "mass",
    }
}

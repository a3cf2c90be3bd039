//! How large grains are.
//!
//! A grain's size is the diameter of the ball (in the plane, the disc) of the same volume; shapes are scaled to it.

use crate::quantity::{Factor, Length, Quantity, UnitInterval};
use crate::section::{choice, keywords, section};

choice! {
    /// How the sizes of grains are distributed. A grain's size is the diameter of the ball (in the plane, the disc) of the
    /// same volume, whatever the shape's own lengths are. Sizes come in classes that have equal shares, each with the size
    /// in its middle: `size = { distribution = "uniform", low = "8 mm", high = "14 mm" }`.
    Size by "distribution" {
        Uniform(UniformSize) => "uniform",
        Lognormal(LognormalSize) => "lognormal",
        Sieve(SieveSize) => "sieve",
    }
}

section! {
    /// All sizes between two are equally likely.
    UniformSize {
        /// The smallest.
        low: Quantity<Length>;
        /// The largest.
        high: Quantity<Length>;
        /// What is shared out.
        by: By = By::Number;
        /// Number of classes.
        classes: u32 = 20;
    }
}

section! {
    /// The logarithm of the size has a normal distribution, cut off at both ends.
    LognormalSize {
        /// The median, before anything is cut off.
        median: Quantity<Length>;
        /// Standard deviation of the logarithm (to base e) of the size.
        sigma: Quantity<Factor>;
        /// The smallest; default: three standard deviations below the median.
        low: Option<Quantity<Length>>;
        /// The largest; default: three standard deviations above the median.
        high: Option<Quantity<Length>>;
        /// What is shared out.
        by: By = By::Number;
        /// Number of classes.
        classes: u32 = 20;
    }
}

section! {
    /// A table of sieves: how much of the mass passes each. Between them the curve is straight over the logarithm of the
    /// size.
    SieveSize {
        /// Widths of the sieves, from fine to coarse.
        sizes: Vec<Quantity<Length>>;
        /// Part of the mass that passes each, from 0 at the first to 1 at the last: 0.3 or "30 %".
        passing: Vec<Quantity<UnitInterval>>;
        /// A sieve that half of the mass passes, in addition to the table.
        d50: Option<Quantity<Length>>;
        /// Number of classes.
        classes: u32 = 20;
    }
}

keywords! {
    /// What is shared out.
    By {
        /// The number of grains.
        Number => "number",
        /// Their mass.
        Mass => "mass",
    }
}

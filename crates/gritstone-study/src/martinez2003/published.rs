//! What \[martinez2003\] prints: the worked examples of chapter 4 and appendix A, digit by digit.

use std::f64::consts::FRAC_PI_2;

use glam::DVec2;
use gritstone_contact::plane::Oval;
use gritstone_contact::plane::overlap_point::Points;

/// An ellipse: half lengths along its own axes, their angle in degrees, its centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// a and b.
    pub semi_axes: [f64; 2],
    /// φ in degrees.
    pub angle_deg: f64,
    /// (X_C, Y_C).
    pub centre: [f64; 2],
}

impl Ellipse {
    /// As the contact methods take it.
    pub fn oval(&self) -> Oval {
        Oval::new(self.semi_axes.into(), self.angle_deg.to_radians(), DVec2::from_array(self.centre))
    }
}

/// A printed minimum: θ* in degrees and f there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lowest {
    /// θ* in degrees.
    pub theta_deg: f64,
    /// f(θ*).
    pub f: f64,
}

/// What the example prints below its minima.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// Section 4.1: contact points, once for each ellipse.
    Points {
        /// By the point of B.
        by_b: Points,
        /// By the point of A.
        by_a: Points,
    },
    /// Section 4.2: the penetration distance, which is a contact where it is not negative.
    Penetration(f64),
}

/// A worked example of chapter 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// Its number.
    pub name: &'static str,
    /// Ellipse A.
    pub a: Ellipse,
    /// Ellipse B.
    pub b: Ellipse,
    /// TOL.
    pub tolerance: f64,
    /// ZB and f: the point of B, in A.
    pub b_in_a: Lowest,
    /// ZA and f: the point of A, in B.
    pub a_in_b: Lowest,
    /// The verdict.
    pub verdict: Printed,
    /// What is wrong or peculiar about it.
    pub remark: &'static str,
}

/// A function of appendix A.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// As a formula.
    pub name: &'static str,
    /// Its value.
    pub value: fn(f64) -> f64,
    /// Where it has minima, in closed form; of the sine those that lie in the intervals of the examples.
    pub minima: fn() -> [f64; 2],
}

/// An example of appendix A.
#[derive(Clone, Copy, Debug)]
pub struct BrentExample {
    /// Its number; parts are counted.
    pub name: &'static str,
    /// What is minimised.
    pub function: Function,
    /// Where.
    pub interval: [f64; 2],
    /// TOL.
    pub tolerance: f64,
    /// The printed minimum.
    pub x: f64,
    /// The printed value there.
    pub f: f64,
    /// What is wrong or peculiar about it.
    pub remark: &'static str,
}

const fn ellipse(semi_axes: [f64; 2], angle_deg: f64, centre: [f64; 2]) -> Ellipse {
    Ellipse { semi_axes, angle_deg, centre }
}

const CUBIC: Function = Function {
    name: "x³ − 2x − 5",
    value: |x| x * x * x - 2.0 * x - 5.0,
    minima: || [(2.0_f64 / 3.0).sqrt(); 2],
};

const SINE: Function = Function { name: "sin x", value: f64::sin, minima: || [-FRAC_PI_2, 3.0 * FRAC_PI_2] };

const QUARTIC: Function = Function {
    name: "x⁴ + x³ − x² + 5",
    value: |x| ((x + 1.0) * x - 1.0) * x * x + 5.0,
    minima: || [-1.0, 1.0].map(|sign| (-3.0 + sign * 41.0_f64.sqrt()) / 8.0), // 4x² + 3x − 2 = 0
};

/// Examples 4.1 to 4.17.
pub static EXAMPLES: &[Example] = &[
    Example {
        name: "4.1a",
        a: ellipse([4.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 3.0], 45.0, [4.0, 8.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 198.961, f: 0.814199 },
        a_in_b: Lowest { theta_deg: 14.9372, f: 1.83336 },
        verdict: Printed::Points { by_b: Points::None, by_a: Points::None },
        remark: "The text gives a running time of 6, the note below the example 4.",
    },
    Example {
        name: "4.1b",
        a: ellipse([4.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 3.0], 45.0, [4.0, 8.0]),
        tolerance: 1e-07,
        b_in_a: Lowest { theta_deg: 198.961, f: 0.814199 },
        a_in_b: Lowest { theta_deg: 14.9373, f: 1.83336 },
        verdict: Printed::Points { by_b: Points::None, by_a: Points::None },
        remark: "",
    },
    Example {
        name: "4.2a",
        a: ellipse([4.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([3.0, 3.0], 45.0, [4.0, 8.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 196.693, f: 0.255901 },
        a_in_b: Lowest { theta_deg: 21.0835, f: 0.356479 },
        verdict: Printed::Points { by_b: Points::None, by_a: Points::None },
        remark: "The text gives a running time of 6, the note below the example 4.",
    },
    Example {
        name: "4.2b",
        a: ellipse([4.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([3.0, 3.0], 45.0, [4.0, 8.0]),
        tolerance: 1e-07,
        b_in_a: Lowest { theta_deg: 196.692, f: 0.255901 },
        a_in_b: Lowest { theta_deg: 21.0834, f: 0.356479 },
        verdict: Printed::Points { by_b: Points::None, by_a: Points::None },
        remark: "",
    },
    Example {
        name: "4.3",
        a: ellipse([5.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([5.0, 5.0], 45.0, [7.0, 9.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 188.13, f: 7.90035e-13 },
        a_in_b: Lowest { theta_deg: 8.13012, f: 2.01394e-13 },
        verdict: Printed::Points { by_b: Points::One, by_a: Points::One },
        remark: "f is zero: what is printed is rounding. Only the band and the angles can be reproduced.",
    },
    Example {
        name: "4.4",
        a: ellipse([2.0, 2.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 2.0], 45.0, [3.0, 3.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.828427 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.828427 },
        verdict: Printed::Points { by_b: Points::Two, by_a: Points::Two },
        remark: "",
    },
    Example {
        name: "4.5",
        a: ellipse([3.0, 5.0], 30.0, [1.0, 1.0]),
        b: ellipse([4.0, 3.0], 60.0, [5.0, 6.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 164.701, f: -0.401732 },
        a_in_b: Lowest { theta_deg: 15.4105, f: -0.325772 },
        verdict: Printed::Points { by_b: Points::Two, by_a: Points::Two },
        remark: "The text speaks of one ellipse and one circle; the data are two ellipses.",
    },
    Example {
        name: "4.6",
        a: ellipse([5.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 2.0], 45.0, [3.0, 3.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.972548 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: 0.178932 },
        verdict: Printed::Points { by_b: Points::Two, by_a: Points::None },
        remark: "B lies within A and the curves do not cross, though the text tells to assume two contact points.",
    },
    Example {
        name: "4.7",
        a: ellipse([3.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([5.0, 3.0], 45.0, [3.0, 4.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 219.643, f: -0.930736 },
        a_in_b: Lowest { theta_deg: 168.585, f: 0.686508 },
        verdict: Printed::Points { by_b: Points::Two, by_a: Points::None },
        remark: "f has two minima along A, and Brent took the higher one: not a special case, but a missed minimum.",
    },
    Example {
        name: "4.8",
        a: ellipse([4.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([3.0, 3.0], 45.0, [20.0, 20.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: 34.6112 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: 57.1155 },
        verdict: Printed::Penetration(-19.8701),
        remark: "The heading refers to Figure 4.2, but the centre of B is (20, 20), not (4, 8).",
    },
    Example {
        name: "4.9",
        a: ellipse([4.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 3.0], 45.0, [4.0, 8.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 198.961, f: 0.814199 },
        a_in_b: Lowest { theta_deg: 14.9372, f: 1.83336 },
        verdict: Printed::Penetration(-1.40822),
        remark: "",
    },
    Example {
        name: "4.10a",
        a: ellipse([2.0, 2.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 2.0], 45.0, [3.0, 3.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.828427 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.828427 },
        verdict: Printed::Penetration(1.17157),
        remark: "The text rounds the depth to 1.1716.",
    },
    Example {
        name: "4.10b",
        a: ellipse([2.0, 2.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 2.0], 45.0, [3.0, 3.0]),
        tolerance: 1e-07,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.828427 },
        a_in_b: Lowest { theta_deg: 3.09413e-06, f: -0.828427 },
        verdict: Printed::Penetration(1.17157),
        remark: "",
    },
    Example {
        name: "4.11",
        a: ellipse([5.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([2.0, 2.0], 45.0, [3.0, 3.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.972548 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: 0.178932 },
        verdict: Printed::Penetration(4.17157),
        remark: "",
    },
    Example {
        name: "4.12a",
        a: ellipse([10.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([10.0, 5.0], 45.0, [12.0, 12.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.69127 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.69127 },
        verdict: Printed::Penetration(4.44365),
        remark: "The text describes circles of radius 5 and 2; the data are two ellipses of 10 by 5.",
    },
    Example {
        name: "4.12b",
        a: ellipse([10.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([10.0, 5.0], 45.0, [7.0, 7.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.977056 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.977056 },
        verdict: Printed::Penetration(-1.51472),
        remark: "The author says that the value is not correct: the centres of curvature have passed each other, and d loses its sign. The note should point to 4.12a.",
    },
    Example {
        name: "4.13",
        a: ellipse([10.0, 5.0], 135.0, [-1.0, 1.0]),
        b: ellipse([10.0, 5.0], 135.0, [-12.0, 12.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.69127 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.69127 },
        verdict: Printed::Penetration(4.44365),
        remark: "The text describes circles of radius 5 and 2 at (1, 1) and (3, 3); the data are two ellipses of 10 by 5.",
    },
    Example {
        name: "4.14",
        a: ellipse([5.0, 3.0], 90.0, [1.0, 1.0]),
        b: ellipse([5.0, 3.0], 90.0, [1.0, 8.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 180.0, f: -0.84 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.84 },
        verdict: Printed::Penetration(3.0),
        remark: "",
    },
    Example {
        name: "4.15",
        a: ellipse([10.0, 5.0], 135.0, [1.0, 1.0]),
        b: ellipse([10.0, 5.0], 135.0, [4.0, 4.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 90.0, f: -0.977056 },
        a_in_b: Lowest { theta_deg: 270.0, f: -0.977056 },
        verdict: Printed::Penetration(5.75736),
        remark: "",
    },
    Example {
        name: "4.16",
        a: ellipse([10.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([10.0, 5.0], 135.0, [8.0, 8.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 90.0, f: -0.759949 },
        a_in_b: Lowest { theta_deg: 0.00031842, f: -0.999596 },
        verdict: Printed::Penetration(5.10051),
        remark: "f has two minima along B; Brent found the lower one.",
    },
    Example {
        name: "4.17",
        a: ellipse([10.0, 5.0], 45.0, [1.0, 1.0]),
        b: ellipse([10.0, 5.0], 30.0, [14.0, 15.0]),
        tolerance: 1e-05,
        b_in_a: Lowest { theta_deg: 203.322, f: -0.00233079 },
        a_in_b: Lowest { theta_deg: 13.5606, f: -0.0026179 },
        verdict: Printed::Penetration(0.0108018),
        remark: "Two crossings and a depth of 0.1 % of the size; the band of f makes it one contact point.",
    },
];

/// Examples A.1 to A.3.
#[allow(clippy::approx_constant, reason = "digits as printed")]
pub static BRENT_EXAMPLES: &[BrentExample] = &[
    BrentExample {
        name: "A.1.1",
        function: CUBIC,
        interval: [-1.7, 0.816497],
        tolerance: 1e-05,
        x: 0.81649,
        f: -6.08866,
        remark: "On this interval the end −1.7 is lower (−6.513); Brent finds the inner minimum.",
    },
    BrentExample {
        name: "A.1.2",
        function: CUBIC,
        interval: [0.0, 1.0],
        tolerance: 1e-05,
        x: 0.816497,
        f: -6.08866,
        remark: "",
    },
    BrentExample {
        name: "A.1.3",
        function: CUBIC,
        interval: [-15.0, 15.0],
        tolerance: 1e-05,
        x: -15.0,
        f: -3350.0,
        remark: "Brent approaches the end and stops within the tolerance of it.",
    },
    BrentExample {
        name: "A.2.1",
        function: SINE,
        interval: [1.0, 5.0],
        tolerance: 1e-05,
        x: 4.71239,
        f: -1.0,
        remark: "",
    },
    BrentExample {
        name: "A.2.2",
        function: SINE,
        interval: [-5.0, 5.0],
        tolerance: 1e-05,
        x: -1.5708,
        f: -1.0,
        remark: "",
    },
    BrentExample {
        name: "A.2.3",
        function: SINE,
        interval: [-5.0, 5.0],
        tolerance: 1e-09,
        x: -1.5708,
        f: -1.0,
        remark: "",
    },
    BrentExample {
        name: "A.3.1",
        function: QUARTIC,
        interval: [-2.0, -0.75],
        tolerance: 1e-05,
        x: -1.17539,
        f: 3.90327,
        remark: "",
    },
    BrentExample {
        name: "A.3.2",
        function: QUARTIC,
        interval: [0.1, 1.0],
        tolerance: 1e-05,
        x: 0.425391,
        f: 4.92877,
        remark: "",
    },
    BrentExample {
        name: "A.3.3",
        function: QUARTIC,
        interval: [-10.0, 10.0],
        tolerance: 1e-05,
        x: -1.17539,
        f: 3.90327,
        remark: "",
    },
    BrentExample {
        name: "A.3.4",
        function: QUARTIC,
        interval: [-20.0, 20.0],
        tolerance: 1e-05,
        x: -0.72136,
        f: 4.37505,
        remark: "Not stationary: the slope there is 1.5. It equals −20 + 0.381966·40 + 4, a step beyond the first golden section.",
    },
    BrentExample {
        name: "A.3.5",
        function: QUARTIC,
        interval: [-20.0, 20.0],
        tolerance: 1e-20,
        x: -0.72136,
        f: 4.37505,
        remark: "As A.3.4.",
    },
];

//! Brent's minimisation of a function of one variable, without derivatives.
//!
//! **Idea.** An interval that holds a minimum shrinks about it. Where the function looks like a parabola through its
//! three best points, the next point is the parabola's vertex; otherwise the larger part of the interval is divided by
//! the golden section.
//!
//! **Source.** \[martinez2003\], appendix A, which follows Forsythe, Malcolm and Moler, Computer Methods for
//! Mathematical Computations, 1977, pages 182 to 187 (`fmin`), and Brent, Algorithms for Minimization Without
//! Derivatives, 1973, chapter 5.
//!
//! **Notation.** `[a, b]`: the interval. x: the best point; w: the second best; v: the w before. d: this step; e: the one
//! before the last. m: middle of the interval.
//!
//! **Deviations.** In eq. (A.3) the second `(b − a)` of the denominator must read `(b − c)`: as printed, the denominator
//! is `(b − a)·[f(a) − f(c)]`, and the formula does not give the vertex. The number of values of f is limited.
//!
//! **Fails when** the function has several minima in the interval: it finds one of them, not always the lowest. The ends
//! of the interval are approached, never evaluated.
//!
//! **Cost.** One value of f per step; about ten for a smooth function and a tolerance of 1e-5 of the interval.

use std::cell::Cell;

/// Values of f that may be taken: the golden section alone would shrink any interval of doubles to rounding with less.
const MOST_EVALUATIONS: u32 = 2000;

/// A minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// Where.
    pub at: f64,
    /// The value there.
    pub value: f64,
    /// Values of f that were taken.
    pub evaluations: u32,
}

#[derive(Clone, Copy)]
struct Point {
    at: f64,
    value: f64,
}

/// What is known after some steps.
struct State {
    a: f64,
    b: f64,
    x: Point,
    w: Point,
    v: Point,
}

/// Finds a minimum of `f` in `interval`. The point is right to `tolerance` plus the rounding that a flat minimum allows,
/// `√ε·|x|`.
pub fn minimise(mut f: impl FnMut(f64) -> f64, interval: [f64; 2], tolerance: f64) -> Minimum {
    let evaluations = Cell::new(0);
    let mut point = |at: f64| {
        evaluations.set(evaluations.get() + 1);
        Point { at, value: f(at) }
    };
    let [a, b] = interval;
    let first = point(a + golden() * (b - a));
    let mut state = State { a, b, x: first, w: first, v: first };
    let (mut d, mut e) = (0.0_f64, 0.0_f64);
    while evaluations.get() < MOST_EVALUATIONS {
        let middle = 0.5 * (state.a + state.b);
        let x = state.x.at;
        let resolution = f64::EPSILON.sqrt() * x.abs() + tolerance / 3.0;
        if (x - middle).abs() <= 2.0 * resolution - 0.5 * (state.b - state.a) {
            break;
        }
        // A parabola is tried when the step before the last was not tiny, and used when its step is less than half of it.
        let parabola = if e.abs() > resolution { state.vertex(e) } else { None };
        if let Some(step) = parabola {
            e = d;
            let at = x + step;
            let at_end = at - state.a < 2.0 * resolution || state.b - at < 2.0 * resolution;
            d = if at_end { resolution.copysign(middle - x) } else { step };
        } else {
            e = if x >= middle { state.a - x } else { state.b - x };
            d = golden() * e;
        }
        let step = if d.abs() >= resolution { d } else { resolution.copysign(d) };
        state.take(point(x + step));
    }
    Minimum { at: state.x.at, value: state.x.value, evaluations: evaluations.get() }
}

/// Share of the interval that the golden section cuts off: (3 − √5)/2 = 0.38197 (section A.2).
fn golden() -> f64 {
    0.5 * (3.0 - 5.0_f64.sqrt())
}

impl State {
    /// Step from x to the vertex of the parabola through x, w and v, if it is acceptable.
    fn vertex(&self, before_last: f64) -> Option<f64> {
        let Self { a, b, x, w, v } = self;
        // (A.3) with b, a, c = x, w, v: x_new = x − p/q. Second factor of the denominator (b − c), not (b − a).
        let r = (x.at - w.at) * (x.value - v.value);
        let s = (x.at - v.at) * (x.value - w.value);
        let q = 2.0 * (s - r);
        let p = ((x.at - v.at) * s - (x.at - w.at) * r) * -1.0_f64.copysign(q);
        let q = q.abs();
        let inside = p > q * (a - x.at) && p < q * (b - x.at);
        (inside && p.abs() < (0.5 * q * before_last).abs()).then(|| p / q)
    }

    /// Shrinks the interval about the better of x and `u`, and keeps the three best points.
    fn take(&mut self, u: Point) {
        if u.value <= self.x.value {
            let end = if u.at >= self.x.at { &mut self.a } else { &mut self.b };
            *end = self.x.at;
            (self.v, self.w, self.x) = (self.w, self.x, u);
            return;
        }
        let end = if u.at < self.x.at { &mut self.a } else { &mut self.b };
        *end = u.at;
        if u.value <= self.w.value || self.w.at == self.x.at {
            (self.v, self.w) = (self.w, u);
        } else if u.value <= self.v.value || self.v.at == self.x.at || self.v.at == self.w.at {
            self.v = u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// To six significant digits, as a C++ stream prints by default and as the thesis does.
    fn six_digits(value: f64) -> f64 {
        format!("{value:.5e}").parse().unwrap()
    }

    fn a1(x: f64) -> f64 {
        x * x * x - 2.0 * x - 5.0
    }

    fn a3(x: f64) -> f64 {
        x.powi(4) + x.powi(3) - x * x + 5.0
    }

    /// Examples A.1 to A.3 as printed: function, interval, tolerance, x, f(x).
    #[test]
    #[allow(clippy::approx_constant, reason = "digits as printed")]
    fn gives_the_printed_results_of_the_thesis() {
        type Row = (fn(f64) -> f64, [f64; 2], f64, f64, f64);
        let rows: [Row; 7] = [
            (a1, [0.0, 1.0], 1e-5, 0.816497, -6.08866),
            (f64::sin, [1.0, 5.0], 1e-5, 4.71239, -1.0),
            (f64::sin, [-5.0, 5.0], 1e-5, -1.5708, -1.0),
            (f64::sin, [-5.0, 5.0], 1e-9, -1.5708, -1.0),
            (a3, [-2.0, -0.75], 1e-5, -1.17539, 3.90327),
            (a3, [0.1, 1.0], 1e-5, 0.425391, 4.92877),
            (a3, [-10.0, 10.0], 1e-5, -1.17539, 3.90327),
        ];
        for (f, interval, tolerance, x, value) in rows {
            let found = minimise(f, interval, tolerance);
            assert_eq!((six_digits(found.at), six_digits(found.value)), (x, value), "on {interval:?}");
        }
    }

    /// At the end of an interval digits depend on the order of steps: only the tolerance can be requested.
    #[test]
    fn approaches_the_ends_that_the_thesis_prints() {
        let found = minimise(a1, [-1.7, 0.816497], 1e-5);
        assert!((found.at - 0.81649).abs() < 1e-5 && six_digits(found.value) == -6.08866, "{found:?}");
        let found = minimise(a1, [-15.0, 15.0], 1e-5);
        assert!((found.at + 15.0).abs() < 1e-5 && (found.value + 3350.0).abs() < 1e-2, "{found:?}");
    }

    /// Example A.3 on [−20, 20] prints −0.72136, where the slope is 1.5: not a minimum.
    #[test]
    fn finds_a_minimum_where_the_thesis_prints_none() {
        let minimum = (-3.0 - 41.0_f64.sqrt()) / 8.0; // 4x² + 3x − 2 = 0
        for tolerance in [1e-5, 1e-20] {
            let found = minimise(a3, [-20.0, 20.0], tolerance);
            assert!((found.at - minimum).abs() < 1e-5, "{found:?}");
        }
    }

    proptest! {
        /// Closed forms: cosh has its minimum where it is shifted to, x·ln x at 1/e.
        #[test]
        fn finds_minima_known_in_closed_form(shift in -3.0_f64..3.0, scale in 1e-3_f64..1e3) {
            let found = minimise(|x| ((x - shift * scale) / scale).cosh(), [-4.0 * scale, 5.0 * scale], 1e-9 * scale);
            prop_assert!((found.at - shift * scale).abs() < 1e-7 * scale, "{found:?}");
            prop_assert!(found.evaluations < 60, "{found:?}");
            let found = minimise(|x| x / scale * (x / scale).ln(), [0.0, scale * (1.0 + shift.abs())], 1e-9 * scale);
            prop_assert!((found.at - scale / std::f64::consts::E).abs() < 1e-7 * scale, "{found:?}");
        }

        /// The vertex of a parabola is found as soon as three points are known.
        #[test]
        fn takes_a_parabola_in_one_step(vertex in 0.2_f64..0.8, steepness in 0.1_f64..10.0) {
            let found = minimise(|x| steepness * (x - vertex) * (x - vertex), [0.0, 1.0], 1e-6);
            prop_assert!((found.at - vertex).abs() < 1e-7, "{found:?}");
            prop_assert!(found.evaluations <= 8, "{found:?}");
        }
    }

    #[test]
    fn ends_whatever_the_function() {
        assert!(minimise(|_| f64::NAN, [0.0, 1.0], 1e-9).evaluations < MOST_EVALUATIONS);
        assert!(minimise(|x| x, [f64::NEG_INFINITY, f64::INFINITY], 0.0).evaluations <= MOST_EVALUATIONS);
        assert!(minimise(f64::abs, [-1.0, 1.0], 0.0).at.abs() < 1e-9);
    }
}

//! Third derivatives of support functions.

use gritstone_core::{Dim, Linear};

/// The third derivative of a support function: `D³h(n)[s, s, s] = Σ weight (square·s)² (factor·s)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cubic<D: Dim> {
    /// The terms; those that a shape does not need are zero.
    pub terms: [CubicTerm<D>; 4],
}

/// One term of a third derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CubicTerm<D: Dim> {
    /// Its weight.
    pub weight: f64,
    /// What is squared.
    pub square: D::Vec,
    /// What is not.
    pub factor: D::Vec,
    /// By how much, relatively, a step along s changes what the term depends on: `change·s`. The series says little
    /// beyond one half.
    pub change: D::Vec,
}

impl<D: Dim> Cubic<D> {
    /// `D³h(n)[s, s, s]`, and the largest relative change that s makes to what it depends on.
    pub fn along(&self, s: D::Vec) -> (f64, f64) {
        self.terms.iter().fold((0.0, 0.0), |(sum, largest): (f64, f64), term| {
            let square = term.square.dot(s);
            let change = term.change.dot(s).abs();
            // A change that is not a number must not be lost.
            let largest = if change <= largest { largest } else { change };
            (sum + term.weight * square * square * term.factor.dot(s), largest)
        })
    }
}

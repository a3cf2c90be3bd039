//! What a contact method answers.

use gritstone_core::{Contact, Dim};

/// The outcome of a solve. Non-convergence is a result, never a silent guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict<D: Dim> {
    /// Detection only: a separating plane with normal `along` leaves at least this distance between the bodies.
    Apart {
        /// Lower bound of the distance.
        at_least: f64,
        /// Unit normal of the separating plane, from a to b.
        along: D::Vec,
    },
    /// The method's own tests are satisfied. [`Answer::certified`] says whether the gap is also proven.
    Solved(Contact<D>),
    /// The method failed, or could not prove its answer.
    Unresolved {
        /// The best that was found.
        best: Contact<D>,
        /// Why it is not to be relied on.
        doubt: Doubt,
    },
}

/// Why an answer is unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The iteration reached its limit.
    NotConverged,
    /// The iteration converged to a point that fails the method's acceptance tests.
    NotAccepted,
    /// The bounds could not be brought together within the evaluation limit.
    BoundsApart,
    /// The method needs a direction between the centres, and they coincide.
    CentresCoincide,
}

impl Doubt {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::NotConverged => "the iteration reached its limit",
            Self::NotAccepted => "the iteration converged to a point that fails the acceptance tests",
            Self::BoundsApart => "the bounds could not be brought together within the evaluation limit",
            Self::CentresCoincide => "the centres coincide, and the method starts from the line between them",
        }
    }
}

/// A verdict with the bounds that were proven on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<D: Dim> {
    /// The outcome.
    pub verdict: Verdict<D>,
    /// Proven lower bound of the signed distance: the best g(c) that was evaluated. Never above [`Self::distance`].
    pub lower: f64,
    /// Proven upper bound of the signed distance. Never below [`Self::distance`].
    pub upper: f64,
    /// The width between the bounds within which the answer counts as certified.
    pub tolerance: f64,
    /// Iterations of the method, in its own counting.
    pub iterations: u32,
    /// Pairs of support points that were evaluated.
    pub evaluations: u32,
}

impl<D: Dim> Answer<D> {
    /// A verdict between proven bounds `[lower, upper]`, after so many `[iterations, evaluations]`.
    ///
    /// Bounds and distance are evaluated along different ways, so that rounding can put them out of order by a few units in the
    /// last place; a method without a guarantee can be off by more. The bounds are widened to hold the distance, and the upper
    /// one to hold the lower one: a looser bound is a bound, too, and `lower ≤ distance ≤ upper` in every answer.
    #[inline]
    pub fn new(
        verdict: Verdict<D>,
        [lower, upper]: [f64; 2],
        tolerance: f64,
        [iterations, evaluations]: [u32; 2],
    ) -> Self {
        let answer = Self { verdict, lower, upper, tolerance, iterations, evaluations };
        let distance = answer.distance();
        Self { lower: lower.min(distance), upper: upper.max(lower).max(distance), ..answer }
    }

    /// Whether the answer is proven: the bounds agree within the certificate's tolerance and the gap with them or, in
    /// detection, a separating plane was found.
    pub fn certified(&self) -> bool {
        let Self { lower, upper, tolerance, .. } = *self;
        match self.verdict {
            Verdict::Apart { .. } => true,
            Verdict::Solved(contact) => {
                upper - lower <= tolerance && (lower - tolerance..=upper + tolerance).contains(&contact.gap)
            }
            Verdict::Unresolved { .. } => false,
        }
    }

    /// The contact, resolved or best guess; none when only a separating plane was requested.
    pub fn contact(&self) -> Option<&Contact<D>> {
        match &self.verdict {
            Verdict::Apart { .. } => None,
            Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => Some(contact),
        }
    }

    /// The direction to start from when the pair is solved again.
    pub fn direction(&self) -> D::Vec {
        match self.verdict {
            Verdict::Apart { along, .. } => along,
            Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => contact.normal,
        }
    }

    /// The same answer seen with a and b exchanged.
    pub fn swapped(self) -> Self {
        let verdict = match self.verdict {
            Verdict::Apart { at_least, along } => Verdict::Apart { at_least, along: -along },
            Verdict::Solved(contact) => Verdict::Solved(contact.swapped()),
            Verdict::Unresolved { best, doubt } => Verdict::Unresolved { best: best.swapped(), doubt },
        };
        Self { verdict, ..self }
    }

    /// The signed distance, or the lower bound of it that detection stopped at.
    pub fn distance(&self) -> f64 {
        match self.verdict {
            Verdict::Apart { at_least, .. } => at_least,
            Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => contact.gap,
        }
    }
}

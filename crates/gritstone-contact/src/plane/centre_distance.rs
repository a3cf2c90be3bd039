//! What the distance of the centres tells of two ellipses: table 2.1.
//!
//! **Source.** \[martinez2003\], section 2.3.1.
//!
//! **Notation.** d: distance of the centres, eq. (2.6). `a_i, a_j`: half the major axes; `b_i, b_j`: half the minor axes
//! (here, other than in chapter 3, the larger and the smaller ones).
//!
//! **Deviations.** The published table overlooks containment: d < b_i + b_j is said to mean more than one point of
//! intersection, but an ellipse within the other has none (example 4.6). [`mended`] says instead what the rows do prove:
//! circumscribed circles that are apart leave nothing to touch, inscribed circles that meet make the bodies meet, and
//! a circumscribed circle within the other's inscribed one has no crossing.
//!
//! **Cost.** One root.

use std::cmp::Ordering;

use super::oval::Oval;

/// Sums that agree with d to this, relatively, count as equal to it: a few roundings.
const EQUAL: f64 = 8.0 * f64::EPSILON;

/// How many points two curves may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intersections {
    /// None is possible.
    pub none: bool,
    /// One is possible.
    pub one: bool,
    /// More than one is possible.
    pub more: bool,
}

impl Intersections {
    const ANY: Self = Self { none: true, one: true, more: true };
    const NONE: Self = Self { none: true, one: false, more: false };
    const NONE_OR_ONE: Self = Self { none: true, one: true, more: false };
    const ONE_OR_MORE: Self = Self { none: false, one: true, more: true };
    const MORE: Self = Self { none: false, one: false, more: true };

    fn and(self, other: Self) -> Self {
        Self { none: self.none && other.none, one: self.one && other.one, more: self.more && other.more }
    }

    /// In words.
    pub fn describe(self) -> &'static str {
        match (self.none, self.one, self.more) {
            (true, true, true) => "any number",
            (true, true, false) => "none or one",
            (true, false, true) => "none or several",
            (true, false, false) => "none",
            (false, true, true) => "one or more",
            (false, true, false) => "one",
            (false, false, true) => "more than one",
            (false, false, false) => "contradiction",
        }
    }
}

/// What the distance of the centres proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Whether the bodies have a point in common, where that is certain.
    pub meet: Option<bool>,
    /// How many points their curves may have in common.
    pub intersections: Intersections,
}

/// Table 2.1 as published: the row of the major axes and the row of the minor axes that apply, together.
pub fn published(a: &Oval, b: &Oval) -> Intersections {
    let distance = a.centre.distance(b.centre); // (2.6)
    let by_major = match compare(distance, longest(a) + longest(b)) {
        Ordering::Greater => Intersections::NONE,
        Ordering::Equal => Intersections::NONE_OR_ONE,
        Ordering::Less => Intersections::ANY,
    };
    let by_minor = match compare(distance, shortest(a) + shortest(b)) {
        Ordering::Greater => Intersections::ANY,
        Ordering::Equal => Intersections::ONE_OR_MORE,
        Ordering::Less => Intersections::MORE,
    };
    by_major.and(by_minor)
}

/// Table 2.1 with containment.
pub fn mended(a: &Oval, b: &Oval) -> Proven {
    let distance = a.centre.distance(b.centre);
    let by_major = compare(distance, longest(a) + longest(b));
    let by_minor = compare(distance, shortest(a) + shortest(b));
    let within = |inner: &Oval, outer: &Oval| compare(distance + longest(inner), shortest(outer));
    let contained = within(a, b).min(within(b, a));
    let circles = longest(a) == shortest(a) && longest(b) == shortest(b);
    let intersections = match (by_major, contained) {
        (Ordering::Greater, _) | (_, Ordering::Less) => Intersections::NONE,
        (Ordering::Equal, _) if circles => Intersections { none: false, ..Intersections::NONE_OR_ONE },
        (Ordering::Equal, _) => Intersections::NONE_OR_ONE,
        (Ordering::Less, _) => Intersections::ANY,
    };
    let meet = match (by_major, by_minor) {
        (_, Ordering::Less | Ordering::Equal) => Some(true),
        (Ordering::Greater, Ordering::Greater) => Some(false),
        (_, Ordering::Greater) => None,
    };
    Proven { meet, intersections }
}

fn compare(x: f64, y: f64) -> Ordering {
    if (x - y).abs() <= EQUAL * x.abs().max(y.abs()) { Ordering::Equal } else { x.total_cmp(&y) }
}

fn longest(oval: &Oval) -> f64 {
    oval.semi_axes.max_element()
}

fn shortest(oval: &Oval) -> f64 {
    oval.semi_axes.min_element()
}

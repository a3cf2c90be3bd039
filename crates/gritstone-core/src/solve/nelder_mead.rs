//! The Nelder–Mead simplex method in two unknowns.
//!
//! **Idea.** A triangle walks downhill: its worst corner is reflected in the middle of the other two, further out when
//! that is the best point so far, half as far when it is bad; if nothing helps, the triangle shrinks about its best
//! corner. No derivatives.
//!
//! **Source.** Lagarias, Reeds, Wright and Wright 1998 (\[lagarias1998\]), section 2, with their coefficients and their
//! rules for ties.
//!
//! **Fails when** the triangle collapses: it may then stop at a point that is not stationary.
//!
//! **Cost.** One or two values of f per step, four when the triangle shrinks.

use std::cell::Cell;

use glam::DVec2;

/// When to stop, and how large the first triangle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Legs of the first triangle.
    pub edge: f64,
    /// Values of f that may be taken; a step that has begun is finished.
    pub evaluations: u32,
    /// Stop when no corner is farther than this from the best one.
    pub resolution: f64,
}

/// The best point that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// Where.
    pub point: DVec2,
    /// The value there.
    pub value: f64,
    /// Values of f that were taken.
    pub evaluations: u32,
}

#[derive(Clone, Copy)]
struct Corner {
    at: DVec2,
    value: f64,
}

/// Walks downhill from `start`.
pub fn minimise(mut f: impl FnMut(DVec2) -> f64, start: DVec2, settings: Settings) -> Minimum {
    let evaluations = Cell::new(0);
    let mut corner = |at: DVec2| {
        evaluations.set(evaluations.get() + 1);
        Corner { at, value: f(at) }
    };
    let legs = [DVec2::ZERO, DVec2::X * settings.edge, DVec2::Y * settings.edge];
    let mut simplex = legs.map(|leg| corner(start + leg));
    loop {
        // A stable sort: of equal corners the older one counts as better.
        simplex.sort_by(|a, b| a.value.total_cmp(&b.value));
        let [best, good, worst] = simplex;
        let extent = best.at.distance(good.at).max(best.at.distance(worst.at));
        if evaluations.get() >= settings.evaluations || extent <= settings.resolution {
            return Minimum { point: best.at, value: best.value, evaluations: evaluations.get() };
        }
        if let Some(better) = replacement(&simplex, &mut corner) {
            simplex[2] = better;
        } else {
            let halfway = |x: DVec2| 0.5 * (best.at + x); // shrink, σ = 1/2
            simplex = [best, corner(halfway(good.at)), corner(halfway(worst.at))];
        }
    }
}

/// What the worst corner is replaced by, if anything is better.
fn replacement(
    &[best, good, worst]: &[Corner; 3],
    corner: &mut impl FnMut(DVec2) -> Corner,
) -> Option<Corner> {
    let middle = 0.5 * (best.at + good.at);
    let mut along = |t: f64| corner(middle + t * (middle - worst.at));
    let reflected = along(1.0); // ρ = 1
    if reflected.value < best.value {
        let expanded = along(2.0); // χ = 2
        return Some(if expanded.value < reflected.value { expanded } else { reflected });
    }
    if reflected.value < good.value {
        return Some(reflected);
    }
    // γ = 1/2, outside or inside of the triangle.
    if reflected.value < worst.value {
        Some(along(0.5)).filter(|outside| outside.value <= reflected.value)
    } else {
        Some(along(-0.5)).filter(|inside| inside.value < worst.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FINE: Settings = Settings { edge: 0.3, evaluations: 2000, resolution: 1e-9 };

    proptest! {
        /// The minimum of a convex quadratic is where its gradient vanishes.
        #[test]
        fn finds_the_minimum_of_a_quadratic(x in -2.0..2.0, y in -2.0..2.0, k in 0.1_f64..10.0, s in -0.9..0.9) {
            let centre = DVec2::new(x, y);
            let f = |p: DVec2| {
                let q = p - centre;
                q.x * q.x + k * q.y * q.y + 2.0 * s * k.sqrt() * q.x * q.y
            };
            let found = minimise(f, DVec2::ZERO, FINE);
            prop_assert!(found.point.distance(centre) < 1e-6, "{found:?} instead of {centre}");
        }
    }

    #[test]
    fn follows_rosenbrocks_valley() {
        let f = |p: DVec2| 100.0 * (p.y - p.x * p.x).powi(2) + (1.0 - p.x).powi(2);
        let found = minimise(f, DVec2::new(-1.2, 1.0), FINE);
        assert!(found.point.distance(DVec2::ONE) < 1e-6, "{found:?}");
        assert!(found.evaluations < 300, "far more than that would mean wrong rules");
    }

    #[test]
    fn keeps_to_its_budget_and_counts_truly() {
        let mut taken = 0;
        let f = |p: DVec2| {
            taken += 1;
            p.length_squared().sqrt()
        };
        let found = minimise(f, DVec2::new(3.0, 4.0), Settings { evaluations: 20, ..FINE });
        assert_eq!(found.evaluations, taken);
        assert!((20..24).contains(&taken));
    }
}

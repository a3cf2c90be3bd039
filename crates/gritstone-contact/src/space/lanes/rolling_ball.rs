//! The ball that rolls everywhere inside a superellipsoid.
//!
//! **Idea.** Its radius is the least radius of curvature, which may lie at a tip, along an edge or between them; for long
//! bodies in a corner of the sphere of normals that no even grid meets. So normals are spread evenly in the logarithms of
//! their components, scaled by the radii, farther than the radii's own ratio; and the least radius among them is improved by
//! a search around it. What is left between it and the true one is much less than [`SHARE`] allows for.

use glam::{DVec2, DVec3};
use gritstone_shape::space::{PrincipalRadii, Superellipsoid};

/// Ratio of components beyond which nothing changes any more, for a body with three equal radii.
const REACH: f64 = 1e3;
/// Step of the logarithms: a factor of 1.8.
const STEP: f64 = 0.576;
/// Step at which the search ends.
const FINE: f64 = 1e-3;
/// The part of the least radius that is taken.
const SHARE: f64 = 0.9;

/// Radius of a ball that rolls everywhere inside: somewhat less than the least radius of curvature.
pub(super) fn radius(shape: &Superellipsoid) -> f64 {
    if shape.exponents().iter().any(|&exponent| exponent > 1.0) {
        return 0.0; // There are points without a radius of curvature: edges and tips.
    }
    let ratio = shape.radii().max_element() / shape.radii().min_element();
    let steps = (libm::log(REACH * ratio) / STEP).ceil() as i32;
    let mut best = (f64::INFINITY, DVec2::ZERO);
    for i in -steps..=steps {
        for j in -steps..=steps {
            improve(shape, &mut best, DVec2::new(f64::from(i), f64::from(j)) * STEP);
        }
    }
    let mut step = 0.5 * STEP;
    while step > FINE {
        let around = best.1;
        for k in 0..8 {
            let way = gritstone_core::angle::direction(f64::from(k) * std::f64::consts::FRAC_PI_4);
            improve(shape, &mut best, around + way * step);
        }
        if best.1 == around {
            step *= 0.5;
        }
    }
    SHARE * best.0
}

/// Takes what lies at these logarithms if its radius is less.
fn improve(shape: &Superellipsoid, best: &mut (f64, DVec2), logarithms: DVec2) {
    let found = least_radius(shape, logarithms);
    if found < best.0 {
        *best = (found, logarithms);
    }
}

/// The smaller radius of curvature where the normal's components, times the radii, are as one to the exponentials of these.
fn least_radius(shape: &Superellipsoid, logarithms: DVec2) -> f64 {
    let scaled = DVec3::new(1.0, libm::exp(logarithms.x), libm::exp(logarithms.y));
    PrincipalRadii::at_normal(shape, (scaled / shape.radii()).normalize()).radii[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPONENTS: [f64; 7] = [0.1, 0.2, 0.35, 0.5, 0.75, 0.9, 1.0];
    const RADII: [[f64; 3]; 9] = [
        [1.0, 1.0, 1.0],
        [1.0, 1.2, 1.8],
        [1.0, 5.0, 1.0],
        [1.0, 1.0, 0.2],
        [5.0, 2.0, 1.0],
        [1.0, 1.0, 20.0],
        [20.0, 1.0, 1.0],
        [1.0, 20.0, 20.0],
        [1.0, 50.0, 7.0],
    ];

    /// The least over a grid of a tenth of that step, wider by far.
    fn fine_least(shape: &Superellipsoid) -> f64 {
        let place = |i: i32| f64::from(i) * 0.115;
        let along = |i: i32| (-100..=100).map(move |j| DVec2::new(place(i), place(j)));
        (-100..=100).flat_map(along).map(|at| least_radius(shape, at)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_radius_of_curvature_is_less() {
        for radii in RADII {
            for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
                let exponents = [EXPONENTS[i], EXPONENTS[j]];
                let shape = Superellipsoid::new(DVec3::from_array(radii), exponents).unwrap();
                let (rolling, least) = (radius(&shape), fine_least(&shape));
                // The search misses less than a hundredth, and so does the grid.
                let share = rolling / least;
                assert!((share / SHARE - 1.0).abs() < 1e-2, "{radii:?} {exponents:?}: {share}");
            }
        }
    }

    /// Ellipsoids have their least radius at the ends of the longest axis, along the shortest.
    #[test]
    fn ellipsoids_have_their_closed_form() {
        for radii in RADII.map(DVec3::from_array) {
            let shape = Superellipsoid::new(radii, [1.0; 2]).unwrap();
            let least = radii.min_element().powi(2) / radii.max_element();
            assert!((radius(&shape) / (SHARE * least) - 1.0).abs() < 1e-4, "{radii}");
        }
    }

    #[test]
    fn nothing_rolls_into_edges() {
        for exponents in [[1.2, 0.5], [0.5, 1.2]] {
            assert_eq!(radius(&Superellipsoid::new(DVec3::ONE, exponents).unwrap()), 0.0);
        }
    }
}

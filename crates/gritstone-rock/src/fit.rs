//! The superellipsoid that fits a rock best.
//!
//! **Idea.** Its axes are the principal axes of the rock, its volume is the rock's. What is left, two ratios of semi-axes and two
//! exponents, minimises the mean square of the radial distance `|x|·|1 − F(x)^(−ε2/2)|` over the surface, for each
//! choice of the axis that is z.
//!
//! **Source.** The radial distance is that of Gross and Boult 1988; Solina and Bajcsy 1990 fit scans with its kin.
//!
//! **Deviations.** Ratios and exponents are improved in turn, two at a time, by the simplex method.

use glam::{DMat3, DQuat, DVec2, DVec3};
use gritstone_core::solve::nelder_mead::{Settings, minimise};
use gritstone_shape::space::Superellipsoid;
use gritstone_shape::{Body as _, Tessellate as _};

use crate::sample::spread;
use crate::{Part, Rock, RockError};

/// Points of the surface that are compared.
const POINTS: usize = 1500;
/// Rounds of improvement, and what each of their two halves may cost.
const ROUNDS: usize = 4;
const SETTINGS: Settings = Settings { edge: 0.1, evaluations: 60, resolution: 1e-4 };
/// Exponents stay between these: sharper edges are solved with more effort than a fit is worth.
const EXPONENTS: [f64; 2] = [0.25, 1.6];

/// A superellipsoid, and its orientation in the rock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// The superellipsoid, with the rock's volume.
    pub shape: Superellipsoid,
    /// From its axes to those of the rock.
    pub rotation: DQuat,
    /// Root mean square of the radial distance, relative to the radius of the ball of the same volume.
    pub rms: f64,
}

/// How finely a fitted body is cut into triangles to be compared.
const DETAIL: u32 = 16;

impl Fitted {
    /// Its hull, cut into triangles, in the frame of the rock.
    pub fn part(&self) -> Result<Part, RockError> {
        let points: Vec<DVec3> =
            self.shape.tessellate(DETAIL).positions.iter().map(|x| self.rotation * *x).collect();
        Part::of(&points, usize::MAX).ok_or(RockError::NoVolume)
    }
}

/// What is varied: logarithms of the ratios of semi-axes to their geometric mean, and exponents.
#[derive(Clone, Copy)]
struct Guess {
    ratios: DVec2,
    exponents: DVec2,
}

impl Rock {
    /// The superellipsoid that fits best.
    pub fn superellipsoid(&self) -> Result<Fitted, RockError> {
        let (moments, axes) = self.mass().second_moments.eigen();
        let axes = DMat3::from_cols(axes.x_axis, axes.y_axis, axes.x_axis.cross(axes.y_axis));
        let corners: Vec<_> = (0..self.triangles()).map(|i| self.corners(i)).collect();
        let points = spread(&corners, POINTS);
        let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|order: [usize; 3]| {
            let turned = DMat3::from_cols(axes.col(order[0]), axes.col(order[1]), axes.col(order[2]));
            (turned, DVec3::from(order.map(|axis| moments[axis])))
        });
        let mut best: Option<Fitted> = None;
        for (axes, moments) in turns {
            let local: Vec<(DVec3, f64)> =
                points.iter().map(|(x, area)| (axes.transpose() * *x, *area)).collect();
            let fitted = self.fit(&local, moments)?;
            let rotation = DQuat::from_mat3(&axes).normalize();
            if best.is_none_or(|best| fitted.rms < best.rms) {
                best = Some(Fitted { rotation, ..fitted });
            }
        }
        best.ok_or(RockError::NoVolume)
    }

    /// The best one in given axes; `points` are in these, with their areas.
    fn fit(&self, points: &[(DVec3, f64)], moments: DVec3) -> Result<Fitted, RockError> {
        // Those of the ellipsoid with these moments, but for a common factor.
        let logarithms = DVec3::from(moments.to_array().map(|moment| 0.5 * libm::log(moment.max(1e-300))));
        let mean = logarithms.element_sum() / 3.0;
        let mut guess = Guess { ratios: logarithms.truncate() - DVec2::splat(mean), exponents: DVec2::ONE };
        let mut value = self.misfit(points, guess);
        for _ in 0..ROUNDS {
            let of_ratios = |ratios| self.misfit(points, Guess { ratios, ..guess });
            let found = minimise(of_ratios, guess.ratios, SETTINGS);
            guess.ratios = found.point;
            let of_exponents = |exponents| self.misfit(points, Guess { exponents, ..guess });
            let found = minimise(of_exponents, guess.exponents, SETTINGS);
            guess.exponents = found.point.clamp(DVec2::splat(EXPONENTS[0]), DVec2::splat(EXPONENTS[1]));
            value = self.misfit(points, guess);
        }
        let shape = self.shape(guess).ok_or(RockError::NoVolume)?;
        Ok(Fitted { shape, rotation: DQuat::IDENTITY, rms: value.sqrt() / self.radius() })
    }

    /// The superellipsoid of a guess, with the rock's volume.
    fn shape(&self, guess: Guess) -> Option<Superellipsoid> {
        let Guess { ratios, exponents } = guess;
        let last = -(ratios.x + ratios.y);
        let radii = DVec3::new(libm::exp(ratios.x), libm::exp(ratios.y), libm::exp(last)) * self.radius();
        let [low, high] = EXPONENTS;
        let exponents = exponents.to_array().map(|exponent| exponent.clamp(low, high));
        let volume = Superellipsoid::new(radii, exponents).ok()?.mass().volume;
        Superellipsoid::new(radii * libm::cbrt(self.mass().volume / volume), exponents).ok()
    }

    /// Mean square of the radial distance; infinite where there is no such body.
    fn misfit(&self, points: &[(DVec3, f64)], guess: Guess) -> f64 {
        let Some(shape) = self.shape(guess) else { return f64::INFINITY };
        let (radii, [e1, e2]) = (shape.radii(), shape.exponents());
        let (mut sum, mut area) = (0.0, 0.0);
        for &(x, weight) in points {
            let u = (x / radii).abs();
            let across = libm::pow(libm::pow(u.x, 2.0 / e1) + libm::pow(u.y, 2.0 / e1), e1 / e2);
            let f = across + libm::pow(u.z, 2.0 / e2);
            let distance = x.length() * (1.0 - libm::pow(f, -0.5 * e2));
            if distance.is_finite() {
                sum += weight * distance * distance;
                area += weight;
            }
        }
        sum / area
    }
}

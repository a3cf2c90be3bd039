//! The Karush–Kuhn–Tucker system of the minimal distance problem with squared slacks.
//!
//! **Notation.** `u = (x1, x2, λ1, λ2, s1, s2)`. Points are in world axes, relative to the centre of a. f_i: shape
//! function of body i, zero on the surface and negative inside.
//!
//! **Unit of length.** With bodies shrunk by α about their centres, and α times the smaller grain's size as the unit,
//! the bodies have the same shape whatever α is, and their centres lie 1/α times farther apart. So nothing here
//! depends on α but the offset of the centres, and the inverse homothety is no operation at all: a point of the
//! shrunk body and its image on the full-size body have the same coordinates in the body's frame.

use glam::{DMat3, DVec3};
use gritstone_core::Space;
use gritstone_shape::{Implicit, Support};

use super::{Objective, Options, ShapeFunction};
use crate::space::Pair;

/// Unknowns of the system.
pub(super) const UNKNOWNS: usize = 10;

/// A vector of unknowns, or of residuals.
pub(super) type State = [f64; UNKNOWNS];

/// Where on the way from the centre to the surface the iteration starts.
const START_DEPTH: f64 = 0.98;
/// Slack at the start.
const START_SLACK: f64 = 0.1;

/// The system for one pair and one α.
pub(super) struct Kkt<'p, A: ?Sized, B: ?Sized> {
    a: Side<'p, A>,
    b: Side<'p, B>,
    objective: Objective,
}

/// One body in units of α times the smaller grain's size.
struct Side<'p, S: ?Sized> {
    shape: &'p S,
    frame: DMat3,
    centre: DVec3,
    /// The smaller grain's size: from units to the body's own lengths.
    unit: f64,
    function: ShapeFunction,
}

impl<S: Implicit<Space> + ?Sized> Side<'_, S> {
    /// Shape function and its gradient.
    fn function(&self, x: DVec3) -> (f64, DVec3) {
        let y = self.frame.transpose() * (x - self.centre) * self.unit;
        let (value, gradient) = match self.function {
            ShapeFunction::SquaredGauge => {
                let (n, slope) = self.shape.gauge_with_gradient(y);
                (n * n - 1.0, slope * (2.0 * n))
            }
            ShapeFunction::InsideOutside => (self.shape.inside_outside(y) - 1.0, self.shape.gradient(y)),
        };
        (value, self.frame * gradient * self.unit)
    }

    /// Distance from the centre to the surface along the unit vector `c`.
    fn radius(&self, c: DVec3) -> f64 {
        1.0 / (self.shape.gauge(self.frame.transpose() * c) * self.unit)
    }
}

impl<'p, A, B> Kkt<'p, A, B>
where
    A: Support<Space> + Implicit<Space> + ?Sized,
    B: Support<Space> + Implicit<Space> + ?Sized,
{
    /// The system of bodies shrunk by `alpha`.
    pub(super) fn new(pair: &Pair<'p, A, B>, alpha: f64, options: &Options) -> Self {
        let (unit, function) = (pair.size, options.shape_function);
        let centre = pair.offset / (alpha * unit);
        Self {
            a: Side { shape: pair.a, frame: pair.frame_a, centre: DVec3::ZERO, unit, function },
            b: Side { shape: pair.b, frame: pair.frame_b, centre, unit, function },
            objective: options.objective,
        }
    }

    /// Points inside the bodies on the line between the centres, along the unit vector `c`.
    pub(super) fn start(&self, c: DVec3) -> State {
        let x_1 = c * (START_DEPTH * self.a.radius(c));
        let x_2 = self.b.centre - c * (START_DEPTH * self.b.radius(c));
        self.state(x_1, x_2, START_SLACK)
    }

    /// Points of the surfaces, given relative to the bodies' centres: from there only the multipliers are unknown.
    pub(super) fn start_on_surface(&self, from_a: DVec3, from_b: DVec3) -> State {
        self.state(from_a, self.b.centre + from_b, 0.0)
    }

    /// Unknowns with the multipliers that balance the lengths in the first two equations.
    fn state(&self, x_1: DVec3, x_2: DVec3, s: f64) -> State {
        let d = match self.objective {
            Objective::HalfSquare => x_1.distance(x_2),
            Objective::Distance => 1.0,
        };
        let lambda_1 = d / self.a.function(x_1).1.length();
        let lambda_2 = d / self.b.function(x_2).1.length();
        [x_1.x, x_1.y, x_1.z, x_2.x, x_2.y, x_2.z, lambda_1, lambda_2, s, s]
    }

    /// Largest scale of the bodies at which they do not yet meet on the line between the centres.
    pub(super) fn room(&self, c: DVec3) -> f64 {
        self.b.centre.length() / (self.a.radius(c) + self.b.radius(c))
    }

    /// Gradient of the Lagrangian `objective + Σ λ_i (f_i + s_i²)`.
    pub(super) fn residual(&self, u: &State) -> State {
        let (x_1, x_2) = points(u);
        let [.., lambda_1, lambda_2, s_1, s_2] = *u;
        let (f_1, slope_1) = self.a.function(x_1);
        let (f_2, slope_2) = self.b.function(x_2);
        let pull = match self.objective {
            Objective::HalfSquare => x_1 - x_2,
            Objective::Distance => (x_1 - x_2).normalize_or_zero(),
        };
        let r_1 = pull + slope_1 * lambda_1;
        let r_2 = slope_2 * lambda_2 - pull;
        [
            r_1.x,
            r_1.y,
            r_1.z,
            r_2.x,
            r_2.y,
            r_2.z,
            f_1 + s_1 * s_1,
            f_2 + s_2 * s_2,
            2.0 * lambda_1 * s_1,
            2.0 * lambda_2 * s_2,
        ]
    }

    /// Points relative to the centres of their bodies.
    pub(super) fn material(&self, u: &State) -> (DVec3, DVec3) {
        let (x_1, x_2) = points(u);
        (x_1, x_2 - self.b.centre)
    }
}

/// x1 and x2.
pub(super) fn points(u: &State) -> (DVec3, DVec3) {
    (DVec3::new(u[0], u[1], u[2]), DVec3::new(u[3], u[4], u[5]))
}

/// Whether both multipliers are positive: the points are then the nearest ones, not the farthest.
pub(super) fn multipliers_are_positive(u: &State) -> bool {
    u[6] > 0.0 && u[7] > 0.0
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use gritstone_core::Pose;
    use gritstone_core::linalg::Sym3;
    use gritstone_shape::space::Superellipsoid;
    use proptest::prelude::*;

    use super::*;

    fn grains() -> [(Superellipsoid, Pose<Space>); 2] {
        let a = Superellipsoid::new(DVec3::new(1.0, 1.7, 0.8), [0.8, 1.1]).unwrap();
        let b = Superellipsoid::new(DVec3::new(0.6, 0.9, 1.4), [1.2, 0.7]).unwrap();
        let pose_b = Pose::new(DVec3::new(1.5, 1.1, -0.9), DQuat::from_xyzw(0.3, -0.2, 0.4, 0.8));
        [(a, Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.1, 0.2, -0.3, 0.9))), (b, pose_b)]
    }

    /// Points near the surfaces but away from the planes of symmetry, where second derivatives are unbounded.
    fn states() -> impl Strategy<Value = ([f64; 3], [f64; 3], [f64; 4])> {
        let point = || proptest::array::uniform3(0.3..0.8);
        (point(), point(), proptest::array::uniform4(0.1..1.5))
    }

    /// f of one grain at the world point x, written without the solver's scaling.
    fn shape(grain: &(Superellipsoid, Pose<Space>), x: DVec3, alpha: f64, function: ShapeFunction) -> f64 {
        let y = grain.1.rotation.conjugate() * (x - grain.1.position) / alpha;
        match function {
            ShapeFunction::SquaredGauge => grain.0.gauge(y).powi(2) - 1.0,
            ShapeFunction::InsideOutside => grain.0.inside_outside(y) - 1.0,
        }
    }

    /// ∇²f at the point that is x in the solver's unit.
    fn hessian(
        grain: &(Superellipsoid, Pose<Space>),
        x: DVec3,
        centre: DVec3,
        unit: f64,
        f: ShapeFunction,
    ) -> Sym3 {
        let y = grain.1.rotation.conjugate() * (x - centre) * unit;
        let h = match f {
            ShapeFunction::SquaredGauge => {
                let (n, slope, h) = grain.0.gauge_jet(y);
                h * (2.0 * n) + Sym3::outer(slope, 2.0)
            }
            ShapeFunction::InsideOutside => grain.0.curvature(y),
        };
        h.rotated(&grain.1.frame()) * (unit * unit)
    }

    fn state(
        pair: &Pair<'_, Superellipsoid, Superellipsoid>,
        alpha: f64,
        raw: &([f64; 3], [f64; 3], [f64; 4]),
    ) -> State {
        let x_1 = pair.frame_a * (DVec3::from(raw.0) * pair.a.radii()) / pair.size;
        let x_2 = pair.frame_b * (DVec3::from(raw.1) * pair.b.radii()) / pair.size
            + pair.offset / (alpha * pair.size);
        let [l1, l2, s1, s2] = raw.2;
        [x_1.x, x_1.y, x_1.z, x_2.x, x_2.y, x_2.z, l1, l2, s1, s2]
    }

    fn shifted(u: &State, i: usize, h: f64) -> State {
        let mut v = *u;
        v[i] += h;
        v
    }

    const ALPHA: f64 = 0.9;
    const FORMS: [(Objective, ShapeFunction); 4] = [
        (Objective::HalfSquare, ShapeFunction::SquaredGauge),
        (Objective::HalfSquare, ShapeFunction::InsideOutside),
        (Objective::Distance, ShapeFunction::SquaredGauge),
        (Objective::Distance, ShapeFunction::InsideOutside),
    ];

    proptest! {
        /// The residual is the gradient of the Lagrangian of bodies shrunk by α, written in plain lengths.
        #[test]
        fn residual_is_the_gradient_of_the_lagrangian(raw in states()) {
            let [a, b] = grains();
            let pair = Pair::new(&a.0, &a.1, &b.0, &b.1);
            for (objective, shape_function) in FORMS {
                let kkt = Kkt::new(&pair, ALPHA, &Options { objective, shape_function, ..Options::DEFAULT });
                let lagrangian = |u: &State| {
                    let unit = ALPHA * pair.size;
                    let (x_1, x_2) = points(u);
                    let [.., l_1, l_2, s_1, s_2] = *u;
                    let d = x_1.distance(x_2);
                    let value = if objective == Objective::HalfSquare { 0.5 * d * d } else { d };
                    value
                        + l_1 * (shape(&a, x_1 * unit, ALPHA, shape_function) + s_1 * s_1)
                        + l_2 * (shape(&b, x_2 * unit, ALPHA, shape_function) + s_2 * s_2)
                };
                let u = state(&pair, ALPHA, &raw);
                let residual = kkt.residual(&u);
                for (i, r) in residual.into_iter().enumerate() {
                    let slope = (lagrangian(&shifted(&u, i, 1e-5)) - lagrangian(&shifted(&u, i, -1e-5))) / 2e-5;
                    prop_assert!((slope - r).abs() < 1e-6 * (1.0 + r.abs()), "{} {} {}", i, slope, r);
                }
            }
        }

        /// Differences of the residual are products with the analytic Jacobian.
        #[test]
        fn jacobian_is_consistent(raw in states(), v in proptest::array::uniform10(-1.0..1.0)) {
            let [a, b] = grains();
            let pair = Pair::new(&a.0, &a.1, &b.0, &b.1);
            for (objective, shape_function) in FORMS {
                let kkt = Kkt::new(&pair, ALPHA, &Options { objective, shape_function, ..Options::DEFAULT });
                let u = state(&pair, ALPHA, &raw);
                let (x_1, x_2) = points(&u);
                let ((v_1, v_2), [.., l_1, l_2, s_1, s_2], [.., m_1, m_2, t_1, t_2]) = (points(&v), u, v);
                let (slope_1, slope_2) = (kkt.a.function(x_1).1, kkt.b.function(x_2).1);
                let d = x_1 - x_2;
                let pull = match objective {
                    Objective::HalfSquare => v_1 - v_2,
                    Objective::Distance => ((v_1 - v_2) - d * (d.dot(v_1 - v_2) / d.length_squared())) / d.length(),
                };
                let h_1 = hessian(&a, x_1, DVec3::ZERO, pair.size, shape_function);
                let h_2 = hessian(&b, x_2, kkt.b.centre, pair.size, shape_function);
                let j_1 = pull + h_1 * v_1 * l_1 + slope_1 * m_1;
                let j_2 = h_2 * v_2 * l_2 + slope_2 * m_2 - pull;
                let product = [
                    j_1.x, j_1.y, j_1.z, j_2.x, j_2.y, j_2.z,
                    slope_1.dot(v_1) + 2.0 * s_1 * t_1,
                    slope_2.dot(v_2) + 2.0 * s_2 * t_2,
                    2.0 * (m_1 * s_1 + l_1 * t_1),
                    2.0 * (m_2 * s_2 + l_2 * t_2),
                ];
                let along = |h: f64| kkt.residual(&std::array::from_fn(|i| u[i] + h * v[i]));
                let (ahead, behind) = (along(1e-5), along(-1e-5));
                for i in 0..UNKNOWNS {
                    let difference = (ahead[i] - behind[i]) / 2e-5;
                    prop_assert!((difference - product[i]).abs() < 1e-5 * (1.0 + product[i].abs()), "{}", i);
                }
            }
        }
    }
}

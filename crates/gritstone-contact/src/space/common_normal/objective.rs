//! f = ‖d‖² as a function of the angles of the contact direction: eqs (6)–(10).

use glam::{DVec2, DVec3};
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_shape::space::Superellipsoid;

use super::surface::{Derivatives, SECOND, SurfacePoint};
use crate::space::pair::{Pair, Sample};

/// The objective of one pair.
pub(super) struct Objective<'p> {
    pair: &'p Pair<'p, Superellipsoid, Superellipsoid>,
    /// e1, e2, e3 of eq. (6).
    base: [DVec3; 3],
}

/// An evaluated pair of angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// α1 and α2.
    pub(super) alpha: DVec2,
    /// The contact direction, the two surface points and their distance vector.
    pub(super) sample: Sample,
    /// The two points in their bodies' frames.
    on: [SurfacePoint; 2],
    /// f.
    pub(super) value: f64,
}

impl Point {
    /// ‖d × c‖.
    pub(super) fn across(&self) -> f64 {
        self.sample.d.cross(self.sample.c).length()
    }
}

/// Derivatives of f at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    /// grad f.
    pub(super) gradient: DVec2,
    /// The Hessian of f.
    pub(super) hessian: Sym2,
    /// Whether a point was slightly shifted to have derivatives at all.
    pub(super) shifted: bool,
}

impl<'p> Objective<'p> {
    /// The objective with e1 along the unit vector `e1`.
    pub(super) fn new(pair: &'p Pair<'p, Superellipsoid, Superellipsoid>, e1: DVec3) -> Self {
        let Tangent { u, v } = Tangent::across(e1);
        Self { pair, base: [e1, u, v] }
    }

    /// The direction between the centres.
    pub(super) fn e1(&self) -> DVec3 {
        self.base[0]
    }

    /// The angles of a unit direction: the inverse of eq. (6).
    pub(super) fn angles(&self, c: DVec3) -> DVec2 {
        let [x, y, z] = self.base.map(|e| e.dot(c));
        DVec2::new(libm::atan2(y, x), libm::atan2(z, libm::hypot(x, y)))
    }

    /// The contact direction and its derivatives.
    fn direction(&self, alpha: DVec2) -> (DVec3, Derivatives<DVec3>) {
        let [e1, e2, e3] = self.base;
        let ((s1, c1), (s2, c2)) = (libm::sincos(alpha.x), libm::sincos(alpha.y));
        let (radial, across) = (c1 * e1 + s1 * e2, c1 * e2 - s1 * e1);
        let c = c2 * radial + s2 * e3; // [wellmann2008] eq. (6)
        let first = [c2 * across, c2 * e3 - s2 * radial];
        (c, Derivatives { first, second: [-c2 * radial, -s2 * across, -c] })
    }

    /// Evaluates f.
    pub(super) fn at(&self, alpha: DVec2) -> Point {
        let pair = self.pair;
        let c = self.direction(alpha).0.normalize();
        // Eq. (7) takes c to the bodies' frames; (5)_1 and (5)_2 hold by construction.
        let on_a = SurfacePoint::with_normal(pair.a, pair.frame_a.transpose() * c);
        let on_b = SurfacePoint::with_normal(pair.b, pair.frame_b.transpose() * -c);
        let x_a = pair.frame_a * on_a.p; // eq. (7)
        let x_b = pair.frame_b * on_b.p + pair.offset; // eq. (7)
        let d = x_b - x_a; // eq. (8)
        let sample = Sample { c, x_a, x_b, d, g: c.dot(d) };
        Point { alpha, sample, on: [on_a, on_b], value: d.length_squared() } // eq. (9)
    }

    /// Derivatives of f.
    pub(super) fn slope(&self, here: &Point) -> Slope {
        let pair = self.pair;
        let (_, c) = self.direction(here.alpha);
        let (to_a, to_b) = (pair.frame_a.transpose(), pair.frame_b.transpose());
        let (p_a, shifted_a) = here.on[0].moving(pair.a, &c.map(|c| to_a * c));
        let (p_b, shifted_b) = here.on[1].moving(pair.b, &c.map(|c| to_b * -c));
        let d = here.sample.d;
        let d_i = [0, 1].map(|i| pair.frame_b * p_b.first[i] - pair.frame_a * p_a.first[i]);
        let [f_11, f_12, f_22] = [0, 1, 2].map(|m| {
            let (i, j) = SECOND[m];
            let d_ij = pair.frame_b * p_b.second[m] - pair.frame_a * p_a.second[m];
            2.0 * (d_i[i].dot(d_i[j]) + d.dot(d_ij)) // eq. (10)
        });
        Slope {
            gradient: 2.0 * DVec2::new(d.dot(d_i[0]), d.dot(d_i[1])), // eq. (10)
            hessian: Sym2 { xx: f_11, yy: f_22, xy: f_12 },
            shifted: shifted_a || shifted_b,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use gritstone_core::Pose;
    use proptest::prelude::*;

    use super::*;

    /// Exponents of the paper's three intervals.
    fn exponents() -> impl Strategy<Value = [f64; 2]> {
        prop_oneof![Just([1.0, 1.0]), [0.7..1.3, 0.7..1.3], [0.3..1.7, 0.3..1.7]]
    }

    fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = DVec3> {
        [range.clone(), range.clone(), range].prop_map(DVec3::from_array)
    }

    fn body() -> impl Strategy<Value = Superellipsoid> {
        (vector(0.5..3.0), exponents())
            .prop_map(|(radii, exponents)| Superellipsoid::new(radii, exponents).unwrap())
    }

    fn pose() -> impl Strategy<Value = Pose<gritstone_core::Space>> {
        (vector(-3.0..3.0), vector(-3.0..3.0))
            .prop_map(|(at, turn)| Pose::new(at, DQuat::from_scaled_axis(turn)))
    }

    /// Central differences of fourth order.
    fn difference(f: impl Fn(f64) -> f64, h: f64) -> f64 {
        (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Eqs (10) and (11) against differences: the gradient of f, and the Hessian of the gradient.
        #[test]
        fn derivatives_are_those_of_f(a in body(), b in body(), at in pose(), to in pose(),
                                      x in -1.5..1.5, y in -1.2..1.2) {
            let pair = Pair::new(&a, &at, &b, &to);
            let objective = Objective::new(&pair, pair.centre_line());
            let here = objective.at(DVec2::new(x, y));
            // Differences need room: near the coordinate planes of a body derivatives vary without bound.
            let room = here.on.iter().map(|on| on.normal().abs().min_element()).fold(1.0, f64::min);
            prop_assume!(room > 0.05);
            let slope = objective.slope(&here);
            let f = |u: f64, v: f64| objective.at(here.alpha + DVec2::new(u, v)).value;
            let gradient = |u: f64, v: f64| {
                objective.slope(&objective.at(here.alpha + DVec2::new(u, v))).gradient
            };
            let h = 0.004 * room;
            let scale = 1.0 + slope.hessian.trace().abs() + slope.hessian.xy.abs();
            prop_assert!((slope.gradient.x - difference(|t| f(t, 0.0), h)).abs() < 1e-5 * scale);
            prop_assert!((slope.gradient.y - difference(|t| f(0.0, t), h)).abs() < 1e-5 * scale);
            prop_assert!((slope.hessian.xx - difference(|t| gradient(t, 0.0).x, h)).abs() < 1e-4 * scale);
            prop_assert!((slope.hessian.yy - difference(|t| gradient(0.0, t).y, h)).abs() < 1e-4 * scale);
            prop_assert!((slope.hessian.xy - difference(|t| gradient(t, 0.0).y, h)).abs() < 1e-4 * scale);
            prop_assert!((slope.hessian.xy - difference(|t| gradient(0.0, t).x, h)).abs() < 1e-4 * scale);
        }

        /// The points of eqs (4) and (2) are the support points, and the angles of a direction give it back.
        #[test]
        fn points_are_support_points(a in body(), b in body(), at in pose(), to in pose(),
                                     x in -1.5..1.5, y in -1.2..1.2) {
            let pair = Pair::new(&a, &at, &b, &to);
            let objective = Objective::new(&pair, pair.centre_line());
            let here = objective.at(DVec2::new(x, y));
            let support = pair.sample(here.sample.c);
            prop_assert!((here.sample.x_a - support.x_a).length() < 1e-9);
            prop_assert!((here.sample.x_b - support.x_b).length() < 1e-9);
            prop_assert!(objective.angles(here.sample.c).distance(here.alpha) < 1e-14);
        }
    }

    /// Where eq. (4) is indeterminate the slight shift gives the derivatives in the limit: two unit spheres on an axis,
    /// a distance D apart, have f = (D − 2)² + 2D·α² to second order.
    #[test]
    fn indeterminate_points_have_derivatives() {
        let sphere = Superellipsoid::new(DVec3::ONE, [1.0, 1.0]).unwrap();
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let pair = Pair::new(&sphere, &Pose::at(DVec3::ZERO), &sphere, &Pose::at(3.0 * axis));
            let objective = Objective::new(&pair, axis);
            let slope = objective.slope(&objective.at(DVec2::ZERO));
            assert!(slope.shifted);
            assert!(slope.gradient.length() < 1e-7, "{axis} {:?}", slope.gradient);
            let wanted = 2.0 * 2.0 * 3.0;
            let Sym2 { xx, yy, xy } = slope.hessian;
            assert!(
                (xx - wanted).abs().max((yy - wanted).abs()).max(xy.abs()) < 1e-5,
                "{axis} {xx} {yy} {xy}"
            );
        }
    }
}

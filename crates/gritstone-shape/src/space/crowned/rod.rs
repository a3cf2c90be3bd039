//! Sums of two spheroids about the z axis and a ball: crowned capsules and cylinders.
//!
//! **Idea.** A segment with a crown is a spheroid with the half-axes ηe, ηe, e√(1+η²): `e √(c_z² + η²|c|²)`; a disc likewise with
//! e√(1+η²) across the axis and ηe along it. The support function of a sum is the sum of theirs, and that of a spheroid with the
//! half-axes a (across) and b (along) is `h = √(a² c_ρ² + b² c_z²)`, with the point `p = (a² c_ρ, b² c_z)/h` and the Hessian
//! `(diag(a², a², b²) − p pᵀ)/h`.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;

use crate::Jet;

/// The sum of two spheroids about the z axis and a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rod {
    /// Squares of the half-axes of each spheroid; zeros where there is none.
    squares: [DVec3; 2],
    ball: f64,
}

impl Rod {
    /// A needle and a ball.
    pub(super) fn capsule(radius: f64, half_height: f64, crown: f64) -> Self {
        // With k = √(1+η²) and the needle's length e: e η + ball = R and e k + ball = R + H.
        let k = (1.0 + crown * crown).sqrt();
        let length = half_height / (k - crown);
        let needle = DVec3::new(length * crown, length * crown, length * k);
        Self { squares: [needle * needle, DVec3::ZERO], ball: radius - length * crown }
    }

    /// A disc, a needle and the ball of the rim.
    pub(super) fn cylinder(radius: f64, half_height: f64, crown: f64, ball: f64) -> Self {
        // With k = √(1+η²): a k + e η + ball = R and a η + e k + ball = H, a and e the lengths of disc and needle.
        let (k, across, along) = ((1.0 + crown * crown).sqrt(), radius - ball, half_height - ball);
        let [disc, needle] = [k * across - crown * along, k * along - crown * across];
        let disc = DVec3::new(disc * k, disc * k, disc * crown);
        let needle = DVec3::new(needle * crown, needle * crown, needle * k);
        Self { squares: [disc * disc, needle * needle], ball }
    }

    #[inline]
    pub(super) fn support(&self, n: DVec3) -> DVec3 {
        let spheroid = |squares: DVec3| {
            let point = squares * n;
            let height = point.dot(n).sqrt();
            if height > 0.0 { point / height } else { DVec3::ZERO }
        };
        spheroid(self.squares[0]) + spheroid(self.squares[1]) + n * (self.ball / n.length())
    }

    /// Of a unit vector.
    #[inline]
    pub(super) fn jet(&self, n: DVec3) -> Jet<Space> {
        let mut jet = Jet {
            point: n * self.ball,
            hessian: Sym3::diagonal(DVec3::splat(self.ball)) + Sym3::outer(n, -self.ball),
        };
        for squares in self.squares {
            let point = squares * n;
            let height = point.dot(n).sqrt();
            if height > 0.0 {
                let (point, by_height) = (point / height, 1.0 / height);
                jet.point += point;
                jet.hessian =
                    jet.hessian + Sym3::diagonal(squares * by_height) + Sym3::outer(point, -by_height);
            }
        }
        jet
    }

    /// The largest relative change that a step makes to the height of a spheroid and to its first derivative.
    pub(super) fn change(&self, n: DVec3, s: DVec3) -> f64 {
        let of = |squares: DVec3| {
            let height = (squares * n).dot(n);
            if height > 0.0 { ((squares * s).dot(s) / height).sqrt() } else { 0.0 }
        };
        self.squares.map(of).into_iter().fold(0.0, f64::max)
    }

    /// A ball of this radius rolls inside the body, all around.
    pub(super) fn ball(&self) -> f64 {
        self.ball
    }
}

//! Crowned superellipsoids.
//!
//! **Idea.** The support function is the nested norm N of `u_i = r_i √(c_i² + η²|c|²)`. Each u_i is convex, and N grows with each of
//! them, so h is convex and a support function. With `∇u_i = r_i² (c_i e_i + η² c)/u_i` and
//! `∇²u_i = (r_i² (e_i e_iᵀ + η² I) − ∇u_i ∇u_iᵀ)/u_i`, and w = ∇N, k_i = w_i r_i²/u_i,
//! `∇h = (k ∘ c) + η² Σk c` and `∇²h = Jᵀ (∇²N − diag(w/u)) J + diag(k) + η² Σk I`, J the rows ∇u_i.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;

use super::super::nested_norm::NestedNorm;
use crate::Jet;

/// Rounds in which the radii are rescaled; the error falls with η each time.
const ROUNDS: usize = 12;

/// The support function of a crowned superellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Barrel {
    norm: NestedNorm,
    /// Squares of the rescaled radii.
    squares: DVec3,
    /// η².
    crown2: f64,
    /// Radius of the ball that is added.
    ball: f64,
}

impl Barrel {
    pub(super) fn new(radii: DVec3, [e1, e2]: [f64; 2], crown: f64, ball: f64) -> Self {
        let norm = NestedNorm::new(2.0 / (2.0 - e1), 2.0 / (2.0 - e2), DVec3::ONE);
        let mut barrel = Self { norm, squares: radii * radii, crown2: crown * crown, ball };
        let radii = radii - ball;
        for _ in 0..ROUNDS {
            let extents = DVec3::from_array(DVec3::AXES.map(|axis| barrel.norm.value(barrel.heights(axis))));
            let factor = radii / extents;
            barrel.squares *= factor * factor;
        }
        barrel
    }

    /// u.
    #[inline]
    fn heights(&self, n: DVec3) -> DVec3 {
        let squares = self.squares * (n * n + self.crown2 * n.length_squared());
        DVec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt())
    }

    #[inline]
    pub(super) fn support(&self, n: DVec3) -> DVec3 {
        let u = self.heights(n);
        self.point(n, self.norm.gradient(u) * self.squares / u) + n * (self.ball / n.length())
    }

    pub(super) fn ball(&self) -> f64 {
        self.ball
    }

    #[inline]
    fn point(&self, n: DVec3, k: DVec3) -> DVec3 {
        k * n + n * (self.crown2 * k.element_sum())
    }

    #[inline]
    pub(super) fn jet(&self, n: DVec3) -> Jet<Space> {
        let u = self.heights(n);
        let (_, w, second) = self.norm.jet(u);
        let (by_u, scale) = (u.recip(), self.squares / u);
        let k = w * scale;
        let rows: [DVec3; 3] = std::array::from_fn(|i| (DVec3::AXES[i] * n[i] + n * self.crown2) * scale[i]);
        let bent = k + DVec3::splat(self.crown2 * k.element_sum());
        let inner = second + Sym3::diagonal(-w * by_u);
        let mut hessian = Sym3::diagonal(bent + self.ball) + Sym3::outer(n, -self.ball);
        let full = inner.full();
        for i in 0..3 {
            hessian = hessian + Sym3::outer(rows[i], full.col(i)[i]);
            for j in 0..i {
                hessian = hessian + mixed(rows[i], rows[j], full.col(j)[i]);
            }
        }
        Jet { point: self.point(n, k) + n * self.ball, hessian }
    }
}

/// `k (x yᵀ + y xᵀ)`.
#[inline]
fn mixed(x: DVec3, y: DVec3, k: f64) -> Sym3 {
    Sym3 {
        xx: 2.0 * k * x.x * y.x,
        yy: 2.0 * k * x.y * y.y,
        zz: 2.0 * k * x.z * y.z,
        xy: k * (x.x * y.y + x.y * y.x),
        xz: k * (x.x * y.z + x.z * y.x),
        yz: k * (x.y * y.z + x.z * y.y),
    }
}

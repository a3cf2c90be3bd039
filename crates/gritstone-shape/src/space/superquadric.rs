//! Superquadrics with three exponents: [martinez2003] eq. (2.11).
//!
//! **Idea.** The support function has no closed form, since each axis has its own exponent. But its maximiser has:
//! with Lagrange's multiplier λ, `|x_i/a_i| = (|a_i c_i| / λ n_i)^(1/(n_i−1))`, and the constraint becomes one equation
//! for λ, which [`PowerSum`] solves to rounding. The gauge is another equation of the same kind. Derivatives follow by
//! differentiating these equations; they are sums of three squares, so that they are positive semi-definite and
//! annihilate their argument to rounding, however large they are.
//!
//! **Notation.** k_i: exponents (the thesis' n_i), `q_i = k_i/(k_i − 1)` their conjugates; y_i = |x_i/a_i|;
//! `T_i = y_i^k_i`, which add up to one on the surface; `z_i = y_i^(k_i−1) = |a_i n_i|/(λ k_i)`, so `T_i = z_i^q_i`.
//!
//! **Deviations.** Where a component nears zero a second derivative may go to infinity; it is taken at
//! [`DERIVATIVE_FLOOR`] or more, so it stays finite. Values and gradients know no floor.
//!
//! **Cost.** 9 to 15 powers for a support point; derivatives come with it.

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Mesh, Space};
use libm::tgamma;

use super::power_sum::PowerSum;
use super::tessellate::Grid;
use super::unit::unit;
use crate::{Body, Implicit, Jet, ShapeError, Support, Tessellate};

/// Least scaled component that second derivatives see.
const DERIVATIVE_FLOOR: f64 = 1e-12;

/// `|x/a|^n1 + |y/b|^n2 + |z/c|^n3 ≤ 1`, eq. (2.11), with all exponents above one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superquadric {
    semi_axes: DVec3,
    blockiness: DVec3,
    /// Conjugate exponents.
    conjugate: DVec3,
    size: f64,
}

impl Superquadric {
    /// A superquadric with semi-axes a, b, c and exponents n1, n2, n3 above 1.
    pub fn new(semi_axes: DVec3, blockiness: [f64; 3]) -> Result<Self, ShapeError> {
        for (i, a) in semi_axes.to_array().into_iter().enumerate() {
            ShapeError::check_length(format_args!("semi_axes[{i}]"), a)?;
        }
        for (i, n) in blockiness.into_iter().enumerate() {
            ShapeError::check_range(format_args!("blockiness[{i}]"), n, 1.0, f64::INFINITY)?;
        }
        let blockiness = DVec3::from(blockiness);
        let conjugate = blockiness / (blockiness - 1.0);
        Ok(Self { semi_axes, blockiness, conjugate, size: farthest(semi_axes, blockiness) })
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.semi_axes * factor, self.blockiness.into())
    }

    /// The semi-axes a, b, c.
    pub fn semi_axes(&self) -> DVec3 {
        self.semi_axes
    }

    /// The exponents n1, n2, n3.
    pub fn blockiness(&self) -> [f64; 3] {
        self.blockiness.into()
    }

    /// Lagrange's equation for the direction `n`: z as the scaled numbers, T as the terms, 1/λ as the factor.
    fn multiplier(&self, n: DVec3) -> PowerSum {
        PowerSum::solve((self.semi_axes * n).abs() / self.blockiness, self.conjugate)
    }

    /// The gauge's equation at the point `x`: y as the scaled numbers, T as the terms, 1/N as the factor.
    fn scaled_to_surface(&self, x: DVec3) -> PowerSum {
        PowerSum::solve((x / self.semi_axes).abs(), self.blockiness)
    }

    /// Gradient of the gauge where it is solved: `∂N/∂x_i = k_i y_i^(k_i−1) / (a_i Σ k T)`.
    fn gauge_gradient(&self, x: DVec3, root: &PowerSum) -> DVec3 {
        let slopes = self.blockiness * over(root.terms, root.scaled) / self.semi_axes;
        slopes.copysign(x) / self.blockiness.dot(root.terms)
    }
}

/// `terms/scaled`; zero where both are.
fn over(terms: DVec3, scaled: DVec3) -> DVec3 {
    DVec3::select(scaled.cmpgt(DVec3::ZERO), terms / scaled, DVec3::ZERO)
}

/// `z^p` at no less than the floor.
fn floored_power(z: DVec3, p: DVec3) -> DVec3 {
    let z = z.max(DVec3::splat(DERIVATIVE_FLOOR));
    DVec3::new(libm::pow(z.x, p.x), libm::pow(z.y, p.y), libm::pow(z.z, p.z))
}

/// Radius of a sphere that holds the body. In the squares of the coordinates |x|² is a linear form over a body with half
/// the exponents, which is convex where none of them is below two: its support function is the answer. An exponent below
/// two is taken as two, which holds the body: right when none exceeds two, and a few per cent too large when exponents
/// lie on both sides.
fn farthest(semi_axes: DVec3, blockiness: DVec3) -> f64 {
    let largest = semi_axes.max_element();
    let squares = (semi_axes / largest) * (semi_axes / largest);
    // Axes with k ≤ 2 compete by their squares alone: one of them stands for all. Its multiplier would be that square.
    let (mut flat, mut u, mut half) = (0.0_f64, DVec3::ZERO, DVec3::splat(2.0));
    for i in 0..3 {
        if blockiness[i] > 2.0 {
            (u[i], half[i]) = (squares[i], 0.5 * blockiness[i]);
        } else {
            flat = flat.max(squares[i]);
        }
    }
    if u == DVec3::ZERO {
        return largest;
    }
    // max Σ u_i s_i + flat·t with Σ s_i^κ_i + t = 1: at the multiplier λ, s_i = (u_i/(λ κ_i))^(1/(κ_i−1)).
    let conjugate = half / (half - 1.0);
    let root = PowerSum::solve(u / half, conjugate);
    let lambda = root.factor.recip();
    let square = if lambda >= flat {
        u.dot(over(root.terms, root.scaled))
    } else {
        // The flat axis takes what the others leave at its own multiplier.
        let z = u / (half * flat);
        let terms =
            DVec3::new(libm::pow(z.x, conjugate.x), libm::pow(z.y, conjugate.y), libm::pow(z.z, conjugate.z));
        u.dot(over(terms, z)) + flat * (1.0 - terms.element_sum())
    };
    largest * square.sqrt()
}

impl Support<Space> for Superquadric {
    /// `y_i = z_i^(q_i−1) = T_i/z_i`.
    fn support(&self, n: DVec3) -> DVec3 {
        let root = self.multiplier(n);
        (self.semi_axes * over(root.terms, root.scaled)).copysign(n)
    }

    /// On the surface `n = λ∇F`; differentiated, with `C = (λ∇²F)⁻¹`, which is diagonal,
    /// `H = C − C n nᵀ C / (nᵀ C n) = Σ_{i<j} C_i C_j (n_j e_i − n_i e_j)(n_j e_i − n_i e_j)ᵀ / Σ C_k n_k²`.
    fn jet(&self, n: DVec3) -> Jet<Space> {
        let root = self.multiplier(n);
        let point = (self.semi_axes * over(root.terms, root.scaled)).copysign(n);
        // In units of the axes: n_i → k_i z_i, and C_i → q_i z_i^(q_i−2) / k_i², all over λ.
        let (k, q) = (self.blockiness, self.conjugate);
        let (leans, signed_axes) = (k * root.scaled, self.semi_axes.copysign(n));
        let compliance = q * floored_power(root.scaled, q - 2.0) / (k * k);
        let total = compliance.dot(leans * leans);
        let mut hessian = Sym3::default();
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let mut across = DVec3::ZERO;
            across[i] = leans[j] * signed_axes[i];
            across[j] = -leans[i] * signed_axes[j];
            // The larger one is divided first: it may be huge, and the total with it.
            let (low, high) = (compliance[i].min(compliance[j]), compliance[i].max(compliance[j]));
            hessian = hessian + Sym3::outer(across, high / total * low * root.factor);
        }
        Jet { point, hessian }
    }

    fn size(&self) -> f64 {
        self.size
    }

    /// From x the inside-outside function rises by no more than `∇F·s + ½ L|s|²`, where L is its largest second derivative
    /// in the ball, a sum of functions of one coordinate each: the ball is inside if its radius is at most `|∇F|/L`.
    fn nested_ball(&self, n: DVec3, x: DVec3, wanted: f64) -> f64 {
        let middle = (x - n * wanted).abs();
        let [low, high] = [-wanted, wanted].map(|r| ((middle + r) / self.semi_axes).max(DVec3::ZERO));
        let (k, at) = (self.blockiness, DVec3::select(self.blockiness.cmpge(DVec3::splat(2.0)), high, low));
        let powers =
            DVec3::new(libm::pow(at.x, k.x - 2.0), libm::pow(at.y, k.y - 2.0), libm::pow(at.z, k.z - 2.0));
        let second = (k * (k - 1.0) * powers / (self.semi_axes * self.semi_axes)).max_element();
        if wanted * second <= self.gradient(x).length() { wanted } else { 0.0 }
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

impl Implicit<Space> for Superquadric {
    fn inside_outside(&self, x: DVec3) -> f64 {
        let (y, k) = ((x / self.semi_axes).abs(), self.blockiness);
        libm::pow(y.x, k.x) + libm::pow(y.y, k.y) + libm::pow(y.z, k.z) // [martinez2003] eq. (2.11)
    }

    fn gradient(&self, x: DVec3) -> DVec3 {
        let (y, k) = ((x / self.semi_axes).abs(), self.blockiness);
        let powers =
            DVec3::new(libm::pow(y.x, k.x - 1.0), libm::pow(y.y, k.y - 1.0), libm::pow(y.z, k.z - 1.0));
        (k * powers / self.semi_axes).min(DVec3::MAX).copysign(x)
    }

    fn curvature(&self, x: DVec3) -> Sym3 {
        let (y, k) = ((x / self.semi_axes).abs(), self.blockiness);
        let powers = floored_power(y, k - 2.0);
        Sym3::diagonal((k * (k - 1.0) * powers / (self.semi_axes * self.semi_axes)).min(DVec3::MAX))
    }

    fn gauge(&self, x: DVec3) -> f64 {
        if x == DVec3::ZERO { 0.0 } else { self.scaled_to_surface(x).factor.recip() }
    }

    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        if x == DVec3::ZERO {
            return (0.0, DVec3::Z / self.semi_axes);
        }
        let root = self.scaled_to_surface(x);
        (root.factor.recip(), self.gauge_gradient(x, &root))
    }

    /// With `F(x/N) = 1` and `y = x/N`: `∇²N = (I − ∇N yᵀ) ∇²F(y) (I − y ∇Nᵀ) / (N ∇F·y)`, a sum of three squares.
    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        if x == DVec3::ZERO {
            return (0.0, DVec3::Z / self.semi_axes, Sym3::default());
        }
        let root = self.scaled_to_surface(x);
        let (k, on_surface) = (self.blockiness, x * root.factor);
        let gradient = self.gauge_gradient(x, &root);
        let bends = k * (k - 1.0) * floored_power(root.scaled, k - 2.0) / k.dot(root.terms) * root.factor;
        let mut hessian = Sym3::default();
        for i in 0..3 {
            let across = (DVec3::AXES[i] - gradient * on_surface[i]) / self.semi_axes[i];
            hessian = hessian + Sym3::outer(across, bends[i]);
        }
        (root.factor.recip(), gradient, hessian)
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        unit(self.gauge_with_gradient(x).1)
    }
}

impl Body<Space> for Superquadric {
    /// Dirichlet's integrals: with `G(α) = Π Γ(1 + α_i) / Γ(1 + Σ α_i)` the volume is `8abc G(1/k)`, and `∫x_i²` is
    /// `8abc a_i²/3` times G with 3/k_i in place of 1/k_i.
    fn mass(&self) -> Mass<Space> {
        let ratio = |alpha: DVec3| {
            let product: f64 = alpha.to_array().into_iter().map(|a| tgamma(1.0 + a)).product();
            product / tgamma(1.0 + alpha.element_sum())
        };
        let (alpha, a) = (self.blockiness.recip(), self.semi_axes);
        let eight = 8.0 * a.element_product();
        let second = DVec3::from_array([0, 1, 2].map(|i| ratio(alpha + 2.0 * alpha[i] * DVec3::AXES[i])));
        Mass::symmetric(eight * ratio(alpha), a * a * second * (eight / 3.0))
    }

    fn half_extents(&self) -> DVec3 {
        self.semi_axes
    }
}

impl Tessellate for Superquadric {
    /// The lattice of the superellipsoid with the nearest exponents, taken to the surface along its rays: its lines keep
    /// to the coordinate planes, where pointed shapes bend, and come near the edges of boxy ones.
    fn tessellate(&self, detail: u32) -> Mesh {
        let k = self.blockiness;
        let grid = Grid::new(self.semi_axes, [2.0 / (k.x * k.y).sqrt(), 2.0 / k.z], detail);
        grid.mesh(|x| {
            let on_surface = x / self.gauge(x);
            (on_surface, self.normal(on_surface))
        })
    }
}

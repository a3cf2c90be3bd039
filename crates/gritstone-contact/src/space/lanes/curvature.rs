//! Relative curvature of two surfaces at their contact, in lanes.

use gritstone_core::lanes::{Lanes, Sym2, Sym3};

/// Smallest ratio of the principal radii of curvature. At ridges their product, a difference of nearly equal numbers, can
/// round to less than nothing.
const LEAST_RATIO: f64 = 1e-12;

/// The two principal relative curvatures.
#[derive(Clone, Copy, Debug)]
pub struct Curvature<L> {
    /// Half their sum.
    pub mean: L,
    /// Their product.
    pub product: L,
}

impl<L: Lanes> Curvature<L> {
    /// None.
    #[inline(always)]
    pub(super) fn zero() -> Self {
        Self { mean: L::splat(0.0), product: L::splat(0.0) }
    }

    /// The same in both directions.
    #[inline(always)]
    pub(super) fn isotropic(curvature: L) -> Self {
        Self { mean: curvature, product: curvature * curvature }
    }

    /// Of one surface on a plane: the surface whose support function has this Hessian.
    #[inline(always)]
    pub(super) fn of(hessian: impl Radii<L>) -> Self {
        let [sum, product] = curvatures(&hessian);
        Self { mean: L::splat(0.5) * sum, product }
    }

    /// Of two surfaces, whose support functions have these Hessians.
    #[inline(always)]
    pub(super) fn relative<H: Radii<L>>(a: H, b: H) -> Self {
        let [[sum_a, product_a], [sum_b, product_b]] = [curvatures(&a), curvatures(&b)];
        let [_, radii] = (a + b).sum_and_product();
        Self { mean: L::splat(0.5) * (sum_a + sum_b), product: radii * product_a * product_b }
    }

    /// The larger one.
    #[inline(always)]
    pub fn largest(self) -> L {
        let Self { mean, product } = self;
        mean + mean.mul_sub(mean, product).max(L::splat(0.0)).sqrt()
    }
}

/// A Hessian of a support function; its eigenvalues are the principal radii of curvature.
pub(super) trait Radii<L>: Copy + std::ops::Add<Output = Self> {
    /// Sum and product of the principal radii.
    fn sum_and_product(self) -> [L; 2];
}

impl<L: Lanes> Radii<L> for Sym2<L> {
    #[inline(always)]
    fn sum_and_product(self) -> [L; 2] {
        [self.trace(), self.determinant()]
    }
}

/// In space, the direction itself has the eigenvalue zero.
impl<L: Lanes> Radii<L> for Sym3<L> {
    #[inline(always)]
    fn sum_and_product(self) -> [L; 2] {
        [self.trace(), self.second_invariant()]
    }
}

/// Sum and product of the principal curvatures of one surface.
#[inline(always)]
fn curvatures<L: Lanes>(hessian: &impl Radii<L>) -> [L; 2] {
    let [sum, product] = hessian.sum_and_product();
    let curvature = L::splat(1.0) / product.max(L::splat(LEAST_RATIO) * sum * sum);
    [sum * curvature, curvature]
}

//! The surface point with a given normal, and how it moves as the normal turns: eqs (4), (2) and (11).
//!
//! **Notation.** α1, α2: angles of the contact direction; a suffix i, j is a derivative by them. n: outward normal in
//! the body's frame; k, l count its components. φ1, φ2: surface parameters; γ, δ count them. `S_γ = sin φ_γ`,
//! `C_γ = cos φ_γ`, `t_γ = tan φ_γ`, `δ_γ = 1/(2 − ε_γ)`.
//!
//! Eq. (4) in logarithms, `ln|tan φ1| = δ1 (ln|r2 n2| − ln|r1 n1|)` and, in both of its branches,
//! `Λ = ln|tan φ2| = δ2 (ln|r3 n3| + (2 − ε1) ln|C1| − ln|r1 n1|)`, has derivatives without powers.

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_shape::space::Superellipsoid;

/// Components of the normal below this are moved to it before derivatives are taken: the paper's slight shift of
/// indeterminate points.
const SLIGHT: f64 = 1e-9;

/// Sines and cosines below this count as this: below it powers of exponents above one vanish, and 0·∞ would remain.
const SMALLEST_SINE: f64 = 1e-15;

/// Derivatives of a quantity by the contact angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Derivatives<T> {
    /// By α1 and α2.
    pub(super) first: [T; 2],
    /// By α1α1, α1α2 and α2α2.
    pub(super) second: [T; 3],
}

impl<T: Copy> Derivatives<T> {
    /// Those of a linear map of the quantity.
    pub(super) fn map<U>(&self, f: impl Fn(T) -> U) -> Derivatives<U> {
        Derivatives { first: self.first.map(&f), second: self.second.map(&f) }
    }
}

/// Which two first derivatives belong to each second one.
pub(super) const SECOND: [(usize, usize); 3] = [(0, 0), (0, 1), (1, 1)];

/// A surface point in its body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfacePoint {
    /// Outward unit normal.
    n: DVec3,
    /// Surface parameters.
    phi: [f64; 2],
    /// The point.
    pub(super) p: DVec3,
}

impl SurfacePoint {
    /// The point of `body` with the outward normal `n`.
    pub(super) fn with_normal(body: &Superellipsoid, n: DVec3) -> Self {
        let phi = body.angles_of_normal(n); // [wellmann2008] eq. (4)
        Self { n, phi, p: body.surface_point(phi) } // eq. (2)
    }

    /// Its outward unit normal in the body's frame.
    #[cfg(test)]
    pub(super) fn normal(&self) -> DVec3 {
        self.n
    }

    /// How the point moves when its normal turns as `n` says, and whether it had to be shifted slightly.
    pub(super) fn moving(&self, body: &Superellipsoid, n: &Derivatives<DVec3>) -> (Derivatives<DVec3>, bool) {
        if self.n.abs().min_element() < SLIGHT {
            (chain(body, &Self::with_normal(body, shift(self.n)), n), true)
        } else {
            (chain(body, self, n), false)
        }
    }
}

/// The nearest normal that has no component near zero.
fn shift(n: DVec3) -> DVec3 {
    n.abs().max(DVec3::splat(SLIGHT)) * n.signum()
}

/// [wellmann2008] eq. (11).
fn chain(body: &Superellipsoid, at: &SurfacePoint, n: &Derivatives<DVec3>) -> Derivatives<DVec3> {
    let (p, sines) = (at.p, at.phi.map(Sines::of));
    let [phi_1, phi_2] = parameters(body, at.n, n, sines);
    let [e1, e2] = body.exponents();
    let [t1, t2] = sines.map(|at| at.s / at.c);
    // Derivatives of eq. (2) by φ: each component is a product of powers, so each is a factor times p.
    let p_1 = p * DVec3::new(-e1 * t1, e1 / t1, 0.0);
    let p_2 = p * DVec3::new(-e2 * t2, -e2 * t2, e2 / t2);
    let twice = |e: f64, t: f64| e * (e * t * t - 1.0 - t * t);
    let across = twice(e2, t2);
    let p_11 = p * DVec3::new(twice(e1, t1), twice(e1, t1.recip()), 0.0);
    let p_12 = p * DVec3::new(e1 * t1, -e1 / t1, 0.0) * (e2 * t2);
    let p_22 = p * DVec3::new(across, across, twice(e2, t2.recip()));
    let first = [0, 1].map(|i| p_1 * phi_1.first[i] + p_2 * phi_2.first[i]);
    let second = [0, 1, 2].map(|m| {
        let (i, j) = SECOND[m];
        p_11 * (phi_1.first[i] * phi_1.first[j])
            + p_12 * (phi_1.first[i] * phi_2.first[j] + phi_2.first[i] * phi_1.first[j])
            + p_22 * (phi_2.first[i] * phi_2.first[j])
            + p_1 * phi_1.second[m]
            + p_2 * phi_2.second[m]
    });
    Derivatives { first, second }
}

/// Derivatives of the surface parameters: those of eq. (4) by n, and of n by α.
fn parameters(
    body: &Superellipsoid,
    at: DVec3,
    n: &Derivatives<DVec3>,
    [one, two]: [Sines; 2],
) -> [Derivatives<f64>; 2] {
    let [delta_1, delta_2] = body.exponents().map(|e| 1.0 / (2.0 - e));
    let m = at.recip();
    // ∂φ1/∂n_k = δ1 S1 C1 (−1/n1, 1/n2, 0), and once more.
    let sc = delta_1 * one.s * one.c;
    let phi_k = DVec3::new(-sc * m.x, sc * m.y, 0.0);
    let turn = delta_1 * one.double_cosine();
    let phi_kl = Sym3 {
        xx: (sc * m.x - turn * phi_k.x) * m.x,
        yy: (turn * phi_k.y - sc * m.y) * m.y,
        xy: -turn * phi_k.y * m.x,
        ..Sym3::default()
    };
    // ∂Λ/∂n_k = δ2 (−C1²/n1, −S1²/n2, 1/n3), and once more.
    let l_k = delta_2 * m * DVec3::new(-one.c * one.c, -one.s * one.s, 1.0);
    let swing = 2.0 * delta_2 * one.s * one.c;
    let l_kl = Sym3 {
        xx: (swing * phi_k.x - l_k.x) * m.x,
        yy: (-swing * phi_k.y - l_k.y) * m.y,
        zz: -l_k.z * m.z,
        xy: swing * phi_k.y * m.x,
        ..Sym3::default()
    };
    // dφ2 = S2 C2 dΛ.
    let sc = two.s * two.c;
    let phi2_kl = l_kl * sc + Sym3::outer(l_k, sc * two.double_cosine());
    [along(n, phi_k, &phi_kl), along(n, l_k * sc, &phi2_kl)]
}

/// Derivatives of a function of n that is given by its gradient and Hessian.
fn along(n: &Derivatives<DVec3>, gradient: DVec3, hessian: &Sym3) -> Derivatives<f64> {
    let second = [0, 1, 2].map(|m| {
        let (i, j) = SECOND[m];
        n.first[i].dot(*hessian * n.first[j]) + gradient.dot(n.second[m])
    });
    Derivatives { first: n.first.map(|n_i| gradient.dot(n_i)), second }
}

/// Sine and cosine of a surface parameter, neither of them zero.
#[derive(Clone, Copy)]
struct Sines {
    s: f64,
    c: f64,
}

impl Sines {
    fn of(phi: f64) -> Self {
        let away = |x: f64| x.abs().max(SMALLEST_SINE).copysign(x);
        let (s, c) = libm::sincos(phi);
        Self { s: away(s), c: away(c) }
    }

    /// cos 2φ.
    fn double_cosine(&self) -> f64 {
        (self.c - self.s) * (self.c + self.s)
    }
}

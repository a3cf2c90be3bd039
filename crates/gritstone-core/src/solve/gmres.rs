//! Restarted GMRES for a handful of unknowns, without allocation.
//!
//! **Idea.** Solve `A x = b` knowing A only by its products `A v`. A Krylov basis of the residual is made orthonormal
//! one product at a time (Arnoldi), and x is the vector of that subspace with the least residual. After M products
//! the basis is dropped and a new one is begun from the residual that is left.
//!
//! **Source.** Saad and Schultz 1986 \[saad1986\], algorithms 3 and 4.
//!
//! **Notation.** v_k: orthonormal basis; H: Hessenberg matrix of A in it, kept as the triangle R of its QR
//! factorisation by Givens rotations (c_k, s_k); γ: rotated right-hand side, whose last entry is the residual norm.
//!
//! **Deviations.** Gram–Schmidt is done twice where it cancels, so that the residual norm of the recurrence can be believed for
//! ill-conditioned A. A column of R that vanishes (A singular on the subspace) ends the solve with what the columns
//! before it give, and says so.
//!
//! **Fails when.** A is singular and b is not in its range; or M < N and restarting stagnates. Both are statuses.
//!
//! **Cost.** One product per basis vector, one more per restart.

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Residual norm wanted, as a fraction of |b|.
    pub tolerance: f64,
    /// How often a basis may be begun.
    pub cycles: u32,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual is within tolerance.
    Converged,
    /// The last cycles are used up.
    LimitReached,
    /// A whole cycle left the residual nearly as it was.
    Stalled,
    /// A is singular on the subspace, and b is out of reach there.
    Singular,
    /// A product is not finite.
    NotFinite,
}

/// What a solve found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<const N: usize> {
    /// The best x; it is finite whatever the status.
    pub x: [f64; N],
    /// Norm of `b − A x`.
    pub residual: f64,
    /// Products that were formed.
    pub products: u32,
    /// How it ended.
    pub status: Status,
}

/// A cycle that leaves more than this of the residual has stalled.
const STALL: f64 = 0.9;

/// Gram–Schmidt that leaves more than this of a vector has lost no digits, and is not done again.
const ORTHOGONAL: f64 = 0.5;

/// Solves `A x = b` from x = 0 with a basis of at most M vectors at a time; `apply` forms `A v`.
pub fn gmres<const N: usize, const M: usize>(
    mut apply: impl FnMut(&[f64; N]) -> [f64; N],
    b: &[f64; N],
    limits: Limits,
) -> Solution<N> {
    let target = limits.tolerance * norm(b);
    let mut best = Solution { x: [0.0; N], residual: norm(b), products: 0, status: Status::Converged };
    if !best.residual.is_finite() {
        return Solution { status: Status::NotFinite, ..best };
    }
    let mut r = *b;
    for _ in 0..limits.cycles {
        if best.residual <= target {
            return best;
        }
        let before = best;
        let (basis, outcome) = Basis::<N, M>::build(&mut apply, &r, target);
        best.products += basis.products;
        basis.add_correction(&mut best.x);
        best.residual = basis.residual();
        best.status = match outcome {
            Outcome::Reached => Status::Converged,
            Outcome::Singular => Status::Singular,
            Outcome::NotFinite => Status::NotFinite,
            Outcome::Full => {
                // Only a true residual can start the next basis.
                let ax = apply(&best.x);
                best.products += 1;
                r = std::array::from_fn(|i| b[i] - ax[i]);
                best.residual = norm(&r);
                if best.residual <= target {
                    Status::Converged
                } else if best.residual > STALL * before.residual {
                    Status::Stalled
                } else {
                    Status::LimitReached
                }
            }
        };
        // A correction that is not finite, or does harm by rounding, is not taken.
        if !(best.residual <= before.residual && norm(&best.x).is_finite()) {
            (best.x, best.residual) = (before.x, before.residual);
        }
        if best.status != Status::LimitReached {
            return best;
        }
    }
    Solution {
        status: if best.residual <= target { Status::Converged } else { Status::LimitReached },
        ..best
    }
}

/// Why a basis ended.
enum Outcome {
    /// The residual is within tolerance.
    Reached,
    /// All M vectors are there.
    Full,
    /// The Krylov space stopped growing before b was reached.
    Singular,
    /// The last product was not finite.
    NotFinite,
}

/// One cycle: a Krylov basis and the least-squares problem in it.
struct Basis<const N: usize, const M: usize> {
    v: [[f64; N]; M],
    /// Columns of the triangle R.
    r: [[f64; M]; M],
    rotation: [[f64; 2]; M],
    gamma: [f64; M],
    /// The entry of γ after the last column: the residual, up to its sign.
    rest: f64,
    /// Columns that are complete.
    columns: usize,
    products: u32,
}

impl<const N: usize, const M: usize> Basis<N, M> {
    /// Grows a basis from the residual `r` until its norm is `target`.
    fn build(apply: &mut impl FnMut(&[f64; N]) -> [f64; N], r: &[f64; N], target: f64) -> (Self, Outcome) {
        let rest = norm(r);
        let mut basis = Self {
            v: [[0.0; N]; M],
            r: [[0.0; M]; M],
            rotation: [[0.0; 2]; M],
            gamma: [0.0; M],
            rest,
            columns: 0,
            products: 0,
        };
        let mut next: [f64; N] = std::array::from_fn(|i| r[i] / rest);
        for k in 0..M {
            basis.v[k] = next;
            let mut w = apply(&next);
            basis.products += 1;
            let length = norm(&w);
            if !length.is_finite() {
                return (basis, Outcome::NotFinite);
            }
            let across = basis.orthogonalise(k, &mut w);
            let noise = 4.0 * f64::EPSILON * length;
            let across = if across <= noise { 0.0 } else { across };
            if !basis.rotate(k, across, noise) {
                return (basis, Outcome::Singular);
            }
            basis.columns = k + 1;
            if basis.residual() <= target {
                return (basis, Outcome::Reached);
            }
            next = std::array::from_fn(|i| w[i] / across);
        }
        (basis, Outcome::Full)
    }

    /// Takes the first k + 1 basis vectors out of `w`, puts the coefficients into column k, returns what is left.
    fn orthogonalise(&mut self, k: usize, w: &mut [f64; N]) -> f64 {
        let mut before = norm(w);
        for _ in 0..2 {
            for i in 0..=k {
                let h = dot(w, &self.v[i]);
                self.r[k][i] += h;
                for (w, v) in w.iter_mut().zip(&self.v[i]) {
                    *w -= h * v;
                }
            }
            let after = norm(w);
            if after > ORTHOGONAL * before {
                return after;
            }
            before = after;
        }
        before
    }

    /// Turns column k of H, whose entry below the diagonal is `across`, into a column of R. False if it vanishes.
    fn rotate(&mut self, k: usize, across: f64, noise: f64) -> bool {
        for i in 0..k {
            let [c, s] = self.rotation[i];
            let (x, y) = (self.r[k][i], self.r[k][i + 1]);
            (self.r[k][i], self.r[k][i + 1]) = (c * x + s * y, c * y - s * x);
        }
        let pivot = libm::hypot(self.r[k][k], across);
        if pivot <= noise {
            return false;
        }
        let [c, s] = [self.r[k][k] / pivot, across / pivot];
        self.rotation[k] = [c, s];
        self.r[k][k] = pivot;
        self.gamma[k] = c * self.rest;
        self.rest *= -s;
        true
    }

    fn residual(&self) -> f64 {
        self.rest.abs()
    }

    /// Adds the combination of basis vectors that has the least residual.
    fn add_correction(&self, x: &mut [f64; N]) {
        let mut y = self.gamma;
        for k in (0..self.columns).rev() {
            y[k] /= self.r[k][k];
            for i in 0..k {
                y[i] -= self.r[k][i] * y[k];
            }
            for (x, v) in x.iter_mut().zip(&self.v[k]) {
                *x += y[k] * v;
            }
        }
    }
}

/// Four sums that do not wait for each other, in a fixed order.
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sums = [0.0; 4];
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        sums[i % 4] += a * b;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn norm<const N: usize>(a: &[f64; N]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Matrix<const N: usize> = [[f64; N]; N];

    fn times<const N: usize>(a: &Matrix<N>, x: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|i| dot(&a[i], x))
    }

    /// Gaussian elimination with complete pivoting: the answer from elsewhere.
    fn dense<const N: usize>(mut a: Matrix<N>, mut b: [f64; N]) -> [f64; N] {
        let mut order: [usize; N] = std::array::from_fn(|i| i);
        for k in 0..N {
            let (mut row, mut column) = (k, k);
            for i in k..N {
                for j in k..N {
                    if a[i][j].abs() > a[row][column].abs() {
                        (row, column) = (i, j);
                    }
                }
            }
            a.swap(k, row);
            b.swap(k, row);
            order.swap(k, column);
            for line in &mut a {
                line.swap(k, column);
            }
            let pivot = a[k];
            for i in k + 1..N {
                let factor = a[i][k] / pivot[k];
                a[i] = std::array::from_fn(|j| a[i][j] - factor * pivot[j]);
                b[i] -= factor * b[k];
            }
        }
        let mut x = [0.0; N];
        for k in (0..N).rev() {
            let known: f64 = (k + 1..N).map(|j| a[k][j] * x[order[j]]).sum();
            x[order[k]] = (b[k] - known) / a[k][k];
        }
        x
    }

    const TIGHT: Limits = Limits { tolerance: 1e-13, cycles: 3 };

    fn entries<const N: usize>() -> impl Strategy<Value = Matrix<N>> {
        proptest::array::uniform(proptest::array::uniform(-1.0..1.0))
    }

    fn difference<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
        norm(&std::array::from_fn::<_, N, _>(|i| a[i] - b[i]))
    }

    proptest! {
        #[test]
        fn agrees_with_elimination(mut a in entries::<10>(), b in proptest::array::uniform(-1.0..1.0)) {
            for (i, row) in a.iter_mut().enumerate() {
                row[i] += 4.0; // far from singular, so that both answers are sharp
            }
            let solution = gmres::<10, 10>(|v| times(&a, v), &b, TIGHT);
            prop_assert_eq!(solution.status, Status::Converged);
            prop_assert!(difference(&solution.x, &dense(a, b)) < 1e-11);
        }

        /// Restarts of half the dimension converge for matrices near the identity.
        #[test]
        fn restarts_converge(mut a in entries::<8>(), b in proptest::array::uniform(-1.0..1.0)) {
            for (i, row) in a.iter_mut().enumerate() {
                row.iter_mut().for_each(|x| *x *= 0.1);
                row[i] += 1.0;
            }
            let solution = gmres::<8, 4>(|v| times(&a, v), &b, Limits { cycles: 20, ..TIGHT });
            prop_assert_eq!(solution.status, Status::Converged);
            prop_assert!(difference(&solution.x, &dense(a, b)) < 1e-11);
        }

        /// Rows scaled over ten decades: the reported residual is the true one, up to rounding of A x.
        #[test]
        fn residual_is_honest_when_ill_conditioned(mut a in entries::<10>(),
                                                   b in proptest::array::uniform(-1.0..1.0)) {
            for (i, row) in a.iter_mut().enumerate() {
                row.iter_mut().for_each(|x| *x *= 10.0_f64.powi(-(i as i32)));
            }
            let solution = gmres::<10, 10>(|v| times(&a, v), &b, TIGHT);
            let residual = difference(&b, &times(&a, &solution.x));
            let rounding = 1e-14 * (norm(&solution.x) * 4.0 + norm(&b));
            prop_assert!((residual - solution.residual).abs() <= rounding, "{} {}", residual, solution.residual);
            prop_assert!(solution.residual <= norm(&b));
            if solution.status == Status::Converged {
                prop_assert!(residual <= 1e-13 * norm(&b) + rounding);
            }
        }

        /// b in the range of a singular A of rank 7: a solution is found although A⁻¹ does not exist.
        #[test]
        fn singular_but_consistent_systems_are_solved(mut a in entries::<10>(),
                                                      x in proptest::array::uniform(-1.0..1.0)) {
            for i in 7..10 {
                a[i] = [0.0; 10];
                for row in &mut a {
                    row[i] = 0.0;
                }
            }
            for (i, row) in a.iter_mut().enumerate().take(7) {
                row[i] += 4.0;
            }
            let b = times(&a, &x);
            let solution = gmres::<10, 10>(|v| times(&a, v), &b, TIGHT);
            prop_assert_eq!(solution.status, Status::Converged);
            prop_assert!(difference(&b, &times(&a, &solution.x)) < 1e-12);
            prop_assert!(solution.products <= 8);
        }
    }

    #[test]
    fn singular_and_inconsistent_is_said() {
        let a = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]];
        let solution = gmres::<3, 3>(|v| times(&a, v), &[1.0, 1.0, 1.0], TIGHT);
        assert_ne!(solution.status, Status::Converged);
        // The best residual is that of least squares.
        assert!((solution.residual - 1.0).abs() < 1e-12);
        assert!(difference(&[1.0, 0.5, 0.0], &[solution.x[0], solution.x[1], 0.0]) < 1e-7);
    }

    /// A cyclic shift makes no progress at all before the last vector: the textbook case of stagnation.
    #[test]
    fn stagnation_is_said_and_full_basis_solves_it() {
        let shift = |v: &[f64; 5]| [v[4], v[0], v[1], v[2], v[3]];
        let b = [1.0, 0.0, 0.0, 0.0, 0.0];
        let short = gmres::<5, 4>(shift, &b, Limits { cycles: 10, ..TIGHT });
        assert_eq!((short.status, short.residual), (Status::Stalled, 1.0));
        let full = gmres::<5, 5>(shift, &b, TIGHT);
        assert_eq!(full.status, Status::Converged);
        assert!(difference(&full.x, &[0.0, 0.0, 0.0, 0.0, 1.0]) < 1e-14);
    }

    #[test]
    fn zero_matrix_zero_right_side_and_nan() {
        let zero = gmres::<3, 3>(|_| [0.0; 3], &[1.0, 0.0, 0.0], TIGHT);
        assert_eq!((zero.status, zero.x, zero.residual), (Status::Singular, [0.0; 3], 1.0));
        let nothing = gmres::<3, 3>(|v| *v, &[0.0; 3], TIGHT);
        assert_eq!((nothing.status, nothing.x, nothing.products), (Status::Converged, [0.0; 3], 0));
        let broken = gmres::<3, 3>(|_| [f64::NAN; 3], &[1.0, 0.0, 0.0], TIGHT);
        assert_eq!((broken.status, broken.x), (Status::NotFinite, [0.0; 3]));
        let input = gmres::<3, 3>(|v| *v, &[f64::NAN; 3], TIGHT);
        assert_eq!(input.status, Status::NotFinite);
    }
}

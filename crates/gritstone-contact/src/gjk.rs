//! Gilbert, Johnson and Keerthi's descent, in the plane and in space: see `gjk` of each.

use gritstone_core::{Dim, Vector as _};
use gritstone_shape::Support;

use crate::Query;
use crate::pair::{Bounds, Pair, PointPair, Sample, unit};

/// Up to N points of the Minkowski difference.
#[derive(Clone, Copy)]
pub(crate) struct Simplex<D: Dim, const N: usize> {
    pub(crate) points: [Sample<D>; N],
    pub(crate) count: usize,
}

/// What a simplex does in its dimension.
pub(crate) trait Reduce<D: Dim> {
    /// Shrinks to the part that carries the point nearest to the origin, and returns that point; `None` when the simplex holds
    /// the origin.
    fn reduce(&mut self) -> Option<PointPair<D>>;
}

impl<D: Dim, const N: usize> Simplex<D, N> {
    fn new(first: Sample<D>) -> Self {
        Self { points: [first; N], count: 1 }
    }

    /// Adds a point; false when it is there already.
    fn add(&mut self, sample: Sample<D>) -> bool {
        if self.count == N || self.points[..self.count].iter().any(|p| p.d == sample.d) {
            return false;
        }
        self.points[self.count] = sample;
        self.count += 1;
        true
    }
}

/// One query under way.
pub(crate) struct Descent<'p, 's, D: Dim, A: ?Sized, B: ?Sized> {
    pub(crate) pair: &'p Pair<'s, D, A, B>,
    pub(crate) bounds: Bounds<D>,
}

/// How a descent ended.
pub(crate) enum End<D: Dim> {
    /// The bounds agree, with these points.
    Closed(PointPair<D>),
    /// A separating plane was found, and no more was requested.
    Separated,
    /// The simplex holds the origin, or the descent makes no progress.
    Open,
}

impl<'p, 's, D, A, B> Descent<'p, 's, D, A, B>
where
    D: Dim,
    A: Support<D> + ?Sized,
    B: Support<D> + ?Sized,
{
    /// Nothing evaluated yet. The slack of a query is for methods that simulations use by default.
    pub(crate) fn new(pair: &'p Pair<'s, D, A, B>, query: Query<D>) -> Self {
        Self { pair, bounds: Bounds::new(Query { slack: 0.0, ..query }, pair.tolerance()) }
    }

    /// Moves a simplex towards the origin for at most so many steps. Every evaluation is shown to `visit`.
    pub(crate) fn descend<const N: usize>(&mut self, steps: u32, mut visit: impl FnMut(&Sample<D>)) -> End<D>
    where
        Simplex<D, N>: Reduce<D>,
    {
        let start = self.bounds.query.start.unwrap_or_else(|| self.pair.centre_line());
        let mut simplex = Simplex::<D, N>::new(self.evaluate(start, &mut visit));
        for _ in 0..steps {
            if self.bounds.detected() {
                return End::Separated;
            }
            let Some(witness) = simplex.reduce() else { break };
            let v = witness.difference();
            self.bounds.upper = self.bounds.upper.min(v.length());
            if self.bounds.closed() {
                return End::Closed(witness);
            }
            let Some(c) = unit(v) else { break };
            let sample = self.evaluate(c, &mut visit);
            if self.bounds.detected() {
                return End::Separated;
            }
            if self.bounds.closed() {
                return End::Closed(witness);
            }
            if !simplex.add(sample) {
                break;
            }
        }
        End::Open
    }

    /// Evaluates a direction, which counts as one iteration.
    pub(crate) fn evaluate(&mut self, c: D::Vec, visit: &mut impl FnMut(&Sample<D>)) -> Sample<D> {
        let sample = self.pair.sample(c);
        visit(&sample);
        self.bounds.visit(&sample);
        self.bounds.iterations += 1;
        if sample.g > self.bounds.best.g {
            self.bounds.best = sample;
        }
        sample
    }
}

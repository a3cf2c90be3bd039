//! The mean velocity of the grains, which no order of summation changes.

use gritstone_core::Vector as _;

use super::{Bodies, CHUNK, State};
use crate::dimension::Dimension;
use crate::exchange::Exchange;

/// How much velocities may grow in a step for their sum to stay exact.
const GROWTH: f64 = 16.0;

/// A sum of velocities that does not depend on their order: each is rounded to a multiple of one small power of two, so that
/// sums of as many as there are grains are exact. The power follows from the largest velocity of the step before. Rounded
/// velocities do, for the mean is only what displacements are measured against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocitySum<D: Dimension> {
    sum: D::Vec,
    /// Largest magnitude of each component: one chain of comparisons for each costs less than one over all.
    largest: D::Vec,
    /// 1.5 times a power of two in each component: adding and subtracting it rounds to 2^-52 of that power.
    rounding: D::Vec,
}

impl<D: Dimension> VelocitySum<D> {
    pub(crate) fn new(rounding: f64) -> Self {
        let (sum, largest) = Default::default();
        Self { sum, largest, rounding: D::Vec::from_fn(|_| rounding) }
    }

    /// One more body.
    #[inline]
    pub(crate) fn add(&mut self, velocity: D::Vec) {
        self.sum += (velocity + self.rounding) - self.rounding;
        let magnitude = D::Vec::from_fn(|axis| velocity.component(axis).abs());
        self.largest = larger::<D>(self.largest, magnitude);
    }

    /// Sum and largest magnitudes.
    pub(crate) fn parts(&self) -> (D::Vec, D::Vec) {
        (self.sum, self.largest)
    }

    /// Of these.
    pub(crate) fn of_parts((sum, largest): (D::Vec, D::Vec)) -> Self {
        Self { sum, largest, ..Self::new(0.0) }
    }

    pub(crate) fn and(self, other: &Self) -> Self {
        Self { sum: self.sum + other.sum, largest: larger::<D>(self.largest, other.largest), ..self }
    }

    /// Largest magnitude of any component.
    fn largest(&self) -> f64 {
        (0..D::N).map(|axis| self.largest.component(axis)).fold(0.0, f64::max)
    }
}

/// The larger one of each component.
#[inline]
fn larger<D: Dimension>(a: D::Vec, b: D::Vec) -> D::Vec {
    D::Vec::from_fn(
        |axis| if b.component(axis) > a.component(axis) { b.component(axis) } else { a.component(axis) },
    )
}

/// The smallest power of two that is larger than a number; zero for zero.
fn power_of_two_above(x: f64) -> f64 {
    2.0 * f64::from_bits(x.to_bits() & 0x7ff << 52)
}

impl<D: Dimension> Bodies<D> {
    /// Mean velocity of the grains: what is common to all motion brings no two of them together. Zero, which serves as well,
    /// where velocities have grown too much in a step for their sum to be exact.
    pub(crate) fn mean_velocity(&mut self, exchange: &Exchange<'_, D>) -> D::Vec {
        let own = self.velocity_sums.iter().fold(VelocitySum::new(0.0), VelocitySum::and);
        let (all, grains) = exchange.sum_velocities(own, self.grains().len());
        self.elsewhere.grains = grains - self.grains().len();
        let is_exact = all.largest() <= GROWTH * self.largest_velocity;
        self.largest_velocity = all.largest();
        if is_exact { all.sum * (1.0 / grains.max(1) as f64) } else { D::Vec::default() }
    }

    /// What velocities are rounded to before they are summed: see [`VelocitySum`].
    pub(crate) fn velocity_rounding(&self) -> f64 {
        let grains = self.grains().len() + self.elsewhere.grains;
        let bound = GROWTH * self.largest_velocity * grains as f64;
        1.5 * power_of_two_above(bound)
    }

    /// Sum of the velocities of all chunks, and the largest of each component.
    pub(crate) fn velocity_sum(&self) -> [f64; 6] {
        let all = self.velocity_sums.iter().fold(VelocitySum::new(0.0), VelocitySum::and);
        let (sum, largest) = all.parts();
        std::array::from_fn(|i| if i < 3 { sum.component(i) } else { largest.component(i - 3) })
    }

    /// The same from elsewhere.
    pub(crate) fn set_velocity_sum(&mut self, [x, y, z, a, b, c]: [f64; 6]) {
        let vector = |v: [f64; 3]| D::Vec::from_fn(|axis| v[axis]);
        self.velocity_sums.clear();
        self.velocity_sums.push(VelocitySum::of_parts((vector([x, y, z]), vector([a, b, c]))));
    }

    /// Adds up the velocities of every chunk.
    pub(crate) fn sum_velocities(&mut self) {
        let rounding = self.velocity_rounding();
        let chunks = self.states[self.grains()].chunks(CHUNK);
        let sum = |chunk: &[State<D>]| {
            let mut sum = VelocitySum::new(rounding);
            chunk.iter().for_each(|state| sum.add(state.velocity));
            sum
        };
        self.velocity_sums = chunks.map(sum).collect();
    }
}

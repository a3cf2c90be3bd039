//! What the lanes need to know of a kind of grains.

use glam::DVec3;
use gritstone_core::lanes::{Lanes, Sym2, Turn, Vec3, WIDTH};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;

use super::rows::{JetRows, PairRows};

/// Grains of one kind, in arrays: where pairs come from.
pub trait Kind {
    /// What the scalar code knows a grain by.
    type Shape: Support<Space>;

    /// Eight pairs of this kind.
    type Pairs<L: Lanes>: Pairs<L>;

    /// Numbers that describe a pair to the lanes.
    const PAIR_ROWS: usize;

    /// Gathers eight pairs. Returns them with the direction between the centres and with the frame in which they are,
    /// if that is not the world.
    fn gather<L: Lanes>(&self, columns: &Columns) -> Gathered<L, Self::Pairs<L>>;

    /// The frame in which contacts of pairs with these first grains are found.
    fn frame<L: Lanes>(&self, grains: &[usize; WIDTH]) -> Option<Turn<L>>;

    /// A grain's shape.
    fn shape(&self, grain: usize) -> &Self::Shape;

    /// Where a grain is.
    fn pose(&self, grain: usize) -> Pose<Space>;

    /// Where a grain's centre is.
    fn centre(&self, grain: usize) -> DVec3;
}

/// Indices of the first and of the second grains of eight pairs.
pub(super) type Columns = [[usize; WIDTH]; 2];

/// Eight pairs, ready for the lanes.
pub struct Gathered<L, P> {
    /// The pairs.
    pub pairs: P,
    /// Centre of b from the centre of a.
    pub offset: Vec3<L>,
    /// The frame in which the pairs are; none for the world's.
    pub frame: Option<Turn<L>>,
}

/// Eight pairs, each a function of direction.
pub trait Pairs<L: Lanes>: Sized {
    /// An evaluated direction of each.
    type Jets: Jets<L>;

    /// From memory.
    fn load(rows: &PairRows) -> Self;

    /// To memory.
    fn store(&self, rows: &mut PairRows);

    /// Size of the smaller body of each, and the rounding error of one evaluation of g.
    fn scale(&self) -> (L, L);

    /// Evaluates unit directions with derivatives.
    fn jets(&self, c: Vec3<L>) -> Self::Jets;

    /// What third derivatives need beyond the jets.
    type Cubic;

    /// Evaluates unit directions with what third derivatives need.
    fn cubic_jets(&self, c: Vec3<L>) -> (Self::Jets, Self::Cubic);

    /// Third derivatives of g along steps, and the largest relative changes that they make to what g depends on.
    fn third(&self, jets: &Self::Jets, cubic: &Self::Cubic, along: Vec3<L>) -> (L, L);

    /// The same jets on the tangent plane.
    fn tangential(&self, jets: &Self::Jets) -> Tangential<L>;

    /// `d` in the unit directions `c`.
    fn difference(&self, c: Vec3<L>) -> Vec3<L>;
}

/// An evaluated direction of each pair, with what Newton's method needs.
pub trait Jets<L: Lanes>: Sized {
    /// Numbers of one jet.
    const ROWS: usize;

    /// From memory. The first row is g.
    fn load(rows: &JetRows) -> Self;

    /// To memory.
    fn store(&self, rows: &mut JetRows);

    /// `yes` where `mask` is true, else `no`.
    fn select(mask: L::Mask, yes: &Self, no: &Self) -> Self;

    /// The unit direction.
    fn c(&self) -> Vec3<L>;

    /// `c·d`.
    fn g(&self) -> L;

    /// `|d_t|²`.
    fn residual_squared(&self) -> L;

    /// The trust-region step within `radius`; only lanes of `active` are looked at.
    fn step(&self, radius: L, active: L::Mask) -> Step<L>;
}

/// A step on the tangent plane.
pub struct Step<L> {
    /// The step.
    pub along: Vec3<L>,
    /// Its squared length.
    pub squared: L,
    /// Gain of g that the model predicts.
    pub predicted: L,
}

/// An evaluated direction of each pair, with derivatives on the plane of [`Vec3::tangents`] of c.
#[derive(Clone, Copy)]
pub struct Tangential<L> {
    /// `c·d`.
    pub g: L,
    /// Unit direction from a to b.
    pub c: Vec3<L>,
    /// Support point of a along c.
    pub x_a: Vec3<L>,
    /// Support point of b along −c.
    pub x_b: Vec3<L>,
    /// Hessian of the support function of a.
    pub h_a: Sym2<L>,
    /// Hessian of the support function of b.
    pub h_b: Sym2<L>,
    /// d across c.
    pub d_t: [L; 2],
}

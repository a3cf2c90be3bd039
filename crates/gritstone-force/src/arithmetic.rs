//! Numbers and vectors that laws compute with: one text for single contacts and for eight at a time.
//!
//! **Idea.** A law is written once over [`Arithmetic`]. Every [`Dim`] is one, with `f64` and its own vectors; [`InLanes`] is
//! space with eight contacts side by side. Everything is made of + − × ÷ √, each rounded by itself and in the order in which
//! it is written: both give the same bits, on every machine. A fused multiply-add would not: where the processor has none,
//! `f64::mul_add` is a slow call, and compilers may not fuse by themselves.

use std::marker::PhantomData;

use gritstone_core::Dim;
use gritstone_core::lanes::{Lanes, Quantity, Real, Vec3};

/// The numbers, vectors and spins of a law.
pub trait Arithmetic: Copy {
    /// Numbers.
    type Num: Real;
    /// Points and directions.
    type Vec: Quantity<Self::Num>;
    /// Angular velocities and torques.
    type Spin: Quantity<Self::Num>;
    /// Number of coordinates.
    const N: usize;
    /// Whether a load comes with rolling and twisting resistance; else [`Law::resist`](crate::Law::resist) adds it.
    const RESISTS: bool;
    /// Whether bodies can twist on each other.
    const TWISTS: bool;

    /// Velocity that a spin gives to a point at `lever` from the axis, ω × r.
    fn sweep(spin: Self::Spin, lever: Self::Vec) -> Self::Vec;

    /// Torque of a force that acts at `lever`, r × F.
    fn moment(lever: Self::Vec, force: Self::Vec) -> Self::Spin;

    /// The part of a spin that turns about the unit vector `axis`.
    fn about(spin: Self::Spin, axis: Self::Vec) -> Self::Spin;

    /// How fast a spin turns about the unit vector `axis`.
    fn along(spin: Self::Spin, axis: Self::Vec) -> Self::Num;

    /// The spin that turns about the unit vector `axis` at this rate.
    fn turn(axis: Self::Vec, rate: Self::Num) -> Self::Spin;
}

impl<D: Dim> Arithmetic for D {
    type Num = f64;
    type Vec = D::Vec;
    type Spin = D::Spin;
    const N: usize = D::N;
    const RESISTS: bool = true;
    const TWISTS: bool = D::N == 3;

    #[inline(always)]
    fn sweep(spin: D::Spin, lever: D::Vec) -> D::Vec {
        D::sweep(spin, lever)
    }

    #[inline(always)]
    fn moment(lever: D::Vec, force: D::Vec) -> D::Spin {
        D::moment(lever, force)
    }

    #[inline(always)]
    fn about(spin: D::Spin, axis: D::Vec) -> D::Spin {
        D::about(spin, axis)
    }

    #[inline(always)]
    fn along(spin: D::Spin, axis: D::Vec) -> f64 {
        D::along(spin, axis)
    }

    #[inline(always)]
    fn turn(axis: D::Vec, rate: f64) -> D::Spin {
        D::turn(axis, rate)
    }
}

/// Space, eight contacts at a time. Most have no springs against rolling and twisting: those that have get theirs apart.
#[derive(Clone, Copy, Debug)]
pub struct InLanes<L>(PhantomData<L>);

impl<L: Lanes> Arithmetic for InLanes<L> {
    type Num = L;
    type Vec = Vec3<L>;
    type Spin = Vec3<L>;
    const N: usize = 3;
    const RESISTS: bool = false;
    const TWISTS: bool = true;

    #[inline(always)]
    fn sweep(spin: Vec3<L>, lever: Vec3<L>) -> Vec3<L> {
        Self::moment(spin, lever)
    }

    #[inline(always)]
    fn moment(a: Vec3<L>, b: Vec3<L>) -> Vec3<L> {
        Vec3::new(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y)
    }

    #[inline(always)]
    fn about(spin: Vec3<L>, axis: Vec3<L>) -> Vec3<L> {
        axis * spin.inner(axis)
    }

    #[inline(always)]
    fn along(spin: Vec3<L>, axis: Vec3<L>) -> L {
        spin.inner(axis)
    }

    #[inline(always)]
    fn turn(axis: Vec3<L>, rate: L) -> Vec3<L> {
        axis * rate
    }
}

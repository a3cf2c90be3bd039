//! The plane and space as types.

use std::fmt::Debug;

use glam::{DMat2, DMat3, DQuat, DVec2, DVec3};

use crate::linalg::{Sym2, Sym3};
use crate::{Linear, Vector};

/// A dimension: the types that positions, rotations and matrices have in it.
pub trait Dim: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Points and directions.
    type Vec: Vector;
    /// Orientation of a body. Its default is no rotation.
    type Rotation: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Orientation as a matrix: columns are the body's axes in the world.
    type Frame: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Angular velocity and torque.
    type Spin: Linear;
    /// Symmetric matrices: Hessians, second moments.
    type Sym: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Relative curvature of two surfaces at their contact (1/m), principal values, smallest first:
    /// zero for flat on flat, infinite at a corner.
    type Curvature: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Number of coordinates.
    const N: usize;

    /// The rotation without what rounding has added to it.
    fn normalized(rotation: Self::Rotation) -> Self::Rotation;

    /// The rotation back.
    fn inverse(rotation: Self::Rotation) -> Self::Rotation;

    /// First `inner`, then `outer`.
    fn compose(outer: Self::Rotation, inner: Self::Rotation) -> Self::Rotation;

    /// The rotation as a matrix whose columns are the turned axes.
    fn frame(rotation: Self::Rotation) -> Self::Frame;

    /// A vector given in the axes that are the columns of `frame`.
    fn to_world(frame: &Self::Frame, v: Self::Vec) -> Self::Vec;

    /// A vector in the axes that are the columns of `frame`.
    fn to_body(frame: &Self::Frame, v: Self::Vec) -> Self::Vec;

    /// A vector turned.
    fn rotate(rotation: Self::Rotation, v: Self::Vec) -> Self::Vec;

    /// A vector turned back.
    fn unrotate(rotation: Self::Rotation, v: Self::Vec) -> Self::Vec;

    /// The diagonal matrix with these entries.
    fn diagonal(entries: Self::Vec) -> Self::Sym;

    /// Velocity that a spin gives to a point at `lever` from the axis, ω × r.
    fn sweep(spin: Self::Spin, lever: Self::Vec) -> Self::Vec;

    /// Torque of a force that acts at `lever`, r × F.
    fn moment(lever: Self::Vec, force: Self::Vec) -> Self::Spin;

    /// The part of a spin that turns about the unit vector `axis`: none in the plane, where nothing twists.
    fn about(spin: Self::Spin, axis: Self::Vec) -> Self::Spin;

    /// How fast a spin turns about the unit vector `axis`: not at all in the plane.
    fn along(spin: Self::Spin, axis: Self::Vec) -> f64;

    /// The spin that turns about the unit vector `axis` at this rate: none in the plane.
    fn turn(axis: Self::Vec, rate: f64) -> Self::Spin;

    /// Both principal values of a relative curvature, smallest first: in the plane its one value, twice.
    fn principal(curvature: Self::Curvature) -> [f64; 2];

    /// Magnitude of a spin.
    fn rate(spin: Self::Spin) -> f64 {
        spin.dot(spin).sqrt()
    }

    /// The orientation after a time `dt` with this angular velocity.
    fn rotated(rotation: Self::Rotation, spin: Self::Spin, dt: f64) -> Self::Rotation;

    /// A spin after a rotation of the whole world.
    fn rotate_spin(rotation: Self::Rotation, spin: Self::Spin) -> Self::Spin;

    /// The components of a spin about some axes of coordinates; in the plane the first flag counts.
    fn spin_about(spin: Self::Spin, axes: [bool; 3]) -> Self::Spin;

    /// Largest displacement of a point at unit distance from the centre between two orientations.
    fn chord(before: Self::Rotation, after: Self::Rotation) -> f64;

    /// The symmetric matrix with these entries; those beyond the dimension are ignored.
    fn symmetric(entries: &[[f64; 3]; 3]) -> Self::Sym;

    /// The entries of a symmetric matrix; zero beyond the dimension.
    fn entries(matrix: &Self::Sym) -> [[f64; 3]; 3];
}

/// Two dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plane;

/// Three dimensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space;

impl Dim for Plane {
    type Vec = DVec2;
    type Rotation = f64;
    type Frame = DMat2;
    type Spin = f64;
    type Sym = Sym2;
    type Curvature = f64;
    const N: usize = 2;

    fn normalized(angle: f64) -> f64 {
        angle
    }

    fn inverse(angle: f64) -> f64 {
        -angle
    }

    fn compose(outer: f64, inner: f64) -> f64 {
        outer + inner
    }

    fn frame(angle: f64) -> DMat2 {
        crate::angle::matrix(angle)
    }

    #[inline]
    fn to_world(frame: &DMat2, v: DVec2) -> DVec2 {
        *frame * v
    }

    #[inline]
    fn to_body(frame: &DMat2, v: DVec2) -> DVec2 {
        frame.transpose() * v
    }

    fn rotate(angle: f64, v: DVec2) -> DVec2 {
        crate::angle::direction(angle).rotate(v)
    }

    fn unrotate(angle: f64, v: DVec2) -> DVec2 {
        crate::angle::direction(-angle).rotate(v)
    }

    fn diagonal(entries: DVec2) -> Sym2 {
        Sym2::diagonal(entries)
    }

    #[inline]
    fn sweep(spin: f64, lever: DVec2) -> DVec2 {
        lever.perp() * spin
    }

    #[inline]
    fn moment(lever: DVec2, force: DVec2) -> f64 {
        lever.perp_dot(force)
    }

    #[inline]
    fn about(_: f64, _: DVec2) -> f64 {
        0.0
    }

    #[inline]
    fn along(_: f64, _: DVec2) -> f64 {
        0.0
    }

    #[inline]
    fn turn(_: DVec2, _: f64) -> f64 {
        0.0
    }

    #[inline]
    fn principal(curvature: f64) -> [f64; 2] {
        [curvature; 2]
    }

    #[inline]
    fn rotated(angle: f64, spin: f64, dt: f64) -> f64 {
        angle + spin * dt
    }

    fn rotate_spin(_: f64, spin: f64) -> f64 {
        spin
    }

    fn spin_about(spin: f64, axes: [bool; 3]) -> f64 {
        if axes[0] { spin } else { 0.0 }
    }

    #[inline]
    fn chord(before: f64, after: f64) -> f64 {
        (after - before).abs()
    }

    fn symmetric(m: &[[f64; 3]; 3]) -> Sym2 {
        Sym2 { xx: m[0][0], yy: m[1][1], xy: m[0][1] }
    }

    fn entries(m: &Sym2) -> [[f64; 3]; 3] {
        [[m.xx, m.xy, 0.0], [m.xy, m.yy, 0.0], [0.0; 3]]
    }
}

impl Dim for Space {
    type Vec = DVec3;
    type Rotation = DQuat;
    type Frame = DMat3;
    type Spin = DVec3;
    type Sym = Sym3;
    type Curvature = [f64; 2];
    const N: usize = 3;

    fn normalized(rotation: DQuat) -> DQuat {
        rotation.normalize()
    }

    fn inverse(rotation: DQuat) -> DQuat {
        rotation.conjugate()
    }

    fn compose(outer: DQuat, inner: DQuat) -> DQuat {
        outer * inner
    }

    fn frame(rotation: DQuat) -> DMat3 {
        DMat3::from_quat(rotation)
    }

    #[inline]
    fn to_world(frame: &DMat3, v: DVec3) -> DVec3 {
        *frame * v
    }

    #[inline]
    fn to_body(frame: &DMat3, v: DVec3) -> DVec3 {
        frame.transpose() * v
    }

    fn rotate(rotation: DQuat, v: DVec3) -> DVec3 {
        rotation * v
    }

    fn unrotate(rotation: DQuat, v: DVec3) -> DVec3 {
        rotation.conjugate() * v
    }

    fn diagonal(entries: DVec3) -> Sym3 {
        Sym3::diagonal(entries)
    }

    #[inline]
    fn sweep(spin: DVec3, lever: DVec3) -> DVec3 {
        spin.cross(lever)
    }

    #[inline]
    fn moment(lever: DVec3, force: DVec3) -> DVec3 {
        lever.cross(force)
    }

    #[inline]
    fn about(spin: DVec3, axis: DVec3) -> DVec3 {
        axis * spin.dot(axis)
    }

    #[inline]
    fn along(spin: DVec3, axis: DVec3) -> f64 {
        spin.dot(axis)
    }

    #[inline]
    fn turn(axis: DVec3, rate: f64) -> DVec3 {
        axis * rate
    }

    #[inline]
    fn principal(curvature: [f64; 2]) -> [f64; 2] {
        curvature
    }

    #[inline]
    fn rotated(rotation: DQuat, spin: DVec3, dt: f64) -> DQuat {
        crate::angle::rotation(spin * dt) * rotation
    }

    fn rotate_spin(rotation: DQuat, spin: DVec3) -> DVec3 {
        rotation * spin
    }

    fn spin_about(spin: DVec3, axes: [bool; 3]) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|i| if axes[i] { spin[i] } else { 0.0 }))
    }

    #[inline]
    fn chord(before: DQuat, after: DQuat) -> f64 {
        // 2 sin(θ/2) of the turn between them.
        2.0 * (before.conjugate() * after).xyz().length()
    }

    fn symmetric(m: &[[f64; 3]; 3]) -> Sym3 {
        Sym3 { xx: m[0][0], yy: m[1][1], zz: m[2][2], xy: m[0][1], xz: m[0][2], yz: m[1][2] }
    }

    fn entries(m: &Sym3) -> [[f64; 3]; 3] {
        [[m.xx, m.xy, m.xz], [m.xy, m.yy, m.yz], [m.xz, m.yz, m.zz]]
    }
}

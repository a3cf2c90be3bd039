//! The plane and space as types.

use std::fmt::Debug;

use glam::{DMat2, DMat3, DQuat, DVec2, DVec3};

use crate::linalg::{Sym2, Sym3};

/// A dimension: the types that positions, rotations and matrices have in it.
pub trait Dim: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Points and directions.
    type Vec: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Orientation of a body.
    type Rotation: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Orientation as a matrix: columns are the body's axes in the world.
    type Frame: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Angular velocity and torque.
    type Spin: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Symmetric matrices: Hessians, second moments.
    type Sym: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Relative curvature of two surfaces at their contact (1/m), principal values, smallest first:
    /// zero for flat on flat, infinite at a corner.
    type Curvature: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Number of coordinates.
    const N: usize;
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
}

impl Dim for Space {
    type Vec = DVec3;
    type Rotation = DQuat;
    type Frame = DMat3;
    type Spin = DVec3;
    type Sym = Sym3;
    type Curvature = [f64; 2];
    const N: usize = 3;
}

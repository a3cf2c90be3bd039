//! States of grains as CSV: where they are and how they move. What a run ends with, another may start from.
//!
//! In space the columns are `id,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`, in the plane `id,x,y,angle,vx,vy,spin` (angle in
//! radians). All numbers are written with 17 significant digits, so that reading gives the same bits. A file that is read
//! may have its columns in any order, leave out rotation, velocity or spin (each as a whole), and add `shape` and
//! `material`, the names that the scene gave them. Lines that start with `#` are skipped.

mod columns;
mod frame_table;
mod read;
mod write;

use gritstone_core::{Dim, Pose};

pub use columns::Tabular;
pub(crate) use columns::unit_quaternion;
pub use frame_table::write_frame;
pub use read::{read_states, read_states_with_lines};
pub use write::write_states;

/// The largest velocity (m/s) and angular velocity (rad/s) that are read: beyond, energies are no numbers before long.
pub const FASTEST: f64 = 1e9;

/// A grain as a file tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State<D: Dim> {
    /// Its name for good.
    pub id: u32,
    /// Where its centre of mass is, and how it is turned.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
    /// Name of its shape, where the file has one.
    pub shape: Option<String>,
    /// Name of its material, where the file has one.
    pub material: Option<String>,
}

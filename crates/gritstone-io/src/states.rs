//! States of grains as CSV: where they are and how they move. What a run ends with, another may start from.
//!
//! In space the columns are `id,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`, in the plane `id,x,y,angle,vx,vy,spin` (angle in
//! radians), and behind them `shape,scale,material`. All numbers are written with 17 significant digits, so that reading gives the same bits. A file that is read
//! may have its columns in any order, and leave out rotation, velocity or spin (each as a whole). `shape` and `material` are the
//! names that the scene gave them, `scale` is the factor on the lengths of that shape. Lines that start with `#` are skipped.

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

/// What shapes and materials are called, by their indices.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// Shapes of the scene, with the factor on their lengths.
    pub shapes: &'n [(String, f64)],
    /// Materials.
    pub materials: &'n [String],
}

impl Names<'_> {
    /// Shape, scale and material of a grain, as a table has them; nothing for what has no name.
    fn fields(&self, shape: u32, material: u16) -> String {
        // As in all tables, so that a name is one field.
        let field = |name: &str| name.replace([',', '"', '\n', '\r'], "_");
        let (shape, scale) = self
            .shapes
            .get(shape as usize)
            .map_or((String::new(), 1.0), |(name, scale)| (field(name), *scale));
        let material = self.materials.get(usize::from(material)).map_or_else(String::new, |name| field(name));
        format!("{shape},{scale},{material}")
    }
}

/// The columns of these.
const NAMED: &str = "shape,scale,material";

/// A grain as a file tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State<D: Dim> {
    /// Its name for good.
    pub id: u32,
    /// Position of its centre of mass, and orientation.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
    /// Name of its shape, where the file has one.
    pub shape: Option<String>,
    /// Factor on the lengths of that shape, where the file has one.
    pub scale: Option<f64>,
    /// Name of its material, where the file has one.
    pub material: Option<String>,
}

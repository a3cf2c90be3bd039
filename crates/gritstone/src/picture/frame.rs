//! One frame, in the same form for both dimensions.

use glam::{DQuat, DVec3};
use gritstone_core::Vector;
use gritstone_io::FileError;
use gritstone_io::trajectory::{PackedRotation, Reader};

use super::cell::CellPlace;
use super::description::Description;

/// Grains and walls at a moment. In the plane all is at z = 0 and turned about z.
pub(super) struct Frame {
    pub(super) time: f64,
    pub(super) grains: Vec<Grain>,
    pub(super) walls: Vec<WallPlace>,
    pub(super) cell: Option<CellPlace>,
}

/// A grain.
pub(super) struct Grain {
    pub(super) shape: usize,
    pub(super) material: usize,
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
    pub(super) speed: f64,
    pub(super) load: f64,
    pub(super) coordination: f64,
}

/// Where a wall is.
pub(super) struct WallPlace {
    pub(super) present: bool,
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
    pub(super) force: DVec3,
}

impl Frame {
    /// Reads a frame. Grains whose place is no number are left out: there is nowhere to draw them.
    pub(super) fn of<D: PackedRotation>(reader: &mut Reader, number: usize) -> Result<Self, FileError> {
        let frame = reader.frame::<D>(number)?;
        let point = |v: D::Vec| DVec3::from(D::xyz(v));
        let turn = |rotation: D::Rotation| {
            let [w, x, y, z] = D::quaternion(rotation);
            DQuat::from_xyzw(x, y, z, w).normalize()
        };
        let grains = frame.grains.iter().map(|grain| Grain {
            shape: grain.shape as usize,
            material: usize::from(grain.material),
            position: point(grain.pose.position),
            rotation: turn(grain.pose.rotation),
            speed: grain.velocity.length(),
            load: grain.load,
            coordination: f64::from(grain.coordination),
        });
        let walls = frame.walls.iter().map(|wall| WallPlace {
            present: wall.present,
            position: point(wall.pose.position),
            rotation: turn(wall.pose.rotation),
            force: point(wall.force),
        });
        let is_placed = |grain: &Grain| grain.position.is_finite() && grain.rotation.is_finite();
        let cell = frame.cell.map(|cell| CellPlace {
            centre: point(cell.centre),
            sides: cell.sides.map(|side| side.map(point)),
        });
        let (grains, walls) = (grains.filter(is_placed).collect(), walls.collect());
        Ok(Self { time: frame.time, grains, walls, cell })
    }

    /// What does not fit to the description, if anything.
    pub(super) fn misfit(&self, description: &Description) -> Option<String> {
        if self.walls.len() != description.walls.len() {
            return Some(format!(
                "a frame has {} walls, its description {}",
                self.walls.len(),
                description.walls.len()
            ));
        }
        let known = |grain: &Grain| grain.shape < description.shapes.len();
        let strange = self.grains.iter().find(|grain| !known(grain))?;
        Some(format!("a grain is of shape {}, but there are {}", strange.shape, description.shapes.len()))
    }
}

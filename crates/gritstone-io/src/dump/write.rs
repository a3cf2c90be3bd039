//! Frames of a run as a dump: the text of LAMMPS' `dump custom`, which OVITO and post-processing scripts read.
//!
//! Columns: `id type x y z vx vy vz omegax omegay omegaz quatw quati quatj quatk radius shapex shapey shapez`. Types count shapes
//! from one; `radius` is that of the sphere (in the plane, the disc) of the same volume; `shapex` and so on are the half-axes of
//! ellipsoids and superquadrics and zero for other shapes. In the plane z is zero.

use std::io::{self, Write};

use crate::tessellation::{Surfaces, UnitShapes};
use crate::trajectory::{Frame, FrameCell};

/// Names of the columns.
const COLUMNS: &str =
    "id type x y z vx vy vz omegax omegay omegaz quatw quati quatj quatk radius shapex shapey shapez";

/// Adds a frame to a dump. `radii` are those of the shapes.
pub fn write_dump_frame<D: Surfaces>(
    file: &mut dyn Write,
    frame: &Frame<D>,
    unit_shapes: &UnitShapes<D>,
    radii: &[f64],
) -> io::Result<()> {
    writeln!(file, "ITEM: TIMESTEP\n{}", frame.step)?;
    writeln!(file, "ITEM: NUMBER OF ATOMS\n{}", frame.grains.len())?;
    let (kinds, bounds) = bounds(frame, radii);
    writeln!(file, "ITEM: BOX BOUNDS {}", kinds.join(" "))?;
    for [low, high] in bounds {
        writeln!(file, "{low:e} {high:e}")?;
    }
    writeln!(file, "ITEM: ATOMS {COLUMNS}")?;
    for grain in &frame.grains {
        let radius = radii.get(grain.shape as usize).copied().unwrap_or(0.0);
        write!(file, "{} {}", grain.id, grain.shape + 1)?;
        let numbers = D::xyz(grain.pose.position)
            .into_iter()
            .chain(D::xyz(grain.velocity))
            .chain(D::spin_xyz(grain.spin))
            .chain(D::quaternion(grain.pose.rotation))
            .chain([radius])
            .chain(unit_shapes.superquadric(grain.shape).semi_axes);
        for number in numbers {
            // Frames hold fewer digits than this.
            write!(file, " {number:.9e}")?;
        }
        writeln!(file)?;
    }
    Ok(())
}

/// Whether each side of the box is periodic, and its ends: those of an upright cell, else those of the grains.
fn bounds<D: Surfaces>(frame: &Frame<D>, radii: &[f64]) -> ([&'static str; 3], [[f64; 2]; 3]) {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for grain in &frame.grains {
        let reach = radii.get(grain.shape as usize).copied().unwrap_or(0.0);
        for (end, x) in ends.iter_mut().zip(D::xyz(grain.pose.position)) {
            *end = [end[0].min(x - reach), end[1].max(x + reach)];
        }
    }
    let mut kinds = ["ff"; 3];
    for (axis, (kind, end)) in kinds.iter_mut().zip(&mut ends).enumerate() {
        if let Some([low, high]) = frame.cell.as_ref().and_then(|cell| periodic(cell, axis)) {
            (*kind, *end) = ("pp", [low, high]);
        }
        if end[0] > end[1] {
            *end = [0.0, 0.0];
        }
    }
    (kinds, ends)
}

/// The ends of a cell along an axis, if it is periodic there and its side is parallel to the axis.
fn periodic<D: Surfaces>(cell: &FrameCell<D>, axis: usize) -> Option<[f64; 2]> {
    let side = D::xyz(cell.sides[axis]?);
    let length = side[axis];
    let upright = (0..3).all(|k| k == axis || side[k] == 0.0);
    let centre = D::xyz(cell.centre)[axis];
    (upright && length > 0.0).then_some([centre - 0.5 * length, centre + 0.5 * length])
}

//! What repeats.

use crate::quantity::{Coordinates, Position, Pressure, Quantity, StrainRate};
use crate::section::{keywords, section};

section! {
    /// A periodic cell: grains that leave through one side enter through the opposite one. Walls are not periodic: planes must not be
    /// normal to a periodic axis, and other walls and tools should end farther from the sides than the radius of the largest grain,
    /// or extend beyond both sides.
    Cell {
        /// Lower corner.
        low: Coordinates<Position>;
        /// Upper corner.
        high: Coordinates<Position>;
        /// Periodic axes; default: all.
        repeat: Option<Vec<Axis>>;
        /// Deformation of the cell from the start.
        motion: Option<CellMotion>;
    }
}

section! {
    /// Deformation of a cell, with constant velocities of its sides. Grains get the affine velocity of the cell at their position,
    /// about its centre, in addition to their own.
    CellMotion {
        /// Strain rate of each edge, relative to its length at the start of this motion; negative in compression.
        strain_rates: Option<Coordinates<StrainRate>>;
        /// The axis along which the cell is sheared (Lees and Edwards).
        shear_along: Option<Axis>;
        /// The direction of the velocity gradient.
        shear_across: Option<Axis>;
        /// Shear rate.
        shear_rate: Quantity<StrainRate> = Quantity::new(0.0);
        /// Target stress along each axis, positive in compression: the edges follow a servo, in
        /// cells that are periodic along all axes. Its gain follows from the contact stiffness in every step; the summary states it.
        stress: Option<Coordinates<Pressure>>;
        /// Axes that `stress` controls; default: all.
        stress_along: Option<Vec<Axis>>;
        /// Largest strain rate of the servo for `stress`.
        max_rate: Option<Quantity<StrainRate>>;
    }
}

keywords! {
    /// A coordinate axis.
    Axis {
        /// The first one.
        X => "x",
        /// The second one.
        Y => "y",
        /// The third one, in 3D.
        Z => "z",
    }
}

impl Axis {
    /// Its number, counted from 0.
    pub fn number(self) -> usize {
        self as usize
    }
}

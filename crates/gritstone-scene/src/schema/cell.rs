//! What repeats.

use crate::quantity::{Coordinates, Position, Pressure, Quantity, StrainRate};
use crate::section::{keywords, section};

section! {
    /// A box that repeats: what leaves it on one side comes in on the opposite one. Walls do not repeat: planes must not stand
    /// across an axis that does, and other walls and tools should end farther from its sides than the largest grain reaches,
    /// or go on beyond both of them.
    Cell {
        /// Corner with the least coordinates.
        low: Coordinates<Position>;
        /// Corner with the largest coordinates.
        high: Coordinates<Position>;
        /// Axes along which it repeats; default: all of them.
        repeat: Option<Vec<Axis>>;
        /// How its sides move from the start on.
        motion: Option<CellMotion>;
    }
}

section! {
    /// How the sides of a cell move: with velocities that stay as they are at the start. Grains get the velocities of the
    /// places where they are, beside their own, about the middle of the cell.
    CellMotion {
        /// How fast each edge grows, as a fraction of its length when this begins; negative where it shrinks.
        strain_rates: Option<Coordinates<StrainRate>>;
        /// The axis along which the cell is sheared (Lees and Edwards).
        shear_along: Option<Axis>;
        /// The axis across which the velocity of shear grows.
        shear_across: Option<Axis>;
        /// How fast: velocity per length.
        shear_rate: Quantity<StrainRate> = Quantity::new(0.0);
        /// Stress that the contacts are to have along each axis, positive in compression: edges grow and shrink until they do, in
        /// cells that repeat along all axes. The gain is chosen from the stiffness of the contacts in every step, and stated in the summary.
        stress: Option<Coordinates<Pressure>>;
        /// Axes along which `stress` counts; default: all.
        stress_along: Option<Vec<Axis>>;
        /// Greatest rate at which edges grow and shrink for `stress`.
        max_rate: Option<Quantity<StrainRate>>;
    }
}

keywords! {
    /// An axis of coordinates.
    Axis {
        /// The first one.
        X => "x",
        /// The second one.
        Y => "y",
        /// The third one, in space.
        Z => "z",
    }
}

impl Axis {
    /// Its number, counted from 0.
    pub fn number(self) -> usize {
        self as usize
    }
}

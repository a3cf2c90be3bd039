//! What happens at some moment.

use crate::quantity::{Coordinates, Limit, Quantity, TimePoint};
use crate::section::section;

use super::cell::CellMotion;

section! {
    /// Changes at a given time. Several changes of one event are made in the order of these keys.
    Event {
        /// Time of the event.
        at: Quantity<TimePoint>;
        /// Names of walls to remove: `box` with all its sides, or `box.x-high` alone.
        remove_walls: Vec<String>;
        /// Names of walls to add; they are absent before.
        add_walls: Vec<String>;
        /// Grains whose centre is in this region are removed.
        remove: Option<BoxRegion>;
        /// Grains whose centre is in this region are fixed from then on.
        freeze: Option<BoxRegion>;
        /// The deformation of the cell from then on.
        cell: Option<CellMotion>;
    }
}

section! {
    /// An axis-aligned box, without a `kind`: `remove = { low = [0, 0, 0], high = [1, 1, "2 cm"] }`. In a periodic cell, a grain
    /// is inside if any of its images is.
    BoxRegion {
        /// Lower corner; `-inf` for no limit.
        low: Coordinates<Limit>;
        /// Upper corner; `inf` for no limit.
        high: Coordinates<Limit>;
    }
}

//! What happens at some moment.

use crate::quantity::{Coordinates, Limit, Quantity, TimePoint};
use crate::section::section;

use super::cell::CellMotion;

section! {
    /// What happens at some moment. Several things at once happen in the order of this list of keys.
    Event {
        /// When.
        at: Quantity<TimePoint>;
        /// Names of walls that vanish: `box` with all its sides, or `box.x-high` alone.
        remove_walls: Vec<String>;
        /// Names of walls that come: they are not there before.
        add_walls: Vec<String>;
        /// Grains whose centre is in this region vanish.
        remove: Option<BoxRegion>;
        /// Grains whose centre is in this region stay where they are from now on.
        freeze: Option<BoxRegion>;
        /// The sides of the cell move like this from now on.
        cell: Option<CellMotion>;
    }
}

section! {
    /// A box along the axes, without a `kind`: `remove = { low = [0, 0, 0], high = [1, 1, "2 cm"] }`. In a cell that repeats, a grain
    /// is there with any of its images.
    BoxRegion {
        /// Corner with the least coordinates; `-inf` where there is no limit.
        low: Coordinates<Limit>;
        /// Corner with the largest coordinates; `inf` where there is no limit.
        high: Coordinates<Limit>;
    }
}

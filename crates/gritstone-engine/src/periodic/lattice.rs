//! Positions of periodic images.

use gritstone_core::{Linear as _, Pose, Vector as _};

use super::cell::{Cell, PeriodicCell, Shift};
use crate::dimension::Dimension;
use crate::insertion::region::Region;
use crate::world::World;

/// Most shifts along an axis that bring something into a box: those next to the box's middle.
const MOST: i32 = 16;

/// Where the images of things are at one moment. Where nothing repeats there is no image but the thing itself.
#[derive(Clone, Debug)]
pub struct Lattice<D: Dimension> {
    cells: PeriodicCell<D>,
}

impl<D: Dimension> Lattice<D> {
    /// The images that this cell makes; none without one.
    pub fn new(cell: Option<&Cell<D>>) -> Self {
        Self { cells: PeriodicCell::new(cell.unwrap_or(&Cell::default())) }
    }

    /// Distance between opposite sides; infinite where nothing repeats.
    pub fn width(&self, axis: usize) -> f64 {
        self.cells.width(axis)
    }

    /// The vector of a shift.
    pub fn way(&self, shift: Shift) -> D::Vec {
        self.cells.way(shift)
    }

    /// A way as numbers of sides; zero along axes along which nothing repeats.
    pub fn coordinates(&self, way: D::Vec) -> [f64; 3] {
        std::array::from_fn(|k| if self.cells.repeats[k] { self.cells.duals[k].dot(way) } else { 0.0 })
    }

    /// The shift that makes a way shorter than half a side along every side.
    pub fn shortening(&self, way: D::Vec) -> Shift {
        self.coordinates(way).map(|times| -times.round() as i32)
    }

    /// Whether anything repeats.
    pub(crate) fn repeats(&self) -> bool {
        self.cells.repeats != [false; 3]
    }

    /// Images of a body at this pose that may be nearer than `reach` to something in the cell, one of each two that are
    /// opposite: with the images of all others every pair across a side comes up.
    pub(crate) fn images(&self, pose: Pose<D>, reach: f64) -> impl Iterator<Item = Pose<D>> + '_ {
        let shifts = self.cells.images(pose.position, reach);
        shifts.map(move |shift| Pose { position: pose.position + self.way(shift), ..pose })
    }

    /// Shifts by no side or one along each axis along which something repeats, forth or back.
    pub fn neighbours(&self) -> impl Iterator<Item = Shift> + use<D> {
        boxed(self.cells.repeats.map(|repeats| if repeats { (-1, 1) } else { (0, 0) }))
    }

    /// Shifts that may bring a ball about `x` to have something in common with the box between two corners; sure for those
    /// that are left out. Along sides along which the box has no end nothing is shifted, and it is looked no farther than
    /// some cells from the box's middle.
    pub fn reaching(
        &self,
        x: D::Vec,
        size: f64,
        corners: [D::Vec; 2],
    ) -> impl Iterator<Item = Shift> + use<D> {
        boxed(std::array::from_fn(|k| {
            if self.cells.repeats[k] { self.span(k, x, size, corners) } else { (0, 0) }
        }))
    }

    /// Whether a place is in a region, with any of its images. Everything in the cell is there again, a cell farther on; along
    /// sides along which the region has no end it is looked at in the cell alone.
    pub fn is_in(&self, region: &Region<D>, x: D::Vec) -> bool {
        region.holds(x) || self.images_in(region, x) > 0
    }

    /// How many images of a place are in a region.
    pub fn images_in(&self, region: &Region<D>, x: D::Vec) -> usize {
        let shifts = self.reaching(x, 0.0, region.corners());
        shifts.filter(|shift| region.holds(x + self.way(*shift))).count()
    }

    fn span(&self, k: usize, x: D::Vec, size: f64, [low, high]: [D::Vec; 2]) -> (i32, i32) {
        let dual = self.cells.duals[k];
        let reach = size * dual.length();
        let (mut from, mut to) = (-reach, reach);
        for i in (0..D::N).filter(|&i| dual.component(i) != 0.0) {
            let pair = [low, high].map(|end| dual.component(i) * (end.component(i) - x.component(i)));
            from += pair[0].min(pair[1]);
            to += pair[0].max(pair[1]);
        }
        if !(from.is_finite() && to.is_finite()) {
            return (0, 0);
        }
        let middle = (0.5 * (from + to)).round() as i32;
        let half = MOST / 2;
        let (least, most) = (middle.saturating_sub(half), middle.saturating_add(half));
        ((from.ceil() as i32).max(least), (to.floor() as i32).min(most))
    }
}

/// All shifts between these ends.
fn boxed(pair: [(i32, i32); 3]) -> impl Iterator<Item = Shift> {
    let along = move |k: usize| pair[k].0..=pair[k].1;
    along(2).flat_map(move |z| along(1).flat_map(move |y| along(0).map(move |x| [x, y, z])))
}

impl<D: Dimension> World<D> {
    /// Where images are at this moment.
    pub fn lattice(&self) -> Lattice<D> {
        self.cells.as_ref().map_or_else(|| Lattice::new(None), |cells| Lattice { cells: cells.clone() })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec2;
    use gritstone_core::Plane;

    use super::*;
    use crate::periodic::cell::Side;

    /// A cell of 4 by 2 that leans by 1.
    fn leaning() -> Lattice<Plane> {
        let side = |x: f64, y: f64| Some(Side { vector: DVec2::new(x, y), velocity: DVec2::ZERO });
        Lattice::new(Some(&Cell { sides: [side(4.0, 0.0), side(1.0, 2.0), None], ..Cell::default() }))
    }

    #[test]
    fn ways_are_shortened_by_whole_sides() {
        let lattice = leaning();
        // Two sides forth, one up, and a little.
        let way = DVec2::new(9.1, 2.2);
        let shift = lattice.shortening(way);
        assert_eq!(shift, [-2, -1, 0]);
        assert!((way + lattice.way(shift) - DVec2::new(0.1, 0.2)).length() < 1e-14);
        assert_eq!(Lattice::<Plane>::new(None).shortening(way), [0; 3]);
    }

    /// Compared with all images in a large neighbourhood.
    #[test]
    fn images_that_reach_into_a_box_are_found() {
        let lattice = leaning();
        let (x, size) = (DVec2::new(0.3, -0.6), 0.5);
        let (low, high) = (DVec2::new(-3.0, 1.0), DVec2::new(6.0, 5.0));
        let found: Vec<_> = lattice.reaching(x, size, [low, high]).collect();
        for shift in (-9..9).flat_map(|i| (-9..9).map(move |j| [i, j, 0])) {
            let image = x + lattice.way(shift);
            let reaches = (image - image.clamp(low, high)).length() < size;
            assert!(!reaches || found.contains(&shift), "{shift:?}");
        }
        assert!(found.len() < 40, "{found:?}");
        // The same images by their centres alone, in a region.
        let region = Region::Box { low, high };
        let all = (-9..9).flat_map(|i| (-9..9).map(move |j| [i, j, 0]));
        let within = all.filter(|&shift| region.holds(x + lattice.way(shift))).count();
        assert_eq!(
            (lattice.images_in(&region, x), lattice.is_in(&region, x), region.holds(x)),
            (within, true, false)
        );
        // A box without end is looked at in the cell alone, as far as it has none.
        let endless = [DVec2::new(f64::NEG_INFINITY, 1.0), DVec2::new(f64::INFINITY, 5.0)];
        assert!(lattice.reaching(x, size, endless).all(|shift| shift[0] == 0));
    }
}

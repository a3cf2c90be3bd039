//! Grains through a plane.

use std::collections::HashMap;

use gritstone_core::{Dim, Linear, Vector};
use gritstone_engine::{Backend, BodyColumns, Dimension, Lattice, Region, SaveError, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::view::View;

/// Number and mass of grains that have passed a plane (in the plane: a line) since the start, along its normal less against
/// it. A grain passes when its centre does, on the straight line between two looks. Where there is a zone, it counts only if the
/// point where it passes is in there; a zone may begin or end on the plane. Grains that appear or vanish pass nothing.
///
/// In a periodic cell it is the part of the plane that is nearest to its point, as wide as the cell: each image that crosses
/// it counts, and crossing a side of the cell does not. Rates are means since the row before; the first row has none.
#[derive(Clone, Debug)]
pub struct Flow<D: Dimension> {
    /// A point on it.
    pub point: D::Vec,
    /// Unit vector: what goes this way counts as positive.
    pub normal: D::Vec,
    /// Where it is looked; everywhere where nothing is said.
    pub zone: Option<Region<D>>,
    state: Passed<D>,
}

/// What has passed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Passed<D: Dim> {
    forth: [f64; 2],
    back: [f64; 2],
    /// Where each grain was when it was seen last.
    places: HashMap<u32, D::Vec>,
    /// Time of the last row, and net number and mass until then.
    last: Option<[f64; 3]>,
}

impl<D: Dim> Passed<D> {
    /// Number and mass, forth less back.
    fn net(&self) -> [f64; 2] {
        [self.forth[0] - self.back[0], self.forth[1] - self.back[1]]
    }
}

/// How far the edge of the plane's part is from half a cell, so that grains in rows are not just on it.
const OFF: f64 = 1e-7;

/// How far from the plane a zone may end and still end on it, relative to coordinates: more than rounding makes of them.
const HAIR: f64 = 1e-12;

impl<D: Dimension> Flow<D> {
    /// Nothing has passed yet.
    pub fn new(point: D::Vec, normal: D::Vec, zone: Option<Region<D>>) -> Self {
        Self { point, normal, zone, state: Passed::default() }
    }

    /// Whether a grain has passed on its way from one place to another: forth or back, if so, and where.
    fn passage(&self, lattice: &Lattice<D>, before: D::Vec, now: D::Vec) -> Option<(bool, D::Vec)> {
        let home = lattice.shortening(now - before);
        let nearest = lattice.shortening(before - self.point);
        lattice.neighbours().find_map(|shift| {
            let shift = sum(shift, nearest);
            let from = before + lattice.way(shift);
            let to = now + lattice.way(sum(shift, home));
            let [a, b] = [from, to].map(|x| self.normal.dot(x - self.point));
            let through = from + (to - from) * (a / (a - b));
            let inside = |s: f64| (-0.5..0.5).contains(&(s + OFF));
            let passes =
                (a >= 0.0) != (b >= 0.0) && lattice.coordinates(through - self.point).into_iter().all(inside);
            passes.then_some((b >= 0.0, through))
        })
    }

    /// Whether what passes here counts.
    fn is_watched(&self, lattice: &Lattice<D>, through: D::Vec) -> bool {
        let Some(zone) = &self.zone else { return true };
        let hair = self.normal * (HAIR * (through.length() + self.point.length()));
        [through, through + hair, through - hair].into_iter().any(|x| lattice.is_in(zone, x))
    }
}

fn sum(a: [i32; 3], b: [i32; 3]) -> [i32; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}

impl<D: Dimension> Measure<D> for Flow<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![
            Column::new("grains", ""),
            Column::new("mass", "kg"),
            Column::new("grains_forth", ""),
            Column::new("mass_forth", "kg"),
            Column::new("grains_back", ""),
            Column::new("mass_back", "kg"),
            Column::new("grain_rate", "1/s"),
            Column::new("mass_rate", "kg/s"),
        ]
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let Passed { forth, back, .. } = self.state;
        let [grains, mass] = self.state.net();
        let rates = self.state.last.map_or([f64::NAN; 2], |[time, grains_then, mass_then]| {
            let interval = view.snapshot.time - time;
            [(grains - grains_then) / interval, (mass - mass_then) / interval]
        });
        vec![[grains, mass, forth[0], forth[1], back[0], back[1]].into_iter().chain(rates).collect()]
    }

    fn note(&mut self, view: &View<'_, D>) {
        let [grains, mass] = self.state.net();
        self.state.last = Some([view.snapshot.time, grains, mass]);
    }

    fn look(&mut self, world: &dyn Backend<D>, setup: &Setup<D>) {
        let (lattice, bodies) = (world.lattice(), BodyColumns::of(world));
        let mut seen = HashMap::with_capacity(self.state.places.len());
        // In the order of ids, so that sums do not depend on how grains are stored.
        for (i, (&id, &now)) in bodies.id.iter().zip(&bodies.position).enumerate() {
            let before = self.state.places.get(&id);
            if let Some((forth, through)) = before.and_then(|before| self.passage(&lattice, *before, now))
                && self.is_watched(&lattice, through)
            {
                let way = if forth { &mut self.state.forth } else { &mut self.state.back };
                way[0] += 1.0;
                way[1] += bodies.mass(i, setup);
            }
            seen.insert(id, now);
        }
        self.state.places = seen;
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        let Passed { forth, back, places, last } = &self.state;
        let mut places: Vec<(u32, D::Vec)> = places.iter().map(|(id, x)| (*id, *x)).collect();
        places.sort_unstable_by_key(|(id, _)| *id);
        postcard::to_allocvec(&(forth, back, places, last)).map_err(|error| SaveError(error.to_string()))
    }

    fn restore(&mut self, bytes: &[u8]) -> bool {
        type Saved<D> = ([f64; 2], [f64; 2], Vec<(u32, <D as Dim>::Vec)>, Option<[f64; 3]>);
        match postcard::from_bytes::<Saved<D>>(bytes) {
            Ok((forth, back, places, last)) => {
                self.state = Passed { forth, back, places: places.into_iter().collect(), last };
                true
            }
            Err(_) => false,
        }
    }
}

//! Grains through a plane.

use std::collections::HashMap;

use gritstone_core::Linear;
use gritstone_engine::{Realm, SaveError, Setup, World, Zone};

use crate::columns::Column;
use crate::kind::Measure;
use crate::view::View;

/// Number and mass of grains that have passed a plane (in the plane: a line) since the start, along its normal less against
/// it. A grain passes when its centre does. Where there is a zone, it counts only if it is in there when it is seen on the
/// other side. Grains that appear or vanish pass nothing.
#[derive(Clone, Debug)]
pub struct Flow<D: Realm> {
    /// A point on it.
    pub point: D::Vec,
    /// Unit vector: what goes this way counts as positive.
    pub normal: D::Vec,
    /// Where it is looked; everywhere where nothing is said.
    pub zone: Option<Zone<D>>,
    state: Passed,
}

/// What has passed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Passed {
    forth: [f64; 2],
    back: [f64; 2],
    /// On which side each grain was when it was seen last.
    beyond: HashMap<u32, bool>,
}

impl<D: Realm> Flow<D> {
    /// Nothing has passed yet.
    pub fn new(point: D::Vec, normal: D::Vec, zone: Option<Zone<D>>) -> Self {
        Self { point, normal, zone, state: Passed::default() }
    }
}

impl<D: Realm> Measure<D> for Flow<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![
            Column::new("grains", ""),
            Column::new("mass", "kg"),
            Column::new("grains_forth", ""),
            Column::new("mass_forth", "kg"),
            Column::new("grains_back", ""),
            Column::new("mass_back", "kg"),
        ]
    }

    fn rows(&self, _: &View<'_, D>) -> Vec<Vec<f64>> {
        let Passed { forth, back, .. } = self.state;
        vec![vec![forth[0] - back[0], forth[1] - back[1], forth[0], forth[1], back[0], back[1]]]
    }

    fn look(&mut self, world: &World<D>, setup: &Setup<D>) {
        let mut seen = HashMap::with_capacity(self.state.beyond.len());
        // In the order of ids, so that sums do not depend on how grains are stored.
        let mut passed = Vec::new();
        for grain in world.grains() {
            let beyond = self.normal.dot(grain.pose.position - self.point) >= 0.0;
            let before = self.state.beyond.get(&grain.id);
            if before.is_some_and(|before| *before != beyond)
                && self.zone.is_none_or(|zone| zone.holds(grain.pose.position))
            {
                passed.push((grain.id, beyond, world.mass_of(&grain, setup)));
            }
            seen.insert(grain.id, beyond);
        }
        passed.sort_unstable_by_key(|(id, ..)| *id);
        for (_, beyond, mass) in passed {
            let way = if beyond { &mut self.state.forth } else { &mut self.state.back };
            way[0] += 1.0;
            way[1] += mass;
        }
        self.state.beyond = seen;
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        let Passed { forth, back, beyond } = &self.state;
        let mut sides: Vec<(u32, bool)> = beyond.iter().map(|(id, side)| (*id, *side)).collect();
        sides.sort_unstable();
        postcard::to_allocvec(&(forth, back, sides)).map_err(|error| SaveError(error.to_string()))
    }

    fn restore(&mut self, bytes: &[u8]) -> bool {
        type Saved = ([f64; 2], [f64; 2], Vec<(u32, bool)>);
        match postcard::from_bytes::<Saved>(bytes) {
            Ok((forth, back, sides)) => {
                self.state = Passed { forth, back, beyond: sides.into_iter().collect() };
                true
            }
            Err(_) => false,
        }
    }
}

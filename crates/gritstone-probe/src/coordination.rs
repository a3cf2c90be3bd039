//! Contacts per grain.

use gritstone_engine::{Dimension, Region, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::pairs::pairs;
use crate::view::View;

/// Numbers of contacts that are counted one by one; grains with more are counted together.
const SEPARATE: usize = 16;

/// Mean number of contacts of a grain, with and without those with walls, and how many grains have 0, 1, 2, … contacts, walls
/// included. Two bodies have one contact, however many of their parts touch. No means without grains.
#[derive(Clone, Debug)]
pub struct Coordination<D: Dimension> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Region<D>>,
}

impl<D: Dimension> Measure<D> for Coordination<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        let means =
            ["grains", "contacts_per_grain", "contacts_with_grains"].map(|name| Column::new(name, ""));
        let counts = (0..SEPARATE).map(|n| Column::new(format!("with_{n}"), ""));
        let more = Column::new(format!("with_{SEPARATE}_or_more"), "");
        means.into_iter().chain(counts).chain([more]).collect()
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let mut counts = vec![[0_u32; 2]; view.snapshot.bodies.len()];
        for contact in pairs(&view.snapshot.contacts).iter().filter_map(|pair| pair.first()) {
            for place in view.ends(contact) {
                counts[place][0] += 1;
                counts[place][1] += u32::from(!contact.with_wall);
            }
        }
        let mut classes = [0.0; SEPARATE + 1];
        let (mut number, mut sums) = (0.0, [0.0; 2]);
        for [all, grains] in
            view.grains(self.zone.as_ref()).filter_map(|body| counts.get(view.place(body.id)?))
        {
            number += 1.0;
            sums[0] += f64::from(*all);
            sums[1] += f64::from(*grains);
            classes[(*all as usize).min(SEPARATE)] += 1.0;
        }
        let means = sums.map(|sum| sum / number);
        vec![[number].into_iter().chain(means).chain(classes).collect()]
    }
}

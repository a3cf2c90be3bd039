//! Directions of contacts.

use gritstone_engine::{ContactState, Dimension, Region, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::pairs::pairs;
use crate::tensor::Tensor;
use crate::view::View;

/// Mean of n nᵀ over the contacts among grains whose point is in a zone, n the unit normal. Its trace is one; with all
/// directions alike it is the unit matrix over the number of dimensions. Without contacts there is none.
///
/// Where several parts of two grains touch, they are one contact, and its n nᵀ is the mean of those of the parts, of those whose
/// point is in the zone: each two grains count alike, and no forces are needed.
#[derive(Clone, Debug)]
pub struct Fabric<D: Dimension> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Region<D>>,
}

impl<D: Dimension> Measure<D> for Fabric<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        [Column::new("contacts", "")].into_iter().chain(Column::tensor::<D>("f", "")).collect()
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let mut sum = Tensor::default();
        let mut number = 0.0;
        for mut pair in pairs(&view.snapshot.contacts) {
            pair.retain(|contact| !contact.with_wall && view.is_in(self.zone.as_ref(), contact.point));
            if !pair.is_empty() {
                number += 1.0;
                add(&mut sum, &pair);
            }
        }
        vec![[number].into_iter().chain(sum.mean::<D>(number)).collect()]
    }
}

/// Adds the mean of n nᵀ over contacts of the same two bodies.
fn add<D: Dimension>(sum: &mut Tensor, pair: &[&ContactState<D>]) {
    let share = 1.0 / pair.len() as f64;
    pair.iter().for_each(|contact| sum.add::<D>(contact.normal, contact.normal, share));
}

/// Number of contacts of each grain, walls included, and sum of n nᵀ over them, in the order of the snapshot.
pub(crate) fn of_grains<D: Dimension>(view: &View<'_, D>) -> Vec<(f64, Tensor)> {
    let mut sums = vec![(0.0, Tensor::default()); view.snapshot.bodies.len()];
    for pair in pairs(&view.snapshot.contacts) {
        for place in pair.first().into_iter().flat_map(|contact| view.ends(contact)) {
            sums[place].0 += 1.0;
            add(&mut sums[place].1, &pair);
        }
    }
    sums
}

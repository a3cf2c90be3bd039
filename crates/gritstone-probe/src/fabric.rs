//! Directions of contacts.

use gritstone_engine::{Realm, Setup, Zone};

use crate::columns::Column;
use crate::kind::Measure;
use crate::tensor::Tensor;
use crate::view::View;

/// Mean of n nᵀ over the contacts among grains whose point is in a zone, n the unit normal. Its trace is one; with all
/// directions alike it is the unit matrix over the number of dimensions. Without contacts there is none.
#[derive(Clone, Debug)]
pub struct Fabric<D: Realm> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Zone<D>>,
}

impl<D: Realm> Measure<D> for Fabric<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        [Column::new("contacts", "")].into_iter().chain(Column::tensor::<D>("f", "")).collect()
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let mut sum = Tensor::default();
        let mut number = 0.0;
        for contact in view.snapshot.contacts.iter().filter(|contact| !contact.with_wall) {
            if view.is_in(self.zone.as_ref(), contact.point) {
                number += 1.0;
                sum.add::<D>(contact.normal, contact.normal, 1.0);
            }
        }
        vec![[number].into_iter().chain(sum.mean::<D>(number)).collect()]
    }
}

/// Number of contacts of each grain, walls included, and sum of n nᵀ over them, in the order of the snapshot.
pub(crate) fn of_grains<D: Realm>(view: &View<'_, D>) -> Vec<(f64, Tensor)> {
    let mut sums = vec![(0.0, Tensor::default()); view.snapshot.bodies.len()];
    for contact in &view.snapshot.contacts {
        let ends = [Some(contact.a), Some(contact.b).filter(|_| !contact.with_wall)];
        for place in ends.into_iter().flatten().filter_map(|id| view.place(id)) {
            sums[place].0 += 1.0;
            sums[place].1.add::<D>(contact.normal, contact.normal, 1.0);
        }
    }
    sums
}

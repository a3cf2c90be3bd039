//! How much of a zone is solid.

use gritstone_engine::{Realm, Setup, Zone};

use crate::columns::Column;
use crate::kind::Measure;
use crate::piece::volume_inside;
use crate::view::View;

/// Volume (in the plane: area) of the parts of all grains that are in a zone, over that of the zone. What two grains that
/// overlap have in common counts twice.
#[derive(Clone, Copy, Debug)]
pub struct SolidFraction<D: Realm> {
    /// Where; it has an end.
    pub zone: Zone<D>,
}

impl<D: Realm> Measure<D> for SolidFraction<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![Column::new("solid_fraction", "")]
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let inside = view.snapshot.bodies.iter().map(|body| {
            let shape = &view.setup.shapes[body.shape as usize];
            volume_inside(&self.zone, shape, body.pose, view.volume(body))
        });
        vec![vec![inside.sum::<f64>() / self.zone.volume()]]
    }
}

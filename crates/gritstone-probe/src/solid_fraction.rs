//! How much of a zone is solid.

use gritstone_core::Pose;
use gritstone_engine::{Dimension, Region, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::piece::volume_inside;
use crate::view::View;

/// Volume (in the plane: area) of the parts of all grains that are in a zone, over that of the zone. What two grains that
/// overlap have in common counts twice; where parts of a compound overlap, matter counts once. In a periodic cell every image
/// counts that reaches into the zone.
#[derive(Clone, Copy, Debug)]
pub struct SolidFraction<D: Dimension> {
    /// Where; it has an end.
    pub zone: Region<D>,
}

impl<D: Dimension> Measure<D> for SolidFraction<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![Column::new("solid_fraction", "")]
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let (corners, mut sum) = (self.zone.corners(), 0.0);
        for body in &view.snapshot.bodies {
            let (form, x) = (view.setup.form(body.shape), body.pose.position);
            for shift in view.lattice.reaching(x, form.size(), corners) {
                let pose = Pose { position: x + view.lattice.way(shift), ..body.pose };
                sum += volume_inside(&self.zone, form, pose, view.volume(body));
            }
        }
        vec![vec![sum / self.zone.volume()]]
    }
}

//! Love–Weber stress of a zone.

use gritstone_engine::{Dimension, Region, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::tensor::Tensor;
use crate::view::View;

/// σ = 1/V Σ (x_c − x_p) f_cᵀ·(−1) over the contacts c of all grains p whose centre is in the zone of volume V; f is the
/// force on p. Compression is positive. A contact is where its force acts: that of faces, and one that resists rolling, at the
/// centre of pressure. Torques that twist count as shear all around the contact. So the stress of a grain at rest is symmetric.
/// In a periodic cell every image counts that is in the zone. Grains that are not at rest add what their motion
/// carries, which is not counted.
#[derive(Clone, Debug)]
pub struct Stress<D: Dimension> {
    /// Where; it has an end.
    pub zone: Region<D>,
}

impl<D: Dimension> Measure<D> for Stress<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        let mean = Column::new("mean", "Pa");
        [Column::new("grains", ""), mean].into_iter().chain(Column::tensor::<D>("s", "Pa")).collect()
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let moments = moments(view);
        let mut sum = Tensor::default();
        let mut number = 0.0;
        for (body, moment) in view.snapshot.bodies.iter().zip(&moments) {
            for _ in 0..view.lattice.images_in(&self.zone, body.pose.position) {
                number += 1.0;
                sum.join(moment);
            }
        }
        let by = 1.0 / self.zone.volume();
        let mean = by * sum.trace::<D>() / D::N as f64;
        vec![[number, mean].into_iter().chain(sum.components::<D>(by)).collect()]
    }
}

/// Volume times stress of each grain, in the order of the snapshot: −Σ (x_c − x_p) f_cᵀ, f the force on the grain, and what
/// torques at contacts add.
pub(crate) fn moments<D: Dimension>(view: &View<'_, D>) -> Vec<Tensor> {
    let bodies = &view.snapshot.bodies;
    let mut moments = vec![Tensor::default(); bodies.len()];
    for contact in &view.snapshot.contacts {
        // The force is that on b; a has the opposite.
        // Across a side of a cell it is an image of b that a touches.
        let b = Some(contact.b).filter(|_| !contact.with_wall);
        let ends = [(Some(contact.a), 1.0, D::Vec::default()), (b, -1.0, contact.across)];
        for (id, sign, shift) in ends {
            if let Some(place) = id.and_then(|id| view.place(id)) {
                let branch = contact.point - (bodies[place].pose.position + shift);
                moments[place].add::<D>(branch, contact.force, sign);
                moments[place].add_couple::<D>(contact.torque, contact.normal, sign);
            }
        }
    }
    moments
}

//! Energies and momentum of the grains of a zone.

use gritstone_core::{Linear, Vector};
use gritstone_engine::{Dimension, Region, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::view::View;

/// Number, mass, energies and mean velocity of the grains of a zone; no velocity without grains. Grains that are
/// frozen count with what they weigh.
#[derive(Clone, Debug)]
pub struct Energies<D: Dimension> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Region<D>>,
}

impl<D: Dimension> Measure<D> for Energies<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        let mut columns = vec![Column::new("grains", ""), Column::new("mass", "kg")];
        columns.extend(["translation", "rotation", "potential"].map(|name| Column::new(name, "J")));
        columns.extend(Column::vector::<D>("mean_v", "m/s"));
        columns
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let (mut number, mut mass) = (0.0, 0.0);
        let [mut translation, mut rotation, mut potential] = [0.0; 3];
        let mut momentum = D::Vec::default();
        for body in view.grains(self.zone.as_ref()) {
            let m = view.mass(body);
            number += 1.0;
            mass += m;
            translation += 0.5 * m * body.velocity.dot(body.velocity);
            rotation += 0.5 * view.momentum(body).dot(body.spin);
            potential -= m * view.setup.gravity.dot(body.pose.position);
            momentum += body.velocity * m;
        }
        let mut row = vec![number, mass, translation, rotation, potential];
        row.extend((0..D::N).map(|i| momentum.component(i) / mass));
        vec![row]
    }
}

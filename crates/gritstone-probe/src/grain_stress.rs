//! Love–Weber stress and fabric of each grain.

use gritstone_core::Vector;
use gritstone_engine::{Dimension, Region, Setup};

use crate::columns::{Column, largest, mean};
use crate::fabric;
use crate::kind::Measure;
use crate::stress::moments;
use crate::view::View;

/// A row for each grain of a zone: id, centre, stress over its own volume, number of its contacts, and their fabric, the mean of
/// n nᵀ over them, n the unit normal. Signs as those of [`Stress`](crate::Stress). Contacts with walls count; several parts
/// that touch the same body are one contact, as for [`Fabric`](crate::Fabric). A grain without contacts has no fabric.
#[derive(Clone, Debug)]
pub struct GrainStress<D: Dimension> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Region<D>>,
}

impl<D: Dimension> Measure<D> for GrainStress<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        let mut columns = vec![Column::new("id", "")];
        columns.extend(Column::vector::<D>("", "m"));
        columns.push(Column::new("mean", "Pa"));
        columns.extend(Column::tensor::<D>("s", "Pa"));
        columns.push(Column::new("contacts", ""));
        columns.extend(Column::tensor::<D>("f", ""));
        columns
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let (moments, fabrics) = (moments(view), fabric::of_grains(view));
        let bodies = view.snapshot.bodies.iter().zip(moments.iter().zip(&fabrics));
        bodies
            .filter(|(body, _)| view.is_in(self.zone.as_ref(), body.pose.position))
            .map(|(body, (moment, (contacts, fabric)))| {
                let by = 1.0 / view.volume(body);
                let mut row = vec![f64::from(body.id)];
                row.extend((0..D::N).map(|i| body.pose.position.component(i)));
                row.push(by * moment.trace::<D>() / D::N as f64);
                row.extend(moment.components::<D>(by));
                row.push(*contacts);
                row.extend(fabric.mean::<D>(*contacts));
                row
            })
            .collect()
    }

    fn digest_columns(&self, _: &Setup<D>) -> Vec<Column> {
        let stresses = ["mean", "mean_largest"].map(|name| Column::new(name, "Pa"));
        let [grains, contacts] = ["grains", "contacts_per_grain"].map(|name| Column::new(name, ""));
        [grains].into_iter().chain(stresses).chain([contacts]).collect()
    }

    fn digest(&self, rows: &[Vec<f64>]) -> Vec<f64> {
        // Behind the id and the centre; behind those the mean stress and its components.
        let column = |k: usize| rows.iter().map(move |row| row[k]);
        let (stress, contacts) = (1 + D::N, 2 + D::N + D::N * D::N);
        vec![rows.len() as f64, mean(column(stress)), largest(column(stress)), mean(column(contacts))]
    }
}

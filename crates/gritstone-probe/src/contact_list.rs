//! Contacts with their forces.

use gritstone_core::{Linear, Vector};
use gritstone_engine::{Dimension, Region, Setup};

use crate::columns::{Column, largest, mean};
use crate::kind::Measure;
use crate::view::View;

/// A row for each contact whose point is in a zone: ids of both bodies (with a wall, the wall's place in the scene, from zero,
/// as the second), point, unit normal from the first to the second, overlap, force on the second along the normal, and the
/// rest of that force. The point is where the force acts: that of faces at the centre of pressure. Compounds have a row for each
/// two parts that touch.
#[derive(Clone, Debug)]
pub struct ContactList<D: Dimension> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Region<D>>,
}

impl<D: Dimension> Measure<D> for ContactList<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        let mut columns = ["a", "b", "with_wall"].map(|name| Column::new(name, "")).to_vec();
        columns.extend(Column::vector::<D>("", "m"));
        columns.extend(Column::vector::<D>("n", ""));
        columns.extend([Column::new("depth", "m"), Column::new("normal_force", "N")]);
        columns.extend(Column::vector::<D>("tangential_f", "N"));
        columns
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let contacts = view.snapshot.contacts.iter();
        contacts
            .filter(|contact| view.is_in(self.zone.as_ref(), contact.point))
            .map(|contact| {
                let along = contact.force.dot(contact.normal);
                let across = contact.force - contact.normal * along;
                let mut row =
                    vec![contact.a.into(), contact.b.into(), f64::from(u8::from(contact.with_wall))];
                row.extend((0..D::N).map(|i| contact.point.component(i)));
                row.extend((0..D::N).map(|i| contact.normal.component(i)));
                row.extend([contact.depth, along]);
                row.extend((0..D::N).map(|i| across.component(i)));
                row
            })
            .collect()
    }

    fn digest_columns(&self, _: &Setup<D>) -> Vec<Column> {
        let forces = ["normal_force_mean", "normal_force_largest"].map(|name| Column::new(name, "N"));
        [Column::new("contacts", "")].into_iter().chain(forces).collect()
    }

    fn digest(&self, rows: &[Vec<f64>]) -> Vec<f64> {
        // Behind both bodies and the wall, the point, the normal and the depth.
        let forces = || rows.iter().map(|row| row[4 + 2 * D::N]);
        vec![rows.len() as f64, mean(forces()), largest(forces())]
    }
}

//! Love–Weber stress of each grain.

use gritstone_core::Vector;
use gritstone_engine::{Realm, Setup, Zone};

use crate::columns::Column;
use crate::kind::Measure;
use crate::stress::moments;
use crate::view::View;

/// A row for each grain of a zone: id, centre, stress over its own volume. Signs as those of [`Stress`](crate::Stress).
#[derive(Clone, Debug)]
pub struct GrainStress<D: Realm> {
    /// Where; everywhere where nothing is said.
    pub zone: Option<Zone<D>>,
}

impl<D: Realm> Measure<D> for GrainStress<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        let mut columns = vec![Column::new("id", "")];
        columns.extend(Column::vector::<D>("", "m"));
        columns.push(Column::new("mean", "Pa"));
        columns.extend(Column::tensor::<D>("s", "Pa"));
        columns
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let moments = moments(view);
        let bodies = view.snapshot.bodies.iter().zip(&moments);
        bodies
            .filter(|(body, _)| view.is_in(self.zone.as_ref(), body.pose.position))
            .map(|(body, moment)| {
                let by = 1.0 / view.volume(body);
                let mut row = vec![f64::from(body.id)];
                row.extend((0..D::N).map(|i| body.pose.position.component(i)));
                row.push(by * moment.trace::<D>() / D::N as f64);
                row.extend(moment.components::<D>(by));
                row
            })
            .collect()
    }

    fn is_series(&self) -> bool {
        false
    }
}

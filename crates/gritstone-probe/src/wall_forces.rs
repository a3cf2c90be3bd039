//! Forces on walls.

use std::marker::PhantomData;

use gritstone_core::{Dim, Linear, Vector};
use gritstone_engine::{Dimension, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::view::View;

/// Force of the grains on each wall, and torque about the origin of the wall's shape.
#[derive(Clone, Debug)]
pub struct WallForces<D: Dim> {
    /// Which walls, by their places in the setup.
    pub walls: Vec<usize>,
    dimension: PhantomData<D>,
}

impl<D: Dim> WallForces<D> {
    /// The forces on these walls.
    pub fn new(walls: Vec<usize>) -> Self {
        Self { walls, dimension: PhantomData }
    }
}

impl<D: Dimension> Measure<D> for WallForces<D> {
    fn columns(&self, setup: &Setup<D>) -> Vec<Column> {
        let columns = |wall: &usize| {
            let name = setup.walls.get(*wall).map_or("", |wall| wall.name.as_str());
            let force = Column::vector::<D>(&format!("{name} f"), "N").collect::<Vec<_>>();
            force.into_iter().chain(Column::spin::<D>(&format!("{name} t"), "N m").collect::<Vec<_>>())
        };
        self.walls.iter().flat_map(columns).collect()
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let walls = self.walls.iter().filter_map(|wall| view.snapshot.walls.get(*wall));
        let row = walls.flat_map(|wall| {
            let force = (0..D::N).map(|i| wall.force.component(i));
            force.chain(components::<D>(wall.torque)).collect::<Vec<_>>()
        });
        vec![row.collect()]
    }
}

/// Components of a torque: three in space, one in the plane.
fn components<D: Dim>(torque: D::Spin) -> impl Iterator<Item = f64> {
    // Each is that about the axis that a force along the second turns a lever along the first about.
    let axes: &[(usize, usize)] = if D::N == 2 { &[(0, 1)] } else { &[(1, 2), (2, 0), (0, 1)] };
    axes.iter().map(move |&(i, j)| torque.dot(D::moment(D::Vec::axis(i), D::Vec::axis(j))))
}

//! What probes see.

use gritstone_engine::{BodyState, ContactState, Dimension, Lattice, Region, Setup, Snapshot};
use gritstone_shape::AnyShape as _;

/// What follows from a setup alone: computed once for a run.
#[derive(Clone, Debug)]
pub struct Gauge<D: Dimension> {
    /// Volume of each shape (m³; in the plane area, m²); zero for those that have none.
    volumes: Vec<f64>,
    /// Moment of inertia of each shape for unit mass.
    inertias: Vec<D::Inertia>,
}

impl<D: Dimension> Gauge<D> {
    /// Measures the shapes of a setup.
    pub fn new(setup: &Setup<D>) -> Self {
        let mass = |(shape, i): (&D::Shape, u32)| match setup.compounds.get(&i) {
            Some(compound) => Some(*compound.mass()),
            None => shape.mass_properties(),
        };
        let masses: Vec<_> = setup.shapes.iter().zip(0..).map(mass).collect();
        let inertia = |mass: &Option<gritstone_core::Mass<D>>| {
            mass.as_ref().map_or_else(D::Inertia::default, |mass| D::inertia(mass, 1.0 / mass.volume))
        };
        Self {
            inertias: masses.iter().map(inertia).collect(),
            volumes: masses.iter().map(|mass| mass.as_ref().map_or(0.0, |mass| mass.volume)).collect(),
        }
    }
}

/// A world at one moment, with what is known of its setup.
#[derive(Clone, Copy, Debug)]
pub struct View<'v, D: Dimension> {
    /// What the world was made from.
    pub setup: &'v Setup<D>,
    /// What follows from that.
    pub gauge: &'v Gauge<D>,
    /// The world at this moment.
    pub snapshot: &'v Snapshot<D>,
    /// Where its images are.
    pub lattice: &'v Lattice<D>,
}

impl<'v, D: Dimension> View<'v, D> {
    /// Volume of a grain (m³; in the plane area, m²).
    pub fn volume(&self, body: &BodyState<D>) -> f64 {
        self.gauge.volumes[body.shape as usize]
    }

    /// Mass of a grain (kg).
    pub fn mass(&self, body: &BodyState<D>) -> f64 {
        self.volume(body) * self.setup.densities[usize::from(body.material)]
    }

    /// Angular momentum of a grain about its centre (kg m²/s).
    pub(crate) fn momentum(&self, body: &BodyState<D>) -> D::Spin {
        let inertia = &self.gauge.inertias[body.shape as usize];
        D::momentum(inertia, body.pose.rotation, body.spin) * self.mass(body)
    }

    /// The grains of a zone, in order of their ids; all of them where there is none.
    pub(crate) fn grains(&self, zone: Option<&'v Region<D>>) -> impl Iterator<Item = &'v BodyState<D>> {
        let view = *self;
        self.snapshot.bodies.iter().filter(move |body| view.is_in(zone, body.pose.position))
    }

    /// Whether a place is in a zone, with any of its images; everything is where there is none.
    pub(crate) fn is_in(&self, zone: Option<&Region<D>>, x: D::Vec) -> bool {
        zone.is_none_or(|zone| self.lattice.is_in(zone, x))
    }

    /// Place of a grain among the bodies of the snapshot.
    pub(crate) fn place(&self, id: u32) -> Option<usize> {
        self.snapshot.bodies.binary_search_by_key(&id, |body| body.id).ok()
    }

    /// Places of the grains of a contact: two, or one with a wall.
    pub(crate) fn ends(&self, contact: &ContactState<D>) -> impl Iterator<Item = usize> {
        let ends = [Some(contact.a), Some(contact.b).filter(|_| !contact.with_wall)];
        ends.into_iter().flatten().filter_map(|id| self.place(id))
    }
}

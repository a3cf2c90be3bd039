//! The dimensions in which the engine runs.

use gritstone_core::{Plane, Space};

use crate::bodies::{Record, State, StepInput, integrate};
use crate::boundary::surface::MeshContacts;
use crate::broad_phase::LargestDisplacements;
use crate::contacts::batch::ContactBatch;
use crate::contacts::effective_radius::Curved;
use crate::contacts::flat::FlatContacts;
use crate::lanes;

/// A dimension in which grains move: the sum of its duties, and what is computed in lanes, many at a time.
///
/// | trait | duty |
/// |---|---|
/// | [`Dim`](gritstone_core::Dim) | vectors, rotations, matrices |
/// | [`NarrowPhase`](gritstone_contact::NarrowPhase) | shapes, and contact methods |
/// | [`Kinematics`](crate::Kinematics) | inertia, and how bodies turn |
/// | [`MeshContacts`] | contacts with features of meshes |
/// | [`Curved`] | effective radii of contacts |
/// | [`FlatContacts`] | patches of flat contacts |
pub trait Dimension: Curved + FlatContacts + MeshContacts {
    /// Contacts that are solved many at a time.
    type ContactBatch: ContactBatch<Self>;

    /// Inertia and [sweep](crate::bodies::ShapeRecord::sweep) of a shape, as lanes read them.
    fn inertia_for_lanes(_: &Self::Inertia, _: f64) -> [f64; 8] {
        [0.0; 8]
    }

    /// The first half of a step for some bodies: see [`integrate`].
    fn advance(
        input: &StepInput<'_, Self>,
        records: &mut [Record<Self>],
        states: &mut [State<Self>],
        displacements: [&mut [f64]; 2],
    ) -> [LargestDisplacements; 2] {
        integrate::advance(input, records, states, displacements)
    }
}

impl Dimension for Plane {
    type ContactBatch = ();
}

impl Dimension for Space {
    type ContactBatch = lanes::LaneContacts;

    fn inertia_for_lanes(inertia: &Self::Inertia, sweep: f64) -> [f64; 8] {
        let ([i, j, k], [x, y, z, w]) = (inertia.moments.recip().to_array(), inertia.axes.to_array());
        [i, j, k, x, y, z, w, sweep]
    }

    fn advance(
        input: &StepInput<'_, Self>,
        records: &mut [Record<Self>],
        states: &mut [State<Self>],
        displacements: [&mut [f64]; 2],
    ) -> [LargestDisplacements; 2] {
        lanes::advance(input, records, states, displacements)
    }
}

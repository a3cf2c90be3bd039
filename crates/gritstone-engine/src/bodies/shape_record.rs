//! What the engine computes once of each shape: size, volume, inertia, and how far the surface moves when the body turns.

use std::ops::Range;

use gritstone_core::Vector;
use gritstone_shape::AnyShape as _;

use crate::bodies::compound::Compound;
use crate::bodies::fast;
use crate::contacts::effective_radius::Roundness;
use crate::dimension::Dimension;

/// A shape and what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct ShapeRecord<D: Dimension> {
    /// As contacts have it, with its [crown](gritstone_shape::space::Crowned); for a compound that of its first part, which is
    /// not used.
    pub(crate) shape: D::Shape,
    /// The crown η; zero for shapes without.
    pub(crate) crown: f64,
    /// What bodies with faces meet instead of it, if it is a wall with curved sides.
    pub(crate) faceted: Option<D::Shape>,
    /// Radius of the smallest ball about its origin that holds it.
    pub(crate) size: f64,
    /// How far its surface moves at most where it turns, per radian: nothing for a ball.
    pub(crate) sweep: f64,
    /// Half its smallest width, about; infinite for what has no volume.
    pub(crate) half_thickness: f64,
    /// Volume, zero for shapes that have none.
    pub(crate) volume: f64,
    pub(crate) roundness: Roundness,
    /// Moment of inertia for unit mass.
    pub(crate) inertia: D::Inertia,
    /// The parts of a compound.
    pub(crate) parts: Range<u32>,
    /// Whether it represents the bodies of features of surfaces, each of which has its own shape.
    pub(crate) stands_in: bool,
}

impl<D: Dimension> ShapeRecord<D> {
    /// A shape that contacts have as it is.
    pub(crate) fn new(shape: &D::Shape) -> Self {
        use gritstone_shape::Support;
        let mass = shape.mass_properties();
        let volume = mass.map_or(0.0, |mass| mass.volume);
        let inertia = mass.map_or_else(D::Inertia::default, |mass| D::inertia(&mass, 1.0 / mass.volume));
        let size = shape.size();
        let sweep = shape.semi_axes().map_or(size, sweep_of::<D>);
        let roundness = Roundness::new::<D>(shape, volume);
        let half_thickness = if mass.is_some() { fast::half_thickness::<D>(shape) } else { f64::INFINITY };
        Self {
            shape: shape.clone(),
            crown: 0.0,
            faceted: None,
            size,
            sweep,
            half_thickness,
            volume,
            roundness,
            inertia,
            parts: 0..0,
            stands_in: false,
        }
    }

    /// The record of the bodies of features of surfaces.
    pub(crate) fn stand_in(shape: &D::Shape) -> Self {
        Self { volume: 0.0, inertia: D::Inertia::default(), stands_in: true, ..Self::new(shape) }
    }

    /// A shape that contacts have with this crown, if it is one that needs it.
    pub(crate) fn crowned(shape: &D::Shape, crown: f64) -> Self {
        let record = Self::new(shape);
        match D::crowned(shape, crown) {
            Some((shape, crown)) => Self { shape, crown, roundness: record.roundness.constant(), ..record },
            None => record,
        }
    }

    /// Of a compound whose parts are these.
    pub(crate) fn of_compound(compound: &Compound<D>, parts: Range<u32>) -> Self {
        let mass = compound.mass();
        let thickness = compound.parts().iter().map(|part| fast::half_thickness::<D>(&part.shape));
        Self {
            shape: compound.parts()[0].shape.clone(),
            crown: 0.0,
            faceted: None,
            size: compound.size(),
            sweep: compound.size(),
            half_thickness: thickness.fold(f64::INFINITY, f64::min),
            volume: mass.volume,
            roundness: Roundness::default(),
            inertia: D::inertia(mass, 1.0 / mass.volume),
            parts,
            stands_in: false,
        }
    }
}

/// Of an ellipsoid: where the direction turns, its support function changes by at most the difference of its half-axes.
fn sweep_of<D: Dimension>(semi_axes: D::Vec) -> f64 {
    let axes = || (0..D::N).map(|axis| semi_axes.component(axis));
    axes().fold(0.0, f64::max) - axes().fold(f64::INFINITY, f64::min)
}

/// How far a surface moves where the body turns by this chord of the unit circle: [`ShapeRecord::sweep`] times the angle,
/// which is longer than the chord by less than [`ARC`] up to [`LARGEST_CHORD`]. Beyond, nothing is said.
pub(crate) const ARC: f64 = 1.05;
pub(crate) const LARGEST_CHORD: f64 = 0.9;

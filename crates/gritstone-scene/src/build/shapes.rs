//! Shapes from their tables.

use gritstone_contact::NarrowPhase;
use gritstone_core::{Mass, Pose};
use gritstone_engine::{Compound, GrainShape};
use gritstone_shape::{AnyShape as _, ShapeError};

use super::compounds;
use super::from_scene::FromScene;
use crate::diagnostics::Diagnostics;
use crate::schema::{SceneFile, Shape};

/// A shape that a scene describes.
#[derive(Clone, Debug)]
pub(crate) struct BuiltShape<D: NarrowPhase> {
    /// The shape, about its centre of mass if it has one; that of the first part for a compound.
    pub(crate) shape: D::Shape,
    /// What it is made of, if it is a compound.
    pub(crate) compound: Option<Compound<D>>,
    /// Pose given by its table: vertices are absolute positions.
    pub(crate) place: Pose<D>,
    /// Mass properties for density one, if it can be a grain.
    pub(crate) mass: Option<Mass<D>>,
}

/// Why a table does not describe a valid shape.
#[derive(Clone, Debug)]
pub(crate) enum InvalidShape {
    /// The shape refuses a value.
    Shape(ShapeError),
    /// It is of the other dimension.
    Dimension(&'static str),
    /// Just one of two keys must be there.
    OneOf(&'static str, &'static str),
    /// So many vertices are there, and so many must be.
    Points(usize, usize),
}

impl<D: FromScene> BuiltShape<D> {
    /// A shape about its own origin.
    pub(crate) fn centred(shape: Result<D::Shape, ShapeError>) -> Result<Self, InvalidShape> {
        Self::moved(shape.map(|shape| (shape, Pose::default())))
    }

    /// A shape that has been moved to its centre of mass from somewhere.
    pub(crate) fn moved(shape: Result<(D::Shape, Pose<D>), ShapeError>) -> Result<Self, InvalidShape> {
        let (shape, place) = shape.map_err(InvalidShape::Shape)?;
        let mass = shape.mass_properties();
        Ok(Self { shape, compound: None, place, mass })
    }

    /// A compound, and where its centre of mass was.
    pub(crate) fn compound((compound, centre): (Compound<D>, D::Vec)) -> Option<Self> {
        let (shape, mass) = (compound.parts().first()?.shape.clone(), Some(*compound.mass()));
        Some(Self { shape, compound: Some(compound), place: Pose::at(centre), mass })
    }

    /// The shape as grains have it.
    pub(crate) fn form(&self) -> GrainShape<'_, D> {
        self.compound.as_ref().map_or(GrainShape::Convex(&self.shape), GrainShape::Compound)
    }
}

/// All shapes of a scene; none where one cannot be made, which is reported.
pub(crate) fn make<D: FromScene>(
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Option<BuiltShape<D>>> {
    let mut make = |(name, shape): (&str, &Shape)| {
        let key = format!("shapes.{name}");
        match D::make(shape) {
            Ok(made) => return Some(made),
            Err(InvalidShape::Shape(error)) => {
                let place = format!("{key}.{}", subject(&error));
                diagnostics.error(&place, format_args!("{key}.{error}"));
            }
            Err(InvalidShape::Dimension(where_)) => {
                let keyword = shape.keyword();
                diagnostics
                    .error(&key, format_args!("{key} is of shape \"{keyword}\", which is one of {where_}"));
            }
            Err(InvalidShape::OneOf(a, b)) => {
                diagnostics.error(
                    &key,
                    format_args!("{key} must have one of the keys \"{a}\" and \"{b}\", and not both"),
                );
            }
            Err(InvalidShape::Points(found, needed)) => {
                let place = format!("{key}.vertices");
                diagnostics.error(&place, format_args!("{place} has {found} points, but must have {needed}"));
            }
        }
        None
    };
    // Compounds are made of the others.
    let simple: Vec<Option<BuiltShape<D>>> = file
        .shapes
        .iter()
        .map(|(name, shape)| if matches!(shape, Shape::Compound(_)) { None } else { make((name, shape)) })
        .collect();
    let compounds = file.shapes.iter().enumerate().map(|(i, (name, shape))| match shape {
        Shape::Compound(spec) => compounds::make(name, spec, file, &simple, diagnostics),
        _ => simple[i].clone(),
    });
    compounds.collect()
}

/// The key that an error speaks of.
fn subject(error: &ShapeError) -> String {
    match error {
        ShapeError::Length { name, .. }
        | ShapeError::Range { name, .. }
        | ShapeError::Coordinate { name, .. } => name.clone(),
        ShapeError::NoDirection { name } | ShapeError::Support { name, .. } => (*name).to_owned(),
        ShapeError::NoEllipse { .. } => "coefficients".to_owned(),
        ShapeError::TooFew { .. } | ShapeError::Flat | ShapeError::InLine => "vertices".to_owned(),
    }
}

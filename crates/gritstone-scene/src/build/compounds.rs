//! Compounds from their tables.

use gritstone_engine::{Compound, Compounds, Part};

use super::from_scene::{FromScene, RandomStream};
use super::shapes::BuiltShape;
use crate::diagnostics::Diagnostics;
use crate::schema::{self, CompoundPart, Orientation, SceneFile};

/// All compounds, by the indices of their shapes.
pub(super) fn of<D: FromScene>(shapes: &[BuiltShape<D>]) -> Compounds<D> {
    let compounds = shapes.iter().zip(0..).filter_map(|(made, i)| Some((i, made.compound.clone()?)));
    compounds.collect()
}

/// The same compound in another size; none where one of its parts cannot be made so large.
pub(super) fn scaled<D: FromScene>(
    compound: &schema::Compound,
    factor: f64,
    file: &SceneFile,
) -> Option<BuiltShape<D>> {
    let part = |spec: &CompoundPart| {
        let (_, shape) = file.shapes.find(&spec.shape)?;
        let made = D::make(&shape.scaled(factor)?).ok()?;
        let mut pose = made.place;
        if let Some(position) = &spec.position {
            pose.position = position.vector::<D>() * factor;
        }
        if let Some(orientation) = spec.orientation {
            pose.rotation = D::rotation_from(orientation, &mut RandomStream::new(1));
        }
        Some(Part { shape: made.shape, pose })
    };
    let parts = compound.parts.iter().map(part).collect::<Option<Vec<_>>>()?;
    Compound::new(parts).ok().and_then(BuiltShape::compound)
}

/// A compound of shapes that are made already; none where one cannot be, which is reported.
pub(super) fn make<D: FromScene>(
    name: &str,
    spec: &schema::Compound,
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BuiltShape<D>> {
    let key = format!("shapes.{name}");
    let parts: Vec<_> = spec
        .parts
        .iter()
        .enumerate()
        .map(|(i, spec)| part(&format!("{key}.parts[{i}]"), spec, file, shapes, diagnostics))
        .collect();
    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
    match Compound::new(parts) {
        Ok(made) => BuiltShape::compound(made),
        Err(error) => {
            diagnostics.error(&format!("{key}.parts"), format_args!("{key}.parts: {error}"));
            None
        }
    }
}

fn part<D: FromScene>(
    key: &str,
    spec: &CompoundPart,
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Part<D>> {
    let (name, place) = (&spec.shape, format!("{key}.shape"));
    let Some((index, shape)) = file.shapes.find(name) else {
        diagnostics.unknown(&place, name, "shape", "shapes", file.shapes.names());
        return None;
    };
    if matches!(shape, schema::Shape::Compound(_)) {
        diagnostics.error(
            &place,
            format_args!("{place} is \"{name}\", a compound, but parts must be convex shapes"),
        );
        return None;
    }
    let made = shapes[index].as_ref()?;
    if made.mass.is_none() {
        let keyword = shape.keyword();
        diagnostics.error(&place, format_args!("{place} is \"{name}\", a {keyword}, which has no volume"));
        return None;
    }
    let mut pose = made.place;
    if let Some(position) = &spec.position {
        pose.position = position.vector::<D>();
    }
    match spec.orientation {
        Some(Orientation::Random) => {
            let place = format!("{key}.orientation");
            diagnostics.error(&place, format_args!("{place} is \"random\", but parts must have a fixed one"));
            return None;
        }
        Some(orientation) => pose.rotation = D::rotation_from(orientation, &mut RandomStream::new(1)),
        None => {}
    }
    Some(Part { shape: made.shape.clone(), pose })
}

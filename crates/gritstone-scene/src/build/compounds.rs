//! Compounds from their words.

use gritstone_engine::{Compound, Compounds, Part};

use super::scenery::{RandomStream, Scenery};
use super::shapes::Made;
use crate::ledger::Ledger;
use crate::words::{self, CompoundPart, Orientation, SceneFile};

/// All compounds, by the indices of their shapes.
pub(super) fn of<D: Scenery>(shapes: &[Made<D>]) -> Compounds<D> {
    let compounds = shapes.iter().zip(0..).filter_map(|(made, i)| Some((i, made.compound.clone()?)));
    compounds.collect()
}

/// The same compound in another size; none where one of its parts cannot be made so large.
pub(super) fn scaled<D: Scenery>(
    compound: &words::Compound,
    factor: f64,
    file: &SceneFile,
) -> Option<Made<D>> {
    let part = |words: &CompoundPart| {
        let (_, shape) = file.shapes.find(&words.shape)?;
        let made = D::make(&shape.scaled(factor)?).ok()?;
        let mut pose = made.place;
        if let Some(position) = &words.position {
            pose.position = position.vector::<D>() * factor;
        }
        if let Some(orientation) = words.orientation {
            pose.rotation = D::oriented(orientation, &mut RandomStream::new(1));
        }
        Some(Part { shape: made.shape, pose })
    };
    let parts = compound.parts.iter().map(part).collect::<Option<Vec<_>>>()?;
    Compound::new(parts).ok().and_then(Made::compound)
}

/// A compound of shapes that are made already; none where one cannot be, which is told.
pub(super) fn make<D: Scenery>(
    name: &str,
    words: &words::Compound,
    file: &SceneFile,
    shapes: &[Option<Made<D>>],
    ledger: &mut Ledger<'_>,
) -> Option<Made<D>> {
    let key = format!("shapes.{name}");
    let parts: Vec<_> = words
        .parts
        .iter()
        .enumerate()
        .map(|(i, words)| part(&format!("{key}.parts[{i}]"), words, file, shapes, ledger))
        .collect();
    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
    match Compound::new(parts) {
        Ok(made) => Made::compound(made),
        Err(error) => {
            ledger.wrong(&format!("{key}.parts"), format_args!("{key}.parts: {error}"));
            None
        }
    }
}

fn part<D: Scenery>(
    key: &str,
    words: &CompoundPart,
    file: &SceneFile,
    shapes: &[Option<Made<D>>],
    ledger: &mut Ledger<'_>,
) -> Option<Part<D>> {
    let (name, place) = (&words.shape, format!("{key}.shape"));
    let Some((index, shape)) = file.shapes.find(name) else {
        ledger.unknown(&place, name, "shape", "shapes", file.shapes.names());
        return None;
    };
    if matches!(shape, words::Shape::Compound(_)) {
        ledger.wrong(
            &place,
            format_args!("{place} is \"{name}\", a compound, but parts must be convex shapes"),
        );
        return None;
    }
    let made = shapes[index].as_ref()?;
    if made.mass.is_none() {
        let word = shape.word();
        ledger.wrong(&place, format_args!("{place} is \"{name}\", a {word}, which has no volume"));
        return None;
    }
    let mut pose = made.place;
    if let Some(position) = &words.position {
        pose.position = position.vector::<D>();
    }
    match words.orientation {
        Some(Orientation::Random) => {
            let place = format!("{key}.orientation");
            ledger.wrong(&place, format_args!("{place} is \"random\", but parts must have a fixed one"));
            return None;
        }
        Some(orientation) => pose.rotation = D::oriented(orientation, &mut RandomStream::new(1)),
        None => {}
    }
    Some(Part { shape: made.shape.clone(), pose })
}

//! Walls from their words.

use std::path::Path;

use gritstone_core::Vector;
use gritstone_engine::Wall;

use super::check_corners;
use super::mesh;
use super::plan::is_called;
use super::scenery::{RandomStream, Scenery};
use super::shapes::Made;
use crate::ledger::Ledger;
use crate::words::{self, BoxWalls, PlaneWall, SceneFile, ShapeWall, Side};

/// All walls of a scene, sides of boxes one by one; none where one cannot be made, which is told.
pub(crate) fn make<D: Scenery>(
    file: &SceneFile,
    shapes: &[Option<Made<D>>],
    folder: Option<&Path>,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Wall<D>>> {
    let mut all = Some(Vec::new());
    for (name, wall) in file.walls.iter() {
        let key = format!("walls.{name}");
        let word = wall.word();
        let made = match wall {
            words::Wall::Plane(wall) | words::Wall::Line(wall) => {
                let (right, where_) = if D::N == 2 { ("line", "the plane") } else { ("plane", "space") };
                if word != right {
                    let place = format!("{key}.kind");
                    ledger.wrong(
                        &place,
                        format_args!("{place} is \"{word}\", but in {where_} must be \"{right}\""),
                    );
                }
                plane(&key, name, wall, file, ledger)
            }
            words::Wall::Box(wall) => sides(&key, name, wall, file, ledger),
            words::Wall::Shape(wall) => body(&key, name, wall, file, shapes, ledger),
            words::Wall::Mesh(wall) => {
                let material = material(&key, &wall.material, file, ledger);
                mesh::from_file(&key, name, wall, material, folder, ledger)
            }
            words::Wall::Revolved(wall) => {
                let material = material(&key, &wall.material, file, ledger);
                mesh::turned(&key, name, wall, material, ledger)
            }
        };
        match (&mut all, made) {
            (Some(list), Some(made)) => list.extend(made),
            _ => all = None,
        }
    }
    if let Some(walls) = &mut all {
        hide(file, walls);
    }
    all
}

/// Walls whose first event is that they come are not there before.
fn hide<D: Scenery>(file: &SceneFile, walls: &mut [Wall<D>]) {
    let mut events: Vec<_> = file.events.iter().collect();
    events.sort_by(|a, b| a.at.si.total_cmp(&b.at.si));
    for wall in walls {
        let named = |names: &[String]| names.iter().any(|name| is_called(wall, name));
        let first = events.iter().find(|event| named(&event.remove_walls) || named(&event.add_walls));
        wall.present = first.is_none_or(|event| named(&event.remove_walls));
    }
}

fn plane<D: Scenery>(
    key: &str,
    name: &str,
    wall: &PlaneWall,
    file: &SceneFile,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Wall<D>>> {
    let material = material(key, &wall.material, file, ledger);
    let (normal, point) = (wall.normal.vector::<D>(), wall.point.vector::<D>());
    let length = normal.length();
    if !(length > 0.0 && length.is_finite()) {
        ledger.wrong(
            &format!("{key}.normal"),
            format_args!("{key}.normal has the length {length}, but must have a direction"),
        );
        return None;
    }
    let normal = normal * (1.0 / length);
    fixed(key, name, D::behind(normal, gritstone_core::Linear::dot(normal, point)), material, ledger)
        .map(|wall| vec![wall])
}

fn sides<D: Scenery>(
    key: &str,
    name: &str,
    wall: &BoxWalls,
    file: &SceneFile,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Wall<D>>> {
    let material = material(key, &wall.material, file, ledger);
    let (low, high) = (wall.low.vector::<D>(), wall.high.vector::<D>());
    check_corners::<D>(key, low, high, ledger);
    for (i, side) in wall.open.iter().enumerate().filter(|(_, side)| side.axis().0 >= D::N) {
        let place = format!("{key}.open[{i}]");
        ledger.wrong(
            &place,
            format_args!("{place} is \"{}\", but a box in the plane has no such side", side.word()),
        );
    }
    let there = Side::ALL.into_iter().filter(|side| side.axis().0 < D::N && !wall.open.contains(side));
    let side = |side: Side| {
        let (axis, upper) = side.axis();
        let (inwards, at) = if upper { (-1.0, high) } else { (1.0, low) };
        let half = D::behind(D::Vec::axis(axis) * inwards, inwards * at.component(axis));
        fixed(key, &format!("{name}.{}", side.word()), half, material, ledger)
    };
    there.map(side).collect()
}

fn body<D: Scenery>(
    key: &str,
    name: &str,
    wall: &ShapeWall,
    file: &SceneFile,
    shapes: &[Option<Made<D>>],
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Wall<D>>> {
    let material = material(key, &wall.material, file, ledger);
    let Some((index, _)) = file.shapes.find(&wall.shape) else {
        ledger.unknown(&format!("{key}.shape"), &wall.shape, "shape", "shapes", file.shapes.names());
        return None;
    };
    let made = shapes[index].as_ref()?;
    if made.compound.is_some() {
        let (place, name) = (format!("{key}.shape"), &wall.shape);
        ledger.wrong(
            &place,
            format_args!("{place} is \"{name}\", a compound: make a wall of each of its parts"),
        );
        return None;
    }
    let mut pose = made.place;
    if let Some(position) = &wall.position {
        pose.position = position.vector::<D>();
    }
    if let Some(orientation) = wall.orientation {
        pose.rotation = D::oriented(orientation, &mut RandomStream::new(1));
    }
    let wall = fixed(key, name, Ok(made.shape.clone()), material, ledger)?;
    Some(vec![Wall { pose, ..wall }])
}

fn fixed<D: Scenery>(
    key: &str,
    name: &str,
    shape: Result<D::Shape, gritstone_shape::ShapeError>,
    material: Option<u16>,
    ledger: &mut Ledger<'_>,
) -> Option<Wall<D>> {
    let shape = shape.map_err(|error| ledger.wrong(key, format_args!("{key}.{error}"))).ok()?;
    Some(Wall::fixed(name, shape, material?))
}

/// Index of a material by its name.
fn material(key: &str, name: &str, file: &SceneFile, ledger: &mut Ledger<'_>) -> Option<u16> {
    let place = format!("{key}.material");
    material_as(&place, &place, name, file, ledger)
}

/// The same; what is wrong is shown at `place`, and `said` is what has the name there.
pub(super) fn material_as(
    place: &str,
    said: &str,
    name: &str,
    file: &SceneFile,
    ledger: &mut Ledger<'_>,
) -> Option<u16> {
    match file.materials.find(name) {
        Some((index, _)) => u16::try_from(index).ok(),
        None => {
            ledger.unknown_as(place, said, name, "material", "materials", file.materials.names());
            None
        }
    }
}

//! Walls from their tables.

use gritstone_core::Vector;
use gritstone_engine::{SurfaceMotion, Wall};

use super::check_corners;
use super::from_scene::{FromScene, RandomStream};
use super::mesh;
use super::plan::is_called;
use super::shapes::BuiltShape;
use crate::diagnostics::Diagnostics;
use crate::quantity::{Coordinates, Velocity};
use crate::scene::Scene;
use crate::schema::{self, BoxWalls, PlaneWall, SceneFile, ShapeWall, Side, Spin};

/// All walls of a scene, sides of boxes one by one; none where one cannot be made, which is reported. Without `files`, those that are in
/// files are not read.
pub(crate) fn make<D: FromScene>(
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    files: Option<&Scene>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Wall<D>>> {
    let mut all = Some(Vec::new());
    for (name, wall) in file.walls.iter() {
        let key = format!("walls.{name}");
        let keyword = wall.keyword();
        let made = match wall {
            schema::Wall::Plane(wall) | schema::Wall::Line(wall) => {
                let (right, where_) = if D::N == 2 { ("line", "the plane") } else { ("plane", "space") };
                if keyword != right {
                    let place = format!("{key}.kind");
                    diagnostics.error(
                        &place,
                        format_args!("{place} is \"{keyword}\", but in {where_} must be \"{right}\""),
                    );
                }
                plane(&key, name, wall, file, diagnostics)
            }
            schema::Wall::Box(wall) => sides(&key, name, wall, file, diagnostics),
            schema::Wall::Shape(wall) => body(&key, name, wall, file, shapes, diagnostics),
            schema::Wall::Mesh(wall) => {
                let material = material(&key, &wall.material, file, diagnostics);
                mesh::from_file(&key, name, wall, material, files, diagnostics)
            }
            schema::Wall::Revolved(wall) => {
                let material = material(&key, &wall.material, file, diagnostics);
                mesh::turned(&key, name, wall, material, diagnostics)
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
fn hide<D: FromScene>(file: &SceneFile, walls: &mut [Wall<D>]) {
    let mut events: Vec<_> = file.events.iter().collect();
    events.sort_by(|a, b| a.at.si.total_cmp(&b.at.si));
    for wall in walls {
        let named = |names: &[String]| names.iter().any(|name| is_called(wall, name));
        let first = events.iter().find(|event| named(&event.remove_walls) || named(&event.add_walls));
        wall.present = first.is_none_or(|event| named(&event.remove_walls));
    }
}

fn plane<D: FromScene>(
    key: &str,
    name: &str,
    wall: &PlaneWall,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Wall<D>>> {
    let material = material(key, &wall.material, file, diagnostics);
    let (normal, point) = (wall.normal.vector::<D>(), wall.point.vector::<D>());
    let length = normal.length();
    if !(length > 0.0 && length.is_finite()) {
        diagnostics.error(
            &format!("{key}.normal"),
            format_args!("{key}.normal has the length {length}, but must have a direction"),
        );
        return None;
    }
    let normal = normal * (1.0 / length);
    let half = D::half_space(normal, gritstone_core::Linear::dot(normal, point));
    let made = fixed(key, name, half, material, diagnostics)?;
    let mut motion = surface_motion::<D>(&made, wall.surface_velocity.as_ref(), wall.surface_spin.as_ref());
    motion.velocity -= D::sweep(motion.spin, point - made.pose.position);
    Some(vec![Wall { surface_motion: motion, ..made }])
}

/// How the surface of a wall moves along itself, about the wall's origin.
pub(super) fn surface_motion<D: FromScene>(
    wall: &Wall<D>,
    velocity: Option<&Coordinates<Velocity>>,
    spin: Option<&Spin>,
) -> SurfaceMotion<D> {
    let velocity = velocity.map_or_else(D::Vec::default, Coordinates::vector::<D>);
    let spin = spin.map_or_else(Default::default, D::angular_velocity);
    // Given in world axes; kept in those of the wall.
    let back = D::inverse(wall.pose.rotation);
    SurfaceMotion { velocity: D::rotate(back, velocity), spin: D::rotate_spin(back, spin) }
}

fn sides<D: FromScene>(
    key: &str,
    name: &str,
    wall: &BoxWalls,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Wall<D>>> {
    let material = material(key, &wall.material, file, diagnostics);
    let (low, high) = (wall.low.vector::<D>(), wall.high.vector::<D>());
    check_corners::<D>(key, low, high, diagnostics);
    for (i, side) in wall.open.iter().enumerate().filter(|(_, side)| side.axis().0 >= D::N) {
        let place = format!("{key}.open[{i}]");
        diagnostics.error(
            &place,
            format_args!("{place} is \"{}\", but a box in the plane has no such side", side.keyword()),
        );
    }
    let there = Side::ALL.into_iter().filter(|side| side.axis().0 < D::N && !wall.open.contains(side));
    let side = |side: Side| {
        let (axis, upper) = side.axis();
        let (inwards, at) = if upper { (-1.0, high) } else { (1.0, low) };
        let half = D::half_space(D::Vec::axis(axis) * inwards, inwards * at.component(axis));
        fixed(key, &format!("{name}.{}", side.keyword()), half, material, diagnostics)
    };
    there.map(side).collect()
}

fn body<D: FromScene>(
    key: &str,
    name: &str,
    wall: &ShapeWall,
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Wall<D>>> {
    let material = material(key, &wall.material, file, diagnostics);
    let Some((index, _)) = file.shapes.find(&wall.shape) else {
        diagnostics.unknown(&format!("{key}.shape"), &wall.shape, "shape", "shapes", file.shapes.names());
        return None;
    };
    let made = shapes[index].as_ref()?;
    if made.compound.is_some() {
        let (place, name) = (format!("{key}.shape"), &wall.shape);
        diagnostics.error(
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
        pose.rotation = D::rotation_from(orientation, &mut RandomStream::new(1));
    }
    let fixed = fixed(key, name, Ok(made.shape.clone()), material, diagnostics)?;
    let placed = Wall { pose, ..fixed };
    let motion = surface_motion(&placed, wall.surface_velocity.as_ref(), wall.surface_spin.as_ref());
    Some(vec![Wall { surface_motion: motion, ..placed }])
}

fn fixed<D: FromScene>(
    key: &str,
    name: &str,
    shape: Result<D::Shape, gritstone_shape::ShapeError>,
    material: Option<u16>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Wall<D>> {
    let shape = shape.map_err(|error| diagnostics.error(key, format_args!("{key}.{error}"))).ok()?;
    Some(Wall::fixed(name, shape, material?))
}

/// Index of a material by its name.
fn material(key: &str, name: &str, file: &SceneFile, diagnostics: &mut Diagnostics<'_>) -> Option<u16> {
    let place = format!("{key}.material");
    material_as(&place, &place, name, file, diagnostics)
}

/// The same; what is wrong is shown at `place`, and `said` is what has the name there.
pub(super) fn material_as(
    place: &str,
    said: &str,
    name: &str,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<u16> {
    match file.materials.find(name) {
        Some((index, _)) => u16::try_from(index).ok(),
        None => {
            diagnostics.unknown_as(place, said, name, "material", "materials", file.materials.names());
            None
        }
    }
}

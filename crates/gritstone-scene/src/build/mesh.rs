//! Triangle-mesh walls, from files or turned about an axis.

use gritstone_engine::{MeshError, Sides, Surface, TriangleMesh, Wall, revolved};
use gritstone_io::surfaces::read_triangles;

use super::from_scene::{FromScene, RandomStream};
use super::walls::surface_motion;
use crate::diagnostics::Diagnostics;
use crate::quantity::{Coordinates, Position};
use crate::scene::Scene;
use crate::schema::{MeshSide, MeshWall, Orientation, RevolvedWall};

/// Facets around that a surface may have.
const FACETS: std::ops::RangeInclusive<u32> = 3..=10_000;

/// A triangle-mesh wall, if its file can be read and the wall can be made. Without `files` nothing is read: the wall is then
/// a ball that stands for it.
pub(super) fn from_file<D: FromScene>(
    key: &str,
    name: &str,
    wall: &MeshWall,
    material: Option<u16>,
    files: Option<&Scene>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Wall<D>>> {
    in_space::<D>(key, "mesh", diagnostics)?;
    let surface = match files {
        Some(scene) => Some(read(key, wall, scene, diagnostics)?),
        None => None,
    };
    let made = placed::<D>(name, material, surface, wall.position.as_ref(), wall.orientation)?;
    let surface_motion = surface_motion(&made, wall.surface_velocity.as_ref(), wall.surface_spin.as_ref());
    Some(vec![Wall { surface_motion, ..made }])
}

/// A wall that is round about an axis.
pub(super) fn turned<D: FromScene>(
    key: &str,
    name: &str,
    wall: &RevolvedWall,
    material: Option<u16>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Wall<D>>> {
    in_space::<D>(key, "revolved", diagnostics)?;
    let (place, facets) = (format!("{key}.profile"), format!("{key}.facets"));
    if !FACETS.contains(&wall.facets) {
        let (found, [least, most]) = (wall.facets, [FACETS.start(), FACETS.end()]);
        diagnostics.error(&facets, format_args!("{facets} is {found}, but must be from {least} to {most}"));
        return None;
    }
    if wall.profile.len() < 2 {
        let found = wall.profile.len();
        let points = if found == 1 { "1 point" } else { "no points" };
        diagnostics
            .error(&place, format_args!("{place} has {points}, but must have at least 2, which make a line"));
        return None;
    }
    if let Some(i) = wall.profile.iter().position(|point| point.si[0] < 0.0) {
        let radius = wall.profile[i].si[0];
        let place = format!("{place}[{i}]");
        diagnostics.error(
            &place,
            format_args!("{place} has the radius {radius}, but must have one of zero or more"),
        );
        return None;
    }
    let profile: Vec<[f64; 2]> = wall.profile.iter().map(|point| point.si).collect();
    let mesh = TriangleMesh::new(&revolved(&profile, wall.facets), sides(wall.grains));
    let turn = "give the points of the line in the opposite order";
    let mesh = mesh
        .map_err(|error| diagnostics.error(&place, format_args!("{place}: {error}{}", hint(&error, turn))))
        .ok()?;
    let surface = Some(Surface::Mesh(mesh.into()));
    let made = placed::<D>(name, material, surface, wall.position.as_ref(), wall.orientation)?;
    let surface_motion = surface_motion(&made, wall.surface_velocity.as_ref(), wall.surface_spin.as_ref());
    Some(vec![Wall { surface_motion, ..made }])
}

fn in_space<D: FromScene>(key: &str, keyword: &str, diagnostics: &mut Diagnostics<'_>) -> Option<()> {
    if D::N == 2 {
        let place = format!("{key}.kind");
        diagnostics.error(&place, format_args!("{place} is \"{keyword}\", which is one of space"));
        return None;
    }
    Some(())
}

fn placed<D: FromScene>(
    name: &str,
    material: Option<u16>,
    surface: Option<Surface>,
    position: Option<&Coordinates<Position>>,
    orientation: Option<Orientation>,
) -> Option<Wall<D>> {
    let size = surface.as_ref().map_or(1.0, |surface| surface.mesh().size());
    let mut made = Wall::fixed(name, D::ball(size).ok()?, material?);
    made.surface = surface;
    if let Some(position) = position {
        made.pose.position = position.vector::<D>();
    }
    if let Some(orientation) = orientation {
        made.pose.rotation = D::rotation_from(orientation, &mut RandomStream::new(1));
    }
    Some(made)
}

fn read(key: &str, wall: &MeshWall, scene: &Scene, diagnostics: &mut Diagnostics<'_>) -> Option<Surface> {
    let (place, name) = (format!("{key}.file"), &wall.file);
    let triangles = scene
        .file_path(name)
        .and_then(|path| read_triangles(&path).map_err(|error| scene.message(&path, &error)));
    let mut triangles = triangles
        .map_err(|error| diagnostics.error(&place, format_args!("{place} is \"{name}\": {error}")))
        .ok()?;
    let factor = wall.units.metres() * wall.scale.si;
    triangles.iter_mut().flatten().for_each(|corner| *corner *= factor);
    match TriangleMesh::new(&triangles, sides(wall.grains)) {
        Ok(mesh) => Some(Surface::Mesh(mesh.into())),
        Err(error) => {
            let turn = "turn the faces (normals) over where the file was made (grains = \"inside\" makes a container of it), or \
                        say grains = \"both\"";
            let hint = hint(&error, turn);
            diagnostics.error(&place, format_args!("{place} is \"{name}\": {error}{hint}"));
            None
        }
    }
}

fn sides(spec: MeshSide) -> Sides {
    match spec {
        MeshSide::Outside => Sides::Outside,
        MeshSide::Inside => Sides::Inside,
        MeshSide::Both => Sides::Both,
    }
}

/// How a mesh can be mended; `turn` is how triangles are turned over.
fn hint(error: &MeshError, turn: &str) -> String {
    match error {
        MeshError::Open { .. } => " (grains = \"both\")".to_owned(),
        MeshError::TurnedOver { .. } => format!(": {turn}"),
        _ => String::new(),
    }
}

//! Walls of triangles, from files or turned about an axis.

use std::path::Path;

use gritstone_engine::{MeshError, Sides, Surface, TriangleMesh, Wall, revolved};
use gritstone_io::surfaces::read_triangles;

use super::scenery::{RandomStream, Scenery};
use crate::ledger::Ledger;
use crate::quantity::{Coordinates, Position};
use crate::words::{MeshSide, MeshWall, Orientation, RevolvedWall};

/// Facets around that a surface may have.
const FACETS: std::ops::RangeInclusive<u32> = 3..=10_000;

/// A wall of triangles, if its file can be read and the wall can be made. Without a folder nothing is read: the wall is then
/// a ball that stands for it.
pub(super) fn from_file<D: Scenery>(
    key: &str,
    name: &str,
    wall: &MeshWall,
    material: Option<u16>,
    folder: Option<&Path>,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Wall<D>>> {
    in_space::<D>(key, "mesh", ledger)?;
    let surface = match folder {
        Some(folder) => Some(read(key, wall, folder, ledger)?),
        None => None,
    };
    placed(name, material, surface, wall.position.as_ref(), wall.orientation)
}

/// A wall that is round about an axis.
pub(super) fn turned<D: Scenery>(
    key: &str,
    name: &str,
    wall: &RevolvedWall,
    material: Option<u16>,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Wall<D>>> {
    in_space::<D>(key, "revolved", ledger)?;
    let (place, facets) = (format!("{key}.profile"), format!("{key}.facets"));
    if !FACETS.contains(&wall.facets) {
        let (found, [least, most]) = (wall.facets, [FACETS.start(), FACETS.end()]);
        ledger.wrong(&facets, format_args!("{facets} is {found}, but must be from {least} to {most}"));
        return None;
    }
    if wall.profile.len() < 2 {
        let found = wall.profile.len();
        let points = if found == 1 { "1 point" } else { "no points" };
        ledger
            .wrong(&place, format_args!("{place} has {points}, but must have at least 2, which make a line"));
        return None;
    }
    if let Some(i) = wall.profile.iter().position(|point| point.si[0] < 0.0) {
        let radius = wall.profile[i].si[0];
        let place = format!("{place}[{i}]");
        ledger.wrong(
            &place,
            format_args!("{place} has the radius {radius}, but must have one of zero or more"),
        );
        return None;
    }
    let profile: Vec<[f64; 2]> = wall.profile.iter().map(|point| point.si).collect();
    let mesh = TriangleMesh::new(&revolved(&profile, wall.facets), sides(wall.grains));
    let turn = "give the points of the line in the opposite order";
    let mesh = mesh
        .map_err(|error| ledger.wrong(&place, format_args!("{place}: {error}{}", hint(&error, turn))))
        .ok()?;
    placed(name, material, Some(Surface::Mesh(mesh.into())), wall.position.as_ref(), wall.orientation)
}

fn in_space<D: Scenery>(key: &str, word: &str, ledger: &mut Ledger<'_>) -> Option<()> {
    if D::N == 2 {
        let place = format!("{key}.kind");
        ledger.wrong(&place, format_args!("{place} is \"{word}\", which is one of space"));
        return None;
    }
    Some(())
}

fn placed<D: Scenery>(
    name: &str,
    material: Option<u16>,
    surface: Option<Surface>,
    position: Option<&Coordinates<Position>>,
    orientation: Option<Orientation>,
) -> Option<Vec<Wall<D>>> {
    let size = surface.as_ref().map_or(1.0, |surface| surface.mesh().size());
    let mut made = Wall::fixed(name, D::ball(size).ok()?, material?);
    made.surface = surface;
    if let Some(position) = position {
        made.pose.position = position.vector::<D>();
    }
    if let Some(orientation) = orientation {
        made.pose.rotation = D::oriented(orientation, &mut RandomStream::new(1));
    }
    Some(vec![made])
}

fn read(key: &str, wall: &MeshWall, folder: &Path, ledger: &mut Ledger<'_>) -> Option<Surface> {
    let (place, name) = (format!("{key}.file"), &wall.file);
    let mut triangles = read_triangles(&folder.join(name))
        .map_err(|error| ledger.wrong(&place, format_args!("{place} is \"{name}\": {error}")))
        .ok()?;
    triangles.iter_mut().flatten().for_each(|corner| *corner *= wall.scale.si);
    match TriangleMesh::new(&triangles, sides(wall.grains)) {
        Ok(mesh) => Some(Surface::Mesh(mesh.into())),
        Err(error) => {
            let turn = "turn the faces (normals) over where the file was made (grains = \"inside\" makes a container of it), or \
                        say grains = \"both\"";
            let hint = hint(&error, turn);
            ledger.wrong(&place, format_args!("{place} is \"{name}\": {error}{hint}"));
            None
        }
    }
}

fn sides(words: MeshSide) -> Sides {
    match words {
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

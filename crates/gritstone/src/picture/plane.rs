//! Grains in the plane: flat, with outlines.

use glam::{DVec2, DVec3};
use gritstone_render::flat::{Piece, Polygon, Stroke, Window, paint as lay};
use gritstone_render::{Color, Image};

use super::PictureError;
use super::coloring::Paint;
use super::description::{Description, Form};
use super::frame::{Frame, Grain};
use super::stage::Stage;
use super::walls::{half_spaces, region};

const WALL: u32 = 0xD4D7DC;
const INK: u32 = 0x5A616B;

/// Thickness of outlines, as a fraction of the picture's height.
const RIM: f32 = 0.0016;

/// Most of a grain's radius that its outline takes.
const RIM_SHARE: f64 = 0.18;

/// Thickness of endless walls, as a fraction of the picture's height.
const SLAB: f64 = 0.02;

/// Draws a frame into a picture of a size in pixels.
pub(super) fn draw(
    description: &Description,
    frame: &Frame,
    paint: &Paint,
    stage: &Stage,
    (width, height): (u32, u32),
) -> Result<Image, PictureError> {
    let walls = half_spaces(description, frame);
    let [low, high] = region(stage, &walls).map(DVec3::truncate);
    let bodies = bodies(description, frame);
    let extent = low.distance(high);
    let near = |body: &&Vec<DVec2>| body.iter().all(|p| p.distance(0.5 * (low + high)) < 2.0 * extent);
    let points = || bodies.iter().filter(near).flatten().copied();
    let cell: Vec<[DVec2; 2]> = match &frame.cell {
        Some(cell) => {
            cell.edges(2, stage.bounds()).into_iter().map(|ends| ends.map(DVec3::truncate)).collect()
        }
        None => Vec::new(),
    };
    let (low, high) = (points().fold(low, DVec2::min), points().fold(high, DVec2::max));
    let window = Window::fit(low, high, width, height);
    let thick = SLAB * f64::from(height) / window.scale();
    let rim = (RIM * height as f32).max(1.0);
    let mut pieces = Vec::new();
    for wall in &walls {
        let (normal, foot) = (wall.normal.truncate(), wall.normal.truncate() * wall.offset);
        slab(&mut pieces, normal, foot, [low - thick, high + thick], thick, rim);
    }
    pieces.extend(bodies.into_iter().map(|corners| body(corners, rim)));
    frame.grains.iter().for_each(|grain| shape(&mut pieces, description, grain, paint, rim, window.scale()));
    // Over the grains: those at a side stick out of it.
    let line = |ends| Piece::Stroke(Stroke { ends, width: 1.2 * rim, color: Color::hex(INK) });
    pieces.extend(cell.into_iter().map(line));
    Ok(lay(&pieces, &window)?)
}

/// A grain, with a rim in a darker tone of its colour.
fn shape(
    pieces: &mut Vec<Piece>,
    description: &Description,
    grain: &Grain,
    paint: &Paint,
    rim: f32,
    scale: f64,
) {
    let shape = &description.shapes[grain.shape];
    let fill = paint.color(description, grain);
    for piece in &shape.pieces {
        let place = |p: &DVec3| {
            let in_grain = piece.position + piece.rotation * (piece.scale * *p);
            (grain.position + grain.rotation * in_grain).truncate()
        };
        pieces.push(Piece::Polygon(Polygon {
            corners: description.prototypes[piece.prototype].outline().iter().map(place).collect(),
            fill,
            rim: fill.mix(Color::BLACK, 0.75),
            rim_width: rim.min((RIM_SHARE * shape.radius * scale) as f32),
        }));
    }
}

/// An endless wall: a slab behind a line.
fn slab(pieces: &mut Vec<Piece>, normal: DVec2, foot: DVec2, [low, high]: [DVec2; 2], thick: f64, rim: f32) {
    let Some(normal) = normal.try_normalize() else { return };
    let along = normal.perp();
    let middle = foot + along * along.dot(0.5 * (low + high) - foot);
    // The part of the line within the box.
    let mut ends = [-1e3 * low.distance(high), 1e3 * low.distance(high)];
    for axis in 0..2 {
        if along[axis].abs() > 1e-12 {
            let at = [low, high].map(|corner| (corner[axis] - middle[axis]) / along[axis]);
            ends = [ends[0].max(at[0].min(at[1])), ends[1].min(at[0].max(at[1]))];
        } else if !(low[axis]..=high[axis]).contains(&middle[axis]) {
            return;
        }
    }
    let [from, to] = ends.map(|t| middle + t * along);
    if ends[0] >= ends[1] {
        return;
    }
    let behind = thick * normal;
    // With the free side on the right of the line from `from` to `to`.
    let corners = vec![from - behind, from, to, to - behind];
    let corners = if turns_left(&corners) { corners } else { corners.into_iter().rev().collect() };
    let fill = Color::hex(WALL);
    pieces.push(Piece::Polygon(Polygon { corners, fill, rim: fill, rim_width: 0.0 }));
    pieces.push(Piece::Stroke(Stroke { ends: [from, to], width: 1.2 * rim, color: Color::hex(INK) }));
}

fn turns_left(corners: &[DVec2]) -> bool {
    (corners[1] - corners[0]).perp_dot(corners[2] - corners[1]) > 0.0
}

fn body(corners: Vec<DVec2>, rim: f32) -> Piece {
    match corners[..] {
        [from, to] => Piece::Stroke(Stroke { ends: [from, to], width: 2.0 * rim, color: Color::hex(INK) }),
        _ => {
            Piece::Polygon(Polygon { corners, fill: Color::hex(WALL), rim: Color::hex(INK), rim_width: rim })
        }
    }
}

/// The bounded walls that are there.
fn bodies(description: &Description, frame: &Frame) -> Vec<Vec<DVec2>> {
    let walls = description.walls.iter().zip(&frame.walls).filter(|(_, place)| place.present);
    walls
        .filter_map(|(wall, place)| match &wall.form {
            Form::Body(mesh) if mesh.positions.len() > 1 => Some(
                mesh.positions.iter().map(|p| (place.position + place.rotation * *p).truncate()).collect(),
            ),
            _ => None,
        })
        .collect()
}

//! Grains in space, with shadows, before their walls.

use std::collections::HashMap;

use glam::{DQuat, DVec3};
use gritstone_core::{Mesh, Pose};
use gritstone_render::{Camera, Color, Image, Instance, Lens, MeshId, Role, Scene, Style, render, solid};

use super::PictureError;
use super::coloring::Paint;
use super::description::{Description, Form, WallLook};
use super::edges::sharp_edges;
use super::frame::{Frame, WallPlace};
use super::stage::Stage;
use super::walls::{half_spaces, patch, region};

/// Divisions of an eighth of a grain's girth that are used, from far to near.
const DETAILS: [u32; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 40];

/// How far facets may lie inside the surface, in pixels.
const SAGITTA: f64 = 0.12;

/// Thickness of the edges of walls, as a fraction of the picture's height.
const EDGE: f64 = 0.0011;

/// Edges of a body that are drawn; one with more is not angular but rough.
const MOST_EDGES: usize = 5000;

const FLOOR: u32 = 0xEEF0F3;
const EDGES: u32 = 0x6E7681;
const BODY: u32 = 0xCDD2D9;

/// How much glass holds back.
const GLASS: f32 = 0.08;

/// How much the edges of walls do.
const EDGES_OPACITY: f32 = 0.6;

/// Draws a frame into a picture of a size in pixels.
pub(super) fn draw(
    description: &Description,
    frame: &Frame,
    paint: &Paint,
    stage: &Stage,
    supersampling: u32,
    (width, height): (u32, u32),
) -> Result<Image, PictureError> {
    let walls = half_spaces(description, frame);
    let region = region(stage, &walls);
    let patches: Vec<Vec<DVec3>> = (0..walls.len()).map(|i| patch(&walls, i, region)).collect();
    let bodies = bodies(description, frame);
    let aspect = f64::from(width) / f64::from(height);
    let [low, high] = stage.bounds();
    // What is much larger than the sample would make it small in the picture.
    let shown = |body: &&Body| body.radius < 2.0 * low.distance(high);
    let around = bodies.iter().filter(shown).flat_map(Body::points);
    let cell = frame.cell.map(|cell| cell.edges(3, stage.bounds())).unwrap_or_default();
    let points = stage.corners().into_iter().chain(patches.iter().flatten().copied()).chain(around);
    let camera = Camera::fit_points(points, stage.view, Lens::Orthographic, aspect);
    let scale = pixels_per_metre(&camera, stage, width, height);

    let mut scene = Scene::default();
    add_grains(&mut scene, description, frame, paint, scale)?;
    let thick = EDGE * f64::from(height) / scale;
    for (wall, polygon) in walls.iter().zip(&patches).filter(|(_, polygon)| !polygon.is_empty()) {
        add_patch(&mut scene, polygon, wall.normal, thick)?;
    }
    let to_eye = -stage.view.axes()[2];
    for body in &bodies {
        body.add(&mut scene, stage, to_eye)?;
        let edges = sharp_edges(body.mesh);
        let edges = edges.into_iter().take(MOST_EDGES).map(|ends| ends.map(|end| body.pose.to_world(end)));
        add_edges(&mut scene, edges, thick)?;
    }
    add_edges(&mut scene, cell.into_iter(), thick)?;
    let style = Style { supersampling, ..Style::default() };
    Ok(render(&scene, &camera, &style, width, height)?)
}

fn pixels_per_metre(camera: &Camera, stage: &Stage, width: u32, height: u32) -> f64 {
    let [low, high] = stage.bounds();
    let (middle, step) = (0.5 * (low + high), low.distance(high));
    let up = stage.view.axes()[1];
    let at = |point: DVec3| camera.project(point, width, height).unwrap_or_default();
    at(middle + step * up).distance(at(middle)) / step
}

/// Each grain's surface in as much detail as can be seen.
fn add_grains(
    scene: &mut Scene,
    description: &Description,
    frame: &Frame,
    paint: &Paint,
    scale: f64,
) -> Result<(), PictureError> {
    let mut meshes: HashMap<(usize, u32), MeshId> = HashMap::new();
    for grain in &frame.grains {
        let (shape, color) = (&description.shapes[grain.shape], paint.color(description, grain));
        for piece in &shape.pieces {
            let prototype = &description.prototypes[piece.prototype];
            let detail = if prototype.faceted { 1 } else { detail(shape.radius * scale) };
            let key = (piece.prototype, detail);
            let mesh = match meshes.get(&key) {
                Some(mesh) => *mesh,
                None => {
                    let mesh = scene.add_mesh(&prototype.surface(detail))?;
                    meshes.insert(key, mesh);
                    mesh
                }
            };
            let position = grain.position + grain.rotation * piece.position;
            let pose = Pose::new(position, grain.rotation * piece.rotation);
            scene.add(Instance::new(mesh, pose, color).scaled(piece.scale));
        }
    }
    Ok(())
}

/// Divisions of an eighth of the girth of a grain of some radius in pixels: the sagitta of a chord over the angle 2π/8n is
/// r (π/8n)²/2.
fn detail(radius: f64) -> u32 {
    let needed = std::f64::consts::PI / 8.0 * (radius / (2.0 * SAGITTA)).sqrt();
    DETAILS.into_iter().find(|detail| f64::from(*detail) >= needed).unwrap_or(DETAILS[DETAILS.len() - 1])
}

/// A piece of an endless wall: it is seen from the grains' side only, its edges from everywhere.
fn add_patch(scene: &mut Scene, polygon: &[DVec3], normal: DVec3, thick: f64) -> Result<(), PictureError> {
    let mesh = Mesh {
        positions: polygon.to_vec(),
        normals: vec![normal; polygon.len()],
        triangles: (2..polygon.len() as u32).map(|i| [0, i - 1, i]).collect(),
    };
    let mesh = scene.add_mesh(&mesh)?;
    scene.add(Instance::new(mesh, Pose::at(DVec3::ZERO), Color::hex(FLOOR)).with_role(Role::Backdrop));
    let edges = (0..polygon.len()).map(|i| [polygon[i], polygon[(i + 1) % polygon.len()]]);
    add_edges(scene, edges, thick)
}

/// Thin lines.
fn add_edges(
    scene: &mut Scene,
    edges: impl Iterator<Item = [DVec3; 2]>,
    thick: f64,
) -> Result<(), PictureError> {
    let rod = scene.add_mesh(&solid::cylinder(8))?;
    for [from, to] in edges {
        let Some(direction) = (to - from).try_normalize() else { continue };
        let pose = Pose::new(from, DQuat::from_rotation_arc(DVec3::Z, direction));
        let scale = DVec3::new(thick, thick, from.distance(to));
        scene.add(Instance::new(rod, pose, Color::hex(EDGES)).scaled(scale).with_opacity(EDGES_OPACITY));
    }
    Ok(())
}

/// A wall with a surface, where it is.
struct Body<'c> {
    mesh: &'c Mesh,
    pose: Pose<gritstone_core::Space>,
    radius: f64,
}

/// The bounded walls that are there.
fn bodies<'c>(description: &'c Description, frame: &Frame) -> Vec<Body<'c>> {
    let walls = description.walls.iter().zip(&frame.walls).filter(|(_, place)| place.present);
    let body = |(wall, place): (&'c WallLook, &WallPlace)| match &wall.form {
        Form::Body(mesh) if mesh.positions.len() > 2 && mesh.normals.len() == mesh.positions.len() => {
            let pose = Pose::new(place.position, place.rotation);
            let low = mesh.positions.iter().copied().reduce(DVec3::min)?;
            let high = mesh.positions.iter().copied().reduce(DVec3::max)?;
            Some(Body { mesh, pose, radius: 0.5 * low.distance(high) })
        }
        _ => None,
    };
    walls.filter_map(body).collect()
}

impl Body<'_> {
    fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.mesh.positions.iter().map(|point| self.pose.to_world(*point))
    }

    /// What stands before the grains is glass, the rest is not: of a container its near half, of a small tool nothing.
    fn add(&self, scene: &mut Scene, stage: &Stage, to_eye: DVec3) -> Result<(), PictureError> {
        let [low, high] = stage.bounds();
        let (middle, extent) = (0.5 * (low + high), low.distance(high));
        let large = self.radius > 0.25 * extent;
        let eye = self.pose.rotation.inverse() * to_eye;
        let middle = self.pose.to_body(middle);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for triangle in &self.mesh.triangles {
            let [a, b, c] = triangle.map(|i| self.mesh.positions[i as usize]);
            let across = (b - a).cross(c - a);
            // Whether it turns its back to the grains, and that back to the viewer.
            let outward = across * across.dot((a + b + c) / 3.0 - middle).signum();
            let list = if large && outward.dot(eye) > 0.0 { &mut near } else { &mut far };
            list.push(*triangle);
        }
        for (triangles, opacity) in [(far, 1.0), (near, GLASS)].into_iter().filter(|(t, _)| !t.is_empty()) {
            let mesh = scene.add_mesh(&facing(self.mesh, &triangles, eye))?;
            let body = Instance::new(mesh, self.pose, Color::hex(BODY)).with_opacity(opacity);
            scene.add(body.with_role(if large { Role::Scenery } else { Role::Player }));
        }
        Ok(())
    }
}

/// Some triangles of a mesh, turned so that all of them face the viewer.
fn facing(mesh: &Mesh, triangles: &[[u32; 3]], eye: DVec3) -> Mesh {
    let mut turned = Mesh::default();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
        let sign = if (b - a).cross(c - a).dot(eye) < 0.0 { -1.0 } else { 1.0 };
        let first = turned.positions.len() as u32;
        turned.positions.extend([a, b, c]);
        turned.normals.extend(triangle.map(|i| sign * mesh.normals[i as usize]));
        turned.triangles.push(if sign > 0.0 {
            [first, first + 1, first + 2]
        } else {
            [first, first + 2, first + 1]
        });
    }
    turned
}

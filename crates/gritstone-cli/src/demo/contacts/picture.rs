//! Some of the pairs on one sheet, with contact points and normals.

use gritstone::core::{Contact, Space};
use gritstone::glam::DVec3;
use gritstone::io::json_lines::Grain;
use gritstone::render::{
    Arrow, Background, Camera, Color, Image, Instance, Lens, Line, Marker, Panel, Scene, Sheet, Style, View,
};
use gritstone::shape::Support;

use super::Solved;
use crate::failure::Failure;

/// Which pairs are drawn: those that look the most different.
const DRAWN: [&str; 8] = [
    "two bricks, face on face",
    "brick on its corner",
    "octahedron pricks a brick",
    "two crossed cylinders",
    "double cone and cushion",
    "needle and disc",
    "pebble and boulder",
    "deep in each other",
];

const GRAIN_A: u32 = 0x4477AA;
const GRAIN_B: u32 = 0xCC8844;
const POINT: u32 = 0xFFFFFF;
const NORMAL: u32 = 0xC02030;

/// Divisions of an eighth of a girth: no facet is seen at this size.
const DETAIL: u32 = 40;

/// Draws the sheet.
pub(super) fn draw(solved: &[Solved]) -> Result<Image, Failure> {
    let mut sheet = Sheet::new(4, 480, 420);
    sheet.style = Style {
        background: Background::Gradient { top: Color::hex(0xFFFFFF), bottom: Color::hex(0xECEFF3) },
        ..Style::default()
    };
    let chosen = DRAWN.iter().filter_map(|name| solved.iter().find(|solved| solved.name == *name));
    for Solved { name, pair, answer } in chosen {
        let Some(contact) = answer.contact() else { continue };
        let scene = scene(&pair.a, &pair.b, contact)?;
        let camera =
            Camera::fit(&scene, view(contact.normal), Lens::Perspective { angle_deg: 24.0 }, sheet.aspect());
        let caption = vec![name.clone(), format!("distance {:+.6}", contact.gap)];
        sheet.panels.push(Panel { scene, camera, caption });
    }
    Ok(sheet.render()?)
}

/// Both grains, translucent where the contact would be hidden, with the points and the normal.
fn scene(a: &Grain, b: &Grain, contact: &Contact<Space>) -> Result<Scene, Failure> {
    let size = a.shape.size().max(b.shape.size());
    let mut scene = Scene::default();
    for (grain, color, opacity) in [(a, GRAIN_A, 0.8), (b, GRAIN_B, 0.6)] {
        let Some(surface) = grain.shape.surface() else { continue };
        let mesh = scene.add_mesh(&surface.tessellate(DETAIL))?;
        scene.add(Instance::new(mesh, grain.pose, Color::hex(color)).with_opacity(opacity));
    }
    for center in [contact.point_a, contact.point_b] {
        scene.add_marker(Marker { center, radius: 0.035 * size, color: Color::hex(POINT) });
    }
    let middle = contact.midpoint();
    let reach = 0.75 * size * contact.normal;
    let color = Color::hex(NORMAL);
    scene.add_arrow(Arrow { from: middle, to: middle + reach, radius: 0.018 * size, color });
    scene.add_line(Line { from: contact.point_a, to: contact.point_b, radius: 0.018 * size, color });
    Ok(scene)
}

/// Across the normal, so that it is seen in full length, and a little from above.
fn view(normal: DVec3) -> View {
    let wanted = DVec3::new(1.0, -1.6, 0.9).normalize();
    View::From((wanted - 0.7 * wanted.dot(normal) * normal).normalize_or(wanted))
}

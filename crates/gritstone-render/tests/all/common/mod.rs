//! What the tests share: plain light, so that colours can be foretold.
#![allow(dead_code, reason = "each test file uses its own part of this")]

use glam::{DVec2, DVec3};
use gritstone_core::{Mesh, Pose};
use gritstone_render::{Background, Camera, Color, Image, Instance, Lamp, Scene, Style};

/// No light but what is set.
pub(crate) fn dark() -> Style {
    let off = Lamp { direction: DVec3::Z, color: Color::BLACK };
    Style {
        background: Background::Plain(Color::WHITE),
        supersampling: 1,
        key: off,
        fill: off,
        sky: Color::BLACK,
        ground: Color::BLACK,
        gloss: 0.0,
        shadow: 0.0,
        softness: 0.0,
        occlusion: 0.0,
        clarity: 0.0,
    }
}

/// The same light from everywhere: things show their own colour.
pub(crate) fn even() -> Style {
    Style { sky: Color::WHITE, ground: Color::WHITE, ..dark() }
}

/// Adds a mesh where it is, in one colour.
pub(crate) fn put(scene: &mut Scene, mesh: &Mesh, at: DVec3, color: Color) {
    let mesh = scene.add_mesh(mesh).expect("a good mesh");
    scene.add(Instance::new(mesh, Pose::at(at), color));
}

/// A square facing +z, between −half and half.
pub(crate) fn square(half: f64) -> Mesh {
    let corner = |x: f64, y: f64| DVec3::new(half * x, half * y, 0.0);
    Mesh {
        positions: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        normals: vec![DVec3::Z; 4],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

pub(crate) fn rgb(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let [r, g, b, a] = image.get(x, y).expect("a pixel of the picture");
    assert_eq!(a, 255);
    [r, g, b]
}

/// Linear light of a grey pixel.
pub(crate) fn light(image: &Image, x: u32, y: u32) -> f64 {
    f64::from(Color::from_srgb8(rgb(image, x, y)).g)
}

/// Where a point is seen.
pub(crate) fn seen(camera: &Camera, image: &Image, point: DVec3) -> DVec2 {
    camera.project(point, image.width(), image.height()).expect("a point before the camera")
}

/// The pixel in which a point is seen.
pub(crate) fn light_at(camera: &Camera, image: &Image, point: DVec3) -> f64 {
    let at = seen(camera, image, point);
    light(image, at.x as u32, at.y as u32)
}

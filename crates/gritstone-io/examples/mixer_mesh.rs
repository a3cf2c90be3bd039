//! Writes `mixer.stl`, a shaft with paddles about the z axis, in metres: that of `scenes/mixer.toml`.
//!
//! cargo run --example mixer_mesh -- scenes/data/mixer.stl
//!
//! The shaft is 16 mm across; six paddles stand out from it at two heights, each a board of 20 mm × 4 mm that is turned by 45°
//! about its length. Paddles pass the floor and the wall of the vessel so close that nothing is caught between. Shaft and paddles
//! are bodies of their own, which reach into each other where no grain comes. Triangles run counter-clockwise seen from outside.

mod common;

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

/// Sides of the shaft, its radius and its ends.
const SIDES: u32 = 12;
const RADIUS: f64 = 0.008;
const ENDS: [f64; 2] = [0.004, 0.13];
/// Paddles at each height.
const PADDLES: u32 = 3;
const HEIGHTS: [f64; 2] = [0.012, 0.042];
/// From where to where a paddle reaches from the axis, half its width and half its thickness.
const REACH: [f64; 2] = [0.003, 0.047];
const WIDTH: f64 = 0.01;
const THICKNESS: f64 = 0.002;

/// The surface of a prism: corners of its base, counter-clockwise seen from above, and of its top.
fn prism(base: &[DVec3], top: &[DVec3]) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for i in 0..base.len() {
        let k = (i + 1) % base.len();
        triangles.extend([[base[i], base[k], top[k]], [base[i], top[k], top[i]]]);
        if i > 0 && k > 0 {
            triangles.extend([[base[0], base[k], base[i]], [top[0], top[i], top[k]]]);
        }
    }
    triangles
}

fn paddle(angle: f64, height: f64) -> Vec<[DVec3; 3]> {
    let turn = DQuat::from_rotation_z(angle) * DQuat::from_rotation_x(0.125 * TAU);
    let at = |x: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(y, z)| turn * DVec3::new(x, y * THICKNESS, z * WIDTH) + DVec3::Z * height)
    };
    prism(&at(REACH[0]), &at(REACH[1]))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "mixer.stl".to_owned());
    let around = |z: f64| -> Vec<DVec3> {
        let corner = |i: u32| {
            let (sine, cosine) = (TAU * f64::from(i) / f64::from(SIDES)).sin_cos();
            DVec3::new(RADIUS * cosine, RADIUS * sine, z)
        };
        (0..SIDES).map(corner).collect()
    };
    let mut triangles = prism(&around(ENDS[0]), &around(ENDS[1]));
    for (level, height) in HEIGHTS.into_iter().enumerate() {
        for i in 0..PADDLES {
            let part = f64::from(i) + 0.5 * level as f64;
            triangles.extend(paddle(TAU * part / f64::from(PADDLES), height));
        }
    }
    common::write_stl(&path, "shaft with paddles, in metres", &triangles)?;
    Ok(())
}

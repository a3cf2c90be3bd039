//! Writes `drum.stl`, the surface of a drum with lifters about the y axis, in metres: that of `scenes/drum.toml`.
//!
//! cargo run --example drum_mesh -- scenes/data/drum.stl
//!
//! The drum is 20 cm across and 6 cm long; six lifters, 15 mm high and 8 mm wide, stand on its inside. Triangles run
//! counter-clockwise seen from outside: the scene has its grains inside.

mod common;

use std::f64::consts::TAU;

use glam::DVec3;

const RADIUS: f64 = 0.1;
const LENGTH: f64 = 0.06;
const LIFTERS: u32 = 6;
const HEIGHT: f64 = 0.015;
const WIDTH: f64 = 0.008;
/// Facets between two lifters.
const FACETS: u32 = 8;

/// The outline across the axis, counter-clockwise: angle and radius of every corner.
fn outline() -> Vec<(f64, f64)> {
    let half = (0.5 * WIDTH / RADIUS).asin();
    let top = RADIUS - HEIGHT;
    let sector = TAU / f64::from(LIFTERS);
    let mut corners = Vec::new();
    for lifter in 0..LIFTERS {
        let angle = sector * f64::from(lifter);
        // The sides of a lifter are parallel: its top seems wider from the axis.
        let half_top = (0.5 * WIDTH / top).asin();
        corners.extend([(angle - half, RADIUS), (angle - half_top, top), (angle + half_top, top)]);
        let free = sector - 2.0 * half;
        let steps = (0..FACETS).map(|i| angle + half + free * f64::from(i) / f64::from(FACETS));
        corners.extend(steps.map(|angle| (angle, RADIUS)));
    }
    corners
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "drum.stl".to_owned());
    let corners = outline();
    // Counter-clockwise about y: from z to x.
    let at = |(angle, radius): (f64, f64), y: f64| DVec3::new(radius * angle.sin(), y, radius * angle.cos());
    let mut triangles = Vec::new();
    for (i, &corner) in corners.iter().enumerate() {
        let next = corners[(i + 1) % corners.len()];
        let [a, b, c, d] = [at(corner, 0.0), at(next, 0.0), at(next, LENGTH), at(corner, LENGTH)];
        triangles.extend([[a, b, c], [a, c, d]]);
        triangles.extend([[DVec3::ZERO, b, a], [DVec3::Y * LENGTH, d, c]]);
    }
    common::write_stl(&path, "drum with lifters, in metres", &triangles)?;
    Ok(())
}

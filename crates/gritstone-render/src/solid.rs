//! Simple solids as meshes: markers, arrows, boxes.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};
use gritstone_core::Mesh;

/// The unit sphere with `segments` meridians and half as many bands; at least three and two.
pub fn sphere(segments: u32) -> Mesh {
    let bands = (segments / 2).max(2);
    let profile: Vec<Station> = (0..=bands)
        .map(|band| {
            let (sin, cos) = (PI * (f64::from(band) / f64::from(bands) - 0.5)).sin_cos();
            Station { point: DVec2::new(cos, sin), normal: DVec2::new(cos, sin) }
        })
        .collect();
    let mut mesh = Mesh::default();
    revolve(&mut mesh, &profile, segments);
    mesh
}

/// The cylinder of radius one along z from 0 to 1, closed at both ends; at least three segments.
pub fn cylinder(segments: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let side = [[1.0, 0.0], [1.0, 1.0]];
    let bottom = [[0.0, 0.0], [1.0, 0.0]];
    let top = [[1.0, 1.0], [0.0, 1.0]];
    for band in [bottom, side, top] {
        revolve(&mut mesh, &straight(band), segments);
    }
    mesh
}

/// The cone with a base of radius one at z = 0 and its tip at z = 1, closed; at least three segments.
pub fn cone(segments: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for band in [[[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]] {
        revolve(&mut mesh, &straight(band), segments);
    }
    mesh
}

/// The box between `−half` and `half`.
pub fn cuboid(half: DVec3) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let normal = sign * DVec3::AXES[axis];
            let (u, v) = (DVec3::AXES[(axis + 1) % 3], sign * DVec3::AXES[(axis + 2) % 3]);
            let first = mesh.positions.len() as u32;
            for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                mesh.positions.push(half * (normal + s * u + t * v));
                mesh.normals.push(normal);
            }
            mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
    }
    mesh
}

/// One point of a profile: distance from the axis and height, with the normal in that half-plane.
struct Station {
    point: DVec2,
    normal: DVec2,
}

fn straight([from, to]: [[f64; 2]; 2]) -> [Station; 2] {
    let (from, to) = (DVec2::from(from), DVec2::from(to));
    let normal = -(to - from).perp().normalize();
    [Station { point: from, normal }, Station { point: to, normal }]
}

/// Turns a profile that rises counter-clockwise (outside on its right) about the z axis.
fn revolve(mesh: &mut Mesh, profile: &[Station], segments: u32) {
    let segments = segments.max(3);
    let first = mesh.positions.len() as u32;
    for station in profile {
        for segment in 0..=segments {
            let (sin, cos) = (TAU * f64::from(segment) / f64::from(segments)).sin_cos();
            let around = |v: DVec2| DVec3::new(v.x * cos, v.x * sin, v.y);
            mesh.positions.push(around(station.point));
            mesh.normals.push(around(station.normal));
        }
    }
    for band in 1..profile.len() as u32 {
        for segment in 0..segments {
            let low = first + (band - 1) * (segments + 1) + segment;
            let high = low + segments + 1;
            mesh.triangles.extend([[low, low + 1, high + 1], [low, high + 1, high]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and area of the triangles, by the divergence theorem: positive only if they face outwards.
    fn volume_and_area(mesh: &Mesh) -> (f64, f64) {
        mesh.triangles.iter().fold((0.0, 0.0), |(volume, area), triangle| {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
            (volume + a.dot(b.cross(c)) / 6.0, area + (b - a).cross(c - a).length() / 2.0)
        })
    }

    fn check(mesh: &Mesh, volume: f64, area: f64, tolerance: f64) {
        let (v, a) = volume_and_area(mesh);
        assert!((v / volume - 1.0).abs() < tolerance, "{v} instead of {volume}");
        assert!((a / area - 1.0).abs() < tolerance, "{a} instead of {area}");
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| mesh.positions[i as usize]);
            let facet = (b - a).cross(c - a);
            for i in triangle {
                let normal = mesh.normals[*i as usize];
                assert!((normal.length() - 1.0).abs() < 1e-12);
                assert!(normal.dot(facet) >= 0.0);
            }
        }
    }

    #[test]
    fn solids_have_their_volume_and_area() {
        check(&sphere(256), 4.0 * PI / 3.0, 4.0 * PI, 1e-3);
        check(&cylinder(256), PI, 4.0 * PI, 1e-3);
        check(&cone(256), PI / 3.0, PI * (1.0 + 2f64.sqrt()), 1e-3);
        check(&cuboid(DVec3::new(1.0, 2.0, 3.0)), 48.0, 88.0, 1e-12);
    }
}

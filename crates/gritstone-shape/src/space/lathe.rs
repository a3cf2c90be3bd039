//! Surfaces of revolution as triangles.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use gritstone_core::Mesh;

/// Finest detail: 8000 divisions around.
pub(super) const FINEST: u32 = 1000;

/// A circle about the z axis, or a pole of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) radius: f64,
    pub(super) height: f64,
    /// Outward unit normal: across the axis, and along it.
    pub(super) normal: DVec2,
}

/// Turns chains of rings, each from below to above as seen from outside, about the z axis. Chains do not share vertices:
/// there is an edge between them.
pub(super) fn turn(chains: &[&[Ring]], detail: u32) -> Mesh {
    let around = 8 * detail.clamp(1, FINEST);
    let mut mesh = Mesh::default();
    for chain in chains {
        let mut below: Option<(u32, u32)> = None;
        for ring in *chain {
            let here = add_ring(&mut mesh, ring, around);
            if let Some(below) = below {
                join(&mut mesh, below, here, around);
            }
            below = Some(here);
        }
    }
    mesh
}

/// Adds the vertices of a ring; returns the first of them and how many there are.
fn add_ring(mesh: &mut Mesh, ring: &Ring, around: u32) -> (u32, u32) {
    let (first, count) = (mesh.positions.len() as u32, if ring.radius == 0.0 { 1 } else { around });
    for i in 0..count {
        let along = direction(i, around);
        mesh.positions.push((along * ring.radius).extend(ring.height));
        let normal =
            if count == 1 { DVec3::Z * ring.normal.y } else { (along * ring.normal.x).extend(ring.normal.y) };
        mesh.normals.push(normal);
    }
    (first, count)
}

/// The direction of vertex `i`, exact on the axes.
fn direction(i: u32, around: u32) -> DVec2 {
    match 4 * i / around {
        quarter if 4 * i == quarter * around => {
            [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y][quarter as usize]
        }
        _ => gritstone_core::angle::direction(TAU * f64::from(i) / f64::from(around)),
    }
}

/// Joins two rings, of which one may be a pole.
fn join(mesh: &mut Mesh, (low, low_count): (u32, u32), (high, high_count): (u32, u32), around: u32) {
    for i in 0..around {
        let j = (i + 1) % around;
        let ([a, b], [d, c]) = ([i, j].map(|k| low + k % low_count), [i, j].map(|k| high + k % high_count));
        if a != b {
            mesh.triangles.push([a, b, c]);
        }
        if c != d {
            mesh.triangles.push([a, c, d]);
        }
    }
}

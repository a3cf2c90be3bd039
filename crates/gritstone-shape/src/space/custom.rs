//! Surfaces of shapes from other crates: support points of an even set of directions.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::DVec3;
use gritstone_core::{Mesh, Space};

use crate::{Support, Tessellate};

/// A shape from another crate.
pub type Custom = crate::Custom<Space>;

/// Finest detail: 32 million vertices.
const FINEST: u32 = 1000;

impl Tessellate for Custom {
    fn tessellate(&self, detail: u32) -> Mesh {
        let n = detail.clamp(1, FINEST);
        let (around, up) = (8 * n, 4 * n);
        let step = FRAC_PI_4 / f64::from(n);
        let mut mesh = Mesh::default();
        for i in 0..=up {
            let (z, r) = libm::sincos(f64::from(i) * step - FRAC_PI_2);
            for j in 0..around {
                let (y, x) = libm::sincos(f64::from(j) * step);
                let normal = DVec3::new(r * x, r * y, z).normalize();
                mesh.positions.push(self.support(normal));
                mesh.normals.push(normal);
            }
        }
        for i in 0..up {
            for j in 0..around {
                let [a, b] = [i * around + j, i * around + (j + 1) % around];
                let [c, d] = [a + around, b + around];
                // At the poles, one of the two has no area.
                if i > 0 {
                    mesh.triangles.push([a, b, d]);
                }
                if i + 1 < up {
                    mesh.triangles.push([a, d, c]);
                }
            }
        }
        mesh
    }
}

//! Tessellation of superellipsoids, and of ellipsoids and spheres as such.
//!
//! **Idea.** The lattice points on the surface of a cube with edge 2n are taken to the shape: the square rings around
//! the cube's z axis become copies of the x–y section, their order becomes the way up the side. So the lattice's lines
//! and diagonals follow every bend of the shape: the coordinate planes where ε > 1, the corners of the section and
//! the rim of its faces where ε < 1. There are no poles where triangles crowd.
//!
//! **Notation.** For the lattice point (i, j, k), `m = max(|i|, |j|)` is its ring; the section is divided into 8m parts,
//! the side from equator to pole into 2n, both by [`Profile`].
//!
//! **Cost.** `48 n²` triangles.

use std::collections::HashMap;

use glam::DVec3;
use gritstone_core::Mesh;

use super::{Ellipsoid, Sphere, Superellipsoid};
use crate::profile::{Profile, TURN_SHARE};
use crate::{Implicit, Tessellate};

/// Finest detail: 48 million triangles.
const FINEST: u32 = 1000;

impl Tessellate for Sphere {
    fn tessellate(&self, detail: u32) -> Mesh {
        let grid = Grid::new(DVec3::splat(self.radius()), [1.0, 1.0], detail);
        grid.mesh(|x| (x, self.normal(x)))
    }
}

impl Tessellate for Ellipsoid {
    fn tessellate(&self, detail: u32) -> Mesh {
        Grid::new(self.radii(), [1.0, 1.0], detail).mesh(|x| (x, self.normal(x)))
    }
}

impl Tessellate for Superellipsoid {
    fn tessellate(&self, detail: u32) -> Mesh {
        Grid::new(self.radii(), self.exponents(), detail).mesh(|x| (x, self.normal(x)))
    }
}

/// Where the lattice points of the cube go.
pub(super) struct Grid {
    radii: DVec3,
    /// Half the edge of the cube.
    n: i32,
    /// The quarter of ring m in 2m parts: `[x1/r1, x2/r2]` on the section.
    rings: Vec<Vec<[f64; 2]>>,
    /// From the equator to the pole in 2n parts: scale of the section, and x3/r3.
    heights: Vec<[f64; 2]>,
}

impl Grid {
    pub(super) fn new(radii: DVec3, [e1, e2]: [f64; 2], detail: u32) -> Self {
        let n = detail.clamp(1, FINEST);
        let divide = |profile: Profile, parts: u32| -> Vec<[f64; 2]> {
            (0..=parts).map(|i| profile.at(f64::from(i) / f64::from(parts.max(1)))).collect()
        };
        let side = Profile::new((radii.x * radii.y).sqrt(), radii.z, e2, TURN_SHARE);
        let heights = divide(side, 2 * n);
        // Where the top is flat the corners of the section do not show: towards its middle rings are divided evenly.
        let height = |m: u32| heights[(2 * n - m) as usize];
        let bent =
            |m| (side.lean(height(m)) / side.lean(height(n))).max(height(m)[0] / height(n)[0]).min(1.0);
        let ring = |m| Profile::new(radii.x, radii.y, e1, TURN_SHARE * bent(m));
        let rings = (0..=n).map(|m| divide(ring(m), 2 * m)).collect();
        Self { radii, n: n as i32, rings, heights }
    }

    /// The surface point of a lattice point.
    fn position(&self, [i, j, k]: [i32; 3]) -> DVec3 {
        let [p, q, height] = [i, j, k].map(i32::abs);
        let m = p.max(q);
        let [x, y] = self.rings[m as usize][if p >= q { q } else { 2 * m - p } as usize];
        let [scale, z] = self.heights[(height + self.n - m) as usize];
        let sign = DVec3::from_array([i, j, k].map(|c| f64::from(c.signum())));
        self.radii * sign * DVec3::new(scale * x, scale * y, z)
    }

    /// The surface, once `place` has moved each point and said what the normal there is.
    pub(super) fn mesh(&self, place: impl Fn(DVec3) -> (DVec3, DVec3)) -> Mesh {
        let mut mesh = Mesh::default();
        let mut known: HashMap<[i32; 3], u32> = HashMap::new();
        for quad in self.quads() {
            let [a, b, c, d] = quad.map(|lattice| {
                *known.entry(lattice).or_insert_with(|| {
                    let (x, normal) = place(self.position(lattice));
                    mesh.positions.push(x);
                    mesh.normals.push(normal);
                    mesh.positions.len() as u32 - 1
                })
            });
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
        mesh
    }

    /// The squares of the cube's six faces, counter-clockwise from outside; the diagonal from the first to the third
    /// corner points to the middle of the face.
    fn quads(&self) -> impl Iterator<Item = [[i32; 3]; 4]> {
        let n = self.n;
        let faces = (0..6).map(|face| (face % 3, face < 3));
        faces.flat_map(move |(axis, outward)| {
            let lattice = move |u: i32, v: i32| {
                let mut point = [0; 3];
                let (u, v) = if outward { (u, v) } else { (v, u) };
                point[axis] = if outward { n } else { -n };
                (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (u, v);
                point
            };
            (-n..n).flat_map(move |u| {
                (-n..n).map(move |v| {
                    let [a, b, c, d] =
                        [(u, v), (u + 1, v), (u + 1, v + 1), (u, v + 1)].map(|(u, v)| lattice(u, v));
                    if (u >= 0) == (v >= 0) { [a, b, c, d] } else { [b, c, d, a] }
                })
            })
        })
    }
}

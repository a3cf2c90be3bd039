//! Meshes in parts of a few hundred triangles that lie close together, so that a tile of the screen looks
//! only at those parts of a large grain that it may see.

use glam::{DVec3, Vec3};
use gritstone_core::Mesh;

use crate::Error;

/// Most triangles of a part. Grains of a bed have no more and are one part each.
const MOST_TRIANGLES: usize = 256;

/// A piece of a mesh with its bounding sphere.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub positions: Vec<DVec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Triangles of the mesh that come before those of this part.
    pub first: u32,
    pub center: DVec3,
    pub radius: f64,
}

/// A mesh that has been checked and cut up.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub parts: Vec<Part>,
}

impl Solid {
    pub(crate) fn new(mesh: &Mesh) -> Result<Self, Error> {
        let vertices = mesh.positions.len();
        if mesh.normals.len() != vertices {
            return Err(Error::Mesh("it must have one normal for each vertex"));
        }
        if mesh.triangles.as_flattened().iter().any(|index| *index as usize >= vertices) {
            return Err(Error::Mesh("a triangle refers to a vertex that does not exist"));
        }
        if !mesh.positions.iter().chain(&mesh.normals).all(|v| v.is_finite()) {
            return Err(Error::NotFinite("a vertex or normal of a mesh"));
        }
        Ok(Self::trusted(mesh))
    }

    /// For meshes that are known to fit together.
    pub(crate) fn trusted(mesh: &Mesh) -> Self {
        let mut triangles = mesh.triangles.clone();
        let mut parts = Vec::new();
        cut(mesh, &mut triangles, &mut parts);
        Self { parts }
    }
}

/// Halves the triangles along their longest extent until they are few enough.
fn cut(mesh: &Mesh, triangles: &mut [[u32; 3]], parts: &mut Vec<Part>) {
    if triangles.len() <= MOST_TRIANGLES {
        let first = parts.last().map_or(0, |part| part.first + part.triangles.len() as u32);
        parts.push(Part::new(mesh, triangles, first));
        return;
    }
    let middle = |t: &[u32; 3]| t.iter().map(|i| mesh.positions[*i as usize]).sum::<DVec3>();
    let low = triangles.iter().map(middle).fold(DVec3::INFINITY, DVec3::min);
    let high = triangles.iter().map(middle).fold(DVec3::NEG_INFINITY, DVec3::max);
    let axis = (high - low).max_position();
    let half = triangles.len() / 2;
    triangles.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
    let (lower, upper) = triangles.split_at_mut(half);
    cut(mesh, lower, parts);
    cut(mesh, upper, parts);
}

impl Part {
    fn new(mesh: &Mesh, triangles: &[[u32; 3]], first: u32) -> Self {
        let mut used: Vec<u32> = triangles.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        let positions: Vec<DVec3> = used.iter().map(|i| mesh.positions[*i as usize]).collect();
        let low = positions.iter().copied().reduce(DVec3::min).unwrap_or_default();
        let high = positions.iter().copied().reduce(DVec3::max).unwrap_or_default();
        let center = 0.5 * (low + high);
        Self {
            normals: used.iter().map(|i| mesh.normals[*i as usize].as_vec3()).collect(),
            triangles: triangles.iter().map(|t| t.map(|i| used.partition_point(|u| *u < i) as u32)).collect(),
            first,
            center,
            radius: positions.iter().map(|p| p.distance(center)).fold(0.0, f64::max),
            positions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid;

    #[test]
    fn parts_hold_all_triangles_once_and_lie_in_their_spheres() {
        let mesh = solid::sphere(100);
        let solid = Solid::trusted(&mesh);
        let corners = |p: &[DVec3], t: &[u32; 3]| t.map(|i| p[i as usize].to_array().map(f64::to_bits));
        let mut all: Vec<_> = mesh.triangles.iter().map(|t| corners(&mesh.positions, t)).collect();
        let mut cut: Vec<_> =
            solid.parts.iter().flat_map(|p| p.triangles.iter().map(|t| corners(&p.positions, t))).collect();
        all.sort_unstable();
        cut.sort_unstable();
        assert_eq!(all, cut);
        assert!(solid.parts.len() > 20);
        let typical = solid.parts.iter().map(|part| part.radius).sum::<f64>() / solid.parts.len() as f64;
        assert!(typical < 0.4, "parts of a unit sphere have radius {typical}");
    }

    #[test]
    fn meshes_that_do_not_fit_together_are_refused() {
        let good = solid::cuboid(DVec3::ONE);
        let mut bad = good.clone();
        bad.normals.pop();
        assert!(matches!(Solid::new(&bad), Err(Error::Mesh(_))));
        let mut bad = good.clone();
        bad.triangles.push([0, 1, 99]);
        assert!(matches!(Solid::new(&bad), Err(Error::Mesh(_))));
        let mut bad = good;
        bad.positions[0].x = f64::NAN;
        assert!(matches!(Solid::new(&bad), Err(Error::NotFinite(_))));
    }
}

//! Writing triangle meshes.

use std::io::Write as _;

use glam::DVec3;

/// Writes triangles as a binary STL file.
pub(crate) fn write_stl(path: &str, title: &str, triangles: &[[DVec3; 3]]) -> std::io::Result<()> {
    let mut bytes = title.as_bytes().to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for &[a, b, c] in triangles {
        let normal = (b - a).cross(c - a).normalize();
        let numbers = [normal, a, b, c].into_iter().flat_map(|v| v.to_array());
        bytes.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    std::fs::File::create(path)?.write_all(&bytes)
}

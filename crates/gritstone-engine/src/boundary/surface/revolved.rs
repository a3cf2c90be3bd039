//! Containers that are round about an axis, as flat facets: cylinders, cones, hoppers, drums.

use std::f64::consts::TAU;

use glam::DVec3;

/// The triangles of a line of points `[radius, height]` turned about z, in so many flat facets around. Points lie on the
/// circle; between them a facet is nearer to the axis by radius · (1 − cos(π / facets)). The outside is on the right of the
/// line as one goes along it with the axis on the left: away from the axis where it leads upwards.
pub fn revolved(profile: &[[f64; 2]], facets: u32) -> Vec<[DVec3; 3]> {
    let corner = |[radius, height]: [f64; 2], k: u32| {
        let (sine, cosine) = libm::sincos(TAU * f64::from(k % facets) / f64::from(facets));
        DVec3::new(radius * cosine, radius * sine, height)
    };
    let mut triangles = Vec::new();
    for (from, to) in profile.iter().zip(profile.iter().skip(1)) {
        for k in 0..facets {
            let [a, b] = [k, k + 1].map(|k| corner(*from, k));
            let [c, d] = [k + 1, k].map(|k| corner(*to, k));
            if from[0] > 0.0 {
                triangles.push([a, b, c]);
            }
            if to[0] > 0.0 {
                triangles.push([a, c, d]);
            }
        }
    }
    triangles
}

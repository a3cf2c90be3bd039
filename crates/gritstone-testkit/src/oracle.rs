//! Distances by one-dimensional root finding.

use glam::DVec3;

/// Distance of a point outside the ellipsoid `Σ (x_i/r_i)² = 1` from it.
///
/// The foot of the perpendicular is `x_i = r_i² y_i / (t + r_i²)` for the point y, where t ≥ 0 solves
/// `Σ (r_i y_i / (t + r_i²))² = 1` (Eberly 2013); the left side falls with t, so bisection finds it.
pub fn distance_to_ellipsoid(radii: DVec3, point: DVec3) -> f64 {
    let squares = radii * radii;
    let excess = |t: f64| (radii * point / (squares + t)).length_squared() - 1.0;
    let (mut low, mut high) = (0.0, radii.max_element() * point.length());
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let foot = squares * point / (squares + low);
    point.distance(foot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_axes_and_for_spheres_the_distance_is_plain() {
        let radii = DVec3::new(1.0, 2.0, 3.0);
        for axis in 0..3 {
            let point = DVec3::AXES[axis] * 4.5;
            assert!((distance_to_ellipsoid(radii, point) - (4.5 - radii[axis])).abs() < 1e-14);
        }
        let point = DVec3::new(1.0, -2.0, 2.0);
        assert!((distance_to_ellipsoid(DVec3::splat(0.5), point) - 2.5).abs() < 1e-14);
    }
}

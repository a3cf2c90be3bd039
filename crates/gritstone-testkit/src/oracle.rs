//! Distances by one-dimensional root finding.

use gritstone_core::Vector;

/// Distance of a point outside the ellipsoid, or ellipse, `Σ (x_i/r_i)² = 1` from it.
///
/// The foot of the perpendicular is `x_i = r_i² y_i / (t + r_i²)` for the point y, where t ≥ 0 solves
/// `Σ (r_i y_i / (t + r_i²))² = 1` (Eberly 2013); the left side falls with t, so bisection finds it.
pub fn distance_to_ellipsoid<V: Vector>(radii: V, point: V) -> f64 {
    let at = |t: f64| {
        V::from_fn(|i| {
            let (r, y) = (radii.component(i), point.component(i));
            r * y / (r * r + t)
        })
    };
    let (mut low, mut high) = (0.0, radii.length() * point.length());
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if at(middle).length() > 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let foot = V::from_fn(|i| radii.component(i) * at(low).component(i));
    (point - foot).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

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

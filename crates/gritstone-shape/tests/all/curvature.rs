//! Principal radii of curvature against closed forms and against the curvature of level surfaces.

use crate::common::{any_direction, any_superellipsoid, oblique_direction, superellipsoid};
use glam::{DMat4, DVec3};
use gritstone_core::Space;
use gritstone_shape::space::{Ellipsoid, PrincipalRadii, Sphere, Superellipsoid};
use gritstone_shape::{Implicit, Support};
use proptest::prelude::*;

/// Gaussian curvature and twice the mean curvature of the level surface of F through x, from ∇F = g and ∇²F = H:
/// `K = −det [H g; gᵀ 0] / |g|⁴`, `κ1 + κ2 = (|g|² tr H − gᵀ H g) / |g|³` (Goldman 2005).
fn level_surface(s: &impl Implicit<Space>, x: DVec3) -> (f64, f64) {
    let (g, h) = (s.gradient(x), s.curvature(x));
    let m = h.full();
    let bordered =
        DMat4::from_cols(m.x_axis.extend(g.x), m.y_axis.extend(g.y), m.z_axis.extend(g.z), g.extend(0.0));
    let slope = g.length();
    (-bordered.determinant() / slope.powi(4), (slope * slope * h.trace() - g.dot(h * g)) / slope.powi(3))
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

/// Product and sum of the principal curvatures.
fn product_and_sum(p: &PrincipalRadii) -> (f64, f64) {
    let [a, b] = p.radii.map(f64::recip);
    (a * b, a + b)
}

fn check_frame(p: &PrincipalRadii, n: DVec3) -> Result<(), TestCaseError> {
    let [u, v] = p.directions;
    prop_assert!(p.radii[0] <= p.radii[1]);
    prop_assert!((u.length() - 1.0).abs() < 1e-14 && (v.length() - 1.0).abs() < 1e-14);
    prop_assert!((u.cross(v) - n).length() < 1e-13);
    Ok(())
}

proptest! {
    #[test]
    fn ellipsoids_have_their_closed_form(
        r in (0.1..10.0, 0.1..10.0, 0.1..10.0),
        n in any_direction(),
    ) {
        let r = DVec3::from(r);
        let s = Ellipsoid::new(r).unwrap();
        // With h the distance of the tangent plane: K = h⁴/(abc)², κ1 + κ2 = h³ (a² + b² + c² − |x|²)/(abc)².
        let x = s.support(n);
        let (h, volume) = (x.dot(n), r.element_product());
        let gauss = h.powi(4) / (volume * volume);
        let sum = h.powi(3) * (r.length_squared() - x.length_squared()) / (volume * volume);
        for p in [PrincipalRadii::at_normal(&s, n), PrincipalRadii::at_point(&s, x)] {
            let (k, m) = product_and_sum(&p);
            prop_assert!(near(k, gauss, 1e-11) && near(m, sum, 1e-11), "{k} {gauss}, {m} {sum}");
            check_frame(&p, n)?;
        }
    }

    #[test]
    fn superellipsoids_agree_with_the_level_surface(s in superellipsoid(0.1, 1.5), n in oblique_direction()) {
        let x = s.support(n);
        let (gauss, sum) = level_surface(&s, x);
        // The bordered determinant loses what flat or slender shapes take from its pivots.
        let [low, high] = PrincipalRadii::at_normal(&s, n).radii;
        if low < 1e-3 * high {
            return Ok(());
        }
        for p in [PrincipalRadii::at_normal(&s, n), PrincipalRadii::at_point(&s, x)] {
            let (k, m) = product_and_sum(&p);
            prop_assert!(near(k, gauss, 1e-7) && near(m, sum, 1e-9), "{k} {gauss}, {m} {sum}");
        }
    }

    #[test]
    fn normals_and_points_give_the_same_radii(s in superellipsoid(0.1, 1.5), n in oblique_direction()) {
        let (a, b) = (PrincipalRadii::at_normal(&s, n), PrincipalRadii::at_point(&s, s.support(n)));
        for i in 0..2 {
            prop_assert!(near(a.radii[i], b.radii[i], 1e-9), "{a:?} {b:?}");
        }
        if a.radii[0] < 0.9 * a.radii[1] {
            prop_assert!(a.directions[0].cross(b.directions[0]).length() < 1e-9);
        }
        check_frame(&a, n)?;
        check_frame(&b, n)?;
    }

    #[test]
    fn the_surface_bends_along_the_directions_as_they_say(s in any_superellipsoid(), n in oblique_direction()) {
        // Rodrigues: along a principal direction the point moves by its radius times the turn of the normal.
        let p = PrincipalRadii::at_normal(&s, n);
        let turn = 1e-4 * n.abs().min_element();
        for i in 0..2 {
            let t = p.directions[i];
            let moved = (s.support(n + turn * t) - s.support(n - turn * t)) / (2.0 * turn);
            prop_assert!((moved - p.radii[i] * t).length() < 1e-5 * (p.radii[1] + s.size()));
        }
    }
}

#[test]
fn spheres_have_one_radius() {
    let s = Sphere::new(0.3).unwrap();
    for n in [DVec3::X, DVec3::new(0.6, 0.0, -0.8)] {
        for p in [PrincipalRadii::at_normal(&s, n), PrincipalRadii::at_point(&s, 0.3 * n)] {
            assert!(near(p.radii[0], 0.3, 1e-15) && near(p.radii[1], 0.3, 1e-15));
        }
    }
}

#[test]
fn ellipsoids_bend_along_their_axes_at_the_vertices() {
    let s = Ellipsoid::new(DVec3::new(1.0, 2.0, 4.0)).unwrap();
    for p in [PrincipalRadii::at_normal(&s, DVec3::Z), PrincipalRadii::at_point(&s, 4.0 * DVec3::Z)] {
        assert_eq!(p.radii, [0.25, 1.0]);
        assert_eq!(p.directions[0].abs(), DVec3::X);
        assert_eq!(p.directions[1].abs(), DVec3::Y);
    }
}

#[test]
fn flat_faces_keep_their_digits_at_points() {
    // In the section x2 = 0 of x⁴ + z⁴ = 1 the radius is (x⁶ + z⁶)^(3/2) / (3 x² z² (x⁴ + z⁴)).
    let s = Superellipsoid::new(DVec3::ONE, [0.5, 0.5]).unwrap();
    for x in [1e-8, 1e-4, 0.1, 0.5] {
        let z = f64::powf(1.0 - f64::powi(x, 4), 0.25);
        let expected = f64::powf(x.powi(6) + z.powi(6), 1.5) / (3.0 * x * x * z * z);
        let p = PrincipalRadii::at_point(&s, DVec3::new(x, 0.0, z));
        assert!(near(p.radii[0], expected, 1e-12), "{x}: {p:?} {expected}");
        assert!(p.directions[0].y.abs() < 1e-12);
    }
}

#[test]
fn the_middle_of_a_face_is_flat_and_a_vertex_is_sharp() {
    let face = Superellipsoid::new(DVec3::ONE, [0.3, 0.3]).unwrap();
    let vertex = Superellipsoid::new(DVec3::ONE, [1.7, 1.7]).unwrap();
    for n in DVec3::AXES {
        assert!(PrincipalRadii::at_normal(&face, n).radii[0] > 1e6);
        assert!(PrincipalRadii::at_point(&face, n).radii[0] > 1e6);
        assert!(PrincipalRadii::at_normal(&vertex, n).radii[1] < 1e-6);
        assert!(PrincipalRadii::at_point(&vertex, n).radii[1] < 1e-6);
    }
}

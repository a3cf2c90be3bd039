//! Contact patches in the plane against closed forms.

use glam::DVec2;
use gritstone_contact::plane::{Auto, Patch, Placed, Scratch};
use gritstone_contact::{Method, Query};
use gritstone_core::{Contact, Plane, Pose};
use gritstone_shape::plane::{Circle, Figure, HalfPlane, Polygon, Superellipse};

fn rectangle(half: DVec2) -> Figure {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| half * DVec2::new(x, y));
    Polygon::hull(&corners).unwrap().0.into()
}

fn contact(a: Placed<'_>, b: Placed<'_>) -> Contact<Plane> {
    let answer = Auto.solve(a, b, Query::default(), &mut Scratch::default()).unwrap();
    *answer.contact().unwrap()
}

fn patch(a: (&Figure, Pose<Plane>), b: (&Figure, Pose<Plane>)) -> Patch {
    let (a, b) = (Placed { shape: a.0, pose: a.1 }, Placed { shape: b.0, pose: b.1 });
    let mut patch = Patch::default();
    patch.fill(a, b, &contact(a, b));
    patch
}

const UNTURNED: Pose<Plane> = Pose { position: DVec2::ZERO, rotation: 0.0 };

/// Two unit squares on each other, shifted: a stretch of constant depth.
#[test]
fn shifted_squares() {
    let square = rectangle(DVec2::splat(0.5));
    for (x, depth) in [(0.0, 1e-3), (0.3, 1e-2), (-0.6, 1e-6)] {
        let found = patch((&square, UNTURNED), (&square, Pose::at(DVec2::new(x, 1.0 - depth))));
        let length = 1.0 - f64::abs(x);
        assert!((found.length - length).abs() < 1e-12, "{} {length}", found.length);
        assert!((found.area - length * depth).abs() < 1e-12 * depth.max(1e-3));
        assert!((found.centre - DVec2::new(0.5 * x, 0.5 * (1.0 - depth))).length() < 1e-9);
        assert!(found.pieces().iter().flatten().all(|corner| (corner.depth - depth).abs() < 1e-12));
        assert_eq!(found.weight, 1.0);
    }
}

/// A unit square leaning on a slab or on a half-plane by θ, in either order: a triangle or a trapezium with known sides.
#[test]
fn leaning_square() {
    let square = rectangle(DVec2::splat(0.5));
    let slab = rectangle(DVec2::new(5.0, 1.0));
    let ground = Figure::from(HalfPlane::new(DVec2::Y, 1.0).unwrap());
    for (lean, depth) in [(0.3, 0.05), (0.02, 0.01), (0.01, 0.03), (1e-4, 1e-3), (0.0, 1e-3)] {
        let (sin, cos) = f64::sin_cos(lean);
        let pose = Pose::new(DVec2::new(0.2, 1.0 + 0.5 * (sin + cos) - depth), lean);
        let (area, length) = if depth < sin {
            (depth * depth / (2.0 * sin * cos), depth / (sin * cos))
        } else {
            // Under the lower side, and under the side that leans outward.
            let tan = sin / cos;
            (cos * 0.5 * (2.0 * depth - sin) + 0.5 * tan * depth * depth, cos + depth * tan)
        };
        for below in [&slab, &ground] {
            for found in
                [patch((below, UNTURNED), (&square, pose)), patch((&square, pose), (below, UNTURNED))]
            {
                assert!((found.area - area).abs() < 1e-9 * area, "{lean} {depth}: {} {area}", found.area);
                assert!((found.length - length).abs() < 1e-9, "{lean} {depth}: {} {length}", found.length);
            }
        }
    }
}

/// The overlap of a leaning square acts off its middle, against the lean.
#[test]
fn leaning_is_resisted() {
    let (slab, square) = (rectangle(DVec2::new(5.0, 1.0)), rectangle(DVec2::splat(0.5)));
    for lean in [1e-6, 1e-5, 1e-4] {
        let pose = Pose::new(DVec2::new(0.0, 1.5 - 1e-3), lean);
        let x = patch((&slab, UNTURNED), (&square, pose)).centre.x;
        // To first order the lever is I·lean/area = (1/12)·lean/depth, towards the corner that goes down.
        let expected = -lean / 12.0 / 1e-3;
        assert!((x - expected).abs() < 0.02 * expected.abs(), "{x} {expected}");
    }
}

/// On a polygon's side as on a half-plane a disc is curved and has no patch, and a square with round corners is flat.
#[test]
fn round_and_flat_on_a_side() {
    let (slab, disc) = (rectangle(DVec2::new(5.0, 1.0)), Figure::from(Circle::new(1.0).unwrap()));
    let ground = Figure::from(HalfPlane::new(DVec2::Y, 1.0).unwrap());
    let boxy = Figure::from(Superellipse::new(DVec2::ONE, 10.0).unwrap());
    let depth = 1e-3;
    // Below the ground where 1 − (1 − x¹⁰)^0.1 < depth; the depth there is depth − x¹⁰/10 to first order.
    let half = f64::powf(1.0 - f64::powf(1.0 - depth, 10.0), 0.1);
    for below in [&slab, &ground] {
        let above = Pose::at(DVec2::new(0.3, 2.0 - depth));
        assert_eq!(patch((below, UNTURNED), (&disc, above)).weight, 0.0);
        let found = patch((below, UNTURNED), (&boxy, above));
        assert_eq!(found.weight, 1.0);
        assert!((found.length - 2.0 * half).abs() < 0.04 * half, "{} {half}", found.length);
        assert!((found.area - 2.0 * half * depth * 10.0 / 11.0).abs() < 0.02 * found.area);
    }
}

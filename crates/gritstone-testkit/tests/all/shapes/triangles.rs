//! Triangles against closed forms.

use glam::{DQuat, DVec3};
use gritstone_shape::space::Sphere;

use super::{at, check_gap, draw, triangle, turns};

/// Distance of a point from a triangle: the least over its inside and its edges.
fn triangle_distance(corners: &[DVec3; 3], p: DVec3) -> f64 {
    let [a, b, c] = *corners;
    let n = (b - a).cross(c - a).normalize();
    let edges = [(a, b), (b, c), (c, a)];
    if edges.iter().all(|(from, to)| n.cross(to - from).dot(p - from) >= 0.0) {
        return n.dot(p - a).abs();
    }
    let edge = |(from, to): &(DVec3, DVec3)| {
        let t = ((p - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        p.distance(from + (to - from) * t)
    };
    edges.iter().map(edge).fold(f64::MAX, f64::min)
}

#[test]
fn a_sphere_is_a_point_with_a_radius_to_a_triangle() {
    for index in 0..400 {
        let x = draw(index, 13);
        let point = |i: usize| DVec3::new(x[i], x[i + 1], x[i + 2]) * 4.0 - 2.0;
        let corners = [point(0), point(3), point(6)];
        if (corners[1] - corners[0]).cross(corners[2] - corners[0]).length() < 0.3 {
            continue;
        }
        let (centre, radius) = (point(9), 0.05 + x[12]);
        let distance = triangle_distance(&corners, centre);
        let sphere = at(Sphere::new(radius).unwrap(), centre, DQuat::IDENTITY);
        let contact = check_gap(&triangle(corners), &sphere, distance - radius);
        assert!((contact.point_a - (centre - contact.normal * distance)).length() < 1e-6, "{contact:?}");
    }
}

#[test]
fn triangles_that_are_parallel_lie_apart_by_their_planes() {
    let lower = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];
    for turn in turns() {
        for gap in [1.0, 1e-3, 1e-9] {
            let upper = lower.map(|p| turn * (p + DVec3::new(0.3, 0.2, gap)));
            let contact = check_gap(&triangle(lower.map(|p| turn * p)), &triangle(upper), gap);
            assert!((contact.normal - turn * DVec3::Z).length() < 1e-6, "{contact:?}");
            // They share the triangle with corners (0.3, 0.2), (1.8, 0.2), (0.3, 1.7). Of the closest pair the direction has
            // not the digits to tell that they are parallel.
            let middle = turn * DVec3::new(0.8, 0.7, 0.5 * gap);
            assert!(gap < 1e-6 || (contact.midpoint() - middle).length() < 1e-7, "{contact:?} {middle}");
        }
    }
}

#[test]
fn triangles_in_one_plane_touch_or_lie_apart() {
    let a = [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];
    for turn in turns() {
        let shifted = |x: f64, y: f64| triangle(a.map(|p| turn * (p + DVec3::new(x, y, 0.0))));
        let first = triangle(a.map(|p| turn * p));
        // They cross, share an edge, share a corner, or are the same: no thickness, no depth.
        for (x, y) in [(0.3, 0.2), (0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (0.5, -1.0)] {
            check_gap(&first, &shifted(x, y), 0.0);
        }
        check_gap(&first, &shifted(2.5, 0.0), 0.5);
        check_gap(&first, &shifted(3.0, 3.0), 4.0 / 2.0_f64.sqrt());
    }
}

#[test]
fn triangles_that_cross_overlap_by_the_least_way_out() {
    // A large one in the plane z = 0, and one that stands in the plane x = 0 with its tip at z = −depth.
    let floor = [DVec3::new(-9.0, -9.0, 0.0), DVec3::new(9.0, -9.0, 0.0), DVec3::new(0.0, 12.0, 0.0)];
    for turn in turns() {
        let floor = triangle(floor.map(|p| turn * p));
        for depth in [1e-9, 1e-3, 0.4] {
            let spike = [DVec3::new(0.0, 0.0, -depth), DVec3::new(0.0, -1.0, 2.0), DVec3::new(0.0, 1.0, 2.0)];
            let contact = check_gap(&floor, &triangle(spike.map(|p| turn * p)), -depth);
            assert!((contact.normal - turn * DVec3::Z).length() < 1e-6, "{contact:?}");
        }
        // An upright edge 0.1 inside of the edge y = −9: sideways out of it is the least way.
        let mast = [DVec3::new(0.0, -8.9, -3.0), DVec3::new(0.0, -8.9, 3.0), DVec3::new(0.0, -12.0, 0.0)];
        let contact = check_gap(&floor, &triangle(mast.map(|p| turn * p)), -0.1);
        assert!((contact.normal - turn * DVec3::NEG_Y).length() < 1e-6, "{contact:?}");
        // Edges that touch.
        let touching = [DVec3::new(0.0, -9.0, 1.0), DVec3::new(0.0, -9.0, -1.0), DVec3::new(0.0, -11.0, 0.0)];
        check_gap(&floor, &triangle(touching.map(|p| turn * p)), 0.0);
    }
}

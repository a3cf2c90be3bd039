//! `auto` in the plane on pairs that were solved elsewhere, and on closed forms.

use std::f64::consts::{FRAC_PI_4, PI};

use glam::DVec2;
use gritstone_contact::plane::{self, Placed, Scratch};
use gritstone_contact::{Answer, Query, Verdict};
use gritstone_core::{Contact, Plane, Pose};
use gritstone_shape::Support;
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse};
use gritstone_study::generate::MIXED;
use gritstone_study::truth;
use gritstone_testkit::Scene;
use gritstone_testkit::reference::{PlaneReference, ellipse_references, polygon_references};

fn ask(scene: &Scene<Plane>) -> Answer<Plane> {
    let a = Placed { shape: &scene.a, pose: scene.pose_a };
    let b = Placed { shape: &scene.b, pose: scene.pose_b };
    plane::method("auto").unwrap().solve(a, b, Query::default(), &mut Scratch::default()).unwrap()
}

fn solve(scene: &Scene<Plane>) -> Contact<Plane> {
    let answer = ask(scene);
    assert!(answer.certified(), "{scene:?}: {answer:?}");
    let Verdict::Solved(contact) = answer.verdict else { panic!("{answer:?}") };
    let closure = contact.point_b - contact.point_a - contact.normal * contact.gap;
    assert!(closure.length() <= 4.0 * scene.rounding(), "{contact:?}");
    contact
}

#[test]
fn polygons_have_their_reference_answers() {
    let references = polygon_references().unwrap();
    assert_eq!(references.len(), 200);
    for PlaneReference { id, kind, scene, distance, normal, points } in &references {
        let contact = solve(scene);
        let allowed = 1e-13 + 1e-9 * distance.abs();
        assert!((contact.gap - distance).abs() <= allowed, "{id}: {contact:?}");
        assert!(scene.g(contact.normal) >= distance - allowed, "{id}: {contact:?}");
        if !kind.contains("parallel") {
            // Between two vertices the normal is as exact as their distance.
            let turn = 1e-12 + 1e-15 / distance.abs();
            assert!(contact.normal.distance(*normal) <= turn, "{id}: {contact:?}");
        }
        if let Some([a, b]) = points {
            let off = contact.point_a.distance(*a).max(contact.point_b.distance(*b));
            // Nearly parallel edges pass rounding on by the inverse of their angle.
            let allowed = if kind.contains("parallel") { 1e-6 } else { 1e-12 };
            assert!(off <= allowed, "{id} ({kind}): points are off by {off}");
        }
    }
}

#[test]
fn the_thesis_examples_have_their_true_distance() {
    let references = ellipse_references().unwrap();
    assert_eq!(references.len(), 21);
    for PlaneReference { id, scene, distance, normal, points, .. } in &references {
        let contact = solve(scene);
        assert!((contact.gap - distance).abs() <= 1e-13 * (1.0 + distance.abs()), "{id}: {contact:?}");
        // 4.12.b has two optima, mirror images of each other.
        if id != "4.12.b" {
            assert!(contact.normal.distance(*normal) < 1e-12, "{id}: {contact:?}");
            let [a, b] = points.unwrap();
            assert!(
                contact.point_a.distance(a).max(contact.point_b.distance(b)) < 1e-11,
                "{id}: {contact:?}"
            );
        }
    }
}

fn at(shape: impl Into<Figure>, x: f64, y: f64, angle: f64) -> (Figure, Pose<Plane>) {
    (shape.into(), Pose::new(DVec2::new(x, y), angle))
}

fn scene((a, pose_a): (Figure, Pose<Plane>), (b, pose_b): (Figure, Pose<Plane>)) -> Scene<Plane> {
    Scene { a, pose_a, b, pose_b }
}

fn segment(from: (f64, f64), to: (f64, f64)) -> (Figure, Pose<Plane>) {
    let (shape, middle) = Segment::between([from.into(), to.into()]).unwrap();
    (shape.into(), Pose::at(middle))
}

fn close(found: DVec2, x: f64, y: f64) -> bool {
    found.distance(DVec2::new(x, y)) < 1e-14
}

#[test]
fn half_planes_are_as_far_as_the_farthest_point() {
    let wall = HalfPlane::new(DVec2::new(0.0, 1.0), 0.5).unwrap();
    // An ellipse turned by 45° reaches √((a² + b²)/2) down.
    let ellipse = at(Ellipse::new(DVec2::new(2.0, 1.0)).unwrap(), 3.0, 2.0, FRAC_PI_4);
    let contact = solve(&scene(at(wall, 0.0, 0.0, 0.0), ellipse));
    assert!((contact.gap - (1.5 - 2.5_f64.sqrt())).abs() < 1e-15 && close(contact.normal, 0.0, 1.0));
    assert!((contact.point_a.y - 0.5).abs() < 1e-15);
    // A box lies flat: the middle of its lower edge, from either side.
    let block = |x, y| {
        let corners = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)];
        at(Polygon::hull(&corners.map(DVec2::from)).unwrap().0, x, y, 0.0)
    };
    let contact = solve(&scene(block(4.0, 0.75), at(wall, 0.0, 0.0, 0.0)));
    assert!((contact.gap + 0.25).abs() < 1e-15 && close(contact.normal, 0.0, -1.0));
    assert!(
        close(contact.point_a, 4.0, 0.25) && close(contact.point_b, 4.0, 0.5) && contact.curvature == 0.0
    );
    // A turned wall, and a superellipse that stands on its face.
    let blocky = at(Superellipse::new(DVec2::new(2.0, 1.0), 20.0).unwrap(), -1.5, 7.0, PI / 2.0);
    let contact = solve(&scene(at(wall, 0.0, 0.0, PI / 2.0), blocky));
    assert!(contact.gap.abs() < 1e-15 && close(contact.normal, -1.0, 0.0));
    assert!(contact.point_b.distance(DVec2::new(-0.5, 7.0)) < 1e-9, "{contact:?}");
}

#[test]
fn segments_cross_touch_and_lie_in_line() {
    let cases = [
        // Crossing: the least translation moves an end of one onto the other.
        (segment((-1.0, 0.0), (1.0, 0.0)), segment((0.0, -0.25), (0.0, 1.0)), -0.25),
        // Parallel, side by side.
        (segment((0.0, 0.0), (2.0, 0.0)), segment((1.0, 0.5), (4.0, 0.5)), 0.5),
        // In one line: apart, end to end, overlapping.
        (segment((0.0, 0.0), (1.0, 1.0)), segment((4.0, 4.0), (2.0, 2.0)), 2.0_f64.sqrt()),
        (segment((0.0, 0.0), (1.0, 0.0)), segment((1.0, 0.0), (2.0, 0.0)), 0.0),
        (segment((0.0, 0.0), (2.0, 0.0)), segment((1.0, 0.0), (5.0, 0.0)), 0.0),
        (segment((0.0, 0.0), (2.0, 1.0)), segment((0.0, 0.0), (2.0, 1.0)), 0.0),
    ];
    for (a, b, distance) in cases {
        for pair in [scene(a.clone(), b.clone()), scene(b, a)] {
            let contact = solve(&pair);
            assert!((contact.gap - distance).abs() < 1e-15, "{pair:?}: {contact:?}");
        }
    }
    // The middle of where the parallel ones face each other.
    let pair = scene(segment((0.0, 0.0), (2.0, 0.0)), segment((1.0, 0.5), (4.0, 0.5)));
    let contact = solve(&pair);
    assert!(close(contact.point_a, 1.5, 0.0) && close(contact.point_b, 1.5, 0.5), "{contact:?}");
}

#[test]
fn coincident_centres_are_solved() {
    let round = |r: f64| Figure::from(Circle::new(r).unwrap());
    let as_ellipse = Figure::from(Ellipse::new(DVec2::splat(2.0)).unwrap());
    let as_superellipse = Figure::from(Superellipse::new(DVec2::splat(2.0), 2.0).unwrap());
    let slim = Figure::from(Ellipse::new(DVec2::new(3.0, 1.0)).unwrap());
    let square = |half: f64| {
        let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|p| DVec2::from(p) * half);
        Figure::from(Polygon::hull(&corners).unwrap().0)
    };
    let cases = [
        (round(1.0), round(2.0), -3.0),
        (as_ellipse.clone(), as_superellipse, -4.0),
        (as_ellipse, round(0.5), -2.5),
        // The least of h_a + h_b.
        (slim.clone(), slim.clone(), -2.0),
        (slim.clone(), round(2.0), -3.0),
        (square(1.0), square(2.0), -3.0),
        (square(1.0), slim, -2.0),
    ];
    for (a, b, distance) in cases {
        let pose = Pose::new(DVec2::new(0.3, -0.7), 0.4);
        let contact = solve(&Scene { a, pose_a: pose, b, pose_b: pose });
        assert!((contact.gap - distance).abs() < 1e-14, "{contact:?}");
    }
}

/// Two squares, one shifted along the other's edge and sunk into it: the middle of the common part of the edges.
#[test]
fn flat_contacts_have_their_middle() {
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(DVec2::from);
    let square = Figure::from(Polygon::hull(&corners).unwrap().0);
    let blocky = Figure::from(Superellipse::new(DVec2::ONE, 30.0).unwrap());
    for (angle, gap) in [(0.0, -0.01), (0.3, -0.01), (1.1, 0.2), (-2.0, 0.0)] {
        let frame = Pose::<Plane>::new(DVec2::new(2.0, -1.0), angle);
        let place = |x: f64, y: f64| Pose { position: frame.to_world(DVec2::new(x, y)), ..frame };
        for (a, b, allowed) in [(&square, &square, 1e-14), (&blocky, &blocky, 1e-6)] {
            let pair =
                Scene { a: a.clone(), pose_a: place(0.0, 0.0), b: b.clone(), pose_b: place(0.6, 2.0 + gap) };
            let contact = solve(&pair);
            assert!((contact.gap - gap).abs() < 1e-14, "{contact:?}");
            let middle = frame.to_body(contact.midpoint());
            assert!(middle.distance(DVec2::new(0.3, 1.0 + 0.5 * gap)) < allowed, "{middle}");
        }
    }
}

/// Every shape against every other, in all positions: certified, and right to 1e-12 of the smaller one.
#[test]
fn mixed_pairs_are_resolved_and_right() {
    for family in MIXED {
        for index in 0..1500 {
            let case = family.case(7, index);
            let pair = Scene { a: case.a, pose_a: case.pose_a, b: case.b, pose_b: case.pose_b };
            let gap = solve(&pair).gap;
            if pair.a.size().is_finite() {
                let known =
                    truth::bracket_in_plane(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, truth::TOLERANCE);
                let allowed = 2e-12 * pair.size() + pair.rounding();
                assert!((gap - known.lower).abs() <= allowed, "{} {index}: {gap} {known:?}", family.name);
            }
        }
    }
}

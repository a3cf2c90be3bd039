//! `auto` with every kind of shape, against closed forms.

mod triangles;

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};
use gritstone_contact::space::{self, Placed, Scratch};
use gritstone_contact::{Answer, Goal, Query, Verdict};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
    Triangle,
};
use gritstone_testkit::oracle;

type Body = (Solid, Pose<Space>);

fn at(shape: impl Into<Solid>, position: DVec3, rotation: DQuat) -> Body {
    (shape.into(), Pose::new(position, rotation))
}

fn triangle(corners: [DVec3; 3]) -> Body {
    let (shape, centroid) = Triangle::new(corners).unwrap();
    at(shape, centroid, DQuat::IDENTITY)
}

fn cuboid(half: DVec3) -> Solid {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0;
    let corners: Vec<DVec3> = (0..8).map(|i| half * corner(i)).collect();
    Polyhedron::hull(&corners).unwrap().0.into()
}

fn ask(a: &Body, b: &Body, query: Query<Space>) -> Answer<Space> {
    let placed = |body| {
        let (shape, pose): &Body = body;
        Placed { shape, pose: *pose }
    };
    space::method("auto").unwrap().solve(placed(a), placed(b), query, &mut Scratch::default()).unwrap()
}

/// The contact, which must be proven; the other way round it is the same.
fn contact(a: &Body, b: &Body) -> Contact<Space> {
    let answer = ask(a, b, Query::default());
    assert!(answer.certified(), "{a:?} {b:?} {answer:?}");
    let Verdict::Solved(contact) = answer.verdict else { panic!("{answer:?}") };
    let closure = contact.point_b - contact.point_a - contact.gap * contact.normal;
    assert!(closure.length() < 1e-12, "{contact:?}");
    let swapped = ask(b, a, Query::default());
    assert!(swapped.certified() && near(swapped.distance(), contact.gap), "{answer:?} {swapped:?}");
    contact
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-10
}

#[track_caller]
fn check_gap(a: &Body, b: &Body, expected: f64) -> Contact<Space> {
    let contact = contact(a, b);
    assert!(near(contact.gap, expected), "{} is not {expected}: {a:?} {b:?} {contact:?}", contact.gap);
    contact
}

/// Curvatures come from points that lie a billionth apart, and what is flat is so to a billionth.
#[track_caller]
fn check_curvature(contact: &Contact<Space>, expected: [f64; 2]) {
    for (found, expected) in contact.curvature.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6 * (1.0 + expected), "{expected} {contact:?}");
    }
}

/// Rotations that move the whole scene: none, and two others.
fn turns() -> [DQuat; 3] {
    let any = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.5).normalize();
    [DQuat::IDENTITY, any, DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 2.0)]
}

const GAPS: [f64; 7] = [0.4, 1e-3, 1e-7, 0.0, -1e-7, -1e-3, -0.1];

fn cylinders() -> (Cylinder, Cylinder) {
    (Cylinder::new(0.7, 2.0).unwrap(), Cylinder::new(0.5, 1.5).unwrap())
}

#[test]
fn cylinders_side_by_side_touch_in_a_line() {
    let (thick, thin) = cylinders();
    for turn in turns() {
        for gap in GAPS {
            for shift in [0.0, 0.4, 3.0] {
                let a = at(thick, DVec3::ZERO, turn);
                let b = at(thin, turn * DVec3::new(1.2 + gap, 0.0, shift), turn);
                let contact = check_gap(&a, &b, gap);
                assert!((contact.normal - turn * DVec3::X).length() < 1e-8, "{contact:?}");
                // The line is what both have along the axis; its middle is the point.
                let (low, high) = (f64::max(-2.0, shift - 1.5), f64::min(2.0, shift + 1.5));
                let middle = turn * DVec3::new(0.7 + 0.5 * gap, 0.0, 0.5 * (low + high));
                assert!((contact.midpoint() - middle).length() < 1e-7, "{shift} {contact:?} {middle}");
                check_curvature(&contact, [0.0, 1.0 / 0.7 + 1.0 / 0.5]);
            }
        }
    }
}

#[test]
fn tilted_cylinders_touch_with_a_rim() {
    let (thick, thin) = cylinders();
    for turn in turns() {
        for tilt in [1e-12, 1e-9, 1e-6, 1e-3, 0.1_f64] {
            for gap in GAPS {
                // Turned about y, one end of b comes nearest, straight above the line of a.
                let reach = 0.5 * tilt.cos() + 1.5 * tilt.sin();
                let a = at(thick, DVec3::ZERO, turn);
                let place = turn * DVec3::new(0.7 + gap + reach, 0.0, 0.2);
                check_gap(&a, &at(thin, place, turn * DQuat::from_rotation_y(tilt)), gap);
            }
        }
    }
}

#[test]
fn cylinders_across_each_other_touch_in_a_point() {
    let (thick, thin) = cylinders();
    for turn in turns() {
        for angle in [FRAC_PI_2, 0.3, 1e-3] {
            for gap in GAPS {
                let a = at(thick, DVec3::ZERO, turn);
                let across = DQuat::from_rotation_x(angle);
                let b = at(thin, turn * DVec3::new(1.2 + gap, 0.0, 0.3), turn * across);
                let contact = check_gap(&a, &b, gap);
                assert!((contact.normal - turn * DVec3::X).length() < 1e-8, "{contact:?}");
                // The axes cross, seen along the normal, where b's centre is.
                let point = turn * DVec3::new(0.7 + 0.5 * gap, 0.0, 0.3);
                assert!((contact.midpoint() - point).length() < 1e-5, "{angle} {contact:?} {point}");
                // Each bends around its axis alone: [[1/R, 0], [0, 0]] turned by the angle, and added.
                let (a, b) = (1.0 / 0.7, 1.0 / 0.5);
                let (half, product) = (0.5 * (a + b), a * b * angle.sin().powi(2));
                let high = half + (half * half - product).sqrt();
                check_curvature(&contact, [product / high, high]);
            }
        }
    }
}

#[test]
fn cylinders_end_to_end_touch_in_a_face() {
    let (thick, thin) = cylinders();
    for turn in turns() {
        for gap in GAPS {
            for shift in [0.0, 0.1, 0.9] {
                let a = at(thick, DVec3::ZERO, turn);
                let b = at(thin, turn * DVec3::new(0.0, shift, 3.5 + gap), turn);
                let contact = check_gap(&a, &b, gap);
                assert!((contact.normal - turn * DVec3::Z).length() < 1e-8, "{contact:?}");
                let middle = turn * DVec3::new(0.0, lens_middle(0.7, 0.5, shift), 2.0 + 0.5 * gap);
                assert!((contact.midpoint() - middle).length() < 1e-7, "{shift} {contact:?} {middle}");
                check_curvature(&contact, [0.0, 0.0]);
            }
        }
    }
}

/// Centroid of what discs of radii r and s have in common, whose centres lie `shift` apart, from the first: by quadrature of
/// its width over the line of the centres.
fn lens_middle(r: f64, s: f64, shift: f64) -> f64 {
    let (low, high) = (f64::max(-r, shift - s), f64::min(r, shift + s));
    let (mut area, mut moment) = (0.0, 0.0);
    let steps = 20_000;
    for i in 0..steps {
        // Denser at the ends, where the width has roots.
        let t = std::f64::consts::PI * (f64::from(i) + 0.5) / f64::from(steps);
        let x = 0.5 * (low + high) - 0.5 * (high - low) * t.cos();
        let width = f64::min(r * r - x * x, s * s - (x - shift).powi(2)).max(0.0).sqrt() * t.sin();
        area += width;
        moment += width * x;
    }
    moment / area
}

#[test]
fn a_cap_meets_a_box_in_what_is_above_it() {
    let (thick, _) = cylinders();
    let floor = cuboid(DVec3::new(3.0, 3.0, 1.0));
    for turn in turns() {
        for gap in GAPS {
            // Half of the cap stands over the edge x = 3: the centroid of a half disc lies at 4R/3π.
            let a = at(floor.clone(), DVec3::ZERO, turn);
            let b = at(thick, turn * DVec3::new(3.0, 0.4, 3.0 + gap), turn);
            let contact = check_gap(&a, &b, gap);
            let middle = DVec3::new(3.0 - 0.7 * 4.0 / (1.5 * TAU), 0.4, 1.0 + 0.5 * gap);
            assert!((contact.midpoint() - turn * middle).length() < 1e-7, "{contact:?} {middle}");
            check_curvature(&contact, [0.0, 0.0]);
        }
    }
}

#[test]
fn a_cylinder_stands_on_a_box_with_its_rim() {
    let (thick, _) = cylinders();
    let floor = cuboid(DVec3::new(3.0, 3.0, 1.0));
    for turn in turns() {
        for tilt in [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.3_f64] {
            for gap in GAPS {
                let reach = 2.0 * tilt.cos() + 0.7 * tilt.sin();
                let a = at(floor.clone(), DVec3::ZERO, turn);
                let place = turn * DVec3::new(0.4, 0.1, 1.0 + gap + reach);
                let contact = check_gap(&a, &at(thick, place, turn * DQuat::from_rotation_y(tilt)), gap);
                assert!((contact.normal - turn * DVec3::Z).length() < 1e-8, "{contact:?}");
            }
        }
    }
}

/// Distance of two segments given by middle and half (Ericson, Real-Time Collision Detection, section 5.1.9).
fn segment_distance(p: DVec3, half_p: DVec3, q: DVec3, half_q: DVec3) -> f64 {
    let (p, q, d1, d2) = (p - half_p, q - half_q, 2.0 * half_p, 2.0 * half_q);
    let r = p - q;
    let (a, e, f, b, c) = (d1.dot(d1), d2.dot(d2), d2.dot(r), d1.dot(d2), d1.dot(r));
    let denominator = a * e - b * b;
    let s = if denominator > 1e-12 * a * e { ((b * f - c * e) / denominator).clamp(0.0, 1.0) } else { 0.0 };
    let t = (b * s + f) / e;
    let (s, t) = match t {
        t if t < 0.0 => ((-c / a).clamp(0.0, 1.0), 0.0),
        t if t > 1.0 => (((b - c) / a).clamp(0.0, 1.0), 1.0),
        t => (s, t),
    };
    (p + d1 * s).distance(q + d2 * t)
}

/// Numbers that look random: fractions of multiples of the golden ratio.
fn draw(index: usize, count: usize) -> Vec<f64> {
    (0..count).map(|i| ((index * count + i) as f64 * 0.618_033_988_749_895).fract()).collect()
}

fn rotation(u: f64, v: f64, w: f64) -> DQuat {
    let axis = DVec3::new((TAU * u).cos(), (TAU * u).sin(), 2.0 * v - 1.0).normalize();
    DQuat::from_axis_angle(axis, TAU * w)
}

#[test]
fn capsules_are_segments_with_a_radius() {
    for index in 0..400 {
        let x = draw(index, 13);
        let shapes = [Capsule::new(0.1 + x[0], 0.2 + 2.0 * x[1]), Capsule::new(0.1 + x[2], 0.2 + 2.0 * x[3])];
        let [a, b] = shapes.map(Result::unwrap);
        let turn_a = rotation(x[4], x[5], x[6]);
        let turn_b = if index % 4 == 0 { turn_a } else { rotation(x[7], x[8], x[9]) };
        let offset = (DVec3::new(x[10], x[11], x[12]) * 2.0 - 1.0) * 3.0;
        let halves = (turn_a * DVec3::Z * a.half_height(), turn_b * DVec3::Z * b.half_height());
        let distance = segment_distance(DVec3::ZERO, halves.0, offset, halves.1);
        let expected = distance - a.radius() - b.radius();
        check_gap(&at(a, DVec3::ZERO, turn_a), &at(b, offset, turn_b), expected);
    }
}

#[test]
fn capsules_that_share_a_line_overlap_by_their_radii() {
    let (a, b) = (Capsule::new(0.3, 1.0).unwrap(), Capsule::new(0.2, 2.0).unwrap());
    let sphere = Sphere::new(0.4).unwrap();
    for turn in turns() {
        let first = at(a, DVec3::ZERO, turn);
        // Past each other's ends it is the balls that meet.
        check_gap(&first, &at(b, turn * DVec3::Z * 3.2, turn), -0.3);
        check_gap(&first, &at(b, turn * DVec3::Z * 4.0, turn), 0.5);
        // Axes that cross.
        let across = turn * DQuat::from_rotation_x(0.7);
        check_gap(&first, &at(b, turn * DVec3::Z * 0.1, across), -0.5);
        // A sphere on the axis would have a whole ring of directions, none better than the others.
        check_gap(&first, &at(sphere, turn * DVec3::new(0.5, 0.0, 0.1), turn), -0.2);
    }
}

#[test]
fn a_sphere_on_a_face_is_as_round_as_alone() {
    let sphere = at(Sphere::new(0.5).unwrap(), DVec3::new(0.3, 0.2, 0.499), DQuat::IDENTITY);
    let face = triangle([DVec3::new(-2.0, -1.0, 0.0), DVec3::new(2.0, -1.0, 0.0), DVec3::new(0.0, 3.0, 0.0)]);
    let floor = at(cuboid(DVec3::ONE), -DVec3::Z, DQuat::IDENTITY);
    let wall = at(HalfSpace::new(DVec3::Z, 0.0).unwrap(), DVec3::ZERO, DQuat::IDENTITY);
    for body in [face, floor, wall] {
        let contact = check_gap(&body, &sphere, -0.001);
        assert!((contact.normal - DVec3::Z).length() < 1e-10, "{contact:?}");
        assert!(contact.curvature.iter().all(|k| (k - 2.0).abs() < 1e-7), "{contact:?}");
        assert!((contact.point_b - DVec3::new(0.3, 0.2, -0.001)).length() < 1e-8, "{contact:?}");
    }
    // On the side of a cylinder: that of both around it.
    let lying = DQuat::from_rotation_y(FRAC_PI_2);
    let side = at(Cylinder::new(2.0, 1.0).unwrap(), DVec3::new(0.3, 0.0, -2.0), lying);
    let contact = check_gap(&side, &at(Sphere::new(0.5).unwrap(), DVec3::Z * 0.499, DQuat::IDENTITY), -0.001);
    let [along, around] = contact.curvature;
    assert!((along - 2.0).abs() < 1e-6 && (around - 2.5).abs() < 1e-6, "{contact:?}");
}

/// How far a body reaches along `down` in its own frame, in closed form; for bodies with corners, the farthest of them.
fn reach(shape: &Solid, down: DVec3) -> f64 {
    let norm = |a: f64, b: f64, p: f64| (a.abs().powf(p) + b.abs().powf(p)).powf(1.0 / p);
    let corners = |points: &[DVec3]| points.iter().map(|p| p.dot(down)).fold(f64::MIN, f64::max);
    match shape {
        Solid::Sphere(s) => s.radius(),
        Solid::Ellipsoid(s) => (s.radii() * down).length(),
        Solid::Superellipsoid(s) => {
            let ([e1, e2], u) = (s.exponents(), s.radii() * down);
            norm(norm(u.x, u.y, 2.0 / (2.0 - e1)), u.z, 2.0 / (2.0 - e2))
        }
        Solid::Cylinder(s) => s.radius() * down.x.hypot(down.y) + s.half_height() * down.z.abs(),
        Solid::Capsule(s) => s.radius() + s.half_height() * down.z.abs(),
        Solid::Polyhedron(s) => corners(s.polytope().vertices()),
        Solid::Triangle(s) => corners(s.corners()),
        // With equal exponents it is a superellipsoid.
        Solid::Superquadric(s) => {
            let (p, u) = (s.blockiness()[0] / (s.blockiness()[0] - 1.0), s.semi_axes() * down);
            norm(norm(u.x, u.y, p), u.z, p)
        }
        Solid::HalfSpace(_) => f64::INFINITY,
        Solid::Crowned(s) => down.dot(gritstone_shape::Support::support(s, down)),
        Solid::Custom(s) => down.dot(gritstone_shape::Support::support(s, down)),
    }
}

fn one_of_each() -> Vec<Solid> {
    vec![
        Sphere::new(0.7).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.3, 1.0, 2.0)).unwrap().into(),
        Superellipsoid::new(DVec3::new(1.0, 0.5, 2.0), [0.3, 1.6]).unwrap().into(),
        Superquadric::new(DVec3::new(1.0, 0.5, 2.0), [5.0; 3]).unwrap().into(),
        Cylinder::new(0.4, 1.1).unwrap().into(),
        Capsule::new(0.4, 1.1).unwrap().into(),
        cuboid(DVec3::new(0.5, 1.0, 1.5)),
        Triangle::new([DVec3::ZERO, DVec3::X, DVec3::new(0.3, 2.0, 0.0)]).unwrap().0.into(),
    ]
}

#[test]
fn anything_lies_above_a_half_space_by_its_lowest_point() {
    for (kind, shape) in one_of_each().into_iter().enumerate() {
        for index in 0..40 {
            let x = draw(40 * kind + index, 9);
            let plane = HalfSpace::new(rotation(x[0], x[1], x[2]) * DVec3::new(0.0, 0.0, 2.0), 0.6).unwrap();
            let (turn, place) = (rotation(x[3], x[4], x[5]), DVec3::new(x[6], x[7], x[8]) * 4.0 - 2.0);
            let down = turn.conjugate() * -plane.normal();
            let expected = place.dot(plane.normal()) - 0.3 - reach(&shape, down);
            let (floor, body) = (at(plane, DVec3::ZERO, DQuat::IDENTITY), at(shape.clone(), place, turn));
            let contact = check_gap(&floor, &body, expected);
            assert_eq!(contact.normal, plane.normal());
            assert!((plane.normal().dot(contact.point_a) - 0.3).abs() < 1e-12, "{contact:?}");
            assert_eq!(ask(&floor, &body, Query::default()).evaluations, 1);
            let detected = ask(&body, &floor, Query { goal: Goal::Detect, ..Query::default() });
            match detected.verdict {
                Verdict::Apart { at_least, along } => {
                    assert!(expected > 0.0 && near(at_least, expected) && along == -plane.normal());
                }
                _ => assert!(expected <= 0.0, "{detected:?}"),
            }
        }
    }
}

#[test]
fn a_half_space_holds_faces_and_lines_by_their_middle() {
    let floor = at(HalfSpace::new(DVec3::Z, 0.0).unwrap(), DVec3::ZERO, DQuat::IDENTITY);
    let lying = DQuat::from_rotation_y(FRAC_PI_2);
    let stand = |shape: Solid, height: f64, turn: DQuat| at(shape, DVec3::new(0.3, -0.2, height), turn);
    let cases = [
        // On a cap, on the side, on a face, flat.
        (stand(Cylinder::new(0.4, 1.1).unwrap().into(), 1.1, DQuat::from_rotation_z(1.0)), [0.0, 0.0]),
        (stand(Cylinder::new(0.4, 1.1).unwrap().into(), 0.4, lying), [0.0, 2.5]),
        (stand(Capsule::new(0.4, 1.1).unwrap().into(), 0.4, lying), [0.0, 2.5]),
        (stand(cuboid(DVec3::new(0.5, 1.0, 1.5)), 0.5, lying), [0.0, 0.0]),
        (stand(one_of_each().remove(7), 0.0, DQuat::from_rotation_z(0.4)), [0.0, 0.0]),
    ];
    for (body, [low, high]) in cases {
        let contact = check_gap(&floor, &body, 0.0);
        assert!((contact.point_b - DVec3::new(0.3, -0.2, 0.0)).length() < 1e-7, "{body:?} {contact:?}");
        let curvature = contact.curvature;
        assert!((curvature[0] - low).abs() < 1e-7 && (curvature[1] - high).abs() < 1e-6, "{contact:?}");
    }
}

/// The bounds of two corners that almost touch: all that was evaluated around them is one point, which encloses nothing.
#[test]
fn corners_that_almost_touch_are_apart() {
    for turn in turns() {
        for gap in [1e-9, 1.7e-10, 1e-11] {
            let a = [DVec3::ZERO, DVec3::new(-1.0, 0.3, -2.0), DVec3::new(0.8, -0.4, -2.2)];
            let b = [DVec3::Z * gap, DVec3::new(1.1, 0.3, 2.0 + gap), DVec3::new(-0.7, 1.4, 2.2 + gap)];
            let [a, b] = [a, b].map(|corners| triangle(corners.map(|p| turn * p)));
            check_gap(&a, &b, gap);
            let answer = ask(&b, &a, Query::default());
            assert!(answer.lower <= gap + 1e-14 && answer.upper >= gap - 1e-14, "{gap} {answer:?}");
        }
    }
}

/// A corner just outside of the rim of a cap: almost straight above the cap, and nearest to one point of the rim.
#[test]
fn a_corner_beside_a_cap_is_nearest_to_the_rim() {
    let cylinder = at(Cylinder::new(0.5, 2.0).unwrap(), DVec3::ZERO, DQuat::IDENTITY);
    for beside in [1e-2, 7e-5, 1e-6, 1e-8] {
        for angle in [0.0, 0.02, 1.0] {
            let out = DVec3::new(f64::cos(angle), f64::sin(angle), 0.0);
            let tip = out * (0.5 + beside) + DVec3::Z * 2.06;
            let corners =
                [tip, tip + out * 0.2 + DVec3::Z * 0.3, tip + out * 0.4 + DVec3::new(0.1, -0.1, 0.2)];
            check_gap(&cylinder, &triangle(corners), beside.hypot(0.06));
        }
    }
}

#[test]
fn two_half_spaces_are_refused_in_plain_words() {
    let shape = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let placed = Placed { shape: &shape, pose: Pose::at(DVec3::ZERO) };
    for method in space::METHODS {
        let refusal = method.solve(placed, placed, Query::default(), &mut Scratch::default()).unwrap_err();
        assert_eq!(refusal.shapes, ["half-space"; 2]);
    }
    let sphere = Solid::from(Sphere::new(1.0).unwrap());
    let ball = Placed { shape: &sphere, pose: Pose::at(DVec3::ZERO) };
    for method in space::METHODS.iter().filter(|m| m.card().name != "auto") {
        assert!(method.solve(placed, ball, Query::default(), &mut Scratch::default()).is_err());
    }
}

#[test]
fn capsules_and_spheres_lie_alike_on_an_ellipsoid() {
    let radii = DVec3::new(1.0, 0.6, 1.7);
    let ellipsoid = at(Ellipsoid::new(radii).unwrap(), DVec3::ZERO, DQuat::IDENTITY);
    for index in 0..100 {
        let x = draw(index, 4);
        let centre = rotation(x[0], x[1], x[2]) * DVec3::X * (2.0 + x[3]);
        let distance = oracle::distance_to_ellipsoid(radii, centre);
        let sphere = at(Sphere::new(0.3).unwrap(), centre, DQuat::IDENTITY);
        let normal = check_gap(&ellipsoid, &sphere, distance - 0.3).normal;
        // Across the normal, the middle of a capsule is nearest.
        let across = DQuat::from_rotation_arc(DVec3::Z, normal.any_orthonormal_vector());
        check_gap(&ellipsoid, &at(Capsule::new(0.3, 0.8).unwrap(), centre, across), distance - 0.3);
    }
}

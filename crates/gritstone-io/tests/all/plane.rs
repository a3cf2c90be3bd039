//! Shapes in the plane: read with their poses, refused with their names.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

use glam::DVec2;
use gritstone_contact::{Answer, Verdict};
use gritstone_core::{Contact, Plane};
use gritstone_io::json_lines::{Grain, read_pair, write_answer};
use gritstone_shape::Support;
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Superellipse};

const CIRCLE: &str = r#"{"shape":"circle","radius":1}"#;

fn read(shape: &str) -> Grain<Plane> {
    let line = format!(r#"{{"a":{shape},"b":{CIRCLE}}}"#);
    let pair = read_pair(line.as_bytes()).unwrap_or_else(|bad| panic!("{line}\n{bad}"));
    pair.in_plane().expect("shapes in the plane").a
}

fn refuse(shape: &str) -> String {
    let line = format!(r#"{{"a":{shape},"b":{CIRCLE}}}"#);
    read_pair(line.as_bytes()).expect_err(&line).to_string()
}

#[test]
fn shapes_are_read_with_their_poses() {
    let circle = read(r#"{"shape":"circle","radius":2.5,"center":[1,-2]}"#);
    assert_eq!(circle.shape, Figure::from(Circle::new(2.5).unwrap()));
    assert_eq!((circle.pose.position, circle.pose.rotation), (DVec2::new(1.0, -2.0), 0.0));
    let ellipse = read(r#"{"shape":"ellipse","semi_axes":[4,5],"angle_deg":30,"center":[1,1]}"#);
    assert_eq!(ellipse.shape, Figure::from(Ellipse::new(DVec2::new(4.0, 5.0)).unwrap()));
    assert!((ellipse.pose.rotation - FRAC_PI_6).abs() < 1e-15);
    let block = read(r#"{"shape":"superellipse","semi_axes":[4,5],"blockiness":6,"angle_deg":-720.0}"#);
    assert_eq!(block.shape, Figure::from(Superellipse::new(DVec2::new(4.0, 5.0), 6.0).unwrap()));
    assert_eq!(block.pose.rotation, 0.0);
    let wall = read(r#"{"shape":"half-plane","normal":[0,-2],"offset":3}"#);
    assert_eq!(wall.shape, Figure::from(HalfPlane::new(DVec2::NEG_Y, 1.5).unwrap()));
}

/// Where the corners are does not depend on where the centre of mass is.
#[test]
fn polygons_and_segments_keep_their_corners() {
    let grain =
        read(r#"{"shape":"polygon","vertices":[[0,0],[3,0],[0,3],[1,1]],"angle_deg":90,"center":[10,20]}"#);
    assert!(grain.pose.position.distance(DVec2::new(9.0, 21.0)) < 1e-14);
    assert!((grain.pose.rotation - FRAC_PI_2).abs() < 1e-15);
    let corners = grain.shape.corners().unwrap().iter().map(|&v| grain.pose.to_world(v));
    for known in [DVec2::new(10.0, 20.0), DVec2::new(10.0, 23.0), DVec2::new(7.0, 20.0)] {
        assert!(corners.clone().any(|corner| corner.distance(known) < 1e-14), "{known}");
    }
    let segment = read(r#"{"shape":"segment","vertices":[[1,1],[3,5]]}"#);
    assert_eq!(segment.pose.to_world(segment.shape.support(DVec2::Y)), DVec2::new(3.0, 5.0));
}

/// (x − 1)²/4 + (y + 2)²/9 = 1.
#[test]
fn conics_say_where_they_are() {
    let grain = read(r#"{"shape":"conic","coefficients":[9,0,4,-18,16,-11]}"#);
    let Figure::Ellipse(ellipse) = grain.shape else { panic!("{grain:?}") };
    assert!(ellipse.semi_axes().distance(DVec2::new(2.0, 3.0)) < 1e-15);
    assert_eq!((grain.pose.position, grain.pose.rotation), (DVec2::new(1.0, -2.0), 0.0));
}

#[test]
fn bad_shapes_are_refused_by_name() {
    let cases = [
        (
            r#"{"shape":"circle","radius":1,"angle_deg":3}"#,
            "a has the unknown key \"angle_deg\"; its keys are shape, radius, center",
        ),
        (
            r#"{"shape":"circle","radius":1,"center":[1,2,3]}"#,
            "a.center is [1,2,3], but must be an array of 2 numbers",
        ),
        (
            r#"{"shape":"circle","radius":1,"center":[1,1e31]}"#,
            "a.center is [1,1e31], but must be within 1e30 of the origin",
        ),
        (
            r#"{"shape":"ellipse","semi_axes":[1,0]}"#,
            "a.semi_axes[1] is 0.0, but must be positive (1e-30 to 1e30)",
        ),
        (r#"{"shape":"ellipse"}"#, "a has no key \"semi_axes\""),
        (
            r#"{"shape":"superellipse","semi_axes":[1,1],"blockiness":1}"#,
            "a.blockiness is 1.0, but must lie in (1, inf)",
        ),
        (
            r#"{"shape":"conic","coefficients":[1,2,3]}"#,
            "a.coefficients is [1,2,3], but must be an array of 6 numbers",
        ),
        (
            r#"{"shape":"conic","coefficients":[1,0,-1,0,0,-1]}"#,
            "a.coefficients describe a hyperbola or two lines (B² > 4AC), but must describe an ellipse",
        ),
        (
            r#"{"shape":"polygon","vertices":[[0,0],[1,1],[2,2]]}"#,
            "a.vertices lie in one line (to 1e-10 of their extent), but must enclose an area",
        ),
        (
            r#"{"shape":"segment","vertices":[[0,0],[1,1],[2,2]]}"#,
            "a.vertices is [[0,0],[1,1],[2,2]], but must be an array of 2 points",
        ),
        (
            r#"{"shape":"segment","vertices":[[1,1],[1,1]]}"#,
            "a.vertices has 1 different points, but must have at least 2",
        ),
        (
            r#"{"shape":"half-plane","normal":[0,0],"offset":1}"#,
            "a.normal is zero or not finite, but must have a direction",
        ),
        (
            r#"{"shape":"sphere","radius":1}"#,
            "a circle is a shape in the plane and a sphere is one in space: both must be of the same dimension",
        ),
        (r#"{"shape":"ellips","radius":1}"#, "(did you mean \"ellipse\"?)"),
    ];
    for (shape, expected) in cases {
        let error = refuse(shape);
        assert!(error.contains(expected), "{shape}\n{error}");
    }
}

#[test]
fn answers_have_two_numbers_per_vector() {
    let contact = Contact::<Plane> {
        point_a: DVec2::new(1.0, 0.25),
        point_b: DVec2::new(1.5, 0.25),
        normal: DVec2::X,
        gap: 0.5,
        curvature: 2.0,
    };
    let verdict = Verdict::Solved(contact);
    let answer = Answer { verdict, lower: 0.5, upper: 0.5, tolerance: 1e-9, iterations: 1, evaluations: 2 };
    assert_eq!(
        write_answer(&Default::default(), &answer, "auto"),
        "{\"id\":null,\"verdict\":\"apart\",\"distance\":0.5,\"lower\":0.5,\"upper\":0.5,\"normal\":[1.0,0.0],\
         \"point_a\":[1.0,0.25],\"point_b\":[1.5,0.25],\"iterations\":1,\"certified\":true,\"method\":\"auto\"}"
    );
}

//! Reading pairs and writing answers, line by line.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DQuat, DVec3};
use gritstone_contact::{Answer, Doubt, Verdict};
use gritstone_core::{Contact, Space};
use gritstone_io::json_lines::{Lines, MAX_LINE, PairLine, read_pair, write_answer, write_problem};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Solid, Sphere, Superellipsoid, Superquadric,
};

const SPHERE: &str = r#"{"shape":"sphere","radius":1}"#;

fn read(line: &str) -> PairLine {
    let pair = read_pair(line.as_bytes()).unwrap_or_else(|bad| panic!("{line}\n{bad}"));
    pair.in_space().expect("shapes in space")
}

/// The id and the error text of a line whose body `a` is bad.
fn refuse(a: &str) -> String {
    refuse_line(&format!(r#"{{"id":"x","a":{a},"b":{SPHERE}}}"#), "\"x\"")
}

fn refuse_line(line: &str, id: &str) -> String {
    let bad = read_pair(line.as_bytes()).expect_err(line);
    assert_eq!(bad.id.as_json(), id, "{line}");
    bad.to_string()
}

#[test]
fn shapes_are_read_with_their_poses() {
    let pair = read(
        r#"{"id":1,"a":{"shape":"ellipsoid","radii":[1,2,3],"center":[1,-2,0.5],"quaternion":[2,0,0,2]},
            "b":{"shape":"superellipsoid","radii":[1,2,3],"exponents":[0.5,1.5]},"expected":{"any":[1,{}]}}"#,
    );
    assert_eq!(pair.a.shape, Solid::from(Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap()));
    assert_eq!(pair.a.pose.position, DVec3::new(1.0, -2.0, 0.5));
    let quarter_turn = DQuat::from_xyzw(0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2);
    assert!((pair.a.pose.rotation - quarter_turn).length() < 1e-15);
    let expected = Superellipsoid::new(DVec3::new(1.0, 2.0, 3.0), [0.5, 1.5]).unwrap();
    assert_eq!(pair.b.shape, Solid::from(expected));
    assert_eq!((pair.b.pose.position, pair.b.pose.rotation), (DVec3::ZERO, DQuat::IDENTITY));
}

#[test]
fn polyhedra_are_moved_to_their_centre_of_mass() {
    let line = r#"{"shape":"polyhedron","vertices":[[0,0,0],[4,0,0],[0,4,0],[0,0,4],[1,1,1]],
        "center":[10,20,30],"quaternion":[1,0,0,1]}"#;
    let grain = read(&format!(r#"{{"a":{line},"b":{SPHERE}}}"#)).a;
    // A quarter turn about z takes the centroid (1, 1, 1) to (−1, 1, 1).
    assert!((grain.pose.position - DVec3::new(9.0, 21.0, 31.0)).length() < 1e-14);
    let vertices = grain.shape.polytope().unwrap().vertices();
    assert_eq!(vertices.len(), 4, "the fifth point is no corner");
    assert!((grain.pose.to_world(vertices[1]) - DVec3::new(10.0, 24.0, 30.0)).length() < 1e-14);
    let bad = |vertices: &str| refuse(&format!(r#"{{"shape":"polyhedron","vertices":{vertices}}}"#));
    let flat = "a.vertices lie in one plane or line (to 1e-10 of their extent), but must enclose a volume";
    assert_eq!(bad("[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]"), flat);
    let few = "a.vertices has 2 different points, but must have at least 4";
    assert_eq!(bad("[[0,0,0],[1,0,0],[1,0,0],[0,0,0]]"), few);
    assert_eq!(bad("[[0,0,0],[1,0]]"), "a.vertices[1] is [1,0], but must be an array of 3 numbers");
    assert_eq!(bad("[[0,0,1e999]]"), "a.vertices[0][2] is 1e999, but must be a finite number");
    assert_eq!(bad("5"), "a.vertices is 5, but must be an array of points");
    let far = "a.vertices[0] has the coordinate 1e31, but must lie within 1e30 of the origin";
    assert_eq!(bad("[[0,0,1e31],[0,0,0],[1,0,0],[0,1,0]]"), far);
}

#[test]
fn every_shape_in_space_has_its_word() {
    let grain = |shape: &str| read(&format!(r#"{{"a":{{"shape":{shape}}},"b":{SPHERE}}}"#)).a;
    let superquadric = grain(r#""superquadric","semi_axes":[1,2,3],"blockiness":[2,4,1.5],"center":[1,2,3]"#);
    let expected = Superquadric::new(DVec3::new(1.0, 2.0, 3.0), [2.0, 4.0, 1.5]).unwrap();
    assert_eq!(
        (superquadric.shape, superquadric.pose.position),
        (expected.into(), DVec3::new(1.0, 2.0, 3.0))
    );
    let cylinder = grain(r#""cylinder","radius":2,"half_height":3,"quaternion":[0,1,0,0]"#);
    assert_eq!(cylinder.shape, Solid::from(Cylinder::new(2.0, 3.0).unwrap()));
    assert_eq!(cylinder.pose.rotation, DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let capsule = grain(r#""capsule","radius":2,"half_height":3,"center":[0,0,1]"#);
    assert_eq!(capsule.shape, Solid::from(Capsule::new(2.0, 3.0).unwrap()));
    let triangle = grain(r#""triangle","vertices":[[9,0,0],[9,3,0],[9,0,3]]"#);
    let Solid::Triangle(shape) = &triangle.shape else { panic!("{triangle:?}") };
    assert_eq!(triangle.pose.position, DVec3::new(9.0, 1.0, 1.0));
    assert_eq!(shape.corners()[1], DVec3::new(0.0, 2.0, -1.0));
    let half_space = grain(r#""half-space","normal":[0,0,2],"offset":3"#);
    assert_eq!(half_space.shape, Solid::from(HalfSpace::new(DVec3::Z, 1.5).unwrap()));
}

#[test]
fn bad_values_of_shapes_in_space_are_named() {
    let cases = [
        (
            r#""superquadric","semi_axes":[1,2,3],"blockiness":[2,1,2]"#,
            "a.blockiness[1] is 1.0, but must lie in (1, inf)",
        ),
        (
            r#""superquadric","semi_axes":[1,2],"blockiness":[2,2,2]"#,
            "a.semi_axes is [1,2], but must be an array of 3 numbers",
        ),
        (r#""cylinder","radius":0,"half_height":3"#, "a.radius is 0.0, but must be positive (1e-30 to 1e30)"),
        (
            r#""capsule","radius":1,"half_height":-3"#,
            "a.half_height is -3.0, but must be positive (1e-30 to 1e30)",
        ),
        (r#""capsule","radius":1"#, "a has no key \"half_height\""),
        (
            r#""triangle","vertices":[[0,0,0],[1,1,1]]"#,
            "a.vertices is [[0,0,0],[1,1,1]], but must be an array of 3 points",
        ),
        (
            r#""triangle","vertices":[[0,0,0],[1,1,1],[2,2,2]]"#,
            "a.vertices lie in one line (to 1e-10 of their extent), but must enclose an area",
        ),
        (
            r#""half-space","normal":[0,0,0],"offset":1"#,
            "a.normal is zero or not finite, but must have a direction",
        ),
        (
            r#""half-space","normal":[0,0,1],"offset":1,"center":[0,0,0]"#,
            "a has the unknown key \"center\"; its keys are shape, normal, offset",
        ),
    ];
    for (shape, message) in cases {
        assert_eq!(refuse(&format!(r#"{{"shape":{shape}}}"#)), message);
    }
}

#[test]
fn blockiness_is_two_over_the_exponents_in_the_other_order() {
    let line =
        |shape: &str| format!(r#"{{"a":{SPHERE},"b":{{"shape":"superellipsoid","radii":[1,2,3],{shape}}}}}"#);
    let by_blockiness = read(&line(r#""blockiness":[8,4]"#));
    let by_exponents = read(&line(r#""exponents":[0.5,0.25]"#));
    assert_eq!(by_blockiness.b, by_exponents.b);
}

#[test]
fn ids_come_back_as_they_were_written() {
    let ids = [
        "1",
        "1.50",
        "-0",
        "123456789012345678901234567890",
        "null",
        "\"\\u00e9 é\\ud800\"",
        "[1,  {\"k\":[ ]}]",
    ];
    for id in ids {
        let line = format!(r#"{{"a":{SPHERE},"b":{SPHERE},"id": {id} }}"#);
        assert_eq!(read(&line).id.as_json(), id);
    }
    assert_eq!(read(&format!(r#"{{"a":{SPHERE},"b":{SPHERE}}}"#)).id.as_json(), "null");
}

#[test]
fn an_id_with_a_bare_carriage_return_stays_on_its_line() {
    let line = format!("{{\"id\":[1,\r2],\"a\":{SPHERE},\"b\":{SPHERE}}}");
    assert_eq!(read(&line).id.as_json(), "[1, 2]");
}

#[test]
fn coincident_centres_are_valid() {
    let pair = read(&format!(r#"{{"a":{SPHERE},"b":{SPHERE}}}"#));
    assert_eq!(pair.a, pair.b);
    assert_eq!(pair.a.shape, Solid::from(Sphere::new(1.0).unwrap()));
}

#[test]
fn quaternions_of_any_length_but_zero_are_normalised() {
    for scale in ["1e-320", "1e-200", "1", "1e200", "1.7e308"] {
        let line = format!(
            r#"{{"a":{{"shape":"ellipsoid","radii":[1,2,3],"quaternion":[{scale},-{scale},{scale},{scale}]}},"b":{SPHERE}}}"#
        );
        let rotation = read(&line).a.pose.rotation;
        assert!((rotation - DQuat::from_xyzw(-0.5, 0.5, 0.5, 0.5)).length() < 1e-15, "{scale}: {rotation}");
    }
    let error = refuse(r#"{"shape":"ellipsoid","radii":[1,2,3],"quaternion":[0,0,-0.0,1e-400]}"#);
    assert_eq!(error, "a.quaternion is [0,0,-0.0,1e-400], but must be other than zero");
}

#[test]
fn values_out_of_range_are_named_with_the_range() {
    let sphere = |radius: &str| refuse(&format!(r#"{{"shape":"sphere","radius":{radius}}}"#));
    assert_eq!(sphere("0"), "a.radius is 0.0, but must be positive (1e-30 to 1e30)");
    assert_eq!(sphere("-1"), "a.radius is -1.0, but must be positive (1e-30 to 1e30)");
    assert_eq!(sphere("1e300"), "a.radius is 1e300, but must be positive (1e-30 to 1e30)");
    assert_eq!(sphere("1e999"), "a.radius is 1e999, but must be a finite number");
    let ellipsoid = |radii: &str| refuse(&format!(r#"{{"shape":"ellipsoid","radii":{radii}}}"#));
    assert_eq!(ellipsoid("[1,0,1]"), "a.radii[1] is 0.0, but must be positive (1e-30 to 1e30)");
    assert_eq!(ellipsoid("[1,1,-1e999]"), "a.radii[2] is -1e999, but must be a finite number");
    let grain = |keys: &str| refuse(&format!(r#"{{"shape":"superellipsoid","radii":[1,1,1],{keys}}}"#));
    for end in ["0", "2", "2.4", "-1"] {
        let value: f64 = end.parse().unwrap();
        let expected = format!("a.exponents[0] is {value:?}, but must lie in (0, 2)");
        assert_eq!(grain(&format!(r#""exponents":[{end},1]"#)), expected);
    }
    assert_eq!(grain(r#""blockiness":[2,1]"#), "a.blockiness[1] is 1.0, but must lie in (1, inf)");
    let far = grain(r#""exponents":[1,1],"center":[0,1e91,0]"#);
    assert_eq!(far, "a.center is [0,1e91,0], but must be within 1e30 of the origin");
}

#[test]
fn values_of_the_wrong_kind_are_named() {
    let cases = [
        (r#"{"shape":"sphere","radius":"1"}"#, r#"a.radius is "1", but must be a number"#),
        (r#"{"shape":"sphere","radius":null}"#, "a.radius is null, but must be a number"),
        (
            r#"{"shape":"sphere","radius":1,"center":null}"#,
            "a.center is null, but must be an array of 3 numbers",
        ),
        (
            r#"{"shape":"sphere","radius":1,"center":[1,2]}"#,
            "a.center is [1,2], but must be an array of 3 numbers",
        ),
        (r#"{"shape":"sphere","radius":1,"center":[1,2,[3]]}"#, "a.center[2] is [3], but must be a number"),
        (
            r#"{"shape":"ellipsoid","radii":[1,2,3,4]}"#,
            "a.radii is [1,2,3,4], but must be an array of 3 numbers",
        ),
        (
            r#"{"shape":"ellipsoid","radii":[1,2,3],"quaternion":[1,0,0]}"#,
            "a.quaternion is [1,0,0], but must be an array of 4 numbers",
        ),
        (r#"{"shape":7}"#, "a.shape is 7, but must be a string"),
        ("5", r#"a is 5, but must be an object such as {"shape": "sphere", "radius": 1}"#),
        ("[]", r#"a is [], but must be an object such as {"shape": "sphere", "radius": 1}"#),
    ];
    for (a, expected) in cases {
        assert_eq!(refuse(a), expected);
    }
}

#[test]
fn long_values_are_shortened_in_messages() {
    let radii = vec!["1"; 100_000].join(",");
    let error = refuse(&format!(r#"{{"shape":"ellipsoid","radii":[{radii}]}}"#));
    assert!(error.len() < 200 && error.contains("…, but must be an array of 3 numbers"), "{error}");
    let error = refuse(&format!(r#"{{"shape":"sphere","radius":1,"{}":1}}"#, "é".repeat(100_000)));
    assert!(error.len() < 300 && error.contains('…'), "{error}");
}

#[test]
fn missing_unknown_and_repeated_keys_are_named() {
    let cases = [
        (r#"{"shape":"sphere"}"#, r#"a has no key "radius""#),
        ("{}", r#"a has no key "shape""#),
        (r#"{"shape":"superellipsoid","radii":[1,1,1]}"#, r#"a has no key "exponents""#),
        (
            r#"{"shape":"sphere","radius":1,"centre":[0,0,0]}"#,
            r#"a has the unknown key "centre" (did you mean "center"?); its keys are shape, radius, center"#,
        ),
        (
            r#"{"shape":"sphere","radius":1,"colour":"red"}"#,
            r#"a has the unknown key "colour"; its keys are shape, radius, center"#,
        ),
        (
            r#"{"shape":"sphere","radius":1,"quaternion":[1,0,0,0]}"#,
            r#"a has the unknown key "quaternion"; its keys are shape, radius, center"#,
        ),
        (r#"{"shape":"sphere","radius":1,"radius":2}"#, r#"a has the key "radius" twice"#),
        (r#"{"shape":"sphere","radius":1,"r\u0061dius":2}"#, r#"a has the key "radius" twice"#),
        (
            r#"{"shape":"superellipsoid","radii":[1,1,1],"exponents":[1,1],"blockiness":[2,2]}"#,
            r#"a has both "exponents" and "blockiness": give one of them"#,
        ),
    ];
    for (a, expected) in cases {
        assert_eq!(refuse(a), expected);
    }
    assert_eq!(refuse_line(&format!(r#"{{"id":5,"a":{SPHERE}}}"#), "5"), r#"the line has no key "b""#);
    let twice = refuse_line(&format!(r#"{{"id":5,"a":{SPHERE},"a":{SPHERE},"b":{SPHERE}}}"#), "5");
    assert!(twice.contains(r#"the key "a" is there twice"#), "{twice}");
}

#[test]
fn unknown_shapes_are_named_with_what_was_meant() {
    let error = refuse(r#"{"shape":"Sphere","radius":1}"#);
    assert!(
        error.starts_with(r#"a.shape is "Sphere", which is not a shape (did you mean "sphere"?)"#),
        "{error}"
    );
    let error = refuse(r#"{"shape":"teapot"}"#);
    assert!(
        error.starts_with(r#"a.shape is "teapot", which is not a shape; shapes are sphere, ellipsoid"#),
        "{error}"
    );
}

#[test]
fn a_shape_in_the_plane_does_not_meet_one_in_space() {
    let error = refuse(r#"{"shape":"circle","radius":1}"#);
    assert_eq!(
        error,
        "a circle is a shape in the plane and a sphere is one in space: both must be of the same dimension"
    );
}

#[test]
fn a_line_that_breaks_off_keeps_the_id_it_had() {
    for (line, id) in [
        ("", "null"),
        ("5", "null"),
        ("[]", "null"),
        (r#"{"id":12"#, "null"),
        (r#"{"id":12,"#, "null"),
        (r#"{"id":12,"a""#, "12"),
        (r#"{"id":12,"a":{"shape":"sphere","radius":1}"#, "12"),
        (r#"{"id":12,"a":nan}"#, "12"),
        (r#"{"id":12,"a":1,"b":2} x"#, "12"),
    ] {
        let error = refuse_line(line, id);
        assert!(error.starts_with("the line is not valid JSON: "), "{line}: {error}");
    }
    let error = refuse_line("{\"id\": 1,}", "null");
    assert_eq!(error, "the line is not valid JSON: trailing comma at column 10");
    let bad = read_pair(b"{\"id\":\"\xff\"}").unwrap_err();
    assert_eq!(bad.to_string(), "the line is not UTF-8 text (byte 8)");
}

#[test]
fn deep_nesting_is_skipped_or_refused_without_overflow() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    assert_eq!(read(&format!(r#"{{"note":{deep},"a":{SPHERE},"b":{SPHERE}}}"#)).id.as_json(), "null");
    assert!(refuse(&deep).contains("but must be an object"));
    assert!(refuse(&format!(r#"{{"shape":"ellipsoid","radii":{deep}}}"#)).contains("3 numbers"));
    let keys: Vec<_> = (0..100_000).map(|i| format!("\"k{i}\":1")).collect();
    assert!(refuse(&format!("{{{}}}", keys.join(","))).contains("more than 64 keys"));
}

fn contact() -> Contact<Space> {
    Contact {
        point_a: DVec3::new(1.0, 0.1, 1e-7),
        point_b: DVec3::new(-0.0, 1e300, 5e-324),
        normal: DVec3::X,
        gap: -0.1 - 0.2,
        curvature: [0.0, f64::INFINITY],
    }
}

#[test]
fn answers_have_the_keys_of_the_interface_in_their_order() {
    let verdict = Verdict::Solved(contact());
    let gap = contact().gap;
    let answer = Answer { verdict, lower: gap, upper: gap, tolerance: 1e-9, iterations: 3, evaluations: 9 };
    let id = read(&format!(r#"{{"id":"k","a":{SPHERE},"b":{SPHERE}}}"#)).id;
    assert_eq!(
        write_answer(&id, &answer, "auto"),
        "{\"id\":\"k\",\"verdict\":\"contact\",\"distance\":-0.30000000000000004,\"lower\":-0.30000000000000004,\
         \"upper\":-0.30000000000000004,\"normal\":[1.0,0.0,0.0],\"point_a\":[1.0,0.1,1e-7],\
         \"point_b\":[0.0,1e300,5e-324],\"iterations\":3,\"certified\":true,\"method\":\"auto\"}"
    );
}

#[test]
fn what_is_not_known_is_null() {
    let id = Default::default();
    let best = contact();
    let verdict = Verdict::Unresolved { best, doubt: Doubt::NotConverged };
    let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
    let answer = Answer { verdict, lower, upper, tolerance: 1e-9, iterations: 60, evaluations: 60 };
    let line = write_answer(&id, &answer, "gjk");
    assert!(line.starts_with("{\"id\":null,\"verdict\":\"unresolved\",\"distance\":-0.3"), "{line}");
    assert!(line.contains("\"lower\":null,\"upper\":null"), "{line}");
    assert!(line.contains("\"certified\":false"), "{line}");

    let verdict = Verdict::Apart { at_least: 0.25, along: DVec3::Y };
    let answer = Answer { verdict, lower: 0.25, upper, tolerance: 1e-9, iterations: 0, evaluations: 1 };
    let line = write_answer(&id, &answer, "auto");
    assert!(line.contains("\"verdict\":\"apart\",\"distance\":0.25,\"lower\":0.25,\"upper\":null"), "{line}");
    assert!(line.contains("\"normal\":[0.0,1.0,0.0],\"point_a\":null,\"point_b\":null"), "{line}");

    let nowhere = Contact { gap: f64::NAN, ..contact() };
    let answer = Answer { verdict: Verdict::Solved(nowhere), ..answer };
    assert!(write_answer(&id, &answer, "auto").contains("\"verdict\":\"unresolved\",\"distance\":null"));

    for text in [line, write_problem(&id, &"a \"quoted\"\n\u{1} text")] {
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
        assert!(!text.contains('\n'));
    }
}

#[test]
fn every_finite_number_reads_back_as_itself() {
    let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
    let id = Default::default();
    for _ in 0..10_000 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let value = f64::from_bits(bits);
        if !value.is_finite() {
            continue;
        }
        let verdict: Verdict<Space> = Verdict::Apart { at_least: value, along: DVec3::X };
        let answer =
            Answer { verdict, lower: value, upper: value, tolerance: 0.0, iterations: 0, evaluations: 0 };
        let line: serde_json::Value = serde_json::from_str(&write_answer(&id, &answer, "m")).unwrap();
        assert_eq!(line["distance"].as_f64(), Some(value));
    }
}

/// Number and text of every line.
fn all_lines(text: &str) -> Vec<(u64, Option<String>)> {
    let mut lines = Lines::new(text.as_bytes());
    let batches = std::iter::from_fn(|| Some(lines.next_batch().unwrap()).filter(|batch| !batch.is_empty()));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    batches.flatten().map(|line| (line.number, line.text.map(text))).collect()
}

#[test]
fn lines_end_in_either_way_and_blank_ones_are_skipped() {
    let expected = [(1, "one"), (4, "two"), (6, "three")].map(|(n, text)| (n, Some(text.to_owned())));
    assert_eq!(all_lines("one\r\n\n  \t\r\ntwo\n\r\nthree"), expected);
    assert_eq!(
        all_lines("\n\none\r\n\n\ntwo\n\nthree\n\n"),
        [(3, "one"), (6, "two"), (8, "three")].map(|(n, text)| (n, Some(text.to_owned())))
    );
    assert_eq!(all_lines("\n \n\r\n"), []);
}

#[test]
fn a_line_beyond_the_limit_is_skipped_and_the_next_one_read() {
    for end in ["\n", "\r\n"] {
        let text = "x".repeat(MAX_LINE) + end + &"y".repeat(MAX_LINE + 1) + end + "z";
        let found: Vec<_> =
            all_lines(&text).into_iter().map(|(n, text)| (n, text.map(|t| t.len()))).collect();
        assert_eq!(found, [(1, Some(MAX_LINE)), (2, None), (3, Some(1))]);
    }
}

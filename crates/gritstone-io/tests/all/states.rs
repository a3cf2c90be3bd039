//! States are read with the bits they were written with, and what is wrong is told by file, line, column and value.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::BodyState;
use gritstone_io::states::{FASTEST, Names, State, read_states, write_states};
use proptest::prelude::*;
use tempfile::TempDir;

fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start.csv");
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn number() -> impl Strategy<Value = f64> {
    // Velocities beyond the fastest are refused.
    let readable = |x: f64| if x.abs() > FASTEST { 1.0 / x } else { x };
    prop_oneof![any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(readable), -1.0..1.0]
}

fn vector() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(number()).prop_map(DVec3::from)
}

/// Names that are none.
const NAMELESS: Names<'_> = Names { shapes: &[], materials: &[] };

fn names() -> Names<'static> {
    static SHAPES: LazyLock<[(String, f64); 1]> = LazyLock::new(|| [("pebble".into(), 1.1)]);
    static MATERIALS: LazyLock<[String; 1]> = LazyLock::new(|| ["glass".into()]);
    Names { shapes: &*SHAPES, materials: &*MATERIALS }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: proptest::test_runner::RngSeed::Fixed(7), ..Default::default() })]

    #[test]
    fn what_is_written_in_space_is_read(
        position in vector(), velocity in vector(), spin in vector(),
        q in prop::array::uniform4(-1.0..1.0).prop_map(|q| DQuat::from_array(q).normalize()), id: u32,
    ) {
        let (_folder, path) = file("");
        let body = BodyState { id, pose: Pose { position, rotation: q }, velocity, spin, ..BodyState::<Space>::default() };
        write_states(&path, &[body], &names()).unwrap();
        let read = read_states::<Space>(&path).unwrap();
        let expected = State { id, pose: body.pose, velocity, spin, shape: Some("pebble".into()), scale: Some(1.1), material: Some("glass".into()) };
        prop_assert_eq!(read, [expected]);
    }

    #[test]
    fn what_is_written_in_the_plane_is_read(numbers in prop::array::uniform6(number()), id: u32) {
        let (_folder, path) = file("");
        let [x, y, angle, vx, vy, spin] = numbers;
        let pose = Pose { position: DVec2::new(x, y), rotation: angle };
        let body = BodyState { id, pose, velocity: DVec2::new(vx, vy), spin, ..BodyState::<Plane>::default() };
        write_states(&path, &[body], &names()).unwrap();
        let read = read_states::<Plane>(&path).unwrap();
        prop_assert_eq!(&read[0].pose, &pose);
        prop_assert_eq!((read[0].velocity, read[0].spin), (body.velocity, spin));
    }
}

#[test]
fn numbers_have_seventeen_digits() {
    let (_folder, path) = file("");
    let pose = Pose { position: DVec2::new(0.1, -2.0), rotation: 0.0 };
    write_states(&path, &[BodyState { id: 7, pose, ..BodyState::<Plane>::default() }], &NAMELESS).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let zero = "0.0000000000000000e0";
    let line = format!("7,1.0000000000000001e-1,-2.0000000000000000e0,{zero},{zero},{zero},{zero},,1,");
    assert_eq!(text, format!("id,x,y,angle,vx,vy,spin,shape,scale,material\n{line}\n"));
}

#[test]
fn columns_may_be_left_out_and_added() {
    let (_folder, path) = file(
        "# from the laboratory\nmaterial, z, id, y, x, shape\nglass, 3, 5, 2, 1, pebble\nsteel,0,6,0,0,\n",
    );
    let states = read_states::<Space>(&path).unwrap();
    assert_eq!(states[0].pose, Pose::at(DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(
        (states[0].id, states[0].shape.as_deref(), states[0].material.as_deref()),
        (5, Some("pebble"), Some("glass"))
    );
    assert_eq!((states[1].shape.as_ref(), states[1].scale), (None, None));
}

#[test]
fn quaternions_are_normalised() {
    let (_folder, path) = file("id,x,y,z,qw,qx,qy,qz\n1,0,0,0,1e200,0,0,-1e200\n");
    let q = read_states::<Space>(&path).unwrap()[0].pose.rotation;
    assert!((q * DVec3::X - DVec3::NEG_Y).length() < 1e-15);
}

#[test]
fn errors_name_file_line_column_and_value() {
    let cases = [
        ("id,x,y,z\n1,0,0,0\n2,0,abc,0\n", "start.csv:3: y is \"abc\", but must be a finite number"),
        ("id,x,y,z\n1,0,0,inf\n", "start.csv:2: z is \"inf\", but must be a finite number"),
        ("id,x,y,z\n-1,0,0,0\n", "start.csv:2: id is \"-1\", but must be a whole number (0 to 4294967295)"),
        ("id,x,y,z\n1,0,0,0\n\n1,1,0,0\n", "start.csv:4: id is 1, which an earlier line has"),
        ("id,x,y,z\n1,0,0\n", "start.csv:2: 3 fields, but there are 4 columns"),
        ("id,x,y\n1,0,0\n", "start.csv:1: column \"z\" is missing: x, y, z go together"),
        ("id,x,y,z,scale\n1,0,0,0,0\n", "start.csv:2: scale is \"0\", but must be a positive number"),
        ("id\n1\n", "start.csv:1: columns x, y, z are missing"),
        ("x,y,z\n0,0,0\n", "start.csv:1: column \"id\" is missing"),
        ("id,x,y,z,x\n1,0,0,0,0\n", "start.csv:1: column \"x\" is there twice"),
        (
            "id,x,y,z,materiel\n1,0,0,0,a\n",
            "start.csv:1: unknown column \"materiel\" (did you mean \"material\"?)",
        ),
        (
            "id,x,y,z,qw,qx,qy,qz\n1,0,0,0,0,0,0,0\n",
            "start.csv:2: qw, qx, qy, qz are all zero, but must be a rotation",
        ),
    ];
    for (text, expected) in cases {
        let (_folder, path) = file(text);
        let told = read_states::<Space>(&path).unwrap_err().to_string();
        assert!(told.contains(expected), "{told}\ninstead of\n{expected}");
    }
    let (folder, path) = file("");
    assert!(read_states::<Space>(&path).unwrap_err().to_string().contains("start.csv"));
    let absent = read_states::<Space>(&folder.path().join("absent.csv")).unwrap_err().to_string();
    assert!(absent.starts_with("cannot open ") && absent.contains("absent.csv"), "{absent}");
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let (_folder, path) = file("");
    fs::write(&path, b"id,x,y,z\n1,0,\xff,0\n").unwrap();
    let told = read_states::<Space>(&path).unwrap_err().to_string();
    assert!(told.contains("start.csv:2: is not text"), "{told}");
}

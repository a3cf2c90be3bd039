//! Dumps in the layouts that LAMMPS and LIGGGHTS document.

use std::fs;
use std::path::PathBuf;

use glam::DVec3;
use gritstone_io::dump::{Dump, Which, read_dump};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn read(name: &str, which: Which) -> Dump {
    read_dump(&data(name), which).unwrap()
}

#[test]
fn the_last_or_a_chosen_step_is_read() {
    let last = read("lammps.dump", Which::Last);
    assert_eq!((last.step, last.time, last.grains.len()), (500, Some(0.005), 2));
    let first = &last.grains[0];
    assert_eq!((first.state.id, first.kind, first.radius), (2, Some(2), Some(0.015)));
    assert_eq!(first.state.pose.position, DVec3::new(0.4, 0.5, -0.6));
    assert_eq!(first.state.velocity, DVec3::new(1e-3, -2e-3, 3.5));
    assert_eq!(first.state.spin, DVec3::new(0.1, 0.2, 0.3));
    assert_eq!(last.bounds.corner, DVec3::new(-1.0, -2.0, 0.0));
    assert_eq!(last.bounds.edges[1], DVec3::new(0.0, 4.0, 0.0));
    let start = read("lammps.dump", Which::Step(0));
    assert_eq!(start.grains[0].state.pose.position, DVec3::new(0.1, 0.2, 0.3));
    let told = read_dump(&data("lammps.dump"), Which::Step(250)).unwrap_err().to_string();
    assert!(told.ends_with("lammps.dump: there is no time step 250 among 2 from 0 to 500"), "{told}");
}

/// The box has edges (2, 0, 0), (1, 2, 0), (−0.5, 0.25, 4) at the origin: LAMMPS writes the bounds of the upright box
/// around it.
#[test]
fn fractions_of_a_tilted_box_become_positions() {
    let dump = read("lammps_tilted.dump", Which::Last);
    assert_eq!(dump.bounds.corner, DVec3::ZERO);
    assert_eq!(
        dump.bounds.edges,
        [DVec3::new(2.0, 0.0, 0.0), DVec3::new(1.0, 2.0, 0.0), DVec3::new(-0.5, 0.25, 4.0)]
    );
    let positions: Vec<DVec3> = dump.grains.iter().map(|grain| grain.state.pose.position).collect();
    assert_eq!(positions, [DVec3::ZERO, DVec3::new(2.5, 2.25, 4.0), DVec3::new(1.25, 1.125, 2.0)]);
    assert_eq!(dump.grains[0].semi_axes, Some(DVec3::new(0.5, 1.0, 1.5)), "LAMMPS has diameters");
    // Half a turn about z, and a quarter about x.
    assert!((dump.grains[1].state.pose.rotation * DVec3::X - DVec3::NEG_X).length() < 1e-15);
    assert!((dump.grains[2].state.pose.rotation * DVec3::Y - DVec3::Z).length() < 1e-15);
}

#[test]
fn superquadrics_of_liggghts() {
    let dump = read("liggghts_superquadric.dump", Which::Step(20000));
    let grain = &dump.grains[0];
    assert_eq!(grain.semi_axes, Some(DVec3::new(0.002, 0.003, 0.004)));
    assert_eq!((grain.blockiness, grain.radius), (Some([4.0, 2.0]), Some(0.00433)));
    // A third of a turn about the diagonal takes x to y to z.
    assert!((grain.state.pose.rotation * DVec3::X - DVec3::Y).length() < 1e-15);
    assert_eq!(grain.state.spin, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(dump.grains[1].state.id, 7);
}

#[test]
fn edges_may_be_given_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("general.dump");
    let text = "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS abc origin pp pp pp\n0 1 0 5\n-1 0 0 6\n0 0 1 7\nITEM: ATOMS id xs ys zs\n1 0.5 0 1\n";
    fs::write(&path, text).unwrap();
    let dump = read_dump(&path, Which::Last).unwrap();
    assert_eq!(dump.grains[0].state.pose.position, DVec3::new(5.0, 6.5, 8.0));
}

#[test]
fn errors_name_file_line_column_and_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.dump");
    let head = "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n";
    let cases = [
        (
            format!("{head}ITEM: ATOMS id x y z\n1 0 0 0\n2 0 nan 0\n"),
            "bad.dump:11: y is \"nan\", but must be a finite number",
        ),
        (
            format!("{head}ITEM: ATOMS id x y z\n1 0 0 0\n1 0 0 0\n"),
            "bad.dump:11: id is 1, which an earlier line has",
        ),
        (
            format!("{head}ITEM: ATOMS id x y z\n1 0 0 0\n2 0 0\n"),
            "bad.dump:11: 3 fields, but there are 4 columns",
        ),
        (
            format!("{head}ITEM: ATOMS id x y z\n1 0 0 0\n"),
            "bad.dump:10: the file ends here, but 1 more of 2 atoms must follow",
        ),
        (
            format!("{head}ITEM: ATOMS id x y z\n1 0 0 0\nITEM: TIMESTEP\n"),
            "bad.dump:11: there are only 1 of 2 atoms",
        ),
        (format!("{head}ITEM: ATOMS x y z\n0 0 0\n1 1 1\n"), "bad.dump:9: column \"id\" is missing"),
        (
            format!("{head}ITEM: ATOMS id vx\n1 0\n2 0\n"),
            "bad.dump:9: there is no position among the columns",
        ),
        (
            format!("{head}ITEM: ATOMS id x y z vx vz\n1 0 0 0 1 1\n2 1 1 1 1 1\n"),
            "bad.dump:9: the columns have vx vz without vy: all of vx vy vz must be there, or none",
        ),
        (
            head.replace("0 1\n0 1\n0 1", "0 1\n0\n0 1"),
            "bad.dump:7: the bounds are \"0\", but must be 2 numbers",
        ),
        (
            head.replace("MS\n2", "MS\ntwo"),
            "bad.dump:4: the number of atoms is \"two\", but must be a whole number",
        ),
        (head.to_owned(), "bad.dump:8: the file ends in the middle of a time step"),
        ("x y z\n".to_owned(), "bad.dump:1: a line that starts with \"ITEM:\" must stand here"),
        (String::new(), "bad.dump: there is no \"ITEM: TIMESTEP\" in it"),
    ];
    for (text, expected) in cases {
        fs::write(&path, &text).unwrap();
        let told = read_dump(&path, Which::Last).unwrap_err().to_string();
        assert!(told.contains(expected), "{told}\ninstead of\n{expected}");
    }
}

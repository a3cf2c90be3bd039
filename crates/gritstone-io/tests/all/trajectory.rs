//! Trajectories: what comes back, what is told of broken files, and going on after a kill.

use crate::common;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Sample, in_plane, in_space};
use glam::DVec3;
use gritstone_contact::NarrowPhase;
use gritstone_core::{Linear, Plane, Pose, Space, Vector};
use gritstone_engine::{BodyState, Cell, Compound, Compounds, ContactState, Part, Side, Snapshot};
use gritstone_io::trajectory::{Description, Frame, PackedRotation, Reader, Writer};
use gritstone_shape::Support;
use tempfile::TempDir;

fn description<D: NarrowPhase>(sample: &Sample<D>) -> Description<'_, D> {
    Description {
        title: "a row",
        shapes: &sample.shapes,
        compounds: None,
        shape_names: &[],
        materials: &[],
        walls: &sample.walls,
    }
}

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trajectory.grit");
    (folder, path)
}

/// Snapshots of a run in which a grain leaves at step 20.
fn run() -> Vec<Snapshot<Space>> {
    let mut moments: Vec<_> = [0, 10, 20, 30].map(|step| in_space(step).snapshot).into();
    for moment in &mut moments[2..] {
        moment.bodies.remove(4);
    }
    moments
}

/// The same grains, all of a shape whose description is short.
fn simple() -> Sample<Space> {
    let sample = in_space(0);
    Sample { shapes: vec![common::tetrahedron().into(); sample.shapes.len()], ..sample }
}

fn write(path: &Path, moments: &[Snapshot<Space>]) {
    write_as(path, &simple(), moments);
}

fn write_as(path: &Path, sample: &Sample<Space>, moments: &[Snapshot<Space>]) {
    let mut writer = Writer::create(path, &description(sample)).unwrap();
    moments.iter().for_each(|moment| writer.push(moment, true).unwrap());
}

/// Compares a frame with the moment it was made from, within what the format promises.
fn compare<D: PackedRotation>(frame: &Frame<D>, sample: &Sample<D>) {
    let moment = &sample.snapshot;
    assert_eq!((frame.step, frame.time), (moment.step, moment.time));
    let smallest = sample.shapes.iter().map(Support::size).fold(f64::INFINITY, f64::min);
    let fine = 0.87 * smallest / 4096.0;
    let speed = moment.bodies.iter().map(|body| body.velocity.length()).fold(0.0, f64::max);
    assert_eq!(frame.grains.len(), moment.bodies.len());
    for (grain, body) in frame.grains.iter().zip(&moment.bodies) {
        assert_eq!((grain.id, grain.shape, grain.material), (body.id, body.shape, body.material));
        assert_eq!(u16::from(grain.coordination), body.coordination);
        assert!((grain.pose.position - body.pose.position).length() <= fine);
        for axis in 0..D::N {
            let unit = D::Vec::axis(axis);
            let turned = D::rotate(grain.pose.rotation, unit) - D::rotate(body.pose.rotation, unit);
            assert!(turned.length() < 1e-3, "{turned:?}");
        }
        assert!((grain.velocity - body.velocity).length() <= speed / 2048.0);
        for (found, rate) in D::spin_xyz(grain.spin).into_iter().zip(D::spin_xyz(body.spin)) {
            assert!((found - rate).abs() <= rate.abs() / 2048.0, "{found} {rate}");
        }
        let touching = moment.contacts.iter().filter(|c| c.a == body.id || (c.b == body.id && !c.with_wall));
        let load: f64 = touching.map(|contact| contact.force.length()).sum();
        assert!((grain.load - load).abs() <= load / 2048.0);
    }
    for (wall, state) in frame.walls.iter().zip(&moment.walls) {
        assert_eq!(wall.present, state.present);
        assert!((wall.pose.position - state.pose.position).length() <= 1e-6);
        assert!((wall.force - state.force).length() <= 1e-6 * state.force.length());
    }
    let contacts = frame.contacts.as_ref().unwrap();
    assert_eq!(contacts.len(), moment.contacts.len());
    for (found, contact) in contacts.iter().zip(&moment.contacts) {
        assert_eq!((found.a, found.b, found.with_wall), (contact.a, contact.b, contact.with_wall));
        assert!((found.point - contact.point).length() <= fine);
        assert!(
            (found.force - contact.force).dot(contact.force).abs()
                < contact.force.dot(contact.force) / 2048.0
        );
    }
}

#[test]
fn frames_come_back_in_space() {
    let (_folder, path) = file();
    let moments = run();
    write_as(&path, &in_space(0), &moments);
    let mut reader = Reader::open(&path).unwrap();
    assert_eq!((reader.dimension(), reader.moments().len()), (3, 4));
    assert!(reader.broken().is_none());
    // In any order: each frame stands for itself.
    for number in [3, 0, 2, 1] {
        let frame: Frame<Space> = reader.frame(number).unwrap();
        compare(&frame, &Sample { snapshot: moments[number].clone(), ..in_space(0) });
    }
}

#[test]
fn frames_come_back_in_the_plane() {
    let (_folder, path) = file();
    let sample = in_plane(5);
    let mut writer = Writer::create(&path, &description(&sample)).unwrap();
    writer.push(&sample.snapshot, true).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    compare(&reader.frame::<Plane>(0).unwrap(), &sample);
    let told = reader.frame::<Space>(0).unwrap_err().to_string();
    assert!(told.ends_with("it has 2 dimensions, not 3"), "{told}");
    assert!(reader.frame::<Plane>(1).is_err());
}

#[test]
fn the_description_has_the_shapes() {
    let (_folder, path) = file();
    let sample = in_space(0);
    write_as(&path, &sample, &[]);
    let reader = Reader::open(&path).unwrap();
    let directions: Vec<DVec3> = (0..20).map(|i| common::turn(i) * DVec3::X).collect();
    let shapes = reader.shapes::<Space>().unwrap();
    for (shape, read) in sample.shapes.iter().zip(&shapes) {
        assert_eq!(shape.word(), read.word());
        assert!(directions.iter().all(|&n| (shape.support(n) - read.support(n)).length() < 1e-14));
    }
    assert_eq!(reader.wall_shapes::<Space>().unwrap().len(), 2);
    // The prototype of each shape, scaled, has its extent.
    let told = reader.description();
    for (i, shape) in sample.shapes.iter().enumerate() {
        let entry = &told["shapes"][i];
        let prototype = &told["prototypes"][entry["prototype"].as_u64().unwrap() as usize];
        for (axis, extent) in shape.body().unwrap().half_extents().to_array().into_iter().enumerate() {
            let points = prototype["levels"][0]["points"].as_array().unwrap().chunks(3);
            let reach = points.map(|p| p[axis].as_f64().unwrap().abs()).fold(0.0, f64::max);
            let found = reach * entry["scale"][axis].as_f64().unwrap();
            assert!((found / extent - 1.0).abs() < 1e-6, "{}: {found} {extent}", shape.word());
        }
    }
    // A sphere and an ellipsoid are one prototype.
    assert_eq!(told["shapes"][0]["prototype"], told["shapes"][1]["prototype"]);
    assert_eq!(told["walls"][0]["name"], "floor");
}

#[test]
fn a_cut_file_is_good_up_to_the_cut() {
    let (_folder, path) = file();
    let moments = run();
    write(&path, &moments);
    let whole = fs::read(&path).unwrap();
    let mut ends = Vec::new();
    for count in 0..=4 {
        write(&path, &moments[..count]);
        ends.push(fs::metadata(&path).unwrap().len() as usize);
    }
    let told = ends[0];
    for length in (0..100).chain((100..told).step_by(7)).chain([told - 1]) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(Reader::open(&path).is_err(), "{length} bytes");
    }
    for length in told..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let reader = Reader::open(&path).unwrap();
        let frames = ends.iter().filter(|end| **end <= length).count() - 1;
        assert_eq!(reader.moments().len(), frames, "{length} bytes");
        // Nothing is wrong where a list of grains ends and its frame is still to come.
        let whole_list = frames == 0 || frames == 2;
        assert!(reader.broken().is_some() || ends.contains(&length) || whole_list, "{length} bytes");
    }
}

#[test]
fn changed_bits_are_found_and_told() {
    let (_folder, path) = file();
    let moments = run();
    write(&path, &moments);
    let whole = fs::read(&path).unwrap();
    let mut original = Reader::open(&path).unwrap();
    let frames: Vec<Frame<Space>> = (0..4).map(|i| original.frame(i).unwrap()).collect();
    for k in 0..300 {
        let bit = (k * 2_654_435_761_usize) % (8 * whole.len());
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &changed).unwrap();
        let Ok(mut reader) = Reader::open(&path) else { continue };
        // Read one by one, a frame is right or refused.
        for (i, frame) in frames.iter().enumerate().take(reader.moments().len()) {
            assert!(reader.frame::<Space>(i).map_or(true, |read| read == *frame), "bit {bit}");
        }
        // Checked, what is left is right and the place of the change is told. The spare bytes of the start carry nothing.
        reader.check().unwrap();
        if bit / 8 >= 16 {
            let broken = reader.broken().unwrap_or_else(|| panic!("bit {bit}"));
            assert!(broken.offset as usize <= bit / 8 && broken.frames_before == reader.moments().len());
            assert!(broken.to_string().contains("bytes have changed"), "{broken}");
        }
        for (i, frame) in frames.iter().enumerate().take(reader.moments().len()) {
            assert_eq!(reader.frame::<Space>(i).unwrap(), *frame);
        }
    }
}

#[test]
fn cut_anywhere_and_resumed_it_is_as_if_never_stopped() {
    let (_folder, path) = file();
    let moments = run();
    let sample = simple();
    write(&path, &moments);
    let whole = fs::read(&path).unwrap();
    write(&path, &moments[..2]);
    let two = fs::metadata(&path).unwrap().len() as usize;
    for length in (two..whole.len()).step_by(7).chain([whole.len()]) {
        fs::write(&path, &whole[..length]).unwrap();
        let (mut writer, _) = Writer::resume(&path, &description(&sample), 15).unwrap();
        assert_eq!(writer.last_step(), Some(10));
        moments[1..].iter().for_each(|moment| writer.push(moment, true).unwrap());
        assert!(fs::read(&path).unwrap() == whole, "{length} bytes");
    }
}

/// A run of four frames with one bit changed is gone on with from its third frame: all good frames stay, also those behind the
/// damaged one, and nothing else does.
#[test]
fn good_frames_behind_a_damaged_one_are_kept() {
    let (_folder, path) = file();
    let (moments, sample) = (run(), simple());
    write(&path, &moments);
    let whole = fs::read(&path).unwrap();
    let mut original = Reader::open(&path).unwrap();
    let frames: Vec<Frame<Space>> = (0..4).map(|i| original.frame(i).unwrap()).collect();
    let (mut repaired, mut most) = (0, 0);
    for k in 0..600 {
        let bit = (k * 2_654_435_761_usize) % (8 * whole.len());
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &changed).unwrap();
        let Ok((mut writer, told)) = Writer::resume(&path, &description(&sample), moments[2].step) else {
            assert!(Writer::check(&path, &description(&sample)).is_err(), "bit {bit}");
            assert!(fs::read(&path).unwrap() == changed, "bit {bit}: a refused file is as it was");
            continue;
        };
        writer.push(&moments[3], true).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        reader.check().unwrap();
        assert_eq!(reader.broken(), None, "bit {bit}");
        for i in 0..reader.moments().len() {
            let frame = reader.frame::<Space>(i).unwrap();
            assert!(frames.contains(&frame), "bit {bit}");
        }
        assert_eq!(reader.moments().last().unwrap().step, moments[3].step);
        if let Some(told) = told {
            repaired += 1;
            most = most.max(told.frames);
            assert!(
                told.offset as usize <= bit / 8 && told.frames + 1 == reader.moments().len(),
                "bit {bit}"
            );
        }
    }
    assert!(repaired > 100 && most == 2, "{repaired} repairs, {most} of three frames");
}

#[test]
fn other_shapes_are_not_mixed_in() {
    let (_folder, path) = file();
    write(&path, &run());
    let mut sample = in_space(0);
    sample.shapes.pop();
    let told = Writer::resume(&path, &description(&sample), 15).unwrap_err().to_string();
    assert!(told.ends_with("it is of other shapes, walls or materials"), "{told}");
}

#[test]
fn a_reader_follows_a_run() {
    let (_folder, path) = file();
    let moments = run();
    let sample = in_space(0);
    let mut writer = Writer::create(&path, &description(&sample)).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    for (i, moment) in moments.iter().enumerate() {
        assert_eq!(reader.refresh().unwrap(), 0);
        writer.push(moment, i % 2 == 0).unwrap();
        assert_eq!(reader.refresh().unwrap(), 1);
        let frame: Frame<Space> = reader.frame(i).unwrap();
        assert_eq!((frame.step, frame.contacts.is_some()), (moment.step, i % 2 == 0));
    }
}

#[test]
fn files_of_other_kinds_are_refused_in_words() {
    let (_folder, path) = file();
    let told = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Reader::open(&path).unwrap_err().to_string()
    };
    assert!(told(b"hello, this is a text").ends_with("it is not a trajectory"));
    assert!(told(b"").ends_with("it ends before its description"));
    assert!(
        told(b"\x89GRIT\r\n\x1a\x09\0\0\0\0\0\0\0")
            .ends_with("its layout is version 9, but this program reads version 2")
    );
    assert!(told(b"\x89GRIT\r\n\x1a\x02\0\0\0\0\0\0\0").ends_with("it does not start with a description"));
}

/// One grain far away must not blur the others.
#[test]
fn a_grain_that_got_lost_does_not_spoil_the_frame() {
    let (_folder, path) = file();
    let mut sample = in_space(0);
    sample.snapshot.bodies[7].pose.position = DVec3::new(0.0, 0.0, -5000.0);
    sample.snapshot.bodies[6].velocity = DVec3::splat(f64::NAN);
    let mut writer = Writer::create(&path, &description(&sample)).unwrap();
    writer.push(&sample.snapshot, false).unwrap();
    let frame: Frame<Space> = Reader::open(&path).unwrap().frame(0).unwrap();
    assert!(frame.grains[6].velocity.is_nan());
    sample.snapshot.bodies[6].velocity = DVec3::ZERO;
    for (grain, body) in frame.grains.iter().zip(&sample.snapshot.bodies) {
        assert!((grain.pose.position - body.pose.position).length() < 0.3 / 4096.0);
    }
}

/// Nothing is harder to compress than chance: ten thousand grains anywhere, each turned and moving its own way, with three
/// contacts each.
#[test]
fn frames_are_as_small_as_documented() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut vector = |scale: f64| DVec3::new(random(), random(), random()) * scale;
    let sample = simple();
    let shapes = vec![sample.shapes[0].scaled(0.002).unwrap()];
    let bodies: Vec<_> = (0..10_000)
        .map(|id| BodyState::<Space> {
            id,
            coordination: 3 + (id % 5) as u16,
            pose: Pose { position: vector(0.1), rotation: common::turn(id as usize) },
            velocity: vector(1.0),
            spin: vector(100.0),
            ..BodyState::default()
        })
        .collect();
    let contact = |i: u32| ContactState {
        a: i / 3,
        b: (i * 7919) % 10_000,
        point: vector(0.1),
        force: vector(1.0),
        ..ContactState::default()
    };
    let contacts = (0..30_000).map(contact).collect();
    let snapshot = Snapshot { step: 0, time: 0.0, bodies, walls: Vec::new(), contacts };
    let (_folder, path) = file();
    let description = Description { shapes: &shapes, walls: &[], ..description(&sample) };
    let mut writer = Writer::create(&path, &description).unwrap();
    let mut sizes = Vec::new();
    for (step, with_contacts) in [(0, false), (1, false), (2, true)] {
        let before = fs::metadata(&path).unwrap().len();
        writer.push(&Snapshot { step, ..snapshot.clone() }, with_contacts).unwrap();
        sizes.push((fs::metadata(&path).unwrap().len() - before) as f64);
    }
    let per_grain = sizes[1] / 1e4;
    let per_contact = (sizes[2] - sizes[1]) / 3e4;
    assert!(per_grain < 24.5 && per_contact < 16.0, "{per_grain} bytes per grain, {per_contact} per contact");
}

/// Cells that repeat come back with their frames, also after a resume, and in copies.
#[test]
fn cells_come_back() {
    let (_folder, path) = file();
    let cell = |step: u64| {
        let slid = DVec3::new(1e-3 * step as f64, 2.0, 0.0);
        let side = |vector| Some(Side { vector, velocity: DVec3::X });
        let sides = [side(DVec3::X), side(slid), None];
        Cell::<Space> { centre: DVec3::new(0.5, 1.0, 0.25), sides, ..Default::default() }
    };
    let (sample, moments) = (simple(), run());
    let mut writer = Writer::create(&path, &description(&sample)).unwrap();
    for moment in &moments {
        writer.push_in(moment, Some(&cell(moment.step)), true).unwrap();
    }
    let whole = fs::read(&path).unwrap();
    let expect = |path: &Path, steps: &[u64]| {
        let mut reader = Reader::open(path).unwrap();
        assert_eq!(reader.moments().iter().map(|moment| moment.step).collect::<Vec<_>>(), steps);
        for (i, &step) in steps.iter().enumerate() {
            let (found, told) = (reader.frame::<Space>(i).unwrap().cell.unwrap(), cell(step));
            assert_eq!((found.centre, found.sides[2]), (told.centre, None));
            assert_eq!(found.sides, told.sides.map(|side| side.map(|side| side.vector)));
        }
    };
    expect(&path, &[0, 10, 20, 30]);
    // What comes after the checkpoint is cut off, its cell, too; then it grows again to the same bytes.
    let (mut writer, broken) = Writer::resume(&path, &description(&sample), 15).unwrap();
    assert!(broken.is_none());
    expect(&path, &[0, 10]);
    for moment in &moments[2..] {
        writer.push_in(moment, Some(&cell(moment.step)), true).unwrap();
    }
    assert!(fs::read(&path).unwrap() == whole);
    let mut copy = Vec::new();
    Reader::open(&path).unwrap().copy_frames(&[1, 3], &mut copy).unwrap();
    fs::write(&path, copy).unwrap();
    expect(&path, &[10, 30]);
}

/// Compounds: the parts come back where they were.
#[test]
fn parts_of_compounds_come_back() {
    let sample = in_space(0);
    let parts: Vec<Part<Space>> = sample.shapes[..2]
        .iter()
        .zip(0..)
        .map(|(shape, i)| Part {
            shape: shape.clone(),
            pose: Pose { position: DVec3::new(0.01, 0.02, f64::from(i)), rotation: common::turn(i as usize) },
        })
        .collect();
    let (compound, _) = Compound::new(parts).unwrap();
    let compounds = Compounds::from([(1, compound.clone())]);
    let (_folder, path) = file();
    let description = Description { compounds: Some(&compounds), ..description(&sample) };
    Writer::create(&path, &description).unwrap();
    let parts = Reader::open(&path).unwrap().parts::<Space>().unwrap();
    assert_eq!(parts.keys().copied().collect::<Vec<_>>(), [1]);
    for (read, part) in parts[&1].iter().zip(compound.parts()) {
        assert!((read.pose.position - part.pose.position).length() < 1e-12);
        assert!(read.pose.rotation.angle_between(part.pose.rotation) < 1e-7);
        assert!((read.shape.size() / part.shape.size() - 1.0).abs() < 1e-12);
    }
}

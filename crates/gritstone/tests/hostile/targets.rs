//! What is done with any bytes at all: one function for each kind of input. None may panic, whatever comes; `fuzz/` and the test
//! `hostile` call them.

use std::fs;
use std::path::{Path, PathBuf};

use gritstone::contact::{Answer, Goal, NarrowPhase, Placed, Query, Verdict};
use gritstone::core::{Plane, Space, Vector};
use gritstone::engine::{SAVED_VERSION, Sides, TriangleMesh, World};
use gritstone::io::json_lines::{AnyPair, Lines, PairLine, read_pair, write_answer, write_problem};
use gritstone::io::trajectory::{PackedRotation, Reader, headers};
use gritstone::io::{checkpoint, dump, memory, states, surfaces};
use gritstone::scene::{Build, Scene};
use serde_json::value::RawValue;
use tempfile::TempDir;

/// A kind of input: its name, which is that of its folder of seeds, and what is done with it.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All kinds of input.
pub(crate) static TARGETS: &[Target] = &[
    ("pair", pair),
    ("scene", scene),
    ("stl", stl),
    ("obj", obj),
    ("ply", ply),
    ("rock", rock),
    ("csv", csv),
    ("dump", dump_of_atoms),
    ("checkpoint", checkpoint_file),
    ("world", world),
    ("stage", stage),
    ("trajectory", trajectory),
    ("frame", frame),
];

/// Memory that inputs may ask for (bytes): scenes of some ten thousand grains.
const LIMIT: u64 = 16 << 20;

/// The bytes as a file of this name.
fn as_file<T>(name: &str, bytes: &[u8], act: impl FnOnce(&Path) -> T) -> T {
    thread_local! { static FOLDER: TempDir = tempfile::tempdir().expect("a folder"); }
    memory::set_limit(LIMIT);
    let path: PathBuf = FOLDER.with(|folder| folder.path().join(name));
    fs::write(&path, bytes).expect("a file");
    act(&path)
}

/// A line of `gritstone contact`: one answer that is one line of JSON.
pub(crate) fn pair(bytes: &[u8]) {
    let Ok(batch) = Lines::new(bytes).next_batch() else { return };
    for line in batch.iter().filter_map(|line| line.text.as_deref()) {
        match read_pair(line) {
            Err(bad) => check_line(&write_problem(&bad.id, &bad.problem)),
            Ok(AnyPair::Plane(pair)) => solve(&pair),
            Ok(AnyPair::Space(pair)) => solve(&pair),
        }
    }
}

fn solve<D: NarrowPhase>(pair: &PairLine<D>) {
    let [a, b] = [&pair.a, &pair.b].map(|grain| Placed { shape: &grain.shape, pose: grain.pose });
    let mut scratch = D::Scratch::default();
    for method in D::methods() {
        for goal in [Goal::Distance, Goal::Detect] {
            match method.solve(a, b, Query { goal, ..Query::default() }, &mut scratch) {
                Ok(answer) => {
                    check_line(&write_answer(&pair.id, &answer, method.card().name));
                    believe(&answer);
                }
                Err(refusal) => check_line(&write_problem(&pair.id, &refusal)),
            }
        }
    }
}

/// What is certified is a number between its bounds, along a unit vector.
fn believe<D: NarrowPhase>(answer: &Answer<D>) {
    if !answer.certified() {
        return;
    }
    let (distance, room) = (answer.distance(), answer.tolerance);
    let (least, normal) = match answer.verdict {
        // Any separating plane will do, not only the one of the best bound.
        Verdict::Apart { along, .. } => (0.0, along),
        Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => {
            (answer.lower, contact.normal)
        }
    };
    assert!(least - room <= distance && distance <= answer.upper + room, "{answer:?}");
    assert!((normal.length() - 1.0).abs() < 1e-9, "{answer:?}");
}

/// One line of JSON that begins as the interface says.
fn check_line(answer: &str) {
    assert!(answer.starts_with("{\"id\":") && !answer.contains(['\n', '\r']), "{answer}");
    // Raw, because an id may nest deeper than a parser of values cares to follow.
    let raw: &RawValue = serde_json::from_str(answer).expect(answer);
    assert!(raw.get().len() == answer.len());
}

/// A scene: what is wrong with it is told, and one that is right can be written and read again.
pub(crate) fn scene(bytes: &[u8]) {
    let scene = as_file("scene.toml", bytes, Scene::read);
    let Ok(scene) = scene.map(Scene::sandboxed) else { return };
    let used = scene.to_toml();
    let again =
        Scene::parse(&used, "used").unwrap_or_else(|problems| panic!("{problems}\n{used}")).sandboxed();
    if let (Ok(first), Ok(second)) = (scene.check(), again.check()) {
        assert_eq!(first.to_json()["grains"], second.to_json()["grains"], "{used}");
    }
}

pub(crate) fn stl(bytes: &[u8]) {
    surface("surface.stl", bytes);
}

pub(crate) fn obj(bytes: &[u8]) {
    surface("surface.obj", bytes);
}

pub(crate) fn ply(bytes: &[u8]) {
    surface("surface.ply", bytes);
}

/// A grain from a surface, as a hull, as parts and as a superellipsoid.
pub(crate) fn rock(bytes: &[u8]) {
    as_file("rock.obj", bytes, |path| {
        for shape in ["hull", "parts", "superellipsoid"] {
            let rock = format!(
                "shapes.rock = {{ shape = \"mesh\", file = \"rock.obj\", approximation = \"{shape}\", vertices = 20, parts = 3 }}\n\
                 grains = [{{ from = \"points\", shape = \"rock\", material = \"glass\", at = [[0, 0, 0]] }}]\n"
            );
            let rest = SMALL.lines().filter(|line| !line.starts_with("grains") && !line.starts_with("walls"));
            let text: String = rest.flat_map(|line| [line, "\n"]).collect();
            let mut scene = Scene::parse(&(text + &rock), "rock").expect("a scene").sandboxed();
            scene.folder = path.parent().expect("a folder").to_owned();
            let Ok((expanded, _)) = scene.expanded() else { continue };
            // What is written into the folder of a run is a scene that can be read, without the file.
            let used = expanded.to_toml();
            let used = Scene::parse(&used, "used").unwrap_or_else(|problems| panic!("{problems}\n{used}"));
            let _ = used.sandboxed().check();
        }
    });
}

fn surface(name: &str, bytes: &[u8]) {
    if let Ok(triangles) = as_file(name, bytes, surfaces::read_triangles) {
        for sides in [Sides::Both, Sides::Outside, Sides::Inside] {
            let _ = TriangleMesh::new(&triangles, sides);
        }
    }
}

pub(crate) fn csv(bytes: &[u8]) {
    as_file("grains.csv", bytes, |path| {
        let _ = states::read_states::<Space>(path);
        let _ = states::read_states::<Plane>(path);
    });
}

pub(crate) fn dump_of_atoms(bytes: &[u8]) {
    as_file("dump.txt", bytes, |path| {
        let _ = dump::read_dump(path, dump::Which::Last);
        let _ = dump::read_dump(path, dump::Which::Step(0));
    });
}

/// The file that holds a world.
pub(crate) fn checkpoint_file(bytes: &[u8]) {
    as_file("checkpoint.bin", bytes, |path| {
        let _ = checkpoint::read(path, &checkpoint::Expected::default());
    });
}

/// A small scene in which everything touches.
pub(crate) const SMALL: &str = r#"
dimension = 3
gravity = [0, 0, -9.81]
time = { end = 1e-2, step = 1e-5 }
contact = { law = "linear" }
materials = { glass = { density = 2500, kn = 1000, friction = 0.3 } }
shapes.ball = { shape = "sphere", radius = 0.001 }
shapes.egg = { shape = "ellipsoid", radii = [0.001, 0.001, 0.0015] }
shapes.die = { shape = "polyhedron", scale = 0.001, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }
grains = [{ from = "lattice", shape = ["ball", "egg", "die"], material = "glass", count = [3, 2, 2], spacing = [0.0031, 0.0031, 0.0031], origin = [0, 0, 0.0016], velocity = [0.1, 0, -0.5] }]
walls.floor = { kind = "plane", point = [0, 0, 0], normal = [0, 0, 1], material = "glass" }
"#;

/// The bytes of a world beneath the checksum of its file: what can be restored can be stepped.
pub(crate) fn world(bytes: &[u8]) {
    let Ok(Build::Space(built)) = Scene::parse(SMALL, "small").expect("a scene").build() else {
        panic!("in space")
    };
    if let Ok(mut world) = World::restore(&built.setup, bytes) {
        for _ in 0..3 {
            if world.step().is_err() {
                return;
            }
        }
        let _ = world.save();
    }
}

/// What is beneath the checksum of a run that grains go on from: its scene and its world.
pub(crate) fn stage(bytes: &[u8]) {
    let stamp = checkpoint::Stamp { payload_version: SAVED_VERSION, ..checkpoint::Stamp::default() };
    as_file("unused", b"", |path| {
        let folder = path.parent().expect("a folder");
        checkpoint::write(folder, &stamp, bytes).expect("a file");
        let grains = SMALL.lines().find(|line| line.starts_with("grains")).expect("grains");
        let text = SMALL.replace(grains, "grains = [{ from = \"run\", folder = \".\" }]");
        let mut scene = Scene::parse(&text, "stage").expect("a scene").sandboxed();
        scene.folder = folder.to_owned();
        if let Ok(Build::Space(built)) = scene.build()
            && let Ok(mut world) = World::new(&built.setup)
        {
            let _ = (0..3).try_for_each(|_| world.step());
        }
    });
}

pub(crate) fn trajectory(bytes: &[u8]) {
    as_file("trajectory.grit", bytes, |path| {
        let _ = headers(path, 16);
        let Ok(mut reader) = Reader::open(path) else { return };
        look::<Space>(&mut reader);
        look::<Plane>(&mut reader);
        let all: Vec<usize> = (0..reader.moments().len()).collect();
        let _ = reader.copy_frames(&all, &mut Vec::new());
        let _ = reader.check();
    });
}

fn look<D: PackedRotation>(reader: &mut Reader) {
    let _ = (reader.shapes::<D>(), reader.wall_shapes::<D>(), reader.parts::<D>());
    for number in 0..reader.moments().len().min(16) {
        let _ = reader.frame::<D>(number);
    }
}

/// What is beneath the checksums of a trajectory: a description, a list of grains, a cell and a frame, each as long as the four bytes
/// before it say.
pub(crate) fn frame(bytes: &[u8]) {
    let mut rest = bytes;
    let mut file = b"\x89GRIT\r\n\x1a\x02\0\0\0\0\0\0\0".to_vec();
    for tag in [b"HEAD", b"GRNS", b"CELL", b"FRAM"] {
        let Some((length, after)) = rest.split_first_chunk::<4>() else { break };
        let length = (u32::from_le_bytes(*length) as usize).min(after.len());
        file.extend(chunk(*tag, &after[..length]));
        rest = &after[length..];
    }
    trajectory(&file);
}

/// A chunk, with checksums that fit.
pub(crate) fn chunk(tag: [u8; 4], payload: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(payload).expect("memory");
    let stored = encoder.finish().expect("memory");
    let mut header = tag.to_vec();
    header.extend((stored.len() as u32).to_le_bytes());
    header.extend((payload.len() as u32).to_le_bytes());
    header.extend(crc32fast::hash(&stored).to_le_bytes());
    header.extend([0; 20]);
    header.extend(crc32fast::hash(&header).to_le_bytes());
    [header, stored].concat()
}

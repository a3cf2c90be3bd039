//! Inputs that are damaged, or made to do harm: nothing panics, and nothing takes for ever. The seeds in `fuzz/seeds` are read as they
//! are and with thousands of changes; `fuzz/` looks further, by what code is reached.
//!
//! `GRITSTONE_FUZZ_SEED` draws other changes, `GRITSTONE_FUZZ_ROUNDS` more of them (the default is a few seconds for each kind).

#[path = "hostile/mutate.rs"]
mod mutate;
#[path = "hostile/targets.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gritstone::engine::World;
use gritstone::io::checkpoint::{self, Stamp};
use gritstone::run::{Options, run};
use gritstone::scene::{Build, Scene};
use mutate::{Random, mutate};
use targets::{SMALL, TARGETS, chunk};

/// The longest time that one input may take: scenes of ten thousand grains take a second.
const PATIENCE: Duration = Duration::from_secs(30);

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What stands in the folder of a target, and what only a program can write.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let entries = fs::read_dir(&folder).map(|entries| entries.map(|entry| entry.unwrap().path()).collect());
    let mut paths: Vec<PathBuf> = entries.unwrap_or_default();
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths.into_iter().map(|path| fs::read(path).unwrap()).collect();
    seeds.extend(made(name));
    assert!(!seeds.is_empty(), "{} is empty", folder.display());
    seeds
}

/// Seeds that depend on the version of the program.
fn made(name: &str) -> Option<Vec<u8>> {
    let Ok(Build::Space(built)) = Scene::parse(SMALL, "small").unwrap().build() else { panic!("in space") };
    let mut world = World::new(&built.setup).unwrap();
    (0..50).for_each(|_| world.step().unwrap());
    let payload = world.save().unwrap();
    let folder = tempfile::tempdir().unwrap();
    match name {
        "world" => Some(payload),
        "checkpoint" => {
            checkpoint::write(folder.path(), &Stamp::default(), &payload).unwrap();
            Some(fs::read(folder.path().join(checkpoint::LATEST)).unwrap())
        }
        "trajectory" | "frame" => {
            let options = Options { steps: Some(40), ..Options::new(folder.path()) };
            let text = format!("output = {{ every = 1e-4 }}\n{SMALL}");
            run(&Scene::parse(&text, "small").unwrap(), &options, &mut ()).unwrap();
            let file = fs::read(folder.path().join("trajectory.grit")).unwrap();
            Some(if name == "frame" { payloads(&file) } else { file })
        }
        "stage" => {
            run(&Scene::parse(SMALL, "small").unwrap(), &Options::new(folder.path()), &mut ()).unwrap();
            let latest = folder.path().join(checkpoint::LATEST);
            Some(checkpoint::read(&latest, &checkpoint::Expected::default()).unwrap().payload)
        }
        _ => None,
    }
}

/// What is beneath the checksums of a trajectory, each with its length before it.
fn payloads(file: &[u8]) -> Vec<u8> {
    use std::io::Read as _;
    let (mut at, mut found) = (16, Vec::new());
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| file[at + i])) as usize;
    let mut wanted = [b"HEAD", b"GRNS", b"CELL", b"FRAM"].into_iter().peekable();
    while at + 40 <= file.len() {
        let (tag, stored) = (&file[at..at + 4], word(at + 4));
        if tag == b"FRAM" {
            found.extend(wanted.next_if(|wanted| *wanted == b"CELL").map_or(Vec::new(), |_| vec![0; 4]));
        }
        if wanted.next_if(|wanted| &wanted[..] == tag).is_some() {
            let mut payload = Vec::new();
            flate2::read::ZlibDecoder::new(&file[at + 40..at + 40 + stored])
                .read_to_end(&mut payload)
                .unwrap();
            found.extend((payload.len() as u32).to_le_bytes());
            found.extend(payload);
        }
        at += 40 + stored;
    }
    found
}

/// Seeds, then so many changes of them; what makes a target panic is kept in a file.
fn attack(name: &str, rounds: u64) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let seeds = seeds(name);
    let rounds = setting("GRITSTONE_FUZZ_ROUNDS", rounds);
    let mut random = Random::new(setting("GRITSTONE_FUZZ_SEED", 1));
    let changed = (0..rounds).map(|_| mutate(&seeds, &mut random));
    for (number, input) in seeds.iter().cloned().chain(changed).enumerate() {
        let start = Instant::now();
        let survived = catch_unwind(|| target(&input)).is_ok();
        if !survived || start.elapsed() > PATIENCE {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}-{number}"));
            fs::write(&path, &input).unwrap();
            let what = if survived { "takes too long" } else { "panics" };
            panic!("{name} {what} ({:.1?}) on {}", start.elapsed(), path.display());
        }
    }
}

#[test]
fn pairs() {
    attack("pair", 1500);
}

#[test]
fn scenes() {
    attack("scene", 1500);
}

#[test]
fn surfaces() {
    attack("stl", 6000);
    attack("obj", 6000);
    attack("ply", 6000);
}

#[test]
fn rocks() {
    attack("rock", 60);
}

#[test]
fn tables() {
    attack("csv", 8000);
    attack("dump", 8000);
}

#[test]
fn checkpoints() {
    attack("checkpoint", 3000);
    attack("world", 3000);
    attack("stage", 600);
}

#[test]
fn trajectories() {
    attack("trajectory", 3000);
    attack("frame", 4000);
}

/// Writes the seeds that depend on the version, for `fuzz/`.
#[test]
#[ignore = "a chore"]
fn write_seeds() {
    let folder = std::env::var("GRITSTONE_WRITE_SEEDS").expect("GRITSTONE_WRITE_SEEDS names a folder");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    for (name, _) in TARGETS {
        if let Some(seed) = made(name) {
            fs::create_dir_all(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("made"), seed).unwrap();
        }
    }
}

/// The target starts from what it is given: its seed is a run whose grains go on.
#[test]
fn stages_are_reached_beneath_their_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let stamp = Stamp { payload_version: gritstone::engine::SAVED_VERSION, ..Stamp::default() };
    checkpoint::write(folder.path(), &stamp, &made("stage").unwrap()).unwrap();
    let grains = SMALL.lines().find(|line| line.starts_with("grains")).unwrap();
    let text = SMALL.replace(grains, "grains = [{ from = \"run\", folder = \".\" }]");
    let mut scene = Scene::parse(&text, "stage").unwrap();
    scene.folder = folder.path().to_owned();
    let Ok(Build::Space(built)) = scene.build() else { panic!("in space") };
    assert_eq!(World::new(&built.setup).unwrap().status().grains, 12);
}

/// The frame that the target makes of what is beneath the checksums is one that can be read.
#[test]
fn frames_are_reached_beneath_their_checksums() {
    let payloads = made("frame").unwrap();
    let description = u32::from_le_bytes(std::array::from_fn(|i| payloads[i])) as usize;
    let mut file = b"\x89GRIT\r\n\x1a\x02\0\0\0\0\0\0\0".to_vec();
    file.extend(chunk(*b"HEAD", &payloads[4..4 + description]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trajectory.grit");
    fs::write(&path, file).unwrap();
    let reader = gritstone::io::trajectory::Reader::open(&path).unwrap();
    assert_eq!(reader.shapes::<gritstone::core::Space>().unwrap().len(), 3);
}

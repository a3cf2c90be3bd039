//! The same bits on every machine: on each instruction set that the lanes have, and whichever variants of its functions the
//! system's library of mathematics takes.

use std::fs;
use std::path::Path;

use crate::common::{folder, gritstone, stderr};

/// Instruction sets, as `GRITSTONE_LANES` names them.
const SETS: [&str; 3] = ["avx512", "avx2", "plain"];

/// Has glibc take its functions for processors without these instructions.
const TUNABLES: &str = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F";

/// Results of so many steps: the state at the end with 17 digits, every bit of it, and energies, forces on walls and frames on the way.
fn results(
    scene: &str,
    steps: &str,
    out: &Path,
    environment: &[(&str, &str)],
) -> Option<Vec<Option<Vec<u8>>>> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    let (scene, folder) = (scene.to_str().unwrap(), out.to_str().unwrap());
    let mut command = gritstone(&["run", scene, "--steps", steps, "--threads", "2", "--out", folder]);
    let output = command.env_remove("GRITSTONE_LANES").envs(environment.iter().copied()).output().unwrap();
    if stderr(&output).contains("this processor has") {
        return None;
    }
    assert!(output.status.success(), "{environment:?}: {}", stderr(&output));
    let must = ["final.csv", "checkpoint.bin"].map(|name| Some(fs::read(out.join(name)).unwrap()));
    let may = ["energies.csv", "walls.csv", "trajectory.grit"].map(|name| fs::read(out.join(name)).ok());
    Some(must.into_iter().chain(may).collect())
}

/// Each instruction set, without FMA in the system's library, too.
fn compare(scene: &str, steps: &str) {
    let folder = folder(&format!("same_bits_{scene}"));
    let expected = results(scene, steps, &folder.join("best"), &[]).unwrap();
    let tuned = results(scene, steps, &folder.join("tuned"), &[("GLIBC_TUNABLES", TUNABLES)]).unwrap();
    assert!(tuned == expected, "{scene}: other bits without FMA in the system's library");
    for set in SETS {
        let environment = [("GRITSTONE_LANES", set), ("GLIBC_TUNABLES", TUNABLES)];
        let tuned = usize::from(set == "plain");
        let found = results(scene, steps, &folder.join(set), &environment[..1 + tuned]);
        assert!(found.is_none_or(|found| found == expected), "{scene}: other bits on {set}");
    }
}

/// After 400 steps there are lanes without a contact, which hold what the instruction set has left there.
#[test]
fn space() {
    compare("demo.toml", "400");
}

#[test]
fn superellipsoids() {
    compare("settle-superellipsoid.toml", "300");
}

#[test]
fn plane() {
    compare("biaxial.toml", "300");
}

#[test]
fn unknown_instruction_sets_are_named() {
    let output = gritstone(&["methods"]).env("GRITSTONE_LANES", "avx1024").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("GRITSTONE_LANES is avx1024; this processor has"),
        "{}",
        stderr(&output)
    );
}

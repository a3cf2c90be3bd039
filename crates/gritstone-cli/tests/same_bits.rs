//! The same bits on every machine: on each instruction set that the lanes have, and whichever variants of its functions the
//! system's library of mathematics takes.

mod common;

use std::fs;
use std::path::Path;

use common::{folder, gritstone, stderr};

/// Instruction sets, as `GRITSTONE_LANES` names them.
const SETS: [&str; 3] = ["avx512", "avx2", "plain"];

/// Has glibc take its functions for processors without these instructions.
const TUNABLES: &str = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F";

/// Results of so many steps: the state at the end with 17 digits, and every bit of it.
fn results(scene: &str, out: &Path, environment: Option<(&str, &str)>) -> Option<[Vec<u8>; 2]> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    let (scene, folder) = (scene.to_str().unwrap(), out.to_str().unwrap());
    let mut command = gritstone(&["run", scene, "--steps", "300", "--threads", "2", "--out", folder]);
    let output = command.env_remove("GRITSTONE_LANES").envs(environment).output().unwrap();
    if stderr(&output).contains("this processor has") {
        return None;
    }
    assert!(output.status.success(), "{environment:?}: {}", stderr(&output));
    Some(["final.csv", "checkpoint.bin"].map(|name| fs::read(out.join(name)).unwrap()))
}

fn compare(scene: &str) {
    let folder = folder(&format!("same_bits_{scene}"));
    let expected = results(scene, &folder.join("best"), None).unwrap();
    let tuned = results(scene, &folder.join("tuned"), Some(("GLIBC_TUNABLES", TUNABLES))).unwrap();
    assert!(tuned == expected, "{scene}: other bits without FMA in the system's library");
    for set in SETS {
        let Some(found) = results(scene, &folder.join(set), Some(("GRITSTONE_LANES", set))) else { continue };
        assert!(found == expected, "{scene}: other bits on {set}");
    }
}

#[test]
fn space() {
    compare("demo.toml");
}

#[test]
fn superellipsoids() {
    compare("settle-superellipsoid.toml");
}

#[test]
fn plane() {
    compare("biaxial.toml");
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

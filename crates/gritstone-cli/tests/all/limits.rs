//! What is larger than the memory that there may be is refused with a word, before it is made.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{folder, gritstone, run, stderr};

const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -9.81]
[time]
end = "1 ms"
[materials.stone]
density = 2500
young = "10 MPa"
poisson = 0.3
friction = 0.3
[shapes.ball]
shape = "sphere"
radius = "1 mm"
"#;

/// Checks a scene under a limit; what it is told, or nothing where all is well.
fn refused(folder: &Path, grains: &str, limit: &str) -> Option<String> {
    let path = folder.join("scene.toml");
    fs::write(&path, format!("{SCENE}{grains}")).unwrap();
    let output = run(&["check", path.to_str().unwrap(), "--memory-limit", limit], b"");
    match output.status.code() {
        Some(0) => None,
        Some(2) => Some(stderr(&output)),
        code => panic!("{code:?}: {}", stderr(&output)),
    }
}

fn lattice(side: u32) -> String {
    format!(
        "[[grains]]\nfrom = \"lattice\"\nshape = \"ball\"\nmaterial = \"stone\"\ncount = [{side}, {side}, {side}]\n\
         spacing = [0.003, 0.003, 0.003]\norigin = [0, 0, 0]\n"
    )
}

#[test]
fn more_grains_than_there_is_memory_for_are_not_made() {
    let folder = folder("limits-grains");
    let told = refused(&folder, &lattice(500), "8GB").unwrap();
    assert!(
        told.contains("grains[0].count makes 125000000 grains, which take 87.5 GB of memory at least, but the limit is 8 GB"),
        "{told}"
    );
    let random = "[[grains]]\nfrom = \"random\"\nshape = \"ball\"\nmaterial = \"stone\"\ncount = 125000000\n\
                  region = { kind = \"box\", low = [0, 0, 0], high = [2, 2, 2] }\n";
    let told = refused(&folder, random, "8GB").unwrap();
    assert!(told.contains("grains[0].count makes 125000000 grains"), "{told}");
    // What one group leaves is what the next has.
    let told = refused(&folder, &(lattice(10) + &lattice(10)), "1MB").unwrap();
    assert!(told.contains("grains[1].count makes 1000 grains, with 1000 of other groups"), "{told}");
    assert_eq!(refused(&folder, &lattice(10), "100MB"), None);
}

#[test]
fn more_pairs_of_materials_than_there_is_memory_for_are_not_mixed() {
    let folder = folder("limits-materials");
    let mut many = lattice(2);
    for i in 0..2000 {
        writeln!(many, "[materials.m{i}]\nyoung = 1e7\npoisson = 0.3\nfriction = 0.3").unwrap();
    }
    let told = refused(&folder, &many, "100MB").unwrap();
    assert!(told.contains("there are 2001 materials, whose pairs take"), "{told}");
    assert!(told.contains("the limit is 100 MB (--memory-limit)"), "{told}");
}

#[test]
fn files_that_are_too_long_are_not_read() {
    let folder = folder("limits-files");
    let from = |kind: &str, file: &str| {
        format!("[[grains]]\nfrom = \"{kind}\"\nshape = \"ball\"\nmaterial = \"stone\"\nfile = \"{file}\"\n")
    };
    fs::write(folder.join("long.csv"), vec![b'1'; 3_000_000]).unwrap();
    let told = refused(&folder, &from("csv", "long.csv"), "10MB").unwrap();
    assert!(told.contains("long.csv: it has 3000000 bytes, but at most 2500000 may be read"), "{told}");
    fs::write(folder.join("long.stl"), vec![b'1'; 3_000_000]).unwrap();
    let mesh = lattice(2) + "[walls.w]\nkind = \"mesh\"\nfile = \"long.stl\"\nmaterial = \"stone\"\n";
    let told = refused(&folder, &mesh, "10MB").unwrap();
    assert!(told.contains("it has 3000000 bytes, but at most 625000 may be read"), "{told}");
    fs::write(folder.join("long.dump"), vec![b'1'; 3_000_000]).unwrap();
    let told = refused(&folder, &from("dump", "long.dump"), "1GB").unwrap();
    assert!(told.contains("long.dump:1: the line is longer than 1048576 bytes"), "{told}");
    let told = refused(&folder, &" ".repeat(3_000_000), "10MB").unwrap();
    assert!(told.contains("scene.toml: cannot be read: it has"), "{told}");
}

/// A corner of a polygon takes two bytes of a file or one, and seventy in memory.
#[test]
fn polygons_with_more_corners_than_there_is_memory_for_are_not_cut() {
    let folder = folder("limits-polygons");
    let obj = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf {}\n", "1 2 3 ".repeat(40_000));
    fs::write(folder.join("round.obj"), obj).unwrap();
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty double x\nproperty double y\n\
                  property double z\nelement face 1\nproperty list uint uchar vertex_indices\nend_header\n";
    let ply = [header.as_bytes(), &[0; 24], &120_000_u32.to_le_bytes(), &[0; 120_000]].concat();
    fs::write(folder.join("round.ply"), ply).unwrap();
    for (name, place) in [("round.obj", ":4: "), ("round.ply", ": ")] {
        let wall = format!("[walls.w]\nkind = \"mesh\"\nfile = \"{name}\"\nmaterial = \"stone\"\n");
        let told = refused(&folder, &(lattice(2) + &wall), "10MB").unwrap();
        let expected =
            format!("{name}{place}there are more than 12500 triangles, which is all that may be read");
        assert!(told.contains(&expected), "{told}");
    }
}

/// Devices have no length; they are read up to the limit.
#[cfg(unix)]
#[test]
fn files_that_never_end_are_read_up_to_the_limit() {
    let folder = folder("limits-endless");
    for kind in ["csv", "dump"] {
        let endless = format!(
            "[[grains]]\nfrom = \"{kind}\"\nshape = \"ball\"\nmaterial = \"stone\"\nfile = \"/dev/zero\"\n"
        );
        let told = refused(&folder, &endless, "50MB").unwrap();
        assert!(told.contains("does not end") || told.contains("longer than"), "{told}");
    }
    let output = run(&["check", "/dev/zero", "--memory-limit", "50MB"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not end"), "{}", stderr(&output));
}

/// Runs the scene with a variable of the environment; what it is told. Nothing has been written then.
fn refused_in(folder: &Path, variable: [&str; 2], more: &[&str]) -> String {
    let path = folder.join("scene.toml");
    fs::write(&path, format!("{SCENE}{}", lattice(2))).unwrap();
    let out = folder.join("out");
    let arguments = [&["run", path.to_str().unwrap(), "--out", out.to_str().unwrap()], more].concat();
    let output = gritstone(&arguments).env(variable[0], variable[1]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!out.exists());
    stderr(&output)
}

/// Each process would run the whole scene into the same folder.
#[cfg(not(feature = "mpi"))]
#[test]
fn several_processes_without_mpi_are_refused() {
    let folder = folder("limits-processes");
    for name in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"] {
        let told = refused_in(&folder, [name, "4"], &[]);
        assert!(told.contains("built without MPI"), "{told}");
    }
}

#[test]
fn a_gpu_that_is_not_there_is_told() {
    let told = refused_in(&folder("limits-gpu"), ["CUDA_VISIBLE_DEVICES", ""], &["--backend", "gpu"]);
    assert!(told.contains("CUDA"), "{told}");
}

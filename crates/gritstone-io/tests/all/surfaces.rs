//! Surfaces from files of other programs.

use std::fs;
use std::path::PathBuf;

use glam::DVec3;
use gritstone_io::surfaces::{Corners, read_triangles};
use tempfile::TempDir;

/// A tetrahedron: corners, and triangles that name them.
const POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn tetrahedron() -> Vec<Corners> {
    FACES.iter().map(|face| face.map(|i| DVec3::from(POINTS[i]))).collect()
}

fn file(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

fn text() -> String {
    let mut text = "solid thing\n".to_owned();
    for face in FACES {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for corner in face {
            let [x, y, z] = POINTS[corner];
            text += &format!("      vertex {x:e} {y} {z}\n");
        }
        text += "    endloop\n  endfacet\n";
    }
    text + "endsolid thing\n"
}

fn bytes(head: &[u8]) -> Vec<u8> {
    let mut bytes = head.to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        let numbers = face.iter().flat_map(|&corner| POINTS[corner]);
        bytes.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

const PLY_FACES: [[i32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

fn ply_header(format: &str, more: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment made by hand\nelement vertex 4\nproperty double x\nproperty double y\nproperty double \
         z\n{more}element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    )
}

/// With a property and an element that say nothing of the surface.
fn ply_text() -> String {
    let mut text = ply_header("ascii", "property float quality\nelement edge 1\nproperty uchar a\n");
    POINTS.iter().for_each(|[x, y, z]| text += &format!("{x} {y} {z} 0.5\n"));
    text += "7\n";
    PLY_FACES.iter().for_each(|[a, b, c]| text += &format!("3 {a} {b} {c}\n"));
    text
}

fn ply_bytes(order: &str, real: fn(f64) -> [u8; 8], whole: fn(i32) -> [u8; 4]) -> Vec<u8> {
    let mut bytes = ply_header(&format!("binary_{order}_endian"), "").into_bytes();
    POINTS.iter().flatten().for_each(|x| bytes.extend(real(*x)));
    for face in PLY_FACES {
        bytes.push(3);
        face.iter().for_each(|i| bytes.extend(whole(*i)));
    }
    bytes
}

#[test]
fn all_formats_say_the_same() {
    let folder = TempDir::new().unwrap();
    let mut obj = "# a tetrahedron\no thing\n".to_owned();
    POINTS.iter().for_each(|[x, y, z]| obj += &format!("v {x} {y} {z}\n"));
    obj += "vn 0 0 1\ng all\nf 1 3 2\nf 1//1 2//1 4//1\nf -3/1/1 -2/1/1 -1/1/1\nf 3 1 4\n";
    for path in [
        file(&folder, "text.stl", text()),
        file(&folder, "capitals.stl", text().to_uppercase()),
        file(&folder, "marked.stl", format!("\u{feff}{}", text())),
        file(&folder, "bytes.stl", bytes(b"made by hand")),
        // Many programs begin their bytes as the text does.
        file(&folder, "solid.STL", bytes(b"solid thing")),
        file(&folder, "thing.obj", obj),
        file(&folder, "text.ply", ply_text()),
        file(&folder, "little.ply", ply_bytes("little", f64::to_le_bytes, i32::to_le_bytes)),
        file(&folder, "big.ply", ply_bytes("big", f64::to_be_bytes, i32::to_be_bytes)),
    ] {
        assert_eq!(read_triangles(&path).unwrap(), tetrahedron(), "{}", path.display());
    }
}

#[test]
fn faces_with_many_corners_are_cut() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    let triangles = read_triangles(&path).unwrap();
    let area: f64 = triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).z).sum();
    assert_eq!((triangles.len(), area), (2, 1.0));
}

/// They take no bytes, so that no end of the file bounds their number.
#[test]
fn elements_without_properties_are_passed_over_at_once() {
    let folder = TempDir::new().unwrap();
    let text = ply_text().replace("end_header", "element nothing 18446744073709551615\nend_header");
    assert_eq!(read_triangles(&file(&folder, "many.ply", text)).unwrap(), tetrahedron());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = TempDir::new().unwrap();
    let told = |name: &str, content: &[u8]| {
        let told = read_triangles(&file(&folder, name, content)).unwrap_err().to_string();
        told.split_once(name).map_or(told.clone(), |(_, told)| told.to_owned())
    };
    let number = text().replace("5e-1", "0.5").replacen("vertex 1e0 0 0", "vertex one 0 0", 1);
    assert_eq!(told("a.stl", number.as_bytes()), ":6: \"one\" is where a finite coordinate must be");
    let short = text().replacen("      vertex 0e0 0 0\n", "", 1);
    assert_eq!(told("b.stl", short.as_bytes()), ":6: a loop of 2 vertices ends, but must have 3");
    assert_eq!(told("c.stl", b"hello\n"), ":1: \"hello\" is no word of an STL file");
    let mut cut = bytes(b"cut");
    cut.pop();
    assert!(told("d.stl", &cut).contains("4 triangles, which take 284 bytes, but is 283 bytes long"));
    assert_eq!(told("e.obj", b"v 0 0 0\nf 1 2 3\n"), ":2: \"2\" names no vertex; there are 1 so far");
    assert_eq!(told("f.obj", b"v 0 0\n"), ":1: \"nothing\" is where a finite coordinate must be");
    assert!(told("g.off", b"OFF\n").contains("must end in one of .stl, .obj, .ply"));
    let missing_vertex = ply_text().replace("3 2 0 3", "3 2 0 4");
    assert_eq!(told("h.ply", missing_vertex.as_bytes()), ": face 4 has vertex 4, but there are 4");
    let mut cut = ply_bytes("little", f64::to_le_bytes, i32::to_le_bytes);
    cut.pop();
    assert_eq!(told("i.ply", &cut), ": it ends too early");
    assert_eq!(told("j.ply", b"ply\n"), ": its header does not end");
    let two_corners = ply_text().replace("3 2 0 3", "2 2 0");
    assert_eq!(told("k.ply", two_corners.as_bytes()), ": face 4 has 2 vertices, but must have 3 or more");
    let missing = read_triangles(&folder.path().join("none.stl")).unwrap_err().to_string();
    assert!(missing.contains("cannot read") && missing.contains("none.stl"), "{missing}");
}

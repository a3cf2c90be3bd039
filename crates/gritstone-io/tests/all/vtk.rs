//! VTK files, taken apart by a parser of XML and a decoder that follows the published layout.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use crate::common::{Sample, in_plane, in_space};
use flate2::read::ZlibDecoder;
use glam::{DMat3, DVec3};
use gritstone_core::Pose;
use gritstone_io::vtk::{Content, Frames};
use gritstone_shape::space::Solid;
use gritstone_shape::{Body, Support};

/// A file taken apart: arrays by element and name, all numbers as f64.
struct Vtp {
    counts: HashMap<String, usize>,
    arrays: HashMap<(String, String), Vec<f64>>,
}

impl Vtp {
    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let marker = b"<AppendedData encoding=\"raw\">\n_";
        let at = bytes.windows(marker.len()).position(|window| window == marker).unwrap();
        let appended = &bytes[at + marker.len()..];
        assert!(appended.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
        let text = String::from_utf8(bytes[..at].to_vec()).unwrap() + "</VTKFile>";
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("type"), Some("PolyData"));
        assert_eq!(root.attribute("header_type"), Some("UInt64"));
        assert_eq!(root.attribute("compressor"), Some("vtkZLibDataCompressor"));
        let piece = document.descendants().find(|node| node.has_tag_name("Piece")).unwrap();
        let counts = piece.attributes().map(|a| (a.name().to_owned(), a.value().parse().unwrap())).collect();
        let arrays = document.descendants().filter(|node| node.has_tag_name("DataArray")).map(|node| {
            let offset: usize = node.attribute("offset").unwrap().parse().unwrap();
            let element = node.parent().unwrap().tag_name().name().to_owned();
            let name = node.attribute("Name").unwrap().to_owned();
            ((element, name), numbers(node.attribute("type").unwrap(), &inflate(&appended[offset..])))
        });
        Self { counts, arrays: arrays.collect() }
    }

    fn get(&self, element: &str, name: &str) -> &[f64] {
        &self.arrays[&(element.to_owned(), name.to_owned())]
    }

    fn points(&self) -> Vec<DVec3> {
        self.get("Points", "Points").chunks(3).map(DVec3::from_slice).collect()
    }

    /// The cells of one kind as lists of points.
    fn cells(&self, kind: &str) -> Vec<Vec<usize>> {
        let connectivity: Vec<usize> = self.get(kind, "connectivity").iter().map(|&x| x as usize).collect();
        let mut start = 0;
        let cut = |&end: &f64| {
            let cell = connectivity[start..end as usize].to_vec();
            start = end as usize;
            cell
        };
        self.get(kind, "offsets").iter().map(cut).collect()
    }
}

/// Undoes the blocks of `vtkZLibDataCompressor`.
fn inflate(bytes: &[u8]) -> Vec<u8> {
    let word = |i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap()) as usize;
    let (blocks, block, last) = (word(0), word(1), word(2));
    let (mut at, mut out) = (8 * (3 + blocks), Vec::new());
    for i in 0..blocks {
        let mut raw = Vec::new();
        ZlibDecoder::new(&bytes[at..at + word(3 + i)]).read_to_end(&mut raw).unwrap();
        assert_eq!(raw.len(), if i + 1 == blocks && last > 0 { last } else { block });
        out.extend(raw);
        at += word(3 + i);
    }
    out
}

fn numbers(kind: &str, bytes: &[u8]) -> Vec<f64> {
    let four = |decode: fn([u8; 4]) -> f64| bytes.chunks(4).map(|b| decode(b.try_into().unwrap())).collect();
    match kind {
        "Float32" => four(|b| f32::from_le_bytes(b).into()),
        "Int32" => four(|b| i32::from_le_bytes(b).into()),
        "UInt32" => four(|b| u32::from_le_bytes(b).into()),
        "Float64" => bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
        other => panic!("no decoder for {other}"),
    }
}

fn written<D: gritstone_io::tessellation::Surfaces>(sample: &Sample<D>, detail: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let content = Content { surfaces: Some(detail), contacts: true };
    let mut frames = Frames::create(folder.path(), &sample.shapes, &sample.walls, content).unwrap();
    frames.push(&sample.snapshot).unwrap();
    folder
}

/// Distance of a point from the surface along the normal direction, by the support function of the shape: zero at most
/// for points of the body, and no less than −tolerance for those of its surface with that normal.
fn off_surface(shape: &Solid, point: DVec3, normal: DVec3) -> f64 {
    normal.dot(point) - normal.dot(shape.support(normal))
}

#[test]
fn surfaces_are_the_shapes() {
    let sample = in_space(7);
    let folder = written(&sample, 6);
    let file = Vtp::read(&folder.path().join("grains_000000007.vtp"));
    assert_eq!(file.get("FieldData", "TimeValue"), [7e-4]);
    let (points, normals) = (file.points(), file.get("PointData", "Normals"));
    let normals: Vec<DVec3> = normals.chunks(3).map(DVec3::from_slice).collect();
    assert_eq!((points.len(), normals.len()), (file.counts["NumberOfPoints"], points.len()));
    let (cells, ids) = (file.cells("Polys"), file.get("CellData", "id"));
    assert_eq!(cells.len(), ids.len());
    for (body, shape) in sample.snapshot.bodies.iter().zip(&sample.shapes) {
        let pose: Pose<gritstone_core::Space> = body.pose;
        let mine: Vec<&Vec<usize>> = cells
            .iter()
            .zip(ids)
            .filter(|(_, id)| **id == f64::from(body.id))
            .map(|(cell, _)| cell)
            .collect();
        let mut volume = 0.0;
        for cell in &mine {
            for &i in *cell {
                let n = pose.rotation.conjugate() * normals[i];
                let off = off_surface(shape, pose.to_body(points[i]), n.normalize());
                assert!(off.abs() < 2e-6, "{}: {off}", shape.word());
            }
            let [a, b, c] = [0, 1, 2].map(|k| points[cell[k]] - body.pose.position);
            volume += a.dot(b.cross(c)) / 6.0;
        }
        let exact = shape.body().unwrap().mass().volume;
        assert!((volume / exact - 1.0).abs() < 0.03, "{}: {volume} {exact}", shape.word());
    }
}

#[test]
fn cells_carry_their_grain() {
    let sample = in_space(0);
    let folder = written(&sample, 1);
    let file = Vtp::read(&folder.path().join("grains_000000000.vtp"));
    let column = |name| file.get("CellData", name);
    for (i, &id) in column("id").iter().enumerate() {
        let body = sample.snapshot.bodies.iter().find(|body| f64::from(body.id) == id).unwrap();
        assert_eq!(column("shape")[i], f64::from(body.shape));
        assert_eq!(column("material")[i], f64::from(body.material));
        assert_eq!(column("coordination")[i], f64::from(body.coordination));
        assert!((column("speed")[i] / body.velocity.length() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn glyphs_have_the_axes_of_the_grains() {
    let sample = in_space(0);
    let folder = written(&sample, 1);
    let file = Vtp::read(&folder.path().join("points_000000000.vtp"));
    let tuple =
        |name, width: usize, i: usize| file.get("PointData", name)[width * i..width * (i + 1)].to_vec();
    for (i, body) in sample.snapshot.bodies.iter().enumerate() {
        assert!((file.points()[i] - body.pose.position).length() < 1e-6);
        assert!((DVec3::from_slice(&tuple("velocity", 3, i)) - body.velocity).length() < 1e-6);
        let q = body.pose.rotation;
        let near =
            tuple("quaternion", 4, i).iter().zip([q.w, q.x, q.y, q.z]).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near);
    }
    // The second superellipsoid: radii 0.1, 0.15, 0.3, ε = 0.6 across, 1.7 along z.
    assert!((DVec3::from_slice(&tuple("semi_axes", 3, 3)) - DVec3::new(0.1, 0.15, 0.3)).length() < 1e-7);
    let blockiness = tuple("blockiness", 2, 3);
    assert!((blockiness[0] - 2.0 / 1.7).abs() < 1e-6 && (blockiness[1] - 2.0 / 0.6).abs() < 1e-6);
    let tensor = DMat3::from_cols_slice(&tuple("tensor", 9, 3));
    let axes = DMat3::from_quat(sample.snapshot.bodies[3].pose.rotation);
    for (column, expected) in [(0, axes.x_axis * 0.1), (1, axes.z_axis * 0.3), (2, axes.y_axis * -0.15)] {
        assert!((tensor.col(column) - expected).length() < 1e-7);
    }
    assert_eq!(tuple("tensor", 9, 5), [0.0; 9], "a polyhedron has no such glyph");
}

#[test]
fn contacts_run_from_centre_to_contact_to_centre() {
    let sample = in_space(0);
    let folder = written(&sample, 1);
    let file = Vtp::read(&folder.path().join("contacts_000000000.vtp"));
    let (points, lines) = (file.points(), file.cells("Lines"));
    let at = |line: usize| -> Vec<DVec3> { lines[line].iter().map(|&i| points[i]).collect() };
    let [first, second] = [0, 1].map(|i| sample.snapshot.bodies[i].pose.position);
    let near = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).all(|(a, b)| (*a - *b).length() < 1e-6);
    assert!(near(&at(0), &[first, sample.snapshot.contacts[0].point]) && at(0).len() == 2);
    assert!(near(&at(1), &[first, sample.snapshot.contacts[1].point, second]) && at(1).len() == 3);
    assert_eq!(file.get("CellData", "force_magnitude"), [50.0, 50.0]);
    assert_eq!(file.get("PointData", "force_magnitude"), [50.0; 5]);
    assert_eq!(file.get("CellData", "with_wall"), [1.0, 0.0]);
    assert_eq!(file.get("CellData", "b"), [0.0, 13.0]);
}

#[test]
fn walls_without_end_are_shown_near_the_grains() {
    let folder = written(&in_space(0), 1);
    let file = Vtp::read(&folder.path().join("walls_000000000.vtp"));
    let cells = file.cells("Polys");
    let floor = &cells[0];
    assert_eq!(floor.len(), 4);
    assert!(floor.iter().all(|&i| (file.points()[i].z + 1.0).abs() < 1e-6), "the floor is at z = −1");
    let reach = floor.iter().map(|&i| file.points()[i].x).fold(f64::NEG_INFINITY, f64::max);
    assert!(reach > 7.0 && reach < 20.0, "{reach}");
    assert_eq!(file.get("CellData", "wall")[0], 0.0);
    assert_eq!(cells.len(), file.get("CellData", "wall").len());
}

#[test]
fn walls_that_were_removed_are_not_shown() {
    let mut sample = in_space(0);
    sample.snapshot.walls[0].present = false;
    let folder = written(&sample, 1);
    let file = Vtp::read(&folder.path().join("walls_000000000.vtp"));
    assert!(file.get("CellData", "wall").iter().all(|wall| *wall == 1.0));
}

#[test]
fn the_plane_has_polygons_and_lines() {
    let sample = in_plane(3);
    let folder = written(&sample, 16);
    let file = Vtp::read(&folder.path().join("grains_000000003.vtp"));
    let (points, cells) = (file.points(), file.cells("Polys"));
    assert_eq!(cells.len(), 4);
    assert_eq!(cells[3].len(), 3, "a triangle has three corners");
    for (cell, shape) in cells.iter().zip(&sample.shapes) {
        let next = cell.iter().cycle().skip(1);
        let area: f64 = cell.iter().zip(next).map(|(&i, &j)| 0.5 * points[i].cross(points[j]).z).sum();
        assert!((area / shape.mass().volume - 1.0).abs() < 1e-3);
    }
    assert!(points.iter().all(|p| p.z == 0.0));
    let walls = Vtp::read(&folder.path().join("walls_000000003.vtp"));
    assert_eq!((walls.cells("Lines").len(), walls.cells("Polys").len()), (2, 1));
    assert_eq!(walls.get("CellData", "wall"), [1.0, 2.0, 0.0], "lines come before polygons");
    assert_eq!(walls.get("CellData", "force")[..3], [1.0, -1.0, 0.0]);
}

/// A circle of radius 0.25, an ellipse, a superellipse of fifth powers, and a triangle, which is no superquadric.
#[test]
fn glyphs_in_the_plane_are_flat() {
    let sample = in_plane(3);
    let folder = written(&sample, 16);
    let file = Vtp::read(&folder.path().join("points_000000003.vtp"));
    let same = |name, expected: &[f64]| {
        let found = file.get("PointData", name);
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7);
        assert!(near && found.len() == expected.len(), "{name}: {found:?}");
    };
    same("semi_axes", &[0.25, 0.25, 0.0, 0.3, 0.1, 0.0, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0]);
    same("blockiness", &[2.0, 2.0, 2.0, 2.0, 2.0, 5.0, 0.0, 0.0]);
    // The ellipse is turned by −0.3: columns are 0.3 (cos, sin), nothing, and −0.1 (−sin, cos).
    let (sin, cos) = (-0.3_f64).sin_cos();
    let tensor = [0.3 * cos, 0.3 * sin, 0.0, 0.0, 0.0, 0.0, 0.1 * sin, -0.1 * cos, 0.0];
    let found = &file.get("PointData", "tensor")[9..18];
    assert!(found.iter().zip(tensor).all(|(a, b)| (a - b).abs() < 1e-7), "{found:?}");
}

/// The frames that a series lists: time and file.
fn listed(path: &Path) -> Vec<(f64, String)> {
    let text = fs::read_to_string(path).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().attribute("type"), Some("Collection"));
    let sets = document.descendants().filter(|node| node.has_tag_name("DataSet"));
    sets.map(|set| {
        (set.attribute("timestep").unwrap().parse().unwrap(), set.attribute("file").unwrap().to_owned())
    })
    .collect()
}

#[test]
fn the_series_is_valid_after_every_frame_and_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let content = Content { surfaces: None, contacts: false };
    let first = in_space(0);
    let mut frames = Frames::create(folder.path(), &first.shapes, &first.walls, content).unwrap();
    let pvd = folder.path().join("points.pvd");
    for (count, step) in [0, 10, 20, 30].into_iter().enumerate() {
        assert_eq!(listed(&pvd).len(), count);
        frames.push(&in_space(step).snapshot).unwrap();
        assert!(listed(&pvd).iter().all(|(_, file)| folder.path().join(file).is_file()));
    }
    let whole = fs::read(&pvd).unwrap();
    let mut frames = Frames::resume(folder.path(), &first.shapes, &first.walls, content, 15, &[]).unwrap();
    assert_eq!(frames.last_step(), Some(10));
    assert_eq!(listed(&pvd), [(0.0, "points_000000000.vtp".into()), (1e-3, "points_000000010.vtp".into())]);
    assert!(!folder.path().join("points_000000020.vtp").exists());
    [10, 20, 30].into_iter().for_each(|step| frames.push(&in_space(step).snapshot).unwrap());
    assert_eq!(fs::read(&pvd).unwrap(), whole);
    assert!(!folder.path().join("grains.pvd").exists(), "what is not wanted is not written");
}

#[test]
fn a_world_without_grains_can_be_written() {
    let sample = in_space(0);
    let empty = gritstone_engine::Snapshot { walls: sample.snapshot.walls.clone(), ..Default::default() };
    let folder = written(&Sample { snapshot: empty, ..sample }, 1);
    let file = Vtp::read(&folder.path().join("grains_000000000.vtp"));
    assert_eq!(file.counts["NumberOfPoints"], 0);
}

//! Writes a few frames with every kind of shape, and what they must show, for `tests/python/read_vtk.py`.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use gritstone_io::tessellation::Surfaces;
use gritstone_io::vtk::{Content, Frames};
use serde_json::{Value, json};

#[path = "../tests/all/common/mod.rs"]
mod common;

use common::{Sample, in_plane, in_space};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: vtk_sample FOLDER")?);
    let expected = json!({
        "space": write(&folder.join("space"), &[0, 10, 20].map(in_space), |shape| {
            shape.body().map_or(0.0, |body| body.mass().volume)
        })?,
        "plane": write(&folder.join("plane"), &[0, 10, 20].map(in_plane), |shape| {
            gritstone_shape::Body::mass(shape).volume
        })?,
    });
    fs::write(folder.join("expected.json"), expected.to_string())?;
    Ok(())
}

/// Writes the frames, and returns what is in the last of them.
fn write<D: Surfaces>(
    folder: &std::path::Path,
    samples: &[Sample<D>],
    volume: impl Fn(&D::Shape) -> f64,
) -> Result<Value, Box<dyn Error>> {
    let last = samples.last().ok_or("no frames")?;
    let content = Content { surfaces: Some(8), contacts: true };
    let mut frames = Frames::create(folder, &last.shapes, &last.walls, content)?;
    samples.iter().try_for_each(|sample| frames.push(&sample.snapshot))?;
    let grains = last.snapshot.bodies.iter().map(|body| {
        let shape = &last.shapes[body.shape as usize];
        json!({
            "id": body.id,
            "position": D::xyz(body.pose.position),
            "quaternion": D::quaternion(body.pose.rotation),
            "shape": D::describe(shape),
            "volume": volume(shape),
        })
    });
    let times: Vec<f64> = samples.iter().map(|sample| sample.snapshot.time).collect();
    Ok(json!({ "times": times, "grains": grains.collect::<Vec<_>>() }))
}

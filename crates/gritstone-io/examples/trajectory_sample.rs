//! Writes trajectories with every kind of shape, and what they hold, for `tests/python/read_trajectory.py`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use gritstone_engine::Snapshot;
use gritstone_io::tessellation::Surfaces;
use gritstone_io::trajectory::{Description, PackedRotation, Writer};
use serde_json::{Value, json};

#[path = "../tests/all/common/mod.rs"]
mod common;

use common::{Sample, in_plane, in_space};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: trajectory_sample FOLDER")?);
    fs::create_dir_all(&folder)?;
    let mut samples = [0, 10, 20].map(in_space);
    // A grain that leaves makes a new list.
    samples[2].snapshot.bodies.remove(5);
    write(&folder.join("space"), &samples)?;
    write(&folder.join("plane"), &[0, 10, 20].map(in_plane))
}

fn write<D: PackedRotation>(path: &Path, samples: &[Sample<D>]) -> Result<(), Box<dyn Error>> {
    let Sample { shapes, walls, .. } = samples.first().ok_or("no frames")?;
    let description =
        Description { title: "sample", shapes, compounds: None, shape_names: &[], materials: &[], walls };
    let mut writer = Writer::create(&path.with_extension("grit"), &description)?;
    samples.iter().try_for_each(|sample| writer.push(&sample.snapshot, true))?;
    let frames: Vec<Value> = samples.iter().map(|sample| as_json(&sample.snapshot)).collect();
    fs::write(path.with_extension("json"), json!({ "frames": frames }).to_string())?;
    Ok(())
}

fn as_json<D: Surfaces>(snapshot: &Snapshot<D>) -> Value {
    let grains = snapshot.bodies.iter().map(|body| {
        json!({
            "id": body.id,
            "shape": body.shape,
            "material": body.material,
            "coordination": body.coordination,
            "position": D::xyz(body.pose.position),
            "quaternion": D::quaternion(body.pose.rotation),
            "velocity": D::xyz(body.velocity),
            "spin": D::spin_xyz(body.spin),
        })
    });
    let contacts = snapshot.contacts.iter().map(|contact| {
        json!({
            "a": contact.a,
            "b": contact.b,
            "with_wall": contact.with_wall,
            "point": D::xyz(contact.point),
            "force": D::xyz(contact.force),
        })
    });
    json!({
        "step": snapshot.step,
        "time": snapshot.time,
        "grains": grains.collect::<Vec<_>>(),
        "walls": snapshot.walls.len(),
        "contacts": contacts.collect::<Vec<_>>(),
    })
}

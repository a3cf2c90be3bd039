//! The time that contacts of many pairs take from Rust, for comparison with other languages (`python/benchmarks/overheads.py`).
//!
//! `columns FILE COUNT R1 R2 R3 E1 E2`: COUNT pairs of superellipsoids; FILE has 2·COUNT positions and then as many quaternions,
//! as numbers of eight bytes; pair i is body i and body i + COUNT. Prints seconds and how many pairs touch.

use std::error::Error;
use std::time::Instant;

use glam::DVec3;
use gritstone_contact::columns::{Bodies, Outcome, poses_in_space, solve};
use gritstone_contact::{Goal, NarrowPhase};
use gritstone_core::Space;
use gritstone_shape::space::{Solid, Superellipsoid};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, count, shape @ ..] = &arguments[..] else {
        return Err("columns FILE COUNT R1 R2 R3 E1 E2".into());
    };
    let count: usize = count.parse()?;
    let shape: Vec<f64> = shape.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [r1, r2, r3, e1, e2] = shape[..] else { return Err("a superellipsoid has five numbers".into()) };
    let bytes = std::fs::read(file)?;
    let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
    let (positions, quaternions) = numbers.split_at(6 * count);
    let poses = poses_in_space(positions.as_chunks().0, quaternions.as_chunks().0)?;
    let shapes = [Solid::from(Superellipsoid::new(DVec3::new(r1, r2, r3), [e1, e2])?)];
    let pairs: Vec<[u32; 2]> = (0..count).map(|i| [i as u32, (i + count) as u32]).collect();
    let of_bodies = vec![0; 2 * count];
    let method = Space::method("auto").ok_or("no such method")?;
    let start = Instant::now();
    let bodies = Bodies::<Space>::new(&shapes, &of_bodies, &poses)?;
    let found = solve(&bodies, &pairs, method, Goal::Distance)?;
    let seconds = start.elapsed().as_secs_f64();
    let touching = found.outcome.iter().filter(|outcome| **outcome == Outcome::Contact).count();
    println!("{seconds} {touching}");
    Ok(())
}

//! Dumps of LAMMPS and LIGGGHTS: states of grains in the text that `dump custom` writes.
//!
//! | what | columns |
//! |---|---|
//! | id | `id` (needed), `type` |
//! | position | `x y z`, else `xu yu zu` (unwrapped), else `xs ys zs` or `xsu ysu zsu` (fractions of the box) |
//! | rotation | `quat1..4` (LIGGGHTS), `quatw quati quatj quatk`, or `c_q[1..4]`, `c_quat[1..4]`; the real part first |
//! | motion | `vx vy vz`, `omegax omegay omegaz` |
//! | size | `radius` or `diameter`; `shapex shapey shapez` (LIGGGHTS: half-axes); `c_shape[1..3]` (LAMMPS: diameters); `blockiness1 blockiness2` |
//!
//! Others are passed over. Bounds may be those of a tilted box; whether sides are periodic is not asked.

mod lines;
mod table;
mod write;

use std::path::Path;

use glam::DVec3;
use gritstone_core::Space;

use crate::file::FileError;
use crate::states::State;
use lines::Lines;
use table::Table;
pub use write::write_dump_frame;

/// Which moment of a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// The last one.
    #[default]
    Last,
    /// The one of this time step.
    Step(u64),
}

/// One moment of a dump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dump {
    /// The time step, as the dump counts.
    pub step: u64,
    /// The time, where the dump has it.
    pub time: Option<f64>,
    /// The box.
    pub bounds: Bounds,
    /// The grains, in the order of the file.
    pub grains: Vec<DumpGrain>,
}

/// The box of a dump: a corner and three edges, along x, in the x–y plane, and anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The corner with the least coordinates.
    pub corner: DVec3,
    /// The edges that start there.
    pub edges: [DVec3; 3],
}

/// A grain of a dump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DumpGrain {
    /// Where it is and how it moves; without names of shape and material.
    pub state: State<Space>,
    /// Its type, a number from one.
    pub kind: Option<u32>,
    /// Radius (m).
    pub radius: Option<f64>,
    /// Half-axes (m).
    pub semi_axes: Option<DVec3>,
    /// Blockiness n1, n2.
    pub blockiness: Option<[f64; 2]>,
}

/// Reads one moment of a dump; what is wrong is reported with file, line, column and value.
pub fn read_dump(path: &Path, which: Which) -> Result<Dump, FileError> {
    let mut lines = Lines::open(path)?;
    let mut found = None;
    let mut steps: Vec<u64> = Vec::new();
    while let Some(moment) = Moment::read(&mut lines)? {
        steps.push(moment.step);
        let wanted = which == Which::Last || which == Which::Step(moment.step);
        if wanted {
            found = Some(moment);
        }
        if wanted && which != Which::Last {
            break;
        }
    }
    let Some(moment) = found else {
        let what = match (steps.first(), steps.last(), which) {
            (Some(first), Some(last), Which::Step(step)) => {
                format!("there is no time step {step} among {} from {first} to {last}", steps.len())
            }
            _ => "there is no \"ITEM: TIMESTEP\" in it".to_owned(),
        };
        return Err(FileError::content(path, what));
    };
    let grains = moment.table.grains(path, &moment.bounds)?;
    Ok(Dump { step: moment.step, time: moment.time, bounds: moment.bounds, grains })
}

/// A moment with its lines still as text.
struct Moment {
    step: u64,
    time: Option<f64>,
    bounds: Bounds,
    table: Table,
}

impl Moment {
    /// The next moment; nothing at the end of the file.
    fn read(lines: &mut Lines<'_>) -> Result<Option<Self>, FileError> {
        let (mut step, mut time, mut count, mut bounds) = (None, None, None, None);
        while let Some(item) = lines.next_filled()? {
            let Some(item) = item.strip_prefix("ITEM:").map(|item| item.trim().to_owned()) else {
                return Err(lines.wrong("a line that starts with \"ITEM:\" must stand here"));
            };
            let (section, rest) = match ["BOX BOUNDS", "ATOMS"].iter().find(|word| item.starts_with(**word)) {
                Some(word) => (*word, item[word.len()..].trim()),
                None => (item.as_str(), ""),
            };
            match section {
                "TIMESTEP" => step = Some(lines.number("the time step", "a whole number")?),
                "TIME" => time = Some(lines.number("the time", "a number")?),
                "NUMBER OF ATOMS" => count = Some(lines.number("the number of atoms", "a whole number")?),
                "BOX BOUNDS" => bounds = Some(read_bounds(lines, rest)?),
                "ATOMS" => {
                    let [Some(step), Some(count)] = [step, count] else {
                        return Err(lines.wrong("TIMESTEP and NUMBER OF ATOMS must stand before ATOMS"));
                    };
                    let table = Table::read(lines, rest, count)?;
                    return Ok(Some(Self { step, time, bounds: bounds.unwrap_or_default(), table }));
                }
                // UNITS, and what later versions may add: one line each.
                _ => drop(lines.need("what this section says")?),
            }
        }
        match step {
            None => Ok(None),
            Some(_) => Err(lines.wrong("the file ends in the middle of a time step")),
        }
    }
}

/// Three lines `low high`, with the tilt behind where the box has one; or the edges themselves and the corner.
fn read_bounds(lines: &mut Lines<'_>, words: &str) -> Result<Bounds, FileError> {
    let general = words.starts_with("abc origin");
    let tilted = words.starts_with("xy xz yz");
    let count = 2 + usize::from(tilted) + 2 * usize::from(general);
    let rows = [lines.numbers(count)?, lines.numbers(count)?, lines.numbers(count)?];
    if general {
        let corner = DVec3::new(rows[0][3], rows[1][3], rows[2][3]);
        return Ok(Bounds { corner, edges: [0, 1, 2].map(|i| DVec3::from_slice(&rows[i][..3])) });
    }
    let [xy, xz, yz] = [0, 1, 2].map(|i| rows[i].get(2).copied().unwrap_or(0.0));
    // The bounds are those of the smallest upright box around the tilted one.
    let low = DVec3::new(0.0_f64.min(xy).min(xz).min(xy + xz), 0.0_f64.min(yz), 0.0);
    let high = DVec3::new(0.0_f64.max(xy).max(xz).max(xy + xz), 0.0_f64.max(yz), 0.0);
    let corner = DVec3::new(rows[0][0], rows[1][0], rows[2][0]) - low;
    let far = DVec3::new(rows[0][1], rows[1][1], rows[2][1]) - high;
    let size = far - corner;
    let edges = [DVec3::new(size.x, 0.0, 0.0), DVec3::new(xy, size.y, 0.0), DVec3::new(xz, yz, size.z)];
    Ok(Bounds { corner, edges })
}

//! The table of atoms.

use std::collections::HashSet;
use std::path::Path;

use glam::{DQuat, DVec3};
use gritstone_core::Pose;
use gritstone_files::memory;

use super::lines::Lines;
use super::{Bounds, DumpGrain};
use crate::file::FileError;
use crate::states::{State, unit_quaternion};
use crate::words::quote;

/// How codes call the rotation, its real part first.
static QUATERNIONS: &[[&str; 4]] = &[
    ["quat1", "quat2", "quat3", "quat4"],
    ["quatw", "quati", "quatj", "quatk"],
    ["c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]"],
    ["c_quat[1]", "c_quat[2]", "c_quat[3]", "c_quat[4]"],
];

/// Positions in lengths, best first.
static POSITIONS: &[[&str; 3]] = &[["x", "y", "z"], ["xu", "yu", "zu"]];
/// Positions as fractions of the box.
static FRACTIONS: &[[&str; 3]] = &[["xs", "ys", "zs"], ["xsu", "ysu", "zsu"]];

/// Columns and lines, still as text.
pub(super) struct Table {
    columns: Vec<String>,
    /// Number of the line that names the columns.
    title: u64,
    rows: Vec<String>,
}

impl Table {
    pub(super) fn read(lines: &mut Lines<'_>, columns: &str, count: u64) -> Result<Self, FileError> {
        let columns = columns.split_whitespace().map(str::to_owned).collect();
        let title = lines.line;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for i in 0..count {
            let row = lines.need(&format!("{} more of {count} atoms", count - i))?;
            if row.starts_with("ITEM:") {
                return Err(lines.wrong(format!("there are only {i} of {count} atoms")));
            }
            bytes += (row.capacity() + size_of::<String>() + size_of::<DumpGrain>()) as u64;
            if bytes > memory::limit() {
                return Err(lines.wrong(format!(
                    "{count} atoms take more than the limit of memory, {} bytes (--memory-limit): {i} have been read",
                    memory::limit()
                )));
            }
            rows.push(row);
        }
        Ok(Self { columns, title, rows })
    }

    /// What the table tells of each grain.
    pub(super) fn grains(&self, path: &Path, bounds: &Bounds) -> Result<Vec<DumpGrain>, FileError> {
        let wrong = |line, what| FileError::Line { path: path.to_owned(), line, what };
        let layout = Layout::of(&self.columns).map_err(|what| wrong(self.title, what))?;
        let mut ids = HashSet::new();
        let grain = |(row, line): (&String, u64)| {
            let fields: Vec<&str> = row.split_whitespace().collect();
            if fields.len() < self.columns.len() {
                let what = format!("{} fields, but there are {} columns", fields.len(), self.columns.len());
                return Err(wrong(line, what));
            }
            let row = Row { columns: &self.columns, fields };
            let grain = layout.grain(&row, bounds).map_err(|what| wrong(line, what))?;
            if !ids.insert(grain.state.id) {
                return Err(wrong(line, format!("id is {}, which an earlier line has", grain.state.id)));
            }
            Ok(grain)
        };
        self.rows.iter().zip(self.title + 1..).map(grain).collect()
    }
}

/// One line of the table.
struct Row<'r> {
    columns: &'r [String],
    fields: Vec<&'r str>,
}

impl Row<'_> {
    fn whole(&self, at: usize) -> Result<u32, String> {
        let (name, text) = (&self.columns[at], self.fields[at]);
        let must = "a whole number (0 to 4294967295)";
        text.parse().map_err(|_| format!("{name} is {}, but must be {must}", quote(text)))
    }

    fn numbers<const N: usize>(&self, at: [usize; N]) -> Result<[f64; N], String> {
        let mut numbers = [0.0; N];
        for (number, at) in numbers.iter_mut().zip(at) {
            let (name, text) = (&self.columns[at], self.fields[at]);
            *number = text
                .parse()
                .ok()
                .filter(|x: &f64| x.is_finite())
                .ok_or_else(|| format!("{name} is {}, but must be a finite number", quote(text)))?;
        }
        Ok(numbers)
    }

    /// The numbers of columns that may be missing.
    fn maybe<const N: usize>(&self, at: Option<[usize; N]>) -> Result<Option<[f64; N]>, String> {
        at.map(|at| self.numbers(at)).transpose()
    }
}

/// Which columns hold what.
struct Layout {
    id: usize,
    kind: Option<usize>,
    position: [usize; 3],
    /// Whether positions are fractions of the box.
    scaled: bool,
    quaternion: Option<[usize; 4]>,
    velocity: Option<[usize; 3]>,
    spin: Option<[usize; 3]>,
    /// A column, and the factor that makes it a radius.
    radius: Option<(usize, f64)>,
    /// Columns, and the factor that makes them half-axes.
    semi_axes: Option<([usize; 3], f64)>,
    blockiness: Option<[usize; 2]>,
}

impl Layout {
    fn of(columns: &[String]) -> Result<Self, String> {
        let one = |name: &str| columns.iter().position(|column| column == name);
        let position = first(columns, POSITIONS).map(|at| (at, false));
        let position = position.or_else(|| first(columns, FRACTIONS).map(|at| (at, true)));
        let (position, scaled) = position
            .ok_or("there is no position among the columns: x y z, xu yu zu, xs ys zs or xsu ysu zsu")?;
        let diameters = whole(columns, &["c_shape[1]", "c_shape[2]", "c_shape[3]"])?;
        Ok(Self {
            id: one("id").ok_or("column \"id\" is missing")?,
            kind: one("type"),
            position,
            scaled,
            quaternion: first_whole(columns, QUATERNIONS)?,
            velocity: whole(columns, &["vx", "vy", "vz"])?,
            spin: whole(columns, &["omegax", "omegay", "omegaz"])?,
            radius: one("radius").map(|at| (at, 1.0)).or_else(|| one("diameter").map(|at| (at, 0.5))),
            semi_axes: whole(columns, &["shapex", "shapey", "shapez"])?
                .map(|at| (at, 1.0))
                .or_else(|| diameters.map(|at| (at, 0.5))),
            blockiness: whole(columns, &["blockiness1", "blockiness2"])?,
        })
    }

    fn grain(&self, row: &Row<'_>, bounds: &Bounds) -> Result<DumpGrain, String> {
        let mut position = DVec3::from(row.numbers(self.position)?);
        if self.scaled {
            let [a, b, c] = bounds.edges;
            position = bounds.corner + a * position.x + b * position.y + c * position.z;
        }
        let rotation = match row.maybe(self.quaternion)? {
            None => DQuat::IDENTITY,
            Some(q) => unit_quaternion(q).ok_or("the quaternion is zero, but must be a rotation")?,
        };
        let vector = |at| row.maybe(at).map(|v| v.map_or(DVec3::ZERO, DVec3::from));
        let semi_axes = row.maybe(self.semi_axes.map(|(at, _)| at))?.map(DVec3::from);
        let state = State {
            id: row.whole(self.id)?,
            pose: Pose { position, rotation },
            velocity: vector(self.velocity)?,
            spin: vector(self.spin)?,
            ..State::default()
        };
        Ok(DumpGrain {
            state,
            kind: self.kind.map(|at| row.whole(at)).transpose()?,
            radius: self.radius.map(|(at, factor)| row.numbers([at]).map(|[r]| factor * r)).transpose()?,
            semi_axes: semi_axes.zip(self.semi_axes).map(|(axes, (_, factor))| axes * factor),
            blockiness: row.maybe(self.blockiness)?,
        })
    }
}

/// Where these columns are, if all of them are there.
fn all<const N: usize>(columns: &[String], names: &[&str; N]) -> Option<[usize; N]> {
    let mut at = [0; N];
    for (at, name) in at.iter_mut().zip(names) {
        *at = columns.iter().position(|column| column == name)?;
    }
    Some(at)
}

/// Where these columns are, if they are there; some of them without the others would be lost.
fn whole<const N: usize>(columns: &[String], names: &[&str; N]) -> Result<Option<[usize; N]>, String> {
    let is_there = |name: &&&str| columns.iter().any(|column| column == **name);
    let (there, missing): (Vec<&str>, Vec<&str>) = names.iter().partition(is_there);
    if there.is_empty() || missing.is_empty() {
        return Ok(all(columns, names));
    }
    let [there, missing, names] = [&there[..], &missing[..], &names[..]].map(|names| names.join(" "));
    Err(format!("the columns have {there} without {missing}: all of {names} must be there, or none"))
}

/// Where the first of these groups of columns is that is there, none of them in part.
fn first_whole<const N: usize>(
    columns: &[String],
    groups: &[[&str; N]],
) -> Result<Option<[usize; N]>, String> {
    for names in groups {
        if let Some(at) = whole(columns, names)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Where the first of these groups of columns is that is there.
fn first<const N: usize>(columns: &[String], groups: &[[&str; N]]) -> Option<[usize; N]> {
    groups.iter().find_map(|names| all(columns, names))
}

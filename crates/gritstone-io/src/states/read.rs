//! Reading states.

use std::collections::HashSet;
use std::path::Path;

use gritstone_core::Pose;
use gritstone_files::memory;

use super::{FASTEST, State, Tabular};
use crate::file::FileError;
use crate::words::{nearest, quote};

/// A grain takes about as many times the bytes of its line while a table is read.
const PER_BYTE: u64 = 4;

/// Reads the states of grains; what is wrong is reported with file, line, column and value.
pub fn read_states<D: Tabular>(path: &Path) -> Result<Vec<State<D>>, FileError> {
    Ok(read_states_with_lines(path)?.into_iter().map(|(_, state)| state).collect())
}

/// The same, each with the number of its line.
pub fn read_states_with_lines<D: Tabular>(path: &Path) -> Result<Vec<(u64, State<D>)>, FileError> {
    let text = read_text(path)?;
    let mut lines =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let Some((line, title)) = lines.next() else {
        return Err(FileError::content(path, "there is no line that names columns"));
    };
    let title = fields(title);
    let layout = Layout::of::<D>(&title, &Place { path, line })?;
    let (mut states, mut ids) = (Vec::new(), HashSet::new());
    for (line, record) in lines {
        let (place, record) = (Place { path, line }, fields(record));
        if record.len() != title.len() {
            return Err(place.wrong(format!(
                "{} fields, but there are {} columns",
                record.len(),
                title.len()
            )));
        }
        let state: State<D> = layout.state(&record, &place)?;
        if !ids.insert(state.id) {
            return Err(place.wrong(format!("id is {}, which an earlier line has", state.id)));
        }
        states.push((line, state));
    }
    Ok(states)
}

/// The text of a file, which must be UTF-8, without the mark that some programs put before it.
fn read_text(path: &Path) -> Result<String, FileError> {
    let mut bytes =
        memory::read_at_most(path, memory::limit() / PER_BYTE).map_err(FileError::when("open", path))?;
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
        FileError::Line { path: path.to_owned(), line, what: "is not text".to_owned() }
    })
}

/// The fields of a line, without the spaces and quotes around them.
fn fields(line: &str) -> Vec<&str> {
    line.split(',').map(|field| field.trim().trim_matches('"')).collect()
}

/// A line of a file.
struct Place<'p> {
    path: &'p Path,
    line: u64,
}

impl Place<'_> {
    fn wrong(&self, what: String) -> FileError {
        FileError::Line { path: self.path.to_owned(), line: self.line, what }
    }
}

/// A group of columns that are there together or not at all.
struct Group {
    names: &'static [&'static str],
    /// Where they are; nothing when the file has none of them.
    at: Option<Vec<usize>>,
}

impl Group {
    fn find(names: &'static [&'static str], title: &[&str], place: &Place<'_>) -> Result<Self, FileError> {
        let at: Vec<Option<usize>> = names.iter().map(|name| title.iter().position(|t| t == name)).collect();
        if at.iter().all(Option::is_none) {
            return Ok(Self { names, at: None });
        }
        let absent = names.iter().zip(&at).find(|(_, at)| at.is_none());
        match absent {
            Some((name, _)) => {
                let together = names.join(", ");
                Err(place.wrong(format!("column \"{name}\" is missing: {together} go together")))
            }
            None => Ok(Self { names, at: Some(at.into_iter().flatten().collect()) }),
        }
    }

    /// The finite numbers of the group.
    fn numbers(&self, record: &[&str], place: &Place<'_>) -> Result<Option<Vec<f64>>, FileError> {
        let Some(at) = &self.at else { return Ok(None) };
        let number = |(name, at): (&&str, &usize)| {
            let text = record[*at];
            match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(place.wrong(format!("{name} is {}, but must be a finite number", quote(text)))),
            }
        };
        self.names.iter().zip(at).map(number).collect::<Result<_, _>>().map(Some)
    }

    /// The same for velocities, which must not be absurd.
    fn rates(&self, record: &[&str], place: &Place<'_>) -> Result<Option<Vec<f64>>, FileError> {
        let numbers = self.numbers(record, place)?;
        let rates = self.names.iter().zip(numbers.iter().flatten());
        match rates.into_iter().find(|(_, rate)| rate.abs() > FASTEST) {
            Some((name, rate)) => {
                Err(place
                    .wrong(format!("{name} is {rate:e}, but must be from {:e} to {FASTEST:e}", -FASTEST)))
            }
            None => Ok(numbers),
        }
    }
}

/// Which column holds what.
struct Layout {
    id: usize,
    position: Group,
    rotation: Group,
    velocity: Group,
    spin: Group,
    shape: Option<usize>,
    scale: Option<usize>,
    material: Option<usize>,
}

impl Layout {
    fn of<D: Tabular>(title: &[&str], place: &Place<'_>) -> Result<Self, FileError> {
        let groups = [D::POSITION, D::ROTATION, D::VELOCITY, D::SPIN];
        let known: Vec<&'static str> = ["id"]
            .iter()
            .chain(groups.into_iter().flatten())
            .chain(&["shape", "scale", "material"])
            .copied()
            .collect();
        for (i, name) in title.iter().enumerate() {
            if !known.contains(name) {
                let hint = nearest(name, known.iter().copied())
                    .map_or_else(String::new, |word| format!(" (did you mean \"{word}\"?)"));
                let allowed = known.join(", ");
                return Err(
                    place.wrong(format!("unknown column {}{hint}; columns are {allowed}", quote(name)))
                );
            }
            if title[..i].contains(name) {
                return Err(place.wrong(format!("column {} is there twice", quote(name))));
            }
        }
        let find = |name| title.iter().position(|found| *found == name);
        let [position, rotation, velocity, spin] = groups.map(|names| Group::find(names, title, place));
        let position = position?;
        if position.at.is_none() {
            return Err(place.wrong(format!("columns {} are missing", position.names.join(", "))));
        }
        Ok(Self {
            id: find("id").ok_or_else(|| place.wrong("column \"id\" is missing".to_owned()))?,
            position,
            rotation: rotation?,
            velocity: velocity?,
            spin: spin?,
            shape: find("shape"),
            scale: find("scale"),
            material: find("material"),
        })
    }

    fn state<D: Tabular>(&self, record: &[&str], place: &Place<'_>) -> Result<State<D>, FileError> {
        let field = |at: usize| record[at];
        let id = field(self.id).parse().map_err(|_| {
            place.wrong(format!(
                "id is {}, but must be a whole number (0 to 4294967295)",
                quote(field(self.id))
            ))
        })?;
        let rotation = match self.rotation.numbers(record, place)? {
            None => D::Rotation::default(),
            Some(numbers) => D::rotation(&numbers).ok_or_else(|| {
                place.wrong(format!("{} are all zero, but must be a rotation", D::ROTATION.join(", ")))
            })?,
        };
        let position = self.position.numbers(record, place)?;
        let scale = self.scale.map(field).filter(|text| !text.is_empty());
        let scale = scale.map(|text| match text.parse::<f64>() {
            Ok(scale) if scale > 0.0 && scale.is_finite() => Ok(scale),
            _ => Err(place.wrong(format!("scale is {}, but must be a positive number", quote(text)))),
        });
        let name = |at: Option<usize>| at.map(field).filter(|name| !name.is_empty()).map(str::to_owned);
        Ok(State {
            id,
            pose: Pose { position: position.map_or_else(D::Vec::default, |x| D::vector(&x)), rotation },
            velocity: self.velocity.rates(record, place)?.map_or_else(D::Vec::default, |v| D::vector(&v)),
            spin: self.spin.rates(record, place)?.map_or_else(D::Spin::default, |w| D::spin(&w)),
            shape: name(self.shape),
            scale: scale.transpose()?,
            material: name(self.material),
        })
    }
}

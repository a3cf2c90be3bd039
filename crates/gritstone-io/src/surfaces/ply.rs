//! PLY: a header that says how vertices and faces are written, as text or as bytes of either order.
//!
//! Elements other than vertices and faces are passed over, as are properties other than coordinates and lists of vertices. Polygons are
//! cut into triangles about their first corner.

use std::path::Path;

use glam::DVec3;

use super::Corners;
use super::fans::Fans;
use crate::file::FileError;
use crate::words::quote;

/// A number in the file, by its size and kind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Whole { bytes: usize, signed: bool },
    Real { bytes: usize },
}

impl Kind {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::Whole { bytes: 1, signed: true },
            "uchar" | "uint8" => Self::Whole { bytes: 1, signed: false },
            "short" | "int16" => Self::Whole { bytes: 2, signed: true },
            "ushort" | "uint16" => Self::Whole { bytes: 2, signed: false },
            "int" | "int32" => Self::Whole { bytes: 4, signed: true },
            "uint" | "uint32" => Self::Whole { bytes: 4, signed: false },
            "float" | "float32" => Self::Real { bytes: 4 },
            "double" | "float64" => Self::Real { bytes: 8 },
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::Whole { bytes, .. } | Self::Real { bytes } => bytes,
        }
    }

    /// The number from its bytes, the lowest first. Eight bytes of a whole number are in no PLY file.
    fn number(self, bytes: [u8; 8]) -> f64 {
        let whole = u64::from_le_bytes(bytes);
        match self {
            Self::Real { bytes: 4 } => f64::from(f32::from_bits(whole as u32)),
            Self::Real { .. } => f64::from_bits(whole),
            Self::Whole { signed: false, .. } => whole as f64,
            Self::Whole { bytes, .. } => {
                let unused = 64 - 8 * bytes as u32;
                ((whole << unused) as i64 >> unused) as f64
            }
        }
    }
}

/// A property of an element.
#[derive(Debug)]
struct Property {
    name: String,
    kind: Kind,
    /// Of how many numbers a list has; none for one number.
    count: Option<Kind>,
}

/// Elements of one sort.
#[derive(Debug)]
struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Corners>, FileError> {
    let (encoding, elements, body) = header(bytes).map_err(|what| FileError::content(path, &what))?;
    let mut numbers = Numbers { bytes: body, encoding };
    let contents = contents(&elements, &mut numbers).map_err(|what| FileError::content(path, &what))?;
    triangles(contents).map_err(|what| FileError::content(path, &what))
}

/// The header, and what comes after it.
fn header(bytes: &[u8]) -> Result<(Encoding, Vec<Element>, &[u8]), String> {
    let (mut rest, mut encoding, mut elements) = (bytes, None, Vec::<Element>::new());
    for number in 0.. {
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or("its header does not end")?;
        let (line, after) = rest.split_at(end);
        rest = &after[1..];
        let line = std::str::from_utf8(line).map_err(|_| "its header is not text")?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ply"] if number == 0 => {}
            _ if number == 0 => return Err("it does not begin with \"ply\"".to_owned()),
            ["format", word, "1.0"] => encoding = Some(encoding_named(word)?),
            ["comment" | "obj_info", ..] | [] => {}
            ["element", name, count] => {
                let count =
                    count.parse().map_err(|_| format!("{} is no number of elements", quote(count)))?;
                elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
            }
            ["property", "list", count, kind, name] => {
                property(&mut elements, name, kind, Some(count))?;
            }
            ["property", kind, name] => property(&mut elements, name, kind, None)?,
            ["end_header"] => {
                return Ok((encoding.ok_or("its header has no format")?, elements, rest));
            }
            _ => return Err(format!("{} is no line of the header of a PLY file", quote(line.trim()))),
        }
    }
    Err("its header does not end".to_owned())
}

fn encoding_named(word: &str) -> Result<Encoding, String> {
    match word {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::LittleEndian),
        "binary_big_endian" => Ok(Encoding::BigEndian),
        _ => Err(format!("{} is no format of a PLY file", quote(word))),
    }
}

fn property(elements: &mut [Element], name: &str, kind: &str, count: Option<&str>) -> Result<(), String> {
    let known = |word: &str| Kind::named(word).ok_or_else(|| format!("{} is no kind of number", quote(word)));
    let property =
        Property { name: name.to_owned(), kind: known(kind)?, count: count.map(known).transpose()? };
    let element = elements.last_mut().ok_or("a property stands before the first element")?;
    element.properties.push(property);
    Ok(())
}

/// The numbers behind the header.
struct Numbers<'b> {
    bytes: &'b [u8],
    encoding: Encoding,
}

impl Numbers<'_> {
    fn next(&mut self, kind: Kind) -> Result<f64, String> {
        if self.encoding == Encoding::Text {
            return self.word();
        }
        let (number, rest) = self.bytes.split_at_checked(kind.bytes()).ok_or("it ends too early")?;
        self.bytes = rest;
        let mut eight = [0; 8];
        eight[..number.len()].copy_from_slice(number);
        if self.encoding == Encoding::BigEndian {
            eight[..number.len()].reverse();
        }
        Ok(kind.number(eight))
    }

    fn word(&mut self) -> Result<f64, String> {
        let text = self.bytes.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.bytes = rest;
        if word.is_empty() {
            return Err("it ends too early".to_owned());
        }
        let word = String::from_utf8_lossy(word);
        word.parse().map_err(|_| format!("{} is where a number must be", quote(&word)))
    }

    /// A number that counts something.
    fn count(&mut self, kind: Kind) -> Result<usize, String> {
        let number = self.next(kind)?;
        let is_whole = number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0;
        if is_whole { Ok(number as usize) } else { Err(format!("{number} is no number of vertices")) }
    }
}

/// Vertices, and the polygons between them.
struct Contents {
    vertices: Vec<DVec3>,
    polygons: Vec<Vec<usize>>,
    /// What becomes of the polygons, still empty, and how many triangles that will be.
    fans: Fans,
    triangles: usize,
}

fn contents(elements: &[Element], numbers: &mut Numbers<'_>) -> Result<Contents, String> {
    let mut contents =
        Contents { vertices: Vec::new(), polygons: Vec::new(), fans: Fans::new(), triangles: 0 };
    for element in elements {
        let axes = ["x", "y", "z"].map(|name| {
            element.properties.iter().position(|property| property.name == name && property.count.is_none())
        });
        if element.name == "vertex" && axes.contains(&None) {
            return Err("its vertices have no x, y and z".to_owned());
        }
        // Elements without properties take no bytes, and there may be any number of them.
        let count = if element.properties.is_empty() { 0 } else { element.count };
        for _ in 0..count {
            let mut values = vec![0.0; element.properties.len()];
            for (value, property) in values.iter_mut().zip(&element.properties) {
                let Some(count) = property.count else {
                    *value = numbers.next(property.kind)?;
                    continue;
                };
                let count = numbers.count(count)?;
                let is_face = element.name == "face"
                    && matches!(property.name.as_str(), "vertex_indices" | "vertex_index");
                if is_face {
                    contents.add_polygon(count, property.kind, numbers)?;
                } else {
                    (0..count).try_for_each(|_| numbers.next(property.kind).map(drop))?;
                }
            }
            if let ("vertex", [Some(x), Some(y), Some(z)]) = (element.name.as_str(), axes) {
                contents.vertices.push(DVec3::new(values[x], values[y], values[z]));
            }
        }
    }
    Ok(contents)
}

impl Contents {
    fn add_polygon(&mut self, corners: usize, kind: Kind, numbers: &mut Numbers<'_>) -> Result<(), String> {
        if corners < 3 {
            let face = self.polygons.len() + 1;
            return Err(format!("face {face} has {corners} vertices, but must have 3 or more"));
        }
        self.fans.check(self.triangles, corners)?;
        self.triangles += corners - 2;
        let polygon = (0..corners).map(|_| numbers.count(kind)).collect::<Result<_, _>>()?;
        self.polygons.push(polygon);
        Ok(())
    }
}

fn triangles(contents: Contents) -> Result<Vec<Corners>, String> {
    let Contents { vertices, polygons, mut fans, .. } = contents;
    if let Some(i) = vertices.iter().position(|vertex| !vertex.is_finite()) {
        return Err(format!("vertex {} has a coordinate that is not finite", i + 1));
    }
    for (i, polygon) in polygons.iter().enumerate() {
        let corner = |index: &usize| {
            let missing = || format!("face {} has vertex {index}, but there are {}", i + 1, vertices.len());
            vertices.get(*index).copied().ok_or_else(missing)
        };
        let corners = polygon.iter().map(corner).collect::<Result<Vec<_>, _>>()?;
        fans.push(&corners)?;
    }
    Ok(fans.into_triangles())
}

//! One `.vtp` file: points, cells and the arrays on them, zlib-compressed binary behind the XML.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use rayon::prelude::*;

use crate::file::{FileError, replace};

/// Bytes that are compressed together.
const BLOCK: usize = 1 << 18;

/// The numbers of an array.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I32(Vec<i32>),
    U32(Vec<u32>),
}

/// An array on points or cells.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: &'static str,
    /// Numbers for each point or cell.
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

/// Cells of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// Points of the cells, one cell after another.
    pub(super) connectivity: Vec<i32>,
    /// Where each cell ends in them.
    pub(super) ends: Vec<i32>,
}

impl Cells {
    /// Adds a cell; points are counted from `first`.
    pub(super) fn push(&mut self, first: usize, points: &[u32]) {
        self.connectivity.extend(points.iter().map(|&point| first as i32 + point as i32));
        self.ends.push(self.connectivity.len() as i32);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Everything in one file.
#[derive(Clone, Debug, Default)]
pub(super) struct PolyData {
    pub(super) points: Vec<[f32; 3]>,
    pub(super) vertices: Cells,
    pub(super) lines: Cells,
    pub(super) polygons: Cells,
    pub(super) point_data: Vec<Array>,
    pub(super) cell_data: Vec<Array>,
}

impl PolyData {
    /// Writes the file as a whole or not at all.
    pub(super) fn write(self, path: &Path, time: f64) -> Result<(), FileError> {
        let most = [&self.vertices, &self.lines, &self.polygons].map(|cells| cells.connectivity.len());
        if self.points.len().max(most[0]).max(most[1]).max(most[2]) > i32::MAX as usize {
            return Err(FileError::content(path, "more points than VTK can count: choose less detail"));
        }
        let xml = self.xml(time).map_err(FileError::when("write", path))?;
        replace(path, |file| xml.write(file))
    }

    fn xml(self, time: f64) -> io::Result<Xml> {
        let mut xml = Xml::default();
        xml.text += "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
                     header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n<FieldData>\n";
        xml.array("TimeValue", " NumberOfTuples=\"1\"", &Numbers::F64(vec![time]))?;
        xml.text += &format!(
            "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" \
             NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
            self.points.len(),
            self.vertices.len(),
            self.lines.len(),
            self.polygons.len()
        );
        xml.data("PointData", &self.point_data)?;
        xml.data("CellData", &self.cell_data)?;
        xml.text += "<Points>\n";
        let points = self.points.into_iter().flatten().collect();
        xml.array("Points", " NumberOfComponents=\"3\"", &Numbers::F32(points))?;
        xml.text += "</Points>\n";
        for (name, cells) in [("Verts", self.vertices), ("Lines", self.lines), ("Polys", self.polygons)] {
            xml.text += &format!("<{name}>\n");
            xml.array("connectivity", "", &Numbers::I32(cells.connectivity))?;
            xml.array("offsets", "", &Numbers::I32(cells.ends))?;
            xml.text += &format!("</{name}>\n");
        }
        xml.text += "</Piece>\n</PolyData>\n";
        Ok(xml)
    }
}

/// The text, and the bytes that it refers to.
#[derive(Default)]
struct Xml {
    text: String,
    appended: Vec<u8>,
}

impl Xml {
    fn write(&self, file: &mut dyn Write) -> io::Result<()> {
        file.write_all(self.text.as_bytes())?;
        file.write_all(b"<AppendedData encoding=\"raw\">\n_")?;
        file.write_all(&self.appended)?;
        file.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    }

    fn data(&mut self, element: &str, arrays: &[Array]) -> io::Result<()> {
        self.text += &format!("<{element}>\n");
        for array in arrays {
            let shape = format!(" NumberOfComponents=\"{}\"", array.components);
            self.array(array.name, &shape, &array.numbers)?;
        }
        self.text += &format!("</{element}>\n");
        Ok(())
    }

    fn array(&mut self, name: &str, shape: &str, numbers: &Numbers) -> io::Result<()> {
        let offset = self.appended.len();
        let (kind, bytes): (_, Vec<u8>) = match numbers {
            Numbers::F32(list) => ("Float32", list.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Numbers::F64(list) => ("Float64", list.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Numbers::I32(list) => ("Int32", list.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Numbers::U32(list) => ("UInt32", list.iter().flat_map(|x| x.to_le_bytes()).collect()),
        };
        self.text += &format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\"{shape} format=\"appended\" offset=\"{offset}\"/>\n"
        );
        self.append(&bytes)
    }

    /// Number of blocks, bytes of a block, bytes of the last one where it is shorter, compressed bytes of each; then the
    /// blocks.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let blocks = bytes.par_chunks(BLOCK).map(compress).collect::<io::Result<Vec<_>>>()?;
        let numbers =
            [blocks.len(), BLOCK, bytes.len() % BLOCK].into_iter().chain(blocks.iter().map(Vec::len));
        self.appended.extend(numbers.flat_map(|number| (number as u64).to_le_bytes()));
        blocks.iter().for_each(|block| self.appended.extend(block));
        Ok(())
    }
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

//! All frames of a series in one VTKHDF file, which ParaView 5.12 and VTK 9.3 read as poly data that changes with time.
//!
//! **Layout.** What the frames have is stored one behind the other; the group `Steps` says for each frame where its points, cells,
//! connectivity and arrays start. Cells are of four kinds, of which strips are always empty. See *VTKHDF File Format* in VTK's
//! documentation, version 2.1.

use std::io;
use std::path::Path;

use gritstone_files::memory;
use hdf5_pure::{AttrValue, FileBuilder, FinishedGroup, GroupBuilder, H5Element};

use super::poly_data::{Array, Cells, Numbers, PolyData};
use crate::file::{FileError, replace};

/// Version of the layout.
const VERSION: [i64; 2] = [2, 1];
/// Names of the groups of cells, in the order in which frames count them.
const CELLS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];
/// How hard data is compressed: fast.
const DEFLATE: u32 = 1;
/// Rows that are compressed together.
const CHUNK: usize = 1 << 16;
/// Copies of the data in memory while the file is made.
const COPIES: u64 = 3;

/// The frames of a series.
#[derive(Debug, Default)]
pub(super) struct Series {
    times: Vec<f64>,
    points: Vec<f32>,
    points_of: Vec<i64>,
    cells: [CellSeries; 4],
    point_data: Vec<ArraySeries>,
    cell_data: Vec<ArraySeries>,
    bytes: usize,
}

/// Cells of one kind in all frames.
#[derive(Debug, Default)]
struct CellSeries {
    connectivity: Vec<i64>,
    /// Where cells start in the connectivity of their frame, with one more at its end.
    starts: Vec<i64>,
    ids_of: Vec<i64>,
    cells_of: Vec<i64>,
}

/// An array in all frames.
#[derive(Debug)]
struct ArraySeries {
    array: Array,
    /// Where it starts in each frame.
    starts: Vec<i64>,
}

impl Series {
    /// Adds a frame.
    pub(super) fn push(&mut self, data: PolyData, time: f64, path: &Path) -> Result<(), FileError> {
        let PolyData { points, vertices, lines, polygons, point_data, cell_data } = data;
        let cells = [vertices, lines, polygons, Cells::default()];
        let of_cells = |cells: &Cells| 8 * (cells.connectivity.len() + cells.len());
        self.bytes += 12 * points.len() + cells.iter().map(of_cells).sum::<usize>();
        self.bytes += point_data.iter().chain(&cell_data).map(|array| array.numbers.bytes()).sum::<usize>();
        if self.bytes as u64 > memory::limit() / COPIES {
            let what = format!(
                "more than {} bytes of memory (--memory-limit) hold, up to t = {time} s: take fewer frames (--every)",
                memory::limit()
            );
            return Err(FileError::content(path, what));
        }
        self.times.push(time);
        self.points_of.push(points.len() as i64);
        self.points.extend(points.into_iter().flatten());
        self.cells.iter_mut().zip(cells).for_each(|(series, cells)| series.push(&cells));
        let frame = self.times.len() - 1;
        add(&mut self.point_data, point_data, frame);
        add(&mut self.cell_data, cell_data, frame);
        Ok(())
    }

    /// Writes the file as a whole or not at all.
    pub(super) fn write(self, path: &Path) -> Result<(), FileError> {
        let mut file = FileBuilder::new();
        let mut root = file.create_group("VTKHDF");
        root.set_attr("Version", AttrValue::I64Array(VERSION.to_vec()));
        root.set_attr("Type", AttrValue::AsciiString("PolyData".into()));
        let steps = self.steps(&mut root);
        root.add_group(steps);
        put(&mut root, "Points", &self.points, 3);
        put(&mut root, "NumberOfPoints", &self.points_of, 1);
        for (name, cells) in CELLS.into_iter().zip(&self.cells) {
            let mut group = root.create_group(name);
            put(&mut group, "Connectivity", &cells.connectivity, 1);
            put(&mut group, "Offsets", &cells.starts, 1);
            put(&mut group, "NumberOfConnectivityIds", &cells.ids_of, 1);
            put(&mut group, "NumberOfCells", &cells.cells_of, 1);
            root.add_group(group.finish());
        }
        for (name, arrays) in [("PointData", &self.point_data), ("CellData", &self.cell_data)] {
            let mut group = root.create_group(name);
            arrays.iter().for_each(|series| series.array.put(&mut group));
            root.add_group(group.finish());
        }
        file.add_group(root.finish());
        replace(path, |out| file.finish_to(out).map_err(io::Error::other))
    }

    /// Where every frame starts.
    fn steps(&self, root: &mut GroupBuilder) -> FinishedGroup {
        let frames = self.times.len();
        let mut steps = root.create_group("Steps");
        steps.set_attr("NSteps", AttrValue::I64(frames as i64));
        put(&mut steps, "Values", &self.times, 1);
        put(&mut steps, "PartOffsets", &(0..frames as i64).collect::<Vec<_>>(), 1);
        put(&mut steps, "NumberOfParts", &vec![1_i64; frames], 1);
        put(&mut steps, "PointOffsets", &starts(&self.points_of), 1);
        let by_kind = |counts: fn(&CellSeries) -> Vec<i64>| {
            let of_kinds = self.cells.each_ref().map(|cells| starts(&counts(cells)));
            (0..frames).flat_map(|frame| of_kinds.each_ref().map(|starts| starts[frame])).collect::<Vec<_>>()
        };
        // Where a frame starts in the dataset Offsets, which has one entry more than cells for each frame.
        let cells = by_kind(|cells| cells.cells_of.iter().map(|count| count + 1).collect());
        put(&mut steps, "CellOffsets", &cells, CELLS.len());
        put(&mut steps, "ConnectivityIdOffsets", &by_kind(|cells| cells.ids_of.clone()), CELLS.len());
        for (name, arrays) in [("PointDataOffsets", &self.point_data), ("CellDataOffsets", &self.cell_data)] {
            let mut group = steps.create_group(name);
            for series in arrays {
                put(&mut group, series.array.name, &series.starts, 1);
            }
            steps.add_group(group.finish());
        }
        steps.finish()
    }
}

impl CellSeries {
    fn push(&mut self, cells: &Cells) {
        self.connectivity.extend(cells.connectivity.iter().map(|&point| i64::from(point)));
        self.starts.push(0);
        self.starts.extend(cells.ends.iter().map(|&end| i64::from(end)));
        self.ids_of.push(cells.connectivity.len() as i64);
        self.cells_of.push(cells.len() as i64);
    }
}

/// Adds the arrays of a frame to those of the frames before it.
fn add(all: &mut Vec<ArraySeries>, arrays: Vec<Array>, frame: usize) {
    for array in arrays {
        match all.iter_mut().find(|series| series.array.name == array.name) {
            Some(series) => {
                series.starts.push(series.array.rows());
                series.array.numbers.append(array.numbers);
            }
            // What frames without points had no use for.
            None => all.push(ArraySeries { starts: vec![0; frame + 1], array }),
        }
    }
    for series in all {
        let rows = series.array.rows();
        series.starts.resize(frame + 1, rows);
    }
}

/// Where each of some runs of these lengths starts.
fn starts(lengths: &[i64]) -> Vec<i64> {
    let start = |next: &mut i64, length: &i64| Some(std::mem::replace(next, *next + length));
    lengths.iter().scan(0, start).collect()
}

/// Adds a dataset of rows.
fn put<T: H5Element>(group: &mut GroupBuilder, name: &str, numbers: &[T], width: usize) {
    let rows = numbers.len() / width;
    let shape = |rows: usize| if width == 1 { vec![rows as u64] } else { vec![rows as u64, width as u64] };
    let dataset = group.create_dataset(name).with_data(numbers).with_shape(&shape(rows));
    if rows > CHUNK / width {
        dataset.with_chunks(&shape(CHUNK / width)).with_deflate(DEFLATE);
    }
}

impl Array {
    fn rows(&self) -> i64 {
        (self.numbers.len() / self.components) as i64
    }

    fn put(&self, group: &mut GroupBuilder) {
        match &self.numbers {
            Numbers::F32(list) => put(group, self.name, list, self.components),
            Numbers::F64(list) => put(group, self.name, list, self.components),
            Numbers::I32(list) => put(group, self.name, list, self.components),
            Numbers::U32(list) => put(group, self.name, list, self.components),
        }
    }
}

impl Numbers {
    fn len(&self) -> usize {
        match self {
            Self::F32(list) => list.len(),
            Self::F64(list) => list.len(),
            Self::I32(list) => list.len(),
            Self::U32(list) => list.len(),
        }
    }

    fn bytes(&self) -> usize {
        self.len() * if matches!(self, Self::F64(_)) { 8 } else { 4 }
    }

    /// Adds numbers of the same kind.
    fn append(&mut self, others: Self) {
        match (self, others) {
            (Self::F32(list), Self::F32(more)) => list.extend(more),
            (Self::F64(list), Self::F64(more)) => list.extend(more),
            (Self::I32(list), Self::I32(more)) => list.extend(more),
            (Self::U32(list), Self::U32(more)) => list.extend(more),
            // An array has one kind of numbers in all frames.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use hdf5_pure::File;

    use super::*;

    fn frame(points: usize) -> PolyData {
        let mut data = PolyData::default();
        for i in 0..points {
            data.points.push([i as f32, 2.0, 3.0]);
            data.vertices.push(i, &[0]);
        }
        let numbers = Numbers::U32((0..points as u32).collect());
        data.point_data = vec![Array { name: "id", components: 1, numbers }];
        if points > 2 {
            data.polygons.push(0, &[0, 1, 2]);
            let numbers = Numbers::F32(vec![0.5; 3 * points]);
            data.point_data.push(Array { name: "velocity", components: 3, numbers });
        }
        data
    }

    /// What is written can be read by another reader; frames without an array, or without points, take no room in it.
    #[test]
    fn frames_are_found_where_steps_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.vtkhdf");
        let mut series = Series::default();
        for (i, points) in [2, 0, 3, 4].into_iter().enumerate() {
            series.push(frame(points), 0.5 * i as f64, &path).unwrap();
        }
        series.write(&path).unwrap();
        let file = File::open(&path).unwrap();
        let i64s = |name: &str| file.dataset(&format!("VTKHDF/{name}")).unwrap().read_i64().unwrap();
        assert_eq!(i64s("NumberOfPoints"), [2, 0, 3, 4]);
        assert_eq!(i64s("Steps/PointOffsets"), [0, 2, 2, 5]);
        assert_eq!(i64s("Steps/PointDataOffsets/id"), [0, 2, 2, 5]);
        assert_eq!(i64s("Steps/PointDataOffsets/velocity"), [0, 0, 0, 3]);
        assert_eq!(i64s("Steps/CellOffsets"), [0, 0, 0, 0, 3, 1, 1, 1, 4, 2, 2, 2, 8, 3, 4, 3]);
        assert_eq!(i64s("Polygons/Offsets"), [0, 0, 0, 3, 0, 3]);
        assert_eq!(i64s("Polygons/Connectivity"), [0, 1, 2, 0, 1, 2]);
        let points = file.dataset("VTKHDF/Points").unwrap();
        assert_eq!(points.shape().unwrap(), [9, 3]);
        assert_eq!(points.read_f32().unwrap()[..6], [0.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        let times = file.dataset("VTKHDF/Steps/Values").unwrap().read_f64().unwrap();
        assert_eq!(times, [0.0, 0.5, 1.0, 1.5]);
    }
}

//! Tables, plots and reports: what Gritstone's programs show to people and leave for other programs.
//!
//! - [`Table`]: rounded for people (terminal, page), at full precision for programs (CSV, JSON);
//! - [`Plot`]: lines, steps, points and bars over linear and logarithmic axes, as SVG with text as text;
//! - [`Report`]: sections of text, tables, plots and pictures in one HTML file, light or dark as the reader
//!   prefers, readable on a phone, with the data of every table beside it and inside it.
//!
//! This crate knows nothing of grains.
//!
//! ```
//! use gritstone_report::{Axis, Column, Format, Mark, Plot, Report, Section, Table, cells};
//!
//! let mut table = Table::new(
//!     "excluded",
//!     "Pairs excluded before the first step",
//!     [
//!         Column::text("Interval"),
//!         Column::number("Published", Format::Percent(1)),
//!         Column::number("Measured", Format::Percent(1)),
//!     ],
//! );
//! table.push(cells!["1", 0.881, 0.8793])?;
//! table.push(cells!["2", 0.852, None::<f64>])?;
//! print!("{}", table.to_text(Some(80)));
//!
//! let plot = Plot::new("steps", "Steps until a pair is excluded", Axis::linear("steps"), Axis::log("share"))
//!     .series("interval 1", Mark::Bars, [(0.0, 0.88), (1.0, 0.09), (2.0, 0.02)]);
//! let report = Report::new("Exclusion of pairs")
//!     .fact("Seed", "2008")
//!     .section(Section::new("First series").table(table).plot(plot));
//!
//! let dir = tempfile::tempdir()?;
//! let files = report.write_to(dir.path())?;
//! assert!(files[0].ends_with("report.html") && dir.path().join("excluded.csv").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod escape;
mod number;
pub mod plot;
pub mod report;
pub mod table;

pub use error::Error;
pub use number::Format;
pub use plot::{Axis, Mark, Plot, Scale, Series, Size};
pub use report::{Block, Image, Report, Section};
pub use table::{Align, Cell, Column, Table};

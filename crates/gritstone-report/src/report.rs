//! Reports: sections of text, tables, plots and pictures in one HTML file, with the data beside it.

mod files;
mod html;
mod image;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

pub use image::Image;

use crate::{Error, Plot, Size, Table};

/// A report. All its text is plain text: markup in it is shown, not obeyed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the report is about, in one line.
    pub title: String,
    /// What it found, in a few sentences.
    pub summary: String,
    /// What it was made from, as names and values: program version, seed, number of pairs, machine.
    pub facts: Vec<(String, String)>,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A part of a report under a heading of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// What stands below it, in order. Plots in a row stand side by side where there is room, and so do pictures.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Running text.
    Paragraph(String),
    /// Text that must not be overlooked: a deviation, a doubt, a limit.
    Note(String),
    /// A table.
    Table(Table),
    /// A plot.
    Plot(Plot),
    /// A picture.
    Image(Image),
}

impl Report {
    /// A report without sections.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Sets the summary.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    /// Adds a fact.
    pub fn fact(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((name.into(), value.into()));
        self
    }

    /// Adds a section.
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// The tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// Writes `report.html`, `NAME.csv` and `NAME.json` of each table and `NAME.svg` of each plot into `dir`,
    /// which is made if need be. Returns the paths of the files, the report first.
    ///
    /// Every file is written aside first, and the new names appear when all of them are complete: if the
    /// folder is not writable or the disk is full, it stays as it was.
    pub fn write_to(&self, dir: impl AsRef<Path>) -> Result<Vec<PathBuf>, Error> {
        self.check_names()?;
        let mut files = vec![("report.html".to_owned(), self.to_html())];
        for block in self.blocks() {
            match block {
                Block::Table(table) => {
                    files.push((format!("{}.csv", table.name), table.to_csv()));
                    files.push((format!("{}.json", table.name), table.to_json()));
                }
                Block::Plot(plot) => files.push((format!("{}.svg", plot.name), plot.to_svg(Size::WIDE))),
                Block::Paragraph(_) | Block::Note(_) | Block::Image(_) => {}
            }
        }
        files::write_all(dir.as_ref(), &files)
    }

    /// Names become file names and anchors: they must be fit for both, and no two may be the same on a file
    /// system that ignores case.
    fn check_names(&self) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for block in self.blocks() {
            let name = match block {
                Block::Table(table) => &table.name,
                Block::Plot(plot) => &plot.name,
                Block::Image(image) => &image.name,
                Block::Paragraph(_) | Block::Note(_) => continue,
            };
            let fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            if name.is_empty() || name.starts_with('.') || !name.chars().all(fit) {
                return Err(Error::BadName(name.clone()));
            }
            if !seen.insert(name.to_ascii_lowercase()) {
                return Err(Error::DuplicateName(name.clone()));
            }
        }
        Ok(())
    }
}

impl Section {
    /// A section without content.
    pub fn new(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), blocks: Vec::new() }
    }

    /// Adds running text.
    pub fn paragraph(self, text: impl Into<String>) -> Self {
        self.block(Block::Paragraph(text.into()))
    }

    /// Adds text that must not be overlooked.
    pub fn note(self, text: impl Into<String>) -> Self {
        self.block(Block::Note(text.into()))
    }

    /// Adds a table.
    pub fn table(self, table: Table) -> Self {
        self.block(Block::Table(table))
    }

    /// Adds a plot.
    pub fn plot(self, plot: Plot) -> Self {
        self.block(Block::Plot(plot))
    }

    /// Adds a picture.
    pub fn image(self, image: Image) -> Self {
        self.block(Block::Image(image))
    }

    fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}

//! The report of a run: one HTML page with the scene, pictures, plots, and quality checks.
//!
//! The page is made from the folder that [`run`](crate::run::run) has written, at any time, also
//! of a run that failed or was stopped. What is missing in the folder is left out of the page.

mod csv;
mod groups;
mod plots;
mod quality_checks;
mod views;

use std::path::{Path, PathBuf};

use gritstone_files::memory;
use gritstone_io::{FileError, replace};
use gritstone_report::{Report, Section};
use gritstone_scene::Scene;
use gritstone_scene::display::{plain, time};
use serde_json::Value;

use crate::picture::{Album, PictureError};
use crate::run::{SCENE, SUMMARY};

/// Name of the page.
pub const REPORT: &str = "report.html";

/// The longest summary that is read (bytes).
const LONGEST: u64 = 1 << 24;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum DigestError {
    /// The folder holds no run.
    #[error("{} holds no run: there is neither {SUMMARY} nor {SCENE} nor a trajectory", folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A part of the page could not be made.
    #[error(transparent)]
    Page(#[from] gritstone_report::Error),
    /// A picture could not be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

impl DigestError {
    /// Whether the input is at fault, rather than the run.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::NoRun { .. } => true,
            Self::File(_) | Self::Page(_) => false,
            Self::Picture(error) => error.is_bad_input(),
        }
    }
}

/// What a folder holds.
struct Run {
    folder: PathBuf,
    /// `summary.json`, or nothing.
    summary: Value,
    /// What `gritstone check` says of the scene: the text, and warnings.
    scene: Option<gritstone_scene::Report>,
    album: Option<Album>,
    /// Why there are no pictures.
    no_album: Option<String>,
}

impl Run {
    fn open(folder: &Path) -> Result<Self, DigestError> {
        let summary = memory::read_at_most(&folder.join(SUMMARY), LONGEST).ok();
        let summary = summary.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null);
        let scene = Scene::read(&folder.join(SCENE)).ok().and_then(|scene| scene.sandboxed().check().ok());
        let (album, no_album) = match Album::open(folder) {
            Ok(album) => (Some(album), None),
            Err(error) => (None, Some(error.to_string())),
        };
        if summary.is_null() && scene.is_none() && album.is_none() {
            return Err(DigestError::NoRun { folder: folder.to_owned() });
        }
        Ok(Self { folder: folder.to_owned(), summary, scene, album, no_album })
    }

    fn title(&self) -> String {
        let named = self.scene.as_ref().and_then(|scene| scene.title.clone());
        let named = named.or_else(|| self.album.as_ref().map(|album| album.title().to_owned()));
        named.filter(|title| !title.is_empty()).unwrap_or_else(|| "A run without a title".to_owned())
    }

    /// The outcome in a sentence or two.
    fn lead(&self) -> String {
        let number = |key: &str| self.summary[key].as_f64();
        let end = match self.summary["end"].as_str() {
            Some("time") => "It came to the end of its time",
            Some("still") => "It ended when everything had come to rest",
            Some("interrupted") => "It was interrupted, and can be resumed,",
            Some("failed") => "It failed",
            _ => return "It has not ended, or was killed: there is no summary.".to_owned(),
        };
        let after = number("time").map_or_else(String::new, |t| format!(" after {}", time(t)));
        let steps = number("step").map_or_else(String::new, |n| format!(" and {} steps", n as u64));
        let why = self.summary["error"].as_str().map_or_else(String::new, |why| format!(": {why}"));
        format!("{end}{after}{steps}{why}.")
    }

    fn facts(&self) -> Vec<(String, String)> {
        let number = |key: &str| self.summary[key].as_f64();
        let facts = [
            ("grains", number("grains").map(|n| format!("{}", n as u64))),
            ("contacts", number("contacts").map(|n| format!("{}", n as u64))),
            ("simulated time", number("time").map(time)),
            ("steps", number("step").map(|n| format!("{}", n as u64))),
            ("time step", number("time_step").map(time)),
            ("time taken", number("wall_time").map(|t| format!("{t:.1} s"))),
            ("threads", number("threads").map(|n| format!("{}", n as u64))),
            ("particle-steps per second", number("particle_steps_per_second").map(plain)),
            ("Gritstone", Some(env!("CARGO_PKG_VERSION").to_owned())),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

/// The report of a folder.
pub fn report(folder: &Path) -> Result<Report, DigestError> {
    let mut run = Run::open(folder)?;
    let mut report = Report::new(run.title()).summary(run.lead());
    report.facts = run.facts();
    let quality_checks = quality_checks::section(&run)?;
    let sections = [
        views::section(&mut run)?,
        plots::energies(&run),
        plots::from_frames(&mut run)?,
        plots::cost(&run),
        plots::probes(&run),
        Some(quality_checks),
        scene_section(&run)?,
    ];
    for section in sections.into_iter().flatten() {
        report = report.section(section);
    }
    Ok(report)
}

/// Writes the report of a folder, as `report.html` in it or elsewhere.
pub fn write(folder: &Path, out: Option<&Path>) -> Result<PathBuf, DigestError> {
    let page = report(folder)?.to_html();
    let path = out.map_or_else(|| folder.join(REPORT), Path::to_owned);
    replace(&path, |file| file.write_all(page.as_bytes()))?;
    Ok(path)
}

/// What was run, in the words of `gritstone check`.
fn scene_section(run: &Run) -> Result<Option<Section>, DigestError> {
    use gritstone_report::{Column, Table, cells};
    let Some(scene) = &run.scene else { return Ok(None) };
    let mut table = Table::new("scene", "What was run", [Column::text("what"), Column::text("value")]);
    let text = scene.to_string();
    for (name, value) in
        text.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_once("  "))
    {
        table.push(cells![name, value.trim()])?;
    }
    let words = format!("The scene with all its defaults is {SCENE} in the folder of the run.");
    Ok(Some(Section::new("Scene").table(table).paragraph(words)))
}

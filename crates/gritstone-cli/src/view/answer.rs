//! What the page may ask for: itself, how the run stands, the trajectory, the time series. Nothing else is served.

use std::fs;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use gritstone::io::trajectory::headers;
use gritstone_files::open_plain;
use serde_json::json;

use super::PAGE;
use super::http::Request;
use super::run_folder::RunFolder;

/// The page loads nothing from elsewhere, and its browser sees to it.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; \
                      img-src data: blob:; form-action 'none'; frame-ancestors 'none'";

/// A run that is shown.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) folder: RunFolder,
    pub(super) live: bool,
}

/// What is sent back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) fields: Vec<(&'static str, String)>,
    pub(super) length: u64,
    pub(super) body: Box<dyn Read + Send>,
}

impl Answer {
    fn new(kind: &'static str, body: Vec<u8>) -> Self {
        let length = body.len() as u64;
        Self { status: 200, kind, fields: Vec::new(), length, body: Box::new(Cursor::new(body)) }
    }

    /// A line for people.
    pub(super) fn text(status: u16, text: &str) -> Self {
        Self { status, ..Self::new("text/plain; charset=utf-8", format!("{text}\n").into_bytes()) }
    }
}

impl Site {
    /// Answers a request.
    pub(super) fn answer(&self, request: &Request) -> Answer {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        match path {
            "/" => {
                let fields = vec![("Content-Security-Policy", POLICY.to_owned())];
                Answer { fields, ..Answer::new("text/html; charset=utf-8", PAGE.as_bytes().to_vec()) }
            }
            "/status.json" => Answer::new("application/json", self.status().into_bytes()),
            "/headers" => self.headers(query),
            "/trajectory.grit" => {
                file(&self.folder.trajectory_path(), "application/octet-stream", request.range)
            }
            _ => self.series(path),
        }
    }

    fn status(&self) -> String {
        let length = |path: &Path| fs::symlink_metadata(path).ok().map(|file| file.len());
        let series = self.folder.series();
        let sizes: Vec<_> =
            series.iter().map(|name| self.folder.series_path(name).and_then(|path| length(&path))).collect();
        json!({
            "folder": self.folder.path(),
            "live": self.live,
            "finished": self.folder.finished(),
            "trajectory": length(&self.folder.trajectory_path()),
            "series": series,
            "series_sizes": sizes,
        })
        .to_string()
    }

    fn headers(&self, query: &str) -> Answer {
        let Some(from) = query.strip_prefix("from=").and_then(|from| from.parse().ok()) else {
            return Answer::text(400, "From which byte on? headers?from=16");
        };
        let path = self.folder.trajectory_path();
        match open_plain(&path)
            .map_err(|error| error.to_string())
            .and_then(|_| headers(&path, from).map_err(|error| error.to_string()))
        {
            Ok(found) => Answer::new("application/octet-stream", found),
            Err(error) => Answer::text(404, &error),
        }
    }

    fn series(&self, path: &str) -> Answer {
        let name = path.strip_prefix("/series/").and_then(decoded);
        match name.and_then(|name| self.folder.series_path(&name)) {
            Some(path) => file(&path, "text/csv; charset=utf-8", None),
            None => Answer::text(404, "There is nothing here."),
        }
    }
}

/// A file, or the part of it that is requested.
fn file(path: &Path, kind: &'static str, range: Option<(u64, Option<u64>)>) -> Answer {
    let opened = open_plain(path).and_then(|file| file.metadata().map(|about| (file, about.len())));
    let Ok((mut file, size)) = opened else {
        return Answer::text(404, &format!("{} is not there.", path.display()));
    };
    let Some((first, last)) = range else {
        return Answer { status: 200, kind, fields: Vec::new(), length: size, body: Box::new(file) };
    };
    if first >= size || file.seek(SeekFrom::Start(first)).is_err() {
        return Answer::text(416, &format!("It has {size} bytes."));
    }
    let last = last.unwrap_or(u64::MAX).clamp(first, size - 1);
    let fields = vec![("Content-Range", format!("bytes {first}-{last}/{size}"))];
    Answer { status: 206, kind, fields, length: last - first + 1, body: Box::new(file) }
}

/// A part of a path without its %-escapes.
fn decoded(text: &str) -> Option<String> {
    let (mut bytes, mut found) = (text.bytes(), Vec::new());
    while let Some(byte) = bytes.next() {
        found.push(if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(found).ok()
}

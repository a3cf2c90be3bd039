//! Pictures inside a report.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::Error;
use crate::escape::escape;

/// Every PNG file starts with these bytes (PNG specification, third edition, section 5.2) …
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// … and continues with this chunk: length, name, width, height (section 11.2.1).
const HEADER: &[u8] = b"\0\0\0\x0dIHDR";

/// A PNG picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Short name; becomes the anchor on the page.
    pub name: String,
    /// What the picture shows, in one line; set below it, and read to those who cannot see it.
    pub title: String,
    png: Vec<u8>,
    width: u32,
    height: u32,
}

impl Image {
    /// A picture from the bytes of a PNG file.
    pub fn new(name: impl Into<String>, title: impl Into<String>, png: Vec<u8>) -> Result<Self, Error> {
        let (name, title) = (name.into(), title.into());
        match dimensions(&png) {
            Some((width, height)) => Ok(Self { name, title, png, width, height }),
            None => Err(Error::NotPng(name)),
        }
    }

    /// Width and height in pixels.
    pub fn dimensions(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(super) fn element(&self) -> String {
        let (data, title) = (data_uri("image/png", &self.png), escape(&self.title));
        let Self { width, height, .. } = self;
        format!("<img src=\"{data}\" alt=\"{title}\" width=\"{width}\" height=\"{height}\"/>\n")
    }
}

fn dimensions(png: &[u8]) -> Option<(u32, u32)> {
    let (size, _) = png.strip_prefix(SIGNATURE)?.strip_prefix(HEADER)?.split_first_chunk::<8>()?;
    let [a, b, c, d, e, f, g, h] = *size;
    Some((u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])))
}

/// Data as an address, so that a page needs no other file.
pub(super) fn data_uri(kind: &str, data: &[u8]) -> String {
    format!("data:{kind};base64,{}", STANDARD.encode(data))
}

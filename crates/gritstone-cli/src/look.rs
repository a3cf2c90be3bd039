//! What pictures and movies have in common: how they look.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use gritstone::picture::{Album, Coloring, Look, PictureError, SIDES};
use gritstone::render::View;

use crate::failure::Failure;

/// How a picture is to look.
#[derive(clap::Args)]
pub(crate) struct LookArgs {
    /// View direction: iso is from +x, −y, +z; x from +x, y from −y, z from above. In 2D there is one view
    #[arg(long, value_enum, default_value_t = From::Iso)]
    view: From,
    /// Quantity to colour by [default: shape if there are several, else size if sizes differ, else speed]
    #[arg(long, value_enum)]
    color: Option<Colors>,
    /// Width and height in pixels [default: a height that fits the view]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
}

/// A point of view.
#[derive(Clone, Copy, ValueEnum)]
enum From {
    Iso,
    X,
    Y,
    Z,
}

/// The library's colourings, as the command line knows them.
#[derive(Clone, Copy)]
struct Colors(Coloring);

impl ValueEnum for Colors {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Colors; Coloring::ALL.len()] = {
            let mut all = [Colors(Coloring::Speed); Coloring::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = Colors(Coloring::ALL[i].0);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Coloring::ALL
            .iter()
            .find(|(coloring, _)| *coloring == self.0)
            .map(|(_, name)| PossibleValue::new(*name))
    }
}

impl LookArgs {
    /// What the library calls it, for these frames.
    pub(crate) fn look(
        &self,
        album: &mut Album,
        frames: &[usize],
        usual_width: u32,
    ) -> Result<Look, Failure> {
        let view = match self.view {
            From::Iso => View::Iso,
            From::X => View::X,
            From::Y => View::Y,
            From::Z => View::Z,
        };
        let coloring = self.color.map(|color| color.0);
        let mut look = Look { view, coloring, width: usual_width, ..Look::default() };
        (look.width, look.height) = match self.size {
            Some(size) => size,
            None => (usual_width, album.suiting_height(frames, &look)?),
        };
        Ok(look)
    }
}

/// Opens the trajectory of a run, and tells where it is broken.
pub(crate) fn open(folder: &std::path::Path) -> Result<Album, Failure> {
    let album = Album::open(folder)?;
    if let Some(broken) = album.broken() {
        eprintln!("note: {broken}");
    }
    Ok(album)
}

/// Two numbers with an x between them.
fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text
        .split_once(['x', 'X', '×'])
        .map(|(width, height)| [width, height].map(|side| side.trim().parse()));
    match sides {
        Some([Ok(width), Ok(height)]) if SIDES.contains(&width) && SIDES.contains(&height) => {
            Ok((width, height))
        }
        _ => Err(format!(
            "must be width and height in pixels, such as 1200x900, each within {} … {}",
            SIDES.start(),
            SIDES.end()
        )),
    }
}

impl std::convert::From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        if error.is_bad_input() { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
    }
}

//! Pictures of a run at a few times.

use gritstone_render::View;
use gritstone_report::{Image, Section};
use gritstone_scene::display::time;

use super::{DigestError, Run};
use crate::picture::Look;

/// Pictures in a report, evenly spread over the time, the first and the last frame among them.
const MOST: usize = 4;

/// Small and coarse enough that a run does not end much later for them.
const LOOK: Look = Look { view: View::Iso, coloring: None, width: 540, height: 400, supersampling: 2 };

/// The section with pictures; nothing where there is no trajectory.
pub(super) fn section(run: &mut Run) -> Result<Option<Section>, DigestError> {
    let Some(album) = &mut run.album else { return Ok(None) };
    let frames = spread(album.moments().len(), MOST);
    let height = album.suiting_height(&frames, &LOOK)?;
    let look = Look { height, ..LOOK };
    // One stage for all, so that colours mean the same in each picture.
    let stage = album.stage(&frames, &look)?;
    let colors = stage.coloring().about();
    let mut section = Section::new("Pictures");
    for (number, frame) in frames.into_iter().enumerate() {
        let png =
            album.draw_on(&stage, frame, &look)?.to_png().map_err(crate::picture::PictureError::from)?;
        let moment = album.moments()[frame];
        let title =
            format!("The grains at t = {} (step {}). Colour: {colors}.", time(moment.time), moment.step);
        section = section.image(Image::new(format!("picture-{}", number + 1), title, png)?);
    }
    Ok(Some(section))
}

/// At most so many of the frames, evenly spread, both ends among them.
pub(super) fn spread(frames: usize, most: usize) -> Vec<usize> {
    let count = frames.min(most);
    let mut chosen: Vec<usize> =
        (0..count).map(|i| if count < 2 { 0 } else { i * (frames - 1) / (count - 1) }).collect();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn frames_are_spread_from_end_to_end() {
        assert_eq!(spread(0, 4), [] as [usize; 0]);
        assert_eq!(spread(1, 4), [0]);
        assert_eq!(spread(3, 4), [0, 1, 2]);
        assert_eq!(spread(100, 4), [0, 33, 66, 99]);
    }
}

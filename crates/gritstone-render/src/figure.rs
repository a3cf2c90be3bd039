//! A picture with a legend beside it and a line of words below, all within one size.

use crate::legend::Slot;
use crate::{Color, Image, Legend, Text};

/// Colour of words.
const INK: u32 = 0x222222;

/// Most of the width that a legend may take.
const LEGEND_SHARE: f32 = 0.34;

/// What stands around a picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Pixels across, the legend included.
    pub width: u32,
    /// Pixels down, the caption included.
    pub height: u32,
    /// A key to the colours, on the right.
    pub legend: Option<Legend>,
    /// Words below; none where they are empty.
    pub caption: String,
}

impl Figure {
    /// Width and height in pixels that are left for the picture.
    pub fn room(&self) -> (u32, u32) {
        let below = if self.caption.is_empty() { 0 } else { (2.8 * self.em()) as u32 };
        let beside = self.legend_width() as u32;
        (self.width.saturating_sub(beside).max(1), self.height.saturating_sub(below).max(1))
    }

    /// The picture, which should be of the size of the [`room`](Self::room), with all around it.
    pub fn compose(&self, picture: &Image) -> Image {
        let mut image = Image::new(self.width, self.height, Color::WHITE);
        image.paste(picture, 0, 0);
        let (em, (width, height)) = (self.em(), self.room());
        let text = Text::new(em, Color::hex(INK));
        if let Some(legend) = &self.legend {
            let tall = legend.height(&text).min(height as f32 - 2.0 * em);
            let slot = Slot {
                x: width as f32 + em,
                y: 0.5 * (height as f32 - tall),
                width: self.legend_width() - 2.0 * em,
                height: tall,
            };
            legend.draw(&mut image, &slot, &text);
        }
        let base = self.height as f32 - em;
        let room = self.width as f32 - 2.0 * em;
        text.fitted(&self.caption, room).draw(&mut image, em, base, &self.caption);
        image
    }

    /// Height of capital letters.
    fn em(&self) -> f32 {
        (self.width.min(self.height) as f32 / 52.0).max(7.0)
    }

    fn legend_width(&self) -> f32 {
        let text = Text::new(self.em(), Color::BLACK);
        let wanted = self.legend.as_ref().map_or(0.0, |legend| legend.width(&text) + 2.5 * self.em());
        wanted.min(LEGEND_SHARE * self.width as f32).ceil()
    }
}

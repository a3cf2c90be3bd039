//! Several pictures on one sheet, with captions.

use crate::legend::Slot;
use crate::{Align, Camera, Color, Error, Image, Legend, Scene, Style, Text, render};

/// A picture of a sheet.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is seen.
    pub scene: Scene,
    /// From where; [`Sheet::aspect`] says for what shape of picture it should be fitted.
    pub camera: Camera,
    /// Lines of words below.
    pub caption: Vec<String>,
}

/// A grid of pictures, filled row by row.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The pictures.
    pub panels: Vec<Panel>,
    /// Pictures in a row.
    pub columns: u32,
    /// Pixels across each picture.
    pub panel_width: u32,
    /// Pixels down each picture.
    pub panel_height: u32,
    /// A headline over all; empty for none.
    pub title: String,
    /// A key to the colours, on the right.
    pub legend: Option<Legend>,
    /// How the pictures are lit.
    pub style: Style,
}

/// Colour of words and lines.
const INK: u32 = 0x222222;

/// Most pixels along a side of a sheet.
const LONGEST_SIDE: u32 = 65535;

/// Sizes in pixels of what stands around the pictures.
struct Layout {
    /// Height of capitals in captions.
    em: u32,
    gap: u32,
    head: u32,
    caption: u32,
    legend: u32,
    columns: u32,
    rows: u32,
}

impl Sheet {
    /// Pictures of a size in pixels, `columns` in a row, in the default style.
    pub fn new(columns: u32, panel_width: u32, panel_height: u32) -> Self {
        Self {
            panels: Vec::new(),
            columns,
            panel_width,
            panel_height,
            title: String::new(),
            legend: None,
            style: Style::default(),
        }
    }

    /// Width of each picture over its height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.panel_width) / f64::from(self.panel_height)
    }

    /// Draws all pictures, captions, the headline and the legend.
    pub fn render(&self) -> Result<Image, Error> {
        if self.panels.is_empty() || self.columns == 0 {
            return Err(Error::EmptySheet);
        }
        self.style.check(self.panel_width, self.panel_height)?;
        let layout = self.layout();
        let column = self.panel_width + layout.gap;
        let row = self.panel_height + layout.caption + layout.gap;
        let width = layout.columns.saturating_mul(column).saturating_add(layout.gap + layout.legend);
        let height = layout.rows.saturating_mul(row).saturating_add(layout.gap + layout.head);
        if width > LONGEST_SIDE || height > LONGEST_SIDE {
            return Err(Error::Size { width, height, limit: LONGEST_SIDE });
        }
        let mut image = Image::new(width, height, Color::WHITE);
        self.draw_title(&mut image, &layout);
        for (index, panel) in (0u32..).zip(&self.panels) {
            let x = layout.gap + index % layout.columns * column;
            let y = layout.gap + layout.head + index / layout.columns * row;
            let picture =
                render(&panel.scene, &panel.camera, &self.style, self.panel_width, self.panel_height)?;
            image.paste(&picture, x, y);
            self.draw_caption(&mut image, &layout, &panel.caption, x, y + self.panel_height);
        }
        self.draw_legend(&mut image, &layout);
        Ok(image)
    }

    fn layout(&self) -> Layout {
        let em = (self.panel_height.min(self.panel_width) / 42 + 2).max(7);
        let lines = self.panels.iter().map(|panel| panel.caption.len()).max().unwrap_or(0) as u32;
        let text = Text::new(em as f32, Color::BLACK);
        let legend = self.legend.as_ref().map_or(0, |legend| legend.width(&text).ceil() as u32 + 3 * em);
        let columns = self.columns.min(self.panels.len() as u32);
        Layout {
            em,
            gap: 2 * em,
            head: if self.title.is_empty() { 0 } else { 4 * em },
            caption: if lines == 0 { 0 } else { em + 2 * em * lines },
            legend,
            columns,
            rows: (self.panels.len() as u32).div_ceil(columns),
        }
    }

    fn draw_title(&self, image: &mut Image, layout: &Layout) {
        let text = Text::new(1.5 * layout.em as f32, Color::hex(INK)).bold();
        let room = image.width() - 2 * layout.gap;
        let (x, y) = (layout.gap as f32, layout.gap as f32 + 1.5 * layout.em as f32);
        text.fitted(&self.title, room as f32).draw(image, x, y, &self.title);
    }

    /// The first line is the name, the others explain.
    fn draw_caption(&self, image: &mut Image, layout: &Layout, lines: &[String], x: u32, y: u32) {
        let regular = Text::new(layout.em as f32, Color::hex(INK)).aligned(Align::Center);
        let middle = x as f32 + 0.5 * self.panel_width as f32;
        for (number, line) in (0u32..).zip(lines) {
            let text = if number == 0 && lines.len() > 1 { regular.bold() } else { regular };
            let base = (y + layout.em * (2 + 2 * number)) as f32;
            text.fitted(line, self.panel_width as f32).draw(image, middle, base, line);
        }
    }

    fn draw_legend(&self, image: &mut Image, layout: &Layout) {
        let Some(legend) = &self.legend else { return };
        let em = layout.em as f32;
        let text = Text::new(em, Color::hex(INK));
        let slot = Slot {
            x: (image.width() - layout.legend) as f32,
            y: (layout.gap + layout.head) as f32,
            width: layout.legend as f32 - 2.0 * em,
            height: self.panel_height as f32,
        };
        legend.draw(image, &slot, &text);
    }
}

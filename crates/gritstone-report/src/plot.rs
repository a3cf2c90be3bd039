//! Plots: lines, steps, points and bars over linear and logarithmic axes, as SVG.

mod axes;
mod bars;
mod frame;
mod marks;
mod palette;
mod svg;
mod ticks;

pub(crate) use palette::{DARK_PAGE, LIGHT_PAGE, style};

/// A plot of one or more series over one pair of axes.
///
/// Whatever the data, a picture comes out: points that cannot be drawn (not finite, or not positive on a
/// logarithmic axis) leave a gap and are counted in the description.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Short name; becomes the stem of the file name and the anchor on the page.
    pub name: String,
    /// What the plot shows, in one line.
    pub title: String,
    /// More about it: set below the plot, and read to those who cannot see it.
    pub description: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The data; the first six have colours of their own.
    pub series: Vec<Series>,
    /// Whether a unit is as long on one axis as on the other, as drawings of shapes need it. Both axes are linear then.
    pub equal_scales: bool,
}

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is measured along it.
    pub title: String,
    /// Unit of the values.
    pub unit: Option<String>,
    /// How values become lengths.
    pub scale: Scale,
    /// Ends of the axis; without them, or where they make no sense, the axis fits the data.
    pub range: Option<(f64, f64)>,
}

/// How values become lengths along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// In proportion.
    Linear,
    /// In proportion to the logarithm; takes positive values alone.
    Log,
}

/// Named points `(x, y)` and the way they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// How the points are drawn.
    pub mark: Mark,
    /// The points, in the order in which a line runs through them.
    pub points: Vec<(f64, f64)>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line from point to point.
    Line,
    /// A line from point to point, and a symbol at each.
    LineAndPoints,
    /// A symbol at each point.
    Points,
    /// A staircase: each value holds until the next point.
    Step,
    /// A bar at each point; bars of several series stand side by side.
    Bars,
}

/// Size of a picture in CSS pixels; its text is 12 px high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Size {
    /// For columns of a page and for slides.
    pub const WIDE: Self = Self { width: 540, height: 350 };
    /// For a phone held upright.
    pub const NARROW: Self = Self { width: 350, height: 290 };
}

impl Plot {
    /// A plot without series.
    pub fn new(name: impl Into<String>, title: impl Into<String>, x: Axis, y: Axis) -> Self {
        let (name, title) = (name.into(), title.into());
        Self { name, title, description: String::new(), x, y, series: Vec::new(), equal_scales: false }
    }

    /// Makes a unit as long on one axis as on the other.
    pub fn equal_scales(mut self) -> Self {
        self.equal_scales = true;
        self
    }

    /// Sets the description.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a series.
    pub fn series(
        mut self,
        name: impl Into<String>,
        mark: Mark,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.series.push(Series { name: name.into(), mark, points: points.into_iter().collect() });
        self
    }

    /// Number of points that cannot be drawn: not finite, or not positive on a logarithmic axis.
    ///
    /// A bar of height zero on a logarithmic axis counts as drawn: no bar is what a reader expects.
    pub fn undrawn(&self) -> usize {
        self.series
            .iter()
            .map(|series| series.points.iter().filter(|p| !self.shows(series.mark, **p)).count())
            .sum()
    }

    fn shows(&self, mark: Mark, point: (f64, f64)) -> bool {
        let empty_bar = mark == Mark::Bars && point.1 == 0.0;
        self.x.scale.takes(point.0) && (empty_bar || self.y.scale.takes(point.1))
    }

    /// Those points of a series that can be drawn at a place of their own.
    fn drawable<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + 'a {
        series.points.iter().copied().filter(|p| self.x.scale.takes(p.0) && self.y.scale.takes(p.1))
    }
}

impl Axis {
    /// A linear axis that fits the data.
    pub fn linear(title: impl Into<String>) -> Self {
        Self { title: title.into(), unit: None, scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis that fits the data.
    pub fn log(title: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(title) }
    }

    /// Sets the unit.
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Sets the ends.
    pub fn range(mut self, from: f64, to: f64) -> Self {
        self.range = Some((from, to));
        self
    }

    /// Title and unit in one line.
    fn label(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.title),
            None => self.title.clone(),
        }
    }
}

impl Scale {
    /// Values beyond this, or its inverse on a logarithmic axis, would overflow on their way to a pixel.
    const LIMIT: f64 = 1e300;

    /// Whether a value has a place on such an axis.
    fn takes(self, value: f64) -> bool {
        match self {
            Self::Linear => value.abs() <= Self::LIMIT,
            Self::Log => (1.0 / Self::LIMIT..=Self::LIMIT).contains(&value),
        }
    }

    /// The coordinate in which the axis is even: the value or its decimal logarithm.
    fn even(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log => value.log10(),
        }
    }
}

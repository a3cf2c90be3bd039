//! What the colours of grains mean.

use std::str::FromStr;

use gritstone_render::{Color, ColorMap, Legend, VIRIDIS, palette};

use super::description::Description;
use super::frame::{Frame, Grain};
use super::stage::Stage;

/// Most kinds that a legend lists.
const MOST_KINDS: usize = 12;

/// What the colours of grains mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coloring {
    /// Magnitude of the velocity of the centre of mass.
    Speed,
    /// Diameter of the sphere of the same volume, or of the circle of the same area.
    Size,
    /// Which shape it has, by the scene's names.
    Shape,
    /// Which material it is made of.
    Material,
    /// How many bodies it touches, walls included.
    Coordination,
    /// Sum of the magnitudes of the contact forces on it.
    Force,
}

impl Coloring {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Speed, "speed"),
        (Self::Size, "size"),
        (Self::Shape, "shape"),
        (Self::Material, "material"),
        (Self::Coordination, "coordination"),
        (Self::Force, "force"),
    ];

    /// What is shown, with its unit, in the words of captions.
    pub fn about(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Size => "diameter of the sphere of the same volume (in the plane: disc of the same area)",
            Self::Shape => "shape",
            Self::Material => "material",
            Self::Coordination => "coordination number, walls included",
            Self::Force => "sum of the magnitudes of the contact forces on a grain",
        }
    }

    /// The number behind the colour of a grain; none for kinds.
    pub(super) fn value(self, description: &Description, grain: &Grain) -> Option<f64> {
        match self {
            Self::Speed => Some(grain.speed),
            Self::Size => Some(description.shapes[grain.shape].diameter),
            Self::Coordination => Some(grain.coordination),
            Self::Force => Some(grain.load),
            Self::Shape | Self::Material => None,
        }
    }

    /// The values of a frame that are finite.
    pub(super) fn values(self, description: &Description, frame: &Frame) -> Vec<f64> {
        let values = frame.grains.iter().filter_map(|grain| self.value(description, grain));
        values.filter(|value| value.is_finite()).collect()
    }
}

impl FromStr for Coloring {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(_, known)| *known == name);
        known.map(|(coloring, _)| *coloring).ok_or_else(|| {
            let names = Self::ALL.map(|(_, name)| name).join(", ");
            format!("no colouring named `{name}`: there are {names}")
        })
    }
}

/// Colours for the grains of a stage.
pub(super) struct Paint {
    coloring: Coloring,
    map: ColorMap,
    range: [f64; 2],
}

impl Paint {
    pub(super) fn new(_: &Description, stage: &Stage) -> Self {
        Self { coloring: stage.coloring, map: VIRIDIS, range: stage.range() }
    }

    pub(super) fn color(&self, description: &Description, grain: &Grain) -> Color {
        match self.coloring.value(description, grain) {
            Some(value) => self.map.of(value, self.range),
            None if self.coloring == Coloring::Material => palette(grain.material),
            None => palette(description.shapes[grain.shape].kind),
        }
    }

    /// What the colours mean; nothing where there is one kind only.
    pub(super) fn legend(&self, description: &Description, stage: &Stage) -> Option<Legend> {
        let (names, there, title) = match self.coloring {
            Coloring::Shape => (&description.kinds, &stage.kinds, "shape"),
            Coloring::Material => (&description.materials, &stage.materials, "material"),
            _ => return Some(self.scale(description, stage)),
        };
        let more = there.len().saturating_sub(MOST_KINDS);
        let name = |&kind: &usize| names.get(kind).map(|name| (palette(kind), name.clone()));
        let named = there.iter().take(MOST_KINDS).filter_map(name);
        let more = (more > 0).then(|| (Color::WHITE, format!("and {more} more")));
        (there.len() > 1).then(|| Legend::Kinds { title: title.into(), kinds: named.chain(more).collect() })
    }

    fn scale(&self, description: &Description, stage: &Stage) -> Legend {
        let newton = if description.dimension == 2 { "N/m" } else { "N" };
        let (name, unit) = match self.coloring {
            Coloring::Speed => ("speed", "m/s"),
            Coloring::Size => ("diameter", "m"),
            Coloring::Force => ("force", newton),
            _ => ("coordination", ""),
        };
        let [low, high] = stage.range();
        let (factor, prefix) = if unit.is_empty() { (1.0, "") } else { prefix(high) };
        let title = if unit.is_empty() { name.to_owned() } else { format!("{name} ({prefix}{unit})") };
        Legend::Scale { title, map: self.map, range: [low * factor, high * factor] }
    }
}

/// A factor, and the prefix that goes with it, for numbers with few zeros.
fn prefix(largest: f64) -> (f64, &'static str) {
    const PREFIXES: [(f64, &str); 6] =
        [(1e9, "n"), (1e6, "µ"), (1e3, "m"), (1.0, ""), (1e-3, "k"), (1e-6, "M")];
    let fits = |(factor, _): &&(f64, &str)| (1.0..1000.0).contains(&(largest * factor));
    PREFIXES.iter().find(fits).copied().unwrap_or((1.0, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for (coloring, name) in Coloring::ALL {
            assert_eq!(name.parse(), Ok(coloring));
        }
        assert!("colour".parse::<Coloring>().is_err());
    }

    #[test]
    fn prefixes_leave_one_to_three_digits_before_the_point() {
        assert_eq!(prefix(0.0042), (1e3, "m"));
        assert_eq!(prefix(0.25), (1e3, "m"));
        assert_eq!(prefix(2.0), (1.0, ""));
        assert_eq!(prefix(12_000.0), (1e-3, "k"));
        assert_eq!(prefix(0.0), (1.0, ""));
    }
}

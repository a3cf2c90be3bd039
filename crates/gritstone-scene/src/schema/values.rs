//! Names, lists of numbers, orientations.

use std::marker::PhantomData;

use glam::DVec3;
use gritstone_core::{Plane, Space};

use crate::node::{Item, Node, Reader, whole};
use crate::quantity::{Angle, AngularVelocity, Coordinates, Dimensionless, Kind, Quantity};
use crate::section::keywords;
use crate::value_type::ValueType;

/// Number of dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Two.
    Plane = 2,
    /// Three.
    Space = 3,
}

impl Node for Dimension {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match whole(item) {
            Some(2) => Some(Self::Plane),
            Some(3) => Some(Self::Space),
            _ => {
                reader.invalid(item, &Self::value_type().describe(reader.dimension()));
                None
            }
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Integer(*self as i64))
    }

    fn value_type() -> ValueType {
        ValueType::OneOf([2, 3])
    }
}

keywords! {
    /// Unit of the lengths in a file.
    LengthUnit {
        /// Metres.
        Metre => "m",
        /// Centimetres.
        Centimetre => "cm",
        /// Millimetres.
        Millimetre => "mm",
        /// Micrometres.
        Micrometre => "um",
        /// Inches.
        Inch => "in",
    }
}

impl LengthUnit {
    /// The unit in metres.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Millimetre => 1e-3,
            Self::Micrometre => 1e-6,
            Self::Inch => 0.0254,
        }
    }
}

/// One name, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The names, in the order of the file.
    pub list: Vec<String>,
}

impl Node for Names {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        if let Some(name) = item.text() {
            return Some(Self { list: vec![name.to_owned()] });
        }
        match item.list().filter(|list| !list.is_empty()) {
            Some(list) => {
                let names: Vec<_> = list.iter().map(|item| reader.read(item)).collect();
                Some(Self { list: names.into_iter().collect::<Option<_>>()? })
            }
            None => {
                reader.invalid(item, &Self::value_type().describe(reader.dimension()));
                None
            }
        }
    }

    fn write(&self) -> Option<toml::Value> {
        match &self.list[..] {
            [name] => name.write(),
            list => list.to_vec().write(),
        }
    }

    fn value_type() -> ValueType {
        ValueType::Either(vec![ValueType::Text, ValueType::List(Box::new(ValueType::Text))])
    }
}

/// As many whole numbers as the scene has dimensions, none of them zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The numbers.
    pub list: Vec<u32>,
}

impl Node for Counts {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let n = reader.dimension();
        let Some(list) = item.list().filter(|list| list.len() == n) else {
            reader.invalid(item, &format!("a list of {n} whole numbers, 1 or more"));
            return None;
        };
        let counts: Vec<_> = list.iter().map(|item| reader.read(item)).collect();
        Some(Self { list: counts.into_iter().collect::<Option<_>>()? })
    }

    fn write(&self) -> Option<toml::Value> {
        self.list.write()
    }

    fn value_type() -> ValueType {
        ValueType::List(Box::new(u32::value_type()))
    }
}

/// So many numbers of some kind, whatever the dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers<K: Kind, const N: usize> {
    /// The numbers, in SI units.
    pub si: [f64; N],
    kind: PhantomData<K>,
}

impl<K: Kind, const N: usize> Numbers<K, N> {
    /// Numbers in SI units.
    pub const fn new(si: [f64; N]) -> Self {
        Self { si, kind: PhantomData }
    }
}

impl<K: Kind, const N: usize> Node for Numbers<K, N> {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let Some(list) = item.list().filter(|list| list.len() == N) else {
            reader.invalid(item, &Self::value_type().describe(reader.dimension()));
            return None;
        };
        let numbers: Vec<_> = list.iter().map(|item| reader.read::<Quantity<K>>(item)).collect();
        let numbers: Vec<f64> = numbers.into_iter().map(|number| Some(number?.si)).collect::<Option<_>>()?;
        numbers.try_into().ok().map(Self::new)
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Array(self.si.iter().copied().map(toml::Value::Float).collect()))
    }

    fn value_type() -> ValueType {
        ValueType::Numbers(K::NUMBER, N)
    }
}

/// How a grain is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Each grain another way, all ways equally likely.
    Random,
    /// By an angle, in 2D.
    Angle(Quantity<Angle>),
    /// By a quaternion [w, x, y, z], in space; need not be normalised.
    Quaternion(Numbers<Dimensionless, 4>),
}

impl Orientation {
    /// Not turned.
    pub const NONE: Self = Self::Quaternion(Numbers::new([1.0, 0.0, 0.0, 0.0]));
}

impl Node for Orientation {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        if item.text() == Some("random") {
            return Some(Self::Random);
        }
        if reader.dimension() == 2 {
            return Quantity::read(item, reader).map(Self::Angle);
        }
        if item.list().is_none() {
            reader.invalid(item, "\"random\", or a quaternion [w, x, y, z]");
            return None;
        }
        let quaternion = Numbers::<Dimensionless, 4>::read(item, reader)?;
        if quaternion.si.iter().all(|x| x.abs() < 1e-100) {
            reader.invalid(item, "a quaternion other than zero");
            return None;
        }
        Some(Self::Quaternion(quaternion))
    }

    fn write(&self) -> Option<toml::Value> {
        match self {
            Self::Random => Some(toml::Value::String("random".to_owned())),
            Self::Angle(angle) => angle.write(),
            Self::Quaternion(quaternion) => quaternion.write(),
        }
    }

    fn value_type() -> ValueType {
        ValueType::Either(vec![
            ValueType::Keyword(&[("random", "Each grain another way, all ways equally likely.")]),
            ValueType::Numbers(Dimensionless::NUMBER, 4),
            Quantity::<Angle>::value_type(),
        ])
    }
}

/// An angular velocity: a vector in 3D, a number in 2D.
#[derive(Clone, Debug, PartialEq)]
pub enum Spin {
    /// In the plane.
    Plane(Quantity<AngularVelocity>),
    /// In space.
    Space(Coordinates<AngularVelocity>),
}

impl Spin {
    /// The spin in space.
    pub(crate) fn space(&self) -> DVec3 {
        match self {
            Self::Plane(spin) => DVec3::Z * spin.si,
            Self::Space(spin) => spin.vector::<Space>(),
        }
    }

    /// The spin in the plane.
    pub(crate) fn plane(&self) -> f64 {
        match self {
            Self::Plane(spin) => spin.si,
            Self::Space(spin) => spin.vector::<Plane>().x,
        }
    }
}

impl Node for Spin {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        if reader.dimension() == 2 {
            Quantity::read(item, reader).map(Self::Plane)
        } else {
            Coordinates::read(item, reader).map(Self::Space)
        }
    }

    fn write(&self) -> Option<toml::Value> {
        match self {
            Self::Plane(spin) => spin.write(),
            Self::Space(spin) => spin.write(),
        }
    }

    fn value_type() -> ValueType {
        ValueType::Either(vec![
            Quantity::<AngularVelocity>::value_type(),
            ValueType::Numbers(AngularVelocity::NUMBER, 3),
        ])
    }
}

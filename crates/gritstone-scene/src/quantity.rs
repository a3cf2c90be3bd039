//! Kinds of numbers: what each measures, its SI unit, its range, an example.

use std::fmt::Debug;
use std::marker::PhantomData;

use gritstone_core::Dim;
use gritstone_core::Vector as _;
use gritstone_io::states::FASTEST;

use crate::node::{Item, Node, Reader, number};
use crate::units::{self, Powers, powers};
use crate::value_type::ValueType;

/// What a number of a scene must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// What it is, with the article: "a length".
    pub what: &'static str,
    /// SI unit; empty for pure numbers.
    pub unit: &'static str,
    /// SI unit in the plane, where it is another one.
    pub plane_unit: &'static str,
    /// The same with another unit.
    pub example: &'static str,
    /// Values that are allowed.
    pub range: Range,
    powers: Powers,
    plane_powers: Powers,
}

/// Values that a number may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any finite number.
    Finite,
    /// Velocities that do not make energies overflow.
    Moderate,
    /// Any number, infinite ones included.
    Any,
    /// More than zero.
    Positive,
    /// Zero or more.
    NotNegative,
    /// From zero, exclusive, to one, inclusive.
    UpToOne,
    /// From zero to one, inclusive.
    UnitInterval,
    /// From zero to a half, inclusive: Poisson's ratio of what does not shrink and cannot be denser.
    Poisson,
    /// What damping can bring about.
    Restitution,
    /// Heights of a crown: so slight that nobody sees it.
    Crown,
    /// Ratios of damping to the critical one that steps of usual length can follow.
    DampingRatio,
    /// An angle from zero to, exclusive, a right angle.
    Acute,
}

impl Range {
    /// Whether a number is allowed.
    pub fn holds(self, x: f64) -> bool {
        (x.is_finite() || self == Self::Any)
            && match self {
                Self::Finite => true,
                Self::Moderate => x.abs() <= FASTEST,
                Self::Any => !x.is_nan(),
                Self::Positive => x > 0.0,
                Self::NotNegative => x >= 0.0,
                Self::UpToOne => x > 0.0 && x <= 1.0,
                Self::UnitInterval => (0.0..=1.0).contains(&x),
                Self::Poisson => (0.0..=0.5).contains(&x),
                Self::Restitution => (0.01..=1.0).contains(&x),
                Self::Crown => (0.0..=0.05).contains(&x),
                Self::DampingRatio => (0.0..=10.0).contains(&x),
                Self::Acute => (0.0..std::f64::consts::FRAC_PI_2).contains(&x),
            }
    }

    /// The range as a phrase that completes "must be".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Finite => "finite",
            Self::Moderate => "from -1e9 to 1e9",
            Self::Any => "finite or infinite",
            Self::Positive => "positive",
            Self::NotNegative => "zero or more",
            Self::UpToOne => "in (0, 1]",
            Self::UnitInterval => "in [0, 1]",
            Self::Poisson => "in [0, 0.5]",
            Self::Restitution => "in [0.01, 1]",
            Self::Crown => "in [0, 0.05]",
            Self::DampingRatio => "in [0, 10]",
            Self::Acute => "in [0, 90 deg)",
        }
    }
}

impl Number {
    /// What it must be, for messages; units as in the given dimension.
    pub fn must(&self, dimension: usize) -> String {
        let unit = if dimension == 2 { self.plane_unit } else { self.unit };
        if unit.is_empty() {
            return format!("{}, {}", self.what, self.range.describe());
        }
        let example = if unit == self.unit { self.example.to_owned() } else { format!("2 {unit}") };
        format!("{}, {}: a number in {unit}, or text such as \"{example}\"", self.what, self.range.describe())
    }
}

/// A kind of number, at compile time.
pub trait Kind: Clone + Copy + Debug + Default + PartialEq + 'static {
    /// What numbers of this kind must be.
    const NUMBER: Number;
}

/// A number of some kind, in SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quantity<K: Kind> {
    /// The number, in SI units.
    pub si: f64,
    kind: PhantomData<K>,
}

impl<K: Kind> Quantity<K> {
    /// A number in SI units.
    pub const fn new(si: f64) -> Self {
        Self { si, kind: PhantomData }
    }
}

/// As many numbers of some kind as the scene has dimensions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates<K: Kind> {
    /// The numbers, in SI units.
    pub si: Vec<f64>,
    kind: PhantomData<K>,
}

impl<K: Kind> Coordinates<K> {
    /// Numbers in SI units.
    pub fn new(si: impl Into<Vec<f64>>) -> Self {
        Self { si: si.into(), kind: PhantomData }
    }

    /// The same as a vector; what is not there is zero.
    pub fn vector<D: Dim>(&self) -> D::Vec {
        D::Vec::from_fn(|i| self.si.get(i).copied().unwrap_or_default())
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $name:ident: $what:literal, $range:ident, $powers:expr, $unit:literal, $example:literal
        $(, plane $plane_powers:expr, $plane_unit:literal)?;)*) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name;

            impl Kind for $name {
                const NUMBER: Number = {
                    let number = Number {
                        what: $what, unit: $unit, plane_unit: $unit, example: $example, range: Range::$range,
                        powers: $powers, plane_powers: $powers,
                    };
                    $(let number = Number { plane_powers: $plane_powers, plane_unit: $plane_unit, ..number };)?
                    number
                };
            }
        )*
    };
}

const ANGLE: Powers = Powers { angle: 1, ..powers(0, 0, 0) };
const TURNING: Powers = Powers { angle: 1, ..powers(0, 0, -1) };
const ACCELERATION: Powers = powers(1, 0, -2);

#[rustfmt::skip]
kinds! {
    /// A number without a unit.
    Dimensionless: "a number", Finite, powers(0, 0, 0), "", "";
    /// A number without a unit that is not negative.
    Coefficient: "a number", NotNegative, powers(0, 0, 0), "", "";
    /// A number without a unit that is more than zero.
    Factor: "a number", Positive, powers(0, 0, 0), "", "";
    /// A number between zero and one.
    Fraction: "a number", UpToOne, powers(0, 0, 0), "", "";
    /// A number from zero to one, both included.
    UnitInterval: "a number", UnitInterval, powers(0, 0, 0), "", "";
    /// Height of a crown, relative to the extent.
    Crown: "a number", Crown, powers(0, 0, 0), "", "";
    /// Restitution of a central impact.
    Restitution: "a number", Restitution, powers(0, 0, 0), "", "";
    /// Damping ratio.
    DampingRatio: "a number", DampingRatio, powers(0, 0, 0), "", "";
    /// Poisson's ratio.
    Poisson: "a number", Poisson, powers(0, 0, 0), "", "";
    /// A length: radii, edges.
    Length: "a length", Positive, powers(1, 0, 0), "m", "2 cm";
    /// A length that may be zero.
    Width: "a length", NotNegative, powers(1, 0, 0), "m", "2 cm";
    /// A coordinate.
    Position: "a length", Finite, powers(1, 0, 0), "m", "2 cm";
    /// A coordinate that may be infinite.
    Limit: "a length", Any, powers(1, 0, 0), "m", "2 cm";
    /// A span of time.
    Duration: "a time", Positive, powers(0, 0, 1), "s", "20 us";
    /// A moment.
    TimePoint: "a time", NotNegative, powers(0, 0, 1), "s", "1.5 s";
    /// A velocity.
    Velocity: "a velocity", Moderate, powers(1, 0, -1), "m/s", "5 cm/s";
    /// An acceleration.
    Acceleration: "an acceleration", Finite, ACCELERATION, "m/s^2", "-9.81 m/s^2";
    /// An acceleration that is more than zero.
    PeakAcceleration: "an acceleration", Positive, ACCELERATION, "m/s^2", "3 g";
    /// An angular velocity.
    AngularVelocity: "an angular velocity", Moderate, TURNING, "rad/s", "30 rpm";
    /// A rate of strain.
    StrainRate: "a rate", Moderate, powers(0, 0, -1), "1/s", "0.5 1/s";
    /// An angle.
    Angle: "an angle", Finite, ANGLE, "rad", "30 deg";
    /// The angle of friction.
    FrictionAngle: "an angle", Acute, ANGLE, "rad", "35 deg";
    /// Mass per volume; in the plane per area.
    Density: "a density", Positive, powers(-3, 1, 0), "kg/m^3", "2.5 g/cm^3", plane powers(-2, 1, 0), "kg/m^2";
    /// A modulus of elasticity.
    Modulus: "a modulus", Positive, powers(-1, 1, -2), "Pa", "10 MPa";
    /// Force per length.
    Stiffness: "a stiffness", Positive, powers(0, 1, -2), "N/m", "130 kN/m";
    /// Energy per area.
    Adhesion: "an energy per area", NotNegative, powers(0, 1, -2), "J/m^2", "50 mJ/m^2";
    /// Force per area of contact.
    Cohesion: "a stress", NotNegative, powers(-1, 1, -2), "Pa", "10 kPa";
    /// A force.
    Force: "a force", Finite, powers(1, 1, -2), "N", "2 kN";
    /// A stress; in the plane a force per length.
    Pressure: "a stress", Finite, powers(-1, 1, -2), "Pa", "10 kPa", plane powers(0, 1, -2), "N/m";
    /// An area; in the plane a length.
    Area: "an area", Positive, powers(2, 0, 0), "m^2", "4 cm^2", plane powers(1, 0, 0), "m";
    /// A mass.
    Mass: "a mass", Positive, powers(0, 1, 0), "kg", "20 g";
    /// A moment of inertia.
    Inertia: "a moment of inertia", Positive, powers(2, 1, 0), "kg*m^2", "2 g*m^2";
    /// A frequency.
    Frequency: "a frequency", Positive, powers(0, 0, -1), "Hz", "2 kHz";
    /// A speed that is more than zero.
    Speed: "a speed", Positive, powers(1, 0, -1), "m/s", "5 cm/s";
    /// Mass per time.
    MassRate: "a mass per time", Positive, powers(0, 1, -1), "kg/s", "2 t/h";
    /// An energy.
    Energy: "an energy", Positive, powers(2, 1, -2), "J", "1 uJ";
}

impl<K: Kind> Node for Quantity<K> {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        read_si(&K::NUMBER, item, reader).map(Self::new)
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Float(self.si))
    }

    fn value_type() -> ValueType {
        ValueType::Number(K::NUMBER)
    }
}

impl<K: Kind> Node for Coordinates<K> {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let n = reader.dimension();
        let Some(list) = item.list().filter(|list| list.len() == n) else {
            let must = K::NUMBER.must(n);
            reader.invalid(item, &format!("a list of {n} numbers, each {must}"));
            return None;
        };
        // Every component is read, so that all that is wrong is told.
        let numbers: Vec<_> = list.iter().map(|item| read_si(&K::NUMBER, item, reader)).collect();
        numbers.into_iter().collect::<Option<Vec<_>>>().map(Self::new)
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Array(self.si.iter().copied().map(toml::Value::Float).collect()))
    }

    fn value_type() -> ValueType {
        ValueType::Coordinates(K::NUMBER)
    }
}

/// Standard acceleration of free fall (m/s²).
const STANDARD_GRAVITY: f64 = 9.806_65;

/// A number in SI units, or a text with a unit.
fn read_si(kind: &Number, item: &Item<'_>, reader: &mut Reader<'_>) -> Option<f64> {
    let n = reader.dimension();
    let measures = if n == 2 { kind.plane_powers } else { kind.powers };
    let si = match item.text() {
        None => number(item),
        // JSON and others have no number for it.
        Some("inf" | "+inf") if kind.range == Range::Any => Some(f64::INFINITY),
        Some("-inf") if kind.range == Range::Any => Some(f64::NEG_INFINITY),
        Some(text) => match units::parse(text) {
            Some((si, powers)) if powers == measures => Some(si),
            // 1/s is as good as rad/s.
            Some((si, powers)) if measures == TURNING && powers == Powers { angle: 0, ..TURNING } => Some(si),
            // Where an acceleration is requested, g is no gram.
            _ if measures == ACCELERATION => units::gravities(text).map(|times| times * STANDARD_GRAVITY),
            _ => None,
        },
    };
    let si = si.filter(|si| kind.range.holds(*si));
    if si.is_none() {
        let hint = if kind.range == Range::Acute && number(item).is_some() {
            " (35 alone would be radians)"
        } else {
            ""
        };
        reader.invalid(item, &format!("{}{hint}", kind.must(n)));
    }
    si
}

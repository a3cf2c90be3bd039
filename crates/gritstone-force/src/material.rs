//! What a user says about a material.

use thiserror::Error;

use crate::{Spring, restitution};

/// A material. Coefficients are those of a contact with the same material; [`crate::Interactions`] mixes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name in messages.
    pub name: String,
    /// Density (kg/m³), in the plane per area (kg/m²).
    pub density: f64,
    /// Its springs.
    pub stiffness: Stiffness,
    /// Its damping.
    pub damping: Damping,
    /// Sliding friction.
    pub friction: Friction,
    /// Coefficient of rolling resistance: torque over `R*·Fn`.
    pub rolling: f64,
    /// Coefficient of twisting resistance: torque over `R*·Fn`.
    pub twisting: f64,
    /// What holds its surfaces together.
    pub cohesion: Adhesion,
}

impl Material {
    /// A material with Hertz's law of this Young's modulus (Pa) and Poisson's ratio, of density 1000 kg/m³: without damping,
    /// friction and cohesion.
    pub fn elastic(name: impl Into<String>, young: f64, poisson: f64) -> Self {
        Self {
            name: name.into(),
            density: 1000.0,
            stiffness: Stiffness::Hertz { young, poisson },
            damping: Damping::Restitution(1.0),
            friction: Friction::Coefficient(0.0),
            rolling: 0.0,
            twisting: 0.0,
            cohesion: Adhesion::None,
        }
    }
}

/// Springs of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// Linear springs.
    Linear {
        /// Along the normal (N/m).
        kn: f64,
        /// Across it (N/m).
        ks: f64,
    },
    /// Hertz and Mindlin.
    Hertz {
        /// Young's modulus (Pa).
        young: f64,
        /// Poisson's ratio.
        poisson: f64,
    },
}

/// Damping of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// Restitution e of a central collision.
    Restitution(f64),
    /// Damping ratio ζ.
    Ratio(f64),
    /// Restitution in the usual formula, and the tangential spring of codes that use it: see
    /// [`crate::Interaction::as_published`].
    Published(f64),
}

/// Sliding friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// μ.
    Coefficient(f64),
    /// Friction angle (rad), μ = tan.
    Angle(f64),
}

/// What holds surfaces together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Adhesion {
    /// Nothing.
    #[default]
    None,
    /// Cohesion energy density (J/m³).
    Linear(f64),
    /// Work of adhesion (J/m²), with Hertz's law alone.
    Jkr(f64),
}

/// What is wrong with materials.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LawError {
    /// A value is out of range.
    #[error("{material}: {key} is {value}, but must be {range}")]
    Range {
        /// Name of the material, or of both.
        material: String,
        /// Which value.
        key: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// Two materials cannot touch.
    #[error("{a} and {b}: {reason}")]
    Pair {
        /// Name of one.
        a: String,
        /// Name of the other.
        b: String,
        /// Why.
        reason: &'static str,
    },
    /// An override names a material that is not there.
    #[error("there is no material {index}: there are {count}")]
    Unknown {
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

impl Friction {
    /// μ.
    pub fn coefficient(self) -> f64 {
        match self {
            Self::Coefficient(mu) => mu,
            Self::Angle(angle) => libm::tan(angle),
        }
    }
}

/// What a value may be: its key, itself, whether it is fine, and the range in words.
pub(crate) type Rule = (&'static str, f64, bool, &'static str);

impl Stiffness {
    fn rules(self) -> [Rule; 2] {
        match self {
            Self::Linear { kn, ks } => [positive("kn", kn), not_negative("ks", ks)],
            Self::Hertz { young, poisson } => [
                positive("young", young),
                ("poisson", poisson, poisson > -1.0 && poisson <= 0.5, "above -1 and at most 0.5"),
            ],
        }
    }
}

impl Spring {
    pub(crate) fn rules(self) -> [Rule; 2] {
        match self {
            Self::Linear { kn, ks } => [positive("kn", kn), not_negative("ks", ks)],
            Self::Hertz { young, shear } => [positive("young", young), positive("shear", shear)],
        }
    }
}

impl Damping {
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::Restitution(e) | Self::Published(e) => {
                ("restitution", e, (restitution::SMALLEST..=1.0).contains(&e), "from 0.01 to 1")
            }
            Self::Ratio(zeta) => ("damping_ratio", zeta, (0.0..=10.0).contains(&zeta), "from 0 to 10"),
        }
    }
}

impl Friction {
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::Coefficient(mu) => not_negative("friction", mu),
            Self::Angle(angle) => (
                "friction angle (rad)",
                angle,
                (0.0..std::f64::consts::FRAC_PI_2).contains(&angle),
                "from 0 to below a right angle",
            ),
        }
    }
}

impl Adhesion {
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::None => not_negative("cohesion", 0.0),
            Self::Linear(density) => not_negative("cohesion", density),
            Self::Jkr(work) => not_negative("work of adhesion", work),
        }
    }
}

fn positive(key: &'static str, value: f64) -> Rule {
    (key, value, value.is_finite() && value > 0.0, "positive")
}

/// A coefficient that may be zero.
pub(crate) fn not_negative(key: &'static str, value: f64) -> Rule {
    (key, value, value.is_finite() && value >= 0.0, "zero or positive")
}

/// The first rule that is broken.
pub(crate) fn check(material: &str, rules: impl IntoIterator<Item = Rule>) -> Result<(), LawError> {
    match rules.into_iter().find(|&(_, _, fine, _)| !fine) {
        None => Ok(()),
        Some((key, value, _, range)) => {
            Err(LawError::Range { material: material.to_string(), key, value, range })
        }
    }
}

impl Material {
    /// Whether all values are in range.
    pub fn check(&self) -> Result<(), LawError> {
        let [first, second] = self.stiffness.rules();
        let rules = [
            positive("density", self.density),
            first,
            second,
            self.damping.rule(),
            self.friction.rule(),
            not_negative("rolling", self.rolling),
            not_negative("twisting", self.twisting),
            self.cohesion.rule(),
        ];
        check(&self.name, rules)
    }
}

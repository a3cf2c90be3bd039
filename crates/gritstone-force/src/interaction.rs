//! All parameters of one pair of materials, and the loads that follow from them.

use gritstone_core::{Dim, Linear};

use crate::law::{Law, NUMBERS, Normal};
use crate::{History, Load, Touch, Wrench, hertz, jkr, linear, restitution};

/// The spring of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spring {
    /// Constant stiffness.
    Linear {
        /// Stiffness along the normal (N/m).
        kn: f64,
        /// Stiffness across it (N/m).
        ks: f64,
    },
    /// Hertz and Mindlin.
    Hertz {
        /// Effective Young's modulus Y* (Pa).
        young: f64,
        /// Effective shear modulus G* (Pa).
        shear: f64,
    },
}

/// What holds the surfaces of a contact together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Cohesion {
    /// Nothing.
    #[default]
    None,
    /// Attraction proportional to the contact's area.
    Linear {
        /// Cohesion energy density (J/m³).
        density: f64,
    },
    /// Johnson, Kendall and Roberts; with Hertz's law alone.
    Jkr {
        /// Work of adhesion (J/m²).
        work: f64,
    },
}

/// All parameters of one pair of materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interaction {
    pub(crate) spring: Spring,
    pub(crate) cohesion: Cohesion,
    /// ζ.
    pub(crate) damping_ratio: f64,
    /// Damping coefficients over √(stiffness·m*), along the normal and across it.
    pub(crate) damping: [f64; 2],
    pub(crate) friction: f64,
    pub(crate) rolling: f64,
    pub(crate) twisting: f64,
    pub(crate) published: bool,
}

impl Interaction {
    /// Linear springs, without damping and friction.
    pub fn linear(kn: f64, ks: f64) -> Self {
        Self::new(Spring::Linear { kn, ks })
    }

    /// Hertz and Mindlin with the effective moduli Y* and G*, without damping and friction.
    pub fn hertz(young: f64, shear: f64) -> Self {
        Self::new(Spring::Hertz { young, shear })
    }

    fn new(spring: Spring) -> Self {
        Self {
            spring,
            cohesion: Cohesion::None,
            damping_ratio: 0.0,
            damping: [0.0; 2],
            friction: 0.0,
            rolling: 0.0,
            twisting: 0.0,
            published: false,
        }
    }

    /// With the damping that gives a central collision this restitution, from [`restitution::SMALLEST`] to 1.
    pub fn with_restitution(self, e: f64) -> Self {
        self.with_damping_ratio(restitution::damping_ratio(e))
    }

    /// With this damping ratio ζ.
    pub fn with_damping_ratio(self, zeta: f64) -> Self {
        let [normal, tangent] = match self.spring {
            Spring::Linear { .. } => linear::DAMPING,
            Spring::Hertz { .. } => hertz::DAMPING,
        };
        Self { damping_ratio: zeta, damping: [normal * zeta, tangent * zeta], ..self }
    }

    /// As codes in use have it: the usual formula for the damping, which gives a higher restitution than asked for, and a
    /// tangential spring that keeps its stretch when it becomes stiffer, which creates energy.
    pub fn as_published(self, e: f64) -> Self {
        Self { published: true, ..self.with_damping_ratio(restitution::published_damping_ratio(e)) }
    }

    /// With this coefficient of friction μ.
    pub fn with_friction(self, coefficient: f64) -> Self {
        Self { friction: coefficient, ..self }
    }

    /// With springs that have this part of the stiffness; damped in proportion to the critical damping, as before.
    pub fn softened(self, part: f64) -> Self {
        let spring = match self.spring {
            Spring::Linear { kn, ks } => Spring::Linear { kn: kn * part, ks: ks * part },
            Spring::Hertz { young, shear } => Spring::Hertz { young: young * part, shear: shear * part },
        };
        Self { spring, ..self }
    }

    /// With rolling resistance up to the torque `coefficient·R*·Fn`.
    pub fn with_rolling(self, coefficient: f64) -> Self {
        Self { rolling: coefficient, ..self }
    }

    /// With twisting resistance up to the torque `coefficient·R*·Fn`.
    pub fn with_twisting(self, coefficient: f64) -> Self {
        Self { twisting: coefficient, ..self }
    }

    /// With cohesion. JKR needs Hertz's law: linear springs stay without it, and [`crate::Interactions::mix`] refuses it.
    pub fn with_cohesion(self, cohesion: Cohesion) -> Self {
        match (self.spring, cohesion) {
            (Spring::Linear { .. }, Cohesion::Jkr { .. }) => self,
            _ => Self { cohesion, ..self },
        }
    }

    /// The spring.
    pub fn spring(&self) -> Spring {
        self.spring
    }

    /// What holds the surfaces together.
    pub fn cohesion(&self) -> Cohesion {
        self.cohesion
    }

    /// Whether bodies resist rolling or twisting on each other.
    pub fn resists(&self) -> bool {
        self.rolling > 0.0 || self.twisting > 0.0
    }

    /// Damping ratio ζ.
    pub fn damping_ratio(&self) -> f64 {
        self.damping_ratio
    }

    /// Coefficients of friction, rolling and twisting resistance.
    pub fn coefficients(&self) -> [f64; 3] {
        [self.friction, self.rolling, self.twisting]
    }

    /// What the contact does in this step. Also to be called while bodies that have touched are apart by less than
    /// [`Self::reach`], and once more when they have parted: what its springs still hold is then dissipated.
    #[inline]
    pub fn load<D: Dim>(&self, touch: &Touch<D>, history: &mut History<D>, dt: f64) -> Load<D> {
        let fresh = !history.touching();
        let Some(normal) = self.normal(touch.radius, touch.depth, !fresh) else {
            return self.part(touch.radius, history);
        };
        let mut load = self.law().act(touch, &normal, history, dt);
        load.dissipated += self.jump_in(touch.radius, fresh, dt);
        load
    }

    /// What a push of one newton does to b: see [`Law::push_wrench`].
    #[inline]
    pub fn push_wrench<D: Dim>(&self, normal: D::Vec, radius_gradient: &Wrench<D>, depth: f64) -> Wrench<D> {
        self.law().push_wrench(normal, radius_gradient, depth)
    }

    /// The numbers of the law at a point. Those of JKR have its damping and friction alone.
    #[inline]
    pub(crate) fn law(&self) -> Law<f64> {
        let Self { damping, friction, rolling, twisting, .. } = *self;
        let (stiffness, hertz) = match (self.spring, self.cohesion) {
            (Spring::Linear { kn, ks }, _) => ([kn, ks], 0.0),
            (Spring::Hertz { .. }, Cohesion::Jkr { .. }) => ([0.0; 2], 0.0),
            (Spring::Hertz { young, shear }, _) => ([4.0 / 3.0 * young, 8.0 * shear], 1.0),
        };
        let cohesion = if let Cohesion::Linear { density } = self.cohesion { density } else { 0.0 };
        let published = f64::from(u8::from(self.published));
        Law { stiffness, hertz, damping, friction, rolling, twisting, published, cohesion }
    }

    /// The numbers for lanes, without those of rolling and twisting resistance; none if lanes cannot do what this pair of materials
    /// does.
    pub fn for_lanes(&self) -> Option<[f64; NUMBERS]> {
        if matches!(self.cohesion, Cohesion::Jkr { .. }) {
            return None;
        }
        let Law {
            stiffness: [kn, ks], hertz, damping: [normal, tangent], friction, published, cohesion, ..
        } = self.law();
        Some([kn, ks, hertz, normal, tangent, friction, published, cohesion])
    }

    /// The normal part, or nothing if the bodies do not act on each other.
    #[inline]
    pub(crate) fn normal(&self, radius: f64, depth: f64, touching: bool) -> Option<Normal<f64>> {
        if let (Spring::Hertz { young, shear }, Cohesion::Jkr { work }) = (self.spring, self.cohesion) {
            return jkr::respond(young, shear, work, radius, depth, touching);
        }
        (depth > 0.0).then(|| self.law().respond(radius, depth))
    }

    /// The end of a contact: its memory is cleared, and what its springs held is lost.
    pub(crate) fn part<D: Dim>(&self, radius: f64, history: &mut History<D>) -> Load<D> {
        let History { slip, roll, twist, stiffness, .. } = std::mem::take(history);
        if stiffness == 0.0 {
            return Load::default();
        }
        let springs = 0.5 * stiffness * (slip.dot(slip) + roll.dot(roll) + twist * twist);
        Load { dissipated: springs + self.jumps(radius)[1], ..Load::default() }
    }

    /// The end of a contact of faces.
    pub(crate) fn part_face<D: Dim>(&self, history: &mut History<D>) -> Load<D> {
        let without = Self { cohesion: Cohesion::None, ..*self };
        without.part(0.0, history)
    }

    /// Energy lost as surfaces jump into a contact that begins in this step. Contacts that are there at the start, when no time passes, began
    /// before.
    #[inline]
    pub(crate) fn jump_in(&self, radius: f64, fresh: bool, dt: f64) -> f64 {
        if fresh && dt > 0.0 { self.jumps(radius)[0] } else { 0.0 }
    }

    /// Energies lost when surfaces jump into contact, and when they part.
    fn jumps(&self, radius: f64) -> [f64; 2] {
        match (self.spring, self.cohesion) {
            (Spring::Hertz { young, .. }, Cohesion::Jkr { work }) => jkr::jumps(young, work, radius),
            _ => [0.0; 2],
        }
    }

    /// How far apart bodies that have touched still act on each other (m); zero without JKR.
    pub fn reach(&self, radius: f64) -> f64 {
        match (self.spring, self.cohesion) {
            (Spring::Hertz { young, .. }, Cohesion::Jkr { work }) => jkr::reach(young, work, radius),
            _ => 0.0,
        }
    }

    /// Slope of the repulsion at this depth (N/m).
    pub fn normal_stiffness(&self, radius: f64, depth: f64) -> f64 {
        match self.spring {
            Spring::Linear { kn, .. } => kn,
            Spring::Hertz { young, .. } => 2.0 * young * (radius * depth.max(0.0)).sqrt(),
        }
    }

    /// Time that a central collision at this speed takes without damping and cohesion (s).
    pub fn contact_time(&self, radius: f64, mass: f64, speed: f64) -> f64 {
        match self.spring {
            Spring::Linear { kn, .. } => linear::contact_time(kn, mass),
            Spring::Hertz { young, .. } => hertz::contact_time(young, radius, mass, speed),
        }
    }
}

//! All parameters of one pair of materials, and the loads that follow from them.

use gritstone_core::{Dim, Linear};

use crate::slider::Slider;
use crate::transport::transport;
use crate::{History, Load, Touch, cohesion, hertz, jkr, linear, restitution};

/// Largest damping coefficient, over effective mass by time step. One contact alone is damped without limit; several on one
/// body do not know of each other within a step, and n of them that act in one direction are stable up to 2/(2n − 1) of
/// `c·dt/m ÷ (1 + c·dt/2m)`: here four. In a bed with twelve contacts each grain has four along any direction.
pub const LARGEST_DAMPING: f64 = 0.25;

/// How much lighter bodies are across the normal than along it, since they turn: 1 + 5/2 for balls.
pub(crate) const ACROSS: f64 = 3.5;

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

/// What the normal part of a law says at a depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Normal {
    /// Force that pushes, kept from pulling together with the damping.
    pub(crate) repulsion: f64,
    /// Force that pulls.
    pub(crate) attraction: f64,
    /// What friction counts beside the repulsion.
    pub(crate) grip: f64,
    /// Stiffness for the damping: repulsion over depth.
    pub(crate) secant: f64,
    /// Tangential stiffness.
    pub(crate) shear: f64,
    /// Energy stored.
    pub(crate) energy: f64,
}

/// What the normal part does, with its damping.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Push {
    pub(crate) push: f64,
    pub(crate) attraction: f64,
    pub(crate) grip: f64,
    pub(crate) shear: f64,
    pub(crate) elastic: f64,
    pub(crate) dissipated: f64,
}

/// What holds the surfaces against sliding, rolling and twisting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold<D: Dim> {
    /// Where the tangential force acts, from the contact point.
    pub(crate) lever: D::Vec,
    /// Normal force that counts for the limits.
    pub(crate) grip: f64,
    /// Tangential stiffness.
    pub(crate) shear: f64,
    /// Lever of the twisting spring.
    pub(crate) twist_lever: f64,
    /// Largest twisting torque.
    pub(crate) twist_limit: f64,
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
        let Some(normal) = self.normal(touch.radius, touch.depth, history.touching()) else {
            return self.part(touch.radius, history);
        };
        let fresh = !history.touching();
        let jump = if fresh { self.jumps(touch.radius)[0] } else { 0.0 };
        let push = self.push(touch, &normal, history, dt);
        let hold = Hold {
            lever: D::Vec::default(),
            grip: push.push + push.grip,
            shear: push.shear,
            twist_lever: touch.radius,
            twist_limit: self.twisting * touch.radius * (push.push + push.grip),
        };
        let mut load = self.hold(touch, history, &hold, dt);
        load.normal_force = push.push - push.attraction;
        history.normal_force = load.normal_force;
        load.force += touch.normal * load.normal_force;
        load.elastic += push.elastic;
        load.dissipated += push.dissipated + jump;
        load
    }

    /// The normal part with its damping. It does not pull, but for the attraction.
    ///
    /// The velocity that laws see has been predicted with the force of the last step. What the contact's own force changes
    /// is known: with the force of this step instead, the dashpot acts on the velocity in the middle between those half a
    /// step before and after, and what it takes is what the bodies lose, to second order and for any damping.
    #[inline]
    pub(crate) fn push<D: Dim>(
        &self,
        touch: &Touch<D>,
        normal: &Normal,
        history: &History<D>,
        dt: f64,
    ) -> Push {
        let approach = -touch.velocity.dot(touch.normal);
        let mass = touch.normal_mass;
        let damping = (self.damping[0] * (normal.secant * mass).sqrt()).min(LARGEST_DAMPING * mass / dt);
        let fresh = !history.touching() && !self.published;
        let damping = if fresh { damping * self.first_share(touch.depth, approach * dt) } else { damping };
        let half = 0.5 * dt / mass;
        let free = approach + half * (history.normal_force + normal.attraction);
        let push = ((normal.repulsion + damping * free) / (1.0 + damping * half)).max(0.0);
        Push {
            push,
            attraction: normal.attraction,
            grip: normal.grip,
            shear: normal.shear,
            elastic: normal.energy,
            dissipated: (push - normal.repulsion) * (free - half * push) * dt,
        }
    }

    /// Friction, rolling and twisting resistance.
    #[inline]
    pub(crate) fn hold<D: Dim>(
        &self,
        touch: &Touch<D>,
        history: &mut History<D>,
        hold: &Hold<D>,
        dt: f64,
    ) -> Load<D> {
        let Touch { normal, spin, mean_spin, .. } = *touch;
        let slider = Slider {
            stiffness_before: history.stiffness,
            stiffness: hold.shear,
            damping: (self.damping[1] * (hold.shear * touch.mass).sqrt())
                .min(LARGEST_DAMPING / ACROSS * touch.mass / dt),
            limit: self.friction * hold.grip,
            keep_stretch: self.published,
            dt,
        };
        history.stiffness = hold.shear.max(f64::MIN_POSITIVE); // Zero is for those that do not touch.
        let mut load = Load::default();
        if self.friction > 0.0 {
            let velocity = touch.velocity + D::sweep(spin, hold.lever);
            history.slip = transport::<D>(history.slip, normal, mean_spin, dt);
            let drag = slider.drag(&mut history.slip, velocity - normal * normal.dot(velocity));
            load.force = drag.force;
            load.torque = D::moment(hold.lever, drag.force);
            (load.elastic, load.dissipated) = (drag.elastic, drag.dissipated);
        }
        if self.rolling > 0.0 {
            let slider = Slider { limit: self.rolling * hold.grip, ..slider };
            history.roll = transport::<D>(history.roll, normal, mean_spin, dt);
            // (ω × n)·R* does with F the work that the torque R*·n × F does with ω.
            let drag = slider.drag(&mut history.roll, D::sweep(spin, normal) * touch.radius);
            load.torque += D::moment(normal, drag.force) * touch.radius;
            load.elastic += drag.elastic;
            load.dissipated += drag.dissipated;
        }
        if D::N == 3 && hold.twist_limit > 0.0 {
            let slider = Slider { limit: hold.twist_limit / hold.twist_lever, ..slider };
            let drag = slider.drag(&mut history.twist, D::along(spin, normal) * hold.twist_lever);
            load.torque += D::turn(normal, drag.force * hold.twist_lever);
            load.elastic += drag.elastic;
            load.dissipated += drag.dissipated;
        }
        load
    }

    /// The normal part, or nothing if the bodies do not act on each other.
    #[inline]
    pub(crate) fn normal(&self, radius: f64, depth: f64, touching: bool) -> Option<Normal> {
        if let (Spring::Hertz { young, shear }, Cohesion::Jkr { work }) = (self.spring, self.cohesion) {
            return jkr::respond(young, shear, work, radius, depth, touching);
        }
        if depth <= 0.0 {
            return None;
        }
        let normal = match self.spring {
            Spring::Linear { kn, ks } => linear::respond(kn, ks, depth),
            Spring::Hertz { young, shear } => hertz::respond(young, shear, radius, depth),
        };
        Some(match self.cohesion {
            Cohesion::Linear { density } => cohesion::attract(density, radius, depth, normal),
            Cohesion::None | Cohesion::Jkr { .. } => normal,
        })
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

    /// What the dashpot does in the first step of a contact, relative to a step in which it acts throughout: it stands for
    /// the time from half a step before now to half a step after, but the bodies met `depth/advance` of a step ago, and
    /// Hertz's dashpot has grown with the fourth root of the time since.
    fn first_share(&self, depth: f64, advance: f64) -> f64 {
        if depth >= advance {
            return 1.0; // They overlapped before.
        }
        let since = depth / advance;
        let until = since + 0.5;
        match (self.spring, self.cohesion) {
            (Spring::Hertz { .. }, Cohesion::None | Cohesion::Linear { .. }) => {
                0.8 * until * (until / since).sqrt().sqrt()
            }
            _ => until,
        }
    }

    /// Energies lost when surfaces jump into contact, and when they part.
    pub(crate) fn jumps(&self, radius: f64) -> [f64; 2] {
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

//! What a contact at a point does: one text for single contacts and for eight at a time.

use gritstone_core::lanes::{Mask, Quantity, Real};

use crate::slider::Slider;
use crate::transport::transport;
use crate::{Arithmetic, History, Load, Touch, Wrench, cohesion, hertz};

/// Largest damping coefficient, over effective mass by time step. One contact alone is damped without limit; several on one
/// body do not know of each other within a step, and n of them that act in one direction are stable up to 2/(2n − 1) of
/// `c·dt/m ÷ (1 + c·dt/2m)`: here four. In a bed with twelve contacts each grain has four along any direction.
pub const LARGEST_DAMPING: f64 = 0.25;

/// How much lighter bodies are across the normal than along it, since they turn: 1 + 5/2 for balls.
pub(crate) const ACROSS: f64 = 3.5;

/// Numbers of one pair of materials in lanes: see [`Law::from_numbers`].
pub const NUMBERS: usize = 8;

/// The numbers of one pair of materials.
#[derive(Clone, Copy, Debug)]
pub struct Law<R> {
    /// Stiffness along the normal and across it: kn and ks, or for Hertz and Mindlin `4/3·Y*` and `8·G*`.
    pub(crate) stiffness: [R; 2],
    /// One where the stiffness grows with the radius of the contact, as Hertz's does, else zero.
    pub(crate) hertz: R,
    /// Damping coefficients over √(stiffness·m*), along the normal and across it.
    pub(crate) damping: [R; 2],
    /// Coefficients of friction, rolling and twisting resistance.
    pub(crate) friction: R,
    pub(crate) rolling: R,
    pub(crate) twisting: R,
    /// One where a growing stiffness keeps the stretch of the tangential spring rather than its force, else zero.
    pub(crate) published: R,
    /// Density of linear cohesion.
    pub(crate) cohesion: R,
}

/// What the normal part of a law says at a depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Normal<R> {
    /// Force that pushes, kept from pulling together with the damping.
    pub(crate) repulsion: R,
    /// Force that pulls.
    pub(crate) attraction: R,
    /// What friction counts beside the repulsion.
    pub(crate) grip: R,
    /// Stiffness for the damping: repulsion over depth.
    pub(crate) secant: R,
    /// Tangential stiffness.
    pub(crate) shear: R,
    /// Energy stored.
    pub(crate) energy: R,
    /// Slope of the energy by ln R*, beside that of what is pushed: see [`Law::push_wrench`].
    pub(crate) by_radius: R,
}

/// What the normal part does, with its damping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Push<R> {
    pub(crate) push: R,
    pub(crate) dissipated: R,
}

/// What holds the surfaces against sliding, rolling and twisting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold<A: Arithmetic> {
    /// Velocity of the surfaces where the tangential force acts.
    pub(crate) velocity: A::Vec,
    /// Normal force that counts for the limits.
    pub(crate) grip: A::Num,
    /// Tangential stiffness.
    pub(crate) shear: A::Num,
    /// Lever of the twisting spring.
    pub(crate) twist_lever: A::Num,
    /// Largest twisting torque.
    pub(crate) twist_limit: A::Num,
}

impl<R: Real> Law<R> {
    /// From the numbers of [`crate::Interaction::for_lanes`], without rolling and twisting resistance: see
    /// [`Self::with_resistance`].
    #[inline(always)]
    pub fn from_numbers(
        [kn, ks, hertz, normal, tangent, friction, published, cohesion]: [R; NUMBERS],
    ) -> Self {
        let (rolling, twisting) = (R::splat(0.0), R::splat(0.0));
        let (stiffness, damping) = ([kn, ks], [normal, tangent]);
        Self { stiffness, hertz, damping, friction, rolling, twisting, published, cohesion }
    }

    /// With these coefficients of rolling and twisting resistance.
    #[inline(always)]
    pub fn with_resistance(self, [rolling, twisting]: [R; 2]) -> Self {
        Self { rolling, twisting, ..self }
    }

    /// What contacts that overlap do in this step; in lanes without rolling and twisting resistance.
    #[inline(always)]
    pub fn load<A: Arithmetic<Num = R>>(&self, touch: &Touch<A>, history: &mut History<A>, dt: R) -> Load<A> {
        self.act(touch, &self.respond(touch.radius, touch.depth), history, dt)
    }

    /// What contacts do whose normal part is known.
    #[inline(always)]
    pub(crate) fn act<A: Arithmetic<Num = R>>(
        &self,
        touch: &Touch<A>,
        normal: &Normal<R>,
        history: &mut History<A>,
        dt: R,
    ) -> Load<A> {
        let along = self.push_wrench(touch.normal, &touch.radius_gradient, touch.depth);
        let Push { push, dissipated } = self.push(touch, &along, normal, history, dt);
        let grip = push + normal.grip;
        let hold = Hold {
            velocity: touch.velocity,
            grip,
            shear: normal.shear,
            twist_lever: touch.radius,
            twist_limit: self.twisting * touch.radius * grip,
        };
        let mut load = self.hold(touch, history, &hold, dt);
        load.force = load.force + (along.force * push - touch.normal * normal.attraction);
        if touch.radius_gradient.any() {
            let Wrench { force, torque } = touch.radius_gradient;
            load.force = load.force + force * normal.by_radius;
            load.torque = load.torque + (along.torque * push + torque * normal.by_radius);
        }
        load.elastic = load.elastic + normal.energy;
        load.dissipated = load.dissipated + dissipated;
        load.normal_force = push - normal.attraction;
        history.normal_force = load.normal_force;
        load
    }

    /// What a push of one newton does to b. With the energy U and the force F = ∂U/∂δ of Hertz's law it leans by
    /// `∂U/∂ln R* = ½U = δF/5` times the gradient of ln R* from the normal: then the force is the gradient of U.
    #[inline(always)]
    pub fn push_wrench<A: Arithmetic<Num = R>>(
        &self,
        normal: A::Vec,
        radius_gradient: &Wrench<A>,
        depth: R,
    ) -> Wrench<A> {
        if !radius_gradient.any() {
            return Wrench { force: normal, torque: A::Spin::zero() };
        }
        let zero = R::splat(0.0);
        let lean = R::select(zero.lt(self.hertz), R::splat(0.5 * hertz::ENERGY) * depth.max(zero), zero);
        let Wrench { force, torque } = *radius_gradient;
        Wrench { force: normal + force * lean, torque: torque * lean }
    }

    /// The normal part of linear springs and of Hertz's law, with linear cohesion, at a depth that is not negative.
    #[inline(always)]
    pub(crate) fn respond(&self, radius: R, depth: R) -> Normal<R> {
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let grows = zero.lt(self.hertz);
        let a = R::select(grows, hertz::contact_radius(radius, depth), one);
        let [secant, shear] = [self.stiffness[0] * a, self.stiffness[1] * a];
        let repulsion = secant * depth;
        // ∫F dδ: two fifths of force times depth for Hertz, a half for linear springs.
        let share = R::select(grows, R::splat(hertz::ENERGY), R::splat(0.5));
        let attraction = cohesion::attraction(self.cohesion, radius, depth);
        let cohesion = R::splat(-0.5) * attraction * depth; // In proportion to R*.
        let energy = share * repulsion * depth + cohesion;
        Normal { repulsion, attraction, grip: zero, secant, shear, energy, by_radius: cohesion }
    }

    /// The normal part with its damping. It does not pull, but for the attraction.
    ///
    /// The velocity that laws see has been predicted with the force of the last step. What the contact's own force changes
    /// is known: with the force of this step instead, the dashpot acts on the velocity in the middle between those half a
    /// step before and after, and what it takes is what the bodies lose, to second order and for any damping.
    #[inline(always)]
    pub(crate) fn push<A: Arithmetic<Num = R>>(
        &self,
        touch: &Touch<A>,
        along: &Wrench<A>,
        normal: &Normal<R>,
        history: &History<A>,
        dt: R,
    ) -> Push<R> {
        let (zero, half, one) = (R::splat(0.0), R::splat(0.5), R::splat(1.0));
        let mut approach = -touch.velocity.inner(along.force);
        if touch.radius_gradient.any() {
            approach = approach - touch.spin.inner(along.torque);
        }
        let mass = touch.normal_mass;
        let half_step = half * dt / mass;
        let damping = (self.damping[0] * (normal.secant * mass).sqrt())
            .min(R::splat(0.5 * LARGEST_DAMPING) / half_step)
            * self.first_share(touch.depth, approach * dt, history.stiffness);
        let free = approach + half_step * (history.normal_force + normal.attraction);
        let push = ((normal.repulsion + damping * free) / (one + damping * half_step)).max(zero);
        Push { push, dissipated: (push - normal.repulsion) * (free - half_step * push) * dt }
    }

    /// What the dashpot does in the first step of a contact, relative to a step in which it acts throughout: it stands for
    /// the time from half a step before now to half a step after, but the bodies met `depth/advance` of a step ago, and
    /// Hertz's dashpot has grown with the fourth root of the time since.
    #[inline(always)]
    fn first_share(&self, depth: R, advance: R, stiffness: R) -> R {
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let first = stiffness.le(zero) & depth.lt(advance) & self.published.le(zero);
        if !first.any() {
            return one;
        }
        let since = depth / advance;
        let until = since + R::splat(0.5);
        let hertz = R::splat(0.8) * until * (until / since).sqrt().sqrt();
        R::select(first, R::select(zero.lt(self.hertz), hertz, until), one)
    }

    /// Friction, rolling and twisting resistance.
    #[inline(always)]
    pub(crate) fn hold<A: Arithmetic<Num = R>>(
        &self,
        touch: &Touch<A>,
        history: &mut History<A>,
        hold: &Hold<A>,
        dt: R,
    ) -> Load<A> {
        let (zero, normal) = (R::splat(0.0), touch.normal);
        let slider = self.slider(touch, [history.stiffness, hold.shear], hold.grip, dt);
        history.stiffness = hold.shear.max(R::splat(f64::MIN_POSITIVE)); // Zero is for those that do not touch.
        let turn = A::about(touch.mean_spin, normal) * dt;
        history.slip = transport::<A>(history.slip, normal, turn);
        let rate = hold.velocity - normal * normal.inner(hold.velocity);
        let drag = slider.drag(&mut history.slip, rate);
        let mut load = Load {
            force: drag.force,
            torque: A::Spin::zero(),
            elastic: drag.elastic,
            dissipated: drag.dissipated,
            normal_force: zero,
        };
        if A::RESISTS {
            self.resist_with(touch, history, hold, &slider, &mut load);
        }
        load
    }

    /// The slider of friction; stiffness in the last step and now.
    #[inline(always)]
    fn slider<A: Arithmetic<Num = R>>(
        &self,
        touch: &Touch<A>,
        [before, now]: [R; 2],
        grip: R,
        dt: R,
    ) -> Slider<R> {
        let largest = R::splat(LARGEST_DAMPING / ACROSS) * touch.mass / dt;
        Slider {
            stiffness_before: before,
            stiffness: now,
            damping: (self.damping[1] * (now * touch.mass).sqrt()).min(largest),
            limit: self.friction * grip,
            keep_stretch: R::splat(0.0).lt(self.published),
            dt,
        }
    }

    /// Adds rolling and twisting resistance to a load that came without; `stiffness_before` is that of the springs in the last step.
    #[inline(always)]
    pub fn resist<A: Arithmetic<Num = R>>(
        &self,
        touch: &Touch<A>,
        stiffness_before: R,
        history: &mut History<A>,
        load: &mut Load<A>,
        dt: R,
    ) {
        let grip = load.normal_force + cohesion::attraction(self.cohesion, touch.radius, touch.depth);
        let hold = Hold {
            velocity: touch.velocity,
            grip,
            shear: history.stiffness,
            twist_lever: touch.radius,
            twist_limit: self.twisting * touch.radius * grip,
        };
        let slider = self.slider(touch, [stiffness_before, hold.shear], grip, dt);
        self.resist_with(touch, history, &hold, &slider, load);
    }

    /// Rolling and twisting resistance, whose springs are those of `slider` but for their limits.
    #[inline(always)]
    fn resist_with<A: Arithmetic<Num = R>>(
        &self,
        touch: &Touch<A>,
        history: &mut History<A>,
        hold: &Hold<A>,
        slider: &Slider<R>,
        load: &mut Load<A>,
    ) {
        let (zero, normal) = (R::splat(0.0), touch.normal);
        if zero.lt(self.rolling).any() {
            let slider = Slider { limit: self.rolling * hold.grip, ..*slider };
            let turn = A::about(touch.mean_spin, normal) * slider.dt;
            history.roll = transport::<A>(history.roll, normal, turn);
            // (ω × n)·R* does with F the work that the torque R*·n × F does with ω.
            let drag = slider.drag(&mut history.roll, A::sweep(touch.spin, normal) * touch.radius);
            load.torque = load.torque + A::moment(normal, drag.force) * touch.radius;
            load.elastic = load.elastic + drag.elastic;
            load.dissipated = load.dissipated + drag.dissipated;
        }
        if A::TWISTS && zero.lt(hold.twist_limit).any() {
            let slider = Slider { limit: hold.twist_limit / hold.twist_lever, ..*slider };
            let drag = slider.drag(&mut history.twist, A::along(touch.spin, normal) * hold.twist_lever);
            load.torque = load.torque + A::turn(normal, drag.force * hold.twist_lever);
            load.elastic = load.elastic + drag.elastic;
            load.dissipated = load.dissipated + drag.dissipated;
        }
    }
}

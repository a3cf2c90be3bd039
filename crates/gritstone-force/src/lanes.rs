//! Springs, dashpots and friction for eight contacts at a time.
//!
//! The same laws as [`Interaction::load`], without rolling, twisting and cohesion ([`Interaction::for_lanes`] says whether
//! a pair of materials can do without); the bits differ from it in the last places, for products and sums are fused here.

use gritstone_core::lanes::{Mask, Real, Vec3};

use crate::interaction::{ACROSS, LARGEST_DAMPING, Spring};
use crate::{Cohesion, Interaction};

/// Numbers of one pair of materials: see [`Law`].
pub const NUMBERS: usize = 8;

/// Parameters of the pairs of materials.
#[derive(Clone, Copy, Debug)]
pub struct Law<R> {
    /// `4/3·Y*` and `8·G*` for Hertz and Mindlin, else zero.
    pub hertz: [R; 2],
    /// kn and ks for linear springs, else zero.
    pub linear: [R; 2],
    /// Damping coefficients over √(kn·m*), along the normal and across it.
    pub damping: [R; 2],
    /// Coefficient of friction.
    pub friction: R,
    /// One where a growing stiffness keeps the stretch of the tangential spring rather than its force, else zero.
    pub published: R,
}

/// What the law sees: see [`crate::Touch`].
#[derive(Clone, Copy, Debug)]
pub struct Touch<R> {
    /// Depth, positive.
    pub depth: R,
    /// Unit vector from a to b.
    pub normal: Vec3<R>,
    /// Velocity of b's point less that of a's.
    pub velocity: Vec3<R>,
    /// Mean of both spins.
    pub mean_spin: Vec3<R>,
    /// Effective radius.
    pub radius: R,
    /// Effective mass.
    pub mass: R,
    /// Effective mass along the normal at the contact point.
    pub normal_mass: R,
}

/// What contacts remember: see [`crate::History`].
#[derive(Clone, Copy, Debug)]
pub struct Slip<R> {
    /// Stretch of the tangential spring.
    pub stretch: Vec3<R>,
    /// Its stiffness in the last step.
    pub stiffness: R,
    /// Force along the normal in the last step.
    pub normal_force: R,
}

/// What contacts do: see [`crate::Load`].
#[derive(Clone, Copy, Debug)]
pub struct Load<R> {
    /// Force on b.
    pub force: Vec3<R>,
    /// Energy stored now.
    pub elastic: R,
    /// Energy lost in this step.
    pub dissipated: R,
}

/// Spring, dashpot and slider across the normal.
#[derive(Clone, Copy)]
struct Slider<R> {
    kt: R,
    damping: R,
    limit: R,
}

impl Interaction {
    /// The parameters for lanes, in the order of [`Law`]; none if lanes cannot do what this pair of materials does.
    pub fn for_lanes(&self) -> Option<[f64; NUMBERS]> {
        if self.rolling > 0.0 || self.twisting > 0.0 || self.cohesion != Cohesion::None {
            return None;
        }
        let [normal, tangent] = self.damping;
        let (hertz, linear) = match self.spring {
            Spring::Hertz { young, shear } => ([4.0 / 3.0 * young, 8.0 * shear], [0.0; 2]),
            Spring::Linear { kn, ks } => ([0.0; 2], [kn, ks]),
        };
        // Across the normal the coefficient belongs to √(kt·m*); kt/kn is the same at any depth.
        let tangent = tangent * ((hertz[1] + linear[1]) / (hertz[0] + linear[0])).sqrt();
        let published = f64::from(u8::from(self.published));
        Some([hertz[0], hertz[1], linear[0], linear[1], normal, tangent, self.friction, published])
    }
}

impl<R: Real> Law<R> {
    /// From the numbers of [`Interaction::for_lanes`].
    #[inline(always)]
    pub fn from_numbers([h_n, h_t, l_n, l_t, d_n, d_t, friction, published]: [R; NUMBERS]) -> Self {
        Self { hertz: [h_n, h_t], linear: [l_n, l_t], damping: [d_n, d_t], friction, published }
    }

    /// What the contacts do in this step.
    #[inline(always)]
    pub fn load(&self, touch: &Touch<R>, slip: &mut Slip<R>, dt: R) -> Load<R> {
        let (zero, half) = (R::splat(0.0), R::splat(0.5));
        let a = (touch.radius * touch.depth).sqrt();
        let kn = self.hertz[0].mul_add(a, self.linear[0]);
        let kt = self.hertz[1].mul_add(a, self.linear[1]);
        let spring = kn * touch.depth;
        let approach = -touch.velocity.dot(touch.normal);
        let half_step = half * dt / touch.normal_mass;
        let largest = R::splat(0.5 * LARGEST_DAMPING) / half_step;
        let damping = (self.damping[0] * (kn * touch.normal_mass).sqrt()).min(largest)
            * self.first_share(touch.depth, approach * dt, slip.stiffness);
        // As in the scalar law: the velocity in the middle of the step, with this step's force.
        let free = half_step.mul_add(slip.normal_force, approach);
        let push = (damping.mul_add(free, spring) / damping.mul_add(half_step, R::splat(1.0))).max(zero);
        let middle = half_step.neg_mul_add(push, free);
        slip.normal_force = push;
        let critical = (kn * touch.mass).sqrt();
        let largest = R::splat(LARGEST_DAMPING / ACROSS) * touch.mass / dt;
        let rate = touch.normal.mul_add(approach, touch.velocity);
        let damping = (self.damping[1] * critical).min(largest);
        let slider = Slider { kt, damping, limit: self.friction * push };
        let drag = self.drag(touch, slip, slider, rate, dt);
        // ∫F dδ: two fifths of force times depth for Hertz, a half for linear springs.
        let share = R::select(zero.lt(self.hertz[0]), R::splat(0.4), half);
        Load {
            force: touch.normal.mul_add(push, drag.force),
            elastic: (share * spring).mul_add(touch.depth, drag.elastic),
            dissipated: ((push - spring) * middle).mul_add(dt, drag.dissipated),
        }
    }

    /// Share of the dashpot in a contact's first step, which it did not spend wholly in contact; one in all others.
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
        R::select(first, R::select(zero.lt(self.hertz[0]), hertz, until), one)
    }

    /// Spring, dashpot and slider across the normal: [`crate::slider`].
    #[inline(always)]
    fn drag(&self, touch: &Touch<R>, slip: &mut Slip<R>, slider: Slider<R>, rate: Vec3<R>, dt: R) -> Load<R> {
        let Slider { kt, damping, limit } = slider;
        let (zero, half, one) = (R::splat(0.0), R::splat(0.5), R::splat(1.0));
        let before = slip.stiffness;
        let stretch = transport(slip.stretch, touch, dt);
        let stored = half * before * stretch.dot(stretch);
        let keeps_force = before.lt(kt) & self.published.le(zero);
        let start =
            if keeps_force.any() { stretch * R::select(keeps_force, before / kt, one) } else { stretch };
        let step = half * dt;
        let now = cut(rate.mul_add(step, start), kt, limit);
        let after = cut(rate.mul_add(step, now), kt, limit);
        // Zero would mean that the bodies did not touch.
        (slip.stretch, slip.stiffness) = (after, kt.max(R::splat(f64::MIN_POSITIVE)));

        let spring = now * kt;
        let resistance = rate.mul_add(damping * share(spring, rate * damping, limit), spring);
        let work = resistance.dot(rate) * dt;
        let lost = work + (stored - half * kt * after.dot(after));
        Load {
            force: -resistance,
            elastic: half * spring.dot(now),
            dissipated: R::select(zero.lt(self.published), lost, lost.max(zero)),
        }
    }
}

/// A tangent vector of the last step in this step's tangent plane: as in the scalar laws.
#[inline(always)]
fn transport<R: Real>(v: Vec3<R>, touch: &Touch<R>, dt: R) -> Vec3<R> {
    let n = touch.normal;
    let flat = n.mul_add(-n.dot(v), v);
    let turned = n.cross(flat).mul_add(touch.mean_spin.dot(n) * dt, flat);
    let (before, after, zero) = (v.dot(v), turned.dot(turned), R::splat(0.0));
    turned * R::select(zero.lt(after), (before / after).sqrt(), zero)
}

/// The stretch that the slider lets the spring have.
#[inline(always)]
fn cut<R: Real>(stretch: Vec3<R>, k: R, limit: R) -> Vec3<R> {
    let squared = (k * k) * stretch.dot(stretch);
    let slides = (limit * limit).lt(squared);
    if !slides.any() {
        return stretch;
    }
    stretch * R::select(slides, limit / squared.sqrt(), R::splat(1.0))
}

/// The largest share of the dashpot that keeps the sum within the limit.
#[inline(always)]
fn share<R: Real>(spring: Vec3<R>, dashpot: Vec3<R>, limit: R) -> R {
    let zero = R::splat(0.0);
    let (a, b) = (dashpot.dot(dashpot), spring.dot(dashpot));
    let c = (limit.neg_mul_add(limit, spring.dot(spring))).min(zero);
    let within = (a + (b + b) + c).le(zero);
    if !(!within).any() {
        return R::splat(1.0);
    }
    let root = (b.mul_sub(b, a * c)).max(zero).sqrt();
    let some = R::select(zero.lt(b), -c / (b + root), (root - b) / a);
    R::select(within, R::splat(1.0), some)
}

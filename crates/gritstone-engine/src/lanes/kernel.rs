//! One pass over blocks of contacts: narrow phase, law, forces.

use std::marker::PhantomData;

use gritstone_contact::space::lanes::{Contacts, Request, ShapeRows, inverse_cube};
use gritstone_core::Space;
use gritstone_core::lanes::{Kernel, Lanes, Mask, MaskBits, Quantity, Row, Vec3, WIDTH, prefetch};
use gritstone_force::{InLanes, Law, Touch, Wrench};
use serde::{Deserialize, Serialize};

use super::block::{Block, Springs};
use super::body::Body;
use super::kinds::ContactKind;
use super::{effective_radius, rocking};
use crate::bodies::Record;
use crate::contacts::{BodyPair, SLACK, StepStats};
use crate::setup::RadiusRule;

/// Blocks ahead of the present one whose bodies are prefetched.
const AHEAD: usize = 4;

/// What a contact gives: force on b, its moment about the origin of the world, energy dissipated in this step, energy in its
/// springs. One line of the cache, and a sum of such lines is what gathers the forces of a body.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, align(64))]
pub(super) struct Line(pub(super) Row);

/// What is the same for all contacts of a step.
#[derive(Clone, Copy)]
pub(super) struct Common<'w> {
    pub(super) records: &'w [Record<Space>],
    pub(super) shapes: &'w [ShapeRows],
    pub(super) laws: &'w [Row],
    /// Coefficients of rolling and twisting resistance, by the rows of `laws`; empty where there are none.
    pub(super) resistances: &'w [Row],
    /// Of every shape: see [`Rotor`](super::turning::Rotor).
    pub(super) inertias: &'w [Row],
    /// What the effective radius is taken from.
    pub(super) radius: RadiusRule,
    pub(super) dt: f64,
}

/// Some blocks in a row; `RESISTS`: whether bodies resist rolling and twisting.
pub(super) struct Pass<'w, K: ContactKind, const RESISTS: bool> {
    pub(super) common: Common<'w>,
    /// Whether bodies do not fit into a cache, so that they are prefetched.
    pub(super) far: bool,
    pub(super) pair: &'w [BodyPair],
    pub(super) blocks: &'w mut [Block<K::WarmStart>],
    /// One for each block where bodies resist rolling and twisting.
    pub(super) springs: &'w mut [Springs],
    pub(super) rows: &'w mut [Line],
    pub(super) kind: PhantomData<K>,
}

/// Sums over the contacts, lane by lane.
struct Sums<L> {
    deepest: L,
}

impl<K: ContactKind, const RESISTS: bool> Kernel for Pass<'_, K, RESISTS> {
    type Output = StepStats;

    #[inline(always)]
    fn run<L: Lanes>(self) -> StepStats {
        let zero = L::splat(0.0);
        let mut sums = Sums { deepest: zero };
        let mut stats = StepStats::default();
        if self.far {
            prefetch_bodies(self.common.records, self.pair, 0..WIDTH * AHEAD);
        }
        for (k, block) in self.blocks.iter_mut().enumerate() {
            if self.far {
                prefetch_bodies(self.common.records, self.pair, WIDTH * (k + AHEAD)..WIDTH * (k + AHEAD + 1));
            }
            let pair = &self.pair[WIDTH * k..self.pair.len().min(WIDTH * (k + 1))];
            let Some(rows) = self.rows[WIDTH * k..].first_chunk_mut() else { break };
            let mut none = Springs::default();
            let springs = if RESISTS { &mut self.springs[k] } else { &mut none };
            step::<K, L, RESISTS>(&self.common, pair, (block, springs), rows, &mut sums);
            if block.separated | block.unsolved != 0 {
                stats.parted += block.separated.count_ones();
                stats.handed += block.unsolved.count_ones();
            }
        }
        for lane in 0..WIDTH {
            stats.deepest = stats.deepest.max(sums.deepest.to_array()[lane]);
        }
        stats
    }
}

/// Prefetches the second bodies of some contacts. The first ones are in order, which the processor predicts by itself.
#[inline(never)]
fn prefetch_bodies(records: &[Record<Space>], pair: &[BodyPair], which: std::ops::Range<usize>) {
    let some = pair.iter().take(which.end).skip(which.start);
    some.flat_map(|pair| records[pair.b as usize].lines()).for_each(prefetch);
}

/// The bodies of eight contacts. Aligned, so that the whole stack frame is: registers that are put aside then take one line
/// of the cache each.
#[repr(align(64))]
struct Few([BodyPair; WIDTH]);

/// Eight contacts.
#[inline(always)]
fn step<K: ContactKind, L: Lanes, const RESISTS: bool>(
    common: &Common<'_>,
    pair: &[BodyPair],
    (block, springs): (&mut Block<K::WarmStart>, &mut Springs),
    rows: &mut [Line; WIDTH],
    sums: &mut Sums<L>,
) {
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    let active = L::Mask::from_bits(((1_u16 << pair.len()) - 1) as u8);
    // Lanes without a contact repeat the first one.
    let mut few = Few([pair[0]; WIDTH]);
    let pair: &[BodyPair; WIDTH] = if let Some(pair) = pair.first_chunk() {
        pair
    } else {
        few.0[..pair.len()].copy_from_slice(pair);
        &few.0
    };
    let (a, b) = Body::<L>::load(common.records, pair);
    let [shapes_a, shapes_b, _] = &block.tables;
    let shapes = [shapes_a.load_pairs(common.shapes, K::WIDE), shapes_b.load_pairs(common.shapes, K::WIDE)];
    let [mass, of_volumes] = block.masses_and_radii::<L>();
    // Spheres are those of the same volume.
    let rule = if K::TURNED == 0 { RadiusRule::Volume } else { common.radius };
    let request = Request {
        slack: SLACK,
        cold: false,
        curvature: rule == RadiusRule::Curvature,
        radii: rule == RadiusRule::BodyFunction || K::ROCKS,
    };
    let found: Contacts<L> = K::solve(&a.pose, &b.pose, shapes, block.start(), request, active);
    let (radius, radius_gradient) = match rule {
        RadiusRule::Volume => (of_volumes, Wrench::zero()),
        RadiusRule::Curvature => {
            (effective_radius::from_curvature(found.curvature, found.size), Wrench::zero())
        }
        RadiusRule::BodyFunction => {
            let cubes = [inverse_cube(&shapes[0], K::WIDE), inverse_cube(&shapes[1], K::WIDE)];
            effective_radius::of_bodies::<K, L>(&found, cubes, [a.pose.position, b.pose.position])
        }
    };

    let mut before = block.histories::<L>();
    if RESISTS {
        (before.roll, before.twist) = springs.load();
    }
    let fresh = before.stiffness.le(zero);
    // Between two bodies that nothing moves there is no force.
    let touching = found.gap.lt(zero) & found.certified & active & zero.lt(mass);
    let separated = zero.le(found.gap) & found.certified & active;
    let mut stretch = before.slip.inner(before.slip);
    if RESISTS {
        stretch = stretch + before.roll.inner(before.roll) + before.twist * before.twist;
    }
    let left = half * before.stiffness * stretch;
    let law = Law::from_numbers(block.tables[2].load::<L>(common.laws));
    let depth = (-found.gap).max(zero);
    let push = law.push_wrench(found.normal, &radius_gradient, depth);
    let touch = Touch::<InLanes<L>> {
        depth,
        normal: found.normal,
        velocity: b.velocity_at(found.point) - a.velocity_at(found.point),
        spin: b.spin - a.spin,
        mean_spin: (a.spin + b.spin) * half,
        radius,
        radius_gradient,
        mass,
        normal_mass: normal_mass::<K, L>(common.inertias, block, [&a, &b], found.point, &push, mass),
    };
    let mut history = before;
    let dt = L::splat(common.dt);
    let mut load = law.load(&touch, &mut history, dt);
    if RESISTS {
        let [rolling, twisting, ..] = block.tables[2].load::<L>(common.resistances);
        law.with_resistance([rolling, twisting]).resist(
            &touch,
            before.stiffness,
            &mut history,
            &mut load,
            dt,
        );
        springs.store(
            Vec3::select(touching, history.roll, before.roll),
            L::select(touching, history.twist, before.twist),
        );
    }
    if K::ROCKS {
        let [shapes_a, shapes_b, _] = &block.tables;
        let turning = |axis| {
            let turning = a.turning(common.inertias, shapes_a, axis);
            if K::TURNED == 2 { turning + b.turning(common.inertias, shapes_b, axis) } else { turning }
        };
        if let Some(rocking) = rocking::of::<K, L>(&found, touching, &turning) {
            law.rock(&rocking, touch.spin, dt, &mut load);
        }
    }

    // Contacts that are handed over keep their history.
    history.slip = Vec3::select(touching, history.slip, before.slip);
    history.stiffness = L::select(touching, history.stiffness, before.stiffness);
    history.normal_force = L::select(touching, history.normal_force, before.normal_force);
    block.update(&found, &history, fresh);
    block.separated = separated.bits();
    block.unsolved = (active & !found.certified).bits();
    let elastic = L::select(touching, load.elastic, zero);
    let dissipated = L::select(touching, load.dissipated, L::select(separated, left, zero));
    // Few are deeper than all before: most blocks need no quotient.
    if (touching & (sums.deepest * found.size).lt(touch.depth)).any() {
        sums.deepest = sums.deepest.max(L::select(touching, touch.depth / found.size, zero));
    }
    let force = Vec3::select(touching, load.force, Vec3::zero());
    // A separated pair is inactive for as long as its lower bound allows.
    block.set_geometry(found.point, L::select(touching, found.gap, found.lower.max(zero)));
    let mut moment = moment(found.point, force);
    if K::TURNED > 0 || RESISTS {
        moment = moment + Vec3::select(touching, load.torque, Vec3::zero());
    }
    let row = [force.x, force.y, force.z, moment.x, moment.y, moment.z, dissipated, elastic];
    let [c, d, e, f, g, h, i, j] = rows;
    L::store_turned(row, [&mut c.0, &mut d.0, &mut e.0, &mut f.0, &mut g.0, &mut h.0, &mut i.0, &mut j.0]);
}

/// Effective mass along what a push does at the contact point. The normals of balls pass through their centres.
#[inline(always)]
fn normal_mass<K: ContactKind, L: Lanes>(
    inertias: &[Row],
    block: &Block<K::WarmStart>,
    [a, b]: [&Body<L>; 2],
    point: Vec3<L>,
    push: &Wrench<InLanes<L>>,
    mass: L,
) -> L {
    if K::TURNED == 0 {
        return mass;
    }
    let one = L::splat(1.0);
    let mut by_mass = push.force.dot(push.force) / mass + a.yielding(inertias, &block.tables[0], point, push);
    if K::TURNED == 2 {
        by_mass = by_mass + b.yielding(inertias, &block.tables[1], point, push);
    }
    one / by_mass
}

/// `point × force`, each product rounded: for a single force that has no lever about a body, [`super::gather`] finds none.
#[inline(always)]
fn moment<L: Lanes>(point: Vec3<L>, force: Vec3<L>) -> Vec3<L> {
    let (p, f) = (point, force);
    Vec3::new(p.y * f.z - p.z * f.y, p.z * f.x - p.x * f.z, p.x * f.y - p.y * f.x)
}

//! Velocity Verlet for eight bodies at a time: see the scalar `motion` and `realm::space` for what is done.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, Mask, MaskBits, Vec3, WIDTH};

use super::body::look_up;
use super::turning::{Top, chord};
use crate::bodies::{ARC, LARGEST_CHORD, Record, State, Stride};
use crate::near::Ways;

/// The first half of a step; the longest ways come back, relative and absolute.
pub(crate) fn advance(
    stride: &Stride<'_, Space>,
    records: &mut [Record<Space>],
    states: &mut [State<Space>],
    [relative, absolute]: [&mut [f64]; 2],
) -> [Ways; 2] {
    Backend::best().run(Advance { stride, records, states, relative, absolute })
}

struct Advance<'w> {
    stride: &'w Stride<'w, Space>,
    records: &'w mut [Record<Space>],
    states: &'w mut [State<Space>],
    relative: &'w mut [f64],
    absolute: &'w mut [f64],
}

impl Kernel for Advance<'_> {
    type Output = [Ways; 2];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [Ways; 2] {
        let stride = self.stride;
        let (dt, common) = (L::splat(stride.dt), spread::<L>(stride.common));
        let mut longest = [Longest::<L>::new(), Longest::new()];
        let groups = self.records.chunks_mut(WIDTH).zip(self.states.chunks_mut(WIDTH));
        let travels = self.relative.chunks_mut(WIDTH).zip(self.absolute.chunks_mut(WIDTH));
        for ((records, states), (relative, absolute)) in groups.zip(travels) {
            let bodies = Bodies::<L>::load(stride, records, states);
            let (velocity, momentum) = bodies.pushed(bodies.velocity, bodies.momentum);
            let by_mass = bodies.by_mass;
            let (rotation, principal) = bodies.top.turned(bodies.rotation, momentum * by_mass, dt);
            let turned = bodies.swept(rotation);
            // With the forces of the last step: laws see velocities of second order.
            let (expected, expected_momentum) = bodies.pushed(velocity, momentum);
            let spin = bodies.top.spin(principal, expected_momentum * by_mass);
            let position = velocity.mul_add(dt, bodies.position);

            let bits = free(states);
            let free = L::Mask::from_bits(bits);
            let turned = L::select(free, turned, L::splat(0.0));
            let went = Vec3::select(free, velocity, bodies.velocity);
            longest[0].go((went - common).length().mul_add(dt, turned), relative);
            longest[1].go(went.length().mul_add(dt, turned), absolute);
            let moved = Moved { position, rotation, expected, spin, velocity, momentum };
            bodies.store(records, states, moved, bits == !0);
        }
        [longest[0].ways(), longest[1].ways()]
    }
}

/// The longest ways, lane by lane.
struct Longest<L> {
    most: L,
    next: L,
    /// Not a number if one of the ways is not.
    sum: L,
}

impl<L: Lanes> Longest<L> {
    #[inline(always)]
    fn new() -> Self {
        let zero = L::splat(0.0);
        Self { most: zero, next: zero, sum: zero }
    }

    /// Adds ways to travels.
    #[inline(always)]
    fn go(&mut self, way: L, travels: &mut [f64]) {
        // Lanes without a body have gone nowhere.
        let there = L::Mask::from_bits(((1_u16 << travels.len()) - 1) as u8);
        let way = L::select(there, way, L::splat(0.0));
        let total = if let Some(travels) = travels.first_chunk_mut() {
            let total = L::load(travels) + way;
            total.store(travels);
            total
        } else {
            let mut few = [0.0; WIDTH];
            few[..travels.len()].copy_from_slice(travels);
            let total = L::load(&few) + way;
            travels.copy_from_slice(&total.to_array()[..travels.len()]);
            total
        };
        self.next = self.next.max(self.most.min(total));
        self.most = self.most.max(total);
        self.sum = self.sum + total;
    }

    /// The longest of all lanes.
    #[inline(always)]
    fn ways(&self) -> Ways {
        let (most, next) = (self.most.to_array(), self.next.to_array());
        let mut all = Ways::default();
        for lane in 0..WIDTH {
            all = all.and(Ways { longest: [most[lane], next[lane]] });
        }
        if self.sum.to_array().iter().any(|sum| sum.is_nan()) {
            all.see(f64::NAN);
        }
        all
    }
}

/// Bodies that forces move, one bit each.
fn free(states: &[State<Space>]) -> u8 {
    states.iter().enumerate().fold(0, |bits, (lane, state)| bits | u8::from(state.is_free()) << lane)
}

#[inline(always)]
fn spread<L: Lanes>(v: DVec3) -> Vec3<L> {
    Vec3::new(L::splat(v.x), L::splat(v.y), L::splat(v.z))
}

/// Eight bodies.
struct Bodies<L> {
    position: Vec3<L>,
    /// x, y, z, w.
    rotation: [L; 4],
    velocity: Vec3<L>,
    momentum: Vec3<L>,
    /// Half a step's change of velocity and angular momentum.
    half_velocity: Vec3<L>,
    half_momentum: Vec3<L>,
    by_mass: L,
    /// What stands beside it: bits that are no number.
    bits: L,
    top: Top<L>,
    sweep: L,
}

/// Eight bodies after part of a step.
#[derive(Clone, Copy)]
struct Moved<L> {
    position: Vec3<L>,
    rotation: [L; 4],
    /// Velocity that contacts see.
    expected: Vec3<L>,
    spin: Vec3<L>,
    velocity: Vec3<L>,
    momentum: Vec3<L>,
}

impl<L: Lanes> Bodies<L> {
    #[inline(always)]
    fn load(stride: &Stride<'_, Space>, records: &[Record<Space>], states: &[State<Space>]) -> Self {
        // Lanes without a body do what the last one does, and nobody looks.
        let last = records.len() - 1;
        let mut lanes = [0; WIDTH];
        for (lane, body) in lanes.iter_mut().enumerate() {
            *body = last.min(lane);
        }
        let [x, y, z, qx, qy, qz, qw, _] =
            turn_lines(lanes, records, |body: &Record<Space>| &body.lines()[0]);
        let [vx, vy, vz, lx, ly, lz, by_mass, bits] =
            turn_lines(lanes, states, |state: &State<Space>| &state.lines()[0]);
        let [fx, fy, fz, tx, ty, tz, ..] =
            turn_lines(lanes, states, |state: &State<Space>| &state.lines()[1]);
        let [i, j, k, ax, ay, az, aw, sweep] = inertias(stride, records, lanes);
        let half = L::splat(0.5 * stride.dt);
        Self {
            position: Vec3::new(x, y, z),
            rotation: [qx, qy, qz, qw],
            velocity: Vec3::new(vx, vy, vz),
            momentum: Vec3::new(lx, ly, lz),
            half_velocity: Vec3::new(fx, fy, fz).mul_add(by_mass, spread(stride.gravity)) * half,
            half_momentum: Vec3::new(tx, ty, tz) * half,
            by_mass,
            bits,
            top: Top { by_moments: Vec3::new(i, j, k), axes: [ax, ay, az, aw] },
            sweep,
        }
    }

    /// Velocity and angular momentum after half a step.
    #[inline(always)]
    fn pushed(&self, velocity: Vec3<L>, momentum: Vec3<L>) -> (Vec3<L>, Vec3<L>) {
        (velocity + self.half_velocity, momentum + self.half_momentum)
    }

    /// How far surfaces moved where bodies have turned to these orientations; balls have none that do.
    #[inline(always)]
    fn swept(&self, rotation: [L; 4]) -> L {
        let zero = L::splat(0.0);
        let sweeps = zero.lt(self.sweep);
        if !sweeps.any() {
            return zero;
        }
        let chord = chord(self.rotation, rotation);
        let known = chord.le(L::splat(LARGEST_CHORD));
        let swept = L::select(known, self.sweep * L::splat(ARC) * chord, L::splat(f64::INFINITY));
        L::select(sweeps, swept, zero)
    }

    /// Writes what has changed, for bodies that forces move; `all` says that they move all eight.
    #[inline(always)]
    fn store(&self, records: &mut [Record<Space>], states: &mut [State<Space>], moved: Moved<L>, all: bool) {
        let Moved { position, rotation: [qx, qy, qz, qw], expected, spin, velocity, momentum } = moved;
        let zero = L::splat(0.0);
        let first = [position.x, position.y, position.z, qx, qy, qz, qw, expected.x];
        let second = [expected.y, expected.z, spin.x, spin.y, spin.z, zero, zero, zero];
        let (v, l) = (velocity, momentum);
        let state = [v.x, v.y, v.z, l.x, l.y, l.z, self.by_mass, self.bits];
        let mut seconds = [[0.0; WIDTH]; WIDTH];
        L::store_turned(second, seconds.each_mut());
        if all
            && let Some(records) = records.first_chunk_mut::<WIDTH>()
            && let Some(states) = states.first_chunk_mut::<WIDTH>()
        {
            for (body, line) in records.iter_mut().zip(&seconds) {
                body.lines_mut()[1][..5].copy_from_slice(&line[..5]);
            }
            L::store_turned(first, records.each_mut().map(|body| &mut body.lines_mut()[0]));
            L::store_turned(state, states.each_mut().map(|state| &mut state.lines_mut()[0]));
            return;
        }
        let mut firsts = [[0.0; WIDTH]; WIDTH];
        let mut moves = [[0.0; WIDTH]; WIDTH];
        L::store_turned(first, firsts.each_mut());
        L::store_turned(state, moves.each_mut());
        for (lane, (body, state)) in records.iter_mut().zip(states).enumerate() {
            if state.is_free() {
                body.lines_mut()[0] = firsts[lane];
                body.lines_mut()[1][..5].copy_from_slice(&seconds[lane][..5]);
                state.lines_mut()[0] = moves[lane];
            }
        }
    }
}

/// What is known of the inertia of eight bodies.
#[inline(always)]
fn inertias<L: Lanes>(
    stride: &Stride<'_, Space>,
    records: &[Record<Space>],
    lanes: [usize; WIDTH],
) -> [L; WIDTH] {
    let mut shapes = [0; WIDTH];
    for (shape, lane) in shapes.iter_mut().zip(lanes) {
        *shape = records[lane].shape;
    }
    look_up::<L>(stride.inertias, shapes)
}

/// One line of each of eight bodies.
#[inline(always)]
fn turn_lines<L: Lanes, T>(
    lanes: [usize; WIDTH],
    bodies: &[T],
    line: impl Fn(&T) -> &[f64; WIDTH],
) -> [L; WIDTH] {
    let [a, b, c, d, e, f, g, h] = lanes;
    L::load_turned([
        line(&bodies[a]),
        line(&bodies[b]),
        line(&bodies[c]),
        line(&bodies[d]),
        line(&bodies[e]),
        line(&bodies[f]),
        line(&bodies[g]),
        line(&bodies[h]),
    ])
}

#[cfg(test)]
mod tests;

//! Velocity Verlet for eight bodies at a time: as the scalar code of [`crate::bodies::kinematics`].

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, Mask, MaskBits, RowIndices, Vec3, WIDTH};

use super::turning::{Rotor, chord};
use crate::bodies::{ARC, LARGEST_CHORD, Record, State, StepInput};
use crate::broad_phase::LargestDisplacements;

/// The first half of a step; the longest ways come back, relative and absolute.
pub(crate) fn advance(
    input: &StepInput<'_, Space>,
    records: &mut [Record<Space>],
    states: &mut [State<Space>],
    [relative, absolute]: [&mut [f64]; 2],
) -> [LargestDisplacements; 2] {
    let (records, last_records) = records.as_chunks_mut();
    let (states, last_states) = states.as_chunks_mut();
    let (relative, last_relative) = relative.as_chunks_mut();
    let (absolute, last_absolute) = absolute.as_chunks_mut();
    let backend = Backend::best();
    let there = u8::MAX;
    let [a, b] = backend.run(Advance { input, records, states, relative, absolute, there });
    let Some(first) = last_records.first() else { return [a, b] };
    // Lanes without a body repeat the first one, which is not stored.
    let (mut records, mut states) = ([*first; WIDTH], [State::still(0); WIDTH]);
    let [mut relative, mut absolute] = [[0.0; WIDTH]; 2];
    let count = last_records.len();
    records[..count].copy_from_slice(last_records);
    states[..count].copy_from_slice(last_states);
    relative[..count].copy_from_slice(last_relative);
    absolute[..count].copy_from_slice(last_absolute);
    let [c, d] = backend.run(Advance {
        input,
        records: std::slice::from_mut(&mut records),
        states: std::slice::from_mut(&mut states),
        relative: std::slice::from_mut(&mut relative),
        absolute: std::slice::from_mut(&mut absolute),
        there: (1 << count) - 1,
    });
    last_records.copy_from_slice(&records[..count]);
    last_states.copy_from_slice(&states[..count]);
    last_relative.copy_from_slice(&relative[..count]);
    last_absolute.copy_from_slice(&absolute[..count]);
    [a.and(c), b.and(d)]
}

/// Groups of eight bodies, with the ways that they have gone.
struct Advance<'w> {
    input: &'w StepInput<'w, Space>,
    records: &'w mut [[Record<Space>; WIDTH]],
    states: &'w mut [[State<Space>; WIDTH]],
    relative: &'w mut [[f64; WIDTH]],
    absolute: &'w mut [[f64; WIDTH]],
    /// Lanes that have a body, one bit each.
    there: u8,
}

impl Kernel for Advance<'_> {
    type Output = [LargestDisplacements; 2];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [LargestDisplacements; 2] {
        let input = self.input;
        let (dt, zero, common) = (L::splat(input.dt), L::splat(0.0), spread::<L>(input.common));
        let there = L::Mask::from_bits(self.there);
        let mut longest = [Longest::<L>::new(), Longest::new()];
        let groups = self.records.iter_mut().zip(self.states);
        let displacements = self.relative.iter_mut().zip(self.absolute);
        for ((records, states), (relative, absolute)) in groups.zip(displacements) {
            let bodies = Bodies::<L>::load(input, records, states);
            let (velocity, momentum) = bodies.pushed(bodies.velocity, bodies.momentum);
            let by_mass = bodies.by_mass;
            let (rotation, principal) = bodies.rotor.turned(bodies.rotation, momentum * by_mass, dt);
            // With the forces of the last step: laws see velocities of second order.
            let (expected, expected_momentum) = bodies.pushed(velocity, momentum);
            let spin = bodies.rotor.spin(principal, expected_momentum * by_mass);
            let position = velocity.mul_add(dt, bodies.position);

            // What forces move has a mass.
            let free = zero.lt(by_mass);
            let turned = L::select(free, bodies.swept(rotation), zero);
            let went = Vec3::select(free, velocity, bodies.velocity);
            let apart = (went - common).length().mul_add(dt, turned);
            longest[0].go(L::select(there, apart, zero), relative);
            longest[1].go(L::select(there, went.length().mul_add(dt, turned), zero), absolute);
            let moved = Moved { position, rotation, expected, spin, velocity, momentum };
            bodies.store(records, states, moved, free.bits());
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

    /// Adds ways to displacements.
    #[inline(always)]
    fn go(&mut self, way: L, displacements: &mut [f64; WIDTH]) {
        let total = L::load(displacements) + way;
        total.store(displacements);
        self.next = self.next.max(self.most.min(total));
        self.most = self.most.max(total);
        self.sum = self.sum + total;
    }

    /// The longest of all lanes.
    #[inline(always)]
    fn ways(&self) -> LargestDisplacements {
        let (most, next) = (self.most.to_array(), self.next.to_array());
        let mut all = LargestDisplacements::default();
        for lane in 0..WIDTH {
            all = all.and(LargestDisplacements { longest: [most[lane], next[lane]] });
        }
        if self.sum.to_array().iter().any(|sum| sum.is_nan()) {
            all.see(f64::NAN);
        }
        all
    }
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
    /// What stands beside it, and at the end of the records: bits that are no number among them.
    beside: [L; 4],
    rotor: Rotor<L>,
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
    fn load(
        input: &StepInput<'_, Space>,
        records: &[Record<Space>; WIDTH],
        states: &[State<Space>; WIDTH],
    ) -> Self {
        let [a, b, c, d, e, f, g, h] = records.each_ref().map(Record::lines);
        let [x, y, z, qx, qy, qz, qw, _] =
            L::load_turned([&a[0], &b[0], &c[0], &d[0], &e[0], &f[0], &g[0], &h[0]]);
        let [.., mass, radius, kinds] =
            L::load_turned([&a[1], &b[1], &c[1], &d[1], &e[1], &f[1], &g[1], &h[1]]);
        let [a, b, c, d, e, f, g, h] = states.each_ref().map(State::lines);
        let [vx, vy, vz, lx, ly, lz, by_mass, bits] =
            L::load_turned([&a[0], &b[0], &c[0], &d[0], &e[0], &f[0], &g[0], &h[0]]);
        let [fx, fy, fz, tx, ty, tz, ..] =
            L::load_turned([&a[1], &b[1], &c[1], &d[1], &e[1], &f[1], &g[1], &h[1]]);
        let [i, j, k, ax, ay, az, aw, sweep] =
            RowIndices::from(records.each_ref().map(|body| body.shape)).load::<L>(input.inertias);
        let half = L::splat(0.5 * input.dt);
        Self {
            position: Vec3::new(x, y, z),
            rotation: [qx, qy, qz, qw],
            velocity: Vec3::new(vx, vy, vz),
            momentum: Vec3::new(lx, ly, lz),
            half_velocity: Vec3::new(fx, fy, fz).mul_add(by_mass, spread(input.gravity)) * half,
            half_momentum: Vec3::new(tx, ty, tz) * half,
            by_mass,
            beside: [bits, mass, radius, kinds],
            rotor: Rotor { by_moments: Vec3::new(i, j, k), axes: [ax, ay, az, aw] },
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

    /// Writes what has changed, for bodies that forces move.
    #[inline(always)]
    fn store(
        &self,
        records: &mut [Record<Space>; WIDTH],
        states: &mut [State<Space>; WIDTH],
        moved: Moved<L>,
        free: u8,
    ) {
        let Moved { position: x, rotation: [qx, qy, qz, qw], expected: u, spin, velocity: v, momentum: l } =
            moved;
        let [bits, mass, radius, kinds] = self.beside;
        let first = [x.x, x.y, x.z, qx, qy, qz, qw, u.x];
        let second = [u.y, u.z, spin.x, spin.y, spin.z, mass, radius, kinds];
        let state = [v.x, v.y, v.z, l.x, l.y, l.z, self.by_mass, bits];
        if free == u8::MAX {
            store_lines(first, second, &mut records.each_mut().map(Record::lines_mut));
            L::store_turned(state, states.each_mut().map(|state| &mut state.lines_mut()[0]));
            return;
        }
        let (mut moved, mut moves) = ([[[0.0; WIDTH]; 2]; WIDTH], [[0.0; WIDTH]; WIDTH]);
        store_lines(first, second, &mut moved.each_mut());
        L::store_turned(state, moves.each_mut());
        for lane in (0..WIDTH).filter(|lane| free >> lane & 1 == 1) {
            *records[lane].lines_mut() = moved[lane];
            states[lane].lines_mut()[0] = moves[lane];
        }
    }
}

/// Writes both lines of eight records.
#[inline(always)]
fn store_lines<L: Lanes>(
    first: [L; WIDTH],
    second: [L; WIDTH],
    records: &mut [&mut [[f64; WIDTH]; 2]; WIDTH],
) {
    let [[a, b], [c, d], [e, f], [g, h], [i, j], [k, l], [m, n], [o, p]] = records;
    L::store_turned(first, [a, c, e, g, i, k, m, o]);
    L::store_turned(second, [b, d, f, h, j, l, n, p]);
}

#[cfg(test)]
mod tests;

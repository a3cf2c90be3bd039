//! Velocity Verlet for eight bodies at a time: see the scalar `motion` and `realm::space` for what is done.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, Mask, MaskBits, Turn, Vec3, WIDTH};

use super::body::look_up;
use crate::bodies::{ARC, LARGEST_CHORD, Record, State, Stride};
use crate::near::Ways;
use crate::realm::space::LARGEST_ANGLE;

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
            let (rotation, principal) = bodies.turned(momentum * by_mass, dt);
            let chord = chord(bodies.rotation, rotation);
            let known = chord.le(L::splat(LARGEST_CHORD));
            let turned = L::select(known, bodies.sweep * L::splat(ARC) * chord, L::splat(f64::INFINITY));
            // With the forces of the last step: laws see velocities of second order.
            let (expected, expected_momentum) = bodies.pushed(velocity, momentum);
            let spin = bodies.spin(principal, expected_momentum * by_mass);
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
    /// Reciprocals of the principal moments of inertia for unit mass, the principal axes, the sweep.
    by_moments: Vec3<L>,
    axes: [L; 4],
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
            by_moments: Vec3::new(i, j, k),
            axes: [ax, ay, az, aw],
            sweep,
        }
    }

    /// Velocity and angular momentum after half a step.
    #[inline(always)]
    fn pushed(&self, velocity: Vec3<L>, momentum: Vec3<L>) -> (Vec3<L>, Vec3<L>) {
        (velocity + self.half_velocity, momentum + self.half_momentum)
    }

    /// ω = I⁻¹ L for unit mass.
    #[inline(always)]
    fn spin(&self, principal: [L; 4], momentum: Vec3<L>) -> Vec3<L> {
        let principal = frame(principal);
        principal.apply(principal.undo(momentum).scaled(self.by_moments))
    }

    /// The orientations after free turning, of the bodies and of their principal axes.
    #[inline(always)]
    fn turned(&self, momentum: Vec3<L>, dt: L) -> ([L; 4], [L; 4]) {
        // The principal axes of most shapes are their own.
        let own = L::splat(1.0).le(self.axes[3]);
        let some_others = (!own).any();
        let mut q = self.rotation;
        if some_others {
            q = select(own, q, times(q, self.axes));
        }
        let mut l = frame(q).undo(momentum);
        let half = L::splat(0.5);
        let rate = self.by_moments * (half * dt);
        let (c, s) = half_angle(half * rate.x * l.x);
        (q, l) = (about_x(q, c, s), back_x(l, c, s));
        let (c, s) = half_angle(half * rate.y * l.y);
        (q, l) = (about_y(q, c, s), back_y(l, c, s));
        let (c, s) = half_angle(rate.z * l.z);
        (q, l) = (about_z(q, c, s), back_z(l, c, s));
        let (c, s) = half_angle(half * rate.y * l.y);
        (q, l) = (about_y(q, c, s), back_y(l, c, s));
        let (c, s) = half_angle(half * rate.x * l.x);
        let principal = normalized(about_x(q, c, s));
        if !some_others {
            return (principal, principal);
        }
        let [x, y, z, w] = self.axes;
        (select(own, principal, normalized(times(principal, [-x, -y, -z, w]))), principal)
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

#[inline(always)]
fn frame<L: Lanes>([x, y, z, w]: [L; 4]) -> Turn<L> {
    Turn::from_quaternion([w, x, y, z])
}

/// First `b`, then `a`.
#[inline(always)]
fn times<L: Lanes>([ax, ay, az, aw]: [L; 4], [bx, by, bz, bw]: [L; 4]) -> [L; 4] {
    [
        aw.mul_add(bx, ax.mul_add(bw, ay.mul_sub(bz, az * by))),
        aw.mul_add(by, ay.mul_add(bw, az.mul_sub(bx, ax * bz))),
        aw.mul_add(bz, az.mul_add(bw, ax.mul_sub(by, ay * bx))),
        aw.mul_sub(bw, ax.mul_add(bx, ay.mul_add(by, az * bz))),
    ]
}

#[inline(always)]
fn select<L: Lanes>(mask: L::Mask, yes: [L; 4], no: [L; 4]) -> [L; 4] {
    let ([a, b, c, d], [e, f, g, h]) = (yes, no);
    [L::select(mask, a, e), L::select(mask, b, f), L::select(mask, c, g), L::select(mask, d, h)]
}

#[inline(always)]
fn normalized<L: Lanes>([x, y, z, w]: [L; 4]) -> [L; 4] {
    let by = L::splat(1.0) / x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w))).sqrt();
    [x * by, y * by, z * by, w * by]
}

/// How far a point at unit distance moved: twice the length of the vector part of the turn between.
#[inline(always)]
fn chord<L: Lanes>([x, y, z, w]: [L; 4], after: [L; 4]) -> L {
    let [x, y, z, _] = times([-x, -y, -z, w], after);
    L::splat(2.0) * Vec3::new(x, y, z).length()
}

/// Cosine and sine of an angle, as `realm::space` has them.
#[inline(always)]
fn half_angle<L: Lanes>(angle: L) -> (L, L) {
    let square = angle * angle;
    let cosine = square.mul_add(L::splat(1.0 / 40320.0), L::splat(-1.0 / 720.0));
    let cosine = square.mul_add(square.mul_add(cosine, L::splat(1.0 / 24.0)), L::splat(-0.5));
    let sine = square.mul_add(L::splat(1.0 / 362_880.0), L::splat(-1.0 / 5040.0));
    let sine = square.mul_add(square.mul_add(sine, L::splat(1.0 / 120.0)), L::splat(-1.0 / 6.0));
    let (cosine, sine) = (square.mul_add(cosine, L::splat(1.0)), (square * angle).mul_add(sine, angle));
    let small = square.le(L::splat(LARGEST_ANGLE * LARGEST_ANGLE));
    if !(!small).any() {
        return (cosine, sine);
    }
    let by = L::splat(1.0) / (L::splat(1.0) + square).sqrt();
    (L::select(small, cosine, by), L::select(small, sine, angle * by))
}

/// Quaternions after a turn about an axis of their own, and vectors seen from a frame that has turned so.
macro_rules! axis {
    ($about:ident, $back:ident, $i:literal, $x:ident $y:ident $z:ident) => {
        #[inline(always)]
        fn $about<L: Lanes>(q: [L; 4], cosine: L, sine: L) -> [L; 4] {
            const I: usize = $i;
            const J: usize = (I + 1) % 3;
            const K: usize = (I + 2) % 3;
            let mut out = q;
            out[I] = cosine.mul_add(q[I], sine * q[3]);
            out[J] = cosine.mul_add(q[J], sine * q[K]);
            out[K] = cosine.mul_sub(q[K], sine * q[J]);
            out[3] = cosine.mul_sub(q[3], sine * q[I]);
            out
        }

        #[inline(always)]
        fn $back<L: Lanes>(v: Vec3<L>, cosine: L, sine: L) -> Vec3<L> {
            let (c, s) = (cosine.mul_sub(cosine, sine * sine), (sine + sine) * cosine);
            let mut out = v;
            out.$y = c.mul_add(v.$y, s * v.$z);
            out.$z = c.mul_sub(v.$z, s * v.$y);
            out.$x = v.$x;
            out
        }
    };
}

axis!(about_x, back_x, 0, x y z);
axis!(about_y, back_y, 1, y z x);
axis!(about_z, back_z, 2, z x y);

#[cfg(test)]
mod tests;

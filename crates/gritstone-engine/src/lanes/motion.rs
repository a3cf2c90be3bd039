//! Velocity Verlet for eight bodies at a time: see the scalar `motion` and `realm::space` for what is done.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, MaskBits, Turn, Vec3, WIDTH};

use super::body::look_up;
use crate::bodies::{Record, State, Stride};

/// The first half of a step.
pub(crate) fn advance(
    stride: &Stride<'_, Space>,
    records: &mut [Record<Space>],
    states: &mut [State<Space>],
    [relative, absolute]: [&mut [f64]; 2],
) {
    Backend::best().run(Advance { stride, records, states, relative, absolute });
}

struct Advance<'w> {
    stride: &'w Stride<'w, Space>,
    records: &'w mut [Record<Space>],
    states: &'w mut [State<Space>],
    relative: &'w mut [f64],
    absolute: &'w mut [f64],
}

impl Kernel for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let stride = self.stride;
        let (dt, common) = (L::splat(stride.dt), spread::<L>(stride.common));
        let groups = self.records.chunks_mut(WIDTH).zip(self.states.chunks_mut(WIDTH));
        let travels = self.relative.chunks_mut(WIDTH).zip(self.absolute.chunks_mut(WIDTH));
        for ((records, states), (relative, absolute)) in groups.zip(travels) {
            let bodies = Bodies::<L>::load(stride, records, states);
            let (velocity, momentum) = bodies.pushed(bodies.velocity, bodies.momentum);
            let by_mass = bodies.by_mass;
            let rotation = bodies.turned(momentum * by_mass, dt);
            let turned = bodies.size * chord(bodies.rotation, rotation);
            // With the forces of the last step: laws see velocities of second order.
            let (expected, expected_momentum) = bodies.pushed(velocity, momentum);
            let spin = bodies.spin(rotation, expected_momentum * by_mass);
            let position = velocity.mul_add(dt, bodies.position);

            let free = L::Mask::from_bits(free(states));
            let turned = L::select(free, turned, L::splat(0.0));
            let went = Vec3::select(free, velocity, bodies.velocity);
            let way = went.length().mul_add(dt, turned).to_array();
            let apart = (went - common).length().mul_add(dt, turned).to_array();
            for (lane, (relative, absolute)) in relative.iter_mut().zip(absolute).enumerate() {
                *relative += apart[lane];
                *absolute += way[lane];
            }
            bodies.store(records, states, Moved { position, rotation, expected, spin, velocity, momentum });
        }
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
    /// Reciprocals of the principal moments of inertia for unit mass, the principal axes, the size.
    by_moments: Vec3<L>,
    axes: [L; 4],
    size: L,
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
        let [vx, vy, vz, lx, ly, lz, by_mass, _] =
            turn_lines(lanes, states, |state: &State<Space>| &state.lines()[0]);
        let [fx, fy, fz, tx, ty, tz, ..] =
            turn_lines(lanes, states, |state: &State<Space>| &state.lines()[1]);
        let [i, j, k, ax, ay, az, aw, size] = inertias(stride, records, lanes);
        let half = L::splat(0.5 * stride.dt);
        Self {
            position: Vec3::new(x, y, z),
            rotation: [qx, qy, qz, qw],
            velocity: Vec3::new(vx, vy, vz),
            momentum: Vec3::new(lx, ly, lz),
            half_velocity: Vec3::new(fx, fy, fz).mul_add(by_mass, spread(stride.gravity)) * half,
            half_momentum: Vec3::new(tx, ty, tz) * half,
            by_mass,
            by_moments: Vec3::new(i, j, k),
            axes: [ax, ay, az, aw],
            size,
        }
    }

    /// Velocity and angular momentum after half a step.
    #[inline(always)]
    fn pushed(&self, velocity: Vec3<L>, momentum: Vec3<L>) -> (Vec3<L>, Vec3<L>) {
        (velocity + self.half_velocity, momentum + self.half_momentum)
    }

    /// ω = I⁻¹ L for unit mass.
    #[inline(always)]
    fn spin(&self, rotation: [L; 4], momentum: Vec3<L>) -> Vec3<L> {
        let principal = frame(times(rotation, self.axes));
        principal.apply(principal.undo(momentum).scaled(self.by_moments))
    }

    /// The orientations after free turning.
    #[inline(always)]
    fn turned(&self, momentum: Vec3<L>, dt: L) -> [L; 4] {
        let principal = times(self.rotation, self.axes);
        let mut l = frame(principal).undo(momentum);
        let half = L::splat(0.5);
        let rate = self.by_moments * (half * dt);
        let mut q = principal;
        let (c, s) = half_angle(half * rate.x * l.x);
        (q, l) = (about_x(q, c, s), back_x(l, c, s));
        let (c, s) = half_angle(half * rate.y * l.y);
        (q, l) = (about_y(q, c, s), back_y(l, c, s));
        let (c, s) = half_angle(rate.z * l.z);
        (q, l) = (about_z(q, c, s), back_z(l, c, s));
        let (c, s) = half_angle(half * rate.y * l.y);
        (q, l) = (about_y(q, c, s), back_y(l, c, s));
        let (c, s) = half_angle(half * rate.x * l.x);
        q = about_x(q, c, s);
        let [x, y, z, w] = self.axes;
        normalized(times(q, [-x, -y, -z, w]))
    }

    /// Writes what has changed, for bodies that forces move.
    #[inline(always)]
    fn store(&self, records: &mut [Record<Space>], states: &mut [State<Space>], moved: Moved<L>) {
        let Moved { position, rotation: [qx, qy, qz, qw], expected, spin, velocity, momentum } = moved;
        let zero = L::splat(0.0);
        let mut lines = [[[0.0; WIDTH]; WIDTH]; 3];
        L::store_turned([position.x, position.y, position.z, qx, qy, qz, qw, expected.x], &mut lines[0]);
        L::store_turned([expected.y, expected.z, spin.x, spin.y, spin.z, zero, zero, zero], &mut lines[1]);
        let v = velocity;
        L::store_turned([v.x, v.y, v.z, momentum.x, momentum.y, momentum.z, zero, zero], &mut lines[2]);
        for (lane, (body, state)) in records.iter_mut().zip(states).enumerate() {
            if state.is_free() {
                let [first, second] = body.lines_mut();
                *first = lines[0][lane];
                second[..5].copy_from_slice(&lines[1][lane][..5]);
                state.lines_mut()[0][..6].copy_from_slice(&lines[2][lane][..6]);
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
        *shape = records[lane].shape as usize;
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
    let y = L::splat(0.5) * angle;
    let square = y * y;
    let n = y * L::splat(10.0).neg_mul_add(square, L::splat(105.0));
    let d = (square - L::splat(45.0)).mul_add(square, L::splat(105.0));
    let (nn, dd) = (n * n, d * d);
    let by = L::splat(1.0) / (dd + nn);
    ((dd - nn) * by, (n + n) * d * by)
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

//! Free turning of eight bodies at a time: as the scalar code of [`crate::bodies::kinematics`].

use gritstone_core::lanes::{Lanes, Mask, Turn, Vec3};

use crate::bodies::kinematics::LARGEST_ANGLE;

/// Inertia of eight bodies, per unit mass.
pub(super) struct Rotor<L> {
    /// Reciprocals of the principal moments; the first two are the same where a body is symmetric about the third axis.
    pub(super) by_moments: Vec3<L>,
    /// The turn from the body's frame to the principal axes: x, y, z, w.
    pub(super) axes: [L; 4],
}

impl<L: Lanes> Rotor<L> {
    /// ω = I⁻¹ L.
    #[inline(always)]
    pub(super) fn spin(&self, principal: [L; 4], momentum: Vec3<L>) -> Vec3<L> {
        let symmetric = self.is_symmetric();
        let Vec3 { x, z, .. } = self.by_moments;
        let axis = third_axis(principal);
        let about_axis = axis.mul_add((z - x) * momentum.dot(axis), momentum * x);
        if !(!symmetric).any() {
            return about_axis;
        }
        let principal = frame(principal);
        let spin = principal.apply(principal.undo(momentum).scaled(self.by_moments));
        Vec3::select(symmetric, about_axis, spin)
    }

    /// The orientations of the principal axes.
    #[inline(always)]
    pub(super) fn principal(&self, rotation: [L; 4]) -> [L; 4] {
        // The principal axes of most shapes are their own.
        let own = L::splat(1.0).le(self.axes[3]);
        if (!own).any() { select(own, rotation, times(rotation, self.axes)) } else { rotation }
    }

    /// The orientations after free turning, of the bodies and of their principal axes.
    #[inline(always)]
    pub(super) fn turned(&self, rotation: [L; 4], momentum: Vec3<L>, dt: L) -> ([L; 4], [L; 4]) {
        // The principal axes of most shapes are their own.
        let own = L::splat(1.0).le(self.axes[3]);
        let some_others = (!own).any();
        let mut q = rotation;
        if some_others {
            q = select(own, q, times(q, self.axes));
        }
        let symmetric = self.is_symmetric();
        let mut principal = self.precessed(q, momentum, dt);
        if (!symmetric).any() {
            principal = select(symmetric, principal, self.tumbled(q, momentum, dt));
        }
        principal = renormalized(principal);
        if !some_others {
            return (principal, principal);
        }
        let [x, y, z, w] = self.axes;
        (select(own, principal, renormalized(times(principal, [-x, -y, -z, w]))), principal)
    }

    #[inline(always)]
    fn is_symmetric(&self) -> L::Mask {
        let Vec3 { x, y, .. } = self.by_moments;
        x.le(y) & y.le(x)
    }

    /// Symmetric bodies: exact.
    #[inline(always)]
    fn precessed(&self, q: [L; 4], momentum: Vec3<L>, dt: L) -> [L; 4] {
        let Vec3 { x, z, .. } = self.by_moments;
        let half = L::splat(0.5) * dt;
        let about_axis = (z - x) * half * momentum.dot(third_axis(q));
        let turn = momentum * (x * half);
        let (cosine, share) = half_angle(turn.dot(turn));
        let q = times([turn.x * share, turn.y * share, turn.z * share, cosine], q);
        let (cosine, share) = half_angle(about_axis * about_axis);
        about_z(q, cosine, share * about_axis)
    }

    /// All others: turns about one axis after the other.
    #[inline(always)]
    fn tumbled(&self, mut q: [L; 4], momentum: Vec3<L>, dt: L) -> [L; 4] {
        let mut l = frame(q).undo(momentum);
        let half = L::splat(0.5);
        let rate = self.by_moments * (half * dt);
        let (c, s) = turn_by(half * rate.x * l.x);
        (q, l) = (about_x(q, c, s), back_x(l, c, s));
        let (c, s) = turn_by(half * rate.y * l.y);
        (q, l) = (about_y(q, c, s), back_y(l, c, s));
        let (c, s) = turn_by(rate.z * l.z);
        (q, l) = (about_z(q, c, s), back_z(l, c, s));
        let (c, s) = turn_by(half * rate.y * l.y);
        (q, l) = (about_y(q, c, s), back_y(l, c, s));
        let (c, s) = turn_by(half * rate.x * l.x);
        about_x(q, c, s)
    }
}

#[inline(always)]
fn frame<L: Lanes>([x, y, z, w]: [L; 4]) -> Turn<L> {
    Turn::from_quaternion([w, x, y, z])
}

/// The last column of [`frame`].
#[inline(always)]
fn third_axis<L: Lanes>(q: [L; 4]) -> Vec3<L> {
    frame(q).columns[2]
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

/// Quaternions whose length is one but for rounding. No division, no root.
#[inline(always)]
fn renormalized<L: Lanes>([x, y, z, w]: [L; 4]) -> [L; 4] {
    let squared = x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)));
    // 1/√q to first order about q = 1.
    let by = squared.neg_mul_add(L::splat(0.5), L::splat(1.5));
    [x * by, y * by, z * by, w * by]
}

/// How far a point at unit distance moved: twice the length of the vector part of the turn between.
#[inline(always)]
pub(super) fn chord<L: Lanes>([x, y, z, w]: [L; 4], after: [L; 4]) -> L {
    let [x, y, z, _] = times([-x, -y, -z, w], after);
    L::splat(2.0) * Vec3::new(x, y, z).length()
}

/// Cosine and sine of an angle.
#[inline(always)]
fn turn_by<L: Lanes>(angle: L) -> (L, L) {
    let (cosine, share) = half_angle(angle * angle);
    (cosine, share * angle)
}

/// Cosine of an angle, and its sine over the angle, from the square of the angle; as the scalar code has them.
#[inline(always)]
fn half_angle<L: Lanes>(square: L) -> (L, L) {
    let one = L::splat(1.0);
    let cosine = square.mul_add(L::splat(1.0 / 40320.0), L::splat(-1.0 / 720.0));
    let cosine = square.mul_add(square.mul_add(cosine, L::splat(1.0 / 24.0)), L::splat(-0.5));
    let share = square.mul_add(L::splat(1.0 / 362_880.0), L::splat(-1.0 / 5040.0));
    let share = square.mul_add(square.mul_add(share, L::splat(1.0 / 120.0)), L::splat(-1.0 / 6.0));
    let (cosine, share) = (square.mul_add(cosine, one), square.mul_add(share, one));
    let small = square.le(L::splat(LARGEST_ANGLE * LARGEST_ANGLE));
    if !(!small).any() {
        return (cosine, share);
    }
    let by = one / (one + square).sqrt();
    (L::select(small, cosine, by), L::select(small, share, by))
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

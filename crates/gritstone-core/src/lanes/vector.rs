//! Vectors, rotations and symmetric matrices in lanes.

use std::ops::{Add, Mul, Neg, Sub};

use super::{Real, Two};

/// A vector in space for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Vec3<R> {
    /// First component.
    pub x: R,
    /// Second component.
    pub y: R,
    /// Third component.
    pub z: R,
}

impl<R: Real> Vec3<R> {
    /// A vector from its components.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> R {
        self.x.mul_add(o.x, self.y.mul_add(o.y, self.z * o.z))
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self {
            x: self.y.mul_sub(o.z, self.z * o.y),
            y: self.z.mul_sub(o.x, self.x * o.z),
            z: self.x.mul_sub(o.y, self.y * o.x),
        }
    }

    /// Length.
    #[inline(always)]
    pub fn length(self) -> R {
        self.dot(self).sqrt()
    }

    /// `self · k + term`.
    #[inline(always)]
    pub fn mul_add(self, k: R, term: Self) -> Self {
        Self { x: self.x.mul_add(k, term.x), y: self.y.mul_add(k, term.y), z: self.z.mul_add(k, term.z) }
    }

    /// Component by component product.
    #[inline(always)]
    pub fn scaled(self, o: Self) -> Self {
        Self { x: self.x * o.x, y: self.y * o.y, z: self.z * o.z }
    }

    /// A vector whose length is one within a few roundings, made so to the last. No division, no root.
    #[inline(always)]
    pub fn renormalized(self) -> Self {
        // 1/√q to first order about q = 1.
        self * self.dot(self).neg_mul_add(R::splat(0.5), R::splat(1.5))
    }

    /// `yes` where `mask` is true, else `no`.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self {
            x: R::select(mask, yes.x, no.x),
            y: R::select(mask, yes.y, no.y),
            z: R::select(mask, yes.z, no.z),
        }
    }

    /// Two unit vectors that complete this unit vector to a right-handed basis (Duff et al. 2017), as
    /// [`Tangent::across`](crate::linalg::Tangent::across).
    #[inline(always)]
    pub fn tangents(self) -> [Self; 2] {
        let sign = R::splat(1.0).copysign(self.z);
        let a = R::splat(-1.0) / (sign + self.z);
        let xa = self.x * a;
        let b = self.y * xa;
        [
            Self { x: (sign * self.x).mul_add(xa, R::splat(1.0)), y: sign * b, z: -(sign * self.x) },
            Self { x: b, y: (self.y * self.y).mul_add(a, sign), z: -self.y },
        ]
    }
}

impl<R: Real> Vec3<Two<R>> {
    /// Two vectors, to be advanced together.
    #[inline(always)]
    pub fn both(a: Vec3<R>, b: Vec3<R>) -> Self {
        Self { x: Two(a.x, b.x), y: Two(a.y, b.y), z: Two(a.z, b.z) }
    }

    /// The two vectors.
    #[inline(always)]
    pub fn each(self) -> [Vec3<R>; 2] {
        [Vec3::new(self.x.0, self.y.0, self.z.0), Vec3::new(self.x.1, self.y.1, self.z.1)]
    }
}

impl<R: Real> Add for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl<R: Real> Sub for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl<R: Real> Neg for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<R: Real> Mul<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, k: R) -> Self {
        Self { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

/// A rotation for each lane: the turned axes as columns.
#[derive(Clone, Copy, Debug)]
pub struct Turn<R> {
    /// Columns.
    pub columns: [Vec3<R>; 3],
}

impl<R: Real> Turn<R> {
    /// The rotation of a unit quaternion `[w, x, y, z]`.
    #[inline(always)]
    pub fn from_quaternion([w, x, y, z]: [R; 4]) -> Self {
        let one = R::splat(1.0);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        Self {
            columns: [
                Vec3::new(one - (yy + zz), xy + wz, xz - wy),
                Vec3::new(xy - wz, one - (xx + zz), yz + wx),
                Vec3::new(xz + wy, yz - wx, one - (xx + yy)),
            ],
        }
    }

    /// A vector turned.
    #[inline(always)]
    pub fn apply(&self, v: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.columns;
        a.mul_add(v.x, b.mul_add(v.y, c * v.z))
    }

    /// A vector turned back.
    #[inline(always)]
    pub fn undo(&self, v: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.columns;
        Vec3::new(a.dot(v), b.dot(v), c.dot(v))
    }
}

/// A symmetric 2×2 matrix for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Sym2<R> {
    /// Row x, column x.
    pub xx: R,
    /// Row y, column y.
    pub yy: R,
    /// Row x, column y.
    pub xy: R,
}

impl<R: Real> Sym2<R> {
    /// `self + k · x xᵀ`.
    #[inline(always)]
    pub fn plus_outer(self, k: R, [x, y]: [R; 2]) -> Self {
        let (kx, ky) = (k * x, k * y);
        Self { xx: kx.mul_add(x, self.xx), yy: ky.mul_add(y, self.yy), xy: kx.mul_add(y, self.xy) }
    }

    /// `self + k · I`.
    #[inline(always)]
    pub fn plus_scalar(self, k: R) -> Self {
        Self { xx: self.xx + k, yy: self.yy + k, xy: self.xy }
    }

    /// The trace.
    #[inline(always)]
    pub fn trace(self) -> R {
        self.xx + self.yy
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(self) -> R {
        self.xx.mul_sub(self.yy, self.xy * self.xy)
    }

    /// A vector times this matrix.
    #[inline(always)]
    pub fn apply(self, [x, y]: [R; 2]) -> [R; 2] {
        [self.xx.mul_add(x, self.xy * y), self.xy.mul_add(x, self.yy * y)]
    }

    /// `yes` where `mask` is true, else `no`.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self {
            xx: R::select(mask, yes.xx, no.xx),
            yy: R::select(mask, yes.yy, no.yy),
            xy: R::select(mask, yes.xy, no.xy),
        }
    }
}

impl<R: Real> Sym2<Two<R>> {
    /// The two matrices.
    #[inline(always)]
    pub fn each(self) -> [Sym2<R>; 2] {
        let Self { xx, yy, xy } = self;
        [Sym2 { xx: xx.0, yy: yy.0, xy: xy.0 }, Sym2 { xx: xx.1, yy: yy.1, xy: xy.1 }]
    }
}

impl<R: Real> Add for Sym2<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { xx: self.xx + o.xx, yy: self.yy + o.yy, xy: self.xy + o.xy }
    }
}

/// A symmetric 3×3 matrix for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Sym3<R> {
    /// Row x, column x.
    pub xx: R,
    /// Row y, column y.
    pub yy: R,
    /// Row z, column z.
    pub zz: R,
    /// Row x, column y.
    pub xy: R,
    /// Row x, column z.
    pub xz: R,
    /// Row y, column z.
    pub yz: R,
}

impl<R: Real> Sym3<R> {
    /// From the entries xx, yy, zz, xy, xz, yz.
    #[inline(always)]
    pub fn from_array([xx, yy, zz, xy, xz, yz]: [R; 6]) -> Self {
        Self { xx, yy, zz, xy, xz, yz }
    }

    /// The entries xx, yy, zz, xy, xz, yz.
    #[inline(always)]
    pub fn to_array(self) -> [R; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// A vector times this matrix.
    #[inline(always)]
    pub fn apply(self, v: Vec3<R>) -> Vec3<R> {
        Vec3 {
            x: self.xx.mul_add(v.x, self.xy.mul_add(v.y, self.xz * v.z)),
            y: self.xy.mul_add(v.x, self.yy.mul_add(v.y, self.yz * v.z)),
            z: self.xz.mul_add(v.x, self.yz.mul_add(v.y, self.zz * v.z)),
        }
    }

    /// The trace.
    #[inline(always)]
    pub fn trace(self) -> R {
        self.xx + self.yy + self.zz
    }

    /// The second invariant: the sum of the principal 2×2 minors.
    #[inline(always)]
    pub fn second_invariant(self) -> R {
        let off_diagonal = self.xy.mul_add(self.xy, self.xz.mul_add(self.xz, self.yz * self.yz));
        self.xx.mul_add(self.yy, (self.xx + self.yy).mul_sub(self.zz, off_diagonal))
    }

    /// `self − x xᵀ`.
    #[inline(always)]
    pub fn minus_square(self, v: Vec3<R>) -> Self {
        Self {
            xx: v.x.neg_mul_add(v.x, self.xx),
            yy: v.y.neg_mul_add(v.y, self.yy),
            zz: v.z.neg_mul_add(v.z, self.zz),
            xy: v.x.neg_mul_add(v.y, self.xy),
            xz: v.x.neg_mul_add(v.z, self.xz),
            yz: v.y.neg_mul_add(v.z, self.yz),
        }
    }

    /// `self · k`.
    #[inline(always)]
    pub fn scaled(self, k: R) -> Self {
        Self {
            xx: self.xx * k,
            yy: self.yy * k,
            zz: self.zz * k,
            xy: self.xy * k,
            xz: self.xz * k,
            yz: self.yz * k,
        }
    }

    /// `self · k + term`.
    #[inline(always)]
    pub fn mul_add(self, k: R, term: Self) -> Self {
        Self {
            xx: self.xx.mul_add(k, term.xx),
            yy: self.yy.mul_add(k, term.yy),
            zz: self.zz.mul_add(k, term.zz),
            xy: self.xy.mul_add(k, term.xy),
            xz: self.xz.mul_add(k, term.xz),
            yz: self.yz.mul_add(k, term.yz),
        }
    }

    /// The 2×2 block on the plane of u and v.
    #[inline(always)]
    pub fn restrict(self, u: Vec3<R>, v: Vec3<R>) -> Sym2<R> {
        let (mu, mv) = (self.apply(u), self.apply(v));
        Sym2 { xx: u.dot(mu), yy: v.dot(mv), xy: u.dot(mv) }
    }

    /// `yes` where `mask` is true, else `no`.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self {
            xx: R::select(mask, yes.xx, no.xx),
            yy: R::select(mask, yes.yy, no.yy),
            zz: R::select(mask, yes.zz, no.zz),
            xy: R::select(mask, yes.xy, no.xy),
            xz: R::select(mask, yes.xz, no.xz),
            yz: R::select(mask, yes.yz, no.yz),
        }
    }
}

impl<R: Real> Mul<R> for Sym3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, k: R) -> Self {
        let Self { xx, yy, zz, xy, xz, yz } = self;
        Self { xx: xx * k, yy: yy * k, zz: zz * k, xy: xy * k, xz: xz * k, yz: yz * k }
    }
}

impl<R: Real> Add for Sym3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self {
            xx: self.xx + o.xx,
            yy: self.yy + o.yy,
            zz: self.zz + o.zz,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yz: self.yz + o.yz,
        }
    }
}

// Numbers, vectors, rotations and symmetric matrices: as `gritstone_core::lanes`, operation by operation.
//
// + − × ÷ √ are rounded one by one (nvcc gets -fmad=false, g++ gets -ffp-contract=off); what is fused says fma.
#pragma once

#include "platform.h"

FN double mul_sub(double a, double b, double c) { return fma(a, b, -c); }
FN double neg_mul_add(double a, double b, double c) { return fma(-a, b, c); }
// As the lanes' min and max: the second one where either is not a number.
FN double smaller(double a, double b) { return a < b ? a : b; }
FN double larger(double a, double b) { return b < a ? a : b; }

struct Vec3 {
    double x, y, z;
};

FN Vec3 vec(double x, double y, double z) { return Vec3{x, y, z}; }
FN Vec3 vec(const double *v) { return Vec3{v[0], v[1], v[2]}; }
FN Vec3 zero3() { return Vec3{0.0, 0.0, 0.0}; }
FN void store(double *to, Vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}
FN Vec3 operator+(Vec3 a, Vec3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
FN Vec3 operator-(Vec3 a, Vec3 b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
FN Vec3 operator-(Vec3 a) { return vec(-a.x, -a.y, -a.z); }
FN Vec3 operator*(Vec3 a, double k) { return vec(a.x * k, a.y * k, a.z * k); }
FN Vec3 select(bool mask, Vec3 yes, Vec3 no) { return mask ? yes : no; }

FN double dot(Vec3 a, Vec3 b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }
// Each product rounded, as laws have it.
FN double inner(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FN Vec3 cross(Vec3 a, Vec3 b) {
    return vec(mul_sub(a.y, b.z, a.z * b.y), mul_sub(a.z, b.x, a.x * b.z), mul_sub(a.x, b.y, a.y * b.x));
}
// The same with each product rounded.
FN Vec3 moment(Vec3 a, Vec3 b) { return vec(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y); }
FN double length(Vec3 a) { return sqrt(dot(a, a)); }
// v·k + term
FN Vec3 mul_add(Vec3 v, double k, Vec3 term) { return vec(fma(v.x, k, term.x), fma(v.y, k, term.y), fma(v.z, k, term.z)); }
FN Vec3 scaled(Vec3 a, Vec3 b) { return vec(a.x * b.x, a.y * b.y, a.z * b.z); }
FN Vec3 renormalized(Vec3 v) { return v * neg_mul_add(dot(v, v), 0.5, 1.5); }

// Two unit vectors across a unit vector (Duff et al. 2017).
FN void tangents(Vec3 n, Vec3 &u, Vec3 &v) {
    double sign = copysign(1.0, n.z);
    double a = -1.0 / (sign + n.z);
    double xa = n.x * a;
    double b = n.y * xa;
    u = vec(fma(sign * n.x, xa, 1.0), sign * b, -(sign * n.x));
    v = vec(b, fma(n.y * n.y, a, sign), -n.y);
}

// x, y, z, w.
struct Quat {
    double x, y, z, w;
};

FN Quat quat(const double *q) { return Quat{q[0], q[1], q[2], q[3]}; }

// The turned axes as columns.
struct Turn {
    Vec3 a, b, c;
};

FN Turn turn_of(Quat q) {
    double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    return Turn{vec(1.0 - (yy + zz), xy + wz, xz - wy), vec(xy - wz, 1.0 - (xx + zz), yz + wx),
                vec(xz + wy, yz - wx, 1.0 - (xx + yy))};
}
FN Vec3 apply(const Turn &t, Vec3 v) { return mul_add(t.a, v.x, mul_add(t.b, v.y, t.c * v.z)); }
FN Vec3 undo(const Turn &t, Vec3 v) { return vec(dot(t.a, v), dot(t.b, v), dot(t.c, v)); }

struct Sym2 {
    double xx, yy, xy;
};

FN Sym2 operator+(Sym2 a, Sym2 b) { return Sym2{a.xx + b.xx, a.yy + b.yy, a.xy + b.xy}; }
FN Sym2 plus_scalar(Sym2 a, double k) { return Sym2{a.xx + k, a.yy + k, a.xy}; }
FN double trace(Sym2 a) { return a.xx + a.yy; }
FN double determinant(Sym2 a) { return mul_sub(a.xx, a.yy, a.xy * a.xy); }

struct Sym3 {
    double xx, yy, zz, xy, xz, yz;
};

FN Sym3 operator+(const Sym3 &a, const Sym3 &b) {
    return Sym3{a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
FN Sym3 scaled(const Sym3 &a, double k) { return Sym3{a.xx * k, a.yy * k, a.zz * k, a.xy * k, a.xz * k, a.yz * k}; }
FN Vec3 apply(const Sym3 &m, Vec3 v) {
    return vec(fma(m.xx, v.x, fma(m.xy, v.y, m.xz * v.z)), fma(m.xy, v.x, fma(m.yy, v.y, m.yz * v.z)),
               fma(m.xz, v.x, fma(m.yz, v.y, m.zz * v.z)));
}
FN double trace(const Sym3 &m) { return m.xx + m.yy + m.zz; }
FN double second_invariant(const Sym3 &m) {
    double off_diagonal = fma(m.xy, m.xy, fma(m.xz, m.xz, m.yz * m.yz));
    return fma(m.xx, m.yy, mul_sub(m.xx + m.yy, m.zz, off_diagonal));
}
// m − v vᵀ
FN Sym3 minus_square(const Sym3 &m, Vec3 v) {
    return Sym3{neg_mul_add(v.x, v.x, m.xx), neg_mul_add(v.y, v.y, m.yy), neg_mul_add(v.z, v.z, m.zz),
                neg_mul_add(v.x, v.y, m.xy), neg_mul_add(v.x, v.z, m.xz), neg_mul_add(v.y, v.z, m.yz)};
}
// The block on the plane of u and v.
FN Sym2 restrict_to(const Sym3 &m, Vec3 u, Vec3 v) {
    Vec3 mu = apply(m, u), mv = apply(m, v);
    return Sym2{dot(u, mu), dot(v, mv), dot(u, mv)};
}

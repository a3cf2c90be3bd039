// Free turning, and spins from angular momenta: as `gritstone_engine::lanes::turning`, operation by operation.
#pragma once

#include "layout.h"

#define LARGEST_ANGLE 0.5

// Inertia per unit mass: reciprocals of the principal moments, and the turn to the principal axes.
struct Rotor {
    Vec3 by_moments;
    Quat axes;
};

FN Rotor load_rotor(const double *RESTRICT inertias, unsigned shape) {
    const double *row = inertias + (size_t)INERTIA * shape;
    return Rotor{vec(row), quat(row + 3)};
}

// First q, then p.
FN Quat times(Quat p, Quat q) {
    return Quat{fma(p.w, q.x, fma(p.x, q.w, mul_sub(p.y, q.z, p.z * q.y))),
                fma(p.w, q.y, fma(p.y, q.w, mul_sub(p.z, q.x, p.x * q.z))),
                fma(p.w, q.z, fma(p.z, q.w, mul_sub(p.x, q.y, p.y * q.x))),
                mul_sub(p.w, q.w, fma(p.x, q.x, fma(p.y, q.y, p.z * q.z)))};
}

FN Quat renormalized(Quat q) {
    double squared = fma(q.x, q.x, fma(q.y, q.y, fma(q.z, q.z, q.w * q.w)));
    double by = neg_mul_add(squared, 0.5, 1.5);
    return Quat{q.x * by, q.y * by, q.z * by, q.w * by};
}

FN bool is_symmetric(const Rotor &r) { return r.by_moments.x <= r.by_moments.y && r.by_moments.y <= r.by_moments.x; }
// The principal axes of most shapes are their own.
FN bool is_own(const Rotor &r) { return 1.0 <= r.axes.w; }
FN Quat principal_axes(const Rotor &r, Quat rotation) { return is_own(r) ? rotation : times(rotation, r.axes); }

FN Vec3 spin_of(const Rotor &r, Quat principal, Vec3 momentum) {
    Vec3 by = r.by_moments;
    Turn turn = turn_of(principal);
    if (is_symmetric(r)) return mul_add(turn.c, (by.z - by.x) * dot(momentum, turn.c), momentum * by.x);
    return apply(turn, scaled(undo(turn, momentum), by));
}

// Cosine of an angle, and its sine over the angle, from the square of the angle.
FN void half_angle(double square, double &cosine, double &share) {
    cosine = fma(square, 1.0 / 40320.0, -1.0 / 720.0);
    cosine = fma(square, fma(square, cosine, 1.0 / 24.0), -0.5);
    share = fma(square, 1.0 / 362880.0, -1.0 / 5040.0);
    share = fma(square, fma(square, share, 1.0 / 120.0), -1.0 / 6.0);
    cosine = fma(square, cosine, 1.0);
    share = fma(square, share, 1.0);
    if (!(square <= LARGEST_ANGLE * LARGEST_ANGLE)) cosine = share = 1.0 / sqrt(1.0 + square);
}

FN void turn_by(double angle, double &cosine, double &sine) {
    half_angle(angle * angle, cosine, sine);
    sine = sine * angle;
}

// After a turn about an axis of its own; and a vector seen from a frame that has turned so.
#define AXIS(about, back, X, Y, Z)                                        \
    FN void about(Quat &q, double c, double s) {                          \
        Quat p = q;                                                       \
        q.X = fma(c, p.X, s * p.w);                                       \
        q.Y = fma(c, p.Y, s * p.Z);                                       \
        q.Z = mul_sub(c, p.Z, s * p.Y);                                   \
        q.w = mul_sub(c, p.w, s * p.X);                                   \
    }                                                                     \
    FN void back(Vec3 &v, double cosine, double sine) {                   \
        double c = mul_sub(cosine, cosine, sine * sine), s = (sine + sine) * cosine; \
        Vec3 u = v;                                                       \
        v.Y = fma(c, u.Y, s * u.Z);                                       \
        v.Z = mul_sub(c, u.Z, s * u.Y);                                   \
    }

AXIS(about_x, back_x, x, y, z)
AXIS(about_y, back_y, y, z, x)
AXIS(about_z, back_z, z, x, y)

// Symmetric bodies: exact.
FN Quat precessed(const Rotor &r, Quat q, Vec3 momentum, double dt) {
    double half = 0.5 * dt, cosine, share;
    double about_axis = (r.by_moments.z - r.by_moments.x) * half * dot(momentum, turn_of(q).c);
    Vec3 turn = momentum * (r.by_moments.x * half);
    half_angle(dot(turn, turn), cosine, share);
    q = times(Quat{turn.x * share, turn.y * share, turn.z * share, cosine}, q);
    half_angle(about_axis * about_axis, cosine, share);
    about_z(q, cosine, share * about_axis);
    return q;
}

// All others: turns about one axis after the other.
FN Quat tumbled(const Rotor &r, Quat q, Vec3 momentum, double dt) {
    Vec3 l = undo(turn_of(q), momentum);
    Vec3 rate = r.by_moments * (0.5 * dt);
    double c, s;
    turn_by(0.5 * rate.x * l.x, c, s);
    about_x(q, c, s), back_x(l, c, s);
    turn_by(0.5 * rate.y * l.y, c, s);
    about_y(q, c, s), back_y(l, c, s);
    turn_by(rate.z * l.z, c, s);
    about_z(q, c, s), back_z(l, c, s);
    turn_by(0.5 * rate.y * l.y, c, s);
    about_y(q, c, s), back_y(l, c, s);
    turn_by(0.5 * rate.x * l.x, c, s);
    about_x(q, c, s);
    return q;
}

// Orientations after free turning, of the body and of its principal axes.
FN Quat turned(const Rotor &r, Quat rotation, Vec3 momentum, double dt, Quat &principal) {
    Quat q = principal_axes(r, rotation);
    principal = renormalized(is_symmetric(r) ? precessed(r, q, momentum, dt) : tumbled(r, q, momentum, dt));
    if (is_own(r)) return principal;
    return renormalized(times(principal, Quat{-r.axes.x, -r.axes.y, -r.axes.z, r.axes.w}));
}

// How far a point at unit distance moved.
FN double chord(Quat before, Quat after) {
    Quat q = times(Quat{-before.x, -before.y, -before.z, before.w}, after);
    return 2.0 * length(vec(q.x, q.y, q.z));
}

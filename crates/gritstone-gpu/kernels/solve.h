// Narrow phase of spheres, ellipsoids and half-spaces: as `gritstone_contact::space::lanes`, operation by operation.
#pragma once

#include "layout.h"

#define CERTIFICATE 1e-9
#define SLACK 1e-3
#define EXTRAPOLATED_STEP 1e-3
#define EVALUATIONS 4

// A body as contacts see it.
struct Body {
    Vec3 position, velocity, spin;
    Quat rotation;
    double mass, radius;
    unsigned shape, material;
};

FN Body load_body(const double *RESTRICT records, unsigned slot) {
    const double *r = records + (size_t)BODY * slot;
    return Body{vec(r + POSITION), vec(r + VELOCITY), vec(r + SPIN), quat(r + ROTATION),
                r[MASS],           r[RADIUS],         shape_of(r),   material_of(r)};
}

struct Found {
    Vec3 normal;
    double gap;
    double lower;
    Vec3 direction;
    Vec3 point;
    // Hessians of the support functions across the direction.
    Sym2 radii_a, radii_b;
    double size;
    bool certified;
    // Of boxes: the bodies' points in their frames.
    Vec3 point_a, point_b;
};

// Allowed width between the bounds of overlaps of depth −g.
FN double allowed_width(double g, double size) { return larger(-SLACK * g, CERTIFICATE * size); }

// R diag(squares) Rᵀ
FN Sym3 tensor(Quat rotation, const double *RESTRICT squares) {
    double a = squares[0], b = squares[1], c = squares[2];
    Turn turn = turn_of(rotation);
    if (a <= b && b <= a) {
        Vec3 axis = turn.c, along = axis * (c - a);
        return Sym3{fma(along.x, axis.x, a), fma(along.y, axis.y, a), fma(along.z, axis.z, a),
                    along.x * axis.y,        along.x * axis.z,        along.y * axis.z};
    }
    Vec3 u = turn.a, v = turn.b, w = turn.c;
    Vec3 p = u * a, q = v * b, r = w * c;
    return Sym3{fma(p.x, u.x, fma(q.x, v.x, r.x * w.x)), fma(p.y, u.y, fma(q.y, v.y, r.y * w.y)),
                fma(p.z, u.z, fma(q.z, v.z, r.z * w.z)), fma(p.x, u.y, fma(q.x, v.y, r.x * w.y)),
                fma(p.x, u.z, fma(q.x, v.z, r.x * w.z)), fma(p.y, u.z, fma(q.y, v.z, r.y * w.z))};
}

FN Vec3 inward_normal(const Body &half_space, const double *RESTRICT shape) {
    return -renormalized(apply(turn_of(half_space.rotation), vec(shape)));
}

FN Found solve_spheres(const Body &a, const Body &b, const double *RESTRICT shape_a, const double *RESTRICT shape_b) {
    double r_a = shape_a[4], r_b = shape_b[4];
    Vec3 line = b.position - a.position;
    double distance = length(line);
    Found found;
    found.normal = found.direction = line * (1.0 / distance);
    found.gap = found.lower = distance - (r_a + r_b);
    found.point = mul_add(found.normal, fma(0.5, found.gap, r_a), a.position);
    found.size = smaller(r_a, r_b);
    found.certified = 0.0 < distance;
    return found;
}

FN Found solve_sphere_on_half_space(const Body &a, const Body &b, const double *RESTRICT shape_a,
                                    const double *RESTRICT shape_b) {
    double r = shape_a[4];
    Found found;
    found.normal = found.direction = inward_normal(b, shape_b);
    found.gap = found.lower = (dot(found.normal, b.position - a.position) - shape_b[3]) - r;
    found.point = mul_add(found.normal, fma(0.5, found.gap, r), a.position);
    found.size = r;
    found.certified = true;
    return found;
}

FN Found solve_ellipsoid_on_half_space(const Body &a, const Body &b, const double *RESTRICT shape_a,
                                       const double *RESTRICT shape_b) {
    Sym3 t = tensor(a.rotation, shape_a);
    Found found;
    found.normal = found.direction = inward_normal(b, shape_b);
    Vec3 along = apply(t, found.normal);
    double h = sqrt(dot(found.normal, along));
    Vec3 lowest = along * (1.0 / h);
    found.gap = found.lower = (dot(found.normal, b.position - a.position) - shape_b[3]) - h;
    found.point = a.position + mul_add(found.normal, 0.5 * found.gap, lowest);
    found.size = shape_a[4];
    found.certified = true;
    return found;
}

// Two ellipsoids, evaluated in a direction c: g, d across c, support points, Hessians, Newton's step and its square.
struct Jet {
    Vec3 c;
    double g;
    Vec3 d_t, x_a, x_b;
    Sym3 h_a, h_b;
    Vec3 s;
    double squared;
};

FN Jet evaluate(const Sym3 &t_a, const Sym3 &t_b, Vec3 offset, Vec3 c) {
    Jet jet;
    jet.c = c;
    Vec3 a_c = apply(t_a, c), b_c = apply(t_b, c);
    double h_a = sqrt(dot(c, a_c)), h_b = sqrt(dot(c, b_c));
    double by_both = 1.0 / (h_a * h_b);
    double by_a = h_b * by_both, by_b = h_a * by_both;
    jet.x_a = a_c * by_a;
    jet.x_b = -(b_c * by_b);
    Vec3 d = offset + (jet.x_b - jet.x_a);
    jet.g = dot(c, d);
    jet.d_t = mul_add(c, -jet.g, d);
    jet.h_a = scaled(minus_square(t_a, jet.x_a), by_a);
    jet.h_b = scaled(minus_square(t_b, jet.x_b), by_b);
    Sym3 m = jet.h_a + jet.h_b;
    double sum = trace(m);
    double det = fma(jet.g, sum + jet.g, second_invariant(m));
    bool definite = 0.0 < det && 0.0 < sum + jet.g + jet.g;
    Vec3 newton = (jet.d_t * (sum + jet.g) - apply(m, jet.d_t)) * (1.0 / det);
    jet.s = newton * (definite ? 1.0 : 0.0);
    jet.squared = definite ? dot(jet.s, jet.s) : INFINITY;
    return jet;
}

// Whether the step is short enough, and the bounds agree.
FN bool is_done(const Jet &jet, double rolling, double size) {
    double inside = jet.g + rolling;
    double width = allowed_width(jet.g, size);
    return 0.0 < inside && dot(jet.d_t, jet.d_t) <= width * (inside + inside + width) &&
           jet.squared <= EXTRAPOLATED_STEP * EXTRAPOLATED_STEP;
}

FN Found solve_ellipsoids(const Body &a, const Body &b, const double *RESTRICT shape_a, const double *RESTRICT shape_b,
                          Vec3 start, bool wants_radii) {
    double rolling = shape_a[3] + shape_b[3];
    Sym3 t_a = tensor(a.rotation, shape_a), t_b = tensor(b.rotation, shape_b);
    Vec3 offset = b.position - a.position;
    Found found;
    found.size = smaller(shape_a[4], shape_b[4]);
    Jet jet = evaluate(t_a, t_b, offset, start);
    found.certified = is_done(jet, rolling, found.size);
    for (int i = 1; i < EVALUATIONS && !found.certified; ++i) {
        Vec3 c = jet.c + jet.s;
        jet = evaluate(t_a, t_b, offset, c * (1.0 / length(c)));
        found.certified = is_done(jet, rolling, found.size);
    }
    double stretch = fma(jet.squared, mul_sub(jet.squared, 0.375, 0.5), 1.0);
    double value = fma(0.5 * jet.squared, jet.g, fma(0.5, dot(jet.d_t, jet.s), jet.g));
    Vec3 x_a = a.position + (jet.x_a + apply(jet.h_a, jet.s));
    Vec3 x_b = b.position + (jet.x_b - apply(jet.h_b, jet.s));
    if (wants_radii) {
        Vec3 u, v;
        tangents(jet.c, u, v);
        found.radii_a = restrict_to(jet.h_a, u, v);
        found.radii_b = restrict_to(jet.h_b, u, v);
    }
    found.normal = (jet.c + jet.s) * stretch;
    found.gap = value * stretch;
    found.lower = jet.g;
    found.direction = jet.c;
    found.point = (x_a + x_b) * 0.5;
    return found;
}

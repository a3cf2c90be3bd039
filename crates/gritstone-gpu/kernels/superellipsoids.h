// Superellipsoids on each other and on half-spaces: as `gritstone_contact::space::lanes::superellipsoids`, operation by operation.
#pragma once

#include "solve.h"
#include "superellipsoid.h"

#define POWER_EVALUATIONS 5
#define LARGEST_TURN 0.2
#define LARGEST_POWER_CHANGE 0.5
#define GAP_ERROR 1e-4
#define SHORT_STEP 4.0
#define LARGEST_BALL 0.05
#define BALL_MARGIN 1.05

struct PowerPair {
    PowerShape a, b;
    Turn turn_a, turn_b;
    Vec3 offset;
    double rolling, size;
};

// A pair of superellipsoids, evaluated in a direction.
struct PowerJet {
    Vec3 c;
    double g, d_u, d_v;
    Vec3 x_a, x_b;
    Sym2 h_a, h_b;
    // Newton's step, zero where there is none.
    double s_u, s_v, squared;
    double gap;
    bool done;
};

// Radius of a ball inside one body, touching its support point, with which the bounds agree within `width`.
FN double ball_radius(double g, double across, double width) {
    double depth = larger(-g, 0.0), gap = larger(g, 0.0);
    return BALL_MARGIN * (0.5 * across / width + depth) - gap;
}

FN double ball_bound(double g, double across, double radii) {
    double inside = g + radii;
    return sqrt(fma(inside, inside, across)) - radii;
}

// The gap where the step leads, with the third derivative where that counts; whether it is known well enough.
FN bool extrapolate(const PowerPair &pair, const SupportJet &jet_a, const SupportJet &jet_b, PowerJet &jet, bool definite, Vec3 along) {
    double slope = fma(jet.d_u, jet.s_u, jet.d_v * jet.s_v);
    double allowed = larger(-GAP_ERROR * jet.g, CERTIFICATE * pair.size);
    Vec3 along_a = undo(pair.turn_a, along), along_b = undo(pair.turn_b, -along);
    double turn = sqrt(jet.squared);
    double change = larger(larger(relative_change(jet_a, along_a), relative_change(jet_b, along_b)), turn);
    bool is_short = SHORT_STEP * fabs(slope) * change <= allowed;
    double third = 0.0, error = 0.0;
    if (definite && !is_short) {
        third = (third_derivative(pair.a, jet_a, along_a) + third_derivative(pair.b, jet_b, along_b)) * (-1.0 / 6.0);
        error = 2.0 * fabs(third) * change;
    }
    double value = fma(0.5 * jet.squared, jet.g, fma(0.5, slope, jet.g)) + third;
    jet.gap = value / sqrt(1.0 + jet.squared);
    return definite && turn <= LARGEST_TURN && change <= LARGEST_POWER_CHANGE && error <= allowed;
}

FN PowerJet evaluate(const PowerPair &pair, Vec3 c) {
    PowerJet jet;
    Vec3 u, v;
    tangents(c, u, v);
    SupportJet jet_a = support_jet(pair.a, undo(pair.turn_a, c)), jet_b = support_jet(pair.b, undo(pair.turn_b, -c));
    jet.c = c;
    jet.h_a = hessian_on(jet_a, undo(pair.turn_a, u), undo(pair.turn_a, v));
    jet.h_b = hessian_on(jet_b, undo(pair.turn_b, u), undo(pair.turn_b, v));
    jet.x_a = apply(pair.turn_a, jet_a.point);
    jet.x_b = apply(pair.turn_b, jet_b.point);
    Vec3 d = pair.offset + (jet.x_b - jet.x_a);
    jet.g = dot(c, d);
    jet.d_u = dot(u, d);
    jet.d_v = dot(v, d);
    Sym2 model = plus_scalar(jet.h_a + jet.h_b, jet.g);
    double det = determinant(model);
    bool definite = 0.0 < det && 0.0 < trace(model);
    double by = definite ? 1.0 / det : 0.0;
    jet.s_u = mul_sub(model.yy, jet.d_u, model.xy * jet.d_v) * by;
    jet.s_v = mul_sub(model.xx, jet.d_v, model.xy * jet.d_u) * by;
    jet.squared = fma(jet.s_u, jet.s_u, jet.s_v * jet.s_v);
    bool known = extrapolate(pair, jet_a, jet_b, jet, definite, mul_add(u, jet.s_u, v * jet.s_v));
    double across = fma(jet.d_u, jet.d_u, jet.d_v * jet.d_v);
    double inside = jet.g + pair.rolling, upper = sqrt(fma(inside, inside, across)) - pair.rolling;
    double width = allowed_width(jet.g, pair.size);
    bool proven = 0.0 < inside && upper - jet.g <= width;
    bool is_small = ball_radius(jet.g, across, width) <= LARGEST_BALL * pair.size;
    jet.done = known && (proven || (pair.rolling <= 0.0 && is_small));
    return jet;
}

// Whether the bounds agree, if need be with balls that are looked for at the contact point.
FN bool is_certified(const PowerPair &pair, const PowerJet &jet) {
    double across = fma(jet.d_u, jet.d_u, jet.d_v * jet.d_v), width = allowed_width(jet.g, pair.size);
    double upper = ball_bound(jet.g, across, pair.rolling);
    if (jet.done && width < upper - jet.g) {
        double radius = ball_radius(jet.g, across, width);
        double ball_a = nested_ball(pair.a, undo(pair.turn_a, jet.c), undo(pair.turn_a, jet.x_a), radius);
        double ball_b = nested_ball(pair.b, undo(pair.turn_b, -jet.c), undo(pair.turn_b, jet.x_b), radius);
        upper = smaller(upper, ball_bound(jet.g, across, ball_a + ball_b));
    }
    return jet.done && upper - jet.g <= width;
}

// Where the step takes both points, from the bodies' centres.
FN void stepped_points(const PowerJet &jet, Vec3 u, Vec3 v, Vec3 centre_a, Vec3 centre_b, Vec3 &x_a, Vec3 &x_b) {
    double a_u = fma(jet.h_a.xx, jet.s_u, jet.h_a.xy * jet.s_v), a_v = fma(jet.h_a.xy, jet.s_u, jet.h_a.yy * jet.s_v);
    double b_u = fma(jet.h_b.xx, jet.s_u, jet.h_b.xy * jet.s_v), b_v = fma(jet.h_b.xy, jet.s_u, jet.h_b.yy * jet.s_v);
    x_a = centre_a + (jet.x_a + mul_add(u, a_u, v * a_v));
    x_b = centre_b + (jet.x_b - mul_add(u, b_u, v * b_v));
}

// A better direction: the normal where the flatter body's point goes.
FN Vec3 next_direction(const PowerPair &pair, const PowerJet &jet) {
    Vec3 u, v;
    tangents(jet.c, u, v);
    double a_u = fma(jet.h_a.xx, jet.s_u, jet.h_a.xy * jet.s_v), a_v = fma(jet.h_a.xy, jet.s_u, jet.h_a.yy * jet.s_v);
    double b_u = fma(jet.h_b.xx, jet.s_u, jet.h_b.xy * jet.s_v), b_v = fma(jet.h_b.xy, jet.s_u, jet.h_b.yy * jet.s_v);
    Vec3 c;
    if (trace(jet.h_b) <= trace(jet.h_a)) {
        Vec3 x_a = jet.x_a + mul_add(u, a_u, v * a_v);
        c = apply(pair.turn_a, normal_at(pair.a, undo(pair.turn_a, x_a)));
    } else {
        Vec3 x_b = jet.x_b - mul_add(u, b_u, v * b_v);
        c = -apply(pair.turn_b, normal_at(pair.b, undo(pair.turn_b, x_b)));
    }
    return c * (1.0 / length(c));
}

FN Found solve_superellipsoids(const Body &a, const Body &b, const double *RESTRICT shape_a, const double *RESTRICT shape_b,
                               Vec3 start) {
    PowerPair pair{power_shape(shape_a), power_shape(shape_b), turn_of(a.rotation), turn_of(b.rotation), b.position - a.position,
                   shape_a[3] + shape_b[3], smaller(shape_a[4], shape_b[4])};
    PowerJet jet = evaluate(pair, start);
    for (int i = 1; i < POWER_EVALUATIONS && !jet.done; ++i) jet = evaluate(pair, next_direction(pair, jet));
    Vec3 u, v, x_a, x_b;
    tangents(jet.c, u, v);
    stepped_points(jet, u, v, a.position, b.position, x_a, x_b);
    Found found;
    found.certified = is_certified(pair, jet);
    found.normal = (jet.c + mul_add(u, jet.s_u, v * jet.s_v)) * (1.0 / sqrt(1.0 + jet.squared));
    found.gap = jet.gap;
    found.lower = jet.g;
    found.direction = jet.c;
    found.point = (x_a + x_b) * 0.5;
    found.radii_a = jet.h_a;
    found.radii_b = jet.h_b;
    found.size = pair.size;
    return found;
}

FN Found solve_superellipsoid_on_half_space(const Body &a, const Body &b, const double *RESTRICT shape_a,
                                            const double *RESTRICT shape_b) {
    Turn turn = turn_of(a.rotation);
    Found found;
    found.normal = found.direction = inward_normal(b, shape_b);
    SupportJet jet = support_jet(power_shape(shape_a), undo(turn, found.normal));
    Vec3 lowest = apply(turn, jet.point), u, v;
    found.gap = found.lower = (dot(found.normal, b.position - a.position) - shape_b[3]) - dot(found.normal, lowest);
    found.point = a.position + mul_add(found.normal, 0.5 * found.gap, lowest);
    tangents(found.normal, u, v);
    found.radii_a = hessian_on(jet, undo(turn, u), undo(turn, v));
    found.radii_b = Sym2{0.0, 0.0, 0.0};
    found.size = shape_a[4];
    found.certified = true;
    return found;
}

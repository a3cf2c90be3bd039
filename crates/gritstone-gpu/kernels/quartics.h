// Boxes with round edges on each other: as `gritstone_contact::space::lanes::quartic`, operation by operation.
#pragma once

#include "solve.h"

#define QUARTIC_STEPS 4
#define LONGEST_MOVE 0.1
#define OFF_SURFACE 1e-13
#define OPPOSITE 1e-6
#define FLATTEST 1e-9

// One body of a pair.
struct Box {
    Turn turn;
    Vec3 by_radii;
    double rolling, size;
};

// A point of a body, and its surface there: point in the frame of the body; lever from its centre and outward normal in the world.
struct Spot {
    Vec3 point, lever, normal;
    double height, off;
    // The derivative of the normal, in the frame of the body.
    Vec3 bend;
};

struct BoxPair {
    Box a, b;
    Vec3 offset;
    double size;
};

struct SpotPair {
    Spot a, b;
    // From a's point to b's.
    Vec3 d;
};

FN Box box_of(const Body &body, const double *RESTRICT shape) {
    return Box{turn_of(body.rotation), vec(shape + 11), shape[3], shape[4]};
}

FN Spot spot_at(const Box &box, Vec3 point) {
    Vec3 s = scaled(point, box.by_radii), squares = scaled(s, s);
    double value = dot(squares, squares);
    Vec3 gradient = scaled(scaled(squares, s), box.by_radii);
    double by_length = 1.0 / length(gradient);
    Spot spot;
    spot.point = point;
    spot.bend = scaled(squares, scaled(box.by_radii, box.by_radii)) * (3.0 * by_length);
    spot.lever = apply(box.turn, point);
    spot.normal = apply(box.turn, gradient * by_length);
    spot.height = by_length;
    spot.off = fabs(value - 1.0);
    return spot;
}

// The point that this one becomes when it moves by `step` and is pulled back to the surface.
FN Vec3 moved(const Box &box, Vec3 from, Vec3 step) {
    Vec3 point = from + step, s = scaled(point, box.by_radii), squares = scaled(s, s);
    double x = dot(squares, squares) - 1.0;
    double series = mul_sub(x, -15.0 / 128.0, -5.0 / 32.0);
    return point * fma(x, fma(x, series, -0.25), 1.0);
}

// The derivative of the normal on the plane of two vectors.
FN Sym2 bend_on(const Spot &spot, Vec3 u, Vec3 v) {
    Vec3 u_bent = scaled(spot.bend, u), v_bent = scaled(spot.bend, v);
    return Sym2{dot(u, u_bent), dot(v, v_bent), dot(u, v_bent)};
}

FN SpotPair spots_at(const BoxPair &pair, Vec3 point_a, Vec3 point_b) {
    SpotPair spots{spot_at(pair.a, point_a), spot_at(pair.b, point_b), zero3()};
    spots.d = pair.offset + (spots.b.lever - spots.a.lever);
    return spots;
}

FN double within(double x, double bound) { return larger(smaller(x, bound), -bound); }

// Newton's step.
FN SpotPair step_spots(const BoxPair &pair, const SpotPair &spots) {
    Vec3 c = spots.a.normal, u, v;
    tangents(c, u, v);
    Vec3 u_a = undo(pair.a.turn, u), v_a = undo(pair.a.turn, v), u_b = undo(pair.b.turn, u), v_b = undo(pair.b.turn, v);
    Sym2 w_a = bend_on(spots.a, u_a, v_a), w_b = bend_on(spots.b, u_b, v_b);
    double g = dot(c, spots.d), d_u = dot(u, spots.d), d_v = dot(v, spots.d);
    double m_u = dot(u, spots.b.normal), m_v = dot(v, spots.b.normal);
    // W_a + W_b + g W_b W_a
    double xx = fma(g, fma(w_b.xx, w_a.xx, w_b.xy * w_a.xy), w_a.xx + w_b.xx);
    double yy = fma(g, fma(w_b.xy, w_a.xy, w_b.yy * w_a.yy), w_a.yy + w_b.yy);
    double sum = w_a.xy + w_b.xy;
    double xy = fma(g, fma(w_b.xx, w_a.xy, w_b.xy * w_a.yy), sum);
    double yx = fma(g, fma(w_b.xy, w_a.xx, w_b.yy * w_a.xy), sum);
    double right_u = fma(w_b.xx, d_u, w_b.xy * d_v) - m_u, right_v = fma(w_b.xy, d_u, w_b.yy * d_v) - m_v;
    double det = mul_sub(xx, yy, xy * yx), by = 0.0 < det ? 1.0 / det : 0.0, longest = LONGEST_MOVE * pair.size;
    double a_u = within(mul_sub(yy, right_u, xy * right_v) * by, longest);
    double a_v = within(mul_sub(xx, right_v, yx * right_u) * by, longest);
    double turned_u = fma(w_a.xx, a_u, w_a.xy * a_v), turned_v = fma(w_a.xy, a_u, w_a.yy * a_v);
    double b_u = within(fma(g, turned_u, a_u) - d_u, longest);
    double b_v = within(fma(g, turned_v, a_v) - d_v, longest);
    return spots_at(pair, moved(pair.a, spots.a.point, mul_add(u_a, a_u, v_a * a_v)),
                    moved(pair.b, spots.b.point, mul_add(u_b, b_u, v_b * b_v)));
}

FN void judge(const BoxPair &pair, const SpotPair &spots, Found &found) {
    const Spot &a = spots.a, &b = spots.b;
    Vec3 sum = a.normal + b.normal;
    double squared = dot(sum, sum);
    found.normal = found.direction = renormalized((a.normal - b.normal) * 0.5);
    found.gap = dot(found.normal, spots.d);
    double doubt = sqrt(squared) * (pair.a.size + pair.b.size) * 0.501;
    found.lower = dot(found.normal, pair.offset) - (a.height + b.height) - doubt;
    Vec3 between = spots.d + (a.normal * pair.a.rolling - b.normal * pair.b.rolling);
    double rolling = pair.a.rolling + pair.b.rolling, upper = length(between) - rolling;
    found.certified = squared <= OPPOSITE && a.off + b.off <= OFF_SURFACE && 0.0 < found.lower + rolling &&
                      upper - found.lower <= allowed_width(found.gap, pair.size);
}

FN Sym2 inverse(Sym2 m) {
    double by = 1.0 / determinant(m);
    return Sym2{m.yy * by, m.xx * by, -(m.xy * by)};
}

FN Found solve_quartics(const Body &a, const Body &b, const double *RESTRICT shape_a, const double *RESTRICT shape_b, Vec3 point_a,
                        Vec3 point_b) {
    BoxPair pair{box_of(a, shape_a), box_of(b, shape_b), b.position - a.position, smaller(shape_a[4], shape_b[4])};
    Found found;
    SpotPair spots = step_spots(pair, spots_at(pair, point_a, point_b));
    judge(pair, spots, found);
    for (int i = 1; i < QUARTIC_STEPS && !found.certified; ++i) {
        spots = step_spots(pair, spots);
        judge(pair, spots, found);
    }
    Vec3 u, v;
    tangents(found.normal, u, v);
    Sym2 w_a = bend_on(spots.a, undo(pair.a.turn, u), undo(pair.a.turn, v));
    Sym2 w_b = bend_on(spots.b, undo(pair.b.turn, u), undo(pair.b.turn, v));
    double least = FLATTEST / pair.size;
    found.radii_a = inverse(plus_scalar(w_a, least));
    found.radii_b = inverse(plus_scalar(w_b, least));
    found.point = a.position + (spots.a.lever + spots.d * 0.5);
    found.size = pair.size;
    found.point_a = spots.a.point;
    found.point_b = spots.b.point;
    return found;
}

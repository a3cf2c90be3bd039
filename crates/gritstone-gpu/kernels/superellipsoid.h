// Support function of superellipsoids: as `gritstone_contact::space::lanes::superellipsoid_support` and `nested_ball`, operation by
// operation.
#pragma once

#include "power.h"

#define LEAST_COMPONENT 1e-150
#define LEAST_RATIO 1e-300

// A power norm: p − 1, 1/p − 1, largest v/w that second derivatives see.
struct Norm {
    double power, fall, steepest;
};

struct NormJet {
    double value, rho, gradient_a, gradient_b, across_a, across_b, scaled_second, scaled_first, t, by_m, by_l;
};

FN NormJet norm_jet(const Norm &norm, double a, double b) {
    bool a_is_larger = b <= a;
    double m = larger(a, b), l = smaller(a, b);
    double by_both = 1.0 / (m * l), by_m = l * by_both, by_l = m * by_both;
    double w = larger(l * by_m, LEAST_RATIO);
    double v = pow_fraction(w, norm.power), t = v * w, k = pow_one_plus(t, norm.fall);
    double rho = fma(k, t, k), bend = smaller(v * (m * by_l), norm.steepest), small = k * v;
    NormJet jet;
    jet.value = m * rho;
    jet.rho = rho;
    jet.gradient_a = a_is_larger ? k : small;
    jet.gradient_b = a_is_larger ? small : k;
    jet.across_a = a_is_larger ? -w : 1.0;
    jet.across_b = a_is_larger ? 1.0 : -w;
    jet.scaled_second = (norm.power * bend) * (k * k);
    jet.scaled_first = k * (a_is_larger ? 1.0 : bend);
    jet.t = t;
    jet.by_m = by_m;
    jet.by_l = by_l;
    return jet;
}

// ∇³N / ∇²N along a change of (a, b).
FN double norm_skew(const Norm &norm, const NormJet &jet, double a, double b) {
    double x = fma(jet.across_a, a, jet.across_b * b);
    double stretch = (jet.across_a < jet.across_b ? a : b) * jet.by_m;
    double change = x * jet.by_l;
    double bend = neg_mul_add(norm.power + norm.power + 1.0, jet.t / (1.0 + jet.t), norm.power - 1.0);
    return fma(bend, change, -3.0 * stretch);
}

// The norm whose exponent is conjugate.
FN Norm dual(const Norm &norm) { return Norm{1.0 / norm.power, -1.0 / (1.0 + norm.power), norm.steepest}; }

FN double norm_gradient(const Norm &norm, double a, double b, double &by_a, double &by_b) {
    bool a_is_larger = b <= a;
    double m = larger(a, b), l = smaller(a, b);
    double w = larger(l / m, LEAST_RATIO);
    double v = pow_fraction(w, norm.power), t = v * w, k = pow_one_plus(t, norm.fall), small = k * v;
    by_a = a_is_larger ? k : small;
    by_b = a_is_larger ? small : k;
    return m * fma(k, t, k);
}

struct PowerShape {
    Vec3 radii;
    Norm inner, outer;
};

// From the rows of superellipsoids.
FN PowerShape power_shape(const double *RESTRICT n) {
    return PowerShape{vec(n), Norm{n[5], n[6], n[7]}, Norm{n[8], n[9], n[10]}};
}

struct SupportJet {
    Vec3 point, signed_radii;
    NormJet inner, outer;
    double along_weight, around_weight;
};

FN SupportJet support_jet(const PowerShape &shape, Vec3 n) {
    Vec3 r = shape.radii, most = vec(larger(fabs(n.x), LEAST_COMPONENT), larger(fabs(n.y), LEAST_COMPONENT),
                                     larger(fabs(n.z), LEAST_COMPONENT));
    Vec3 u = scaled(r, most);
    SupportJet jet;
    jet.signed_radii = vec(copysign(r.x, n.x), copysign(r.y, n.y), copysign(r.z, n.z));
    jet.inner = norm_jet(shape.inner, u.x, u.y);
    jet.outer = norm_jet(shape.outer, jet.inner.value, u.z);
    double h_s = jet.outer.gradient_a, inverse = 1.0 / jet.outer.value;
    jet.point = scaled(jet.signed_radii, vec(h_s * jet.inner.gradient_a, h_s * jet.inner.gradient_b, jet.outer.gradient_b));
    jet.along_weight = jet.outer.scaled_second * inverse;
    jet.around_weight = (jet.outer.scaled_first * jet.outer.rho) * (inverse * jet.inner.scaled_second);
    return jet;
}

// m + k·x xᵀ
FN Sym2 plus_outer(Sym2 m, double k, double x, double y) {
    double kx = k * x, ky = k * y;
    return Sym2{fma(kx, x, m.xx), fma(ky, y, m.yy), fma(kx, y, m.xy)};
}

// The Hessian on the plane of u and v.
FN Sym2 hessian_on(const SupportJet &jet, Vec3 u, Vec3 v) {
    Vec3 a = jet.signed_radii;
    double across_s = jet.outer.across_a;
    Vec3 along = scaled(a, vec(across_s * jet.inner.gradient_a, across_s * jet.inner.gradient_b, jet.outer.across_b));
    double x = a.x * jet.inner.across_a, y = a.y * jet.inner.across_b;
    Sym2 sum = plus_outer(Sym2{0.0, 0.0, 0.0}, jet.along_weight, dot(u, along), dot(v, along));
    return plus_outer(sum, jet.around_weight, fma(u.x, x, u.y * y), fma(v.x, x, v.y * y));
}

// The largest relative change that s makes to what the derivatives depend on.
FN double relative_change(const SupportJet &jet, Vec3 s) {
    Vec3 u = scaled(jet.signed_radii, s);
    double x_1 = fma(jet.inner.across_a, u.x, jet.inner.across_b * u.y);
    double sigma = fma(jet.inner.gradient_a, u.x, jet.inner.gradient_b * u.y);
    double x_2 = fma(jet.outer.across_a, sigma, jet.outer.across_b * u.z);
    return larger(fabs(x_1 * jet.inner.by_l), fabs(x_2 * jet.outer.by_l));
}

// The third derivative along s.
FN double third_derivative(const PowerShape &shape, const SupportJet &jet, Vec3 s) {
    Vec3 u = scaled(jet.signed_radii, s);
    double x_1 = fma(jet.inner.across_a, u.x, jet.inner.across_b * u.y);
    double sigma = fma(jet.inner.gradient_a, u.x, jet.inner.gradient_b * u.y);
    double x_2 = fma(jet.outer.across_a, sigma, jet.outer.across_b * u.z);
    double inner_skew = norm_skew(shape.inner, jet.inner, u.x, u.y);
    double outer_skew = norm_skew(shape.outer, jet.outer, sigma, u.z);
    double bend = 3.0 * jet.along_weight * jet.outer.across_a * x_2 / jet.outer.gradient_a;
    double around = (jet.around_weight * x_1) * x_1 * (inner_skew + bend);
    return fma(jet.along_weight * x_2, x_2 * outer_skew, around);
}

// A vector along the outward normal of the scaled body on whose surface x lies.
FN Vec3 normal_at(const PowerShape &shape, Vec3 x) {
    Vec3 r = shape.radii, inverse = vec(1.0 / r.x, 1.0 / r.y, 1.0 / r.z);
    Vec3 u = scaled(vec(fabs(x.x), fabs(x.y), fabs(x.z)), inverse);
    u = vec(larger(u.x, LEAST_COMPONENT), larger(u.y, LEAST_COMPONENT), larger(u.z, LEAST_COMPONENT));
    double s_1, s_2, h_s, h_3;
    double sigma = norm_gradient(dual(shape.inner), u.x, u.y, s_1, s_2);
    norm_gradient(dual(shape.outer), sigma, u.z, h_s, h_3);
    Vec3 n = scaled(inverse, vec(h_s * s_1, h_s * s_2, h_3));
    return vec(copysign(n.x, x.x), copysign(n.y, x.y), copysign(n.z, x.z));
}

FN double power_norm(double p, double a, double b) {
    double m = larger(a, b), l = smaller(a, b);
    double ratio = 0.0 < m ? l / m : 0.0;
    return m * pow_of(1.0 + pow_of(ratio, p), 1.0 / p);
}

// The largest second derivative of the power norm of two numbers in a range, times the norm.
FN double largest_second(double p, double low_a, double low_b, double high_a, double high_b) {
    double least = smaller(smaller(low_a / high_b, low_b / high_a), 1.0);
    double most = smaller(smaller(high_a / low_b, high_b / low_a), 1.0);
    bool is_flat = 2.0 <= p;
    double power = pow_of(is_flat ? most : least, fabs(p - 2.0));
    return (p - 1.0) * (is_flat ? smaller(2.0 * power, 1.0) : 2.0 / power);
}

// The radius `wanted` where a ball of that radius is known to be inside which touches the surface at x, with the unit normal n; else zero.
FN double nested_ball(const PowerShape &shape, Vec3 n, Vec3 x, double wanted) {
    Vec3 r = shape.radii;
    double p = (1.0 + shape.inner.power) / shape.inner.power, q = (1.0 + shape.outer.power) / shape.outer.power;
    double smallest = smaller(smaller(r.x, r.y), r.z);
    Vec3 middle = x - n * wanted;
    double mx = fabs(middle.x), my = fabs(middle.y), mz = fabs(middle.z);
    Vec3 low = vec(larger((mx - wanted) / r.x, 0.0), larger((my - wanted) / r.y, 0.0), larger((mz - wanted) / r.z, 0.0));
    Vec3 high = vec((mx + wanted) / r.x, (my + wanted) / r.y, (mz + wanted) / r.z);
    double sigma_low = power_norm(p, low.x, low.y), sigma_high = power_norm(p, high.x, high.y);
    double lowest = power_norm(q, sigma_low, low.z);
    double widest = 2.0 <= p ? 1.0 : 2.0;
    double outer = largest_second(q, sigma_low, low.z, sigma_high, high.z) / lowest;
    bool is_steep = 2.0 <= q;
    double rise = pow_of(is_steep ? sigma_high : sigma_low, fabs(q - 2.0));
    if (!is_steep) rise = 1.0 / rise;
    double inner = largest_second(p, low.x, low.y, high.x, high.y) * rise / pow_of(lowest, q - 1.0);
    double bend = fma(widest, outer, inner) / (smallest * smallest);
    return wanted * dot(n, x) * bend <= 1.0 ? wanted : 0.0;
}

// The support point along a unit vector of the world, in the frame of the body.
FN Vec3 support_in_body(const double *RESTRICT shape, Quat rotation, Vec3 direction) {
    return support_jet(power_shape(shape), undo(turn_of(rotation), direction)).point;
}

// Contact laws and the effective radius: as `gritstone_force::law`, `slider` and `radius`, operation by operation.
#pragma once

#include "narrow.h"
#include "turning.h"

#define LARGEST_DAMPING 0.25
#define ACROSS 3.5
#define HERTZ_ENERGY 0.4
#define STEEPEST 2.0
#define LEAST_POSITIVE 2.2250738585072014e-308
#define PI 3.14159265358979323846
#define ROLLING 4.0
#define NARROWEST 1e-13

struct Wrench {
    Vec3 force, torque;
};

FN bool any(const Wrench &w) { return 0.0 < inner(w.force, w.force) + inner(w.torque, w.torque); }

// 1/R of a body at a contact, and how it changes with its outward normal.
struct BodyCurvature {
    double curvature;
    Vec3 slope;
};

FN BodyCurvature body_curvature(double factor, Vec3 outward, Vec3 point) {
    double h = inner(outward, point);
    Vec3 across = point - outward * h;
    double power = factor * h;
    return BodyCurvature{power * h, across * (power * 2.0)};
}

// R*, and minus the slope of ln R* by shifts and turns of b about the contact point.
template <int CLASS>
FN double effective_radius(const Found &found, double cube_a, double cube_b, Vec3 centre_a, Vec3 centre_b, Wrench &gradient) {
    Vec3 normal = found.normal, half_gap = normal * (0.5 * found.gap);
    BodyCurvature a = body_curvature(cube_a, normal, (found.point - half_gap) - centre_a);
    if (turned_bodies(CLASS) == 1) {
        double radius = 1.0 / (a.curvature + 0.0);
        Vec3 turn_a = -(a.slope * radius), turn_b = zero3() * radius;
        gradient = Wrench{zero3(), moment(normal, turn_b - turn_a)};
        return radius;
    }
    BodyCurvature b = body_curvature(cube_b, -normal, (found.point + half_gap) - centre_b);
    double radius = 1.0 / (a.curvature + b.curvature);
    Vec3 turn_a = -(a.slope * radius), turn_b = b.slope * radius;
    // H_a + H_b − δ on the plane across the direction.
    Sym2 model = plus_scalar(found.radii_a + found.radii_b, found.gap);
    double det = determinant(model);
    bool is_maximum = 0.0 < det && 0.0 < trace(model);
    double by = is_maximum ? 1.0 / det : 0.0;
    Vec3 u, v, t = turn_a + turn_b;
    tangents(found.direction, u, v);
    double t_u = dot(u, t) * by, t_v = dot(v, t) * by;
    double y_u = mul_sub(model.yy, t_u, model.xy * t_v), y_v = mul_sub(model.xx, t_v, model.xy * t_u);
    double h_u = fma(found.radii_a.xx, y_u, found.radii_a.xy * y_v);
    double h_v = fma(found.radii_a.xy, y_u, found.radii_a.yy * y_v);
    Vec3 y = mul_add(u, y_u, v * y_v), h_a_y = mul_add(u, h_u, v * h_v);
    double depth = -found.gap, steepness = inner(y, y) * depth * depth;
    if (STEEPEST * STEEPEST < steepness) {
        double share = STEEPEST / sqrt(steepness);
        y = y * share;
        h_a_y = h_a_y * share;
    }
    Vec3 lever = h_a_y - y * (0.5 * depth) - turn_a;
    gradient = Wrench{-y, moment(normal, lever)};
    return radius;
}

// The numbers of one pair of materials: see `Law::from_numbers`.
struct Law {
    double kn, ks, hertz, damping_n, damping_t, friction, published, cohesion;
};

FN Law load_law(const double *RESTRICT laws, unsigned row) {
    const double *n = laws + (size_t)LAW * row;
    return Law{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
}

// What the law remembers.
struct History {
    Vec3 slip;
    double stiffness, normal_force;
};

struct Touch {
    double depth;
    Vec3 normal, velocity, spin, mean_spin;
    double radius;
    Wrench radius_gradient;
    double mass, normal_mass;
};

struct Load {
    Vec3 force, torque;
    double elastic, dissipated;
};

// What a push of one newton does to b.
FN Wrench push_wrench(const Law &law, Vec3 normal, const Wrench &gradient, double depth) {
    if (!any(gradient)) return Wrench{normal, zero3()};
    double lean = 0.0 < law.hertz ? (0.5 * HERTZ_ENERGY) * larger(depth, 0.0) : 0.0;
    return Wrench{normal + gradient.force * lean, gradient.torque * lean};
}

// A tangent vector of the last step in this step's tangent plane.
FN Vec3 transport(Vec3 v, Vec3 normal, Vec3 turn) {
    Vec3 flat = v - normal * inner(normal, v);
    Vec3 turned = flat + moment(turn, flat);
    double before = inner(v, v), after = inner(turned, turned);
    return turned * (0.0 < after ? sqrt(before / after) : 0.0);
}

FN Vec3 cut(Vec3 stretch, double stiffness, double limit) {
    double squared = stiffness * stiffness * inner(stretch, stretch);
    return limit * limit < squared ? stretch * (limit / sqrt(squared)) : stretch;
}

// The largest share of the dashpot with which the limit is kept.
FN double dashpot_share(Vec3 spring, Vec3 dashpot, double limit) {
    double a = inner(dashpot, dashpot), b = inner(spring, dashpot);
    double c = smaller(inner(spring, spring) - limit * limit, 0.0);
    if (a + (b + b) + c <= 0.0) return 1.0;
    double root = sqrt(larger(b * b - a * c, 0.0));
    return 0.0 < b ? -c / (b + root) : (root - b) / a;
}

// What the dashpot does in the first step of a contact, relative to one in which it acts throughout.
FN double first_share(const Law &law, double depth, double advance, double stiffness) {
    if (!(stiffness <= 0.0 && depth < advance && law.published <= 0.0)) return 1.0;
    double since = depth / advance, until = since + 0.5;
    return 0.0 < law.hertz ? 0.8 * until * sqrt(sqrt(until / since)) : until;
}

FN Load act(const Law &law, const Touch &touch, History &history, double dt) {
    double depth = touch.depth, radius = touch.radius;
    bool leans = any(touch.radius_gradient);
    // The normal part.
    double a = 0.0 < law.hertz ? sqrt(radius * depth) : 1.0;
    double secant = law.kn * a, shear = law.ks * a, repulsion = secant * depth;
    double attraction = law.cohesion * PI * radius * depth;
    double cohesion = -0.5 * attraction * depth;
    double energy = (0.0 < law.hertz ? HERTZ_ENERGY : 0.5) * repulsion * depth + cohesion;
    // With its damping.
    Wrench along = push_wrench(law, touch.normal, touch.radius_gradient, depth);
    double approach = -inner(touch.velocity, along.force);
    if (leans) approach = approach - inner(touch.spin, along.torque);
    double mass = touch.normal_mass, half_step = 0.5 * dt / mass;
    double damping = smaller(law.damping_n * sqrt(secant * mass), 0.5 * LARGEST_DAMPING / half_step) *
                     first_share(law, depth, approach * dt, history.stiffness);
    double freely = approach + half_step * (history.normal_force + attraction);
    double push = larger((repulsion + damping * freely) / (1.0 + damping * half_step), 0.0);
    double dissipated = (push - repulsion) * (freely - half_step * push) * dt;
    // Friction.
    double grip = push + 0.0;
    double largest = (LARGEST_DAMPING / ACROSS) * touch.mass / dt;
    double damping_t = smaller(law.damping_t * sqrt(shear * touch.mass), largest);
    double limit = law.friction * grip, before = history.stiffness;
    bool keeps_stretch = 0.0 < law.published;
    history.stiffness = larger(shear, LEAST_POSITIVE);
    Vec3 turn = touch.normal * inner(touch.mean_spin, touch.normal) * dt;
    history.slip = transport(history.slip, touch.normal, turn);
    Vec3 rate = touch.velocity - touch.normal * inner(touch.normal, touch.velocity);
    double stored = 0.5 * before * inner(history.slip, history.slip);
    Vec3 now = history.slip;
    if (before < shear && !keeps_stretch) now = now * (before / shear);
    Vec3 step = rate * (0.5 * dt);
    now = cut(now + step, shear, limit);
    history.slip = cut(now + step, shear, limit);
    Vec3 spring = now * shear;
    Vec3 resistance = spring + rate * (damping_t * dashpot_share(spring, rate * damping_t, limit));
    double work = inner(resistance, rate) * dt;
    double lost = work + (stored - 0.5 * shear * inner(history.slip, history.slip));
    Load load{-resistance, zero3(), 0.5 * inner(spring, now), keeps_stretch ? lost : larger(lost, 0.0)};
    // Together.
    load.force = load.force + (along.force * push - touch.normal * attraction);
    if (leans) {
        load.force = load.force + touch.radius_gradient.force * cohesion;
        load.torque = load.torque + (along.torque * push + touch.radius_gradient.torque * cohesion);
    }
    load.elastic = load.elastic + energy;
    load.dissipated = load.dissipated + dissipated;
    history.normal_force = push - attraction;
    return load;
}

// Relative radii of curvature of two bodies with these: A (A + B)⁻¹ B.
FN Sym2 relative_radii(Sym2 a, Sym2 b) {
    Sym2 sum = a + b;
    double tr = trace(sum), by = 1.0 / larger(determinant(sum), NARROWEST * tr * tr);
    double first_x = mul_sub(sum.yy, b.xx, sum.xy * b.xy), first_y = mul_sub(sum.xx, b.xy, sum.xy * b.xx);
    double second_x = mul_sub(sum.yy, b.xy, sum.xy * b.yy), second_y = mul_sub(sum.xx, b.yy, sum.xy * b.xy);
    double xx = fma(a.xx, first_x, a.xy * first_y), yx = fma(a.xy, first_x, a.yy * first_y);
    double xy = fma(a.xx, second_x, a.xy * second_y), yy = fma(a.xy, second_x, a.yy * second_y);
    return Sym2{xx * by, yy * by, 0.5 * (xy + yx) * by};
}

// Reciprocal of the moment of inertia of a body about an axis through its centre.
FN double turning_about(const double *RESTRICT inertias, const Body &body, Vec3 axis) {
    Rotor rotor = load_rotor(inertias, body.shape);
    return dot(axis, spin_of(rotor, principal_axes(rotor, body.rotation), axis)) / body.mass;
}

// Adds the dashpots against rocking of bodies that are flat where they touch.
template <int CLASS>
FN void rock(const Params &p, const Law &law, const Found &found, const Body &a, const Body &b, Vec3 spin, double normal_force,
             Load &load) {
    Sym2 radii = turned_bodies(CLASS) == 2 ? relative_radii(found.radii_a, found.radii_b) : found.radii_a;
    double mean = 0.5 * trace(radii), lean = 0.5 * (radii.xx - radii.yy);
    double spread = sqrt(fma(lean, lean, radii.xy * radii.xy)), rolling = ROLLING * found.size;
    double beyond[2] = {mean + spread - rolling, mean - spread - rolling};
    if (!(0.0 < beyond[0])) return;
    // The direction of the larger radius, from the row of `radii − smaller` that is the longer one.
    bool upright = lean < 0.0;
    double x = upright ? radii.xy : lean + spread, y = upright ? spread - lean : radii.xy;
    double length = sqrt(fma(x, x, y * y)), by = 0.0 < length ? 1.0 / length : 0.0;
    x = 0.0 < length ? x * by : 1.0;
    Vec3 u, v;
    tangents(found.direction, u, v);
    Vec3 flattest = mul_add(u, x, v * (y * by));
    Vec3 axes[2] = {cross(found.direction, flattest), flattest};
    double force = larger(normal_force, 0.0);
    for (int i = 0; i < 2; ++i) {
        double yields = turning_about(p.inertias, a, axes[i]);
        if (turned_bodies(CLASS) == 2) yields = yields + turning_about(p.inertias, b, axes[i]);
        double radius = larger(beyond[i], 0.0), inertia = 1.0 / yields, rate = inner(spin, axes[i]);
        double free = law.damping_n * sqrt(force * radius * inertia);
        double damping = smaller(free, (LARGEST_DAMPING / ACROSS) * inertia / p.dt);
        double torque = 0.0 < radius && 0.0 < inertia ? damping * rate : 0.0;
        load.torque = load.torque - axes[i] * torque;
        load.dissipated = load.dissipated + torque * rate * p.dt;
    }
}

// How far a push at `point` goes by turning a body, per impulse.
FN double yielding(const double *RESTRICT inertias, const Body &body, Vec3 point, const Wrench &push) {
    Rotor rotor = load_rotor(inertias, body.shape);
    Vec3 torque = cross(point - body.position, push.force) + push.torque;
    return dot(torque, spin_of(rotor, principal_axes(rotor, body.rotation), torque)) / body.mass;
}

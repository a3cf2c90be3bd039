// Bodies: mean velocity and walls, half kicks and drift, and whether the lists are stale.
#pragma once

#include "turning.h"

#define THREADS 256
#define GROWTH 16.0
#define ARC 1.05
#define LARGEST_CHORD 0.9
// Steps between two looks at grains that only turn fast.
#define LOOK_EVERY 32
// Numbers of a block's part of sums over bodies: velocity, its largest components; longest ways among grains and to walls.
#define PARTIAL 10

FN double power_of_two_above(double x) { return 2.0 * as_double(as_bits(x) & 0x7ffull << 52); }

// The mean velocity, with the sum of the last kick; walls go where the plan has them.
KERNEL begin_step(const Params p, unsigned k) {
    Control *control = p.control;
    if (control->stop) return;
    if (is_last_of_block()) {
        if (k == 0) control->made = control->fast = 0;
        control->asked = control->due = 0;
    }
    unsigned now = (p.first + k) & 1u, next = now ^ 1u;
    for (unsigned i = threadIdx.x; i < p.planned * (BODY + 1); i += blockDim.x) {
        unsigned wall = i / (BODY + 1), number = i % (BODY + 1);
        double x = p.wall_plan[(size_t)(BODY + 1) * p.planned * k + i];
        if (number < BODY) p.records[next][(size_t)BODY * wall + number] = x;
        else p.displacements[next][1][wall] = x;
        if (number == 0) p.displacements[next][0][wall] = p.displacements[now][0][wall];
    }
    if (!is_last_of_block()) return;
    double fastest = larger(larger(control->velocity[3], control->velocity[4]), control->velocity[5]);
    unsigned grains = p.bodies - p.walls;
    bool is_exact = fastest <= GROWTH * control->largest_velocity;
    double by = 1.0 / (double)(grains > 0 ? grains : 1);
    for (int axis = 0; axis < 3; ++axis) control->common[axis] = is_exact ? control->velocity[axis] * by : 0.0;
    control->largest_velocity = fastest;
    control->rounding = 1.5 * power_of_two_above(GROWTH * fastest * (double)grains);
    control->deepest = 0;
    control->parted = 0;
    bool slow = sqrt(3.0) * fastest * p.dt < p.least_far;
    control->looks = !(slow && (p.step + k + 1) % LOOK_EVERY != 0);
}

// A grain goes far in a step of the batch.
FN void tell_fast(const Params &p, unsigned slot, unsigned step, double way) {
    unsigned i = take_number(&p.control->fast);
    if (i >= p.fast_room) {
        set_flag(&p.control->stop, FAST);
        return;
    }
    p.fast[2 * (size_t)i] = as_double((u64)slot | (u64)step << 32);
    p.fast[2 * (size_t)i + 1] = way;
}

// First half kick and drift of a grain; returns how far it went, relative to the common velocity and absolute.
FN void drift(const Params &p, unsigned slot, unsigned k, Vec3 common, double &relative, double &absolute) {
    unsigned now = (p.first + k) & 1u, next = now ^ 1u;
    const double *r = p.records[now] + (size_t)BODY * slot, *s = p.states[now] + (size_t)BODY * slot;
    double *to = p.records[next] + (size_t)BODY * slot, *to_state = p.states[next] + (size_t)BODY * slot;
    const double *inertia = p.inertias + (size_t)INERTIA * shape_of(r);
    Vec3 velocity = vec(s + HALF_VELOCITY), momentum = vec(s + MOMENTUM);
    double by_mass = s[BY_MASS], half = 0.5 * p.dt, swept = 0.0;
    Vec3 went = velocity;
    for (int i = 0; i < BODY; ++i) to[i] = r[i];
    for (int i = 0; i < FORCE; ++i) to_state[i] = s[i];
    if (0.0 < by_mass) {
        Rotor rotor = load_rotor(p.inertias, shape_of(r));
        Vec3 half_velocity = mul_add(vec(s + FORCE), by_mass, vec(p.gravity)) * half, half_momentum = vec(s + TORQUE) * half;
        velocity = velocity + half_velocity;
        momentum = momentum + half_momentum;
        Quat before = quat(r + ROTATION), principal, after = turned(rotor, before, momentum * by_mass, p.dt, principal);
        store(to + SPIN, spin_of(rotor, principal, (momentum + half_momentum) * by_mass));
        store(to + POSITION, mul_add(velocity, p.dt, vec(r + POSITION)));
        to[ROTATION] = after.x, to[ROTATION + 1] = after.y, to[ROTATION + 2] = after.z, to[ROTATION + 3] = after.w;
        store(to + VELOCITY, velocity + half_velocity);
        store(to_state + HALF_VELOCITY, velocity);
        store(to_state + MOMENTUM, momentum);
        if (0.0 < inertia[SWEEP]) {
            double way = chord(before, after);
            swept = way <= LARGEST_CHORD ? inertia[SWEEP] * ARC * way : INFINITY;
        }
        went = velocity;
        if (p.control->looks) {
            Vec3 spin = vec(to + SPIN);
            double way = (sqrt(inner(velocity, velocity)) + sqrt(inner(spin, spin)) * inertia[SWEEP]) * p.dt;
            if (way > p.shapes[(size_t)SHAPE * shape_of(r) + FAR]) tell_fast(p, slot, k, way);
        }
    }
    relative = p.displacements[now][0][slot] + fma(length(went - common), p.dt, swept);
    absolute = p.displacements[now][1][slot] + fma(length(went), p.dt, swept);
    p.displacements[next][0][slot] = relative;
    p.displacements[next][1][slot] = absolute;
}

KERNEL BOUNDS(THREADS) drift_bodies(const Params p, unsigned k) {
    if (p.control->stop) return;
    unsigned slot = p.walls + thread_number();
    double relative = 0.0, absolute = 0.0, less = 0.0;
    if (slot < p.bodies) drift(p, slot, k, vec(p.control->common), relative, absolute);
    WORKSPACE(workspace, 3);
    block_longest(relative, less, workspace[0], workspace[1]);
    double farthest = block_largest(absolute, workspace[2]);
    if (is_last_of_block()) {
        double *partial = p.partials + (size_t)PARTIAL * blockIdx.x;
        partial[6] = relative, partial[7] = less, partial[8] = farthest;
    }
}

// Whether a pair outside the lists may touch by now.
KERNEL judge_lists(const Params p, unsigned k) {
    if (p.control->stop) return;
    unsigned next = ((p.first + k) & 1u) ^ 1u;
    double most = 0.0, less = 0.0, farthest = 0.0, walls = 0.0;
    for (unsigned block = threadIdx.x; block < p.blocks; block += blockDim.x) {
        const double *partial = p.partials + (size_t)PARTIAL * block;
        merge_longest(most, less, partial[6], partial[7]);
        farthest = longer(farthest, partial[8]);
    }
    for (unsigned wall = threadIdx.x; wall < p.walls; wall += blockDim.x)
        walls = longer(walls, p.displacements[next][1][wall]);
    WORKSPACE(workspace, 4);
    block_longest(most, less, workspace[0], workspace[1]);
    farthest = block_largest(farthest, workspace[2]);
    walls = block_largest(walls, workspace[3]);
    // What is not a number is stale, too.
    bool valid = most + less <= p.skin[0] && farthest + walls <= p.skin[1];
    if (is_last_of_block() && !valid) set_flag(&p.control->stop, STALE);
}

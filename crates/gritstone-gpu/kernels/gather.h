// Forces of bodies, and the end of a step.
#pragma once

#include "bodies.h"

// Puts the sums of a body's rows where they belong.
FN void store_sums(const double *sums, const double *record, const double *before, double *state) {
    double fx = sums[0], fy = sums[1], fz = sums[2], x = record[0], y = record[1], z = record[2];
    state[FORCE] = fx, state[FORCE + 1] = fy, state[FORCE + 2] = fz;
    state[TORQUE] = sums[3] - (y * fz - z * fy);
    state[TORQUE + 1] = sums[4] - (z * fx - x * fz);
    state[TORQUE + 2] = sums[5] - (x * fy - y * fx);
    state[DISSIPATED] = before[DISSIPATED] + sums[6];
    state[DISSIPATED_LAST] = sums[6];
}

// Forces of a grain are summed in the order of its partners; second half kick. Rows of contacts that have come apart are zero.
KERNEL BOUNDS(THREADS) gather_and_kick(const Params p, unsigned k) {
    if (p.control->stop) return;
    unsigned slot = p.walls + thread_number(), next = ((p.first + k) & 1u) ^ 1u;
    Vec3 velocity = zero3();
    bool there = slot < p.bodies;
    if (there) {
        double sums[ROW] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        for (unsigned e = p.starts[slot]; e < p.starts[slot + 1]; ++e) {
            unsigned entry = p.entries[e], c = entry >> 1;
            if (!(p.flags[c] & TOUCHES)) continue;
            const double *row = p.rows + (size_t)ROW * c;
            double sign = entry & 1u ? 1.0 : -1.0;
            for (int i = 0; i < 6; ++i) sums[i] = fma(row[i], sign, sums[i]);
            sums[6] = fma(row[6], 0.5, sums[6]);
        }
        double *state = p.states[next] + (size_t)BODY * slot;
        store_sums(sums, p.records[next] + (size_t)BODY * slot, p.states[next ^ 1u] + (size_t)BODY * slot, state);
        velocity = vec(state + HALF_VELOCITY);
        double by_mass = state[BY_MASS], half = 0.5 * p.dt;
        if (0.0 < by_mass) {
            velocity = velocity + (vec(state + FORCE) * by_mass + vec(p.gravity)) * half;
            store(state + HALF_VELOCITY, velocity);
            store(state + MOMENTUM, vec(state + MOMENTUM) + vec(state + TORQUE) * half);
        }
    }
    double rounding = p.control->rounding, v[3] = {velocity.x, velocity.y, velocity.z};
    double *partial = p.partials + (size_t)PARTIAL * blockIdx.x;
    WORKSPACE(workspace, 6);
    for (int axis = 0; axis < 3; ++axis) {
        double sum = block_sum(there ? (v[axis] + rounding) - rounding : 0.0, workspace[axis]);
        double most = block_largest(fabs(v[axis]), workspace[3 + axis]);
        if (is_last_of_block()) partial[axis] = sum, partial[3 + axis] = most;
    }
}

// Forces on a wall: one block for each, which loads many rows at a time and adds them one by one.
KERNEL BOUNDS(THREADS) gather_walls(const Params p, unsigned k) {
    if (p.control->stop) return;
    unsigned wall = blockIdx.x, next = ((p.first + k) & 1u) ^ 1u;
    unsigned first = p.starts[wall], end = p.starts[wall + 1];
    const double *before = p.states[next ^ 1u] + (size_t)BODY * wall;
    double *state = p.states[next] + (size_t)BODY * wall;
#ifdef __CUDACC__
    __shared__ double rows[THREADS], sums[ROW];
    unsigned number = threadIdx.x % ROW;
    double sum = 0.0;
    for (unsigned e = first; e < end; e += THREADS / ROW) {
        unsigned mine = e + threadIdx.x / ROW;
        double x = 0.0;
        if (mine < end && p.flags[p.entries[mine] >> 1] & TOUCHES) x = p.rows[(size_t)ROW * (p.entries[mine] >> 1) + number];
        __syncthreads();
        rows[threadIdx.x] = x;
        __syncthreads();
        if (threadIdx.x < ROW)
            for (unsigned i = number; i < THREADS; i += ROW) sum = fma(rows[i], number < 6 ? 1.0 : 0.5, sum);
    }
    if (threadIdx.x < ROW) sums[number] = sum;
    __syncthreads();
    if (!is_last_of_block()) return;
#else
    if (!is_last_of_block()) return;
    double sums[ROW] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (unsigned e = first; e < end; ++e) {
        unsigned c = p.entries[e] >> 1;
        for (int i = 0; i < ROW && p.flags[c] & TOUCHES; ++i) sums[i] = fma(p.rows[(size_t)ROW * c + i], i < 6 ? 1.0 : 0.5, sums[i]);
    }
#endif
    for (int i = 0; i < FORCE; ++i) state[i] = before[i];
    store_sums(sums, p.records[next] + (size_t)BODY * wall, before, state);
    for (int i = 0; i < 6; ++i) p.wall_loads[((size_t)p.walls * k + wall) * 6 + i] = state[FORCE + i];
}

// The step is made: contacts that have come apart are candidates again, and velocities are added up.
KERNEL end_step(const Params p, unsigned k) {
    Control *control = p.control;
    if (control->stop) return;
    unsigned next = ((p.first + k) & 1u) ^ 1u, parted = control->parted;
    for (unsigned i = threadIdx.x; i < parted; i += blockDim.x) {
        unsigned c = p.parted[i], a = p.pairs[2 * (size_t)c], b = p.pairs[2 * (size_t)c + 1];
        const double *contact = p.contacts[next] + (size_t)CONTACT * c;
        const double *displacement = p.displacements[next][c < p.grain_candidates ? 0 : 1];
        p.due_at[c] = displacement[a] + displacement[b] + contact[GAP];
        store(p.directions + (size_t)3 * c, vec(contact + NORMAL));
        p.flags[c] = LISTED;
    }
    double sums[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (unsigned block = threadIdx.x; block < p.blocks; block += blockDim.x) {
        const double *partial = p.partials + (size_t)PARTIAL * block;
        for (int axis = 0; axis < 3; ++axis) {
            sums[axis] = sums[axis] + partial[axis];
            sums[3 + axis] = larger(sums[3 + axis], partial[3 + axis]);
        }
    }
    WORKSPACE(workspace, 6);
    for (int axis = 0; axis < 3; ++axis) {
        sums[axis] = block_sum(sums[axis], workspace[axis]);
        sums[3 + axis] = block_largest(sums[3 + axis], workspace[3 + axis]);
    }
    if (!is_last_of_block()) return;
    for (int i = 0; i < 6; ++i) control->velocity[i] = sums[i];
    control->contacts -= parted;
    control->made = k + 1;
}

// A time step: as `gritstone_engine::World::step`, kernel by kernel. The design is in docs/decisions/0013-gpu.md.
//
// Step k reads the copies k & 1 of bodies and contacts and writes the others. A kernel that meets something that is for the host sets
// `stop`: all later ones do nothing, and the copies that the step began with are as they were.

#include "law.h"

#define THREADS 256
#define CONTACT_THREADS 128
#define GROWTH 16.0
#define ARC 1.05
#define LARGEST_CHORD 0.9
#define LARGEST_CHANGE 0.02
// Steps between two looks at grains that only turn fast.
#define LOOK_EVERY 32
// Numbers of a block's part of sums over bodies: velocity, its largest components; longest ways among grains and to walls.
#define PARTIAL 10

FN double power_of_two_above(double x) { return 2.0 * as_double(as_bits(x) & 0x7ffull << 52); }

// The mean velocity, with the sum of the last kick; walls go where the plan has them.
KERNEL begin_step(const Params p, unsigned k) {
    Control *control = p.control;
    if (control->stop) return;
    if (k == 0 && is_last_of_block()) control->made = 0;
    unsigned now = (p.first + k) & 1u, next = now ^ 1u;
    for (unsigned i = threadIdx.x; i < p.walls * (BODY + 1); i += blockDim.x) {
        unsigned wall = i / (BODY + 1), number = i % (BODY + 1);
        double x = p.wall_plan[(size_t)(BODY + 1) * p.walls * k + i];
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

// First half kick and drift of a grain; returns how far it went, relative to the common velocity and absolute.
FN void drift(const Params &p, unsigned slot, unsigned now, Vec3 common, double &relative, double &absolute) {
    unsigned next = now ^ 1u;
    const double *r = p.records[now] + (size_t)BODY * slot, *s = p.states[now] + (size_t)BODY * slot;
    double *to = p.records[next] + (size_t)BODY * slot, *to_state = p.states[next] + (size_t)BODY * slot;
    const double *inertia = p.inertias + (size_t)SHAPE * shape_of(r);
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
            if (way > p.shapes[(size_t)SHAPE * shape_of(r) + FAR]) set_flag(&p.control->stop, FAST);
        }
    }
    relative = p.displacements[now][0][slot] + fma(length(went - common), p.dt, swept);
    absolute = p.displacements[now][1][slot] + fma(length(went), p.dt, swept);
    p.displacements[next][0][slot] = relative;
    p.displacements[next][1][slot] = absolute;
}

KERNEL BOUNDS(THREADS) drift_bodies(const Params p, unsigned k) {
    if (p.control->stop) return;
    unsigned slot = p.walls + thread_number(), now = (p.first + k) & 1u;
    double relative = 0.0, absolute = 0.0, less = 0.0;
    if (slot < p.bodies) drift(p, slot, now, vec(p.control->common), relative, absolute);
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

// A pair has used up its gap: it touches, or is inactive for another gap.
template <int CLASS>
FN void test_pair(const Params &p, unsigned c, const Body &a, const Body &b, double gone, double *contact) {
    const double *shape_a = p.shapes + (size_t)SHAPE * a.shape, *shape_b = p.shapes + (size_t)SHAPE * b.shape;
    double *direction = p.directions + (size_t)3 * c;
    Found found = solve<CLASS>(a, b, shape_a, shape_b, vec(direction), false);
    if (!found.certified) {
        set_flag(&p.control->stop, UNTESTED);
        return;
    }
    if (!(found.gap < 0.0)) {
        p.due_at[c] = gone + (found.lower > 0.0 ? found.lower : 0.0);
        store(direction, found.direction);
        return;
    }
    for (int i = 0; i < CONTACT; ++i) contact[i] = 0.0;
    store(contact + NORMAL, found.normal);
    p.due_at[c] = INFINITY;
    if (!(p.flags[c] & LISTED)) p.active[CLASS][take_number(&p.control->active[CLASS])] = c;
    p.flags[c] = TOUCHES | LISTED;
    take_number(&p.control->contacts);
}

// Candidates that are due are tested.
KERNEL BOUNDS(CONTACT_THREADS) activate_candidates(const Params p, unsigned k) {
    if (p.control->stop & (STALE | FAST)) return;
    unsigned now = (p.first + k) & 1u, next = now ^ 1u;
    for (unsigned c = thread_number(); c < p.candidates; c += threads_in_grid()) {
        double due_at = p.due_at[c];
        if (due_at == INFINITY && p.flags[c] & TOUCHES) continue;
        unsigned a = p.pairs[2 * (size_t)c], b = p.pairs[2 * (size_t)c + 1];
        const double *displacement = p.displacements[next][c < p.grain_candidates ? 0 : 1];
        double gone = displacement[a] + displacement[b];
        if (a == b || !(gone >= due_at)) continue;
        Body body_a = load_body(p.records[next], a), body_b = load_body(p.records[next], b);
        double *contact = p.contacts[now] + (size_t)CONTACT * c;
        switch (pair_class(p.classes[body_a.shape], p.classes[body_b.shape])) {
        case SPHERES: test_pair<SPHERES>(p, c, body_a, body_b, gone, contact); break;
        case SPHERES_ON_HALF_SPACES: test_pair<SPHERES_ON_HALF_SPACES>(p, c, body_a, body_b, gone, contact); break;
        case ELLIPSOIDS: test_pair<ELLIPSOIDS>(p, c, body_a, body_b, gone, contact); break;
        default: test_pair<ELLIPSOIDS_ON_HALF_SPACES>(p, c, body_a, body_b, gone, contact);
        }
    }
}

FN double by_two_masses(double a, double b) { return 1.0 / a + 1.0 / b; }

// Narrow phase and law of a contact.
template <int CLASS> FN void solve_contact(const Params &p, unsigned c, unsigned now) {
    constexpr bool balls = CLASS == SPHERES || CLASS == SPHERES_ON_HALF_SPACES;
    unsigned next = now ^ 1u;
    const double *from = p.contacts[now] + (size_t)CONTACT * c;
    double *to = p.contacts[next] + (size_t)CONTACT * c, *row = p.rows + (size_t)ROW * c;
    Body a = load_body(p.records[next], p.pairs[2 * (size_t)c]), b = load_body(p.records[next], p.pairs[2 * (size_t)c + 1]);
    const double *shape_a = p.shapes + (size_t)SHAPE * a.shape, *shape_b = p.shapes + (size_t)SHAPE * b.shape;
    Vec3 last = vec(from + NORMAL), start = last;
    if (CLASS == ELLIPSOIDS) start = renormalized(renormalized(last + vec(from + CHANGE)));
    bool body_function = !balls && p.radius_rule == BODY_FUNCTION;
    Found found = solve<CLASS>(a, b, shape_a, shape_b, start, body_function);
    if (!found.certified) {
        set_flag(&p.control->stop, UNSOLVED);
        return;
    }
    Wrench gradient{zero3(), zero3()};
    double radius;
    if (body_function) radius = effective_radius<CLASS>(found, shape_a[6], shape_b[6], a.position, b.position, gradient);
    else radius = 1.0 / by_two_masses(a.radius, b.radius);
    double by_mass = by_two_masses(a.mass, b.mass), mass = by_mass > 0.0 ? 1.0 / by_mass : 0.0;
    History history{vec(from + STRETCH), from[STIFFNESS], from[NORMAL_FORCE]};
    bool fresh = history.stiffness <= 0.0;
    bool touching = found.gap < 0.0 && 0.0 < mass;
    Load load{zero3(), zero3(), 0.0, 0.0};
    if (touching) {
        Law law = load_law(p.laws, a.material * p.materials + b.material);
        double depth = larger(-found.gap, 0.0);
        double normal_mass = mass;
        if (!balls) {
            Wrench push = push_wrench(law, found.normal, gradient, depth);
            double by = dot(push.force, push.force) / mass + yielding(p.inertias, a, found.point, push);
            if (CLASS == ELLIPSOIDS) by = by + yielding(p.inertias, b, found.point, push);
            normal_mass = 1.0 / by;
        }
        Vec3 velocity_a = a.velocity + cross(a.spin, found.point - a.position);
        Vec3 velocity_b = b.velocity + cross(b.spin, found.point - b.position);
        Touch touch{depth,  found.normal, velocity_b - velocity_a, b.spin - a.spin, (a.spin + b.spin) * 0.5,
                    radius, gradient,     mass,                    normal_mass};
        load = act(law, touch, history, p.dt);
        if (as_double(p.control->deepest) * found.size < depth) raise(&p.control->deepest, depth / found.size);
    }
    Vec3 change = zero3();
    if (CLASS == ELLIPSOIDS && !fresh) {
        Vec3 turn = found.normal - last;
        if (dot(turn, turn) <= LARGEST_CHANGE * LARGEST_CHANGE) change = turn;
    }
    store(to + NORMAL, found.normal);
    store(to + CHANGE, change);
    store(to + STRETCH, history.slip);
    to[STIFFNESS] = history.stiffness;
    to[NORMAL_FORCE] = history.normal_force;
    to[GAP] = touching ? found.gap : larger(found.lower, 0.0);
    store(to + POINT, found.point);
    Vec3 f = load.force, q = found.point;
    Vec3 about = vec(q.y * f.z - q.z * f.y, q.z * f.x - q.x * f.z, q.x * f.y - q.y * f.x);
    if (!balls) about = about + load.torque;
    store(row, f);
    store(row + 3, about);
    row[6] = load.dissipated;
    row[7] = load.elastic;
    if (0.0 <= found.gap) p.parted[take_number(&p.control->parted)] = c;
}

template <int CLASS> FN void solve_contacts(const Params &p, unsigned k) {
    if (p.control->stop) return;
    unsigned count = p.control->active[CLASS];
    for (unsigned i = thread_number(); i < count; i += threads_in_grid()) {
        unsigned c = p.active[CLASS][i];
        if (p.flags[c] & TOUCHES) solve_contact<CLASS>(p, c, (p.first + k) & 1u);
    }
}

KERNEL BOUNDS(CONTACT_THREADS) solve_all_spheres(const Params p, unsigned k) { solve_contacts<SPHERES>(p, k); }
KERNEL BOUNDS(CONTACT_THREADS) solve_all_spheres_on_half_spaces(const Params p, unsigned k) {
    solve_contacts<SPHERES_ON_HALF_SPACES>(p, k);
}
KERNEL BOUNDS(CONTACT_THREADS) solve_all_ellipsoids(const Params p, unsigned k) { solve_contacts<ELLIPSOIDS>(p, k); }
KERNEL BOUNDS(CONTACT_THREADS) solve_all_ellipsoids_on_half_spaces(const Params p, unsigned k) {
    solve_contacts<ELLIPSOIDS_ON_HALF_SPACES>(p, k);
}

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

// So many contacts are packed for the host: numbers and forces of each.
KERNEL BOUNDS(THREADS) pack_contacts(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    const double *contact = p.contacts[p.first] + (size_t)CONTACT * p.touching[i], *row = p.rows + (size_t)ROW * p.touching[i];
    double *packed = p.packed + (size_t)(CONTACT + ROW) * i;
    for (int n = 0; n < CONTACT; ++n) packed[n] = contact[n];
    for (int n = 0; n < ROW; ++n) packed[CONTACT + n] = row[n];
}

// The way back.
KERNEL BOUNDS(THREADS) unpack_contacts(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    double *contact = p.contacts[p.first] + (size_t)CONTACT * p.touching[i], *row = p.rows + (size_t)ROW * p.touching[i];
    const double *packed = p.packed + (size_t)(CONTACT + ROW) * i;
    for (int n = 0; n < CONTACT; ++n) contact[n] = packed[n];
    for (int n = 0; n < ROW; ++n) row[n] = packed[CONTACT + n];
}

#ifndef __CUDACC__
// The threads of a kernel, one after the other.
template <class Kernel> static void run(Kernel kernel, unsigned blocks, unsigned threads, const Params &p, unsigned k) {
    gridDim.x = blocks;
    blockDim.x = threads;
    for (unsigned block = 0; block < blocks; ++block)
        for (unsigned thread = 0; thread < threads; ++thread) {
            blockIdx.x = block;
            threadIdx.x = thread;
            kernel(p, k);
        }
}

extern "C" void gritstone_gpu_run(unsigned kernel, unsigned blocks, unsigned threads, const Params *p, unsigned k) {
    typedef void (*Kernel)(const Params, unsigned);
    static const Kernel kernels[] = {begin_step,        drift_bodies,
                                     judge_lists,       activate_candidates,
                                     solve_all_spheres, solve_all_spheres_on_half_spaces,
                                     solve_all_ellipsoids, solve_all_ellipsoids_on_half_spaces,
                                     gather_and_kick,   gather_walls,
                                     end_step,          pack_contacts,
                                     unpack_contacts};
    run(kernels[kernel], blocks, threads, *p, k);
}
#endif

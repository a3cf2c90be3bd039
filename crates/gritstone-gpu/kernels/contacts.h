// Candidates and contacts: proximity tests, narrow phase and law.
#pragma once

#include "law.h"

#define CONTACT_THREADS 128
#define LARGEST_CHANGE 0.02

FN unsigned class_of(const Params &p, unsigned slot, unsigned shape) { return slot < p.walls ? p.wall_classes[slot] : p.classes[shape]; }

// The class of a pair; none where it is the host's.
FN int class_of_pair(const Params &p, unsigned slot_a, const Body &a, unsigned slot_b, const Body &b) {
    double law = p.laws[(size_t)LAW * (a.material * p.materials + b.material)];
    return law != law ? (int)PAIR_CLASSES : pair_class(class_of(p, slot_a, a.shape), class_of(p, slot_b, b.shape));
}

// The host is asked, or takes the step.
FN void ask(const Params &p, unsigned c, unsigned why) {
    if (p.shared) p.asked[take_number(&p.control->asked)] = c;
    else set_flag(&p.control->stop, why);
}

// A contact of these numbers begins in lanes.
FN void list_contact(const Params &p, unsigned c, int pairs) {
    p.due_at[c] = INFINITY;
    if (!(p.flags[c] & LISTED)) p.active[pairs][take_number(&p.control->active[pairs])] = c;
    p.flags[c] = TOUCHES | LISTED;
    take_number(&p.control->contacts);
}

// A pair has used up its gap: it touches, or is inactive for another gap.
template <int SOLVER> FN void test_pair(const Params &p, unsigned c, const Body &a, const Body &b, double gone, int pairs, double *contact) {
    double *direction = p.directions + (size_t)3 * c;
    Found found = solve<SOLVER>(p, a, b, Start{vec(direction), zero3(), zero3()}, false);
    if (!found.certified) {
        ask(p, c, UNTESTED);
        return;
    }
    if (!(found.gap < 0.0)) {
        p.due_at[c] = gone + (found.lower > 0.0 ? found.lower : 0.0);
        store(direction, found.direction);
        return;
    }
    for (int i = 0; i < CONTACT; ++i) contact[i] = 0.0;
    store(contact + NORMAL, found.normal);
    if (pairs == QUARTICS) {
        store(contact + POINTS, support_in_body(shape_rows<QUARTICS>(p, a.shape), a.rotation, found.normal));
        store(contact + POINTS + 3, support_in_body(shape_rows<QUARTICS>(p, b.shape), b.rotation, -found.normal));
    }
    list_contact(p, c, pairs);
}

// A candidate that is due is tested; those of superellipsoids have a kernel of their own, which needs many more registers.
template <bool POWERS> FN void test_candidate(const Params &p, unsigned c, unsigned a, unsigned b, double gone, unsigned now) {
    unsigned next = now ^ 1u;
    Body body_a = load_body(p.records[next], a), body_b = load_body(p.records[next], b);
    double *contact = p.contacts[now] + (size_t)CONTACT * c;
    int pairs = class_of_pair(p, a, body_a, b, body_b);
    if (POWERS) {
        if (pairs == SUPERELLIPSOIDS_ON_HALF_SPACES)
            test_pair<SUPERELLIPSOIDS_ON_HALF_SPACES>(p, c, body_a, body_b, gone, pairs, contact);
        else test_pair<SUPERELLIPSOIDS>(p, c, body_a, body_b, gone, pairs, contact);
        return;
    }
    switch (pairs) {
    case SPHERES: test_pair<SPHERES>(p, c, body_a, body_b, gone, pairs, contact); break;
    case SPHERES_ON_HALF_SPACES: test_pair<SPHERES_ON_HALF_SPACES>(p, c, body_a, body_b, gone, pairs, contact); break;
    case ELLIPSOIDS: test_pair<ELLIPSOIDS>(p, c, body_a, body_b, gone, pairs, contact); break;
    case ELLIPSOIDS_ON_HALF_SPACES: test_pair<ELLIPSOIDS_ON_HALF_SPACES>(p, c, body_a, body_b, gone, pairs, contact); break;
    case PAIR_CLASSES: ask(p, c, UNTESTED); break;
    // The list of those that come apart is not needed before contacts are solved.
    default: p.parted[take_number(&p.control->due)] = c;
    }
}

// Displacement of a pair together.
FN double displacement_of(const Params &p, unsigned c, unsigned a, unsigned b, unsigned copy) {
    const double *displacement = p.displacements[copy][c < p.grain_candidates ? 0 : 1];
    return displacement[a] + displacement[b];
}

// Candidates that are due are tested.
KERNEL BOUNDS(CONTACT_THREADS) activate_candidates(const Params p, unsigned k) {
    if (p.control->stop & (STALE | FAST)) return;
    unsigned now = (p.first + k) & 1u;
    for (unsigned c = thread_number(); c < p.candidates; c += threads_in_grid()) {
        double due_at = p.due_at[c];
        if (due_at == INFINITY && p.flags[c] & TOUCHES) continue;
        unsigned a = p.pairs[2 * (size_t)c], b = p.pairs[2 * (size_t)c + 1];
        double gone = displacement_of(p, c, a, b, now ^ 1u);
        if (a != b && gone >= due_at) test_candidate<false>(p, c, a, b, gone, now);
    }
}

// The same for those of superellipsoids.
KERNEL BOUNDS(CONTACT_THREADS) activate_superellipsoids(const Params p, unsigned k) {
    if (p.control->stop & (STALE | FAST)) return;
    unsigned now = (p.first + k) & 1u, due = p.control->due;
    for (unsigned i = thread_number(); i < due; i += threads_in_grid()) {
        unsigned c = p.parted[i], a = p.pairs[2 * (size_t)c], b = p.pairs[2 * (size_t)c + 1];
        test_candidate<true>(p, c, a, b, displacement_of(p, c, a, b, now ^ 1u), now);
    }
}

FN double by_two_masses(double a, double b) { return 1.0 / a + 1.0 / b; }

// Where the solver of a contact starts.
template <int CLASS> FN Start start_of(const double *from) {
    Start start{vec(from + NORMAL), zero3(), zero3()};
    if (extrapolates(CLASS)) start.direction = renormalized(renormalized(start.direction + vec(from + CHANGE)));
    if (CLASS == QUARTICS) {
        start.point_a = vec(from + POINTS);
        start.point_b = vec(from + POINTS + 3);
    }
    return start;
}

// Lanes cannot certify a contact: the host takes it with its history.
FN void hand_over(const Params &p, unsigned c, const double *from, double *to, const Found &found) {
    if (p.shared) {
        for (int i = 0; i < CONTACT; ++i) to[i] = from[i];
        store(to + NORMAL, found.direction);
        p.flags[c] |= HOSTED;
        give_number(&p.control->contacts);
    }
    ask(p, c, UNSOLVED);
}

// What a contact does in this step.
template <int CLASS>
FN Load load_of(const Params &p, const Found &found, const Body &a, const Body &b, double mass, History &history) {
    constexpr bool balls = turned_bodies(CLASS) == 0;
    Wrench gradient{zero3(), zero3()};
    double radius;
    if (!balls && p.radius_rule == BODY_FUNCTION) {
        double cube_a = shape_rows<CLASS>(p, a.shape)[has_powers(CLASS) ? WIDE_BY_CUBE : BY_CUBE];
        double cube_b = shape_rows<CLASS>(p, b.shape)[has_powers(CLASS) ? WIDE_BY_CUBE : BY_CUBE];
        radius = effective_radius<CLASS>(found, cube_a, cube_b, a.position, b.position, gradient);
    } else radius = 1.0 / by_two_masses(a.radius, b.radius);
    Law law = load_law(p.laws, a.material * p.materials + b.material);
    double depth = larger(-found.gap, 0.0), normal_mass = mass;
    if (!balls) {
        Wrench push = push_wrench(law, found.normal, gradient, depth);
        double by = dot(push.force, push.force) / mass + yielding(p.inertias, a, found.point, push);
        if (turned_bodies(CLASS) == 2) by = by + yielding(p.inertias, b, found.point, push);
        normal_mass = 1.0 / by;
    }
    Vec3 velocity_a = a.velocity + cross(a.spin, found.point - a.position);
    Vec3 velocity_b = b.velocity + cross(b.spin, found.point - b.position);
    Touch touch{depth,  found.normal, velocity_b - velocity_a, b.spin - a.spin, (a.spin + b.spin) * 0.5,
                radius, gradient,     mass,                    normal_mass};
    Load load = act(law, touch, history, p.dt);
    if (has_powers(CLASS)) rock<CLASS>(p, law, found, a, b, touch.spin, history.normal_force, load);
    if (as_double(p.control->deepest) * found.size < depth) raise(&p.control->deepest, depth / found.size);
    return load;
}

// What the next step starts from.
template <int CLASS> FN void store_contact(const Found &found, const History &history, bool fresh, Vec3 last, double *to) {
    store(to + NORMAL, found.normal);
    Vec3 first = zero3(), second = zero3();
    if (extrapolates(CLASS) && !fresh) {
        Vec3 turn = found.normal - last;
        if (dot(turn, turn) <= LARGEST_CHANGE * LARGEST_CHANGE) first = turn;
    }
    if (CLASS == QUARTICS) {
        first = found.point_a;
        second = found.point_b;
    }
    store(to + CHANGE, first);
    store(to + CHANGE + 3, second);
    store(to + STRETCH, history.slip);
    to[STIFFNESS] = history.stiffness;
    to[NORMAL_FORCE] = history.normal_force;
}

// Narrow phase and law of a contact.
template <int CLASS> FN void solve_contact(const Params &p, unsigned c, unsigned now) {
    unsigned next = now ^ 1u;
    const double *from = p.contacts[now] + (size_t)CONTACT * c;
    double *to = p.contacts[next] + (size_t)CONTACT * c, *row = p.rows + (size_t)ROW * c;
    Body a = load_body(p.records[next], p.pairs[2 * (size_t)c]), b = load_body(p.records[next], p.pairs[2 * (size_t)c + 1]);
    bool wants_radii = CLASS == ELLIPSOIDS && p.radius_rule == BODY_FUNCTION;
    Found found = solve<CLASS>(p, a, b, start_of<CLASS>(from), wants_radii);
    if (!found.certified) {
        hand_over(p, c, from, to, found);
        return;
    }
    double by_mass = by_two_masses(a.mass, b.mass), mass = by_mass > 0.0 ? 1.0 / by_mass : 0.0;
    History history{vec(from + STRETCH), from[STIFFNESS], from[NORMAL_FORCE]};
    bool fresh = history.stiffness <= 0.0, touching = found.gap < 0.0 && 0.0 < mass;
    Load load{zero3(), zero3(), 0.0, 0.0};
    if (touching) load = load_of<CLASS>(p, found, a, b, mass, history);
    store_contact<CLASS>(found, history, fresh, vec(from + NORMAL), to);
    to[GAP] = touching ? found.gap : larger(found.lower, 0.0);
    store(p.points + (size_t)POINT * c, found.point);
    Vec3 f = load.force, q = found.point;
    Vec3 about = vec(q.y * f.z - q.z * f.y, q.z * f.x - q.x * f.z, q.x * f.y - q.y * f.x);
    if (turned_bodies(CLASS) > 0) about = about + load.torque;
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
        if ((p.flags[c] & (TOUCHES | HOSTED)) == TOUCHES) solve_contact<CLASS>(p, c, (p.first + k) & 1u);
    }
}

#define SOLVER(name, CLASS) \
    KERNEL BOUNDS(CONTACT_THREADS) name(const Params p, unsigned k) { solve_contacts<CLASS>(p, k); }

SOLVER(solve_all_spheres, SPHERES)
SOLVER(solve_all_spheres_on_half_spaces, SPHERES_ON_HALF_SPACES)
SOLVER(solve_all_ellipsoids, ELLIPSOIDS)
SOLVER(solve_all_ellipsoids_on_half_spaces, ELLIPSOIDS_ON_HALF_SPACES)
SOLVER(solve_all_quartics, QUARTICS)
SOLVER(solve_all_superellipsoids, SUPERELLIPSOIDS)
SOLVER(solve_all_superellipsoids_on_half_spaces, SUPERELLIPSOIDS_ON_HALF_SPACES)

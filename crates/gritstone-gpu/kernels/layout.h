// What the host gives the kernels: `Params` has the same fields, in the same order, as its twin in `src/layout.rs`.
#pragma once

#include "vector.h"

typedef unsigned long long u64;

// Numbers of a body's record: position, quaternion x y z w, velocity, spin, mass, radius of the ball of the same volume, bits
// (shape, material).
enum { POSITION = 0, ROTATION = 3, VELOCITY = 7, SPIN = 10, MASS = 13, RADIUS = 14, KINDS = 15 };
// Of its state: velocity, angular momentum, reciprocal of the mass, bits (id, flags); force, torque, energies dissipated.
enum { HALF_VELOCITY = 0, MOMENTUM = 3, BY_MASS = 6, NAME = 7, FORCE = 8, TORQUE = 11, DISSIPATED = 14, DISSIPATED_LAST = 15 };
// Of a contact: normal, its last change or the bodies' points in their frames, stretch of the tangential spring, its stiffness, force along
// the normal, gap.
enum { NORMAL = 0, CHANGE = 3, POINTS = 3, STRETCH = 9, STIFFNESS = 12, NORMAL_FORCE = 13, GAP = 14, CONTACT = 16 };
// Of a contact on its way: the same, its row of forces, the point at which they act.
enum { BODY = 16, ROW = 8, POINT = 3, PACKED = 28 };
// Of a shape: the row of ellipsoids, whose last number is how far a grain may go in a step that nobody counts; the rows of superellipsoids.
enum { SHAPE = 24, FAR = 7, WIDE = 8, BY_CUBE = 6, WIDE_BY_CUBE = 15 };
enum { LAW = 8, INERTIA = 8, SWEEP = 7 };
// Of a body, a question and an answer between the host and the device: see `gritstone_engine::offload`.
enum { SAMPLE = 20, QUESTION = 12 + 2 * SAMPLE, ANSWER = 18 };
enum AnswerKind { IS_APART = 0, IS_HOSTED = 1, IS_IN_LANES = 2, HAS_FORCES = 3 };

// Classes of shapes, and of pairs.
enum { SPHERE = 0, ELLIPSOID = 1, QUARTIC = 2, SUPERELLIPSOID = 3, HALF_SPACE = 4, OTHER_SHAPE = 5 };
enum {
    SPHERES = 0,
    SPHERES_ON_HALF_SPACES = 1,
    ELLIPSOIDS = 2,
    ELLIPSOIDS_ON_HALF_SPACES = 3,
    QUARTICS = 4,
    SUPERELLIPSOIDS = 5,
    SUPERELLIPSOIDS_ON_HALF_SPACES = 6,
    PAIR_CLASSES = 7
};
// Rules for the effective radius.
enum { BODY_FUNCTION = 0, VOLUME = 1 };
// States of a candidate: whether it touches, whether it is in the list of those of its class, whether the host solves it.
enum { TOUCHES = 1, LISTED = 2, HOSTED = 4 };
// Why kernels stop: the lists are stale, a proximity test or a contact is for the host, more grains go far than can be told.
enum { STALE = 1, UNTESTED = 2, UNSOLVED = 4, FAST = 8 };

// What kernels tell each other and the host.
struct Control {
    unsigned stop;
    unsigned made;
    unsigned parted;
    unsigned contacts;
    unsigned active[PAIR_CLASSES];
    // Whether this step looks for fast grains, and how many there were since the begin of the batch.
    unsigned looks;
    unsigned fast;
    // Candidates that the host is asked about.
    unsigned asked;
    // Candidates of superellipsoids that are due.
    unsigned due;
    unsigned unused;
    u64 deepest;
    double common[3];
    double rounding;
    double largest_velocity;
    // Sum of the velocities, and their largest components.
    double velocity[6];
};

struct Params {
    double dt;
    double gravity[3];
    double skin[2];
    // Number of the step before the batch, and how far the thinnest grain may go in a step.
    u64 step;
    double least_far;
    unsigned bodies, walls, candidates, grain_candidates;
    unsigned materials, radius_rule, first, blocks;
    // Whether the host has a part in the step; walls in the plan, which is empty where none moves; room for fast grains.
    unsigned shared, planned, fast_room;
    // Questions are packed from this one on, of contacts and else of candidates.
    unsigned question, of_contacts, unused;
    // Tables: rows of shapes and their classes, classes of walls, inertias, laws.
    const double *shapes;
    const unsigned *classes;
    const unsigned *wall_classes;
    const double *inertias;
    const double *laws;
    // Walls' records and displacements at each step of the batch; the loads on them.
    const double *wall_plan;
    double *wall_loads;
    Control *control;
    double *partials;
    // Two copies, of the step before and of this one.
    double *records[2];
    double *states[2];
    double *displacements[2][2];
    double *contacts[2];
    // Candidates.
    const unsigned *pairs;
    double *due_at;
    double *directions;
    unsigned char *flags;
    double *rows;
    double *points;
    unsigned *active[PAIR_CLASSES];
    unsigned *parted;
    unsigned *asked;
    // The candidates of each body, in the order of their partners.
    const unsigned *starts;
    const unsigned *entries;
    // Contacts on their way between the host and the device, one after the other.
    const unsigned *touching;
    double *packed;
    // Fast grains: bits (slot, step), way.
    double *fast;
    // Between the host and the device in the middle of a step: bodies that the host wants to see, questions, answers, contacts of walls.
    const unsigned *visited;
    double *samples;
    double *questions;
    const double *answers;
    double *wall_contacts;
};

FN unsigned shape_of(const double *record) { return (unsigned)as_bits(record[KINDS]); }
FN unsigned material_of(const double *record) { return (unsigned)(as_bits(record[KINDS]) >> 32) & 0xffffu; }

// The class of a pair, the half-space second.
FN int pair_class(unsigned a, unsigned b) {
    if (a >= HALF_SPACE || b == OTHER_SHAPE) return PAIR_CLASSES;
    if (b == HALF_SPACE)
        return a == SPHERE ? SPHERES_ON_HALF_SPACES : a == ELLIPSOID ? ELLIPSOIDS_ON_HALF_SPACES : SUPERELLIPSOIDS_ON_HALF_SPACES;
    if (a <= ELLIPSOID && b <= ELLIPSOID) return a == SPHERE && b == SPHERE ? SPHERES : ELLIPSOIDS;
    return a == QUARTIC && b == QUARTIC ? QUARTICS : SUPERELLIPSOIDS;
}

// How many of the bodies, a first, are turned by a force along the normal.
TRAIT int turned_bodies(int pairs) {
    return pairs == SPHERES || pairs == SPHERES_ON_HALF_SPACES                                     ? 0
           : pairs == ELLIPSOIDS_ON_HALF_SPACES || pairs == SUPERELLIPSOIDS_ON_HALF_SPACES ? 1
                                                                                                   : 2;
}
// Whether shapes have the rows of superellipsoids, whose bodies may be so flat where they touch that they rock.
TRAIT bool has_powers(int pairs) { return pairs >= QUARTICS; }
// Whether the change of the normal is extrapolated.
TRAIT bool extrapolates(int pairs) { return pairs == ELLIPSOIDS || pairs == SUPERELLIPSOIDS; }

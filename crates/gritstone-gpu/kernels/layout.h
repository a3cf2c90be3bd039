// What the host gives the kernels: `Params` has the same fields, in the same order, as its twin in `src/layout.rs`.
#pragma once

#include "vector.h"

typedef unsigned long long u64;

// Numbers of a body's record: position, quaternion x y z w, velocity, spin, mass, radius of the ball of the same volume, bits
// (shape, material).
enum { POSITION = 0, ROTATION = 3, VELOCITY = 7, SPIN = 10, MASS = 13, RADIUS = 14, KINDS = 15 };
// Of its state: velocity, angular momentum, reciprocal of the mass, bits (id, flags); force, torque, energies dissipated.
enum { HALF_VELOCITY = 0, MOMENTUM = 3, BY_MASS = 6, NAME = 7, FORCE = 8, TORQUE = 11, DISSIPATED = 14, DISSIPATED_LAST = 15 };
// Of a contact: normal, its last change, stretch of the tangential spring, its stiffness, force along the normal, gap, point.
enum { NORMAL = 0, CHANGE = 3, STRETCH = 6, STIFFNESS = 9, NORMAL_FORCE = 10, GAP = 11, POINT = 12, CONTACT = 16 };
enum { BODY = 16, ROW = 8, LAW = 8, SHAPE = 8, FAR = 7, SWEEP = 7 };

// Classes of shapes, and of pairs.
enum { SPHERE = 0, ELLIPSOID = 1, HALF_SPACE = 2 };
enum { SPHERES = 0, SPHERES_ON_HALF_SPACES = 1, ELLIPSOIDS = 2, ELLIPSOIDS_ON_HALF_SPACES = 3, PAIR_CLASSES = 4 };
// Rules for the effective radius.
enum { BODY_FUNCTION = 0, VOLUME = 1 };
// States of a candidate: whether it touches, and whether it is in the list of those.
enum { TOUCHES = 1, LISTED = 2 };
// Why kernels stop: the lists are stale, a proximity test or a contact is for the host, a grain goes so far that the host counts it.
enum { STALE = 1, UNTESTED = 2, UNSOLVED = 4, FAST = 8 };

// What kernels tell each other and the host.
struct Control {
    unsigned stop;
    unsigned made;
    unsigned parted;
    unsigned contacts;
    unsigned active[PAIR_CLASSES];
    // Whether this step looks for fast grains.
    unsigned looks;
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
    // Tables: rows of shapes, with how far a grain may go in a step at the end, and their classes, inertias, laws.
    const double *shapes;
    const unsigned *classes;
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
    unsigned *active[PAIR_CLASSES];
    unsigned *parted;
    // The candidates of each body, in the order of their partners.
    const unsigned *starts;
    const unsigned *entries;
    // Contacts on their way between the host and the device, one after the other.
    const unsigned *touching;
    double *packed;
};

FN unsigned shape_of(const double *record) { return (unsigned)as_bits(record[KINDS]); }
FN unsigned material_of(const double *record) { return (unsigned)(as_bits(record[KINDS]) >> 32) & 0xffffu; }

FN int pair_class(unsigned a, unsigned b) {
    if (b == HALF_SPACE) return a == SPHERE ? SPHERES_ON_HALF_SPACES : ELLIPSOIDS_ON_HALF_SPACES;
    return a == SPHERE && b == SPHERE ? SPHERES : ELLIPSOIDS;
}

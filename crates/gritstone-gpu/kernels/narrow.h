// The solver of each class of pairs.
#pragma once

#include "quartics.h"
#include "superellipsoids.h"

// The rows of a shape for pairs of a class.
template <int CLASS> FN const double *shape_rows(const Params &p, unsigned shape) {
    return p.shapes + (size_t)SHAPE * shape + (has_powers(CLASS) ? WIDE : 0);
}

// Where a solver starts: a direction, or the bodies' points in their frames.
struct Start {
    Vec3 direction, point_a, point_b;
};

template <int CLASS> FN Found solve(const Params &p, const Body &a, const Body &b, const Start &start, bool wants_radii) {
    const double *shape_a = shape_rows<CLASS>(p, a.shape), *shape_b = shape_rows<CLASS>(p, b.shape);
    switch (CLASS) {
    case SPHERES: return solve_spheres(a, b, shape_a, shape_b);
    case SPHERES_ON_HALF_SPACES: return solve_sphere_on_half_space(a, b, shape_a, shape_b);
    case ELLIPSOIDS: return solve_ellipsoids(a, b, shape_a, shape_b, start.direction, wants_radii);
    case ELLIPSOIDS_ON_HALF_SPACES: return solve_ellipsoid_on_half_space(a, b, shape_a, shape_b);
    case QUARTICS: return solve_quartics(a, b, shape_a, shape_b, start.point_a, start.point_b);
    case SUPERELLIPSOIDS: return solve_superellipsoids(a, b, shape_a, shape_b, start.direction);
    default: return solve_superellipsoid_on_half_space(a, b, shape_a, shape_b);
    }
}

//! The shortest link between a point and a polyhedron (\[nezami2006\], section 3.4).

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::space::Polytope;

use super::on_edge;
use crate::polytopes::{Feature, Site};

/// Walks over faces towards `q` until no neighbouring face has a nearer point.
pub(super) fn walk(hull: &Polytope, start: Site<Space>, q: DVec3) -> Site<Space> {
    let mut here = start;
    let mut distance = here.point.distance_squared(q);
    loop {
        let edge;
        let one;
        let faces = match here.feature {
            // A vertex that no edge leads nearer from is the nearest point of all its faces.
            Feature::Vertex(v) if is_nearest(hull, v, q) => return here,
            Feature::Vertex(v) => hull.sectors(v), // case 1
            Feature::Edge(e) => {
                edge = hull.edge(e).faces; // case 2
                &edge[..]
            }
            Feature::Face(f) => {
                one = [f]; // case 3
                &one[..]
            }
        };
        let (before, feature) = (distance, here.feature);
        for &face in faces {
            let site = nearest_on_face(hull, face, q);
            let nearer = site.point.distance_squared(q);
            if nearer < distance {
                (here, distance) = (site, nearer);
            }
        }
        // On a face, or where it was before, it would look at the same faces again.
        if distance == before || here.feature == feature || matches!(here.feature, Feature::Face(_)) {
            return here;
        }
    }
}

/// Whether `q` lies behind all edges that leave a vertex.
fn is_nearest(hull: &Polytope, v: u32, q: DVec3) -> bool {
    let (x, to) = (hull.vertex(v), q - hull.vertex(v));
    hull.neighbours(v).iter().all(|&w| (hull.vertex(w) - x).dot(to) <= 0.0)
}

/// The point of a face nearest to `q`: its foot, or the nearest point of the sides that `q` lies beyond.
fn nearest_on_face(hull: &Polytope, face: u32, q: DVec3) -> Site<Space> {
    let (corners, sides) = (hull.corners(face), hull.sides(face));
    let plane = hull.face(face);
    let mut nearest = None;
    let mut distance = f64::INFINITY;
    let mut v = hull.vertex(corners[corners.len() - 1]);
    // The side that ends at corner k is the one before.
    for (k, &corner) in corners.iter().enumerate() {
        let w = hull.vertex(corner);
        let way = w - v;
        let beyond = way.cross(plane.normal).dot(q - v) > 0.0;
        if beyond {
            let part = ((q - v).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            let nearer = (v + way * part).distance_squared(q);
            if nearer < distance {
                distance = nearer;
                nearest = Some((k, part));
            }
        }
        v = w;
    }
    let Some((k, part)) = nearest else {
        let foot = q - plane.normal * (plane.normal.dot(q) - plane.offset);
        return Site { feature: Feature::Face(face), point: foot };
    };
    let before = if k == 0 { corners.len() - 1 } else { k - 1 };
    // Edges run from their own first end, which may be either.
    let edge = sides[before];
    let forward = hull.edge(edge).vertices[0] == corners[before];
    on_edge(hull, edge, if forward { part } else { 1.0 - part })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gritstone_shape::space::Polyhedron;

    fn cube() -> Polyhedron {
        let corner = |i: u32| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 }));
        Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0
    }

    /// Of a cube the nearest point is known: every coordinate cut to [−1, 1].
    #[test]
    fn walks_end_at_the_nearest_point_of_a_cube() {
        let cube = cube();
        let hull = cube.polytope();
        for (x, y, z) in [(3.0, 0.2, -0.4), (2.0, 1.5, 0.3), (1.2, -4.0, 7.0), (0.1, 0.2, 1.1)] {
            let q = DVec3::new(x, y, z);
            let known = q.clamp(-DVec3::ONE, DVec3::ONE);
            // Faces away from q would hold a walk that starts on them: those that see it lead there.
            for v in (0..8).filter(|&v| hull.vertex(v).dot(q) > 0.0) {
                let start = Site { feature: Feature::Vertex(v), point: hull.vertex(v) };
                let site = walk(hull, start, q);
                assert!(site.point.distance(known) < 1e-15, "{site:?} is not {known}");
                let inner = known.abs().to_array().iter().filter(|t| **t < 1.0).count();
                let kind = match site.feature {
                    Feature::Vertex(_) => 0,
                    Feature::Edge(_) => 1,
                    Feature::Face(_) => 2,
                };
                assert_eq!(kind, inner);
            }
        }
    }
}

//! How far a grain may move before a feature of a mesh can own a contact with it.
//!
//! **Idea.** A feature refuses most grains near it for reasons that only motion can change: a grain is in front of the plane
//! of a facet, it is far behind that plane (on the other side of a sheet or of a thick wall), its centre is inside the
//! wedge behind an edge, or it is beside the feature. Each of these is an inequality between quantities that change by at most a known
//! multiple of the displacement, so what is missing to equality is a gap budget: the pair stays inactive until the bodies have used it
//! up. No contact is solved meanwhile, and nothing is made of the feature.
//!
//! **Beside.** The contacts that a feature owns have their deepest points in the feature F less what its directions N reach: in
//! F ⊕ −cone(N). For a unit vector m with m·n ≥ 0 for all n of N, that is no farther along m than F itself. With m from the nearest
//! point of F to the centre of the grain, the grain can take the distance along m before it gets there. A facet that goes on beyond a
//! concave side is not bounded so.
//!
//! **Notation.** s is the displacement of grain and feature together since now: the centre of the grain moves by at most s,
//! and its support function in any direction changes by at most s.

use glam::DVec3;
use gritstone_contact::Placed;
use gritstone_core::{Dim, Pose, Space};
use gritstone_shape::Support as _;

use super::approach::Approach;
use super::facet_filter::{AHEAD, AT, DEEP};
use super::features::{ConvexEdge, Features, Kind, Star};

/// Sine of the angle by which a direction may be in front of a plane that contains it.
const LEVEL: f64 = 1e-9;
/// Cosine of the angle with the normals of an edge or a corner up to which a direction says that a grain is beside it: more than
/// contacts at its ends may lean.
const BESIDE: f64 = 0.01;

/// A displacement that a pair can take without a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance<D: Dim> {
    /// Displacement of both bodies together up to which the feature owns no contact (m); zero or less if it may now.
    pub(crate) budget: f64,
    /// Direction from the grain to the feature, in world axes.
    pub(crate) direction: D::Vec,
}

/// A grain as seen from a feature.
struct Seen<'g> {
    grain: Placed<'g, Space>,
    pose: &'g Pose<Space>,
    /// Centre of the grain in the frame of the feature.
    centre: DVec3,
    /// How far it went in the last step, and how deep it is in the surface.
    came: f64,
    held: f64,
}

impl Seen<'_> {
    /// How far the grain reaches from its centre against a direction of the feature's frame.
    fn reach_against(&self, normal: DVec3) -> f64 {
        let down = self.grain.pose.rotation.conjugate() * (self.pose.rotation * -normal);
        down.dot(self.grain.shape.support(down))
    }

    /// A budget in a direction out of the feature.
    fn clearance(&self, budget: f64, outwards: DVec3) -> Clearance<Space> {
        Clearance { budget, direction: self.pose.rotation * -outwards }
    }

    /// The same or, if that is more, what is left beside a feature whose nearest point this is, with these normals.
    fn or_beside(
        &self,
        clear: Clearance<Space>,
        nearest: DVec3,
        least: f64,
        mut normals: impl Iterator<Item = DVec3>,
    ) -> Clearance<Space> {
        let line = self.centre - nearest;
        let Some(out) = line.try_normalize() else { return clear };
        if !normals.all(|normal| normal.dot(out) >= least) {
            return clear;
        }
        let beside = line.length() - self.reach_against(out);
        if beside > clear.budget { self.clearance(beside, out) } else { clear }
    }
}

impl Features {
    /// A lower bound of the displacement after which a feature, at `pose`, can own a contact with a grain.
    pub(super) fn clearance(
        &self,
        number: usize,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        approach: &Approach<Space>,
    ) -> Clearance<Space> {
        let centre = pose.to_body(grain.pose.position);
        let (came, held) = (approach.displacement.length(), approach.held.unwrap_or(0.0));
        let seen = Seen { grain, pose, centre, came, held };
        match self.kind(number) {
            Kind::Facet(facet) => self.clearance_of_facet(facet, &seen),
            Kind::Edge(edge) => self.clearance_of_edge(edge, &seen),
            Kind::Corner(corner) => seen.clearance_of_corner(self.star(corner), self.slack()),
        }
    }

    /// A facet owns contacts of grains that reach below its plane, and whose centre is before it by more than [`AHEAD`] times
    /// as much, or was so a step ago. Height and depth change by at most s each. It takes over a grain that another feature
    /// holds when that is as deep there: the two depths approach each other by at most 2 s.
    fn clearance_of_facet(&self, facet: usize, seen: &Seen<'_>) -> Clearance<Space> {
        let normal = self.normal(facet);
        let height = normal.dot(seen.centre);
        let gap = height - seen.reach_against(normal);
        let behind = (-AHEAD * gap - height) / (1.0 + AHEAD) - seen.came;
        let behind = behind.min(0.5 * (-gap - seen.held));
        let clear = seen.clearance(gap.max(behind), normal);
        if !self.is_convex(facet) {
            return clear;
        }
        let ([low, high], origin) = (self.bounds(facet), self.origin(facet));
        let nearest = seen.centre.clamp(low - origin, high - origin);
        seen.or_beside(clear, nearest, 0.0, std::iter::once(normal))
    }

    /// An edge owns contacts whose direction m lies between the normals of its facets, m = α n₁ + β n₂ with α, β ≥ 0, with
    /// the centre before it along m: not those of grains whose centre is behind both facets. And it owns none of grains that
    /// are in front of one of the planes between these.
    fn clearance_of_edge(&self, edge: &ConvexEdge, seen: &Seen<'_>) -> Clearance<Space> {
        let [from, to] = self.ends(edge);
        let (along, half) = ((to - from).normalize(), 0.5 * (to - from).length());
        let normals = self.normals(edge);
        let at = seen.centre.dot(along);
        let across = seen.centre - along * at;
        let [first, second] = normals.map(|normal| normal.dot(across));
        let nearer = if first >= second { normals[0] } else { normals[1] };
        if first.max(second) <= 0.0 {
            return seen.clearance(-first.max(second) - seen.came, nearer);
        }
        // The direction to the centre if it is between the normals, else the normal beside it.
        let middle = across.normalize_or(nearer);
        let between = normals[0].cross(middle).dot(along) > 0.0 && middle.cross(normals[1]).dot(along) > 0.0;
        let outwards = if between { middle } else { nearer };
        let clear = seen.clearance(outwards.dot(across) - seen.reach_against(outwards), outwards);
        // Where it runs into the body it goes on.
        let half = half + self.slack() + (DEEP + AT) * seen.grain.shape.size();
        seen.or_beside(clear, along * at.clamp(-half, half), BESIDE, normals.into_iter())
    }
}

impl Seen<'_> {
    /// A corner, at the origin, owns contacts whose direction m leads away from all its edges, with the centre before it along m. All
    /// such m are sums of the normals of the cone that its edges span, with factors that are not negative: as for an edge.
    fn clearance_of_corner(&self, star: &Star, slack: f64) -> Clearance<Space> {
        let from = self.centre;
        let highest = star.normals.iter().copied().max_by(|a, b| a.dot(from).total_cmp(&b.dot(from)));
        let Some(highest) = highest else {
            return Clearance { budget: 0.0, direction: DVec3::ZERO };
        };
        if highest.dot(from) <= 0.0 {
            return self.clearance(-highest.dot(from) - self.came, highest);
        }
        let middle = from.normalize_or(highest);
        let leads_away = star.edges.iter().all(|edge| edge.dot(middle) < 0.0);
        let outwards = if leads_away { middle } else { highest };
        let clear = self.clearance(outwards.dot(from) - self.reach_against(outwards), outwards);
        let slack = slack + AT * self.grain.shape.size();
        self.or_beside(clear, from.clamp_length_max(slack), BESIDE, star.normals.iter().copied())
    }
}

/// Outward normals of the sides of the cone that some directions span: each contains two of them and has all others behind it.
pub(super) fn cone_normals(edges: &[DVec3]) -> Vec<DVec3> {
    let mut normals: Vec<DVec3> = Vec::new();
    for (i, a) in edges.iter().enumerate() {
        for b in &edges[i + 1..] {
            let Some(normal) = a.cross(*b).try_normalize() else { continue };
            for normal in [normal, -normal] {
                if edges.iter().all(|edge| edge.dot(normal) <= LEVEL) {
                    normals.push(normal);
                }
            }
        }
    }
    normals
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DQuat;
    use gritstone_contact::space::{Auto, Method as _, Scratch};
    use gritstone_contact::{Query, Verdict};
    use gritstone_shape::space::{Ellipsoid, Polyhedron, Solid, Sphere};

    use super::super::facet_filter::Ownership;
    use super::super::mesh::{Sides, TriangleMesh};
    use super::*;
    use crate::insertion::random::RandomStream;

    /// The cone of a cube's corner has its three faces as sides; an edge within the cone adds none.
    #[test]
    fn a_corner_of_a_cube_has_three_normals() {
        let edges = [-DVec3::X, -DVec3::Y, -DVec3::Z, -DVec3::ONE.normalize()];
        let normals = cone_normals(&edges);
        assert_eq!(normals.len(), 3, "{normals:?}");
        assert!(DVec3::AXES.iter().all(|axis| normals.contains(axis)), "{normals:?}");
    }

    /// A ball of radius 1 and the corner of a cube at the origin: closed forms of what is left before it, beside it and behind it.
    #[test]
    fn a_corner_tells_how_far_a_ball_is() {
        let edges = vec![-DVec3::X, -DVec3::Y, -DVec3::Z];
        let star = Star { normals: cone_normals(&edges), edges };
        let ball: Solid = Sphere::new(1.0).unwrap().into();
        let budget = |centre: DVec3| {
            let grain = Placed { shape: &ball, pose: Pose::at(centre) };
            let pose = Pose::default();
            Seen { grain, pose: &pose, centre, came: 0.0, held: 0.0 }.clearance_of_corner(&star, 0.0).budget
        };
        assert!((budget(DVec3::splat(1.0)) - (3_f64.sqrt() - 1.0)).abs() < 1e-15);
        assert!((budget(DVec3::new(-2.0, -0.5, 1.75)) - 0.75).abs() < 1e-15);
        assert!((budget(DVec3::new(-2.0, -0.5, -3.0)) - 0.5).abs() < 1e-15);
        // In the planes of two faces or above them, beside the corner: as far as the point is, but for how near it counts as there.
        let beside = DVec3::new(0.1, 0.1, 3.0);
        assert!((budget(beside) - (beside.length() - 1.0)).abs() < 1e-5);
    }

    /// Grains near a bumpy sheet that move by less than what is left get no contact with the feature, whichever way they go.
    #[test]
    fn no_feature_owns_a_contact_before_its_budget_is_used_up() {
        let mut random = RandomStream::new(3);
        let count = 6_usize;
        let heights: Vec<f64> = (0..(count + 1).pow(2)).map(|_| 0.5 * random.unit()).collect();
        let at = |i: usize, j: usize| DVec3::new(i as f64, j as f64, heights[i * (count + 1) + j]);
        let squares = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        let triangles: Vec<[DVec3; 3]> = squares
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect();
        let mesh = TriangleMesh::new(&triangles, Sides::Both).unwrap();
        let features = Features::new(&Arc::new(mesh), 2.0);
        let cube: Vec<DVec3> =
            (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
        let shapes: [Solid; 4] = [
            Sphere::new(0.6).unwrap().into(),
            Sphere::new(2.0).unwrap().into(),
            Ellipsoid::new(DVec3::new(0.3, 0.6, 1.2)).unwrap().into(),
            Polyhedron::hull(&cube).unwrap().0.into(),
        ];
        let mut scratch = Scratch::default();
        let (mut apart, mut owned, mut beside) = (0, 0, 0);
        for round in 0..20_000 {
            let shape = &shapes[round % shapes.len()];
            let number = (random.unit() * features.count() as f64) as usize;
            let pose = Pose::at(features.origin(number));
            let mut vector =
                |size: f64| (DVec3::new(random.unit(), random.unit(), random.unit()) - 0.5) * 2.0 * size;
            let turn = DQuat::from_scaled_axis(vector(3.0));
            let mut grain = Placed { shape, pose: Pose::new(pose.position + vector(2.5), turn) };
            let approach = Approach::default();
            let clear = features.clearance(number, grain, &pose, &approach);
            if clear.budget > 0.0 {
                let way = vector(1.0).normalize_or(clear.direction);
                let way = if round % 3 == 0 { clear.direction } else { way };
                grain.pose.position += way * (0.999 * clear.budget);
            }
            let Some(body) = features.make(number) else { continue };
            let half_space = features.half_space(number);
            let own = match (&body.shape, &half_space) {
                (Some(shape), _) => Placed { shape, pose: Pose::at(pose.position + body.centre) },
                (None, Some(shape)) => Placed { shape, pose },
                (None, None) => continue,
            };
            let answer = Auto.solve(grain, own, Query::default(), &mut scratch).unwrap();
            let Verdict::Solved(contact) = answer.verdict else { continue };
            let is_owned = contact.gap < 0.0
                && body.filter.admits(grain, &pose, &contact, &approach, &mut scratch) == Ownership::Yes;
            if clear.budget > 0.0 {
                apart += 1;
                beside += usize::from(contact.gap < 0.0);
                assert!(!is_owned, "feature {number}, round {round}: {clear:?} {contact:?}");
            } else {
                owned += usize::from(is_owned);
            }
        }
        assert!(apart > 5_000 && owned > 100 && beside > 300, "{apart} {owned} {beside}");
    }
}

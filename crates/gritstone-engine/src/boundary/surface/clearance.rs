//! How far a grain may move before a feature of a mesh can own a contact with it.
//!
//! **Idea.** A feature refuses most grains near it for reasons that only motion can change: a grain is in front of the plane
//! of a facet, it is far behind that plane (on the other side of a sheet or of a thick wall), or its centre is inside the
//! wedge behind an edge. Each of these is an inequality between quantities that change by at most a known multiple of the
//! displacement, so what is missing to equality is a gap budget: the pair stays inactive until the bodies have used it up.
//! No contact is solved meanwhile.
//!
//! **Notation.** s is the displacement of grain and feature together since now: the centre of the grain moves by at most s,
//! and its support function in any direction changes by at most s.

use glam::DVec3;
use gritstone_contact::Placed;
use gritstone_core::{Dim, Pose, Space};
use gritstone_shape::Support as _;

use super::approach::Approach;
use super::facet_filter::{AHEAD, Corner, Edge, FacetFilter, Outline};

/// Sine of the angle by which a direction may be in front of a plane that contains it.
const LEVEL: f64 = 1e-9;

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

    /// Towards the feature, where `outwards` is a normal of it.
    fn direction(&self, outwards: DVec3) -> DVec3 {
        self.pose.rotation * -outwards
    }
}

impl FacetFilter {
    /// A lower bound of the displacement after which this feature, at `pose`, can own a contact with a grain.
    pub(crate) fn clearance(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        approach: &Approach<Space>,
    ) -> Clearance<Space> {
        let centre = pose.to_body(grain.pose.position);
        let (came, held) = (approach.displacement.length(), approach.held.unwrap_or(0.0));
        let seen = Seen { grain, pose, centre, came, held };
        match self {
            Self::Facet(outline) => outline.clearance(&seen),
            Self::Edge(edge) => edge.clearance(&seen),
            Self::Corner(corner) => corner.clearance(&seen),
            Self::Band(band) => band.clearance(grain, pose),
            Self::Annulus(annulus) => annulus.clearance(grain, pose),
        }
    }
}

impl Outline {
    /// A facet owns contacts of grains that reach below its plane, and whose centre is before it by more than [`AHEAD`] times
    /// as much, or was so a step ago. Height and depth change by at most s each. It takes over a grain that another feature
    /// holds when that is as deep there: the two depths approach each other by at most 2 s.
    fn clearance(&self, seen: &Seen<'_>) -> Clearance<Space> {
        let height = self.normal.dot(seen.centre);
        let gap = height - seen.reach_against(self.normal);
        let behind = (-AHEAD * gap - height) / (1.0 + AHEAD) - seen.came;
        let behind = behind.min(0.5 * (-gap - seen.held));
        Clearance { budget: gap.max(behind), direction: seen.direction(self.normal) }
    }
}

impl Edge {
    /// An edge owns contacts whose direction m lies between the normals of its facets, m = α n₁ + β n₂ with α, β ≥ 0, with
    /// the centre before it along m: not those of grains whose centre is behind both facets. And it owns none of grains that
    /// are in front of one of the planes between these.
    fn clearance(&self, seen: &Seen<'_>) -> Clearance<Space> {
        let from = seen.centre - self.from;
        let across = from - self.along * from.dot(self.along);
        let [first, second] = self.normals.map(|normal| normal.dot(across));
        let nearer = if first >= second { self.normals[0] } else { self.normals[1] };
        if first.max(second) <= 0.0 {
            return Clearance { budget: -first.max(second) - seen.came, direction: seen.direction(nearer) };
        }
        // The direction to the centre if it is between the normals, else the normal beside it.
        let middle = across.normalize_or(nearer);
        let between = self.normals[0].cross(middle).dot(self.along) > 0.0
            && middle.cross(self.normals[1]).dot(self.along) > 0.0;
        let outwards = if between { middle } else { nearer };
        let gap = outwards.dot(across) - seen.reach_against(outwards);
        Clearance { budget: gap, direction: seen.direction(outwards) }
    }
}

impl Corner {
    /// A corner owns contacts whose direction m leads away from all its edges, with the centre before it along m. All such m
    /// are sums of the normals of the cone that its edges span, with factors that are not negative: as for an edge.
    fn clearance(&self, seen: &Seen<'_>) -> Clearance<Space> {
        let from = seen.centre - self.point;
        let highest = self.normals.iter().copied().max_by(|a, b| a.dot(from).total_cmp(&b.dot(from)));
        let Some(highest) = highest else {
            return Clearance { budget: 0.0, direction: DVec3::ZERO };
        };
        if highest.dot(from) <= 0.0 {
            return Clearance { budget: -highest.dot(from) - seen.came, direction: seen.direction(highest) };
        }
        let middle = from.normalize_or(highest);
        let leads_away = self.edges.iter().all(|edge| edge.dot(middle) < 0.0);
        let outwards = if leads_away { middle } else { highest };
        let gap = outwards.dot(from) - seen.reach_against(outwards);
        Clearance { budget: gap, direction: seen.direction(outwards) }
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
    use super::*;
    use gritstone_shape::space::{Solid, Sphere};

    /// The cone of a cube's corner has its three faces as sides; an edge within the cone adds none.
    #[test]
    fn a_corner_of_a_cube_has_three_normals() {
        let edges = [-DVec3::X, -DVec3::Y, -DVec3::Z, -DVec3::ONE.normalize()];
        let normals = cone_normals(&edges);
        assert_eq!(normals.len(), 3, "{normals:?}");
        assert!(DVec3::AXES.iter().all(|axis| normals.contains(axis)), "{normals:?}");
    }

    /// A ball of radius 1 and the corner of a cube at the origin: closed forms of what is left before it and behind it.
    #[test]
    fn a_corner_tells_how_far_a_ball_is() {
        let edges = vec![-DVec3::X, -DVec3::Y, -DVec3::Z];
        let corner = Corner { point: DVec3::ZERO, normals: cone_normals(&edges), edges, slack: 0.0 };
        let filter = FacetFilter::Corner(corner);
        let ball: Solid = Sphere::new(1.0).unwrap().into();
        let budget = |x: DVec3| {
            let ball = Placed { shape: &ball, pose: Pose::at(x) };
            filter.clearance(ball, &Pose::at(DVec3::ZERO), &Approach::default())
        };
        let before = DVec3::splat(1.0);
        assert!((budget(before).budget - (3_f64.sqrt() - 1.0)).abs() < 1e-15);
        assert!((budget(DVec3::new(-2.0, -0.5, 1.75)).budget - 0.75).abs() < 1e-15);
        assert!((budget(DVec3::new(-2.0, -0.5, -3.0)).budget - 0.5).abs() < 1e-15);
    }
}

//! Contacts at several points with features that find their contacts themselves.

use gritstone_core::Linear as _;
use gritstone_force::{PointSpring, PressedPoint, Touch, radius};

use super::general::Task;
use crate::bodies::Bodies;
use crate::boundary::surface::PointKind;
use crate::contacts::BodyPair;
use crate::dimension::Dimension;
use crate::setup::RadiusRule;
use crate::workspace::Workspace;

impl<D: Dimension> Task<'_, D> {
    /// The points of a contact with a feature that has just been found, with levers from `point`: none where a single point of a curved
    /// surface describes it, and for other bodies.
    #[inline]
    pub(super) fn find_points(
        &self,
        pair: BodyPair,
        touch: &Touch<D>,
        point: D::Vec,
        workspace: &mut Workspace<D>,
    ) {
        let Workspace { scratch, found, points, .. } = workspace;
        points.clear();
        let Some(feature) = self.bodies.features.get(pair.b).filter(|_| touch.depth > 0.0) else { return };
        found.clear();
        let pose = self.bodies.records[pair.b as usize].pose();
        D::points(&feature.filter, self.bodies.placed(pair.a), &pose, scratch, found);
        if let [single] = found[..]
            && let PointKind::Curved(_) = single.kind
        {
            return;
        }
        points.extend(found.iter().map(|found| PressedPoint {
            sign: found.sign,
            lever: found.point - point,
            normal: found.normal,
            depth: found.depth,
            spring: match found.kind {
                PointKind::Curved(curvature) => PointSpring::Curved(self.radius(pair, curvature)),
                PointKind::Corner { area, share } => PointSpring::Corner { area, share },
            },
        }));
    }

    /// Effective radius of a contact with this relative curvature.
    #[inline]
    pub(super) fn radius(&self, pair: BodyPair, curvature: D::Curvature) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|slot| &self.bodies.records[slot as usize]);
        match self.laws.rules().radius {
            RadiusRule::Curvature if self.bodies.crown(pair) == 0.0 => {
                radius::from_curvature::<D>(curvature, self.bodies.smaller_size(pair.a, pair.b))
            }
            // Of a crowned body it says how slight the crown is.
            _ => radius::from_radii(a.radius, b.radius),
        }
    }
}

impl<D: Dimension> Bodies<D> {
    /// How much two bodies yield to a force on b at a point, and a torque: `W·M⁻¹·W` over both, where nothing holds them.
    pub(crate) fn yields_to(&self, pair: BodyPair, point: D::Vec, force: D::Vec, torque: D::Spin) -> f64 {
        let square = force.dot(force);
        let of = |slot: u32| {
            let record = &self.records[slot as usize];
            let moved = square / record.mass;
            if !self.yields(slot) {
                return moved;
            }
            let about = torque + D::moment(point - record.position, force);
            let inertia = &self.shapes[record.shape as usize].inertia;
            moved + about.dot(D::spin(inertia, record.rotation, about)) / record.mass
        };
        of(pair.a) + of(pair.b)
    }
}

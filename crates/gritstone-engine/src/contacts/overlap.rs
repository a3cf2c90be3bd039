//! Contacts of bodies that are bounded by planes: their overlap is measured, and found again while they hardly move.
//!
//! **Idea.** The force of such a contact follows from the region that the bodies have in common, wherever the narrow phase put
//! its point. In a bed at rest the bodies of a contact move by far less than they overlap: as long as they have moved against each
//! other by less than a hundredth of the depth since the overlap was found, the same faces bound it, and it is found again from where
//! these are now ([`Outline`]), without a search. Nothing is extrapolated but the gap, which no law of these contacts reads.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Outline, Overlap, OverlapIntegrals, View, is_flat};
use gritstone_contact::{NarrowPhase, Placed};
use gritstone_core::{Contact, Space};
use gritstone_force::{
    FacetForce, History, Interaction, Load, OverlapMoments, PressedOverlap, Touch, Wrench,
};
use serde::{Deserialize, Serialize};

use crate::bodies::kinematics::Storable;

/// How far the bodies may move against each other until their contact is found again, as a fraction of its depth.
const FAR: f64 = 0.01;

/// Overlaps of flat bodies in a dimension. There are none where nothing is implemented.
pub trait OverlapContacts: NarrowPhase {
    /// Workspace.
    type Overlap: Default + Send;
    /// What is kept of an overlap.
    type OverlapCache: Clone + std::fmt::Debug + Default + Send + Sync + Storable;

    /// Whether two bodies push each other at this contact by the energy of their overlap.
    fn meet_by_overlap(_: [Placed<'_, Self>; 2], _: &Contact<Self>) -> bool {
        false
    }

    /// The overlap of two bodies; none where it has no volume but rounding.
    fn measure_overlap(
        _: &mut Self::Overlap,
        _: [Placed<'_, Self>; 2],
        _: &Contact<Self>,
    ) -> Option<OverlapMoments> {
        None
    }

    /// Keeps the overlap that was measured last.
    fn keep_overlap(
        _: &mut Self::OverlapCache,
        _: &Self::Overlap,
        _: [Placed<'_, Self>; 2],
        _: &Contact<Self>,
        _: &OverlapMoments,
    ) {
    }

    /// Finds an overlap again where its bodies are now, unless they have moved too far.
    fn follow_overlap(
        _: &Self::OverlapCache,
        _: &mut Self::Overlap,
        _: [Placed<'_, Self>; 2],
    ) -> Option<(Contact<Self>, OverlapMoments)> {
        None
    }

    /// The overlap of several pairs at the contact of one of them, as one; calls `volume` with the number of each pair and the volume of its
    /// overlap.
    fn add_overlaps<'w>(
        _: &mut Self::Overlap,
        _: impl Iterator<Item = [Placed<'w, Self>; 2]>,
        _: &Contact<Self>,
        _: impl FnMut(usize, f64),
    ) -> Option<OverlapMoments> {
        None
    }

    /// What an overlap does but for friction: see [`Interaction::press_overlap`].
    fn press_overlap(
        _: &Interaction,
        _: &Touch<Self>,
        _: &OverlapMoments,
        _: Option<f64>,
        _: f64,
        _: impl Fn(Self::Vec, Self::Spin) -> f64,
    ) -> Option<PressedOverlap> {
        None
    }

    /// What facets of a surface in a grain do but for friction: see [`Interaction::press_facets`].
    fn press_facets(
        _: &Interaction,
        _: &Touch<Self>,
        _: &FacetForce,
        _: Option<f64>,
        _: f64,
        _: impl Fn(Self::Vec, Self::Spin) -> f64,
    ) -> Option<PressedOverlap> {
        None
    }

    /// How much alike the direction of a contact and that of the force of facets are: the cosine of the angle.
    fn alike(_: Self::Vec, _: &FacetForce) -> f64 {
        0.0
    }

    /// The load of a contact that has this share of an overlap.
    fn load_pressed(
        law: &Interaction,
        touch: &Touch<Self>,
        _: &PressedOverlap,
        _: f64,
        history: &mut History<Self>,
        dt: f64,
    ) -> Load<Self> {
        law.load(touch, history, dt)
    }

    /// What an overlap does: see [`Interaction::load_overlap`].
    fn load_overlap(
        law: &Interaction,
        touch: &Touch<Self>,
        _: Option<&OverlapMoments>,
        history: &mut History<Self>,
        dt: f64,
        _: impl Fn(Self::Vec, Self::Spin) -> f64,
    ) -> Load<Self> {
        law.load(touch, history, dt)
    }
}

/// An overlap with the place of its contact on both bodies.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct OverlapCache {
    outline: Outline,
    /// The middle of the contact in the frames of a and b, and the normal in that of a.
    points: [DVec3; 2],
    normal: DVec3,
    /// From the axes of b to those of a.
    turn: DQuat,
    gap: f64,
    /// How far the overlap reaches from the point, about.
    extent: f64,
    curvature: [f64; 2],
}

impl OverlapCache {
    /// The contact where it is now, unless the bodies have moved too far.
    #[inline]
    fn contact(&self, [a, b]: [&Placed<'_, Space>; 2]) -> Option<Contact<Space>> {
        if !self.outline.is_some() {
            return None;
        }
        let [at_a, at_b] = [a.pose.to_world(self.points[0]), b.pose.to_world(self.points[1])];
        let turned = (a.pose.rotation * self.turn).conjugate() * b.pose.rotation;
        let way = at_b - at_a;
        let far = way.length() + 2.0 * turned.xyz().length() * self.extent;
        if far.is_nan() || far > -FAR * self.gap {
            return None;
        }
        let (normal, point) = (a.pose.rotation * self.normal, (at_a + at_b) * 0.5);
        let gap = self.gap + way.dot(normal);
        let reach = normal * (0.5 * gap);
        Some(Contact {
            point_a: point - reach,
            point_b: point + reach,
            normal,
            gap,
            curvature: self.curvature,
        })
    }
}

impl OverlapContacts for Space {
    type Overlap = Overlap;
    type OverlapCache = OverlapCache;

    #[inline]
    fn meet_by_overlap([a, b]: [Placed<'_, Self>; 2], _: &Contact<Self>) -> bool {
        is_flat(a.shape) && is_flat(b.shape)
    }

    fn measure_overlap(
        overlap: &mut Overlap,
        [a, b]: [Placed<'_, Self>; 2],
        contact: &Contact<Self>,
    ) -> Option<OverlapMoments> {
        overlap.measure(a, b, contact).map(|found| moments(&found))
    }

    fn keep_overlap(
        cache: &mut OverlapCache,
        overlap: &Overlap,
        [a, b]: [Placed<'_, Self>; 2],
        contact: &Contact<Self>,
        moments: &OverlapMoments,
    ) {
        let point = contact.midpoint();
        *cache = OverlapCache {
            outline: overlap.outline().unwrap_or_default(),
            points: [a.pose.to_body(point), b.pose.to_body(point)],
            normal: a.pose.rotation.conjugate() * contact.normal,
            turn: a.pose.rotation.conjugate() * b.pose.rotation,
            gap: contact.gap,
            extent: 2.0 * moments.covariance.trace().sqrt() + moments.centroid.length(),
            curvature: contact.curvature,
        };
    }

    #[inline]
    fn follow_overlap(
        cache: &OverlapCache,
        overlap: &mut Overlap,
        [a, b]: [Placed<'_, Self>; 2],
    ) -> Option<(Contact<Self>, OverlapMoments)> {
        let contact = cache.contact([&a, &b])?;
        let found = overlap.follow(&cache.outline, a, b, &View::new(&contact))?;
        Some((contact, moments(&found)))
    }

    fn add_overlaps<'w>(
        overlap: &mut Overlap,
        pairs: impl Iterator<Item = [Placed<'w, Self>; 2]>,
        contact: &Contact<Self>,
        mut volume: impl FnMut(usize, f64),
    ) -> Option<OverlapMoments> {
        let view = View::new(contact);
        overlap.clear();
        for (number, [a, b]) in pairs.enumerate() {
            volume(number, overlap.add(a, b, &view));
        }
        overlap.integrals(&view).map(|found| moments(&found))
    }

    fn press_overlap(
        law: &Interaction,
        touch: &Touch<Self>,
        moments: &OverlapMoments,
        last: Option<f64>,
        dt: f64,
        yielding: impl Fn(DVec3, DVec3) -> f64,
    ) -> Option<PressedOverlap> {
        law.press_overlap(touch, moments, last, dt, |wrench| yielding(wrench.force, wrench.torque))
    }

    fn press_facets(
        law: &Interaction,
        touch: &Touch<Self>,
        facets: &FacetForce,
        last: Option<f64>,
        dt: f64,
        yielding: impl Fn(DVec3, DVec3) -> f64,
    ) -> Option<PressedOverlap> {
        law.press_facets(touch, facets, last, dt, |wrench| yielding(wrench.force, wrench.torque))
    }

    fn alike(normal: DVec3, facets: &FacetForce) -> f64 {
        normal.dot(facets.found.elastic.force.normalize_or_zero())
    }

    fn load_pressed(
        law: &Interaction,
        touch: &Touch<Self>,
        pressed: &PressedOverlap,
        share: f64,
        history: &mut History<Self>,
        dt: f64,
    ) -> Load<Self> {
        law.load_pressed(touch, pressed, share, history, dt)
    }

    #[inline]
    fn load_overlap(
        law: &Interaction,
        touch: &Touch<Self>,
        moments: Option<&OverlapMoments>,
        history: &mut History<Self>,
        dt: f64,
        yielding: impl Fn(DVec3, DVec3) -> f64,
    ) -> Load<Self> {
        law.load_overlap(touch, moments, history, dt, |wrench| yielding(wrench.force, wrench.torque))
    }
}

/// As laws take them.
#[inline]
fn moments(found: &OverlapIntegrals) -> OverlapMoments {
    let wrench = |w: gritstone_contact::space::Wrench| Wrench { force: w.force, torque: w.torque };
    OverlapMoments {
        in_plane: false,
        volume: found.volume,
        centroid: found.centroid,
        covariance: found.covariance,
        thinness: found.thinness,
        uniform: wrench(found.uniform),
        quadratic: wrench(found.quadratic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gritstone_contact::Query;
    use gritstone_contact::space::{Auto, Memory, Scratch};
    use gritstone_core::Pose;
    use gritstone_shape::space::{Polyhedron, Solid};

    use crate::insertion::random::RandomStream;

    fn measured(
        shape: &Solid,
        poses: [Pose<Space>; 2],
        overlap: &mut Overlap,
    ) -> (Contact<Space>, OverlapMoments) {
        let [a, b] = poses.map(|pose| Placed { shape, pose });
        let answer =
            Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut Scratch::default()).unwrap();
        let contact = *answer.contact().unwrap();
        let moments = Space::measure_overlap(overlap, [a, b], &contact).unwrap();
        (contact, moments)
    }

    /// Cubes on each other in all ways: as far as an overlap is followed, it is what is found, but for pieces that begin or end on
    /// the way, whose volume is of the second order. Where sides are flush, either body's may bound the overlap: the force leans by the
    /// pressure on a side, which is no more than its area over that of the face.
    #[test]
    fn what_is_followed_is_what_is_found() {
        let sign = |bit: usize| [-1.0, 1.0][bit & 1];
        let corners: Vec<DVec3> = (0..8).map(|i| DVec3::new(sign(i), sign(i >> 1), sign(i >> 2))).collect();
        let cube = Solid::from(Polyhedron::hull(&corners).unwrap().0);
        let mut random = RandomStream::new(7);
        let mut overlap = Overlap::default();
        let (mut worst, mut flush, mut followed) = ([0.0_f64; 3], 0.0_f64, 0);
        for case in 0..400 {
            let [turn_a, turn_b] = [random.rotation(), random.rotation()];
            // Every fourth time face on face.
            let turn_b = if case % 4 == 0 { turn_a } else { turn_b };
            let c = if case % 4 == 0 { turn_a * DVec3::Z } else { random.rotation() * DVec3::Z };
            let (a, mut b) = (Pose::new(DVec3::ZERO, turn_a), Pose::new(c * 2.5, turn_b));
            for _ in 0..20 {
                let (contact, _) = {
                    let placed = [a, b].map(|pose| Placed { shape: &cube, pose });
                    let answer = Auto
                        .solve_warm(
                            placed[0],
                            placed[1],
                            Query::default(),
                            &mut Memory::default(),
                            &mut Scratch::default(),
                        )
                        .unwrap();
                    (*answer.contact().unwrap(), ())
                };
                b.position -= contact.normal * (contact.gap + 1e-3);
            }
            let (contact, moments) = measured(&cube, [a, b], &mut overlap);
            let mut cache = OverlapCache::default();
            let bodies = [a, b].map(|pose| Placed { shape: &cube, pose });
            Space::keep_overlap(&mut cache, &overlap, bodies, &contact, &moments);
            // Both turn and move as one, and b a little against a.
            let (whole, way) = (random.rotation(), random.rotation() * DVec3::Z);
            let own = DQuat::from_scaled_axis(random.rotation() * DVec3::Z * (0.2 * FAR * 1e-3));
            let against = random.rotation() * DVec3::Z * (0.3 * FAR * 1e-3);
            let point = contact.midpoint();
            let b = Pose::new(point + own * (b.position - point) + against, own * b.rotation);
            let carried = |pose: Pose<Space>| Pose::new(way + whole * pose.position, whole * pose.rotation);
            let poses = [carried(a), carried(b)];
            let bodies = poses.map(|pose| Placed { shape: &cube, pose });
            let Some((there, found)) = Space::follow_overlap(&cache, &mut overlap, bodies) else { continue };
            followed += 1;
            let (expected, exact) = measured(&cube, poses, &mut overlap);
            let force = |m: &OverlapMoments| Interaction::hertz(1e5, 1e5).overlap_force(m).elastic.force;
            let mut off = [
                (found.volume / exact.volume - 1.0).abs(),
                (force(&found) - force(&exact)).length() / force(&exact).length(),
                (there.gap / expected.gap - 1.0).abs(),
            ];
            if case % 4 == 0 {
                flush = flush.max(off[1]);
                off[1] = 0.0;
            }
            for (worst, off) in worst.iter_mut().zip(off) {
                *worst = worst.max(off);
            }
        }
        let [volume, force, gap] = worst;
        assert!(followed > 350, "{followed}");
        assert!(volume < FAR * FAR && force < FAR * FAR && gap < FAR, "{worst:?}");
        assert!(flush < 1e-3 * 2.0 / 4.0, "{flush:e}");
    }
}

//! Contacts whose bodies push each other by the energy of their overlap.

use gritstone_contact::Placed;
use gritstone_core::Contact;
use gritstone_force::{FacetForce, History, OverlapMoments};

use super::{BodyPair, ContactForce, GeneralContacts, StepStats, Task};
use crate::boundary::surface::FacetWork;
use crate::contacts::shared_overlap::{self, OverlapMember};
use crate::dimension::Dimension;
use crate::workspace::{Workspace, Workspaces};

/// Depth of a contact relative to the smaller grain's size up to which its overlap may be lost in rounding.
const ROUNDING: f64 = 1e-11;

impl<D: Dimension> GeneralContacts<D> {
    /// Loads the overlaps that waited for others; returns how many of them could not be found.
    pub(super) fn load_overlaps_together(&mut self, task: &Task<'_, D>, workspaces: &Workspaces<D>) -> u32 {
        let Self { histories, forces, results, overlap_members: members, .. } = self;
        members.clear();
        results.iter().for_each(|results| members.extend_from_slice(&results.overlaps));
        shared_overlap::settle(members, |whole| {
            workspaces.with(|workspace| match whole.first() {
                Some(member) if member.is_faceted => task.load_facets(whole, workspace),
                _ => task.load_whole(whole, workspace),
            });
        });
        for member in &*members {
            (histories[member.number], forces[member.number]) = member.answer();
        }
        members.iter().filter(|member| member.unresolved).count() as u32
    }
}

impl<D: Dimension> Task<'_, D> {
    /// Loads overlaps that act as one.
    fn load_whole(&self, members: &mut [OverlapMember<D>], workspace: &mut Workspace<D>) {
        let deeper = |a: &&OverlapMember<D>, b: &&OverlapMember<D>| b.contact.gap.total_cmp(&a.contact.gap);
        let Some(&OverlapMember { bodies: pair, contact, .. }) = members.iter().max_by(deeper) else {
            return;
        };
        let Some(touch) = self.touch(pair, &contact, &mut StepStats::default()) else { return };
        let mut volumes = std::mem::take(&mut workspace.volumes);
        volumes.clear();
        let pairs = members.iter().filter_map(|member| self.overlapping(member.bodies, &member.contact));
        let moments =
            D::add_overlaps(&mut workspace.overlap, pairs, &contact, |_, volume| volumes.push(volume));
        let touching = members.iter().filter(|member| member.history.touching());
        let last = touching.map(|member| member.history.normal_force).reduce(|sum, force| sum + force);
        let (law, point) = (self.laws.between(self.bodies, pair), contact.midpoint());
        let yielding = |force, torque| self.yielding(pair, point, force, torque);
        let pressed =
            moments.and_then(|moments| D::press_overlap(law, &touch, &moments, last, self.dt, yielding));
        let all: f64 = volumes.iter().sum();
        for (member, volume) in members.iter_mut().zip(&volumes) {
            let Some(pressed) = &pressed else {
                self.load_lost(member);
                continue;
            };
            let share = volume / all;
            let load = D::load_pressed(law, &touch, pressed, share, &mut member.history, self.dt);
            member.force = ContactForce::new(&load, point);
        }
        workspace.volumes = volumes;
    }

    /// Loads the contacts of a grain with a surface whose facets it meets as a whole.
    fn load_facets(&self, members: &mut [OverlapMember<D>], workspace: &mut Workspace<D>) {
        let deeper = |a: &&OverlapMember<D>, b: &&OverlapMember<D>| b.contact.gap.total_cmp(&a.contact.gap);
        let Some(&OverlapMember { bodies: pair, contact, .. }) = members.iter().max_by(deeper) else {
            return;
        };
        let Some(touch) = self.touch(pair, &contact, &mut StepStats::default()) else { return };
        let (law, point) = (self.laws.between(self.bodies, pair), contact.midpoint());
        self.integrate_facets(members, point, &mut workspace.facets);
        members.iter_mut().for_each(|member| {
            member.force = ContactForce { point, ..ContactForce::default() };
            member.unresolved = false;
        });
        let mut forces = std::mem::take(&mut workspace.facet_forces);
        forces.clear();
        forces.resize(members.len(), None);
        for (_, sums) in workspace.facets.sums.iter().filter(|(_, sums)| sums.square > 0.0) {
            let force = law.facet_force(sums);
            let alike = |i: &usize| D::alike(members[*i].contact.normal, &force);
            let best = (0..members.len()).max_by(|i, k| alike(i).total_cmp(&alike(k)).then(k.cmp(i)));
            let Some(place) = best.and_then(|best| forces.get_mut(best)) else { continue };
            *place = Some(place.as_ref().map_or(force, |other: &FacetForce| other.and(&force)));
        }
        let yielding = |force, torque| self.yielding(pair, point, force, torque);
        for (number, force) in forces.iter().enumerate() {
            let Some(force) = force else { continue };
            let history = &members[number].history;
            let last = history.touching().then_some(history.normal_force);
            let Some(pressed) = D::press_facets(law, &touch, force, last, self.dt, yielding) else {
                continue;
            };
            let load = D::load_pressed(law, &touch, &pressed, 1.0, &mut members[number].history, self.dt);
            members[number].force = ContactForce::new(&load, point);
        }
        workspace.facet_forces = forces;
    }

    /// Finds what of a surface's facets is in the parts of a grain that have contacts with it.
    fn integrate_facets(&self, members: &[OverlapMember<D>], point: D::Vec, work: &mut FacetWork) {
        work.sums.clear();
        for (i, member) in members.iter().enumerate() {
            let BodyPair { a, b } = member.bodies;
            if members[..i].iter().any(|other| other.bodies.a == a) {
                continue; // This part is done.
            }
            let Some((wall, facets)) = self.bodies.features.facets(b) else { continue };
            let place = self.bodies.records[wall].pose();
            D::integrate_facets(facets, &place, self.bodies.placed(a), point, work);
        }
    }

    /// The load of a part whose overlap could not be found: that of the point.
    fn load_lost(&self, member: &mut OverlapMember<D>) {
        let OverlapMember { bodies: pair, contact, .. } = *member;
        member.unresolved = -contact.gap > ROUNDING * self.bodies.smaller_size(pair.a, pair.b);
        let Some(touch) = self.touch(pair, &contact, &mut StepStats::default()) else { return };
        let touch = self.with_normal_mass(touch, pair, contact.midpoint());
        let load = self.laws.between(self.bodies, pair).load(&touch, &mut member.history, self.dt);
        member.force = ContactForce::new(&load, contact.midpoint());
    }

    #[inline]
    fn yielding(&self, BodyPair { a, b }: BodyPair, point: D::Vec, force: D::Vec, torque: D::Spin) -> f64 {
        let of = |slot| self.bodies.yielding_to(slot, point, force, torque);
        of(a) + of(b)
    }

    /// What two bodies overlap with at their contact, if they push each other by the energy of that.
    #[inline]
    pub(super) fn overlapping(&self, pair: BodyPair, contact: &Contact<D>) -> Option<[Placed<'_, D>; 2]> {
        if !self.laws.rules().flat.has_patches() {
            return None;
        }
        // The body near a feature of a surface takes time to make.
        let grain = self.bodies.placed(pair.a);
        if self.bodies.features.is_feature(pair.b) && !D::meet_by_overlap([grain; 2], contact) {
            return None;
        }
        let bodies = self.bodies.overlapping(pair, contact)?;
        D::meet_by_overlap(bodies, contact).then_some(bodies)
    }

    /// A contact that has hardly moved, with its overlap.
    #[inline]
    pub(super) fn follow(
        &self,
        pair: BodyPair,
        cache: &D::OverlapCache,
        workspace: &mut Workspace<D>,
    ) -> Option<(Contact<D>, OverlapMoments)> {
        if !self.follows {
            return None;
        }
        let bodies = self.bodies.placed_pair(pair);
        D::follow_overlap(cache, &mut workspace.overlap, bodies)
    }

    /// The overlap of a contact, which is kept if it can be followed.
    pub(super) fn measure(
        &self,
        pair: BodyPair,
        (contact, bodies): (&Contact<D>, [Placed<'_, D>; 2]),
        certain: bool,
        cache: &mut D::OverlapCache,
        workspace: &mut Workspace<D>,
        stats: &mut StepStats,
    ) -> Option<OverlapMoments> {
        *cache = D::OverlapCache::default();
        if contact.gap >= 0.0 {
            return None;
        }
        // Which of its contacts with a surface a grain has is asked in every step.
        let follows = self.follows && certain && !self.bodies.features.is_feature(pair.b);
        let moments = D::measure_overlap(&mut workspace.overlap, bodies, contact);
        match &moments {
            Some(moments) if follows => {
                D::keep_overlap(cache, &workspace.overlap, bodies, contact, moments);
            }
            Some(_) => {}
            None => {
                let rounding = ROUNDING * self.bodies.smaller_size(pair.a, pair.b);
                stats.unresolved += u32::from(-contact.gap > rounding);
            }
        }
        moments
    }

    /// The load of an overlap; of the point where there is none.
    #[inline]
    pub(super) fn load_overlap(
        &self,
        pair: BodyPair,
        (contact, moments): (&Contact<D>, Option<&OverlapMoments>),
        history: &mut History<D>,
        stats: &mut StepStats,
    ) -> ContactForce<D> {
        let point = contact.midpoint();
        let Some(mut touch) = self.touch(pair, contact, stats) else {
            return ContactForce { point, ..ContactForce::default() };
        };
        if moments.is_none() {
            touch = self.with_normal_mass(touch, pair, point);
        }
        let yielding = |force, torque| self.yielding(pair, point, force, torque);
        let law = self.laws.between(self.bodies, pair);
        ContactForce::new(&D::load_overlap(law, &touch, moments, history, self.dt, yielding), point)
    }
}

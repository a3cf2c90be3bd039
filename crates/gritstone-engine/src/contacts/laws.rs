//! Which law acts between two bodies, and how their contact is found and seen by it.

use std::sync::Arc;

use gritstone_contact::Method;
use gritstone_force::{ContactLaw, Interaction, Interactions, radius};
use gritstone_shape::{AnyShape as _, Support};

use super::BodyPair;
use crate::bodies::Bodies;
use crate::bodies::compound::Compound;
use crate::dimension::Dimension;
use crate::setup::{Rules, Setup};

/// How contacts act.
#[derive(Clone)]
pub struct Laws<D: Dimension> {
    interactions: Interactions,
    /// Laws from outside, by pair of materials; empty if there are none.
    custom: Vec<Option<Arc<dyn ContactLaw<D>>>>,
    /// The method that solves every contact, if one was chosen.
    method: Option<&'static dyn Method<D>>,
    rules: Rules,
    /// Size of the largest grain (m).
    largest: f64,
    /// Bound of the body functions of all shapes (m).
    largest_body_radius: f64,
    /// How far apart bodies that have touched may still act on each other (m).
    reach: f64,
}

impl<D: Dimension> std::fmt::Debug for Laws<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let method = self.method.map(|method| method.card().name);
        f.debug_struct("Laws")
            .field("interactions", &self.interactions)
            .field("method", &method)
            .finish_non_exhaustive()
    }
}

impl<D: Dimension> Laws<D> {
    pub(crate) fn new(setup: &Setup<D>) -> Self {
        let parts = || setup.compounds.values().flat_map(Compound::parts).map(|part| &part.shape);
        let shapes = || setup.shapes.iter().chain(parts());
        let largest = shapes().map(Support::size).fold(0.0, f64::max);
        let body_radius = |shape: &D::Shape| {
            shape.mass_properties().map(|mass| radius::largest_body_radius::<D>(mass.volume, shape.size()))
        };
        let mut laws = Self {
            interactions: setup.interactions.clone(),
            custom: Vec::new(),
            method: None,
            rules: setup.rules,
            largest,
            largest_body_radius: shapes().filter_map(body_radius).fold(0.0, f64::max),
            reach: 0.0,
        };
        laws.find_reach();
        if let Some(name) = &setup.method {
            laws.set_method(name);
        }
        laws
    }

    fn find_reach(&mut self) {
        let by_curvature = radius::from_curvature::<D>(D::Curvature::default(), self.largest);
        let radius = by_curvature.max(self.largest_body_radius);
        let built_in = self.interactions.iter().map(|law| law.reach(radius));
        let custom = self.custom.iter().flatten().map(|law| law.reach(radius));
        self.reach = built_in.chain(custom).fold(0.0, f64::max);
    }

    /// Sets a law from another crate for two materials, in either order. Whether there are such materials.
    pub(crate) fn set_custom(&mut self, materials: [u16; 2], law: &Arc<dyn ContactLaw<D>>) -> bool {
        let count = self.materials();
        let [i, j] = materials.map(usize::from);
        if i >= count || j >= count {
            return false;
        }
        self.custom.resize(count * count, None);
        self.custom[i * count + j] = Some(law.clone());
        self.custom[j * count + i] = Some(law.clone());
        self.find_reach();
        true
    }

    /// Replaces the interactions of the materials.
    pub(crate) fn set_interactions(&mut self, interactions: Interactions) {
        self.interactions = interactions;
        self.find_reach();
    }

    /// Solves every contact by the method of this name; by the certified default for `auto`. Whether there is one.
    pub(crate) fn set_method(&mut self, name: &str) -> bool {
        let found = D::methods().iter().copied().find(|method| method.card().name == name);
        self.method = found.filter(|_| name != "auto");
        found.is_some()
    }

    /// The method that was chosen.
    pub(crate) fn method(&self) -> Option<&'static dyn Method<D>> {
        self.method
    }

    /// How far apart bodies that have touched may still act on each other (m).
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// What the materials of two bodies do together.
    #[inline]
    pub(crate) fn between(&self, bodies: &Bodies<D>, pair: BodyPair) -> &Interaction {
        let [a, b] = materials(bodies, pair);
        self.interactions.get(a, b)
    }

    /// The law from outside between two bodies, if there is one.
    #[inline]
    pub(crate) fn custom(&self, bodies: &Bodies<D>, pair: BodyPair) -> Option<&dyn ContactLaw<D>> {
        if self.custom.is_empty() {
            return None;
        }
        let [a, b] = materials(bodies, pair);
        self.custom[a * self.materials() + b].as_deref()
    }

    /// Damping of a contact as a fraction of the critical one.
    pub(crate) fn damping_ratio(&self, bodies: &Bodies<D>, pair: BodyPair) -> f64 {
        self.between(bodies, pair).damping_ratio()
    }

    /// Number of materials.
    pub(crate) fn materials(&self) -> usize {
        self.interactions.count()
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// Parameters of every pair of materials for batches, row by row; none where a batch cannot do what the pair does.
    pub(crate) fn for_batches(&self) -> Vec<Option<[f64; 8]>> {
        let count = self.materials();
        let is_custom = |k: usize| self.custom.get(k).is_some_and(Option::is_some);
        let one = |k: usize| {
            let taken = self.method.is_some() || is_custom(k);
            if taken { None } else { self.interactions.get(k / count, k % count).for_lanes() }
        };
        (0..count * count).map(one).collect()
    }
}

impl<D: Dimension> Laws<D> {
    /// Coefficients of rolling and twisting resistance of every pair of materials for batches, row by row; empty if there are none.
    pub(crate) fn resistances_for_batches(&self) -> Vec<[f64; 8]> {
        let count = self.materials();
        if !self.interactions.iter().any(Interaction::resists) {
            return Vec::new();
        }
        let row = |k: usize| {
            let [_, rolling, twisting] = self.interactions.get(k / count, k % count).coefficients();
            [rolling, twisting, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        };
        (0..count * count).map(row).collect()
    }
}

fn materials<D: Dimension>(bodies: &Bodies<D>, pair: BodyPair) -> [usize; 2] {
    [pair.a, pair.b].map(|slot| usize::from(bodies.records[slot as usize].material))
}

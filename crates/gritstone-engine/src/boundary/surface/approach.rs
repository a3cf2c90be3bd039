//! On which side of a surface a grain is: what its contacts and its last displacement say.
//!
//! **Idea.** Where a grain is now does not tell from which side it came into a body: half a ball that is behind a sheet may
//! have gone through its front. A grain that touches a feature of a surface goes on touching it, however deep, until it has
//! come out on the side where it went in; and it may go on from one feature to the next as deep as it is. A grain that
//! touches nothing yet is where it was a step ago.

use gritstone_core::{Dim, Linear as _};

use crate::bodies::Bodies;
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;

/// Cosine between two normals below which features face away from each other.
const OPPOSED: f64 = -0.5;
/// How exact the points of contacts are, relative to the size of the grain.
const AT: f64 = 1e-6;

/// How a grain came to a feature of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Approach<D: Dim> {
    /// Displacement of the grain relative to the feature in the last step (m).
    pub(crate) displacement: D::Vec,
    /// Depth of the deepest contact of the grain with the surface on this side (m); none if there is no such contact.
    pub(crate) held: Option<f64>,
}

impl<D: Dim> Approach<D> {
    /// Of a contact that the feature had in the last step.
    pub(crate) fn held() -> Self {
        Self { displacement: D::Vec::default(), held: Some(f64::INFINITY) }
    }

    /// Whether the grain may be so deep behind the feature, because it already is in the surface.
    pub(crate) fn allows(&self, depth: f64) -> bool {
        self.held.is_some_and(|held| depth <= held)
    }
}

/// The contacts of a grain with the other features of a feature's wall: gap, normal and point on the surface.
fn beside<'t, D: Dimension>(
    bodies: &'t Bodies<D>,
    contacts: &'t ContactTable<D>,
    BodyPair { a, b }: BodyPair,
) -> impl Iterator<Item = (f64, D::Vec, D::Vec)> + 't {
    let wall = bodies.states[b as usize].id;
    let general = &contacts.general;
    let same = move |i: &usize| {
        let Some(pair) = general.pairs.get(*i) else { return false };
        pair.a == a && bodies.features.is_feature(pair.b) && bodies.states[pair.b as usize].id == wall
    };
    contacts.general_of(a as usize).filter(same).map(|i| {
        let (found, point) = (&general.geometries[i], general.forces[i].point);
        (found.gap, found.normal, point + found.normal * (0.5 * found.gap))
    })
}

/// How a grain came to a feature; `direction` points from the grain to the feature.
pub(crate) fn approach<D: Dimension>(
    bodies: &Bodies<D>,
    contacts: &ContactTable<D>,
    pair: BodyPair,
    direction: D::Vec,
) -> Approach<D> {
    let same_side = beside(bodies, contacts, pair).filter(|(_, normal, _)| normal.dot(direction) > OPPOSED);
    let held = same_side.map(|(gap, ..)| (-gap).max(0.0)).reduce(f64::max);
    let (grain, wall) = (&bodies.states[pair.a as usize], bodies.states[pair.b as usize].id);
    // A feature moves as its wall does.
    let wall = &bodies.records[wall as usize];
    let velocity = grain.velocity - wall.velocity_at(bodies.records[pair.a as usize].position);
    Approach { displacement: velocity * bodies.last_step, held }
}

/// Whether a grain is in a surface from the other side: it touches a feature that faces away from this one, and whose point
/// there is behind this one.
pub(crate) fn is_held_from_behind<D: Dimension>(
    bodies: &Bodies<D>,
    contacts: &ContactTable<D>,
    pair: BodyPair,
    normal: D::Vec,
    point: D::Vec,
) -> bool {
    let slack = AT * bodies.size(pair.a as usize);
    beside(bodies, contacts, pair)
        .any(|(_, other, there)| other.dot(normal) <= OPPOSED && normal.dot(there - point) >= -slack)
}

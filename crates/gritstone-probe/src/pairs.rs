//! Contacts by the bodies that touch.

use std::cmp::Ordering;

use gritstone_core::{Dim, Vector};
use gritstone_engine::ContactState;

/// The contacts of each two grains, and of each grain with each wall. Compounds touch with several parts, and surfaces with
/// several facets: for the two bodies that is one contact. Images of a grain are grains of their own.
pub(crate) fn pairs<D: Dim>(contacts: &[ContactState<D>]) -> Vec<Vec<&ContactState<D>>> {
    let mut sorted: Vec<_> = contacts.iter().map(|contact| (Pair::of(contact), contact)).collect();
    sorted.sort_by(|(a, _), (b, _)| a.order(b));
    let same = sorted.chunk_by(|(a, _), (b, _)| a.order(b).is_eq());
    same.map(|pair| pair.iter().map(|(_, contact)| *contact).collect()).collect()
}

/// Two bodies, and the image of the second that the first one touches.
#[derive(Clone, Copy)]
struct Pair {
    bodies: (bool, u32, u32),
    across: [f64; 3],
}

impl Pair {
    fn of<D: Dim>(contact: &ContactState<D>) -> Self {
        let &ContactState { a, b, with_wall, across, .. } = contact;
        // The other way round it is the same two.
        let turned = !with_wall && a > b;
        let (bodies, across) =
            if turned { ((with_wall, b, a), -across) } else { ((with_wall, a, b), across) };
        Self { bodies, across: std::array::from_fn(|i| if i < D::N { across.component(i) } else { 0.0 }) }
    }

    fn order(&self, other: &Self) -> Ordering {
        let across = self.across.partial_cmp(&other.across).unwrap_or(Ordering::Equal);
        self.bodies.cmp(&other.bodies).then(across)
    }
}

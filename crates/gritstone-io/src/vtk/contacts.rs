//! Contacts as lines: from the centre of one grain by the contact to the centre of the other.

use gritstone_core::Vector;
use gritstone_engine::{ContactState, Snapshot};

use super::grains::single;
use super::poly_data::{Array, Numbers, PolyData};
use crate::tessellation::Surfaces;

/// One line for each contact; to a wall it ends at the contact.
pub(super) fn lines<D: Surfaces>(snapshot: &Snapshot<D>) -> PolyData {
    let centre = |id: u32| {
        let found = snapshot.bodies.binary_search_by_key(&id, |body| body.id);
        found.ok().map(|i| snapshot.bodies[i].pose.position)
    };
    let mut data = PolyData::default();
    let mut on_points = Vec::new();
    for contact in &snapshot.contacts {
        let from = centre(contact.a);
        let to = if contact.with_wall { None } else { centre(contact.b) };
        let first = data.points.len();
        data.points.extend([from, Some(contact.point), to].into_iter().flatten().map(single::<D>));
        let all: Vec<u32> = (0..(data.points.len() - first) as u32).collect();
        data.lines.push(first, &all);
        on_points.extend(all.iter().map(|_| contact.force.length() as f32));
    }
    let array = |name, components, numbers| Array { name, components, numbers };
    data.point_data = vec![array("force_magnitude", 1, Numbers::F32(on_points))];
    let whole =
        |value: fn(&ContactState<D>) -> u32| Numbers::U32(snapshot.contacts.iter().map(value).collect());
    let number = |value: fn(&ContactState<D>) -> f64| {
        Numbers::F32(snapshot.contacts.iter().map(|contact| value(contact) as f32).collect())
    };
    let vector = |value: fn(&ContactState<D>) -> D::Vec| {
        Numbers::F32(snapshot.contacts.iter().flat_map(|contact| single::<D>(value(contact))).collect())
    };
    data.cell_data = vec![
        array("a", 1, whole(|contact| contact.a)),
        array("b", 1, whole(|contact| contact.b)),
        array("with_wall", 1, whole(|contact| contact.with_wall.into())),
        array("depth", 1, number(|contact| contact.depth)),
        array("normal", 3, vector(|contact| contact.normal)),
        array("force", 3, vector(|contact| contact.force)),
        array("force_magnitude", 1, number(|contact| contact.force.length())),
    ];
    data
}

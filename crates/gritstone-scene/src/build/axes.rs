//! Lists of axes.

use crate::schema::Axis;

/// The first axis of a list that is not there, or there twice: its place in the list, and what is wrong with it.
pub(super) fn stray(list: &[Axis], there: impl Fn(Axis) -> bool) -> Option<(usize, String)> {
    list.iter().enumerate().find_map(|(i, axis)| {
        let keyword = axis.keyword();
        if !there(*axis) {
            Some((i, format!("is \"{keyword}\", which the plane does not have")))
        } else if list[..i].contains(axis) {
            Some((i, format!("is \"{keyword}\", which is there twice")))
        } else {
            None
        }
    })
}

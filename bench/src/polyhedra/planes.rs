//! Methods of the common plane, from their last step.

use std::hint::black_box;

use gritstone_contact::polytopes::Trace;
use gritstone_contact::shortest_link_mended::MendedTrace;
use gritstone_contact::space::{Placed, Scratch};
use gritstone_contact::{CommonPlane, FastCommonPlane, Query, ShortestLink, ShortestLinkMended};
use gritstone_core::Space;

use super::{Couple, Group};
use crate::Job;
use crate::workload::placed;

/// Every such method on one group of pairs.
pub(super) fn jobs(group: &Group) -> [Job<'_>; 4] {
    let name = |what: &str| format!("{what}, warm: {}", group.name);
    let query = Query::default();
    let mut scratch = Scratch::default();
    [
        follow(name("shortest-link-mended"), &group.pairs, move |[a, b], memory: &mut MendedTrace<Space>| {
            black_box(&ShortestLinkMended.solve_warm(a, b, query, memory, &mut scratch));
        }),
        follow(name("shortest-link"), &group.pairs, move |[a, b], trace: &mut Trace<Space>| {
            black_box(&ShortestLink.solve_warm(a, b, query, trace));
        }),
        follow(name("fast-common-plane"), &group.pairs, move |[a, b], trace: &mut Trace<Space>| {
            black_box(&FastCommonPlane.solve_warm(a, b, query, trace));
        }),
        follow(name("common-plane"), &group.pairs, move |[a, b], trace: &mut Trace<Space>| {
            black_box(&CommonPlane.solve_warm(a, b, query, trace));
        }),
    ]
}

/// Every pair to and fro between its two places, with its memory.
fn follow<'w, M: Clone + Default + 'w>(
    name: String,
    pairs: &'w [Couple],
    mut solve: impl FnMut([Placed<'w>; 2], &mut M) + 'w,
) -> Job<'w> {
    let mut states = vec![(M::default(), false); pairs.len()];
    Job::new(name, pairs.len(), move |chunk| {
        for (couple, (memory, moved)) in pairs[chunk.clone()].iter().zip(&mut states[chunk]) {
            *moved = !*moved;
            solve(placed(if *moved { &couple.moved } else { &couple.bodies }), memory);
        }
    })
}

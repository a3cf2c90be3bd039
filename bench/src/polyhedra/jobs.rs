//! What is timed on polyhedra.

use std::hint::black_box;

use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Scratch, method};

use super::{Couple, Group, planes};
use crate::Job;
use crate::workload::placed;

/// Methods that are timed from their own start, the default first. Those that do not exist are left out.
pub const COLD: &[&str] =
    &["auto", "gjk", "shortest-link-mended", "shortest-link", "fast-common-plane", "common-plane"];

/// Methods that are timed from their last step, the default first.
pub const WARM: &[&str] = &[
    "auto, warm",
    "shortest-link-mended, warm",
    "shortest-link, warm",
    "fast-common-plane, warm",
    "common-plane, warm",
];

/// Every job on one group of pairs: the peer cold and warm, the default warm, then the methods of [`COLD`], then those of [`WARM`].
pub fn jobs<'w>(group: &'w Group) -> Vec<Job<'w>> {
    let pairs = &group.pairs;
    let name = |what: &str| format!("{what}: {}", group.name);
    let mut jobs = vec![
        Job::new(name("parry"), pairs.len(), move |chunk| {
            for couple in &pairs[chunk] {
                black_box(couple.peer.cold([couple.bodies[0].1, couple.bodies[1].1]));
            }
        }),
        Job::new(name("parry, warm"), pairs.len(), move |chunk| {
            for couple in &pairs[chunk] {
                black_box(couple.peer.warm([couple.moved[0].1, couple.moved[1].1]));
            }
        }),
    ];
    jobs.push(warm(name("auto, warm"), pairs));
    jobs.extend(COLD.iter().filter_map(|known| {
        let method = method(known)?;
        let mut scratch = Scratch::default();
        Some(Job::new(name(known), pairs.len(), move |chunk| {
            for couple in &pairs[chunk] {
                let [a, b] = placed(&couple.bodies);
                let _ = black_box(method.solve(a, b, Query::default(), &mut scratch));
            }
        }))
    }));
    jobs.extend(planes::jobs(group));
    jobs
}

/// Every pair to and fro between its two places, with its memory.
fn warm(name: String, pairs: &[Couple]) -> Job<'_> {
    let mut states: Vec<_> = pairs.iter().map(|couple| (couple.memory, false)).collect();
    let mut scratch = Scratch::default();
    Job::new(name, pairs.len(), move |chunk| {
        for (couple, (memory, moved)) in pairs[chunk.clone()].iter().zip(&mut states[chunk]) {
            *moved = !*moved;
            let [a, b] = placed(if *moved { &couple.moved } else { &couple.bodies });
            let _ = black_box(Auto.solve_warm(a, b, Query::default(), memory, &mut scratch));
        }
    })
}

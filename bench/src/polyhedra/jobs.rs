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
                black_box(&couple.peer.cold([couple.bodies[0].1, couple.bodies[1].1]));
            }
        }),
        Job::new(name("parry, warm"), 2 * pairs.len(), move |chunk| {
            for i in chunk {
                let (couple, forth) = (&pairs[i / 2], i % 2 == 0);
                let bodies = if forth { &couple.moved } else { &couple.bodies };
                black_box(&couple.peer.warm([bodies[0].1, bodies[1].1], forth));
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
                black_box(&method.solve(a, b, Query::default(), &mut scratch));
            }
        }))
    }));
    jobs.extend(planes::jobs(group));
    jobs
}

/// Every pair to and fro between its two places, with its memory.
fn warm(name: String, pairs: &[Couple]) -> Job<'_> {
    let mut memories: Vec<_> = pairs.iter().map(|couple| couple.memory).collect();
    let mut scratch = Scratch::default();
    Job::new(name, 2 * pairs.len(), move |chunk| {
        for i in chunk {
            let (couple, forth) = (&pairs[i / 2], i % 2 == 0);
            let [a, b] = placed(if forth { &couple.moved } else { &couple.bodies });
            black_box(&Auto.solve_warm(a, b, Query::default(), &mut memories[i / 2], &mut scratch));
        }
    })
}

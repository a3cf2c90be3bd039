//! The narrow phase alone: touching pairs of a bed, solved from nothing and from what the last step knew.

use std::time::Instant;

use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Placed, Scratch};
use gritstone_core::Space;
use gritstone_engine::{Snapshot, World};

use super::beds::{SETTLED, dense_polyhedra, scene};
use super::timing::Bed;
use super::{Options, Row, Trouble};

/// Steps between two looks at the pairs that were touching.
const BETWEEN: u64 = 20;

pub(super) fn of_bed(name: &'static str, template: &str, options: &Options) -> Result<Vec<Row>, Trouble> {
    rows(&scene::<Space>(name, template, SETTLED, options)?, options)
}

pub(super) fn of_polyhedra(name: &'static str, options: &Options) -> Result<Vec<Row>, Trouble> {
    rows(&dense_polyhedra(name, options)?, options)
}

/// A row for pairs solved from nothing, and one for pairs solved from memory, moved as the bed moves between.
fn rows(bed: &Bed<Space>, options: &Options) -> Result<Vec<Row>, Trouble> {
    let mut world = World::restore(&bed.setup, &bed.saved).map_err(Trouble::of)?;
    let before = world.snapshot();
    for _ in 0..BETWEEN {
        world.step().map_err(Trouble::of)?;
    }
    let looks = [before, world.snapshot()];
    let mut scratch = Scratch::default();
    let mut pairs = Pairs::new(bed, &looks[0]);
    let cold = pairs.time(options, |pairs, repetition| {
        pairs.forget();
        pairs.solve(&looks[repetition % 2], &mut scratch)
    });
    let warm = pairs.time(options, |pairs, repetition| pairs.solve(&looks[repetition % 2], &mut scratch));
    Ok(vec![pairs.row("from nothing", cold), pairs.row("from the last step", warm)])
}

/// Pairs that touch, and what is known of them.
struct Pairs<'b> {
    bed: &'b Bed<Space>,
    ends: Vec<[usize; 2]>,
    memories: Vec<Memory>,
}

impl<'b> Pairs<'b> {
    fn new(bed: &'b Bed<Space>, look: &Snapshot<Space>) -> Self {
        // Grains stand in the order of their ids.
        let index = |id| look.bodies.partition_point(|body| body.id < id);
        let grains = look.contacts.iter().filter(|contact| !contact.with_wall);
        let ends: Vec<_> = grains.map(|contact| [index(contact.a), index(contact.b)]).collect();
        Self { bed, memories: vec![Memory::default(); ends.len()], ends }
    }

    fn forget(&mut self) {
        self.memories.fill(Memory::default());
    }

    /// Solves all pairs; how many could not be certified.
    fn solve(&mut self, look: &Snapshot<Space>, scratch: &mut Scratch) -> u64 {
        let mut doubtful = 0;
        for (ends, memory) in self.ends.iter().zip(&mut self.memories) {
            let [a, b] = ends
                .map(|i| &look.bodies[i])
                .map(|body| Placed { shape: &self.bed.setup.shapes[body.shape as usize], pose: body.pose });
            let answer = Auto.solve_warm(a, b, Query::default(), memory, scratch);
            doubtful += u64::from(!answer.is_ok_and(|answer| answer.certified()));
        }
        doubtful
    }

    /// Shortest and median time (s), and pairs that could not be certified, over some repetitions.
    fn time(&mut self, options: &Options, mut work: impl FnMut(&mut Self, usize) -> u64) -> (f64, f64, u64) {
        let mut doubtful = work(self, 0);
        let mut times = Vec::new();
        for repetition in 1..=options.repetitions.max(1) {
            let start = Instant::now();
            doubtful += work(self, repetition);
            times.push(start.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        (times[0], times[times.len() / 2], doubtful)
    }

    fn row(&self, state: &str, (best, median, unresolved): (f64, f64, u64)) -> Row {
        let count = self.ends.len();
        let micro = 1e6 / count.max(1) as f64;
        Row {
            name: self.bed.name.to_owned(),
            state: state.to_owned(),
            particles: count,
            contacts: count,
            contacts_in_lanes: 0,
            near_pairs: count,
            steps: 1,
            threads: 1,
            best: best * micro,
            median: median * micro,
            per_contact: best * micro * 1e3,
            shares: None,
            processor: None,
            unresolved,
            bytes_per_grain: size_of::<Memory>() as f64,
        }
    }
}

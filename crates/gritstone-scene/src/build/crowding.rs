//! Grains that overlap each other or walls at the start: a run would begin with an explosion.

use gritstone_contact::{Goal, Method, Placed, Query};
use gritstone_engine::{Grain, Leaving, Part, Setup};

use super::grains::group_of;
use super::grid::Grid;
use super::scenery::Scenery;
use crate::display::plain;
use crate::ledger::Ledger;

/// Overlap at the start that is an error, as a fraction of the smaller grain's size.
const TOO_DEEP: f64 = 0.05;
/// Overlap at the start that is worth a warning.
const DOUBTFUL: f64 = 0.01;

/// Overlaps of one kind.
#[derive(Default)]
struct Tally {
    /// How many are deeper than doubtful.
    count: usize,
    /// The deepest: part of the size, depth (m), and the grain in question.
    worst: (f64, f64, usize),
    /// What it overlaps with.
    partner: usize,
}

impl Tally {
    fn add(&mut self, depth: f64, size: f64, grain: usize, partner: usize) {
        let part = depth / size;
        if part > DOUBTFUL {
            self.count += 1;
            if part > self.worst.0 {
                (self.worst, self.partner) = ((part, depth, grain), partner);
            }
        }
    }
}

/// Tells of grains that overlap each other or walls, or are outside of the domain.
pub(super) fn check<D: Scenery>(setup: &Setup<D>, starts: &[usize], ledger: &mut Ledger<'_>) {
    check_domain(setup, starts, ledger);
    let Some(method) = D::method("auto") else { return };
    let mut solver = Solver { setup, method, scratch: D::Scratch::default() };
    for wall in (0..setup.walls.len())
        .filter(|&wall| setup.walls[wall].present && setup.walls[wall].surface.is_none())
    {
        let tally = solver.against_wall(wall);
        let name = &setup.walls[wall].name;
        tell(&tally, starts, setup, ledger, |count| {
            let who = if count == 1 { "1 grain is".to_owned() } else { format!("{count} grains are") };
            format!("{who} in or behind the wall \"{name}\" at the start")
        });
    }
    let tally = solver.against_grains();
    tell(&tally, starts, setup, ledger, |count| {
        let pairs = if count == 1 { "pair of grains overlaps" } else { "pairs of grains overlap" };
        let other = setup.grains[tally.partner].id;
        format!("{count} {pairs} at the start, the worst with the grain of id {other}")
    });
}

fn check_domain<D: Scenery>(setup: &Setup<D>, starts: &[usize], ledger: &mut Ledger<'_>) {
    let Some(domain) = setup.domain.filter(|domain| domain.leaving != Leaving::Keep) else { return };
    // Where the cell repeats nothing is outside.
    let open = std::array::from_fn(|axis| setup.cell.is_none_or(|cell| cell.sides[axis].is_none()));
    let outside: Vec<_> = setup
        .grains
        .iter()
        .enumerate()
        .filter(|(_, grain)| !domain.holds_along(grain.pose.position, open))
        .collect();
    if let Some((first, grain)) = outside.first() {
        let key = format!("grains[{}]", group_of(starts, *first));
        let (count, id, x) = (outside.len(), grain.id, grain.pose.position);
        ledger.wrong(
            &key,
            format_args!(
                "{key} has {count} grains outside of the domain, the first with the id {id} at {x:?}"
            ),
        );
    }
}

/// An error for deep overlaps, a warning for shallow ones.
fn tell<D: Scenery>(
    tally: &Tally,
    starts: &[usize],
    setup: &Setup<D>,
    ledger: &mut Ledger<'_>,
    what: impl Fn(usize) -> String,
) {
    if tally.count == 0 {
        return;
    }
    let (part, depth, grain) = tally.worst;
    let key = format!("grains[{}]", group_of(starts, grain));
    let id = setup.grains[grain].id;
    let message = format!(
        "{key}: {}; the deepest overlap is {} m, {} % of the size of the grain of id {id}",
        what(tally.count),
        plain(depth),
        plain(100.0 * part),
    );
    if part > TOO_DEEP {
        ledger.wrong(&key, format_args!("{message}, but must be below {} %", plain(100.0 * TOO_DEEP)));
    } else {
        ledger.doubt(&key, message);
    }
}

/// The convex bodies that a grain is made of.
fn bodies<'s, D: Scenery>(setup: &'s Setup<D>, grain: &Grain<D>) -> Vec<Placed<'s, D>> {
    match setup.compounds.get(&grain.shape) {
        None => vec![Placed { shape: &setup.shapes[grain.shape as usize], pose: grain.pose }],
        Some(compound) => {
            let part =
                |part: &'s Part<D>| Placed { shape: &part.shape, pose: part.pose.moved_by(&grain.pose) };
            compound.parts().iter().map(part).collect()
        }
    }
}

struct Solver<'s, D: Scenery> {
    setup: &'s Setup<D>,
    method: &'static dyn Method<D>,
    scratch: D::Scratch,
}

impl<'s, D: Scenery> Solver<'s, D> {
    fn against_wall(&mut self, wall: usize) -> Tally {
        let setup = self.setup;
        let placed = Placed { shape: &setup.walls[wall].shape, pose: setup.walls[wall].pose };
        let mut tally = Tally::default();
        for (i, grain) in setup.grains.iter().enumerate() {
            let size = setup.size(grain.shape);
            let depth = self.deepest(&bodies(setup, grain), &[placed]);
            tally.add(depth, size, i, wall);
        }
        tally
    }

    fn against_grains(&mut self) -> Tally {
        let grains = &self.setup.grains;
        let balls: Vec<_> =
            grains.iter().map(|grain| (grain.pose.position, self.setup.size(grain.shape))).collect();
        let grid = Grid::<D>::new(&balls);
        let mut tally = Tally::default();
        for i in 0..grains.len() {
            for j in grid.touching(i) {
                let [a, b] = [i, j].map(|i| bodies(self.setup, &grains[i]));
                let depth = self.deepest(&a, &b);
                tally.add(depth, balls[i].1.min(balls[j].1), i.max(j), i.min(j));
            }
        }
        tally
    }

    /// How deep the deepest overlap of two lists of bodies is; negative where there is none.
    fn deepest(&mut self, a: &[Placed<'_, D>], b: &[Placed<'_, D>]) -> f64 {
        let mut deepest = f64::NEG_INFINITY;
        for &a in a {
            for &b in b {
                deepest = self.depth(a, b).max(deepest);
            }
        }
        deepest
    }

    /// How deep two bodies overlap; negative where they do not.
    fn depth(&mut self, a: Placed<'_, D>, b: Placed<'_, D>) -> f64 {
        let query = Query { goal: Goal::Detect, ..Query::default() };
        self.method.solve(a, b, query, &mut self.scratch).map_or(0.0, |answer| -answer.distance())
    }
}

//! Grains that overlap each other or walls at the start: a run would begin with an explosion.

use gritstone_contact::{Goal, Method, Placed, Query};
use gritstone_core::{Pose, Vector as _};
use gritstone_engine::{Cell, Grain, Leaving, MeshObstacle, Setup, Wall};
use gritstone_shape::Support as _;

use super::earlier::GoingOn;
use super::from_scene::FromScene;
use super::grains::group_of;
use super::grid::Grid;
use crate::diagnostics::Diagnostics;
use crate::display::{plain, plural};

/// Overlap at the start that is an error, as a fraction of the smaller grain's size.
const TOO_DEEP: f64 = 0.05;
/// Overlap at the start that is worth a warning.
const DOUBTFUL: f64 = 0.01;

/// Overlaps after which no more are searched for, once one of them is an error: grains that all lie in one place have as many
/// as the square of their number.
const ENOUGH: usize = 10_000;

/// What a pair costs that is solved for, relative to a look at its distance.
const SOLVE: u64 = 32;
/// Work after which the search for overlaps of grains ends, in looks at distances: that much in all, and that much for each grain.
/// Compact grains have some ten neighbours. Needles are in the balls of all that are no further away than they are long.
const MOST_WORK: [u64; 2] = [200_000_000, 5_000];

/// Overlaps of one kind.
#[derive(Default)]
struct OverlapStats {
    /// How many are deeper than doubtful, of those that were looked at.
    count: usize,
    /// The deepest: part of the size, depth (m), and the grain in question.
    worst: (f64, f64, usize),
    /// What it overlaps with.
    partner: usize,
    /// Grains that were not looked at, for the work was too much.
    left_out: usize,
}

impl OverlapStats {
    fn add(&mut self, depth: f64, size: f64, grain: usize, partner: usize) {
        let part = depth / size;
        if part > DOUBTFUL {
            self.count += 1;
            if part > self.worst.0 {
                (self.worst, self.partner) = ((part, depth, grain), partner);
            }
        }
    }

    /// Whether nothing would be learnt from more of them.
    fn is_full(&self) -> bool {
        self.count > ENOUGH && self.worst.0 > TOO_DEEP
    }

    /// The count as text, and what the reported depth is the deepest of.
    fn describe(&self) -> (String, &'static str) {
        if self.is_full() {
            (format!("more than {ENOUGH}"), "the deepest overlap of these")
        } else {
            (self.count.to_string(), "the deepest overlap")
        }
    }
}

/// Reports grains that overlap each other or walls, or are outside of the domain. Those that continue from an earlier run may overlap
/// each other and the walls that were there: their contacts continue as well.
pub(super) fn check<D: FromScene>(
    setup: &Setup<D>,
    starts: &[usize],
    going_on: Option<&GoingOn>,
    diagnostics: &mut Diagnostics<'_>,
) {
    check_domain(setup, starts, diagnostics);
    let Some(method) = D::method("auto") else { return };
    // In a cell that is too narrow, which is reported, grains meet themselves.
    let cell = setup.cell.as_ref().filter(|_| setup.narrow_side().is_none());
    let mut solver = Solver { setup, cell, going_on, method, scratch: D::Scratch::default() };
    for wall in (0..setup.walls.len()).filter(|&wall| setup.walls[wall].present) {
        let stats = solver.against_wall(wall);
        let name = &setup.walls[wall].name;
        tell(&stats, starts, setup, diagnostics, |count| {
            let who = if count == "1" { "1 grain is".to_owned() } else { format!("{count} grains are") };
            format!("{who} in or behind the wall \"{name}\" at the start")
        });
    }
    let stats = solver.against_grains();
    if stats.left_out > 0 {
        let (left_out, count) = (stats.left_out, setup.grains.len());
        diagnostics.warn(
            "grains",
            format_args!(
                "{left_out} of {count} grains were not compared with the others for overlaps at the start: they are so long that \
                 too many pairs are near each other"
            ),
        );
    }
    tell(&stats, starts, setup, diagnostics, |count| {
        let pairs = if count == "1" { "pair of grains overlaps" } else { "pairs of grains overlap" };
        let other = setup.grains[stats.partner].id;
        format!("{count} {pairs} at the start, the worst with the grain of id {other}")
    });
}

fn check_domain<D: FromScene>(setup: &Setup<D>, starts: &[usize], diagnostics: &mut Diagnostics<'_>) {
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
        let (count, id, x) = (plural(outside.len(), "grain"), grain.id, grain.pose.position);
        let at: Vec<_> = (0..D::N).map(|i| plain(x.component(i))).collect();
        let (first, at) = (if outside.len() == 1 { "" } else { "the first " }, at.join(", "));
        diagnostics.error(
            &key,
            format_args!("{key} has {count} outside of the domain, {first}with the id {id} at [{at}]"),
        );
    }
}

/// An error for deep overlaps, a warning for shallow ones.
fn tell<D: FromScene>(
    stats: &OverlapStats,
    starts: &[usize],
    setup: &Setup<D>,
    diagnostics: &mut Diagnostics<'_>,
    what: impl Fn(&str) -> String,
) {
    if stats.count == 0 {
        return;
    }
    let (part, depth, grain) = stats.worst;
    let key = format!("grains[{}]", group_of(starts, grain));
    let id = setup.grains[grain].id;
    let (count, deepest) = stats.describe();
    let message = format!(
        "{key}: {}; {deepest} is {} m, {} % of the size of the grain of id {id}",
        what(&count),
        plain(depth),
        plain(100.0 * part),
    );
    if part > TOO_DEEP {
        diagnostics.error(&key, format_args!("{message}, but must be below {} %", plain(100.0 * TOO_DEEP)));
    } else {
        diagnostics.warn(&key, message);
    }
}

/// The convex bodies that a grain is made of, at a place.
fn bodies<'s, D: FromScene>(setup: &'s Setup<D>, grain: &Grain<D>, position: D::Vec) -> Vec<Placed<'s, D>> {
    let pose = Pose { position, ..grain.pose };
    setup.form(grain.shape).bodies(pose).map(|(shape, pose)| Placed { shape, pose }).collect()
}

struct Solver<'s, D: FromScene> {
    setup: &'s Setup<D>,
    /// What repeats.
    cell: Option<&'s Cell<D>>,
    /// What continues from an earlier run, if anything does.
    going_on: Option<&'s GoingOn>,
    method: &'static dyn Method<D>,
    scratch: D::Scratch,
}

impl<'s, D: FromScene> Solver<'s, D> {
    fn against_wall(&mut self, wall: usize) -> OverlapStats {
        let setup = self.setup;
        let Wall { shape, pose, surface, .. } = &setup.walls[wall];
        let everywhere = [f64::NEG_INFINITY, f64::INFINITY].map(|end| D::Vec::from_fn(|_| end));
        let obstacle = surface.as_ref().map(|surface| MeshObstacle::new(surface, *pose, everywhere));
        let mut stats = OverlapStats::default();
        let going_on = self.going_on.filter(|known| known.walls[wall]);
        let goes_on = |grain: usize| going_on.is_some_and(|known| known.grains.contains(&grain));
        for (i, grain) in setup.grains.iter().enumerate().filter(|(i, _)| !goes_on(*i)) {
            let bodies = bodies(setup, grain, self.home(grain));
            let depth = match &obstacle {
                None => self.deepest(&bodies, &[Placed { shape, pose: *pose }]),
                Some(obstacle) => {
                    let depths = bodies.iter().map(|body| obstacle.depth(*body, &mut self.scratch));
                    depths.fold(f64::NEG_INFINITY, f64::max)
                }
            };
            stats.add(depth, setup.size(grain.shape), i, wall);
        }
        stats
    }

    /// Whether a grain continues from an earlier run.
    fn goes_on(&self, grain: usize) -> bool {
        self.going_on.is_some_and(|known| known.grains.contains(&grain))
    }

    /// Where a grain is at home, in a periodic cell.
    fn home(&self, grain: &Grain<D>) -> D::Vec {
        let x = grain.pose.position;
        self.cell.map_or(x, |cell| cell.places(x, 0.0).0)
    }

    fn against_grains(&mut self) -> OverlapStats {
        let grains = &self.setup.grains;
        let sizes: Vec<f64> = grains.iter().map(|grain| self.setup.size(grain.shape)).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        // The grains, then where else they are in a periodic cell.
        let mut balls: Vec<_> =
            grains.iter().zip(&sizes).map(|(grain, size)| (self.home(grain), *size)).collect();
        let mut owners: Vec<usize> = (0..grains.len()).collect();
        for (i, grain) in grains.iter().enumerate() {
            let images = self.cell.map(|cell| cell.places(grain.pose.position, sizes[i] + largest).1);
            for image in images.unwrap_or_default() {
                balls.push((image, sizes[i]));
                owners.push(i);
            }
        }
        let boxes: Vec<_> =
            balls.iter().zip(&owners).map(|((x, _), owner)| self.bounds(*owner, *x)).collect();
        let grid = Grid::<D>::new(&balls);
        let mut stats = OverlapStats::default();
        let (mut solves, most) = (0, MOST_WORK[0] + MOST_WORK[1] * balls.len() as u64);
        for i in 0..balls.len() {
            if grid.looks() + SOLVE * solves > most {
                stats.left_out = grains.len().saturating_sub(i).max(1);
                return stats;
            }
            // Two images are the same two grains as at home.
            for j in grid.touching(i).filter(|j| i.min(*j) < grains.len()) {
                let known = self.goes_on(owners[i]) && self.goes_on(owners[j]);
                if known || !meet::<D>(&boxes[i], &boxes[j]) {
                    continue;
                }
                let [a, b] = [i, j].map(|i| bodies(self.setup, &grains[owners[i]], balls[i].0));
                solves += (a.len() * b.len()) as u64;
                let depth = self.deepest(&a, &b);
                let [i, j] = [i, j].map(|i| owners[i]);
                stats.add(depth, sizes[i].min(sizes[j]), i.max(j), i.min(j));
                if stats.is_full() {
                    return stats;
                }
            }
        }
        stats
    }

    /// The box along the axes that holds a grain at a place.
    fn bounds(&self, grain: usize, position: D::Vec) -> [D::Vec; 2] {
        let grain = &self.setup.grains[grain];
        let form = self.setup.form(grain.shape);
        let end = |axis: usize, sign: f64| {
            let parts = form.bodies(Pose { position, ..grain.pose });
            let ends = parts.map(|(shape, pose)| {
                let direction = D::unrotate(pose.rotation, D::Vec::axis(axis) * sign);
                sign * pose.to_world(shape.support(direction)).component(axis)
            });
            sign * ends.fold(f64::NEG_INFINITY, f64::max)
        };
        [-1.0, 1.0].map(|sign| D::Vec::from_fn(|axis| end(axis, sign)))
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

/// Whether two boxes have a point in common.
fn meet<D: FromScene>([low, high]: &[D::Vec; 2], [low2, high2]: &[D::Vec; 2]) -> bool {
    (0..D::N).all(|i| low.component(i) <= high2.component(i) && low2.component(i) <= high.component(i))
}

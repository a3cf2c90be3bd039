//! What comes in through inlets by the end, and inlets that let nothing in.

use std::fmt::{self, Display, Formatter};

use gritstone_engine::{GrainClass, Inlet, Leaving, Measure, Mixture, PackingGrid, RandomStream, Setup};

use super::from_scene::FromScene;
use crate::diagnostics::Diagnostics;
use crate::display::{plain, plural};

/// Places that are tried for a grain before it is said that there is none.
const TRIES: u32 = 1000;

/// What is expected to come in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inflow {
    /// Grains, about.
    pub grains: u64,
    /// Sorts of them: shapes in all their sizes.
    pub shapes: usize,
    /// Their mass (kg), about.
    pub mass: f64,
}

impl Display for Inflow {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (grains, shapes, mass) =
            (plain(self.grains as f64), plural(self.shapes, "shape"), plain(self.mass));
        match self.grains {
            0 => f.write_str("nothing"),
            1 => write!(f, "about 1 grain, {mass} kg,"),
            _ => write!(f, "about {grains} grains of {shapes}, {mass} kg,"),
        }
    }
}

/// The end of a run.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Its last step.
    pub(super) steps: u64,
    /// Time step (s).
    pub(super) dt: f64,
}

impl End {
    fn time(self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// When an inlet is looked at for the last time.
    fn last_look<D: FromScene>(self, inlet: &Inlet<D>) -> f64 {
        (self.steps / inlet.every * inlet.every) as f64 * self.dt
    }
}

/// What is expected to come in until the end, if all finds a place.
pub(super) fn expected<D: FromScene>(inlets: &[Inlet<D>], end: End) -> Inflow {
    let mut shapes = Vec::new();
    let mut all = Inflow::default();
    for inlet in inlets {
        let (grains, mass) = due(inlet, end.last_look(inlet));
        all.grains = all.grains.saturating_add(grains);
        all.mass += mass;
        if grains > 0 {
            shapes.extend(common(&inlet.mix).map(|sort| sort.shape));
        }
    }
    shapes.sort_unstable();
    shapes.dedup();
    Inflow { shapes: shapes.len(), ..all }
}

/// Sorts that do come.
fn common(mix: &Mixture) -> impl Iterator<Item = &GrainClass> {
    mix.classes().iter().filter(|sort| sort.share > 0.0)
}

/// Grains that an inlet has to give until a time, and their mass.
fn due<D: FromScene>(inlet: &Inlet<D>, until: f64) -> (u64, f64) {
    let amount = (inlet.rate * (until.min(inlet.end) - inlet.start).max(0.0)).min(inlet.most);
    let one = inlet.mix.mean_mass();
    // Rounding must not take a grain away.
    let whole = |grains: f64| (grains * (1.0 + 1e-9)) as u64;
    match inlet.by {
        Measure::Number => (whole(amount), whole(amount) as f64 * one),
        Measure::Mass => (whole(amount / one), amount),
    }
}

/// Warns of inlets that nothing comes in through until the end, and of grains that find no place in them.
pub(super) fn check<D: FromScene>(
    inlets: &[Inlet<D>],
    names: &[String],
    setup: &Setup<D>,
    end: End,
    diagnostics: &mut Diagnostics<'_>,
) {
    for inlet in inlets {
        let key = format!("inlets.{}", inlet.name);
        if due(inlet, end.last_look(inlet)).0 == 0 {
            let (of, why) = idle(inlet, end);
            let (place, end) = (format!("{key}.{of}"), plain(end.time()));
            diagnostics
                .warn(&place, format_args!("{place}: nothing comes in: {why}, and the run ends at {end} s"));
        }
        if let Some((sort, small)) = homeless(inlet, setup) {
            let (shape, place) = (&names[sort.shape as usize], format!("{key}.region"));
            let why = if small {
                "the region is too small for it"
            } else {
                "walls that are there at the start, or the domain, leave no room for it"
            };
            diagnostics.warn(
                &place,
                format_args!(
                    "{place}: a grain of the shape \"{shape}\" found no place in {TRIES} tries: {why}; where it cannot come in, \
                     those behind it wait, too"
                ),
            );
        }
    }
}

/// The key that says that nothing is due until the end, and why.
fn idle<D: FromScene>(inlet: &Inlet<D>, end: End) -> (&'static str, String) {
    let (until, last) = (end.time(), end.last_look(inlet));
    // A step may end a bit behind the time that was meant.
    if inlet.start >= until * (1.0 - 1e-9) {
        return ("start", format!("it begins at {} s", plain(inlet.start)));
    }
    if due(inlet, until).0 > 0 {
        let every = plain(inlet.every as f64 * end.dt);
        let seen = if last > 0.0 {
            format!(", the last time at {} s, when less than one grain is due", plain(last))
        } else {
            String::new()
        };
        return ("every", format!("it is looked every {every} s whether grains are due{seen}"));
    }
    let (mean, few) = (inlet.mix.mean_mass(), "that is less than one grain".to_owned());
    match inlet.by {
        Measure::Number => (if inlet.most < 1.0 { "count" } else { "number_rate" }, few),
        Measure::Mass => {
            (if inlet.most < mean { "mass" } else { "mass_rate" }, format!("{few} of {} kg", plain(mean)))
        }
    }
}

/// The first sort that finds no place among the walls, whatever grains there are; whether the zone alone is too small for it.
fn homeless<'i, D: FromScene>(inlet: &'i Inlet<D>, setup: &Setup<D>) -> Option<(&'i GrainClass, bool)> {
    let walls = setup.walls.iter().filter(|wall| wall.present);
    let packing = PackingGrid::within(&inlet.region, walls.map(|wall| (wall, wall.pose)));
    let domain = setup.domain.filter(|domain| domain.leaving != Leaving::Keep);
    let open = std::array::from_fn(|axis| setup.cell.is_none_or(|cell| cell.sides[axis].is_none()));
    let (mut random, mut scratch) = (RandomStream::new(inlet.seed), D::Scratch::default());
    for sort in common(&inlet.mix) {
        let form = setup.form(sort.shape);
        let mut fits = false;
        let found = (0..TRIES).any(|_| {
            let rotation = inlet.rotation.unwrap_or_else(|| D::random_rotation(&mut random));
            let Some(pose) = inlet.region.pose(form, rotation, &mut random) else { return false };
            fits = true;
            domain.is_none_or(|domain| domain.holds_along(pose.position, open))
                && packing.has_room(form, pose, &mut scratch)
        });
        if !found {
            return Some((sort, !fits));
        }
    }
    None
}

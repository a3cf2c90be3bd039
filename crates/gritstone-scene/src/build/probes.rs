//! Probes from their words.

use gritstone_core::{Linear, Vector};
use gritstone_engine::{Dimension, Lattice, Region, Wall};
use gritstone_probe::{
    Along, ContactList, Coordination, Energies, Fabric, Flow, GrainStress, Kind, Profile, Repose,
    SolidFraction, Stress, WallForces,
};

use super::cell;
use super::plan::{is_called, steps_up_to};
use super::scenery::Scenery;
use super::zone::{direction, make as zone};
use crate::ledger::Ledger;
use crate::quantity::{Duration, Moment, Quantity};
use crate::words::{self, FlowProbe, ProfileProbe, SceneFile, WallProbe};

/// A probe of a run: what, under which name, and when.
#[derive(Clone, Debug)]
pub struct Probing<D: Dimension> {
    /// Its name, and that of its file.
    pub name: String,
    /// What is measured.
    pub kind: Kind<D>,
    /// Steps between two measurements.
    pub every: u64,
    /// First step at which it is measured.
    pub start: u64,
}

/// Most bins of a profile: each is a row of its table for every moment.
const MOST_BINS: u32 = 100_000;

/// Most cells that a region may reach over whose images are counted one by one.
const MOST_CELLS: f64 = 8.0;

/// Sine of the least angle between gravity and the line that heights are measured over.
const SIDEWAYS: f64 = 1e-6;

/// What all probes of a scene are made from.
pub(super) struct Bench<'b, D: Scenery> {
    pub(super) file: &'b SceneFile,
    pub(super) walls: &'b [Wall<D>],
    /// Time step (s).
    pub(super) dt: f64,
    /// Steps between two measurements where nothing is said.
    pub(super) every: u64,
}

impl<D: Scenery> Bench<'_, D> {
    /// All probes; none where something is wrong, which is told.
    pub(super) fn probes(&self, ledger: &mut Ledger<'_>) -> Option<Vec<Probing<D>>> {
        let probes: Vec<_> =
            self.file.probes.iter().map(|(name, words)| self.probe(name, words, ledger)).collect();
        probes.into_iter().collect()
    }

    fn probe(&self, name: &str, words: &words::Probe, ledger: &mut Ledger<'_>) -> Option<Probing<D>> {
        use words::Probe as P;
        let key = format!("probes.{name}");
        check_name(&key, name, ledger)?;
        let (every, start) = times(words);
        let kind = match words {
            P::Energies(w) => Energies { zone: part(&key, w.region.as_ref(), ledger)? }.into(),
            P::Coordination(w) => Coordination { zone: part(&key, w.region.as_ref(), ledger)? }.into(),
            P::GrainStress(w) => GrainStress { zone: part(&key, w.region.as_ref(), ledger)? }.into(),
            P::Fabric(w) => Fabric { zone: part(&key, w.region.as_ref(), ledger)? }.into(),
            P::Contacts(w) => ContactList { zone: part(&key, w.region.as_ref(), ledger)? }.into(),
            P::SolidFraction(w) => SolidFraction { zone: self.whole(&key, &w.region, ledger)? }.into(),
            P::Stress(w) => Stress { zone: self.whole(&key, &w.region, ledger)? }.into(),
            P::Flow(w) => flow(&key, w, ledger)?.into(),
            P::WallForces(w) => self.wall_forces(&key, w, ledger)?.into(),
            P::Profile(w) => self.profile(&key, w, ledger)?.into(),
            P::Repose(w) => Repose { profile: self.profile(&key, w, ledger)? }.into(),
        };
        let in_steps = |interval: Quantity<Duration>| ((interval.si / self.dt).round() as u64).max(1);
        Some(Probing {
            name: name.to_owned(),
            kind,
            every: every.map_or(self.every, in_steps),
            start: steps_up_to(start.si, self.dt),
        })
    }

    fn wall_forces(&self, key: &str, words: &WallProbe, ledger: &mut Ledger<'_>) -> Option<WallForces<D>> {
        let all = 0..self.walls.len();
        if words.walls.is_empty() {
            return Some(WallForces::new(all.collect()));
        }
        let mut known = true;
        for (i, name) in words.walls.iter().enumerate() {
            if !self.walls.iter().any(|wall| is_called(wall, name)) {
                let names = self.walls.iter().map(|wall| wall.name.as_str());
                ledger.unknown(&format!("{key}.walls[{i}]"), name, "wall", "walls", names);
                known = false;
            }
        }
        let asked = |wall: &usize| words.walls.iter().any(|name| is_called(&self.walls[*wall], name));
        known.then(|| WallForces::new(all.filter(asked).collect()))
    }

    fn profile(&self, key: &str, words: &ProfileProbe, ledger: &mut Ledger<'_>) -> Option<Profile<D>> {
        let gravity = self.file.gravity.vector::<D>();
        let strength = gravity.length();
        let up = if strength > 0.0 { gravity * (-1.0 / strength) } else { D::Vec::axis(D::N - 1) };
        let (from, to) = (words.from.si, words.to.si);
        let along = match &words.along {
            None if from < 0.0 => {
                let place = format!("{key}.from");
                let why = "it is a distance from the axis where nothing is said of \"along\"";
                ledger.wrong(&place, format_args!("{place} is {from} m, but must be zero or more: {why}"));
                return None;
            }
            None => Along::Radius,
            Some(along) => {
                Along::Line(sideways::<D>(&format!("{key}.along"), along.vector::<D>(), up, ledger)?)
            }
        };
        if words.bins > MOST_BINS {
            let (place, bins) = (format!("{key}.bins"), words.bins);
            ledger.wrong(
                &place,
                format_args!("{place} is {bins}, but must be a whole number from 1 to {MOST_BINS}"),
            );
            return None;
        }
        if from >= to {
            let place = format!("{key}.to");
            ledger.wrong(
                &place,
                format_args!("{place} is {to} m, but must be more than {key}.from, which is {from} m"),
            );
            return None;
        }
        let origin = words.origin.vector::<D>();
        Some(Profile { origin, up, along, range: [from, to], bins: words.bins as usize })
    }

    /// A region that ends in every direction, not too many cells away.
    fn whole(&self, key: &str, words: &words::Zone, ledger: &mut Ledger<'_>) -> Option<Region<D>> {
        let key = format!("{key}.region");
        let zone = zone::<D>(&key, words, true, ledger)?;
        let lattice = Lattice::<D>::new(cell::make(self.file).as_ref());
        for axis in 0..D::N {
            let ((low, high), most) = (zone.span(axis), MOST_CELLS * lattice.width(axis));
            if high - low > most {
                let (width, letter) = (high - low, ["x", "y", "z"][axis]);
                ledger.wrong(
                    &key,
                    format_args!(
                        "{key} is {width} m wide along {letter}, but must be at most {most} m wide: \
                         {MOST_CELLS} times as wide as the cell"
                    ),
                );
                return None;
            }
        }
        Some(zone)
    }
}

/// A direction that is not along gravity.
fn sideways<D: Scenery>(place: &str, v: D::Vec, up: D::Vec, ledger: &mut Ledger<'_>) -> Option<D::Vec> {
    let (along, _) = direction::<D>(place, v, ledger)?;
    if (along - up * up.dot(along)).length() >= SIDEWAYS {
        return Some(along);
    }
    let components: Vec<f64> = (0..D::N).map(|i| v.component(i)).collect();
    ledger.wrong(
        place,
        format_args!("{place} is {components:?}, but must not be along gravity: heights are measured there"),
    );
    None
}

/// A region that may be left out.
fn part<D: Scenery>(
    key: &str,
    words: Option<&words::Zone>,
    ledger: &mut Ledger<'_>,
) -> Option<Option<Region<D>>> {
    match words {
        None => Some(None),
        Some(words) => zone(&format!("{key}.region"), words, false, ledger).map(Some),
    }
}

fn flow<D: Scenery>(key: &str, words: &FlowProbe, ledger: &mut Ledger<'_>) -> Option<Flow<D>> {
    let zone = part(key, words.region.as_ref(), ledger);
    let normal = direction::<D>(&format!("{key}.normal"), words.normal.vector::<D>(), ledger);
    Some(Flow::new(words.point.vector::<D>(), normal?.0, zone?))
}

/// A name must do for a file, on every system.
fn check_name(key: &str, name: &str, ledger: &mut Ledger<'_>) -> Option<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.len() <= 100 && name.chars().all(plain) && !name.starts_with('.') {
        return Some(());
    }
    ledger.wrong(
        key,
        format_args!(
            "{key} names a file: use letters of the English alphabet, digits, \"-\", \"_\" and \".\" alone"
        ),
    );
    None
}

/// How often, and from when on.
fn times(words: &words::Probe) -> (Option<Quantity<Duration>>, Quantity<Moment>) {
    use words::Probe as P;
    match words {
        P::Energies(w) | P::Coordination(w) | P::GrainStress(w) | P::Fabric(w) | P::Contacts(w) => {
            (w.every, w.start)
        }
        P::SolidFraction(w) | P::Stress(w) => (w.every, w.start),
        P::Flow(w) => (w.every, w.start),
        P::WallForces(w) => (w.every, w.start),
        P::Profile(w) | P::Repose(w) => (w.every, w.start),
    }
}

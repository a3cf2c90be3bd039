//! Probes from their tables.

use gritstone_core::{Linear, Vector};
use gritstone_engine::{Cell, Dimension, Lattice, Region, Wall};
use gritstone_probe::{
    Along, ContactList, Coordination, Energies, Fabric, Flow, GrainStress, Kind, Profile, Repose,
    SolidFraction, Stress, WallForces,
};

use super::from_scene::FromScene;
use super::plan::{is_called, steps_up_to};
use super::region::{direction, make as zone};
use crate::diagnostics::Diagnostics;
use crate::quantity::{Duration, Quantity, TimePoint};
use crate::schema::{self, FlowProbe, ProfileProbe, SceneFile, WallProbe};

/// A probe of a run: what, under which name, and when.
#[derive(Clone, Debug)]
pub struct ScheduledProbe<D: Dimension> {
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
pub(super) struct ProbeBuilder<'b, D: FromScene> {
    pub(super) file: &'b SceneFile,
    pub(super) walls: &'b [Wall<D>],
    /// The periodic cell, if there is one.
    pub(super) cell: Option<&'b Cell<D>>,
    /// Time step (s).
    pub(super) dt: f64,
    /// Steps between two measurements by default.
    pub(super) every: u64,
}

impl<D: FromScene> ProbeBuilder<'_, D> {
    /// All probes; none where something is wrong, which is reported.
    pub(super) fn probes(&self, diagnostics: &mut Diagnostics<'_>) -> Option<Vec<ScheduledProbe<D>>> {
        let probes: Vec<_> =
            self.file.probes.iter().map(|(name, spec)| self.probe(name, spec, diagnostics)).collect();
        probes.into_iter().collect()
    }

    fn probe(
        &self,
        name: &str,
        spec: &schema::Probe,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<ScheduledProbe<D>> {
        use schema::Probe as P;
        let key = format!("probes.{name}");
        check_name(&key, name, diagnostics)?;
        let (every, start) = times(spec);
        let kind = match spec {
            P::Energies(w) => Energies { zone: part(&key, w.region.as_ref(), diagnostics)? }.into(),
            P::Coordination(w) => Coordination { zone: part(&key, w.region.as_ref(), diagnostics)? }.into(),
            P::GrainStress(w) => GrainStress { zone: part(&key, w.region.as_ref(), diagnostics)? }.into(),
            P::Fabric(w) => Fabric { zone: part(&key, w.region.as_ref(), diagnostics)? }.into(),
            P::Contacts(w) => ContactList { zone: part(&key, w.region.as_ref(), diagnostics)? }.into(),
            P::SolidFraction(w) => SolidFraction { zone: self.whole(&key, &w.region, diagnostics)? }.into(),
            P::Stress(w) => Stress { zone: self.whole(&key, &w.region, diagnostics)? }.into(),
            P::Flow(w) => flow(&key, w, diagnostics)?.into(),
            P::WallForces(w) => self.wall_forces(&key, w, diagnostics)?.into(),
            P::Profile(w) => self.profile(&key, w, diagnostics)?.into(),
            P::Repose(w) => Repose { profile: self.profile(&key, w, diagnostics)? }.into(),
        };
        let in_steps = |interval: Quantity<Duration>| ((interval.si / self.dt).round() as u64).max(1);
        Some(ScheduledProbe {
            name: name.to_owned(),
            kind,
            every: every.map_or(self.every, in_steps),
            start: steps_up_to(start.si, self.dt),
        })
    }

    fn wall_forces(
        &self,
        key: &str,
        spec: &WallProbe,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<WallForces<D>> {
        let all = 0..self.walls.len();
        if spec.walls.is_empty() {
            return Some(WallForces::new(all.collect()));
        }
        let mut known = true;
        for (i, name) in spec.walls.iter().enumerate() {
            if !self.walls.iter().any(|wall| is_called(wall, name)) {
                let names = self.walls.iter().map(|wall| wall.name.as_str());
                diagnostics.unknown(&format!("{key}.walls[{i}]"), name, "wall", "walls", names);
                known = false;
            }
        }
        let asked = |wall: &usize| spec.walls.iter().any(|name| is_called(&self.walls[*wall], name));
        known.then(|| WallForces::new(all.filter(asked).collect()))
    }

    fn profile(
        &self,
        key: &str,
        spec: &ProfileProbe,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Profile<D>> {
        let gravity = self.file.gravity.vector::<D>();
        let strength = gravity.length();
        let up = if strength > 0.0 { gravity * (-1.0 / strength) } else { D::Vec::axis(D::N - 1) };
        let (from, to) = (spec.from.si, spec.to.si);
        let along = match &spec.along {
            None if from < 0.0 => {
                let place = format!("{key}.from");
                let why = "it is a distance from the axis without \"along\"";
                diagnostics
                    .error(&place, format_args!("{place} is {from} m, but must be zero or more: {why}"));
                return None;
            }
            None => Along::Radius,
            Some(along) => {
                Along::Line(sideways::<D>(&format!("{key}.along"), along.vector::<D>(), up, diagnostics)?)
            }
        };
        if spec.bins > MOST_BINS {
            let (place, bins) = (format!("{key}.bins"), spec.bins);
            diagnostics.error(
                &place,
                format_args!("{place} is {bins}, but must be a whole number from 1 to {MOST_BINS}"),
            );
            return None;
        }
        if from >= to {
            let place = format!("{key}.to");
            diagnostics.error(
                &place,
                format_args!("{place} is {to} m, but must be more than {key}.from, which is {from} m"),
            );
            return None;
        }
        let origin = spec.origin.vector::<D>();
        Some(Profile { origin, up, along, range: [from, to], bins: spec.bins as usize })
    }

    /// A region that ends in every direction, not too many cells away.
    fn whole(
        &self,
        key: &str,
        spec: &schema::Region,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Region<D>> {
        let key = format!("{key}.region");
        let zone = zone::<D>(&key, spec, true, diagnostics)?;
        let lattice = Lattice::<D>::new(self.cell);
        for axis in 0..D::N {
            let ((low, high), most) = (zone.span(axis), MOST_CELLS * lattice.width(axis));
            if high - low > most {
                let (width, letter) = (high - low, ["x", "y", "z"][axis]);
                diagnostics.error(
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
fn sideways<D: FromScene>(
    place: &str,
    v: D::Vec,
    up: D::Vec,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<D::Vec> {
    let (along, _) = direction::<D>(place, v, diagnostics)?;
    if (along - up * up.dot(along)).length() >= SIDEWAYS {
        return Some(along);
    }
    let components: Vec<f64> = (0..D::N).map(|i| v.component(i)).collect();
    diagnostics.error(
        place,
        format_args!("{place} is {components:?}, but must not be along gravity: heights are measured there"),
    );
    None
}

/// A region that may be left out.
fn part<D: FromScene>(
    key: &str,
    spec: Option<&schema::Region>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Region<D>>> {
    match spec {
        None => Some(None),
        Some(spec) => zone(&format!("{key}.region"), spec, false, diagnostics).map(Some),
    }
}

fn flow<D: FromScene>(key: &str, spec: &FlowProbe, diagnostics: &mut Diagnostics<'_>) -> Option<Flow<D>> {
    let zone = part(key, spec.region.as_ref(), diagnostics);
    let normal = direction::<D>(&format!("{key}.normal"), spec.normal.vector::<D>(), diagnostics);
    Some(Flow::new(spec.point.vector::<D>(), normal?.0, zone?))
}

/// A name must do for a file, on every system.
fn check_name(key: &str, name: &str, diagnostics: &mut Diagnostics<'_>) -> Option<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.len() <= 100 && name.chars().all(plain) && !name.starts_with('.') {
        return Some(());
    }
    diagnostics.error(
        key,
        format_args!(
            "{key} names a file: use letters of the English alphabet, digits, \"-\", \"_\" and \".\" alone"
        ),
    );
    None
}

/// How often, and from when on.
fn times(spec: &schema::Probe) -> (Option<Quantity<Duration>>, Quantity<TimePoint>) {
    use schema::Probe as P;
    match spec {
        P::Energies(w) | P::Coordination(w) | P::GrainStress(w) | P::Fabric(w) | P::Contacts(w) => {
            (w.every, w.start)
        }
        P::SolidFraction(w) | P::Stress(w) => (w.every, w.start),
        P::Flow(w) => (w.every, w.start),
        P::WallForces(w) => (w.every, w.start),
        P::Profile(w) | P::Repose(w) => (w.every, w.start),
    }
}

//! Inlets and outlets from their tables.

use gritstone_engine::{Inlet, Measure, Mixture, Outlet};

use super::from_scene::FromScene;
use super::grain_builder::velocity;
use super::mixtures::Mixtures;
use super::region;
use crate::diagnostics::Diagnostics;
use crate::quantity::{Duration, Quantity, TimePoint};
use crate::schema::{self, Orientation, SceneFile};

/// Steps between two insertions by default: lists are rebuilt when grains come, and should last for some steps.
const EVERY: u64 = 50;

/// All inlets; none where something is wrong, which is reported.
pub(super) fn inlets<D: FromScene>(
    file: &SceneFile,
    mixtures: &Mixtures,
    dt: f64,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Inlet<D>>> {
    let all = file.inlets.iter().zip(&mixtures.inlets);
    let inlets: Vec<_> = all.map(|((name, spec), mix)| inlet(name, spec, mix, dt, diagnostics)).collect();
    inlets.into_iter().collect()
}

fn inlet<D: FromScene>(
    name: &str,
    spec: &schema::Inlet,
    mix: &Mixture,
    dt: f64,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Inlet<D>> {
    let key = format!("inlets.{name}");
    let region = region::make::<D>(&format!("{key}.region"), &spec.region, true, diagnostics);
    let rate = rate(&key, spec, diagnostics);
    let end = end(&key, spec.start, spec.end, diagnostics);
    let ((rate, by), (start, end)) = (rate?, end?);
    let most = match by {
        Measure::Number => spec.count.map(|count| count as f64),
        Measure::Mass => spec.mass.map(|mass| mass.si),
    };
    Some(Inlet {
        name: name.to_owned(),
        region: region?,
        mix: mix.clone(),
        rotation: match spec.orientation {
            Orientation::Random => None,
            turned => Some(D::rotation_from(turned, &mut gritstone_engine::RandomStream::new(spec.seed))),
        },
        velocity: velocity::<D>(spec.velocity.as_ref()),
        spin: spec.spin.as_ref().map_or_else(D::Spin::default, D::angular_velocity),
        rate,
        by,
        start,
        end,
        most: most.unwrap_or(f64::INFINITY),
        every: every(spec.every, dt),
        attempts: spec.attempts,
        seed: spec.seed,
    })
}

/// The rate and what it is of; what else is counted must be of the same sort.
fn rate(key: &str, spec: &schema::Inlet, diagnostics: &mut Diagnostics<'_>) -> Option<(f64, Measure)> {
    let (rate, by, stray) = match (spec.number_rate, spec.mass_rate) {
        (Some(rate), None) => (rate.si, Measure::Number, spec.mass.map(|_| ("mass", "number_rate", "count"))),
        (None, Some(rate)) => (rate.si, Measure::Mass, spec.count.map(|_| ("count", "mass_rate", "mass"))),
        _ => {
            let what = "must have one of the keys \"number_rate\" and \"mass_rate\", and not both";
            diagnostics.error(key, format_args!("{key} {what}"));
            return None;
        }
    };
    if let Some((wrong, given, right)) = stray {
        let place = format!("{key}.{wrong}");
        diagnostics.error(&place, format_args!("{place} does not go with {given}: give \"{right}\" instead"));
        return None;
    }
    Some((rate, by))
}

fn end(
    key: &str,
    start: Quantity<TimePoint>,
    end: Option<Quantity<TimePoint>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(f64, f64)> {
    let (start, end) = (start.si, end.map_or(f64::INFINITY, |end| end.si));
    if end <= start {
        let place = format!("{key}.end");
        diagnostics.error(
            &place,
            format_args!("{place} is {end} s, but must be after {key}.start, which is {start} s"),
        );
        return None;
    }
    Some((start, end))
}

fn every(every: Option<Quantity<Duration>>, dt: f64) -> u64 {
    every.map_or(EVERY, |every| ((every.si / dt).round() as u64).max(1))
}

/// All outlets; none where something is wrong, which is reported.
pub(super) fn outlets<D: FromScene>(
    file: &SceneFile,
    dt: f64,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Outlet<D>>> {
    let outlet = |(name, spec): (&str, &schema::Outlet)| {
        let key = format!("outlets.{name}");
        let region = region::make::<D>(&format!("{key}.region"), &spec.region, false, diagnostics);
        let (start, end) = end(&key, spec.start, spec.end, diagnostics)?;
        Some(Outlet { name: name.to_owned(), region: region?, start, end, every: every(spec.every, dt) })
    };
    let outlets: Vec<_> = file.outlets.iter().map(outlet).collect();
    outlets.into_iter().collect()
}

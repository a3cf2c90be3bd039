//! Inlets and outlets from their words.

use gritstone_engine::{Inlet, Measure, Mixture, Outlet};

use super::mixes::Mixes;
use super::nursery::velocity;
use super::scenery::Scenery;
use super::zone;
use crate::ledger::Ledger;
use crate::quantity::{Duration, Moment, Quantity};
use crate::words::{self, Orientation, SceneFile};

/// Steps between two looks where nothing is said: lists are made anew when grains come, and should last for some steps.
const EVERY: u64 = 50;

/// All inlets; none where something is wrong, which is told.
pub(super) fn inlets<D: Scenery>(
    file: &SceneFile,
    mixes: &Mixes,
    dt: f64,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Inlet<D>>> {
    let all = file.inlets.iter().zip(&mixes.inlets);
    let inlets: Vec<_> = all.map(|((name, words), mix)| inlet(name, words, mix, dt, ledger)).collect();
    inlets.into_iter().collect()
}

fn inlet<D: Scenery>(
    name: &str,
    words: &words::Inlet,
    mix: &Mixture,
    dt: f64,
    ledger: &mut Ledger<'_>,
) -> Option<Inlet<D>> {
    let key = format!("inlets.{name}");
    let zone = zone::make::<D>(&format!("{key}.region"), &words.region, true, ledger);
    let rate = rate(&key, words, ledger);
    let end = end(&key, words.start, words.end, ledger);
    let ((rate, by), (start, end)) = (rate?, end?);
    let most = match by {
        Measure::Number => words.count.map(|count| count as f64),
        Measure::Mass => words.mass.map(|mass| mass.si),
    };
    Some(Inlet {
        name: name.to_owned(),
        zone: zone?,
        mix: mix.clone(),
        rotation: match words.orientation {
            Orientation::Random => None,
            turned => Some(D::oriented(turned, &mut gritstone_engine::RandomStream::new(words.seed))),
        },
        velocity: velocity::<D>(words.velocity.as_ref()),
        spin: words.spin.as_ref().map_or_else(D::Spin::default, D::turning),
        rate,
        by,
        start,
        end,
        most: most.unwrap_or(f64::INFINITY),
        every: every(words.every, dt),
        attempts: words.attempts,
        seed: words.seed,
    })
}

/// The rate and what it is of; what else is counted must be of the same sort.
fn rate(key: &str, words: &words::Inlet, ledger: &mut Ledger<'_>) -> Option<(f64, Measure)> {
    let (rate, by, stray) = match (words.number_rate, words.mass_rate) {
        (Some(rate), None) => {
            (rate.si, Measure::Number, words.mass.map(|_| ("mass", "number_rate", "count")))
        }
        (None, Some(rate)) => (rate.si, Measure::Mass, words.count.map(|_| ("count", "mass_rate", "mass"))),
        _ => {
            let what = "must have one of the keys \"number_rate\" and \"mass_rate\", and not both";
            ledger.wrong(key, format_args!("{key} {what}"));
            return None;
        }
    };
    if let Some((wrong, given, right)) = stray {
        let place = format!("{key}.{wrong}");
        ledger.wrong(&place, format_args!("{place} does not go with {given}: give \"{right}\" instead"));
        return None;
    }
    Some((rate, by))
}

fn end(
    key: &str,
    start: Quantity<Moment>,
    end: Option<Quantity<Moment>>,
    ledger: &mut Ledger<'_>,
) -> Option<(f64, f64)> {
    let (start, end) = (start.si, end.map_or(f64::INFINITY, |end| end.si));
    if end <= start {
        let place = format!("{key}.end");
        ledger.wrong(
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

/// All outlets; none where something is wrong, which is told.
pub(super) fn outlets<D: Scenery>(
    file: &SceneFile,
    dt: f64,
    ledger: &mut Ledger<'_>,
) -> Option<Vec<Outlet<D>>> {
    let outlet = |(name, words): (&str, &words::Outlet)| {
        let key = format!("outlets.{name}");
        let zone = zone::make::<D>(&format!("{key}.region"), &words.region, false, ledger);
        let (start, end) = end(&key, words.start, words.end, ledger)?;
        Some(Outlet { name: name.to_owned(), zone: zone?, start, end, every: every(words.every, dt) })
    };
    let outlets: Vec<_> = file.outlets.iter().map(outlet).collect();
    outlets.into_iter().collect()
}

//! Parts of the plane or of space from their words.

use gritstone_core::{Dim, Vector};
use gritstone_engine::Region;

use super::check_corners;
use super::scenery::Scenery;
use crate::ledger::Ledger;
use crate::words;

/// A zone; none where something is wrong with it, which is told. `key` is where it stands; `bounded` says that it must end
/// in every direction.
pub(super) fn make<D: Scenery>(
    key: &str,
    words: &words::Zone,
    bounded: bool,
    ledger: &mut Ledger<'_>,
) -> Option<Region<D>> {
    let (only, here) = if D::N == 2 { ("circle", "the plane") } else { ("sphere", "space") };
    let zone = match words {
        words::Zone::Box(words) => {
            let (low, high) = (words.low.vector::<D>(), words.high.vector::<D>());
            check_corners::<D>(key, low, high, ledger);
            Region::Box { low, high }
        }
        words::Zone::Sphere(ball) | words::Zone::Circle(ball) => {
            if words.word() != only {
                return misplaced(key, words.word(), here, only, ledger);
            }
            Region::Ball { center: ball.center.vector::<D>(), radius: ball.radius.si }
        }
        words::Zone::Cylinder(_) if D::N == 2 => return misplaced(key, "cylinder", here, "box", ledger),
        words::Zone::Cylinder(words) => {
            let (base, to) = (words.from.vector::<D>(), words.to.vector::<D>());
            let (axis, length) = direction::<D>(&format!("{key}.to"), to - base, ledger)?;
            Region::Cylinder { base, axis, length, radius: words.radius.si }
        }
        words::Zone::Beyond(words) => {
            let (normal, _) = direction::<D>(&format!("{key}.normal"), words.normal.vector::<D>(), ledger)?;
            Region::Beyond { point: words.point.vector::<D>(), normal }
        }
    };
    if bounded && !zone.volume().is_finite() {
        ledger.wrong(key, format_args!("{key} has no end, but must end in every direction"));
        return None;
    }
    Some(zone)
}

fn misplaced<D: Scenery>(
    key: &str,
    word: &str,
    here: &str,
    right: &str,
    ledger: &mut Ledger<'_>,
) -> Option<Region<D>> {
    let place = format!("{key}.kind");
    ledger.wrong(
        &place,
        format_args!("{place} is \"{word}\", but in {here} must be another, such as \"{right}\""),
    );
    None
}

/// A vector at length one, and its length.
pub(super) fn direction<D: Dim>(place: &str, v: D::Vec, ledger: &mut Ledger<'_>) -> Option<(D::Vec, f64)> {
    let length = v.length();
    if length > 0.0 && length.is_finite() {
        return Some((v * (1.0 / length), length));
    }
    ledger.wrong(place, format_args!("{place} gives no direction: its length is {length}"));
    None
}

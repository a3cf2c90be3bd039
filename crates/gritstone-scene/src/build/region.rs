//! Parts of the plane or of space from their tables.

use gritstone_core::{Dim, Vector};
use gritstone_engine::Region;

use super::check_corners;
use super::from_scene::FromScene;
use crate::diagnostics::Diagnostics;
use crate::schema;

/// A zone; none where something is wrong with it, which is reported. `key` is where it stands; `bounded` says that it must end
/// in every direction.
pub(super) fn make<D: FromScene>(
    key: &str,
    spec: &schema::Region,
    bounded: bool,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Region<D>> {
    let (only, here) = if D::N == 2 { ("circle", "the plane") } else { ("sphere", "space") };
    let zone = match spec {
        schema::Region::Box(spec) => {
            let (low, high) = (spec.low.vector::<D>(), spec.high.vector::<D>());
            check_corners::<D>(key, low, high, diagnostics);
            Region::Box { low, high }
        }
        schema::Region::Sphere(ball) | schema::Region::Circle(ball) => {
            if spec.keyword() != only {
                return misplaced(key, spec.keyword(), here, only, diagnostics);
            }
            Region::Ball { center: ball.center.vector::<D>(), radius: ball.radius.si }
        }
        schema::Region::Cylinder(_) if D::N == 2 => {
            return misplaced(key, "cylinder", here, "box", diagnostics);
        }
        schema::Region::Cylinder(spec) => {
            let (base, to) = (spec.from.vector::<D>(), spec.to.vector::<D>());
            let (axis, length) = direction::<D>(&format!("{key}.to"), to - base, diagnostics)?;
            Region::Cylinder { base, axis, length, radius: spec.radius.si }
        }
        schema::Region::Beyond(spec) => {
            let (normal, _) =
                direction::<D>(&format!("{key}.normal"), spec.normal.vector::<D>(), diagnostics)?;
            Region::Beyond { point: spec.point.vector::<D>(), normal }
        }
    };
    if bounded && !zone.volume().is_finite() {
        diagnostics.error(key, format_args!("{key} has no end, but must end in every direction"));
        return None;
    }
    Some(zone)
}

fn misplaced<D: FromScene>(
    key: &str,
    keyword: &str,
    here: &str,
    right: &str,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Region<D>> {
    let place = format!("{key}.kind");
    diagnostics.error(
        &place,
        format_args!("{place} is \"{keyword}\", but in {here} must be another, such as \"{right}\""),
    );
    None
}

/// A vector at length one, and its length.
pub(super) fn direction<D: Dim>(
    place: &str,
    v: D::Vec,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(D::Vec, f64)> {
    let length = v.length();
    if length > 0.0 && length.is_finite() {
        return Some((v * (1.0 / length), length));
    }
    diagnostics.error(place, format_args!("{place} gives no direction: its length is {length}"));
    None
}

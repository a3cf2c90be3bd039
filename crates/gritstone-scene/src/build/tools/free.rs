//! Free tools from their tables.

use gritstone_engine::Free;

use super::ToolBuilder;
use crate::build::axes;
use crate::build::from_scene::FromScene;
use crate::quantity::Coordinates;
use crate::schema::{self, Axis};

/// How much more than the sum of the others a moment of inertia may be, relative to it: numbers are rounded.
const ROUNDED: f64 = 1e-6;

impl<D: FromScene> ToolBuilder<'_, '_, '_, D> {
    pub(super) fn free(&mut self, spec: &schema::Free) -> Option<Free<D>> {
        let along = self.axes(".free.along", spec.along.as_deref(), |axis| axis.number() < D::N)?;
        let about = self.axes(".free.about", spec.about.as_deref(), |axis| D::N == 3 || axis == Axis::Z)?;
        if spec.about.is_some() && spec.moments.is_empty() {
            return self.error(".free.about", "goes with \"moments\", which are missing: it would not turn");
        }
        let about = if D::N == 2 { [about[2]; 3] } else { about };
        let moments = self.moments(spec, about)?;
        if !along[..D::N].contains(&true) && (moments.is_none() || !about.contains(&true)) {
            return self
                .error(".free.along", "has no axes, and it does not turn: a free tool must be able to move");
        }
        Some(Free {
            mass: spec.mass.si,
            along,
            moments: moments.map(|si| D::moments(&si)),
            about,
            force: spec.force.as_ref().map_or_else(D::Vec::default, Coordinates::vector::<D>),
            start: spec.start.si,
        })
    }

    /// Which axes a list has; all where there is none.
    fn axes(&mut self, key: &str, list: Option<&[Axis]>, there: impl Fn(Axis) -> bool) -> Option<[bool; 3]> {
        let Some(list) = list else { return Some([true; 3]) };
        if let Some((i, what)) = axes::stray(list, there) {
            return self.error(&format!("{key}[{i}]"), &what);
        }
        Some([Axis::X, Axis::Y, Axis::Z].map(|axis| list.contains(&axis)))
    }

    /// The moments of inertia, if it has any.
    fn moments(&mut self, spec: &schema::Free, about: [bool; 3]) -> Option<Option<Vec<f64>>> {
        let si: Vec<f64> = spec.moments.iter().map(|moment| moment.si).collect();
        let (found, needed) = (si.len(), if D::N == 2 { 1 } else { 3 });
        if found == 0 {
            return Some(None);
        }
        if found != needed {
            return self.error(".free.moments", &format!("has {found} numbers, but must have {needed}"));
        }
        // About one axis alone the others do not count.
        if needed == 3 && about.iter().filter(|free| **free).count() > 1 {
            let sum: f64 = si.iter().sum();
            if let Some(i) = (0..3).find(|&i| si[i] > (sum - si[i]) * (1.0 + ROUNDED)) {
                let what = format!(
                    "is {} kg m^2, more than the other two together, {} kg m^2, which no body has",
                    si[i],
                    sum - si[i]
                );
                return self.error(&format!(".free.moments[{i}]"), &what);
            }
        }
        Some(Some(si))
    }
}

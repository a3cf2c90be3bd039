//! How grains come to rest before a run begins.

use gritstone_force::Cohesion;

use super::Parts;
use super::from_scene::FromScene;
use crate::diagnostics::Diagnostics;
use crate::schema::{Grains, SceneFile};

/// How grains come to rest before a run begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preparation {
    /// Simulated time with soft contacts (s).
    pub time: f64,
    /// Their stiffness, as a part of the real one.
    pub stiffness: f64,
    /// Steps of each stage in which the stiffness is doubled.
    pub relax: u64,
}

/// The preparation that a scene asks for; what is wrong with it is told.
pub(super) fn make<D: FromScene>(
    file: &SceneFile,
    parts: &Parts<D>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Preparation> {
    let spec = file.prepare.as_ref()?;
    if file.cell.is_some() {
        diagnostics.error("prepare", "prepare is for grains between walls, and there is a periodic cell");
    }
    if file.grains.iter().any(|group| matches!(group, Grains::Run(_))) {
        diagnostics.error("prepare", "prepare is for grains that are placed here, and some go on from a run");
    }
    if file.grains.is_empty() {
        diagnostics.error("prepare", "prepare needs grains that are there at the start: inlets open later");
    }
    if parts.interactions.iter().any(|law| law.cohesion() != Cohesion::None) {
        let what = "prepare softens contacts, and with cohesion softer grains would stick together: settle them in the run";
        diagnostics.error("prepare", what);
    }
    Some(Preparation { time: spec.time.si, stiffness: spec.stiffness.si, relax: spec.relax })
}

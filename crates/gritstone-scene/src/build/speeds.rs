//! Grains and walls that are so fast that they may pass through others between two steps.

use gritstone_engine::{Drive, FAR, Inlet, Move, Setup};

use super::from_scene::FromScene;
use super::grains::group_of;
use crate::diagnostics::Diagnostics;
use crate::display::{plain, time};

/// Times at which the speed of a tool is looked at.
const SAMPLES: u32 = 256;

/// Warns of what moves further in a step than contacts resolve: grains at the start and from inlets, and walls.
pub(super) fn check<D: FromScene>(
    setup: &Setup<D>,
    inlets: &[Inlet<D>],
    starts: &[usize],
    end: f64,
    diagnostics: &mut Diagnostics<'_>,
) {
    let dt = setup.time_step;
    let thickness: Vec<f64> =
        (0..setup.shapes.len() as u32).map(|shape| setup.half_thickness(shape)).collect();
    let part = |speed: f64, shape: u32| speed * dt / thickness[shape as usize];
    let fastest = |parts: &mut dyn Iterator<Item = (f64, usize)>| {
        parts.filter(|(part, _)| *part > FAR).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let grains = setup.grains.iter().enumerate().filter(|(_, grain)| !grain.frozen);
    let mut parts = grains.map(|(i, grain)| (part(speed::<D>(grain.velocity), grain.shape), i));
    if let Some((part, grain)) = fastest(&mut parts) {
        let key = format!("grains[{}].velocity", group_of(starts, grain));
        tell(&key, &format!("grain {} goes", setup.grains[grain].id), part, dt, diagnostics);
    }
    for inlet in inlets {
        let sorts = inlet.mix.classes().iter().map(|sort| (part(speed::<D>(inlet.velocity), sort.shape), 0));
        if let Some((part, _)) = fastest(&mut { sorts }) {
            let key = format!("inlets.{}.velocity", inlet.name);
            tell(&key, "its grains go", part, dt, diagnostics);
        }
    }
    let used = setup.grains.iter().map(|grain| grain.shape);
    let used = used.chain(inlets.iter().flat_map(|inlet| inlet.mix.classes()).map(|sort| sort.shape));
    let thinnest = used.map(|shape| thickness[shape as usize]).fold(f64::INFINITY, f64::min);
    for tool in &setup.tools {
        let part = fastest_of::<D>(&tool.drive, end) * dt / thinnest;
        if part > FAR {
            tell(&format!("tools.{}", tool.name), "it goes", part, dt, diagnostics);
        }
    }
}

fn speed<D: FromScene>(velocity: D::Vec) -> f64 {
    use gritstone_core::Linear as _;
    velocity.dot(velocity).sqrt()
}

/// The largest speed at which motions along axes carry a tool (m/s).
fn fastest_of<D: FromScene>(drive: &Drive<D>, end: f64) -> f64 {
    let Drive::Moves(moves) = drive else { return 0.0 };
    let peak = |motion: &Move<D>| {
        let Move::Along { course, .. } = motion else { return 0.0 };
        let last = course.end.min(end);
        let at = |k: u32| course.start + (last - course.start) * (f64::from(k) + 0.5) / f64::from(SAMPLES);
        (0..SAMPLES).map(|k| course.at(at(k))[1].abs()).fold(0.0, f64::max)
    };
    moves.iter().map(peak).sum()
}

fn tell(key: &str, who: &str, part: f64, dt: f64, diagnostics: &mut Diagnostics<'_>) {
    let (far, shorter) = (plain((100.0 * part).round() / 100.0), time(dt * FAR / part));
    diagnostics.warn(
        key,
        format_args!(
            "{key}: {who} {far} of half a grain's thickness in a step of {}: more than {FAR} is too far for contacts to be \
             resolved, and thin walls may be passed; a step of at most {shorter} is safe",
            time(dt)
        ),
    );
}

//! The time step: as given, or from the stiffest contact.
//!
//! With linear springs a contact lasts π·√(m*/kn), and the pair that takes the shortest time limits the step. With Hertz's
//! law stiffness grows with the load, and the usual measure is the time that a Rayleigh wave takes along the surface of the
//! smallest grain, π·R·√(ρ/G) / (0.163 ν + 0.8766), here with the mass m instead of the density ρ = m / (4/3·π·R³), which
//! serves the plane, too. R is the radius of the ball or disc of the same volume.

use std::fmt::{self, Display, Formatter};

use gritstone_engine::Grain;
use gritstone_force::{Spring, linear, radius};

use super::Parts;
use super::mixes::Mixes;
use super::scenery::Scenery;
use crate::display::{plain, time};
use crate::ledger::Ledger;
use crate::words::{Law, SceneFile, Step};

/// Part of the time scale that an automatic step has, for the linear law: a contact is then followed in fifty steps.
const LINEAR_FRACTION: f64 = 0.02;
/// The same for Hertz's law.
const HERTZ_FRACTION: f64 = 0.1;
/// Above this part of a contact's duration energy comes from nowhere. One spring alone is stable up to 2/π; several contacts far
/// from the centre of a slender grain are as stiff as ten springs, and damping takes its share. In violent beds the books are
/// off by 0.6 % at 0.042 and by 15 % at 0.07, and one has blown up at 0.117.
const LINEAR_LIMIT: f64 = 0.05;
/// The same for the Rayleigh time.
const HERTZ_LIMIT: f64 = 0.4;

/// A time step, and what it was measured by.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeStep {
    /// The step (s).
    pub seconds: f64,
    /// Whether it was found rather than given.
    pub automatic: bool,
    /// The shortest time scale of the scene.
    pub why: Why,
}

/// The shortest time scale of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// How long it is (s).
    pub seconds: f64,
    /// What it is: "the duration of a contact", "the Rayleigh time".
    pub what: &'static str,
    /// Whose it is, such as "grain (glass) against grain (glass)".
    pub whose: String,
    /// Name of the (first) grain's material.
    pub material: String,
}

impl Display for TimeStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { seconds, automatic, why } = self;
        let how = if *automatic { "automatic" } else { "given" };
        let (step, scale, part) = (time(*seconds), time(why.seconds), plain(seconds / why.seconds));
        write!(f, "{step}, {how}: {part} of {} of {}, {scale}", why.what, why.whose)
    }
}

/// The step of a scene; warns of one that is too long.
pub(super) fn choose<D: Scenery>(
    file: &SceneFile,
    parts: &Parts<D>,
    grains: &[Grain<D>],
    mixes: &Mixes,
    ledger: &mut Ledger<'_>,
) -> TimeStep {
    let (fraction, limit) = match file.contact.law {
        Law::Linear => (LINEAR_FRACTION, LINEAR_LIMIT),
        Law::HertzMindlin => (HERTZ_FRACTION, HERTZ_LIMIT),
    };
    let sorts = sorts(file, parts, grains, mixes);
    let why = match file.contact.law {
        Law::Linear => shortest_contact(parts, &sorts),
        Law::HertzMindlin => shortest_wave(file, &sorts),
    };
    let step = match file.time.step {
        Step::Given(step) => TimeStep { seconds: step.si, automatic: false, why },
        Step::Auto => {
            let fraction = file.time.fraction.map_or(fraction, |fraction| fraction.si);
            TimeStep { seconds: fraction * why.seconds, automatic: true, why }
        }
    };
    if step.seconds > limit * step.why.seconds {
        let key = if step.automatic { "time.fraction" } else { "time.step" };
        ledger.doubt(
            key,
            format_args!("the time step may be too long to be stable: {step}; at most {limit} is safe"),
        );
    }
    step
}

/// A shape of a material that some grain has.
struct Sort {
    name: String,
    /// Name of the material.
    of: String,
    material: usize,
    /// Mass (kg).
    mass: f64,
    /// Radius of the ball or disc of the same volume (m).
    radius: f64,
}

/// All sorts of grains there are.
fn sorts<D: Scenery>(file: &SceneFile, parts: &Parts<D>, grains: &[Grain<D>], mixes: &Mixes) -> Vec<Sort> {
    let of_grains = grains.iter().map(|grain| (grain.shape as usize, usize::from(grain.material)));
    let of_mixes = mixes.sorts().map(|sort| (sort.shape as usize, usize::from(sort.material)));
    let mut kinds: Vec<_> = of_grains.chain(of_mixes).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let sort = |(shape, material): (usize, usize)| {
        let volume = parts.shapes.get(shape)?.mass?.volume;
        let shape = parts.names.get(shape)?;
        let (of, words) = file.materials.list.get(material)?;
        let mass = volume * words.density?.si;
        Some(Sort {
            name: format!("{shape} ({of})"),
            of: of.clone(),
            material,
            mass,
            radius: radius::of_volume::<D>(volume),
        })
    };
    kinds.into_iter().filter_map(sort).collect()
}

/// The contact that lasts least, with linear springs.
fn shortest_contact<D: Scenery>(parts: &Parts<D>, sorts: &[Sort]) -> Why {
    let walls = parts.walls.iter().map(|wall| {
        let name = format!("wall {}", wall.name);
        Sort {
            name,
            of: String::new(),
            material: wall.material.into(),
            mass: f64::INFINITY,
            radius: f64::INFINITY,
        }
    });
    let others: Vec<Sort> = walls.collect();
    let mut shortest = Why {
        seconds: f64::INFINITY,
        what: "the duration of a contact",
        whose: String::new(),
        material: String::new(),
    };
    for (i, a) in sorts.iter().enumerate() {
        for b in sorts[i..].iter().chain(&others) {
            let Spring::Linear { kn, .. } = parts.interactions.get(a.material, b.material).spring() else {
                continue;
            };
            let seconds = linear::contact_time(kn, 1.0 / (1.0 / a.mass + 1.0 / b.mass));
            if seconds < shortest.seconds {
                shortest = Why {
                    seconds,
                    whose: format!("{} against {}", a.name, b.name),
                    material: a.of.clone(),
                    ..shortest
                };
            }
        }
    }
    shortest
}

/// The grain that a Rayleigh wave crosses first, with Hertz's law.
fn shortest_wave(file: &SceneFile, sorts: &[Sort]) -> Why {
    use std::f64::consts::PI;
    let mut shortest = Why {
        seconds: f64::INFINITY,
        what: "the Rayleigh time",
        whose: String::new(),
        material: String::new(),
    };
    for sort in sorts {
        let (_, material) = &file.materials.list[sort.material];
        let (Some(young), Some(poisson)) = (material.young, material.poisson) else { continue };
        let shear = young.si / (2.0 * (1.0 + poisson.si));
        let square = 0.75 * sort.mass / (PI * sort.radius * shear);
        let seconds = PI * square.sqrt() / (0.163 * poisson.si + 0.8766);
        if seconds < shortest.seconds {
            shortest = Why { seconds, whose: sort.name.clone(), material: sort.of.clone(), ..shortest };
        }
    }
    shortest
}

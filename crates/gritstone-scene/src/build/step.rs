//! The time step: as given, or from the stiffest contact.
//!
//! With linear springs a contact lasts π·√(m*/kn), and the pair that takes the shortest time limits the step. With Hertz's
//! law stiffness grows with the load, and the usual measure is the time that a Rayleigh wave takes along the surface of the
//! smallest grain, π·R·√(ρ/G) / (0.163 ν + 0.8766), here with the mass m instead of the density ρ = m / (4/3·π·R³), which
//! serves the plane, too. R is the radius of the ball or disc of the same volume.
//!
//! A face on a face is as stiff at the first touch as under load, with Hertz's law, too: its contact lasts π·√(m*/K) with the
//! stiffness K of the whole face. For cubes that is less than the Rayleigh time, and the shorter one of the steps that both
//! allow is taken. What parts of a compound have in one plane is not added up, and walls count as flat.

use std::fmt::{self, Display, Formatter};

use gritstone_engine::{Compound, Grain};
use gritstone_force::{linear, radius};

use super::Parts;
use super::from_scene::FromScene;
use super::mixtures::Mixtures;
use super::shapes::BuiltShape;
use crate::diagnostics::Diagnostics;
use crate::display::{plain, time};
use crate::schema::{Flat, Law, SceneFile, Step};

/// What steps are measured by.
struct Measure {
    what: &'static str,
    /// Part of it that an automatic step has.
    fraction: f64,
    /// Above this part of it energy is created.
    limit: f64,
}

/// A contact is followed in fifty steps. One spring alone is stable up to 2/π; several contacts far from the centre of a
/// slender grain are as stiff as ten springs, and damping takes its share. In violent beds the energy balance is off by 0.6 % at 0.042
/// and by 15 % at 0.07, and one has blown up at 0.117.
const CONTACT: Measure = Measure { what: "the duration of a contact", fraction: 0.02, limit: 0.05 };

/// The same for Hertz's law where faces meet. Cubes and slabs that fall into a box with a restitution of 0.3: the energy balance is off
/// by up to 2 % at 0.05 and by 7 to 37 % at 0.12, and at 0.2 all beds have blown up. Two cubes that are to come back with 0.5
/// of their speed have 0.475 at 0.12, and 0.499 at 0.02.
const FACES: Measure = Measure { what: "the duration of a contact of faces", ..CONTACT };

/// For Hertz's law.
const WAVE: Measure = Measure { what: "the Rayleigh time", fraction: 0.1, limit: 0.4 };

/// A time step, and what it was measured by.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeStep {
    /// The step (s).
    pub seconds: f64,
    /// Whether it was found rather than given.
    pub automatic: bool,
    /// The shortest time scale of the scene.
    pub why: TimeScale,
    /// The automatic step that contacts of curved surfaces alone would allow (s), where faces allow less.
    pub without_faces: Option<f64>,
}

impl TimeStep {
    /// Why an automatic step is so short, where it is so for faces.
    pub fn note(&self) -> Option<String> {
        let curved = self.without_faces.filter(|_| self.automatic)?;
        let times = plain((10.0 * curved / self.seconds).round() / 10.0);
        Some(format!(
            "faces make it {times} times shorter: a flat face on another is stiff from the first touch, where curved surfaces \
             are soft (by the Rayleigh time alone: {}); contact.flat = \"point\" or shapes without faces avoid it",
            time(curved)
        ))
    }
}

/// The shortest time scale of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeScale {
    /// How long it is (s).
    pub seconds: f64,
    /// What it is: "the duration of a contact", "the duration of a contact of faces", "the Rayleigh time".
    pub what: &'static str,
    /// Whose it is, such as "grain (glass) against grain (glass)".
    pub whose: String,
    /// Name of the (first) grain's material.
    pub material: String,
}

impl Display for TimeStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { seconds, automatic, why, .. } = self;
        let how = if *automatic { "automatic" } else { "given" };
        let (step, scale, part) = (time(*seconds), time(why.seconds), plain(seconds / why.seconds));
        write!(f, "{step}, {how}: {part} of {} of {}, {scale}", why.what, why.whose)
    }
}

/// The step of a scene; warns of one that is too long.
pub(super) fn choose<D: FromScene>(
    file: &SceneFile,
    parts: &Parts<D>,
    grains: &[Grain<D>],
    mixtures: &Mixtures,
    diagnostics: &mut Diagnostics<'_>,
) -> TimeStep {
    let (Measure { fraction, limit, .. }, why, wave) =
        shortest(file, parts, sorts(file, parts, grains, mixtures));
    let without_faces =
        wave.map(|seconds| file.time.fraction.map_or(WAVE.fraction, |part| part.si) * seconds);
    let step = match file.time.step {
        Step::Given(step) => TimeStep { seconds: step.si, automatic: false, why, without_faces },
        Step::Auto => {
            let fraction = file.time.fraction.map_or(fraction, |fraction| fraction.si);
            TimeStep { seconds: fraction * why.seconds, automatic: true, why, without_faces }
        }
    };
    if step.seconds > limit * step.why.seconds {
        let key = if step.automatic { "time.fraction" } else { "time.step" };
        diagnostics.warn(
            key,
            format_args!("the time step may be too long to be stable: {step}; at most {limit} is safe"),
        );
    }
    step
}

/// What limits the step: by the part that an automatic step has of it, and for a given step by that at which it is too long.
/// The last is the Rayleigh time where faces allow less.
fn shortest<D: FromScene>(
    file: &SceneFile,
    parts: &Parts<D>,
    mut sorts: Vec<Sort>,
) -> (Measure, TimeScale, Option<f64>) {
    if file.contact.law == Law::Linear {
        return (CONTACT, shortest_contact(parts, &sorts, CONTACT.what), None);
    }
    let wave = shortest_wave(file, &sorts);
    sorts.retain(|sort| sort.face > 0.0 && file.contact.flat != Flat::Point);
    let faces = shortest_contact(parts, &sorts, FACES.what);
    let [by_wave, by_faces] = match file.time.step {
        Step::Auto => [WAVE.fraction, FACES.fraction],
        Step::Given(_) => [WAVE.limit, FACES.limit],
    };
    if by_faces * faces.seconds < by_wave * wave.seconds {
        (FACES, faces, Some(wave.seconds))
    } else {
        (WAVE, wave, None)
    }
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
    /// Area of its largest face (m²), in the plane length (m); zero where it has none.
    face: f64,
}

/// All sorts of grains there are.
fn sorts<D: FromScene>(
    file: &SceneFile,
    parts: &Parts<D>,
    grains: &[Grain<D>],
    mixtures: &Mixtures,
) -> Vec<Sort> {
    let of_grains = grains.iter().map(|grain| (grain.shape as usize, usize::from(grain.material)));
    let of_mixes = mixtures.classes().map(|sort| (sort.shape as usize, usize::from(sort.material)));
    let mut kinds: Vec<_> = of_grains.chain(of_mixes).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let sort = |(shape, material): (usize, usize)| {
        let made = parts.shapes.get(shape)?;
        let volume = made.mass?.volume;
        let shape = parts.names.get(shape)?;
        let (of, spec) = file.materials.list.get(material)?;
        let mass = volume * spec.density?.si;
        Some(Sort {
            name: format!("{shape} ({of})"),
            of: of.clone(),
            material,
            mass,
            radius: radius::of_volume::<D>(volume),
            face: largest_face(made, file.contact.crown.si),
        })
    };
    kinds.into_iter().filter_map(sort).collect()
}

fn largest_face<D: FromScene>(made: &BuiltShape<D>, crown: f64) -> f64 {
    let parts = made.compound.iter().flat_map(Compound::parts).map(|part| &part.shape);
    parts.chain([&made.shape]).map(|shape| D::largest_face(shape, crown)).fold(0.0, f64::max)
}

/// The contact that lasts least: with linear springs, or of whole faces.
fn shortest_contact<D: FromScene>(parts: &Parts<D>, sorts: &[Sort], what: &'static str) -> TimeScale {
    let walls = parts.walls.iter().map(|wall| {
        let name = format!("wall {}", wall.name);
        Sort {
            name,
            of: String::new(),
            material: wall.material.into(),
            mass: f64::INFINITY,
            radius: f64::INFINITY,
            face: f64::INFINITY,
        }
    });
    let others: Vec<Sort> = walls.collect();
    let mut shortest =
        TimeScale { seconds: f64::INFINITY, what, whose: String::new(), material: String::new() };
    for (i, a) in sorts.iter().enumerate() {
        for b in sorts[i..].iter().chain(&others) {
            let interaction = parts.interactions.get(a.material, b.material);
            let stiffness = interaction.patch_stiffness::<D>(a.face.min(b.face));
            let seconds = linear::contact_time(stiffness, 1.0 / (1.0 / a.mass + 1.0 / b.mass));
            if seconds < shortest.seconds {
                shortest = TimeScale {
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
fn shortest_wave(file: &SceneFile, sorts: &[Sort]) -> TimeScale {
    use std::f64::consts::PI;
    let mut shortest =
        TimeScale { seconds: f64::INFINITY, what: WAVE.what, whose: String::new(), material: String::new() };
    for sort in sorts {
        let (_, material) = &file.materials.list[sort.material];
        let (Some(young), Some(poisson)) = (material.young, material.poisson) else { continue };
        let shear = young.si / (2.0 * (1.0 + poisson.si));
        let square = 0.75 * sort.mass / (PI * sort.radius * shear);
        let seconds = PI * square.sqrt() / (0.163 * poisson.si + 0.8766);
        if seconds < shortest.seconds {
            shortest = TimeScale { seconds, whose: sort.name.clone(), material: sort.of.clone(), ..shortest };
        }
    }
    shortest
}

//! Contact laws from materials and their pairs.

use gritstone_contact::NarrowPhase;
use gritstone_engine::{FlatRule, RadiusRule, Rules};
use gritstone_force as force;
use gritstone_force::{Interactions, Overrides, Spring};

use super::memory;
use crate::diagnostics::Diagnostics;
use crate::quantity::{Adhesion, Coefficient, Cohesion, DampingRatio, FrictionAngle, Quantity, Restitution};
use crate::schema::{self, Law, Material, Pair, SceneFile};

/// Density of materials that no grain has: any will do.
const UNUSED_DENSITY: f64 = 1.0;

/// Tangential over normal stiffness by default: grains then bounce off a rough wall as published spheres do.
const SHEAR_RATIO: f64 = 2.0 / 7.0;

/// Densities of the materials, in order.
pub(crate) fn densities(file: &SceneFile) -> Vec<f64> {
    file.materials.iter().map(|(_, material)| density(material)).collect()
}

fn density(material: &Material) -> f64 {
    material.density.map_or(UNUSED_DENSITY, |density| density.si)
}

/// How contacts are turned into what laws see.
pub(crate) fn rules(file: &SceneFile) -> Rules {
    Rules {
        radius: match file.contact.radius {
            schema::Radius::BodyFunction => RadiusRule::BodyFunction,
            schema::Radius::Curvature => RadiusRule::Curvature,
            schema::Radius::VolumeEquivalent => RadiusRule::Volume,
        },
        flat: match file.contact.flat {
            schema::Flat::Patch => FlatRule::Patch,
            schema::Flat::StrictPatch => FlatRule::StrictPatch,
            schema::Flat::Point => FlatRule::Point,
        },
        crown: file.contact.crown.si,
    }
}

/// Reports a method that the dimension does not have.
pub(crate) fn check_method<D: NarrowPhase>(file: &SceneFile, diagnostics: &mut Diagnostics<'_>) {
    if let Some(name) = file.contact.method.as_ref().filter(|name| D::method(name).is_none()) {
        let known = D::methods().iter().map(|method| method.card().name);
        diagnostics.unknown("contact.method", name, "contact method", "contact.method", known);
    }
}

/// How materials act on each other; none where something is wrong, which is reported.
pub(crate) fn mix(file: &SceneFile, diagnostics: &mut Diagnostics<'_>) -> Option<Interactions> {
    if file.materials.list.is_empty() {
        diagnostics.error("materials", "the scene has no materials: add a table such as [materials.glass]");
    }
    let materials: Vec<_> =
        file.materials.iter().map(|(name, material)| convert(name, material, file, diagnostics)).collect();
    memory::check_materials(file.materials.list.len(), diagnostics)?;
    let overrides: Vec<_> =
        file.pairs.iter().enumerate().map(|(i, pair)| convert_pair(i, pair, file, diagnostics)).collect();
    check_pairs(file, diagnostics);
    let materials: Vec<_> = materials.into_iter().collect::<Option<_>>()?;
    let overrides: Vec<_> = overrides.into_iter().collect::<Option<_>>()?;
    Interactions::mix(&materials, &overrides)
        .map_err(|error| {
            diagnostics.error("materials", format_args!("materials do not go together: {error}"));
        })
        .ok()
}

/// Reports pairs that are there twice: the first would say nothing.
fn check_pairs(file: &SceneFile, diagnostics: &mut Diagnostics<'_>) {
    let same = |a: &[String], b: &[String]| a == b || a.iter().eq(b.iter().rev());
    for (i, pair) in file.pairs.iter().enumerate() {
        if let Some(first) = file.pairs[..i].iter().position(|other| same(&other.materials, &pair.materials))
        {
            let (place, line) =
                (format!("pairs[{i}].materials"), diagnostics.line(&format!("pairs[{first}]")));
            diagnostics.error(
                &place,
                format_args!("{place} are those of pairs[{first}]{line}: put what both say into one of them"),
            );
        }
    }
}

fn convert(
    name: &str,
    material: &Material,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<force::Material> {
    let key = format!("materials.{name}");
    let stiffness = stiffness(&key, material, file, diagnostics);
    let damping = damping(&key, material.restitution, material.damping_ratio, file, diagnostics);
    let friction = friction(&key, material.friction, material.friction_angle, diagnostics);
    let cohesion = cohesion(&key, material.cohesion, material.adhesion, diagnostics);
    Some(force::Material {
        name: name.to_owned(),
        density: density(material),
        stiffness: stiffness?,
        damping: damping.unwrap_or(force::Damping::Restitution(1.0)),
        friction: friction.unwrap_or(force::Friction::Coefficient(0.0)),
        rolling: material.rolling.unwrap_or_default().si,
        twisting: material.twisting.unwrap_or_default().si,
        cohesion: cohesion.unwrap_or_default(),
    })
}

fn stiffness(
    key: &str,
    material: &Material,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<force::Stiffness> {
    let mut need = |name: &str, value: Option<f64>| {
        if value.is_none() {
            let law = file.contact.law.keyword();
            diagnostics
                .error(key, format_args!("{key} has no key \"{name}\", which the law \"{law}\" needs"));
        }
        value
    };
    match file.contact.law {
        Law::Linear => {
            let kn = need("kn", material.kn.map(|kn| kn.si))?;
            Some(force::Stiffness::Linear { kn, ks: material.ks.map_or(SHEAR_RATIO * kn, |ks| ks.si) })
        }
        Law::HertzMindlin => {
            let young = need("young", material.young.map(|young| young.si));
            let poisson = need("poisson", material.poisson.map(|poisson| poisson.si));
            Some(force::Stiffness::Hertz { young: young?, poisson: poisson? })
        }
    }
}

fn convert_pair(
    i: usize,
    pair: &Pair,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(usize, usize, Overrides)> {
    let key = format!("pairs[{i}]");
    let [a, b] = &pair.materials[..] else {
        let count = pair.materials.len();
        diagnostics.error(&key, format_args!("{key}.materials has {count} names, but must have 2"));
        return None;
    };
    let mut index = |k: usize, name: &str| {
        let found = file.materials.find(name);
        if found.is_none() {
            let place = format!("{key}.materials[{k}]");
            diagnostics.unknown(&place, name, "material", "materials", file.materials.names());
        }
        found.map(|(index, _)| index)
    };
    let (a, b) = (index(0, a), index(1, b));
    let spring = match (pair.kn, file.contact.law) {
        (Some(kn), Law::Linear) => {
            Some(Spring::Linear { kn: kn.si, ks: pair.ks.map_or(SHEAR_RATIO * kn.si, |ks| ks.si) })
        }
        (Some(_), Law::HertzMindlin) => {
            diagnostics.error(&format!("{key}.kn"), format_args!("{key}.kn is for the law \"linear\" alone"));
            None
        }
        (None, _) => {
            if pair.ks.is_some() {
                diagnostics
                    .error(&format!("{key}.ks"), format_args!("{key} has \"ks\" without \"kn\": give both"));
            }
            None
        }
    };
    let said = Overrides {
        spring,
        damping: damping(&key, pair.restitution, pair.damping_ratio, file, diagnostics),
        friction: friction(&key, pair.friction, pair.friction_angle, diagnostics),
        rolling: pair.rolling.map(|rolling| rolling.si),
        twisting: pair.twisting.map(|twisting| twisting.si),
        cohesion: cohesion(&key, pair.cohesion, pair.adhesion, diagnostics),
    };
    Some((a?, b?, said))
}

fn damping(
    key: &str,
    restitution: Option<Quantity<Restitution>>,
    ratio: Option<Quantity<DampingRatio>>,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<force::Damping> {
    match (restitution, ratio) {
        (None, None) => None,
        (Some(e), None) => Some(match file.contact.damping {
            schema::Damping::Exact => force::Damping::Restitution(e.si),
            schema::Damping::Published => force::Damping::Published(e.si),
        }),
        (None, Some(ratio)) => Some(force::Damping::Ratio(ratio.si)),
        (Some(_), Some(_)) => both(key, "restitution", "damping_ratio", diagnostics),
    }
}

fn friction(
    key: &str,
    coefficient: Option<Quantity<Coefficient>>,
    angle: Option<Quantity<FrictionAngle>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<force::Friction> {
    match (coefficient, angle) {
        (None, None) => None,
        (Some(coefficient), None) => Some(force::Friction::Coefficient(coefficient.si)),
        (None, Some(angle)) => Some(force::Friction::Angle(angle.si)),
        (Some(_), Some(_)) => both(key, "friction", "friction_angle", diagnostics),
    }
}

fn cohesion(
    key: &str,
    cohesion: Option<Quantity<Cohesion>>,
    adhesion: Option<Quantity<Adhesion>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<force::Adhesion> {
    match (cohesion, adhesion) {
        (None, None) => None,
        (Some(cohesion), None) => Some(force::Adhesion::Linear(cohesion.si)),
        (None, Some(adhesion)) => Some(force::Adhesion::Jkr(adhesion.si)),
        (Some(_), Some(_)) => both(key, "cohesion", "adhesion", diagnostics),
    }
}

/// Reports that two keys say the same thing in different spec.
fn both<T>(key: &str, a: &str, b: &str, diagnostics: &mut Diagnostics<'_>) -> Option<T> {
    diagnostics
        .error(&format!("{key}.{b}"), format_args!("{key} has both \"{a}\" and \"{b}\": give one of them"));
    None
}

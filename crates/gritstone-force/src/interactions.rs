//! Interactions of all pairs of materials, mixed from what is said about each.
//!
//! | of the pair | from the materials |
//! |---|---|
//! | kn, ks | springs in series, each material giving half: `2·k_a·k_b/(k_a + k_b)` |
//! | Y*, G* | `1/Y* = Σ (1−ν²)/Y`, `1/G* = Σ 2(2−ν)(1+ν)/Y` |
//! | restitution, friction, rolling, twisting | the smaller of both |
//! | damping ratio | the larger of both; one given as a restitution counts as its ratio |
//! | cohesion, adhesion | geometric mean; none if one has none |
//!
//! A contact follows the published form where either material does. Linear springs and Hertz's law do not mix, nor do the
//! two kinds of cohesion: such pairs need an override, or are errors. What [`Overrides`] says of a pair replaces the mean.

use crate::material::{check, not_negative};
use crate::restitution::{damping_ratio, published_damping_ratio};
use crate::{Adhesion, Cohesion, Damping, Friction, Interaction, LawError, Material, Spring, Stiffness};

/// What is said about a pair of materials; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The pair's springs: kn and ks, or the effective moduli Y* and G*.
    pub spring: Option<Spring>,
    /// The pair's damping.
    pub damping: Option<Damping>,
    /// The pair's friction.
    pub friction: Option<Friction>,
    /// The pair's coefficient of rolling resistance.
    pub rolling: Option<f64>,
    /// The pair's coefficient of twisting resistance.
    pub twisting: Option<f64>,
    /// What holds the pair's surfaces together.
    pub cohesion: Option<Adhesion>,
}

/// Interactions of all pairs of materials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interactions {
    count: usize,
    table: Vec<Interaction>,
}

impl Interactions {
    /// Mixes the materials. `(i, j, …)` says something of that pair, in either order.
    pub fn mix(materials: &[Material], overrides: &[(usize, usize, Overrides)]) -> Result<Self, LawError> {
        let count = materials.len();
        for &(i, j, _) in overrides {
            if let Some(&index) = [i, j].iter().find(|&&index| index >= count) {
                return Err(LawError::Unknown { index, count });
            }
        }
        materials.iter().try_for_each(Material::check)?;
        let mut table = Vec::with_capacity(count * count);
        for (i, a) in materials.iter().enumerate() {
            for (j, b) in materials.iter().enumerate() {
                let said = overrides.iter().rev().find(|&&(k, l, _)| (k, l) == (i, j) || (l, k) == (i, j));
                table.push(mix(a, b, &said.map_or_else(Overrides::default, |&(_, _, said)| said))?);
            }
        }
        Ok(Self { count, table })
    }

    /// The interaction of materials i and j.
    ///
    /// # Panics
    /// If there is no such material.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> &Interaction {
        &self.table[i * self.count + j]
    }

    /// How many materials there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All interactions; those of different materials are there twice.
    pub fn iter(&self) -> impl Iterator<Item = &Interaction> {
        self.table.iter()
    }
}

fn mix(a: &Material, b: &Material, said: &Overrides) -> Result<Interaction, LawError> {
    let names = || format!("{} and {}", a.name, b.name);
    check(
        &names(),
        [
            said.damping.map(Damping::rule),
            said.friction.map(Friction::rule),
            said.rolling.map(|value| not_negative("rolling", value)),
            said.twisting.map(|value| not_negative("twisting", value)),
            said.cohesion.map(Adhesion::rule),
        ]
        .into_iter()
        .flatten(),
    )?;
    let refuse = |reason| LawError::Pair { a: a.name.clone(), b: b.name.clone(), reason };
    let spring = match said.spring {
        Some(spring) => spring,
        None => mix_springs(a.stiffness, b.stiffness)
            .ok_or_else(|| refuse("linear springs and Hertz's law do not mix; give the pair its springs"))?,
    };
    let adhesion = match said.cohesion {
        Some(adhesion) => adhesion,
        None => mix_adhesion(a.cohesion, b.cohesion)
            .ok_or_else(|| refuse("linear cohesion and JKR do not mix; give the pair its cohesion"))?,
    };
    if matches!((spring, adhesion), (Spring::Linear { .. }, Adhesion::Jkr(work)) if work > 0.0) {
        return Err(refuse("JKR needs Hertz's law"));
    }
    let friction = said
        .friction
        .map_or_else(|| a.friction.coefficient().min(b.friction.coefficient()), Friction::coefficient);
    let bare = match spring {
        Spring::Linear { kn, ks } => Interaction::linear(kn, ks),
        Spring::Hertz { young, shear } => Interaction::hertz(young, shear),
    };
    Ok(damp(bare, said.damping.unwrap_or_else(|| mix_damping(a.damping, b.damping)))
        .with_friction(friction)
        .with_rolling(said.rolling.unwrap_or(a.rolling.min(b.rolling)))
        .with_twisting(said.twisting.unwrap_or(a.twisting.min(b.twisting)))
        .with_cohesion(match adhesion {
            Adhesion::Linear(density) if density > 0.0 => Cohesion::Linear { density },
            Adhesion::Jkr(work) if work > 0.0 => Cohesion::Jkr { work },
            _ => Cohesion::None,
        }))
}

fn damp(bare: Interaction, damping: Damping) -> Interaction {
    match damping {
        Damping::Restitution(e) => bare.with_restitution(e),
        Damping::Ratio(zeta) => bare.with_damping_ratio(zeta),
        Damping::Published(e) => bare.as_published(e),
    }
}

fn mix_springs(a: Stiffness, b: Stiffness) -> Option<Spring> {
    match (a, b) {
        (Stiffness::Linear { kn, ks }, Stiffness::Linear { kn: kn_b, ks: ks_b }) => {
            Some(Spring::Linear { kn: series(kn, kn_b), ks: series(ks, ks_b) })
        }
        (Stiffness::Hertz { young, poisson }, Stiffness::Hertz { young: young_b, poisson: poisson_b }) => {
            let normal = |y: f64, nu: f64| (1.0 - nu * nu) / y;
            let shear = |y: f64, nu: f64| 2.0 * (2.0 - nu) * (1.0 + nu) / y;
            Some(Spring::Hertz {
                young: 1.0 / (normal(young, poisson) + normal(young_b, poisson_b)),
                shear: 1.0 / (shear(young, poisson) + shear(young_b, poisson_b)),
            })
        }
        _ => None,
    }
}

/// Two springs one behind the other, each twice as stiff as given: equal ones give themselves.
fn series(a: f64, b: f64) -> f64 {
    if a == b { a } else { 2.0 * a * b / (a + b) }
}

fn mix_damping(a: Damping, b: Damping) -> Damping {
    use Damping::{Published, Ratio, Restitution};
    match (a, b) {
        (Restitution(e), Restitution(f)) => Restitution(e.min(f)),
        (Published(e), Published(f) | Restitution(f)) | (Restitution(e), Published(f)) => Published(e.min(f)),
        _ => Ratio(ratio(a).max(ratio(b))),
    }
}

fn ratio(damping: Damping) -> f64 {
    match damping {
        Damping::Restitution(e) => damping_ratio(e),
        Damping::Ratio(zeta) => zeta,
        Damping::Published(e) => published_damping_ratio(e),
    }
}

fn mix_adhesion(a: Adhesion, b: Adhesion) -> Option<Adhesion> {
    match (a, b) {
        (Adhesion::None, _) | (_, Adhesion::None) => Some(Adhesion::None),
        (Adhesion::Linear(c), Adhesion::Linear(d)) => Some(Adhesion::Linear((c * d).sqrt())),
        (Adhesion::Jkr(w), Adhesion::Jkr(v)) => Some(Adhesion::Jkr((w * v).sqrt())),
        _ => None,
    }
}

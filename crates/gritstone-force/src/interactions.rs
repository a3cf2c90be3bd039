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

    /// Interactions of so many materials that are known pair by pair; `of` is asked with i ≤ j.
    pub fn of_pairs(count: usize, of: impl Fn(usize, usize) -> Interaction) -> Self {
        let table = (0..count * count).map(|k| of((k / count).min(k % count), (k / count).max(k % count)));
        Self { count, table: table.collect() }
    }

    /// The interaction of materials i and j.
    ///
    /// # Panics
    /// If there is no such material.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> &Interaction {
        &self.table[i * self.count + j]
    }

    /// The same with springs that have this part of their stiffness.
    pub fn softened(&self, part: f64) -> Self {
        Self { count: self.count, table: self.table.iter().map(|law| law.softened(part)).collect() }
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
    check(&names(), said.spring.into_iter().flat_map(Spring::rules))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn glass() -> Material {
        Material {
            name: "glass".into(),
            density: 2500.0,
            stiffness: Stiffness::Hertz { young: 7e10, poisson: 0.22 },
            damping: Damping::Restitution(0.9),
            friction: Friction::Coefficient(0.4),
            rolling: 0.02,
            twisting: 0.0,
            cohesion: Adhesion::None,
        }
    }

    fn steel() -> Material {
        Material {
            name: "steel".into(),
            stiffness: Stiffness::Hertz { young: 2.1e11, poisson: 0.3 },
            damping: Damping::Restitution(0.6),
            friction: Friction::Angle(30_f64.to_radians()),
            rolling: 0.01,
            ..glass()
        }
    }

    #[test]
    fn pairs_follow_the_table() {
        let table = Interactions::mix(&[glass(), steel()], &[]).unwrap();
        let pair = table.get(0, 1);
        assert_eq!(pair, table.get(1, 0));
        let Spring::Hertz { young, shear } = pair.spring() else { panic!("{pair:?}") };
        let expected = 1.0 / ((1.0 - 0.22 * 0.22) / 7e10 + (1.0 - 0.09) / 2.1e11);
        assert!((young / expected - 1.0).abs() < 1e-14);
        let expected = 1.0 / (2.0 * 1.78 * 1.22 / 7e10 + 2.0 * 1.7 * 1.3 / 2.1e11);
        assert!((shear / expected - 1.0).abs() < 1e-14);
        assert_eq!(pair.coefficients(), [0.4, 0.01, 0.0]);
        assert_eq!(pair.damping_ratio(), damping_ratio(0.6));
        let [friction, _, _] = table.get(1, 1).coefficients();
        assert!((friction - 1.0 / 3_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn springs_stand_in_series() {
        let soft = Material { stiffness: Stiffness::Linear { kn: 1e3, ks: 0.0 }, ..glass() };
        let hard = Material { stiffness: Stiffness::Linear { kn: 3e3, ks: 2e3 }, ..glass() };
        let table = Interactions::mix(&[soft, hard], &[]).unwrap();
        assert_eq!(table.get(0, 1).spring(), Spring::Linear { kn: 1.5e3, ks: 0.0 });
        assert_eq!(table.get(1, 1).spring(), Spring::Linear { kn: 3e3, ks: 2e3 });
    }

    #[test]
    fn cohesion_is_a_geometric_mean() {
        let [one, other] = [0.1, 0.4].map(|work| Material { cohesion: Adhesion::Jkr(work), ..glass() });
        let table = Interactions::mix(&[one, other, glass()], &[]).unwrap();
        let Cohesion::Jkr { work } = table.get(0, 1).cohesion() else { panic!() };
        assert!((work - 0.2).abs() < 1e-15);
        assert_eq!(table.get(0, 2).cohesion(), Cohesion::None);
    }

    #[test]
    fn overrides_replace_what_was_mixed() {
        let said = Overrides {
            friction: Some(Friction::Coefficient(0.1)),
            rolling: Some(0.5),
            ..Overrides::default()
        };
        let table = Interactions::mix(&[glass(), steel()], &[(1, 0, said)]).unwrap();
        assert_eq!(table.get(0, 1).coefficients(), [0.1, 0.5, 0.0]);
        assert_eq!(table.get(0, 0).coefficients(), [0.4, 0.02, 0.0]);
    }

    #[test]
    fn what_cannot_be_is_refused_in_words() {
        let message = |materials: &[Material], said: &[(usize, usize, Overrides)]| {
            Interactions::mix(materials, said).unwrap_err().to_string()
        };
        let bouncy = Material { damping: Damping::Restitution(1.2), ..glass() };
        assert_eq!(message(&[bouncy], &[]), "glass: restitution is 1.2, but must be from 0.01 to 1");
        let odd = Material { stiffness: Stiffness::Hertz { young: 1e7, poisson: 0.6 }, ..glass() };
        assert_eq!(message(&[odd], &[]), "glass: poisson is 0.6, but must be above -1 and at most 0.5");
        let linear =
            Material { name: "rubber".into(), stiffness: Stiffness::Linear { kn: 1e3, ks: 1e3 }, ..glass() };
        let refused = message(&[glass(), linear.clone()], &[]);
        assert!(
            refused.starts_with("glass and rubber: linear springs and Hertz's law do not mix"),
            "{refused}"
        );
        let sticky = Material { cohesion: Adhesion::Jkr(0.1), ..linear.clone() };
        assert!(message(&[sticky], &[]).contains("JKR needs Hertz's law"));
        assert!(message(&[glass()], &[(0, 3, Overrides::default())]).contains("no material 3"));
        let said = Overrides { spring: Some(Spring::Linear { kn: -1.0, ks: 0.0 }), ..Overrides::default() };
        assert!(message(&[glass(), linear], &[(0, 1, said)]).contains("glass and rubber: kn is -1"));
    }
}

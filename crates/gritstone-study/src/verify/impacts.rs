//! What the cases of impacts share: one impact until the bodies are apart, the energy over many elastic impacts, and damped impacts against
//! the impulse solution.

use glam::DVec3;
use gritstone_engine::{Dimension, World};
use gritstone_shape::space::{Polyhedron, Solid};

use super::bench::cube;
use super::{Check, Trouble};

/// Steps in the time of a contact.
const FINENESS: [f64; 3] = [25.0, 50.0, 100.0];
/// Largest gain and loss of one impact and largest mean change, of the energy, at 50 steps; order with the step, as a ratio of the
/// root mean squares at 25 and 100 steps: sixteen for the second order.
const GAIN: f64 = 0.01;
const MEAN: f64 = 0.003;
const ORDER: f64 = 8.0;

/// Relative changes of the energy over elastic impacts.
#[derive(Clone, Copy, Default)]
pub(super) struct Changes {
    count: u32,
    sum: f64,
    squares: f64,
    gain: f64,
    loss: f64,
}

impl Changes {
    /// Adds an impact; none where the bodies missed each other.
    pub(super) fn add(&mut self, change: Option<f64>) {
        let Some(change) = change else { return };
        self.count += 1;
        self.sum += change;
        self.squares += change * change;
        self.gain = self.gain.max(change);
        self.loss = self.loss.max(-change);
    }
}

/// The checks of a survey of elastic impacts with both laws: `survey` gets whether the law is Hertz's, and the steps in a contact. `losses`
/// says whether the largest loss is bounded as well.
pub(super) fn check_elastic(
    losses: bool,
    survey: impl Fn(bool, f64) -> Result<Changes, Trouble>,
) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for (law, hertzian) in [("linear", false), ("Hertz", true)] {
        let mut roots = [0.0; 3];
        for (root, steps) in roots.iter_mut().zip(FINENESS) {
            let all = survey(hertzian, steps)?;
            *root = (all.squares / f64::from(all.count)).sqrt();
            if steps == 50.0 {
                let name = format!("{law}, {} impacts at 50 steps", all.count);
                checks.push(Check::at_most(format!("{name}: largest gain"), all.gain, GAIN));
                if losses {
                    checks.push(Check::at_most(format!("{name}: largest loss"), all.loss, GAIN));
                }
                let mean = (all.sum / f64::from(all.count)).abs();
                checks.push(Check::at_most(format!("{name}: mean change"), mean, MEAN));
                checks.push(Check::known(format!("{name}: root mean square"), *root));
            }
        }
        let order = roots[0] / roots[2];
        checks.push(Check::at_least(format!("{law}: rms at 25 steps over that at 100"), order, ORDER));
    }
    Ok(checks)
}

/// The relative change of the kinetic energy over one elastic impact with this many steps in a contact; none where the bodies miss
/// each other within `most` times as many steps.
pub(super) fn bounce<D: Dimension>(
    mut world: World<D>,
    steps: f64,
    most: f64,
) -> Result<Option<f64>, Trouble> {
    let before = world.energies().kinetic();
    let (mut touched, mut apart) = (false, 0.0);
    for _ in 0..(most * steps) as u64 {
        world.step()?;
        let touching = world.energies().elastic > 0.0;
        touched |= touching;
        apart = if touching { 0.0 } else { apart + 1.0 };
        if touched && apart > steps {
            return Ok(Some(world.energies().kinetic() / before - 1.0));
        }
    }
    Ok(None)
}

/// A body that hits a wall with this speed (m/s), with its mass and the effective mass at the contact point (kg).
pub(super) struct Hit {
    pub(super) speed: f64,
    pub(super) mass: f64,
    pub(super) effective: f64,
}

impl Hit {
    /// The restitution of one damped impact by the impulse solution, from the energy that is lost, and the error of the energy balance
    /// over the energy; after `most` steps at the latest.
    pub(super) fn restitution<D: Dimension>(
        &self,
        mut world: World<D>,
        most: f64,
    ) -> Result<[f64; 2], Trouble> {
        let mut touched = false;
        for _ in 0..most as u32 {
            world.step()?;
            let touching = world.status().contacts > 0;
            if touched && !touching {
                break;
            }
            touched |= touching;
        }
        let energies = world.energies();
        let square = self.speed * self.speed;
        let (start, at_impact) = (0.5 * self.mass * square, 0.5 * self.effective * square);
        let now = energies.kinetic();
        let found = (1.0 - (start - now) / at_impact).max(0.0).sqrt();
        Ok([found, (now + energies.elastic + energies.dissipated) / start - 1.0])
    }
}

/// A cube, a tetrahedron, and a grain of 14 vertices.
pub(super) fn polyhedra() -> Result<[Solid; 3], Trouble> {
    let signs = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let tetrahedron: Vec<DVec3> = signs.map(|sign| 0.7 * DVec3::from_array(sign)).to_vec();
    let corner =
        |i: usize| 0.6 * DVec3::from_array([0, 1, 2].map(|bit| if i >> bit & 1 == 0 { -1.0 } else { 1.0 }));
    let tips = DVec3::AXES.into_iter().flat_map(|axis| [axis * 0.9, axis * -0.9]);
    let grain: Vec<DVec3> = (0..8).map(corner).chain(tips).collect();
    Ok([cube(1.2)?.into(), Polyhedron::hull(&tetrahedron)?.0.into(), Polyhedron::hull(&grain)?.0.into()])
}

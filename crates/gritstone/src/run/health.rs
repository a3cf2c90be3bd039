//! Signs that a simulation has become unstable.

use gritstone_engine::{Backend, Dimension, Energies, Status};

use super::RunError;

/// Largest overlap that is accepted, as a fraction of the smaller grain's bounding radius: contact laws are made for small overlaps, and
/// grains that are half inside each other may come out on the wrong side.
pub const DEEPEST: f64 = 0.5;
/// Largest energy gain that is accepted, as a fraction of the energy exchanged: what there was at the
/// start, what gravity and walls have given.
pub const GROWTH: f64 = 0.5;
/// Energy that is taken for nothing, as a fraction of the potential energy: that is measured from the origin, and the
/// difference of two large numbers.
const NOISE: f64 = 1e-6;

/// What a simulation is judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Health {
    /// Energies at the start.
    start: Energies,
    /// Largest overlap so far, relative to the smaller grain's bounding radius.
    pub(super) deepest: f64,
}

impl Health {
    pub(super) fn new<D: Dimension>(world: &dyn Backend<D>) -> Self {
        Self { start: world.energies(), deepest: world.status().deepest }
    }

    /// As numbers, for the checkpoint.
    pub(super) fn numbers(&self) -> [f64; 8] {
        let Energies { translation, rotation, potential, elastic, dissipated, wall_work, taken_out, .. } =
            self.start;
        [translation, rotation, potential, elastic, dissipated, wall_work, taken_out, self.deepest]
    }

    /// From those numbers.
    pub(super) fn from_numbers(numbers: [f64; 8]) -> Self {
        let [translation, rotation, potential, elastic, dissipated, wall_work, taken_out, deepest] = numbers;
        let external_work = 0.0; // Nothing has worked before the start.
        let start = Energies {
            translation,
            rotation,
            potential,
            elastic,
            dissipated,
            wall_work,
            external_work,
            taken_out,
        };
        Self { start, deepest }
    }

    /// Energy drift (J), and the energy exchanged.
    fn absolute_drift(&self, now: &Energies) -> (f64, f64) {
        let fallen = self.start.potential - now.potential - now.taken_out;
        let sources = self.start.kinetic() + self.start.elastic + fallen.max(0.0);
        (
            now.balance() - self.start.balance(),
            sources + now.wall_work.abs() + now.external_work.abs() + now.taken_out.abs(),
        )
    }

    /// Energy drift relative to the energy exchanged; zero while that is within rounding.
    pub(super) fn energy_error(&self, now: &Energies) -> f64 {
        let (created, sources) = self.absolute_drift(now);
        if created.abs() <= self.noise(now) { 0.0 } else { created / sources.max(self.noise(now)) }
    }

    fn noise(&self, now: &Energies) -> f64 {
        NOISE * (self.start.potential.abs() + now.potential.abs())
    }

    /// Fails when the simulation has become unstable.
    pub(super) fn check(&self, status: &Status, now: &Energies) -> Result<(), RunError> {
        let error = self.energy_error(now);
        let what = if !now.balance().is_finite() {
            "energies are no longer finite".to_owned()
        } else if status.deepest > DEEPEST {
            format!(
                "the largest overlap is {:.2} of the bounding radius, but at most {DEEPEST} is accepted",
                status.deepest
            )
        } else if error > GROWTH {
            format!(
                "energy drift is {:+.3e} J, {error:.2} of the energy exchanged, but at most {GROWTH} is accepted",
                self.absolute_drift(now).0
            )
        } else {
            return Ok(());
        };
        let help = "A shorter time step (time.step, time.fraction) or stiffer contacts may help";
        Err(RunError::Unstable { step: status.step, time: status.time, what: format!("{what}. {help}") })
    }
}

/// Fails when walls that have just come are where grains are.
pub(super) fn check_room(walls: &[String], status: &Status) -> Result<(), RunError> {
    let Status { step, time, deepest, .. } = *status;
    if deepest <= DEEPEST {
        return Ok(());
    }
    let walls = walls.join(", ");
    let what = format!(
        "an event puts walls ({walls}) where grains are: the largest overlap is {deepest:.2} of the bounding radius then, but at \
         most {DEEPEST} is accepted"
    );
    Err(RunError::Unstable { step, time, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn health(start: Energies) -> Health {
        Health { start, deepest: 0.0 }
    }

    #[test]
    fn a_fall_is_healthy_and_gained_energy_is_not() {
        let health = health(Energies { potential: 10.0, ..Energies::default() });
        let fallen = Energies { potential: 4.0, translation: 3.0, dissipated: 3.0, ..Energies::default() };
        assert!(health.check(&Status::default(), &fallen).is_ok());
        assert_eq!(health.energy_error(&fallen), 0.0);
        let thrown = Energies { translation: 12.0, ..fallen };
        // 9 J more than there were, and 6 J came from gravity.
        assert_eq!(health.energy_error(&thrown), 1.5);
        assert!(health.check(&Status::default(), &thrown).unwrap_err().to_string().contains("energy drift"));
    }

    #[test]
    fn what_walls_give_and_what_is_taken_out_is_accounted_for() {
        let health = health(Energies { potential: 10.0, ..Energies::default() });
        let now = Energies {
            potential: 5.0,
            translation: 7.0,
            wall_work: 7.0,
            taken_out: 5.0,
            ..Energies::default()
        };
        assert_eq!(health.energy_error(&now), 0.0);
    }

    #[test]
    fn walls_that_come_into_grains_are_named() {
        let walls = ["lid".to_owned()];
        assert!(check_room(&walls, &Status { deepest: 0.4, ..Status::default() }).is_ok());
        let deep = Status { deepest: 0.9, step: 7, ..Status::default() };
        let message = check_room(&walls, &deep).unwrap_err().to_string();
        assert!(
            message.contains("step 7") && message.contains("(lid)") && message.contains("0.90"),
            "{message}"
        );
    }

    #[test]
    fn deep_overlaps_and_numbers_that_are_none_are_told() {
        let health = health(Energies::default());
        let deep = Status { deepest: 0.6, step: 7, ..Status::default() };
        let message = health.check(&deep, &Energies::default()).unwrap_err().to_string();
        assert!(message.contains("step 7") && message.contains("0.60 of the bounding radius"), "{message}");
        let nan = Energies { translation: f64::NAN, ..Energies::default() };
        assert!(health.check(&Status::default(), &nan).is_err());
    }
}

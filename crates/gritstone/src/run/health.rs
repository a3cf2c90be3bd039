//! Quality measures of a simulation: energy drift, overlaps, and how well the time step resolves contacts.

use std::f64::consts::PI;

use gritstone_core::{Linear as _, Vector as _};
use gritstone_engine::{Backend, BodyColumns, ContactState, Dimension, Energies, Setup, Status};

use super::RunError;
use super::alarms;
use super::stop_conditions::CHECK_EVERY;

/// Largest overlap that is accepted, as a fraction of the smaller grain's bounding radius: contact laws are made for small overlaps, and
/// grains that are half inside each other may come out on the wrong side.
pub const DEEPEST: f64 = 0.5;
/// Largest energy gain that is accepted, as a fraction of the energy exchanged: what there was at the
/// start, what gravity and walls have given.
pub const GROWTH: f64 = 0.5;
/// Overlap from which a run is said to have been too soft or too fast.
pub(super) const DEEP: f64 = 0.1;
/// Rounding of the energy balance, as a fraction of the potential energy, which is measured from the origin.
const ROUNDING: f64 = 1e-10;
/// In a scene in which nothing falls or moves, energies are compared with that of lifting every grain by this fraction of its size.
const LIFT: f64 = 0.01;
/// Growth of the largest overlap between two searches for the shortest contact: few contacts last until a check is due.
const DEEPER: f64 = 2.0;
/// Drift between two checks, as a fraction of the energy exchanged, from which contacts are looked at for its cause.
const SUSPECT: f64 = 1e-3;

/// Two bodies that touch, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Touching {
    /// Ids of a grain, and of another or of a wall.
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) with_wall: bool,
    /// When (s).
    pub(super) time: f64,
}

/// Quality measures of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Health {
    /// Energies at the start.
    start: Energies,
    /// Largest overlap so far, relative to the smaller grain's bounding radius.
    pub(super) deepest: f64,
    /// The deepest contact that was looked at, and its overlap.
    pub(super) deepest_contact: (f64, Touching),
    /// Steps in the shortest contact that was looked at; none yet if infinite.
    pub(super) coarsest_contact: (f64, Touching),
    /// The largest energy exchanged at any check (J).
    exchanged: f64,
    /// Energy of lifting all grains by [`LIFT`] (J), and of how many this is.
    quiet: (f64, f64),
    /// Drift at the last check (J).
    last_drift: f64,
    /// The largest relative drift at any check, gain or loss, and when it was (s).
    pub(super) worst_drift: (f64, f64),
}

/// How many numbers say it all.
pub(super) const NUMBERS: usize = 24;

impl Health {
    pub(super) fn new<D: Dimension>(world: &dyn Backend<D>) -> Self {
        Self {
            start: world.energies(),
            deepest: world.status().deepest,
            deepest_contact: Default::default(),
            coarsest_contact: (f64::INFINITY, Touching::default()),
            exchanged: 0.0,
            quiet: (0.0, 0.0),
            last_drift: 0.0,
            worst_drift: (0.0, 0.0),
        }
    }

    /// As numbers, for the checkpoint.
    pub(super) fn numbers(&self) -> [f64; NUMBERS] {
        let Energies { translation, rotation, potential, elastic, dissipated, wall_work, taken_out, .. } =
            self.start;
        let touching = |(value, at): (f64, Touching)| {
            [value, f64::from(at.a), f64::from(at.b), f64::from(u8::from(at.with_wall)), at.time]
        };
        let energies = [translation, rotation, potential, elastic, dissipated, wall_work, taken_out];
        let rest = [
            self.deepest,
            self.exchanged,
            self.quiet.0,
            self.quiet.1,
            self.last_drift,
            self.worst_drift.0,
            self.worst_drift.1,
        ];
        let all = energies.into_iter().chain(rest);
        let all = all.chain(touching(self.deepest_contact)).chain(touching(self.coarsest_contact));
        let mut numbers = [0.0; NUMBERS];
        numbers.iter_mut().zip(all).for_each(|(number, value)| *number = value);
        numbers
    }

    /// From those numbers.
    pub(super) fn from_numbers(numbers: [f64; NUMBERS]) -> Self {
        let [translation, rotation, potential, elastic, dissipated, wall_work, taken_out, rest @ ..] =
            numbers;
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
        let touching = |from: usize| {
            let [value, a, b, with_wall, time] = std::array::from_fn(|k| rest[from + k]);
            (value, Touching { a: a as u32, b: b as u32, with_wall: with_wall != 0.0, time })
        };
        Self {
            start,
            deepest: rest[0],
            exchanged: rest[1],
            quiet: (rest[2], rest[3]),
            last_drift: rest[4],
            worst_drift: (rest[5], rest[6]),
            deepest_contact: touching(7),
            coarsest_contact: touching(12),
        }
    }

    /// Energy drift (J).
    fn drift(&self, now: &Energies) -> f64 {
        now.balance() - self.start.balance()
    }

    /// The energy exchanged up to now: what there was at the start, and what gravity, walls, external forces and inlets have given
    /// or taken; never less than grains have now, and than it was before.
    fn energy_exchanged(&self, now: &Energies) -> f64 {
        let fallen = self.start.potential - now.potential - now.taken_out;
        let sources = self.start.kinetic() + self.start.elastic.abs() + fallen.max(0.0);
        let given = sources + now.wall_work.abs() + now.external_work.abs() + now.taken_out.abs();
        given.max(self.exchanged)
    }

    /// Energy drift relative to the energy exchanged, or in a quiet scene to that of lifting the grains a little; zero while it is
    /// within rounding.
    pub(super) fn energy_error(&self, now: &Energies) -> f64 {
        let (drift, rounding) =
            (self.drift(now), ROUNDING * (self.start.potential.abs() + now.potential.abs()));
        if drift.abs() <= rounding {
            return 0.0;
        }
        drift / self.energy_exchanged(now).max(self.quiet.0).max(rounding)
    }

    /// Checks the state after a step; fails when the simulation has become unstable. `last` says that it is the end.
    pub(super) fn look<D: Dimension>(
        &mut self,
        world: &dyn Backend<D>,
        setup: &Setup<D>,
        last: bool,
    ) -> Result<(), RunError> {
        let status = world.status();
        if status.deepest > DEEPER * self.deepest_contact.0 {
            self.look_at_contacts(world, setup, &status);
        }
        let is_deeper = status.deepest > DEEP && status.deepest > 1.1 * self.deepest_contact.0;
        self.deepest = self.deepest.max(status.deepest);
        let check = last || status.step.is_multiple_of(CHECK_EVERY) || status.deepest > DEEPEST;
        if !check && !is_deeper {
            return Ok(());
        }
        let now = world.energies();
        if self.quiet.1 != status.grains as f64 {
            self.quiet = (lifting_energy(world, setup), status.grains as f64);
        }
        self.exchanged = self.energy_exchanged(&now);
        let (drift, error) = (self.drift(&now), self.energy_error(&now));
        let suspect = (drift - self.last_drift).abs() > SUSPECT * self.exchanged.max(self.quiet.0);
        self.last_drift = drift;
        if suspect || is_deeper || last {
            self.look_at_contacts(world, setup, &status);
        }
        if error.is_nan() || error.abs() > self.worst_drift.0.abs() {
            self.worst_drift = (error, status.time);
        }
        self.check(&status, &now, setup)
    }

    /// Finds the deepest contact, and the one that lasts the fewest steps, of those that are about as deep as any.
    fn look_at_contacts<D: Dimension>(&mut self, world: &dyn Backend<D>, setup: &Setup<D>, status: &Status) {
        let snapshot = world.snapshot();
        let place = |contact: &ContactState<D>| Touching {
            a: contact.a,
            b: contact.b,
            with_wall: contact.with_wall,
            time: status.time,
        };
        let body = |id: u32| snapshot.bodies.binary_search_by_key(&id, |body| body.id).ok();
        let of = |id: u32, value: &dyn Fn(usize) -> f64, other: f64| body(id).map_or(other, value);
        let size = |i: usize| setup.size(snapshot.bodies[i].shape);
        let by_mass = |i: usize| {
            let body = &snapshot.bodies[i];
            let density = setup.densities[usize::from(body.material)];
            if body.frozen { 0.0 } else { 1.0 / (setup.volume(body.shape) * density) }
        };
        let both = |contact: &ContactState<D>, value: &dyn Fn(usize) -> f64, wall: f64| {
            let b = if contact.with_wall { wall } else { of(contact.b, value, wall) };
            [of(contact.a, value, wall), b]
        };
        let depth_of = |contact: &ContactState<D>| {
            let [a, b] = both(contact, &size, f64::INFINITY);
            contact.depth / a.min(b)
        };
        let depths = snapshot.contacts.iter().map(depth_of);
        let Some((number, deep)) = depths.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        if status.deepest > self.deepest_contact.0 {
            // As the engine has it, which knows the sizes of parts.
            self.deepest_contact = (status.deepest, place(&snapshot.contacts[number]));
        }
        for contact in &snapshot.contacts {
            let depth = depth_of(contact);
            let [a, b] = both(contact, &by_mass, 0.0);
            let push = contact.force.dot(contact.normal);
            // Where bodies have just met, the dashpot alone pushes.
            if depth > 0.3 * deep && push > 0.0 && a + b > 0.0 {
                let steps = PI * (contact.depth / (push * (a + b))).sqrt() / world.time_step();
                if steps < self.coarsest_contact.0 {
                    self.coarsest_contact = (steps, place(contact));
                }
            }
        }
    }

    /// Fails when the simulation has become unstable.
    fn check<D: Dimension>(&self, status: &Status, now: &Energies, setup: &Setup<D>) -> Result<(), RunError> {
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
                self.drift(now)
            )
        } else {
            return Ok(());
        };
        let advice = alarms::advice(self, status, setup);
        Err(RunError::Unstable { step: status.step, time: status.time, what: format!("{what}. {advice}") })
    }
}

/// Energy of lifting every grain by [`LIFT`] of its size (J).
fn lifting_energy<D: Dimension>(world: &dyn Backend<D>, setup: &Setup<D>) -> f64 {
    let grains = BodyColumns::of(world);
    let weight = |i: usize| setup.gravity.length() * grains.mass(i, setup);
    let sum: f64 = (0..grains.len()).map(|i| weight(i) * setup.size(grains.shape[i])).sum();
    LIFT * sum
}

/// Fails when added walls overlap grains.
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
    use gritstone_core::Space;

    use super::*;

    fn health(start: Energies) -> Health {
        Health {
            start,
            deepest: 0.0,
            deepest_contact: Default::default(),
            coarsest_contact: (f64::INFINITY, Touching::default()),
            exchanged: 0.0,
            quiet: (0.0, 0.0),
            last_drift: 0.0,
            worst_drift: (0.0, 0.0),
        }
    }

    fn setup() -> Setup<Space> {
        Setup::of(Vec::new(), &[]).unwrap()
    }

    #[test]
    fn a_fall_is_healthy_and_gained_energy_is_not() {
        let health = health(Energies { potential: 10.0, ..Energies::default() });
        let fallen = Energies { potential: 4.0, translation: 3.0, dissipated: 3.0, ..Energies::default() };
        assert!(health.check(&Status::default(), &fallen, &setup()).is_ok());
        assert_eq!(health.energy_error(&fallen), 0.0);
        let thrown = Energies { translation: 12.0, ..fallen };
        // 9 J more than there were, and 6 J came from gravity.
        assert_eq!(health.energy_error(&thrown), 1.5);
        let error = health.check(&Status::default(), &thrown, &setup()).unwrap_err();
        assert!(error.to_string().contains("energy drift"));
        // What is lost is seen as well.
        assert_eq!(health.energy_error(&Energies { translation: 0.0, ..fallen }), -0.5);
    }

    #[test]
    fn a_ball_at_the_top_of_its_bounce_is_judged_by_how_far_it_fell() {
        let mut health = health(Energies { potential: 10.0, ..Energies::default() });
        let below = Energies { potential: 4.0, translation: 6.0, ..Energies::default() };
        health.exchanged = health.energy_exchanged(&below);
        let above = Energies { potential: 10.6, ..Energies::default() };
        assert!((health.energy_error(&above) - 0.1).abs() < 1e-14);
    }

    #[test]
    fn a_quiet_scene_is_judged_by_the_weight_of_its_grains() {
        let quiet =
            Health { quiet: (0.5, 1.0), ..health(Energies { potential: 1.0, ..Energies::default() }) };
        let now = Energies { potential: 1.0, translation: 0.05, ..Energies::default() };
        assert!((quiet.energy_error(&now) - 0.1).abs() < 1e-14);
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
        let message = health.check(&deep, &Energies::default(), &setup()).unwrap_err().to_string();
        assert!(message.contains("step 7") && message.contains("0.60 of the bounding radius"), "{message}");
        let nan = Energies { translation: f64::NAN, ..Energies::default() };
        assert!(health.check(&Status::default(), &nan, &setup()).is_err());
    }

    #[test]
    fn it_is_the_same_after_a_checkpoint() {
        let at = |a| Touching { a, b: 3, with_wall: a > 5, time: 0.25 };
        let whole = Health {
            deepest: 0.3,
            deepest_contact: (0.2, at(4)),
            coarsest_contact: (7.5, at(8)),
            exchanged: 2.0,
            quiet: (0.1, 5.0),
            last_drift: -0.2,
            worst_drift: (-0.4, 1.5),
            ..health(Energies { translation: 1.0, taken_out: -2.0, ..Energies::default() })
        };
        assert_eq!(Health::from_numbers(whole.numbers()), whole);
    }
}

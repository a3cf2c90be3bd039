//! Laws in lanes against the same laws of single contacts.

use glam::{DVec3, Vec3Swizzles as _};
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, Real, Vec3, WIDTH};
use gritstone_force::{Cohesion, History, InLanes, Interaction, Law, Touch, Wrench};
use proptest::prelude::*;

/// Eight times the same contact, for several steps.
struct Repeated {
    law: [f64; 8],
    /// Coefficients of rolling and twisting resistance, if it is added.
    resistance: Option<[f64; 2]>,
    touches: Vec<Touch<Space>>,
    dt: f64,
}

/// Force, torque, elastic energy, loss and stretch after every step.
type Course = Vec<(DVec3, DVec3, f64, f64, DVec3)>;

impl Kernel for Repeated {
    type Output = Course;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Course {
        let law = Law::from_numbers(self.law.map(L::splat));
        let zero = L::splat(0.0);
        let none = Vec3::new(zero, zero, zero);
        let mut history = History::<InLanes<L>> {
            slip: none,
            roll: none,
            twist: zero,
            stiffness: zero,
            normal_force: zero,
        };
        let mut course = Vec::new();
        for touch in &self.touches {
            let touch = Touch::<InLanes<L>> {
                depth: L::splat(touch.depth),
                normal: spread(touch.normal),
                velocity: spread(touch.velocity),
                spin: spread(touch.spin),
                mean_spin: spread(touch.mean_spin),
                radius: L::splat(touch.radius),
                radius_gradient: Wrench {
                    force: spread(touch.radius_gradient.force),
                    torque: spread(touch.radius_gradient.torque),
                },
                mass: L::splat(touch.mass),
                normal_mass: L::splat(touch.normal_mass),
            };
            let (before, dt) = (history.stiffness, L::splat(self.dt));
            let mut load = law.load(&touch, &mut history, dt);
            if let Some(resistance) = self.resistance {
                law.with_resistance(resistance.map(L::splat)).resist(
                    &touch,
                    before,
                    &mut history,
                    &mut load,
                    dt,
                );
            }
            let [elastic, dissipated] = [load.elastic, load.dissipated].map(|x| same(x.to_array()));
            course.push((
                collect(load.force),
                collect(load.torque),
                elastic,
                dissipated,
                collect(history.slip),
            ));
        }
        course
    }
}

#[inline(always)]
fn spread<R: Real>(v: DVec3) -> Vec3<R> {
    Vec3::new(R::splat(v.x), R::splat(v.y), R::splat(v.z))
}

fn collect<L: Lanes>(v: Vec3<L>) -> DVec3 {
    DVec3::from_array([v.x, v.y, v.z].map(|x| same(x.to_array())))
}

/// The number that all lanes agree on.
fn same(lanes: [f64; WIDTH]) -> f64 {
    assert!(lanes.iter().all(|x| x.to_bits() == lanes[0].to_bits()));
    lanes[0]
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0].prop_map(move |v| DVec3::from_array(v) * size)
}

fn unit() -> impl Strategy<Value = DVec3> {
    vector(1.0).prop_filter("a direction", |v| v.length() > 0.1).prop_map(DVec3::normalize)
}

fn law() -> impl Strategy<Value = Interaction> {
    let spring = prop_oneof![Just(Interaction::hertz(5e6, 1.4e6)), Just(Interaction::linear(1e4, 7e3))];
    let cohesion = prop_oneof![Just(Cohesion::None), Just(Cohesion::Linear { density: 3e3 })];
    (spring, 0.1..1.0, 0.0..1.0, any::<bool>(), cohesion).prop_map(|(law, e, mu, published, cohesion)| {
        let law = if published { law.as_published(e) } else { law.with_restitution(e) };
        law.with_friction(mu).with_cohesion(cohesion)
    })
}

/// A contact in ten steps: its normal turns by `turn` in each; mean spin, spin and gradient of ln R*.
fn touches(
    velocities: &[DVec3],
    depths: &[f64],
    (normal, turn): (DVec3, DVec3),
    [mean_spin, spin, gradient]: [DVec3; 3],
) -> Vec<Touch<Space>> {
    let touch = |(i, (&velocity, &depth)): (usize, (&DVec3, &f64))| Touch::<Space> {
        depth,
        normal: (normal + turn * i as f64).normalize(),
        velocity,
        spin,
        mean_spin,
        radius: 1e-3,
        radius_gradient: Wrench { force: gradient, torque: gradient.yzx() * 1e-3 },
        mass: 1e-4,
        normal_mass: 0.4e-4,
    };
    velocities.iter().zip(depths).enumerate().map(touch).collect()
}

proptest! {
    /// Ten steps of a contact that slides, sticks, turns and bounces: friction that is cut, stiffness that grows and falls.
    /// The same bits on every instruction set and in single contacts.
    #[test]
    fn lanes_do_what_the_scalar_laws_do(
        law in law(), normal in unit(), turn in vector(0.01), velocities in prop::collection::vec(vector(0.5), 10),
        depths in prop::collection::vec(1e-7..1e-4, 10), mean_spin in vector(50.0),
        spin in vector(50.0), gradient in vector(1e3),
    ) {
        let dt = 1e-5;
        let touches = touches(&velocities, &depths, (normal, turn), [mean_spin, spin, gradient]);
        let mut history = History::<Space>::default();
        let numbers = law.for_lanes().expect("no rolling, no adhesion");
        let courses: Vec<Course> = Backend::available()
            .map(|backend| backend.run(Repeated { law: numbers, resistance: None, touches: touches.clone(), dt }))
            .collect();
        for course in &courses {
            prop_assert_eq!(course, &courses[0]);
        }
        for (touch, (force, torque, elastic, dissipated, stretch)) in touches.iter().zip(&courses[0]) {
            let load = law.load(touch, &mut history, dt);
            prop_assert_eq!((load.force, load.torque), (*force, *torque));
            prop_assert_eq!((load.elastic, load.dissipated), (*elastic, *dissipated));
            prop_assert_eq!(history.slip, *stretch);
        }
    }

    /// The same with rolling and twisting resistance, which lanes add afterwards: energies are summed in another order.
    #[test]
    fn lanes_resist_rolling_and_twisting_as_the_scalar_laws_do(
        law in law(), normal in unit(), turn in vector(0.01), velocities in prop::collection::vec(vector(0.5), 10),
        depths in prop::collection::vec(1e-7..1e-4, 10), mean_spin in vector(50.0),
        spin in vector(50.0), gradient in vector(1e3), rolling in 0.0..0.3, twisting in 0.0..0.3,
    ) {
        let dt = 1e-5;
        let touches = touches(&velocities, &depths, (normal, turn), [mean_spin, spin, gradient]);
        let numbers = law.for_lanes().expect("no adhesion");
        let resistance = Some([rolling, twisting]);
        let repeated = || Repeated { law: numbers, resistance, touches: touches.clone(), dt };
        let courses: Vec<Course> = Backend::available().map(|backend| backend.run(repeated())).collect();
        for course in &courses {
            prop_assert_eq!(course, &courses[0]);
        }
        let law = law.with_rolling(rolling).with_twisting(twisting);
        let mut history = History::<Space>::default();
        for (touch, &(force, torque, elastic, dissipated, stretch)) in touches.iter().zip(&courses[0]) {
            let load = law.load(touch, &mut history, dt);
            prop_assert_eq!((load.force, history.slip), (force, stretch));
            prop_assert!((load.torque - torque).length() <= 1e-12 * load.force.length() * touch.radius);
            let energies = load.elastic.abs() + load.dissipated.abs();
            prop_assert!((load.elastic - elastic).abs() <= 1e-12 * energies, "{} {elastic}", load.elastic);
            prop_assert!((load.dissipated - dissipated).abs() <= 1e-12 * energies);
        }
    }
}

//! The patch form against closed forms, and against its own energy.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Space};
use gritstone_force::patch::{segment, triangle};
use gritstone_force::{
    Cohesion, History, Interaction, Load, PatchMoments, PatchPoint, PatchSums, Touch, Whole,
};
use proptest::prelude::*;

const YOUNG: f64 = 3e6;
const SIZE: f64 = 0.01;

fn still(depth: f64) -> Touch<Space> {
    Touch { depth, normal: DVec3::Z, radius: SIZE, mass: 0.01, normal_mass: 0.01, ..Touch::default() }
}

/// Rings of triangles over the disc of this radius, with the depth as a function of the distance from its middle.
fn disc(radius: f64, depth: impl Fn(f64) -> f64) -> Vec<PatchPoint<Space>> {
    let (rings, around) = (200, 200);
    let corner = |i: usize, j: usize| {
        let r = radius * i as f64 / rings as f64;
        let (sin, cos) = (2.0 * PI * j as f64 / around as f64).sin_cos();
        (DVec3::new(r * cos, r * sin, 0.0), depth(r))
    };
    (0..rings)
        .flat_map(|i| (0..around).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [p, q, r, s] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [triangle([p, q, r], DVec3::Z), triangle([p, r, s], DVec3::Z)].into_iter().flatten()
        })
        .collect()
}

fn load(law: &Interaction, touch: &Touch<Space>, points: &[PatchPoint<Space>]) -> Load<Space> {
    let area = points.iter().map(|point| point.area).sum();
    law.load_patch(touch, area, 1.0, points.iter().copied(), &mut History::default(), 1e-6)
}

#[test]
fn paraboloid_has_hertz_force() {
    let (radius, depth) = (0.02_f64, 1e-4_f64);
    let points = disc((2.0 * radius * depth).sqrt(), |r| depth - r * r / (2.0 * radius));
    let law = Interaction::hertz(YOUNG, 1e6);
    let found = load(&law, &still(depth), &points);
    let expected = 4.0 / 3.0 * YOUNG * radius.sqrt() * depth.powf(1.5);
    assert!((found.normal_force / expected - 1.0).abs() < 1e-3, "{} {expected}", found.normal_force);
    assert!((found.elastic / (0.4 * expected * depth) - 1.0).abs() < 1e-3);
    assert!(found.torque.length() < 1e-9 * expected * SIZE);
}

/// Sneddon 1965: a flat punch 2Y*aδ, a cone 2/π·Y*·δ²·tan of its half angle.
#[test]
fn punch_and_cone_are_near_the_exact_forces() {
    let law = Interaction::hertz(YOUNG, 1e6);
    let (a, depth) = (3e-3, 1e-5);
    let found = load(&law, &still(depth), &disc(a, |_| depth)).normal_force;
    assert!((found / (2.0 * YOUNG * a * depth) - 0.98).abs() < 1e-3, "{found}");
    assert!((law.patch_stiffness::<Space>(PI * a * a) * depth / found - 1.0).abs() < 1e-3);
    let tan = 2.0;
    let found = load(&law, &still(depth), &disc(depth * tan, |r| depth - r / tan)).normal_force;
    let expected = 2.0 / PI * YOUNG * depth * depth * tan;
    assert!((found / expected - 0.942).abs() < 1e-3, "{found} {expected}");
}

#[test]
fn face_has_the_stiffness_that_was_given() {
    let law = Interaction::linear(2e3, 1e3);
    for a in [1e-3, 5e-3] {
        let found = load(&law, &still(1e-5), &disc(a, |_| 1e-5));
        assert!((found.normal_force / (2e3 * 1e-5) - 1.0).abs() < 1e-12);
        assert!((found.elastic / (0.5 * 2e3 * 1e-10) - 1.0).abs() < 1e-12);
    }
}

/// In the plane a parabola has the point law's force.
#[test]
fn parabola_has_the_point_laws_force() {
    let (radius, depth, pieces) = (0.02, 1e-4, 400);
    let half = (2.0_f64 * radius * depth).sqrt();
    let corner = |i: i32| {
        let x = half * (2.0 * f64::from(i) / f64::from(pieces) - 1.0);
        (DVec2::new(x, 0.0), depth - x * x / (2.0 * radius))
    };
    let points = (0..pieces).flat_map(|i| segment([corner(i), corner(i + 1)], DVec2::Y));
    let touch =
        Touch::<Plane> { depth, normal: DVec2::Y, radius, mass: 0.01, normal_mass: 0.01, ..Touch::default() };
    let law = Interaction::hertz(YOUNG, 1e6);
    let patch = law.load_patch(&touch, 2.0 * half, 1.0, points, &mut History::default(), 1e-6);
    let point = law.load(&touch, &mut History::default(), 1e-6);
    assert!((patch.normal_force / point.normal_force - 1.0).abs() < 1e-4);
}

/// A square face that lies on a plane with depth `d + tilt·x`, in a fine grid, as far as it overlaps.
fn leaning(d: f64, tilt: DVec2) -> Vec<PatchPoint<Space>> {
    let cells = 400;
    let width = 2.0 * SIZE / f64::from(cells);
    let middle = |i: i32| (f64::from(i) + 0.5) * width - SIZE;
    (0..cells * cells)
        .map(|k| DVec2::new(middle(k % cells), middle(k / cells)))
        .map(|x| PatchPoint { lever: x.extend(0.0), area: width * width, depth: d + tilt.dot(x) })
        .filter(|point| point.depth > 0.0)
        .collect()
}

fn patch_laws() -> impl Strategy<Value = Interaction> {
    prop::sample::select(vec![Interaction::linear(2e3, 1e3), Interaction::hertz(YOUNG, 1e6)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Force and torque are the derivatives of the energy, also where the face lies on the plane in part.
    #[test]
    fn loads_are_derivatives_of_the_energy(
        law in patch_laws(), d in 0.2_f64..1.0, x in -2.0_f64..2.0, y in -2.0_f64..2.0,
    ) {
        let (d, tilt) = (d * 1e-4, DVec2::new(x, y) * (1e-4 / SIZE));
        let deepest = d + SIZE * (tilt.x.abs() + tilt.y.abs());
        let at = |d: f64, tilt: DVec2| load(&law, &still(deepest), &leaning(d, tilt));
        let found = at(d, tilt);
        let slope = |dd: f64, dt: DVec2| (at(d + dd, tilt + dt).elastic - at(d - dd, tilt - dt).elastic) / 2.0;
        let step = 2e-6;
        let force = slope(step, DVec2::ZERO) / step;
        // More depth at larger y is a turn about −x; the normal force does work with it.
        let turn = step / SIZE;
        let torque = DVec2::new(slope(0.0, DVec2::Y * turn), -slope(0.0, DVec2::X * turn)) / turn;
        prop_assert!((found.normal_force / force - 1.0).abs() < 1e-2, "{} {force}", found.normal_force);
        let off = (found.torque.truncate() - torque).length();
        prop_assert!(off < 2e-2 * force * SIZE, "{} {torque}", found.torque);
        prop_assert!(found.normal_force > 0.0);
    }

    /// Exchanged bodies get opposite loads, with friction, damping and twisting.
    #[test]
    fn exchanged_bodies_get_opposite_loads(
        law in patch_laws(), spin in prop::array::uniform3(-3.0_f64..3.0), v in prop::array::uniform3(-0.01_f64..0.01),
    ) {
        let law = law.with_restitution(0.5).with_friction(0.4);
        let points = leaning(1e-4, DVec2::new(2e-3, 1e-3));
        let touch = Touch { velocity: v.into(), spin: spin.into(), ..still(1e-4) };
        let swapped = Touch { normal: -touch.normal, velocity: -touch.velocity, spin: -touch.spin, ..touch };
        let (one, other) = (load(&law, &touch, &points), load(&law, &swapped, &points));
        prop_assert!((one.force + other.force).length() < 1e-12 * one.force.length());
        prop_assert!((one.torque + other.torque).length() < 1e-12 * one.force.length() * SIZE);
        prop_assert!(one.dissipated >= 0.0);
        let across = one.force.truncate().length();
        prop_assert!(across <= 0.4 * one.normal_force * (1.0 + 1e-12));
    }
}

/// A face that falls flat on a face comes back with the restitution asked for.
#[test]
fn flat_fall_has_the_restitution_asked_for() {
    let points = disc(SIZE, |_| 1.0);
    for e in [0.2, 0.5, 0.9] {
        for law in [Interaction::linear(2e3, 1e3), Interaction::hertz(YOUNG, 1e6)] {
            let law = law.with_restitution(e);
            let (mass, mut history) = (0.01, History::default());
            let dt = (mass / law.patch_stiffness::<Space>(PI * SIZE * SIZE)).sqrt() * PI / 100.0;
            let (mut depth, mut approach, mut slowing) = (-0.05 * dt, 0.1, 0.0);
            while depth >= 0.0 || approach > 0.0 {
                approach -= 0.5 * dt * slowing;
                depth += approach * dt;
                let predicted = approach - 0.5 * dt * slowing;
                let touch =
                    Touch { velocity: DVec3::Z * -predicted, mass, normal_mass: mass, ..still(depth) };
                let here =
                    points.iter().map(|point| PatchPoint { depth, ..*point }).take_while(|_| depth > 0.0);
                let area = PI * SIZE * SIZE;
                let load = law.load_patch(&touch, area, 1.0, here, &mut history, dt);
                slowing = load.normal_force / mass;
                approach -= 0.5 * dt * slowing;
            }
            assert!((-approach / 0.1 / e - 1.0).abs() < 1e-2, "{law:?}: {approach}");
        }
    }
}

/// Between flat and curved the loads go over into each other.
#[test]
fn weight_mixes_patch_and_point() {
    let law = Interaction::hertz(YOUNG, 1e6).with_cohesion(Cohesion::Linear { density: 1e3 });
    let points = leaning(1e-4, DVec2::ZERO);
    let area = points.iter().map(|point| point.area).sum();
    let touch = still(1e-4);
    let at = |weight: f64| {
        law.load_patch(&touch, area, weight, points.iter().copied(), &mut History::default(), 1e-6)
            .normal_force
    };
    let point = law.load(&touch, &mut History::default(), 1e-6).normal_force;
    assert_eq!(at(0.0), point);
    assert!((at(0.3) - (0.3 * at(1.0) + 0.7 * point)).abs() < 1e-12 * at(1.0));
}

/// From its moments a patch has the load that its points add up to.
#[test]
fn moments_stand_for_points() {
    let points = leaning(2e-5, DVec2::new(1e-3, -4e-4));
    let touch =
        Touch { velocity: DVec3::new(0.01, -0.02, -0.03), spin: DVec3::new(3.0, -5.0, 2.0), ..still(2e-5) };
    let mut moments = PatchMoments { axes: [DVec3::X, DVec3::Y], ..PatchMoments::default() };
    for &PatchPoint { lever, area, depth } in &points {
        moments.area += area;
        moments.volume += depth * area;
        moments.square += depth * depth * area;
        moments.lever += lever * area;
        moments.deep_lever += lever * (depth * area);
        moments.deep_square += lever.length_squared() * (depth * area);
        moments.second.xx += lever.x * lever.x * area;
        moments.second.xy += lever.x * lever.y * area;
        moments.second.yy += lever.y * lever.y * area;
    }
    for law in [Interaction::linear(2e3, 1e3), Interaction::hertz(YOUNG, 1e6)] {
        let law = law.with_restitution(0.5).with_friction(0.4);
        let (mut history, dt) = (History::default(), 1e-6);
        let by_points = law.load_patch(&touch, moments.area, 1.0, points.iter().copied(), &mut history, dt);
        let (sums, mut history) = (PatchSums::from_moments(&touch, 1.0, &moments), History::default());
        let whole = Whole::alone(&sums, true);
        let by_moments = law.load_sums(&touch, &sums, &whole, &mut history, dt);
        let close = |x: DVec3, y: DVec3| (x - y).length() <= 1e-12 * x.length();
        assert!(close(by_points.force, by_moments.force), "{by_points:?} {by_moments:?}");
        assert!(close(by_points.torque, by_moments.torque), "{by_points:?} {by_moments:?}");
        assert!((by_points.dissipated / by_moments.dissipated - 1.0).abs() < 1e-12);
    }
}

/// A face that is cut in two pushes, turns and loses as the whole one; its springs of friction add up to those of the whole.
#[test]
fn a_cut_face_is_the_whole_face() {
    let points = leaning(2e-5, DVec2::new(1e-3, -4e-4));
    let touch =
        Touch { velocity: DVec3::new(1e-4, -2e-4, -0.03), spin: DVec3::new(3.0, -5.0, 0.0), ..still(2e-5) };
    for law in [Interaction::linear(2e3, 1e3), Interaction::hertz(YOUNG, 1e6)] {
        let law = law.with_restitution(0.5).with_friction(10.0);
        let sums = |points: &[PatchPoint<Space>]| {
            let area = points.iter().map(|point| point.area).sum();
            PatchSums::over(&touch, area, 1.0, points.iter().copied())
        };
        let (mut history, dt) = (History::default(), 1e-6);
        let all = sums(&points);
        let whole = law.load_sums(&touch, &all, &Whole::alone(&all, true), &mut history, dt);
        let parts: [Load<Space>; 2] = [0, 1].map(|own| {
            let (left, right) = points.split_at(points.len() / 3);
            let halves = [sums(left), sums(right)];
            let mut history = History::default();
            let mut together = Whole::alone(&halves[own], true);
            together.add(1.0, &halves[1 - own], true);
            law.load_sums(&touch, &halves[own], &together, &mut history, dt)
        });
        let close = |x: f64, y: f64| (x - y).abs() <= 1e-9 * y.abs();
        let force = parts[0].force + parts[1].force;
        assert!((force - whole.force).length() < 1e-9 * whole.force.length(), "{force} {whole:?}");
        // Friction pulls at the middle of the depth rather than at the centre of pressure: that turns about the normal.
        let torque = parts[0].torque + parts[1].torque - whole.torque;
        assert!(torque.truncate().length() < 1e-9 * whole.torque.length(), "{torque} {whole:?}");
        assert!(close(parts[0].elastic + parts[1].elastic, whole.elastic), "{parts:?} {whole:?}");
    }
}

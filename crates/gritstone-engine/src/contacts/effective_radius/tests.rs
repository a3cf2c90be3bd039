//! Effective radii against closed forms, and their gradients against finite differences.

use gritstone_contact::{Goal, Query, Verdict};
use gritstone_core::{Pose, Vector as _};
use gritstone_force::Material;
use gritstone_shape::plane::{Ellipse, HalfPlane, Polygon, Superellipse};
use gritstone_shape::space::{Ellipsoid, HalfSpace, Polyhedron, Superellipsoid};
use proptest::prelude::*;

use super::*;
use crate::{Grain, Setup, World};

/// Depth of the overlap.
const DEPTH: f64 = 1e-2;
/// Step of finite differences, and what they may be off by.
const STEP: f64 = 1e-3;
const ALLOWED: f64 = 1e-4;

/// R* of two bodies at these poses, its gradient, and where they touch.
fn found<D: Dimension>(shapes: &[D::Shape; 2], poses: [Pose<D>; 2]) -> Option<(f64, Wrench<D>, Contact<D>)> {
    let mut setup = Setup::<D>::of(shapes.to_vec(), &[Material::elastic("m", 1e7, 0.3)]).unwrap();
    setup.time_step = 1e-6;
    setup.grains = vec![Grain { pose: poses[0], ..Grain::at(0, 0, D::Vec::default()) }];
    let is_plane = shapes[1].plane_normal().is_some();
    if is_plane {
        setup.walls = vec![crate::Wall { pose: poses[1], ..crate::Wall::fixed("w", shapes[1].clone(), 0) }];
    } else {
        setup.grains.push(Grain { pose: poses[1], ..Grain::at(1, 1, D::Vec::default()) });
    }
    let world = World::new(&setup).unwrap();
    let bodies = &world.bodies;
    let grain = |id| (bodies.walls..).find(|&slot| bodies.states[slot].id == id).map(|slot| slot as u32);
    let pair = BodyPair { a: grain(0)?, b: if is_plane { 0 } else { grain(1)? } };
    let (a, b) = (bodies.placed(pair.a), bodies.placed(pair.b));
    let query = Query { goal: Goal::Distance, ..Query::default() };
    let answer = D::solve_warm(a, b, query, &mut D::Memory::default(), &mut D::Scratch::default());
    let Ok(Verdict::Solved(contact)) = answer.map(|answer| answer.verdict) else { return None };
    let (radius, gradient) = effective(bodies, pair, &contact);
    if is_near_axis_plane(shapes, poses, &contact) {
        return None;
    }
    Some((radius, gradient, contact))
}

/// Poses at which b overlaps a by [`DEPTH`] in this direction from it.
fn touching<D: Dimension>(
    shapes: &[D::Shape; 2],
    rotations: [D::Rotation; 2],
    along: D::Vec,
) -> [Pose<D>; 2] {
    let reach = |i: usize, n: D::Vec| {
        let shape: &D::Shape = &shapes[i];
        n.dot(D::rotate(rotations[i], shape.support(D::unrotate(rotations[i], n))))
    };
    let at = match shapes[1].plane_normal() {
        Some(normal) => {
            let n = D::rotate(rotations[1], normal);
            n * -(reach(0, -n) - DEPTH)
        }
        None => along * (reach(0, along) + reach(1, -along) - DEPTH),
    };
    [
        Pose { position: D::Vec::default(), rotation: rotations[0] },
        Pose { position: at, rotation: rotations[1] },
    ]
}

/// Where on the second body, where that has flat faces, the first one touches it: two facets never have the same gradient.
fn facet_of<D: Dimension>(shapes: &[D::Shape; 2], poses: [Pose<D>; 2], contact: &Contact<D>) -> u8 {
    if !D::is_faceted(&shapes[1]) {
        return 0;
    }
    match D::facet(&shapes[1], D::unrotate(poses[1].rotation, -contact.normal)) {
        Facet::Face => 1,
        Facet::Edge(_) => 2,
        Facet::Corner => 3,
    }
}

/// ln R* at these poses, where the bodies touch with this facet.
fn ln_radius<D: Dimension>(shapes: &[D::Shape; 2], poses: [Pose<D>; 2], facet: u8) -> Option<f64> {
    let (radius, _, contact) = found(shapes, poses)?;
    (facet_of(shapes, poses, &contact) == facet).then(|| radius.ln())
}

/// Minus the slope at zero of ln R* as a function of a displacement, by central differences of fourth order.
fn slope(ln_radius: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    let difference = |step: f64| Some((ln_radius(-step)? - ln_radius(step)?) / (2.0 * step));
    Some((4.0 * difference(STEP)? - difference(2.0 * STEP)?) / 3.0)
}

/// Whether a smooth body is touched near one of its axis planes: superellipsoids have no third derivatives there.
fn is_near_axis_plane<D: Dimension>(
    shapes: &[D::Shape; 2],
    poses: [Pose<D>; 2],
    contact: &Contact<D>,
) -> bool {
    (0..2).any(|i| {
        let n = D::unrotate(poses[i].rotation, contact.normal);
        let is_flat = D::is_faceted(&shapes[i]) || shapes[i].plane_normal().is_some();
        !is_flat && (0..D::N).any(|axis| n.component(axis).abs() < 0.05)
    })
}

/// The gradient against the slope for shifts of b.
fn check_shifts<D: Dimension>(shapes: &[D::Shape; 2], poses: [Pose<D>; 2]) -> Result<(), TestCaseError> {
    let Some((_, gradient, contact)) = found(shapes, poses) else { return Ok(()) };
    let facet = facet_of(shapes, poses, &contact);
    for axis in 0..D::N {
        let Some(slope) = slope(|step| {
            let mut poses = poses;
            poses[1].position += D::Vec::axis(axis) * step;
            ln_radius(shapes, poses, facet)
        }) else {
            return Ok(());
        };
        let expected = gradient.force.component(axis);
        prop_assert!((slope - expected).abs() < ALLOWED * (1.0 + slope.abs()), "{axis}: {slope} {expected}");
    }
    Ok(())
}

/// The same for turns of b about the contact point; `turn` is a rotation and its spin.
fn check_turn<D: Dimension>(
    shapes: &[D::Shape; 2],
    poses: [Pose<D>; 2],
    turn: impl Fn(f64) -> D::Rotation,
    about: D::Spin,
) -> Result<(), TestCaseError> {
    let Some((_, gradient, contact)) = found(shapes, poses) else { return Ok(()) };
    let (centre, facet) = (contact.midpoint(), facet_of(shapes, poses, &contact));
    let Some(slope) = slope(|step| {
        let mut poses = poses;
        let rotation = turn(step);
        poses[1].position = centre + D::rotate(rotation, poses[1].position - centre);
        poses[1].rotation = D::compose(rotation, poses[1].rotation);
        ln_radius(shapes, poses, facet)
    }) else {
        return Ok(());
    };
    let expected = gradient.torque.dot(about);
    prop_assert!((slope - expected).abs() < ALLOWED * (1.0 + slope.abs()), "{slope} {expected}");
    Ok(())
}

fn unit() -> impl Strategy<Value = DVec3> {
    [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0]
        .prop_map(DVec3::from_array)
        .prop_filter("a direction", |v| v.length() > 0.2)
        .prop_map(DVec3::normalize)
}

/// A cube of two metres.
fn cube() -> Polyhedron {
    let corner = |i: u8| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0;
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0
}

fn solid() -> impl Strategy<Value = Solid> {
    let radii = [0.5..2.0_f64, 0.5..2.0, 0.5..2.0].prop_map(DVec3::from_array);
    (radii, 0.8..1.2_f64, 0.8..1.2_f64, any::<bool>()).prop_map(|(radii, e1, e2, round)| {
        if round {
            Solid::from(Ellipsoid::new(radii).unwrap())
        } else {
            Superellipsoid::new(radii, [e1, e2]).unwrap().into()
        }
    })
}

proptest! {
    #[test]
    fn gradient_is_the_slope_of_the_radius(
        a in solid(), b in solid(), partner in 0..3_u8, axes in [unit(), unit()], angles in [0.0..3.0_f64, 0.0..3.0],
        along in unit(),
    ) {
        let b = match partner {
            0 => b,
            1 => HalfSpace::new(DVec3::Z, 0.0).unwrap().into(),
            _ => cube().into(),
        };
        let shapes = [a, b];
        let rotations = [0, 1].map(|i| DQuat::from_axis_angle(axes[i], angles[i]));
        let poses = touching::<Space>(&shapes, rotations, along);
        check_shifts(&shapes, poses)?;
        for axis in DVec3::AXES {
            check_turn(&shapes, poses, |angle| DQuat::from_axis_angle(axis, angle), axis)?;
        }
    }

    #[test]
    fn gradient_is_the_slope_of_the_radius_in_the_plane(
        axes in [[0.5..2.0_f64, 0.5..2.0], [0.5..2.0, 0.5..2.0]], n in 1.7..2.4_f64, angles in [0.0..3.0_f64, 0.0..3.0],
        partner in 0..3_u8, along in 0.0..6.0_f64,
    ) {
        let [a, b] = axes.map(DVec2::from_array);
        let b = match partner {
            0 => Figure::from(Superellipse::new(b, n).unwrap()),
            1 => HalfPlane::new(DVec2::Y, 0.0).unwrap().into(),
            _ => Polygon::hull(&[DVec2::X, DVec2::Y, -DVec2::ONE]).unwrap().0.into(),
        };
        let shapes = [Ellipse::new(a).unwrap().into(), b];
        let poses = touching::<Plane>(&shapes, angles, DVec2::from_angle(along));
        check_shifts(&shapes, poses)?;
        check_turn(&shapes, poses, |angle| angle, 1.0)?;
    }

    /// For ellipsoids and ellipses the body function is the radius of curvature, in space the Gaussian one.
    #[test]
    fn ellipsoids_have_their_own_radius(a in [0.5..2.0_f64, 0.5..2.0, 0.5..2.0], axis in unit(), angle in 0.0..3.0_f64) {
        let shape = Ellipsoid::new(DVec3::from_array(a)).unwrap();
        let plane = HalfSpace::new(DVec3::Z, 0.0).unwrap().into();
        let shapes = [shape.into(), plane];
        let poses = touching::<Space>(&shapes, [DQuat::from_axis_angle(axis, angle), DQuat::IDENTITY], DVec3::Z);
        let Some((radius, ..)) = found(&shapes, poses) else { return Ok(()) };
        let normal = poses[0].rotation.conjugate() * DVec3::NEG_Z;
        let [r1, r2] = gritstone_shape::space::PrincipalRadii::at_normal(&shape, normal).radii;
        prop_assert!((radius / (r1 * r2).sqrt() - 1.0).abs() < 1e-9);
    }
}

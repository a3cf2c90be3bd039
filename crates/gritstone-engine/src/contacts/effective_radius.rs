//! Effective radius of a contact, and what it does where the bodies move.
//!
//! **Idea.** Hertz's energy `8/15·Y*·√R*·δ^(5/2)` is one only if the change of R* with the poses is in the force, too. Smooth bodies
//! on each other and on planes have R* from their body functions ([`radius`]) with its whole gradient. All others have a
//! constant one, since the direction of a contact jumps at edges and corners: that of balls of the same volumes, where flat
//! faces count as planes.
//!
//! **Notation.** As in [`radius`].

use glam::{DVec2, DVec3};
use gritstone_contact::{NarrowPhase, Placed};
use gritstone_core::linalg::{Sym2, Sym3, Tangent};
use gritstone_core::{Contact, Plane, Space};
use gritstone_force::Wrench;
use gritstone_force::radius::{self, BodyCurvature, EffectiveRadius};
use gritstone_shape::plane::Figure;
use gritstone_shape::space::Solid;
use gritstone_shape::{AnyShape as _, Support};

use super::BodyPair;
use crate::bodies::Bodies;
use crate::dimension::Dimension;

/// How a body is curved, as far as laws know.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Roundness {
    /// `1/R` of the ball of the same volume; zero for planes and bodies with flat faces alone.
    curvature: f64,
    /// Of the body function; zero where there is none.
    factor: f64,
    /// Whether it is a plane.
    plane: bool,
    /// Whether contacts with it may have patches.
    pub(crate) may_be_flat: bool,
}

/// Exponent n = 2/ε of a superellipsoid from which its contacts may have patches; up to it points hold it at rest.
const FLAT: f64 = 2.0 / 0.7;

impl Roundness {
    pub(crate) fn new<D: Dimension>(shape: &D::Shape, volume: f64) -> Self {
        let (plane, may_be_flat) = (shape.plane_normal().is_some(), D::may_be_flat(shape));
        if plane || volume <= 0.0 || D::is_faceted(shape) {
            return Self { plane, may_be_flat, ..Self::default() };
        }
        let factor = if shape.creased() { 0.0 } else { radius::body_factor::<D>(volume) };
        Self { curvature: 1.0 / radius::of_volume::<D>(volume), factor, plane, may_be_flat }
    }

    /// With the radius of the ball of the same volume whatever the direction, and without patches: a crown says what is flat.
    pub(crate) fn constant(self) -> Self {
        Self { factor: 0.0, may_be_flat: false, ..self }
    }

    /// Whether the effective radius of two bodies changes with their poses.
    fn changes_with(self, other: Self) -> bool {
        let smooth = |body: Self| body.factor > 0.0;
        smooth(self) && (smooth(other) || other.plane) || self.plane && smooth(other)
    }
}

/// What a dimension knows of surfaces across a normal.
pub trait Curved: NarrowPhase {
    /// Whether a shape has flat faces, edges and corners alone.
    fn is_faceted(shape: &Self::Shape) -> bool;

    /// Whether a shape has faces, or is so flat somewhere that a point cannot hold it at rest.
    fn may_be_flat(shape: &Self::Shape) -> bool;

    /// How the normal of a contact turns where b moves: y from `(H_a + H_b − δ) y = t`, and `H_a y`. `surfaces` are the poses of a
    /// and b, and the Hessians of their support functions. None where the contact is no maximum.
    fn turning(
        surfaces: [(Self::Rotation, &Self::Sym); 2],
        normal: Self::Vec,
        depth: f64,
        t: Self::Vec,
    ) -> Option<[Self::Vec; 2]>;
}

impl Curved for Plane {
    fn is_faceted(shape: &Figure) -> bool {
        matches!(shape, Figure::Polygon(_) | Figure::Segment(_))
    }

    fn may_be_flat(shape: &Figure) -> bool {
        match shape {
            Figure::Polygon(_) | Figure::Segment(_) | Figure::HalfPlane(_) | Figure::Custom(_) => true,
            Figure::Superellipse(shape) => shape.blockiness() > FLAT,
            Figure::Circle(_) | Figure::Ellipse(_) => false,
        }
    }

    fn turning([(_, a), (_, b)]: [(f64, &Sym2); 2], _: DVec2, depth: f64, t: DVec2) -> Option<[DVec2; 2]> {
        let sum = a.trace() + b.trace() - depth;
        let y = t * (1.0 / sum);
        (sum > 0.0).then(|| [y, y * a.trace()])
    }
}

impl Curved for Space {
    fn is_faceted(shape: &Solid) -> bool {
        shape.polytope().is_some() || matches!(shape, Solid::Triangle(_))
    }

    fn may_be_flat(shape: &Solid) -> bool {
        match shape {
            Solid::Polyhedron(_) | Solid::Cylinder(_) | Solid::HalfSpace(_) | Solid::Triangle(_) => true,
            Solid::Superellipsoid(shape) => shape.exponents().iter().any(|&exponent| 2.0 / exponent > FLAT),
            Solid::Superquadric(shape) => shape.blockiness().iter().any(|&n| n > FLAT),
            Solid::Sphere(_) | Solid::Ellipsoid(_) | Solid::Capsule(_) | Solid::Crowned(_) => false,
            Solid::Custom(_) => true,
        }
    }

    fn turning(
        surfaces: [(glam::DQuat, &Sym3); 2],
        normal: DVec3,
        depth: f64,
        t: DVec3,
    ) -> Option<[DVec3; 2]> {
        let plane = Tangent::across(normal);
        let [a, b] =
            surfaces.map(|(rotation, hessian)| plane.restrict(hessian, &glam::DMat3::from_quat(rotation)));
        let sum = a + b + Sym2::scalar(-depth);
        let y = sum.solve(plane.project(t));
        let is_maximum = sum.determinant() > 0.0 && sum.trace() > 0.0;
        is_maximum.then(|| [plane.lift(y), plane.lift(a * y)])
    }
}

/// R* of a contact, and its gradient: see [`EffectiveRadius::gradient`].
pub(crate) fn effective<D: Dimension>(
    bodies: &Bodies<D>,
    BodyPair { a, b }: BodyPair,
    contact: &Contact<D>,
) -> (f64, Wrench<D>) {
    let records = [a, b].map(|slot| &bodies.records[slot as usize]);
    let [round_a, round_b] = records.map(|record| bodies.shapes[record.shape as usize].roundness);
    if !round_a.changes_with(round_b) {
        let curvature = round_a.curvature + round_b.curvature;
        let of_balls = || radius::from_radii(records[0].radius, records[1].radius);
        return (if curvature > 0.0 { 1.0 / curvature } else { of_balls() }, Wrench::default());
    }
    let normal = contact.normal;
    let flat = BodyCurvature::flat();
    if round_b.plane {
        let surface = surface(bodies.placed(a), normal, round_a);
        let effective = EffectiveRadius::of(surface.curvature, flat);
        return (effective.radius, effective.gradient_on_plane(normal));
    }
    if round_a.plane {
        let surface = surface(bodies.placed(b), -normal, round_b);
        let effective = EffectiveRadius::of(flat, surface.curvature);
        return (effective.radius, effective.gradient_on_plane(normal));
    }
    let surface_a = surface(bodies.placed(a), normal, round_a);
    let surface_b = surface(bodies.placed(b), -normal, round_b);
    let effective = EffectiveRadius::of(surface_a.curvature, surface_b.curvature);
    let rotations = records.map(|record| record.rotation);
    let surfaces = [(rotations[0], &surface_a.hessian), (rotations[1], &surface_b.hessian)];
    let depth = -contact.gap;
    let none = [D::Vec::default(); 2];
    let [y, h_a_y] = D::turning(surfaces, normal, depth, effective.turn()).unwrap_or(none);
    (effective.radius, effective.gradient(normal, depth, y, h_a_y))
}

/// A body where its outward normal is given.
struct BodySurface<D: Dimension> {
    curvature: BodyCurvature<D>,
    hessian: D::Sym,
}

fn surface<D: Dimension>(body: Placed<'_, D>, outward: D::Vec, round: Roundness) -> BodySurface<D> {
    let jet = body.shape.jet(D::unrotate(body.pose.rotation, outward));
    let point = D::rotate(body.pose.rotation, jet.point);
    BodySurface { curvature: BodyCurvature::new(round.factor, outward, point), hessian: jet.hessian }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use gritstone_contact::{Goal, Query, Verdict};
    use gritstone_core::{Linear as _, Pose, Vector as _};
    use gritstone_force::Material;
    use gritstone_shape::plane::{Ellipse, HalfPlane, Superellipse};
    use gritstone_shape::space::{Ellipsoid, HalfSpace, Superellipsoid};
    use proptest::prelude::*;

    use super::*;
    use crate::{Grain, Setup, World};

    /// Depth of the overlap.
    const DEPTH: f64 = 1e-2;
    /// Step of finite differences.
    const STEP: f64 = 1e-3;

    /// R* of two bodies at these poses, its gradient, and where they touch.
    fn found<D: Dimension>(
        shapes: &[D::Shape; 2],
        poses: [Pose<D>; 2],
    ) -> Option<(f64, Wrench<D>, Contact<D>)> {
        let mut setup = Setup::<D>::of(shapes.to_vec(), &[Material::elastic("m", 1e7, 0.3)]).unwrap();
        setup.time_step = 1e-6;
        setup.grains = vec![Grain { pose: poses[0], ..Grain::at(0, 0, D::Vec::default()) }];
        let is_plane = shapes[1].plane_normal().is_some();
        if is_plane {
            setup.walls =
                vec![crate::Wall { pose: poses[1], ..crate::Wall::fixed("w", shapes[1].clone(), 0) }];
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

    /// The gradient against central differences of ln R* for shifts of b.
    fn check_shifts<D: Dimension>(shapes: &[D::Shape; 2], poses: [Pose<D>; 2]) -> Result<(), TestCaseError> {
        let Some((_, gradient, _)) = found(shapes, poses) else { return Ok(()) };
        for axis in 0..D::N {
            let moved = |step: f64| {
                let mut poses = poses;
                poses[1].position += D::Vec::axis(axis) * step;
                found(shapes, poses).map(|found| found.0.ln())
            };
            let (Some(up), Some(down)) = (moved(STEP), moved(-STEP)) else { return Ok(()) };
            let (slope, expected) = (-(up - down) / (2.0 * STEP), gradient.force.component(axis));
            prop_assert!((slope - expected).abs() < 1e-3 * (1.0 + slope.abs()), "{axis}: {slope} {expected}");
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
        let centre = contact.midpoint();
        let moved = |step: f64| {
            let mut poses = poses;
            let rotation = turn(step);
            poses[1].position = centre + D::rotate(rotation, poses[1].position - centre);
            poses[1].rotation = D::compose(rotation, poses[1].rotation);
            found(shapes, poses).map(|found| found.0.ln())
        };
        let (Some(up), Some(down)) = (moved(STEP), moved(-STEP)) else { return Ok(()) };
        let (slope, expected) = (-(up - down) / (2.0 * STEP), gradient.torque.dot(about));
        prop_assert!((slope - expected).abs() < 1e-3 * (1.0 + slope.abs()), "{slope} {expected}");
        Ok(())
    }

    fn unit() -> impl Strategy<Value = DVec3> {
        [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0]
            .prop_map(DVec3::from_array)
            .prop_filter("a direction", |v| v.length() > 0.2)
            .prop_map(DVec3::normalize)
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
            a in solid(), b in solid(), plane in any::<bool>(), axes in [unit(), unit()], angles in [0.0..3.0_f64, 0.0..3.0],
            along in unit(),
        ) {
            let b = if plane { HalfSpace::new(DVec3::Z, 0.0).unwrap().into() } else { b };
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
            line in any::<bool>(), along in 0.0..6.0_f64,
        ) {
            let [a, b] = axes.map(DVec2::from_array);
            let b = if line {
                HalfPlane::new(DVec2::Y, 0.0).unwrap().into()
            } else {
                Figure::from(Superellipse::new(b, n).unwrap())
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
            let (radius, ..) = found(&shapes, poses).unwrap();
            let normal = poses[0].rotation.conjugate() * DVec3::NEG_Z;
            let [r1, r2] = gritstone_shape::space::PrincipalRadii::at_normal(&shape, normal).radii;
            prop_assert!((radius / (r1 * r2).sqrt() - 1.0).abs() < 1e-9);
        }
    }
}

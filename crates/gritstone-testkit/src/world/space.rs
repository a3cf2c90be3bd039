//! The suite in space.

use glam::{DQuat, DVec3};
use gritstone_contact::space::Pair;
use gritstone_core::{Contact, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid};
use gritstone_study::truth::{self, Truth};
use proptest::prelude::*;

use super::{World, radius};
use crate::{Scene, Tier};

const FINE: &str = "parameters are drawn from inside the allowed ranges";

impl World for Space {
    fn truth(scene: &Scene) -> Truth {
        truth::bracket(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b, truth::TOLERANCE)
    }

    fn stiffness(scene: &Scene, contact: &Contact<Self>) -> Option<f64> {
        let pair = Pair::new(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
        let jet = pair.jet(contact.normal);
        let ((radii, _), (model, _)) = ((jet.h_a + jet.h_b).eigen(), jet.model().eigen());
        let reach = scene.a.size() + scene.b.size();
        let sharp = scene.a.polytope().is_some() || scene.b.polytope().is_some();
        (!sharp && model[0] > 0.1 * scene.size() && radii[1] < 10.0 * reach).then_some(model[0])
    }

    fn check_on(solid: &Solid, x: DVec3, allowed: f64) -> Result<(), TestCaseError> {
        let (Some(implicit), Some(body)) = (solid.implicit(), solid.body()) else { return Ok(()) };
        // A third of the smallest half-extent is inside even the sharpest shapes, so gauges change no faster than this.
        let gauge = implicit.gauge(x);
        let slack = 3.0 * allowed / body.half_extents().min_element();
        prop_assert!((gauge - 1.0).abs() <= slack, "gauge {gauge} at {x} of {solid:?}");
        Ok(())
    }

    fn half_width(solid: &Solid) -> f64 {
        solid.body().map_or_else(|| solid.size(), |body| body.half_extents().min_element())
    }

    fn scaled(solid: &Solid, factor: f64) -> Solid {
        solid.scaled(factor).expect(FINE)
    }

    fn ball(radius: f64) -> Solid {
        Sphere::new(radius).expect(FINE).into()
    }

    fn ellipsoid(radii: DVec3) -> Solid {
        Ellipsoid::new(radii).expect(FINE).into()
    }

    /// A sphere, an ellipsoid or a superellipsoid; or a polyhedron, where the tier has nothing else.
    fn shape(tier: &Tier) -> BoxedStrategy<Solid> {
        if tier.only_corners {
            return polyhedron(tier);
        }
        let [low, high] = tier.exponents;
        let exponent = || low..=high;
        let blocks = (Self::radii(tier.aspect), exponent(), exponent());
        prop_oneof![
            1 => radius(1.0).prop_map(Self::ball),
            2 => Self::radii(tier.aspect).prop_map(Self::ellipsoid),
            5 => blocks.prop_map(|(radii, e1, e2)| superellipsoid(radii, [e1, e2])),
        ]
        .boxed()
    }

    fn rotation(tier: &Tier) -> BoxedStrategy<DQuat> {
        let any = (-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0);
        let unit = |(x, y, z, w)| {
            let q = DQuat::from_xyzw(x, y, z, w);
            (q.length() > 0.1).then(|| q.normalize())
        };
        let any = any.prop_filter_map("too short to be a rotation", unit);
        prop_oneof![4 => any, u32::from(tier.aligned) => Just(DQuat::IDENTITY)].boxed()
    }

    fn direction(tier: &Tier) -> BoxedStrategy<DVec3> {
        let any = Self::vector((-1.0..1.0).boxed());
        let any = any
            .prop_filter_map("too short to have a direction", |x| (x.length() > 0.1).then(|| x.normalize()));
        let axis = prop::sample::select(vec![DVec3::X, DVec3::NEG_Y, DVec3::Z]);
        prop_oneof![5 => any, u32::from(tier.aligned) => axis].boxed()
    }

    fn vector(component: BoxedStrategy<f64>) -> BoxedStrategy<DVec3> {
        (component.clone(), component.clone(), component).prop_map(DVec3::from).boxed()
    }
}

/// A box, a tetrahedron, an octahedron, a pyramid or a cube with a pyramid on each face, stretched.
fn polyhedron(tier: &Tier) -> BoxedStrategy<Solid> {
    let cube: Vec<DVec3> = (0..8)
        .map(|i| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 })))
        .collect();
    let tips = |height: f64| DVec3::AXES.into_iter().flat_map(move |axis| [axis * height, axis * -height]);
    let tetrahedron = vec![cube[0], cube[3], cube[5], cube[6]];
    let pyramid = cube[..4].iter().copied().chain([DVec3::Z * 2.0]).collect();
    let tetrakis = cube.iter().copied().chain(tips(1.5)).collect();
    let known = vec![cube, tetrahedron, tips(1.0).collect(), pyramid, tetrakis];
    (prop::sample::select(known), Space::radii(tier.aspect))
        .prop_map(|(points, by)| {
            let points: Vec<_> = points.into_iter().map(|p| p * by).collect();
            Polyhedron::hull(&points).expect("corners all around enclose a volume").0.into()
        })
        .boxed()
}

fn superellipsoid(radii: DVec3, exponents: [f64; 2]) -> Solid {
    Superellipsoid::new(radii, exponents).expect(FINE).into()
}

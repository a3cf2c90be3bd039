//! The suite in the plane.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec2;
use gritstone_contact::plane::Pair;
use gritstone_core::{Contact, Plane};
use gritstone_shape::plane::{Circle, Ellipse, Figure, Polygon, Segment, Superellipse};
use gritstone_shape::{Body, Support};
use gritstone_study::truth::{self, Truth};
use proptest::prelude::*;

use super::{World, radius};
use crate::{Scene, Tier};

const FINE: &str = "parameters are drawn from inside the allowed ranges";

impl World for Plane {
    fn truth(scene: &Scene<Self>) -> Truth<Self> {
        truth::bracket_in_plane(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b, truth::TOLERANCE)
    }

    fn stiffness(scene: &Scene<Self>, contact: &Contact<Self>) -> Option<f64> {
        let pair = Pair::new(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
        let jet = pair.jet(contact.normal);
        let (radius, reach) = (jet.h_a + jet.h_b, scene.a.size() + scene.b.size());
        let sharp = scene.a.corners().is_some() || scene.b.corners().is_some();
        (!sharp && jet.model() > 0.1 * scene.size() && radius < 10.0 * reach).then_some(jet.model())
    }

    fn check_on(figure: &Figure, x: DVec2, allowed: f64) -> Result<(), TestCaseError> {
        if let Some(implicit) = figure.implicit() {
            let gauge = implicit.gauge(x);
            // A third of the smallest half-extent is inside all of them but triangles, which are drawn regular.
            let slack = 3.0 * allowed / figure.half_extents().min_element();
            prop_assert!((gauge - 1.0).abs() <= slack, "gauge {gauge} at {x} of {figure:?}");
        } else {
            // A segment: between its ends, and on its line.
            let end = figure.support(x);
            let outside = (x.length() - end.length()).max(end.normalize().perp_dot(x).abs());
            prop_assert!(outside <= allowed, "{x} is {outside} off {figure:?}");
        }
        Ok(())
    }

    fn half_width(figure: &Figure) -> f64 {
        // Segments have no width.
        if figure.implicit().is_some() { figure.half_extents().min_element() } else { figure.size() }
    }

    fn scaled(figure: &Figure, factor: f64) -> Figure {
        match figure {
            Figure::Circle(s) => Self::ball(s.radius() * factor),
            Figure::Ellipse(s) => Self::ellipsoid(s.semi_axes() * factor),
            Figure::Superellipse(s) => superellipse(s.semi_axes() * factor, s.blockiness()),
            Figure::Polygon(s) => polygon(s.vertices().iter().map(|&v| v * factor)),
            Figure::Segment(s) => segment(s.ends()[1] * factor),
            Figure::Crowned(s) => Self::scaled(&s.exact(), factor),
            Figure::HalfPlane(_) => figure.clone(),
            Figure::Custom(s) => s.scaled(factor).expect("the factor is usable").into(),
        }
    }

    fn ball(radius: f64) -> Figure {
        Circle::new(radius).expect(FINE).into()
    }

    fn ellipsoid(radii: DVec2) -> Figure {
        Ellipse::new(radii).expect(FINE).into()
    }

    /// A circle, an ellipse, a superellipse; and where the tier has corners, a polygon or a segment, or nothing but
    /// polygons.
    fn shape(tier: &Tier) -> BoxedStrategy<Figure> {
        let [low, high] = tier.exponents;
        let blocks = (Self::radii(tier.aspect), low..=high);
        let rectangle = Self::radii(tier.aspect).prop_map(|half| {
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            polygon(corners.into_iter().map(|corner| DVec2::from(corner) * half))
        });
        let regular = (radius(1.0), 3..12_u32).prop_map(|(radius, count)| {
            polygon((0..count).map(|k| DVec2::from_angle(TAU * f64::from(k) / f64::from(count)) * radius))
        });
        let line = (radius(1.0), -PI..PI).prop_map(|(half, angle)| segment(DVec2::from_angle(angle) * half));
        let (round, corners) = (u32::from(!tier.only_corners), u32::from(tier.corners));
        prop_oneof![
            round => radius(1.0).prop_map(Self::ball),
            2 * round => Self::radii(tier.aspect).prop_map(Self::ellipsoid),
            4 * round => blocks.prop_map(|(radii, epsilon)| superellipse(radii, 2.0 / epsilon)),
            2 * corners => rectangle,
            2 * corners => regular,
            round * corners => line,
        ]
        .boxed()
    }

    fn rotation(tier: &Tier) -> BoxedStrategy<f64> {
        let right = prop::sample::select(vec![0.0, FRAC_PI_2]);
        prop_oneof![4 => -PI..PI, u32::from(tier.aligned) => right].boxed()
    }

    fn direction(tier: &Tier) -> BoxedStrategy<DVec2> {
        let axis = prop::sample::select(vec![DVec2::X, DVec2::NEG_Y]);
        prop_oneof![5 => (-PI..PI).prop_map(DVec2::from_angle), u32::from(tier.aligned) => axis].boxed()
    }

    fn vector(component: BoxedStrategy<f64>) -> BoxedStrategy<DVec2> {
        (component.clone(), component).prop_map(DVec2::from).boxed()
    }
}

fn superellipse(semi_axes: DVec2, blockiness: f64) -> Figure {
    Superellipse::new(semi_axes, blockiness).expect(FINE).into()
}

fn polygon(points: impl Iterator<Item = DVec2>) -> Figure {
    Polygon::hull(&points.collect::<Vec<_>>()).expect("corners all around enclose an area").0.into()
}

fn segment(half: DVec2) -> Figure {
    Segment::between([-half, half]).expect(FINE).0.into()
}

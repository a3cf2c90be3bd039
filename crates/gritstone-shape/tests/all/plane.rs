//! Shapes in the plane: support, gauge, curvature, mass, bounds, outlines, conics, errors.

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use glam::{DVec2, Vec2Swizzles};
use gritstone_core::{Mass, Plane, Pose};
use gritstone_shape::plane::{
    Circle, Conic, Ellipse, Figure, HalfPlane, Polygon, RadiusOfCurvature, Segment, Superellipse,
};
use gritstone_shape::{AlignedBox, Body, Implicit, ShapeError, Support, Trace};
use proptest::prelude::*;

fn length() -> impl Strategy<Value = f64> {
    (0.0..20.0_f64.ln()).prop_map(f64::exp)
}

fn any_superellipse() -> impl Strategy<Value = Superellipse> {
    let blockiness = prop_oneof![4 => 1.05..20.0, 1 => Just(1.06), 1 => Just(2.0), 1 => Just(20.0)];
    (length(), length(), blockiness)
        .prop_map(|(a, b, n)| Superellipse::new(DVec2::new(a, b), n).expect("parameters lie in their ranges"))
}

/// Points on an ellipse, so that most are corners; and some anywhere in it.
fn points() -> impl Strategy<Value = Vec<DVec2>> {
    let point = (0.0..TAU, prop_oneof![3 => Just(1.0), 1 => 0.0..1.0]);
    (length(), length(), prop::collection::vec(point, 3..60)).prop_map(|(a, b, points)| {
        points.into_iter().map(|(t, r)| DVec2::from_angle(t) * r * DVec2::new(a, b)).collect()
    })
}

fn any_polygon() -> impl Strategy<Value = Polygon> {
    points().prop_filter_map("too flat", |points| Polygon::hull(&points).ok().map(|(polygon, _)| polygon))
}

/// Any shape that has an inside and an end.
fn any_figure() -> impl Strategy<Value = Figure> {
    prop_oneof![
        length().prop_map(|r| Circle::new(r).expect("a length").into()),
        (length(), length()).prop_map(|(a, b)| Ellipse::new(DVec2::new(a, b)).expect("lengths").into()),
        any_superellipse().prop_map(Figure::from),
        any_polygon().prop_map(Figure::from),
    ]
}

fn direction() -> impl Strategy<Value = DVec2> {
    let axis = (0..8_u8).prop_map(|k| DVec2::from_angle(f64::from(k) * FRAC_PI_4));
    prop_oneof![5 => (-PI..PI).prop_map(DVec2::from_angle), 1 => axis]
}

fn gauge(figure: &Figure) -> &dyn Implicit<Plane> {
    figure.implicit().expect("bounded figures with an area have one")
}

proptest! {
    #[test]
    fn nested_balls_are_inside_and_round_figures_have_them(figure in any_figure(), n in direction(), u in direction()) {
        let x = figure.support(n);
        let ball = figure.nested_ball(n, x, 0.1 * figure.size());
        let round = matches!(figure, Figure::Circle(_) | Figure::Ellipse(_));
        prop_assert_eq!(ball > 0.0, round);
        if round {
            prop_assert!(gauge(&figure).gauge(x - n * ball + u * ball) <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn no_boundary_point_lies_farther(s in any_figure(), n in direction(), v in direction()) {
        let x = v / gauge(&s).gauge(v);
        prop_assert!(n.dot(x) <= n.dot(s.support(n)) * (1.0 + 1e-13));
        prop_assert!(x.length() <= s.size() * (1.0 + 1e-13));
    }

    #[test]
    fn support_points_lie_on_the_boundary(s in any_figure(), n in direction()) {
        prop_assert!((gauge(&s).gauge(s.support(n)) - 1.0).abs() < 1e-13);
        prop_assert!((gauge(&s).inside_outside(s.support(n)) - 1.0).abs() < 1e-11);
        prop_assert!((s.jet(n).point - s.support(n)).length() <= 1e-15 * s.size());
        prop_assert!((s.support(n * 3e7) - s.support(n)).length() < 1e-14 * s.size());
    }

    #[test]
    fn normals_and_support_points_belong_together(s in any_superellipse(), n in direction()) {
        prop_assert!(s.normal(s.support(n)).distance(n) < 2e-14);
        let x = n / s.gauge(n);
        prop_assert!(s.support(s.normal(x)).distance(x) < 2e-14 * s.size());
    }

    /// The Hessian of the support function is its second derivative along the tangent; it annihilates the normal.
    #[test]
    fn radii_of_curvature_are_derivatives_of_the_support_point(s in any_superellipse(), t in 0.1..1.4) {
        let n = DVec2::from_angle(t);
        let central = |h: f64| {
            let [x, y] = [t - h, t + h].map(|t| s.support(DVec2::from_angle(t)));
            (y - x).dot(n.perp()) / (2.0 * h)
        };
        let known = (4.0 * central(5e-5) - central(1e-4)) / 3.0;
        let RadiusOfCurvature(at_normal) = RadiusOfCurvature::at_normal(&s, n);
        let RadiusOfCurvature(at_point) = RadiusOfCurvature::at_point(&s, s.support(n));
        prop_assert!((at_normal - known).abs() < 1e-6 * (at_normal + 1e-3 * s.size()), "{at_normal} {known}");
        // Near a tip the point hardly moves with the normal, and does not tell the radius.
        if at_normal > 1e-6 * s.size() {
            prop_assert!((at_point / at_normal - 1.0).abs() < 1e-9, "{at_point} {at_normal}");
        }
        prop_assert!((s.jet(n).hessian * n).length() < 1e-14 * at_normal);
    }

    /// `ρ = a²b² (x²/a⁴ + y²/b⁴)^(3/2)`.
    #[test]
    fn ellipses_have_their_radius_of_curvature(a in length(), b in length(), t in -PI..PI) {
        let s = Ellipse::new(DVec2::new(a, b)).expect("lengths");
        let x = DVec2::new(a * t.cos(), b * t.sin());
        let known = a * a * b * b * DVec2::new(x.x / (a * a), x.y / (b * b)).length().powi(3);
        let RadiusOfCurvature(found) = RadiusOfCurvature::at_point(&s, x);
        prop_assert!((found - known).abs() < 1e-12 * known);
        let RadiusOfCurvature(found) = RadiusOfCurvature::at_normal(&s, s.normal(x));
        prop_assert!((found - known).abs() < 1e-12 * known);
    }

    #[test]
    fn gauges_have_their_derivatives(s in any_superellipse(), t in 0.1..1.4, r in 0.3..2.0) {
        let x = DVec2::from_angle(t) * r * s.size();
        let (value, gradient, hessian) = s.gauge_jet(x);
        prop_assert_eq!(s.gauge_with_gradient(x), (value, gradient));
        // Homogeneous of degree one and zero.
        prop_assert!((gradient.dot(x) - value).abs() < 1e-14 * value);
        prop_assert!((hessian * x).length() < 1e-12 * (hessian.trace() * x.length() + gradient.length()));
        let h = 1e-5 * s.size();
        for axis in DVec2::AXES {
            let rise = (s.gauge(x + axis * h) - s.gauge(x - axis * h)) / (2.0 * h);
            prop_assert!((rise - axis.dot(gradient)).abs() < 1e-5 / s.semi_axes().min_element());
            let rise = (s.inside_outside(x + axis * h) - s.inside_outside(x - axis * h)) / (2.0 * h);
            let slope = s.gradient(x);
            prop_assert!((rise - axis.dot(slope)).abs() < 1e-4 * slope.length().max(1.0 / s.size()));
        }
    }

    /// Area and moments against those of the outline, to second order of its detail.
    #[test]
    fn masses_are_those_of_fine_outlines(s in any_figure()) {
        let known = polygon_mass(&s.outline(512).positions);
        let mass = s.mass();
        prop_assert!((mass.volume / known.volume - 1.0).abs() < 2e-4, "{mass:?} {known:?}");
        prop_assert!((mass.inertia() / known.inertia() - 1.0).abs() < 4e-4);
        prop_assert!((mass.centroid - known.centroid).length() < 1e-9 * s.size());
        prop_assert!((mass.second_moments.xy - known.second_moments.xy).abs() < 1e-4 * mass.inertia());
        prop_assert!((mass.second_moments.xx - known.second_moments.xx).abs() < 4e-4 * mass.inertia());
    }

    #[test]
    fn outlines_run_around_the_boundary(s in any_figure(), detail in 1..20_u32) {
        let outline = s.outline(detail);
        for (x, n) in outline.positions.iter().zip(&outline.normals) {
            prop_assert!((gauge(&s).gauge(*x) - 1.0).abs() < 1e-12);
            prop_assert!((n.length() - 1.0).abs() < 1e-14);
            prop_assert!(n.dot(s.support(*n) - *x).abs() < 1e-12 * s.size());
        }
        let positions = outline.positions.iter();
        let turning: f64 = positions.clone().zip(positions.cycle().skip(1)).map(|(x, y)| x.angle_to(*y)).sum();
        prop_assert!((turning - TAU).abs() < 1e-9, "{turning}");
        if !matches!(s, Figure::Polygon(_)) {
            prop_assert_eq!(outline.positions.len(), 8 * detail as usize);
        }
    }

    #[test]
    fn bounds_hold_the_figure_and_touch_it(s in any_figure(), at in direction(), angle in -PI..PI, v in direction()) {
        let pose = Pose::<Plane>::new(3.0 * at, angle);
        let bounds = AlignedBox::of(&s, &pose);
        let slack = DVec2::splat(1e-13 * (3.0 + s.size()));
        let x = pose.to_world(v / gauge(&s).gauge(v));
        prop_assert!(x.cmpge(bounds.min - slack).all() && x.cmple(bounds.max + slack).all());
        let top = pose.to_world(s.support(Pose { position: DVec2::ZERO, ..pose }.to_body(DVec2::Y)));
        prop_assert!((top.y - bounds.max.y).abs() <= slack.y);
    }

    /// Gift wrapping finds the same corners.
    #[test]
    fn hulls_have_every_point_inside_and_all_corners_outside(points in points()) {
        let Ok((polygon, origin)) = Polygon::hull(&points) else { return Ok(()) };
        let size = polygon.size();
        for p in &points {
            prop_assert!(polygon.gauge(*p - origin) <= 1.0 + 1e-9);
        }
        let vertices = polygon.vertices();
        let count = vertices.len();
        for i in 0..count {
            let (v, w, u) = (vertices[i], vertices[(i + 1) % count], vertices[(i + 2) % count]);
            prop_assert!((w - v).perp_dot(u - w) > 0.0);
            prop_assert!(points.iter().any(|p| p.distance(v + origin) < 1e-14 * size));
            let edge = polygon.edges()[i];
            prop_assert!((edge.normal.dot(v) - edge.offset).abs() < 1e-14 * size);
            prop_assert!((edge.normal.dot(w) - edge.offset).abs() < 1e-14 * size);
        }
    }

    #[test]
    fn many_vertices_are_searched_as_few_are(n in direction(), count in 25..400_u32) {
        let points: Vec<DVec2> =
            (0..count).map(|i| DVec2::from_angle(f64::from(i * i % 1009)) * DVec2::new(3.0, 1.0)).collect();
        let (polygon, _) = Polygon::hull(&points).expect("an area");
        let highest = polygon.vertices().iter().map(|v| n.dot(*v)).fold(f64::MIN, f64::max);
        prop_assert_eq!(n.dot(polygon.support(n)), highest);
    }

    #[test]
    fn conics_give_their_ellipse_back(a in length(), b in length(), angle in -0.78..0.78, x in -9.0..9.0, y in -9.0..9.0) {
        let (ellipse, pose) = (Ellipse::new(DVec2::new(a, b)).expect("lengths"), Pose::<Plane>::new(DVec2::new(x, y), angle));
        let conic = Conic::of(&ellipse, &pose);
        let [ca, cb, cc, cd, ce, cf] = conic.coefficients;
        // Every point satisfies eq. (2.1).
        for t in 0..12 {
            let DVec2 { x, y } = pose.to_world(DVec2::from_angle(f64::from(t)) * ellipse.semi_axes());
            let value = ca * x * x + cb * x * y + cc * y * y + cd * x + ce * y + cf;
            prop_assert!(value.abs() < 1e-10);
        }
        for factor in [1.0, -3.0, 1e-12] {
            let scaled = Conic { coefficients: conic.coefficients.map(|c| c * factor) };
            let (found, at) = scaled.to_ellipse().expect("an ellipse");
            // Digits are lost as the coefficients lose them: with the square of centre distance over semi-axis.
            let lost = 1e-12 * (1.0 + (pose.position.length() / a.min(b)).powi(2));
            prop_assert!(at.position.distance(pose.position) < lost * a.max(b));
            prop_assert!((found.semi_axes() - ellipse.semi_axes()).length() < lost * a.max(b));
            if (a / b - 1.0).abs() > 0.01 {
                prop_assert!((at.rotation - angle).abs() < 100.0 * lost);
            }
        }
    }
}

/// Shoelace formulas.
fn polygon_mass(vertices: &[DVec2]) -> Mass<Plane> {
    let mut mass = Mass::<Plane>::default();
    let edges = vertices.iter().zip(vertices.iter().cycle().skip(1));
    for (v, w) in edges {
        let cross = v.x * w.y - v.y * w.x;
        mass.volume += cross / 2.0;
        mass.centroid += (*v + *w) * cross / 6.0;
        mass.second_moments.xx += cross * (v.x * v.x + v.x * w.x + w.x * w.x) / 12.0;
        mass.second_moments.yy += cross * (v.y * v.y + v.y * w.y + w.y * w.y) / 12.0;
        mass.second_moments.xy += cross * (2.0 * (v.x * v.y + w.x * w.y) + v.x * w.y + w.x * v.y) / 24.0;
    }
    mass.centroid /= mass.volume;
    mass
}

#[test]
fn masses_have_their_closed_forms() {
    let circle = Circle::new(2.0).unwrap().mass();
    assert!((circle.volume - 4.0 * PI).abs() < 1e-14 && (circle.inertia() - 8.0 * PI).abs() < 1e-13);
    let ellipse = Ellipse::new(DVec2::new(2.0, 3.0)).unwrap().mass();
    let same = Superellipse::new(DVec2::new(2.0, 3.0), 2.0).unwrap().mass();
    assert!((ellipse.volume - 6.0 * PI).abs() < 1e-14);
    assert!((ellipse.second_moments.xx - 6.0 * PI).abs() < 1e-13);
    assert!((ellipse.second_moments.yy - 13.5 * PI).abs() < 1e-13);
    assert!(
        (same.volume - ellipse.volume).abs() < 1e-13 && (same.inertia() - ellipse.inertia()).abs() < 1e-13
    );
    // An astroid's cousin with n = 4: area 4ab Γ(5/4)²/Γ(3/2) = 3.708149354602743836867700694390520...
    let squircle = Superellipse::new(DVec2::ONE, 4.0).unwrap().mass();
    assert!((squircle.volume - 3.708_149_354_602_744).abs() < 1e-14);
    let (rectangle, origin) =
        Polygon::hull(&[(1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0), (3.0, 1.0)].map(DVec2::from))
            .unwrap();
    assert_eq!((rectangle.vertices().len(), origin), (4, DVec2::new(3.0, 2.0)));
    let mass = rectangle.mass();
    assert!((mass.volume - 8.0).abs() < 1e-14 && (mass.inertia() - 8.0 * (16.0 + 4.0) / 12.0).abs() < 1e-13);
}

#[test]
fn segments_and_half_planes_reach_where_they_should() {
    let (segment, middle) = Segment::between([DVec2::new(1.0, 1.0), DVec2::new(5.0, 4.0)]).unwrap();
    assert_eq!((middle, segment.size()), (DVec2::new(3.0, 2.5), 2.5));
    assert_eq!(segment.support(DVec2::X), DVec2::new(2.0, 1.5));
    assert_eq!(segment.support(DVec2::NEG_Y), DVec2::new(-2.0, -1.5));
    let wall = HalfPlane::new(DVec2::new(0.0, 2.0), 3.0).unwrap();
    assert_eq!((wall.normal(), wall.offset()), (DVec2::Y, 1.5));
    assert_eq!(wall.support(DVec2::Y), DVec2::new(0.0, 1.5));
    let bounds = AlignedBox::of(&wall, &Pose::<Plane>::at(DVec2::ONE));
    assert_eq!(bounds.max, DVec2::new(f64::INFINITY, 2.5));
    assert_eq!(bounds.min, DVec2::NEG_INFINITY);
}

#[test]
fn what_is_no_shape_is_refused() {
    let text = |error: ShapeError| error.to_string();
    assert_eq!(text(Circle::new(0.0).unwrap_err()), "radius is 0.0, but must be positive (1e-30 to 1e30)");
    assert!(text(Ellipse::new(DVec2::new(1.0, f64::NAN)).unwrap_err()).starts_with("semi_axes[1] is NaN"));
    let blocky = Superellipse::new(DVec2::ONE, 1.0).unwrap_err();
    assert_eq!(text(blocky), "blockiness is 1.0, but must lie in (1, inf)");
    let line: Vec<DVec2> = (0..9).map(|i| DVec2::new(0.1, 0.3) * f64::from(i)).collect();
    assert_eq!(Polygon::hull(&line).unwrap_err(), ShapeError::InLine);
    assert_eq!(Polygon::hull(&line[..2]).unwrap_err(), ShapeError::TooFew { count: 2, needed: 3 });
    assert_eq!(Segment::between([DVec2::ONE; 2]).unwrap_err(), ShapeError::TooFew { count: 1, needed: 2 });
    assert_eq!(HalfPlane::new(DVec2::ZERO, 1.0).unwrap_err(), ShapeError::NoDirection { name: "normal" });
    let conics = [
        ([1.0, 0.0, -1.0, 0.0, 0.0, -1.0], "a hyperbola or two lines (B² > 4AC)"),
        ([1.0, 2.0, 1.0, 0.0, 1.0, 0.0], "a parabola or lines (B² = 4AC)"),
        ([0.0, 0.0, 0.0, 1.0, 1.0, 0.0], "a line or nothing"),
        ([1.0, 0.0, 1.0, -2.0, 0.0, 1.0], "a single point"),
        ([-1.0, 0.0, -1.0, 0.0, 0.0, -1.0], "nothing: it has no real points"),
    ];
    for (coefficients, what) in conics {
        let error = Conic { coefficients }.to_ellipse().unwrap_err();
        assert_eq!(error, ShapeError::NoEllipse { what });
    }
}

/// x²/16 + y²/25 = 1 turned by 45° about (1, 1), the first ellipse of the thesis' examples, expanded by hand:
/// with u = (x − 1 + y − 1)/√2, v = (y − x)/√2.
#[test]
fn a_conic_written_by_hand_is_read() {
    let (s, d) = (1.0 / 32.0, 1.0 / 50.0);
    let coefficients = [s + d, 2.0 * (s - d), s + d, -4.0 * s, -4.0 * s, 4.0 * s - 1.0];
    let (ellipse, pose) = Conic { coefficients }.to_ellipse().unwrap();
    assert!(pose.position.distance(DVec2::ONE) < 1e-14);
    let (axes, angle) = (ellipse.semi_axes(), pose.rotation);
    let turned = if angle > 0.0 { axes } else { axes.yx() };
    assert!((angle.abs() - FRAC_PI_4).abs() < 1e-14 && turned.distance(DVec2::new(4.0, 5.0)) < 1e-13);
}

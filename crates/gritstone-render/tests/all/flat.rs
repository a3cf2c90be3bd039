//! Pictures of the plane, against closed forms.

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use gritstone_render::flat::{Piece, Polygon, Stroke, Window, paint};
use gritstone_render::{Color, Error, Image};

const RED: u32 = 0xFF0000;

fn disc(center: DVec2, semi_axes: DVec2, fill: u32) -> Piece {
    let corner = |i: u32| center + semi_axes * DVec2::from_angle(TAU * f64::from(i) / 256.0);
    let fill = Color::hex(fill);
    Piece::Polygon(Polygon { corners: (0..256).map(corner).collect(), fill, rim: fill, rim_width: 0.0 })
}

/// Light that is missing in the blue channel: the area that is red, in pixels.
fn red_area(image: &Image) -> f64 {
    image.pixels().iter().map(|[_, _, b, _]| 1.0 - f64::from(Color::from_srgb8([0, 0, *b]).b)).sum()
}

#[test]
fn an_ellipse_covers_pi_a_b() {
    let window = Window::fit(DVec2::splat(-2.0), DVec2::splat(2.0), 300, 300);
    let image = paint(&[disc(DVec2::new(0.3, -0.2), DVec2::new(1.5, 0.7), RED)], &window).expect("a picture");
    let expected = PI * 1.5 * 0.7 * window.scale().powi(2);
    let found = red_area(&image);
    assert!((found / expected - 1.0).abs() < 2e-3, "{found} instead of {expected} pixels");
}

/// A rectangle of whole pixels is covered to the last one, whichever way it is turned.
#[test]
fn a_rectangle_covers_its_pixels() {
    let window = Window::fit(DVec2::ZERO, DVec2::splat(94.0), 100, 100);
    assert!((window.scale() - 1.0).abs() < 1e-12);
    let corners = [(10.0, 20.0), (30.0, 20.0), (30.0, 50.0), (10.0, 50.0)].map(DVec2::from);
    let fill = Color::hex(RED);
    let piece = Piece::Polygon(Polygon { corners: corners.into(), fill, rim: fill, rim_width: 0.0 });
    let area = red_area(&paint(&[piece], &window).expect("a picture"));
    assert!((area - 600.0).abs() < 1e-3, "{area}");
    let low = window.project(DVec2::new(10.0, 20.0));
    let high = window.project(DVec2::new(30.0, 50.0));
    assert!(low.distance(DVec2::new(13.0, 77.0)) < 1e-9 && high.distance(DVec2::new(33.0, 47.0)) < 1e-9);
}

#[test]
fn later_pieces_lie_over_earlier_ones_and_rims_lie_inside() {
    let window = Window::fit(DVec2::splat(-1.0), DVec2::ONE, 200, 200);
    let rim = Color::BLACK;
    let Piece::Polygon(below) = disc(DVec2::ZERO, DVec2::splat(0.9), RED) else { panic!("a polygon") };
    let below = Piece::Polygon(Polygon { rim, rim_width: 4.0, ..below });
    let line = Stroke { ends: [DVec2::ZERO, DVec2::X], width: 3.0, color: Color::hex(0x00FF00) };
    let image = paint(&[below, Piece::Stroke(line)], &window).expect("a picture");
    let at = |x: f64, y: f64| {
        let at = window.project(DVec2::new(x, y));
        image.get(at.x as u32, at.y as u32).expect("a pixel")
    };
    assert_eq!(at(0.0, 0.5), [255, 0, 0, 255]);
    assert_eq!(at(0.5, 0.0), [0, 255, 0, 255]);
    let two_pixels = 2.0 / window.scale();
    assert_eq!(at(0.0, 0.9 - two_pixels), [0, 0, 0, 255]);
    assert_eq!(at(0.0, 0.9 + two_pixels), [255, 255, 255, 255]);
}

#[test]
fn pictures_do_not_depend_on_the_number_of_threads() {
    let window = Window::fit(DVec2::ZERO, DVec2::splat(10.0), 150, 90);
    let discs: Vec<Piece> = (0..60)
        .map(|i| {
            disc(DVec2::new(f64::from(i % 10), f64::from(i / 10)), DVec2::new(0.9, 0.6), 0x30_50_10 * (i + 1))
        })
        .collect();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let draw = |threads| pool(threads).install(|| paint(&discs, &window).expect("a picture"));
    assert!(draw(1) == draw(3));
}

#[test]
fn what_is_not_finite_is_refused() {
    let window = Window::fit(DVec2::ZERO, DVec2::ONE, 10, 10);
    let lost = disc(DVec2::new(f64::NAN, 0.0), DVec2::ONE, RED);
    assert!(matches!(paint(&[lost], &window), Err(Error::NotFinite(_))));
}

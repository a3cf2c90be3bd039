//! Nine pairs of polygons in place of those of Figure 13.
//!
//! The figure is drawn, not given in numbers: these are ours, chosen to have vertices, edges and parallel edges face each
//! other, with few corners and many.

use std::f64::consts::TAU;

use glam::DVec2;
use gritstone_contact::polytopes::{Polytopes, Trace};
use gritstone_contact::{Answer, CommonPlane, FastCommonPlane, Query, ShortestLink};
use gritstone_core::{Plane, Pose};
use gritstone_shape::plane::Polygon;

use super::clock;
use crate::generate::Case;

/// Copies of a pair that are solved between two looks at the clock.
const COPIES: usize = 16;

/// A regular polygon, turned and moved; `flat` squeezes it along y first.
struct Regular {
    corners: u32,
    flat: f64,
    angle: f64,
    at: [f64; 2],
}

/// What faces what, and the two polygons.
type Line = (&'static str, Regular, Regular);

const fn polygon(corners: u32, flat: f64, angle: f64, at: [f64; 2]) -> Regular {
    Regular { corners, flat, angle, at }
}

#[rustfmt::skip]
const PAIRS: [Line; 9] = [
    ("vertex and vertex, triangles",       polygon(3, 1.0, 0.0, [0.0, 0.0]),  polygon(3, 1.0, TAU / 2.0, [2.3, 0.1])),
    ("vertex and edge, triangle on square", polygon(4, 1.0, TAU / 8.0, [0.0, 0.0]), polygon(3, 1.0, TAU / 2.0, [1.9, 0.2])),
    ("edges parallel, squares",            polygon(4, 1.0, TAU / 8.0, [0.0, 0.0]), polygon(4, 1.0, TAU / 8.0, [1.6, 0.4])),
    ("edges nearly parallel, squares",     polygon(4, 1.0, TAU / 8.0, [0.0, 0.0]), polygon(4, 1.0, TAU / 8.0 + 0.01, [1.6, 0.4])),
    ("vertex and edge, pentagons",         polygon(5, 1.0, 0.1, [0.0, 0.0]),  polygon(5, 0.8, 0.4, [1.8, 0.9])),
    ("vertex and vertex, hexagons",        polygon(6, 1.0, 0.0, [0.0, 0.0]),  polygon(6, 1.0, 0.0, [2.2, 0.0])),
    ("edge and vertex, flat hexagon",      polygon(6, 0.3, 0.5, [0.0, 0.0]),  polygon(5, 1.0, 1.0, [0.2, 1.7])),
    ("edges parallel, octagons, shifted",  polygon(8, 1.0, TAU / 16.0, [0.0, 0.0]), polygon(8, 1.0, TAU / 16.0, [1.9, 0.6])),
    ("vertex and edge, far off the centres", polygon(4, 0.2, 0.1, [0.0, 0.0]), polygon(4, 0.2, 0.9, [1.3, 0.95])),
];

/// Names of the nine pairs.
pub const FIGURE_13: [&str; 9] = {
    let mut names = [""; 9];
    let mut i = 0;
    while i < 9 {
        names[i] = PAIRS[i].0;
        i += 1;
    }
    names
};

/// One of the nine pairs, solved without a last plane.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What faces what.
    pub name: &'static str,
    /// The pair.
    pub case: Case<Plane>,
    /// What `auto` proves.
    pub truth: Answer<Plane>,
    /// What the three methods find: Cundall's, the fast common plane, the shortest link.
    pub answers: [Answer<Plane>; 3],
    /// Seconds for each method of [`clock::CONTESTANTS`].
    pub times: [f64; 5],
}

impl Regular {
    fn placed(&self) -> (Polygon, Pose<Plane>) {
        let corner = |k: u32| {
            DVec2::from_angle(TAU * f64::from(k) / f64::from(self.corners)) * DVec2::new(1.0, self.flat)
        };
        let points: Vec<DVec2> = (0..self.corners).map(corner).collect();
        let (polygon, _) = Polygon::hull(&points).expect("corners all around enclose an area");
        (polygon, Pose::new(self.at.into(), self.angle))
    }
}

/// Solves the nine pairs, and takes their times.
pub(super) fn measure() -> Vec<Drawn> {
    PAIRS.iter().filter_map(solve).collect()
}

fn solve((name, a, b): &Line) -> Option<Drawn> {
    let ((a, pose_a), (b, pose_b)) = (a.placed(), b.placed());
    let case = Case { a: a.into(), pose_a, b: b.into(), pose_b, built: None };
    let (a, b, query) = (case.placed_a(), case.placed_b(), Query::default());
    let truth = Plane::exact(a, b, query, &mut (), &mut <_>::default()).ok()?;
    let answers = [
        CommonPlane.solve_warm(a, b, query, &mut Trace::default()).ok()?,
        FastCommonPlane.solve_warm(a, b, query, &mut Trace::default()).ok()?,
        ShortestLink.solve_warm(a, b, query, &mut Trace::default()).ok()?,
    ];
    let times = clock::cold(&vec![case.clone(); COPIES], 4);
    Some(Drawn { name, case, truth, answers, times })
}

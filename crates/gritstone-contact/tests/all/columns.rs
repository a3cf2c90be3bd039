//! Arrays of pairs against one pair at a time, and what is said of bad arrays.

use glam::{DVec2, DVec3};
use gritstone_contact::columns::{self, Bodies, ColumnError, Columns, Outcome};
use gritstone_contact::{Goal, Method, NarrowPhase, Placed, Query, plane, space};
use gritstone_core::{Plane, Pose, Space, Vector};
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Polygon, Superellipse};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn solids() -> Vec<Solid> {
    let box_corners = (0..8).map(|i: i32| {
        DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * DVec3::new(1.6, 1.0, 1.3)
    });
    vec![
        Sphere::new(0.7).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.5, 0.8, 1.1)).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.6, 0.8, 1.0), [0.5, 0.5]).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.9, 0.8, 0.7), [1.2, 0.7]).unwrap().into(),
        Polyhedron::hull(&box_corners.collect::<Vec<_>>()).unwrap().0.into(),
        Cylinder::new(0.6, 0.8).unwrap().into(),
        Capsule::new(0.5, 0.6).unwrap().into(),
        HalfSpace::new(DVec3::new(0.0, 0.6, 0.8), -1.0).unwrap().into(),
    ]
}

fn figures() -> Vec<Figure> {
    let corners = [[0.0, 0.0], [1.2, 0.1], [1.4, 0.9], [0.3, 1.1]].map(DVec2::from_array);
    vec![
        Circle::new(0.7).unwrap().into(),
        Ellipse::new(DVec2::new(0.5, 1.1)).unwrap().into(),
        Superellipse::new(DVec2::new(0.6, 0.9), 4.0).unwrap().into(),
        Polygon::hull(&corners).unwrap().0.into(),
        HalfPlane::new(DVec2::new(0.6, 0.8), -1.0).unwrap().into(),
    ]
}

/// Bodies at random and pairs of neighbours in the list, more than a chunk of them.
struct Scene<D: NarrowPhase> {
    shapes: Vec<D::Shape>,
    indices: Vec<u32>,
    poses: Vec<Pose<D>>,
    pairs: Vec<[u32; 2]>,
}

fn pairs(count: u32) -> Vec<[u32; 2]> {
    (1..=4).flat_map(|step| (0..count - step).map(move |i| [i, i + step])).collect()
}

fn in_space() -> Scene<Space> {
    let (mut random, shapes) = (Pcg64Mcg::seed_from_u64(1), solids());
    let indices: Vec<u32> = (0..400).map(|_| random.random_range(0..shapes.len() as u32)).collect();
    let positions: Vec<[f64; 3]> =
        indices.iter().map(|_| [(); 3].map(|()| random.random_range(-0.9..0.9))).collect();
    let quaternions: Vec<[f64; 4]> =
        indices.iter().map(|_| [(); 4].map(|()| random.random_range(-1.0..1.0))).collect();
    let poses = columns::poses_in_space(&positions, &quaternions).unwrap();
    Scene { shapes, indices, poses, pairs: pairs(400) }
}

fn in_plane() -> Scene<Plane> {
    let (mut random, shapes) = (Pcg64Mcg::seed_from_u64(2), figures());
    let indices: Vec<u32> = (0..400).map(|_| random.random_range(0..shapes.len() as u32)).collect();
    let positions: Vec<[f64; 2]> =
        indices.iter().map(|_| [(); 2].map(|()| random.random_range(-1.2..1.2))).collect();
    let angles: Vec<f64> = indices.iter().map(|_| random.random_range(-3.0..3.0)).collect();
    let poses = columns::poses_in_plane(&positions, &angles).unwrap();
    Scene { shapes, indices, poses, pairs: pairs(400) }
}

impl<D: NarrowPhase> Scene<D> {
    fn solve(&self, method: &dyn Method<D>, goal: Goal) -> Columns {
        let bodies = Bodies::new(&self.shapes, &self.indices, &self.poses).unwrap();
        columns::solve(&bodies, &self.pairs, method, goal).unwrap()
    }

    /// Every row against the same pair solved alone.
    fn check(&self, method: &dyn Method<D>, goal: Goal) {
        let found = self.solve(method, goal);
        assert_eq!(found.len(), self.pairs.len());
        let mut scratch = D::Scratch::default();
        for (row, pair) in self.pairs.iter().enumerate() {
            let [a, b] = pair.map(|body| Placed {
                shape: &self.shapes[self.indices[body as usize] as usize],
                pose: self.poses[body as usize],
            });
            let alone = method.solve(a, b, Query { goal, ..Query::default() }, &mut scratch);
            let Ok(alone) = alone else {
                assert_eq!(found.outcome[row], Outcome::Refused);
                assert!(found.gap[row].is_nan() && !found.certified[row]);
                continue;
            };
            assert_eq!(found.outcome[row], Outcome::of(&alone));
            if alone.certified() && goal == Goal::Distance {
                assert!(found.certified[row], "pair {row}");
                assert!((found.gap[row] - alone.distance()).abs() <= alone.tolerance, "pair {row}");
                assert!(found.lower[row] <= alone.upper + alone.tolerance);
                assert!(found.upper[row] >= alone.lower - alone.tolerance);
            }
            let vector = |column: &[f64]| D::Vec::from_fn(|axis| column[D::N * row + axis]);
            if let (Some(_), Outcome::Contact | Outcome::Apart) = (alone.contact(), found.outcome[row]) {
                let apart = vector(&found.point_b) - vector(&found.point_a);
                let rest = (apart - vector(&found.normal) * found.gap[row]).length();
                assert!(!alone.certified() || rest < 1e-6, "pair {row}: {rest}");
            }
        }
    }
}

#[test]
fn every_method_gives_in_columns_what_it_gives_alone() {
    for &method in space::METHODS {
        in_space().check(method, Goal::Distance);
        in_space().check(method, Goal::Detect);
    }
    for &method in plane::METHODS {
        in_plane().check(method, Goal::Distance);
        in_plane().check(method, Goal::Detect);
    }
}

#[test]
fn the_answers_do_not_depend_on_the_number_of_threads() {
    let scene = in_space();
    let method = space::method("auto").unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        format!("{:?}", pool.install(|| scene.solve(method, Goal::Distance)))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn the_first_refused_pair_is_named() {
    let scene = in_space();
    let found = scene.solve(space::method("auto").unwrap(), Goal::Distance);
    let first = found.outcome.iter().position(|&outcome| outcome == Outcome::Refused).unwrap();
    let (row, refusal) = found.first_refusal.unwrap();
    assert_eq!((row, refusal.shapes), (first, ["half-space"; 2]));
}

#[test]
fn bad_arrays_are_refused() {
    let shapes = solids();
    let poses = columns::poses_in_space(&[[0.0; 3]; 2], &[[1.0, 0.0, 0.0, 0.0]; 2]).unwrap();
    let lengths = Bodies::<Space>::new(&shapes, &[0], &poses).unwrap_err();
    assert_eq!(lengths, ColumnError::Length { name: "shape_indices", given: 1, needed: 2 });
    let index = Bodies::<Space>::new(&shapes, &[0, 8], &poses).unwrap_err();
    assert_eq!(index.to_string(), "shape_indices[1] has the index 8, but must be below 8");
    let bodies = Bodies::<Space>::new(&shapes, &[0, 1], &poses).unwrap();
    let method = space::method("auto").unwrap();
    let pair = columns::solve(&bodies, &[[0, 1], [1, 2]], method, Goal::Distance).unwrap_err();
    assert_eq!(pair.to_string(), "pairs[1] has the index 2, but must be below 2");
    let zero = columns::poses_in_space(&[[0.0; 3]], &[[0.0; 4]]).unwrap_err();
    assert_eq!(zero, ColumnError::Quaternion { row: 0 });
    let far = columns::poses_in_plane(&[[0.0, 1e31]], &[0.0]).unwrap_err();
    assert!(far.to_string().starts_with("positions[0] has the number 1e31"));
    assert!(columns::poses_in_plane(&[[0.0, 0.0]], &[f64::NAN]).is_err());
}

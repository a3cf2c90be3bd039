//! No query allocates once its working memory is warm. One test only: the count is of the whole process.

#![expect(unsafe_code, reason = "an allocator that counts must be an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DQuat, DVec3};
use gritstone_contact::Query;
use gritstone_contact::space::polytope_pair::{self, Posed, WarmStart};
use gritstone_contact::space::{Auto, Memory, Method, Patch, Placed, Scratch, method};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Polyhedron, Solid, Superellipsoid};
use serde_json::Value;

const PAIRS: &str = include_str!("../../../tests/data/public_superellipsoid_pairs.jsonl");
const POLYHEDRA: &str = include_str!("../../../tests/data/public_polyhedron_pairs.jsonl");

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `queries` once to warm up, then once more; returns the allocations of the second time.
fn allocations(mut queries: impl FnMut()) -> usize {
    queries();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    queries();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| value[i].as_f64().unwrap()))
}

fn placed(body: &Value) -> (Superellipsoid, Pose<Space>) {
    let exponents = [0, 1].map(|i| body["exponents"][i].as_f64().unwrap());
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| body["quaternion"][i].as_f64().unwrap());
    let shape = Superellipsoid::new(vector(&body["radii"]), exponents).unwrap();
    (shape, Pose::new(vector(&body["center"]), DQuat::from_xyzw(x, y, z, w)))
}

#[test]
fn warm_queries_do_not_allocate() {
    let pairs: Vec<_> = PAIRS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    let mut bodies: Vec<_> = pairs.iter().map(|pair| [placed(&pair["a"]), placed(&pair["b"])]).collect();
    // Face on face, where the default needs its hull.
    let cube = Superellipsoid::new(DVec3::ONE, [0.2; 2]).unwrap();
    for tilt in [0.0, 1e-6, 1e-3] {
        let pose = Pose::<Space>::new(DVec3::new(0.3, 0.1, 1.999), DQuat::from_rotation_x(tilt));
        bodies.push([(cube, Pose::at(DVec3::ZERO)), (cube, pose)]);
    }
    let solids: Vec<_> =
        bodies.iter().map(|pair| pair.map(|(shape, pose)| (Solid::from(shape), pose))).collect();
    let mut scratch = Scratch::default();
    for name in ["auto", "support-newton", "gjk"] {
        let method = method(name).unwrap();
        let count = allocations(|| {
            for [a, b] in &solids {
                let [a, b] = [a, b].map(|(shape, pose)| Placed { shape, pose: *pose });
                method.solve(a, b, Query::default(), &mut scratch).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }

    let mut memories = vec![Memory::default(); solids.len()];
    let warm = allocations(|| {
        for ([a, b], memory) in solids.iter().zip(&mut memories) {
            let [a, b] = [a, b].map(|(shape, pose)| Placed { shape, pose: *pose });
            Auto.solve_warm(a, b, Query::default(), memory, &mut scratch).unwrap();
        }
    });
    assert_eq!(warm, 0, "auto with memory");

    let pairs: Vec<_> = solids
        .iter()
        .map(|pair| pair.each_ref().map(|(shape, pose)| Placed { shape, pose: *pose }))
        .collect();
    let mut answers = Vec::new();
    let together = allocations(|| Auto.solve_all(&pairs, Query::default(), &mut scratch, &mut answers));
    assert_eq!(together, 0, "auto, all pairs together");

    assert_eq!(polyhedra(), [0; 3], "polyhedra: cold, with memory, patches");
}

fn polyhedron(body: &Value) -> (Polyhedron, Pose<Space>) {
    let vertices: Vec<_> = body["vertices"].as_array().unwrap().iter().map(vector).collect();
    let (shape, centre) = Polyhedron::hull(&vertices).unwrap();
    (shape, Pose::at(centre))
}

fn polyhedra() -> [usize; 3] {
    let pairs: Vec<_> = POLYHEDRA.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    let bodies: Vec<_> = pairs.iter().map(|pair| [polyhedron(&pair["a"]), polyhedron(&pair["b"])]).collect();
    let posed: Vec<_> =
        bodies.iter().map(|[a, b]| [a, b].map(|(shape, pose)| Posed::new(shape, pose))).collect();
    let (mut scratch, query) = (Scratch::default(), Query::default());
    let cold = allocations(|| {
        for [a, b] in &posed {
            polytope_pair::solve(a, b, query, &mut WarmStart::default(), &mut scratch);
        }
    });
    let mut kept = vec![WarmStart::default(); posed.len()];
    let warm = allocations(|| {
        for ([a, b], kept) in posed.iter().zip(&mut kept) {
            polytope_pair::solve(a, b, query, kept, &mut scratch);
        }
    });
    let solids: Vec<_> =
        bodies.iter().map(|pair| pair.clone().map(|(shape, pose)| (Solid::from(shape), pose))).collect();
    let mut patch = Patch::default();
    let patches = allocations(|| {
        for ([x, y], ([a, b], kept)) in solids.iter().zip(posed.iter().zip(&mut kept)) {
            let answer = polytope_pair::solve(a, b, query, kept, &mut scratch);
            let [x, y] = [x, y].map(|(shape, pose)| Placed { shape, pose: *pose });
            patch.fill(x, y, answer.contact().unwrap());
        }
    });
    [cold, warm, patches]
}

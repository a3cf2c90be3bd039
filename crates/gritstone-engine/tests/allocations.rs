//! A step allocates nothing once the world has been going for a while. One test only: the count is of the whole process.

#![expect(unsafe_code, reason = "an allocator that counts must be an allocator")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{bed, boxes, ellipsoids, go_on, plane_bed, polyhedra};
use gritstone_engine::{Dimension, Setup, World};

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

/// Allocations in each of 200 steps after a while.
fn allocations<D: Dimension>(setup: &Setup<D>, warm_up: u64) -> Vec<usize> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut counts = vec![0; 200];
    pool.install(|| {
        let mut world = World::new(setup).unwrap();
        go_on(&mut world, warm_up);
        for count in &mut counts {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            world.step().unwrap();
            *count = ALLOCATIONS.load(Ordering::Relaxed) - before;
        }
    });
    counts
}

#[test]
fn a_step_allocates_nothing() {
    let none = vec![0; 200];
    for (name, shapes) in [("ellipsoids", ellipsoids()), ("boxes", boxes()), ("polyhedra", polyhedra())] {
        assert_eq!(allocations(&bed(shapes, 64), 8_000), none, "{name}");
    }
    assert_eq!(allocations(&plane_bed(64), 8_000), none, "figures");
}

//! Lanes against the scalar motion.

use glam::DVec3;
use gritstone_core::Space;

use crate::bodies::{Bodies, StepInput};
use crate::lanes::tests::{boxy, heap, round};
use crate::{FlatRule, RadiusRule, Rules, World};

/// Bodies that have fallen on each other, with forces on them, one of them frozen; their number is no multiple of eight.
fn fallen(shapes: Vec<gritstone_shape::space::Solid>) -> Bodies<Space> {
    let mut setup = heap(shapes, Rules { radius: RadiusRule::Volume, flat: FlatRule::Point, crown: 0.0 });
    setup.grains[60].frozen = true;
    let mut world = World::new(&setup).unwrap();
    for _ in 0..2000 {
        world.step().unwrap();
    }
    let bodies = world.bodies;
    let pushed = bodies.states.iter().filter(|state| state.force != DVec3::ZERO).count();
    assert!(pushed > 40 && !bodies.states.len().is_multiple_of(8), "{pushed} of {}", bodies.states.len());
    bodies
}

/// The largest difference, in roundings.
#[derive(Default)]
struct Worst(f64);

impl Worst {
    /// Looks at two values that are made from others as large as `scale`.
    fn see(&mut self, lanes: DVec3, scalar: DVec3, scale: f64) {
        self.0 = self.0.max((lanes - scalar).length() / (f64::EPSILON * scale));
    }
}

#[test]
fn lanes_move_bodies_as_the_scalar_motion_does() {
    for (shapes, dt) in [(round(), 1e-5), (boxy(), 1e-5), (boxy(), 1e-4)] {
        let bodies = fallen(shapes);
        let Bodies { shapes, inertias, .. } = &bodies;
        let common = DVec3::new(0.01, 0.02, -0.3);
        let input = StepInput { gravity: DVec3::new(0.3, 0.0, -9.81), dt, common, shapes, inertias };
        let (mut lanes, mut scalar) = (bodies.clone(), bodies.clone());
        let count = bodies.records.len();
        let [mut near, mut far, mut near_by_one, mut far_by_one] = [(); 4].map(|()| vec![0.0; count]);
        super::advance(&input, &mut lanes.records, &mut lanes.states, [&mut near, &mut far]);
        let by_one = [near_by_one.as_mut_slice(), far_by_one.as_mut_slice()];
        crate::bodies::integrate::advance(&input, &mut scalar.records, &mut scalar.states, by_one);
        let [mut poses, mut velocities, mut spins, mut displacements] = [(); 4].map(|()| Worst::default());
        for i in 0..count {
            let (a, b, size) =
                (&lanes.records[i], &scalar.records[i], shapes[scalar.records[i].shape as usize].size);
            let (x, y) = (&lanes.states[i], &scalar.states[i]);
            poses.see(a.position, b.position, b.position.length() + b.velocity.length() * dt);
            poses.see(a.rotation.xyz(), b.rotation.xyz(), 1.0);
            poses.see(DVec3::X * a.rotation.w, DVec3::X * b.rotation.w, 1.0);
            let push = (y.force.length() * y.by_mass + input.gravity.length()) * dt;
            velocities.see(a.velocity, b.velocity, b.velocity.length() + push);
            velocities.see(x.velocity, y.velocity, y.velocity.length() + push);
            velocities.see(x.momentum, y.momentum, y.momentum.length() + y.torque.length() * dt);
            spins.see(a.spin, b.spin, b.spin.length());
            for (x, y) in [(near[i], near_by_one[i]), (far[i], far_by_one[i])] {
                // The turn is a difference of orientations, each right to rounding.
                displacements.see(DVec3::X * x, DVec3::X * y, y + if size.is_finite() { size } else { 0.0 });
            }
        }
        // Lanes fuse products and sums. Measured: 1.6, 0.3, 8.6 and 2.3 roundings; spins pass through moments of inertia that
        // differ.
        let worst = [poses.0, velocities.0, spins.0, displacements.0];
        assert!(worst[0] < 4.0 && worst[1] < 2.0 && worst[2] < 16.0 && worst[3] < 4.0, "{worst:?}");
        let moved = (0..count).filter(|&i| scalar.records[i].position != bodies.records[i].position).count();
        assert_eq!(moved, 124, "all grains but the frozen one move, and no wall does");
    }
}

//! The bodies of a setup.

use crate::bodies::ghosts::{Ghosts, add_compounds};
use crate::bodies::{Bodies, Record, ShapeRecord, State};
use crate::boundary::surface::MeshFeatures;
use crate::dimension::Dimension;
use crate::insertion::insert::body_of;
use crate::setup::Setup;

/// The first id that no grain of a setup has.
pub(super) fn first_free<D: Dimension>(setup: &Setup<D>) -> u32 {
    setup.grains.iter().map(|grain| grain.id.saturating_add(1)).max().unwrap_or(1)
}

/// The bodies of a setup: walls, then grains.
pub(super) fn place<D: Dimension>(setup: &Setup<D>) -> Bodies<D> {
    let mut shapes: Vec<ShapeRecord<D>> =
        setup.shapes.iter().map(|shape| ShapeRecord::crowned(shape, setup.rules.crown)).collect();
    let parts = add_compounds(setup, &mut shapes);
    let largest = shapes.iter().map(|shape| shape.size).fold(0.0, f64::max);
    let (mut records, mut states) = (Vec::new(), Vec::new());
    for (index, wall) in setup.walls.iter().enumerate() {
        records.push(Record {
            position: wall.pose.position,
            rotation: wall.pose.rotation,
            velocity: wall.velocity,
            spin: wall.spin,
            mass: f64::INFINITY,
            radius: f64::INFINITY,
            shape: shapes.len() as u32,
            material: wall.material,
            unused: 0,
        });
        let mut state = State::still(index as u32);
        state.set_present(wall.present);
        states.push(state);
        let crown = if D::is_table(&wall.shape) { 0.0 } else { setup.rules.crown };
        shapes.push(ShapeRecord::crowned(&wall.shape, crown));
    }
    let mut features = MeshFeatures::none(setup.walls.len());
    for (index, wall) in setup.walls.iter().enumerate() {
        if let Some(surface) = &wall.surface {
            features.add(index, D::features(surface, largest), largest);
        }
    }
    for surface in &features.surfaces {
        for slot in surface.slots.clone() {
            records.push(Record { shape: shapes.len() as u32, ..records[surface.wall] });
            states.push(states[surface.wall]);
            shapes.push(ShapeRecord::new(&features.list[slot - features.first].shape));
        }
    }
    let walls = records.len();
    for grain in &setup.grains {
        let (record, state) = body_of(grain, &shapes, &setup.densities);
        records.push(record);
        states.push(state);
    }
    let mut inertias: Vec<_> =
        shapes.iter().map(|shape| D::inertia_numbers(&shape.inertia, shape.sweep)).collect();
    // Parts turn with their compound and walls with their tool, which contacts in lanes do not see: they count as if they did
    // not turn.
    let of_walls = records[..walls].iter().map(|wall| wall.shape);
    for shape in parts.iter().map(|part| part.shape).chain(of_walls) {
        inertias[shape as usize][..3].fill(0.0);
    }
    let owners = records.len();
    let mut bodies = Bodies {
        walls,
        features,
        loaded_walls: Vec::new(),
        owners,
        images: owners,
        records,
        states,
        shapes,
        parts,
        ghosts: Ghosts::default(),
        inertias,
        last_step: 0.0,
        velocity_sums: Vec::new(),
        largest_velocity: 0.0,
    };
    for wall in 0..setup.walls.len() {
        bodies.carry_features(wall, None);
    }
    bodies.sum_velocities();
    bodies
}

//! The bodies of a setup.

use crate::bodies::ghosts::{CompoundPart, Ghosts, add_compounds};
use crate::bodies::{Bodies, Elsewhere, Record, ShapeRecord, State};
use crate::boundary::surface::MeshFeatures;
use crate::boundary::surface_motion::SurfaceMotion;
use crate::dimension::Dimension;
use crate::insertion::insert::body_of;
use crate::setup::{Setup, Wall};

/// The first id that no grain of a setup has.
pub(super) fn first_free<D: Dimension>(setup: &Setup<D>) -> u32 {
    setup.grains.iter().map(|grain| grain.id.saturating_add(1)).max().unwrap_or(1)
}

/// The bodies of a setup: walls, then features of meshes, then grains.
pub(super) fn place<D: Dimension>(setup: &Setup<D>) -> Bodies<D> {
    let mut shapes: Vec<ShapeRecord<D>> =
        setup.shapes.iter().map(|shape| ShapeRecord::crowned(shape, setup.rules.crown)).collect();
    let parts = add_compounds(setup, &mut shapes);
    let largest = shapes.iter().map(|shape| shape.size).fold(0.0, f64::max);
    let (mut records, mut states): (Vec<_>, Vec<_>) =
        (0..).zip(&setup.walls).map(|(index, wall)| wall_body(setup, wall, index, &mut shapes)).unzip();
    let features = mesh_features(setup, largest);
    for (feature, wall) in features.list.iter().zip(features.walls()) {
        records.push(Record { shape: shapes.len() as u32, ..records[wall] });
        states.push(states[wall]);
        shapes.push(ShapeRecord::new(&feature.shape));
    }
    let walls = records.len();
    let grains = setup.grains.iter().map(|grain| body_of(grain, &shapes, &setup.densities));
    let (of_grains, states_of_grains): (Vec<_>, Vec<_>) = grains.unzip();
    records.extend(of_grains);
    states.extend(states_of_grains);
    let inertias = inertias_for_lanes(&shapes, &parts, &records[..walls]);
    let owners = records.len();
    let mut bodies = Bodies {
        walls,
        features,
        loaded_walls: Vec::new(),
        owners,
        wholes: owners,
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
        elsewhere: Elsewhere::default(),
        surface_motions: surface_motions(setup),
    };
    for wall in 0..setup.walls.len() {
        bodies.carry_features(wall, None);
    }
    bodies.sum_velocities();
    bodies
}

/// A wall, whose shape is added to the others.
fn wall_body<D: Dimension>(
    setup: &Setup<D>,
    wall: &Wall<D>,
    index: u32,
    shapes: &mut Vec<ShapeRecord<D>>,
) -> (Record<D>, State<D>) {
    let record = Record {
        position: wall.pose.position,
        rotation: wall.pose.rotation,
        velocity: wall.velocity,
        spin: wall.spin,
        mass: f64::INFINITY,
        radius: f64::INFINITY,
        shape: shapes.len() as u32,
        material: wall.material,
        unused: 0,
    };
    let mut state = State::still(index);
    state.set_present(wall.present);
    let crown = if D::is_table(&wall.shape) { 0.0 } else { setup.rules.crown };
    shapes.push(ShapeRecord::crowned(&wall.shape, crown));
    (record, state)
}

/// How the surfaces of walls move along themselves; none at all where all are at rest.
fn surface_motions<D: Dimension>(setup: &Setup<D>) -> Vec<SurfaceMotion<D>> {
    let motions: Vec<_> = setup.walls.iter().map(|wall| wall.surface_motion).collect();
    if motions.iter().all(SurfaceMotion::is_still) { Vec::new() } else { motions }
}

/// The features of all walls that are meshes.
fn mesh_features<D: Dimension>(setup: &Setup<D>, largest: f64) -> MeshFeatures<D> {
    let mut features = MeshFeatures::none(setup.walls.len());
    for (index, wall) in setup.walls.iter().enumerate() {
        if let Some(surface) = &wall.surface {
            features.add(index, surface, largest);
        }
    }
    features
}

/// Inertias as lanes read them. Parts turn with their compound and walls with their tool, which contacts in lanes do not see:
/// they count as if they did not turn.
fn inertias_for_lanes<D: Dimension>(
    shapes: &[ShapeRecord<D>],
    parts: &[CompoundPart<D>],
    walls: &[Record<D>],
) -> Vec<[f64; 8]> {
    let mut inertias: Vec<_> =
        shapes.iter().map(|shape| D::inertia_for_lanes(&shape.inertia, shape.sweep)).collect();
    for shape in parts.iter().map(|part| part.shape).chain(walls.iter().map(|wall| wall.shape)) {
        inertias[shape as usize][..3].fill(0.0);
    }
    inertias
}

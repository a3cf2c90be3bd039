//! Frames and lists of grains, to bytes and back.

use gritstone_core::{Dim, Pose, Vector};
use gritstone_engine::{BodyState, ContactState, Snapshot};

use super::columns::{Columns, push};
use super::{Frame, FrameContact, FrameGrain, FrameWall, PackedRotation, half};

/// Marks the index of a wall among the second bodies of contacts.
const WALL: u32 = 1 << 31;

/// What stays the same of grains as long as none comes or goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GrainList {
    /// Id, shape, material.
    pub(super) grains: Vec<(u32, u32, u16)>,
}

impl GrainList {
    pub(super) fn of<D: Dim>(bodies: &[BodyState<D>]) -> Self {
        Self { grains: bodies.iter().map(|body| (body.id, body.shape, body.material)).collect() }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = (self.grains.len() as u32).to_le_bytes().to_vec();
        push(&mut out, &column(&self.grains, |grain| grain.0.to_le_bytes()));
        push(&mut out, &column(&self.grains, |grain| grain.1.to_le_bytes()));
        push(&mut out, &column(&self.grains, |grain| grain.2.to_le_bytes()));
        out
    }

    pub(super) fn decode(payload: &[u8]) -> Option<Self> {
        let mut columns = Columns::new(payload);
        let count = u32::from_le_bytes(columns.one()?) as usize;
        let ids = columns.take(count)?.into_iter().map(u32::from_le_bytes);
        let shapes = columns.take(count)?.into_iter().map(u32::from_le_bytes);
        let materials = columns.take(count)?.into_iter().map(u16::from_le_bytes);
        let grains = ids.zip(shapes).zip(materials).map(|((id, shape), material)| (id, shape, material));
        (columns.left() == 0).then(|| Self { grains: grains.collect() })
    }
}

/// Units of a frame's numbers.
struct Units {
    quantum: f64,
    origin: [f64; 3],
    velocity: f64,
    spin: f64,
    load: f64,
    force: f64,
}

impl Units {
    fn new<D: PackedRotation>(snapshot: &Snapshot<D>, quantum: f64, loads: &[f64]) -> Self {
        let points = || {
            snapshot
                .bodies
                .iter()
                .map(|body| body.pose.position)
                .chain(snapshot.contacts.iter().map(|c| c.point))
        };
        let finite = |i: usize| points().map(move |x| D::xyz(x)[i]).filter(|x| x.is_finite());
        let ends = |i: usize| {
            finite(i).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (mut origin, mut extent) = ([0.0; 3], 0.0_f64);
        for (i, origin) in origin.iter_mut().enumerate() {
            let (low, high) = ends(i);
            if low <= high {
                *origin = quantum * (0.5 * (low + high) / quantum).round();
                extent = extent.max(high - low);
            }
        }
        // Steps must fit into four bytes with their sign.
        let mut fitting = quantum;
        while extent / fitting > 4e9 {
            fitting *= 2.0;
        }
        let components = |v: D::Vec| D::xyz(v).into_iter();
        Self {
            quantum: fitting,
            origin,
            velocity: half::unit(snapshot.bodies.iter().flat_map(|body| components(body.velocity))),
            spin: half::unit(snapshot.bodies.iter().flat_map(|body| D::spin_xyz(body.spin))),
            load: half::unit(loads.iter().copied()),
            force: half::unit(snapshot.contacts.iter().flat_map(|contact| components(contact.force))),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let units = [self.velocity, self.spin, self.load, self.force];
        let numbers = [self.quantum].into_iter().chain(self.origin).chain(units);
        out.extend(numbers.flat_map(f64::to_le_bytes));
    }

    fn decode(columns: &mut Columns<'_>) -> Option<Self> {
        let mut next = || columns.one().map(f64::from_le_bytes);
        Some(Self {
            quantum: next()?,
            origin: [next()?, next()?, next()?],
            velocity: next()?,
            spin: next()?,
            load: next()?,
            force: next()?,
        })
    }
}

/// The bytes of a frame, without what its list of grains tells.
pub(super) fn encode<D: PackedRotation>(
    snapshot: &Snapshot<D>,
    list: u32,
    quantum: f64,
    with_contacts: bool,
) -> Vec<u8> {
    let loads = loads(snapshot);
    let units = Units::new(snapshot, quantum, &loads);
    let bodies = &snapshot.bodies;
    let contacts = if with_contacts { &snapshot.contacts[..] } else { &[] };
    let contacts: Vec<_> = contacts.iter().filter_map(|contact| place(bodies, contact)).collect();
    let mut out = Vec::new();
    let counts = [bodies.len(), snapshot.walls.len(), contacts.len(), usize::from(with_contacts)];
    out.extend([list].into_iter().chain(counts.map(|count| count as u32)).flat_map(u32::to_le_bytes));
    out.extend([0; 4]);
    units.encode(&mut out);
    push_points::<D, _>(&mut out, bodies, &units, |body| body.pose.position);
    let words = column(bodies, |body| D::to_words(body.pose.rotation));
    (0..D::WORDS).for_each(|i| push(&mut out, &column(&words, |words| words[i].to_le_bytes())));
    push_halves::<D, _>(&mut out, bodies, units.velocity, |body| body.velocity);
    for axis in D::SPIN_AXES {
        push(&mut out, &column(bodies, |body| half::encode(D::spin_xyz(body.spin)[*axis], units.spin)));
    }
    push(&mut out, &column(&loads, |load| half::encode(*load, units.load)));
    push(&mut out, &column(bodies, |body| [body.coordination.min(255) as u8]));
    push_walls(&mut out, snapshot);
    push(&mut out, &column(&contacts, |(first, _, _)| first.to_le_bytes()));
    push(&mut out, &column(&contacts, |(_, second, _)| second.to_le_bytes()));
    push_points::<D, _>(&mut out, &contacts, &units, |(_, _, contact)| contact.point);
    push_halves::<D, _>(&mut out, &contacts, units.force, |(_, _, contact)| contact.force);
    out
}

/// Which list of grains a frame refers to.
pub(super) fn list_of(payload: &[u8]) -> Option<u32> {
    payload.first_chunk().map(|number| u32::from_le_bytes(*number))
}

/// The frame of these bytes; nothing when they are none.
pub(super) fn decode<D: PackedRotation>(payload: &[u8], list: &GrainList) -> Option<Frame<D>> {
    let mut columns = Columns::new(payload);
    let mut count = || columns.one().map(u32::from_le_bytes);
    let [_, grains, walls, contacts, recorded, _] =
        [count()?, count()?, count()?, count()?, count()?, count()?];
    if list.grains.len() != grains as usize {
        return None;
    }
    let units = Units::decode(&mut columns)?;
    let grains = take_grains(&mut columns, list, &units)?;
    let walls = take_walls(&mut columns, walls as usize)?;
    let contacts = take_contacts(&mut columns, contacts as usize, &units, list)?;
    let contacts = (recorded != 0).then_some(contacts);
    (columns.left() == 0).then_some(Frame { step: 0, time: 0.0, grains, walls, contacts, cell: None })
}

/// Sum of the magnitudes of the contact forces on each grain.
fn loads<D: Dim>(snapshot: &Snapshot<D>) -> Vec<f64> {
    let mut loads = vec![0.0; snapshot.bodies.len()];
    for contact in &snapshot.contacts {
        let second = (!contact.with_wall).then_some(contact.b);
        for id in [Some(contact.a), second].into_iter().flatten() {
            if let Some(i) = index_of(&snapshot.bodies, id) {
                loads[i] += contact.force.length();
            }
        }
    }
    loads
}

/// Where a grain is among those of its frame, which are in order of their ids.
fn index_of<D: Dim>(bodies: &[BodyState<D>], id: u32) -> Option<usize> {
    bodies.binary_search_by_key(&id, |body| body.id).ok()
}

/// A contact with the places of its bodies; nothing where one of them is not in the frame.
fn place<'s, D: Dim>(
    bodies: &[BodyState<D>],
    contact: &'s ContactState<D>,
) -> Option<(u32, u32, &'s ContactState<D>)> {
    let first = index_of(bodies, contact.a)? as u32;
    let second = if contact.with_wall { contact.b | WALL } else { index_of(bodies, contact.b)? as u32 };
    Some((first, second, contact))
}

fn column<T, const W: usize, N: Copy>(items: &[T], number: impl Fn(&T) -> [N; W]) -> Vec<[N; W]> {
    items.iter().map(number).collect()
}

/// Points in steps of the quantum from the origin, one column for each axis.
fn push_points<D: PackedRotation, T>(
    out: &mut Vec<u8>,
    items: &[T],
    units: &Units,
    point: impl Fn(&T) -> D::Vec,
) {
    for axis in 0..D::N {
        let steps = |item: &T| (point(item).component(axis) - units.origin[axis]) / units.quantum;
        push(out, &column(items, |item| (steps(item).round() as i32).to_le_bytes()));
    }
}

fn take_points<D: PackedRotation>(
    columns: &mut Columns<'_>,
    count: usize,
    units: &Units,
) -> Option<Vec<D::Vec>> {
    let axes: Vec<Vec<i32>> = (0..D::N)
        .map(|_| columns.take(count).map(|column| column.into_iter().map(i32::from_le_bytes).collect()))
        .collect::<Option<_>>()?;
    let point =
        |i: usize| D::Vec::from_fn(|axis| units.origin[axis] + units.quantum * f64::from(axes[axis][i]));
    Some((0..count).map(point).collect())
}

fn push_halves<D: PackedRotation, T>(
    out: &mut Vec<u8>,
    items: &[T],
    unit: f64,
    vector: impl Fn(&T) -> D::Vec,
) {
    for axis in 0..D::N {
        push(out, &column(items, |item| half::encode(vector(item).component(axis), unit)));
    }
}

fn take_halves<D: PackedRotation>(columns: &mut Columns<'_>, count: usize, unit: f64) -> Option<Vec<D::Vec>> {
    let axes: Vec<Vec<[u8; 2]>> = (0..D::N).map(|_| columns.take(count)).collect::<Option<_>>()?;
    Some((0..count).map(|i| D::Vec::from_fn(|axis| half::decode(axes[axis][i], unit))).collect())
}

/// Presence, position, rotation and force in single precision.
fn push_walls<D: PackedRotation>(out: &mut Vec<u8>, snapshot: &Snapshot<D>) {
    let row = |wall: &gritstone_engine::WallState<D>| -> Vec<f64> {
        let still = (D::Vec::default(), D::Spin::default());
        let pose = D::numbers(wall.pose.position, wall.pose.rotation, still.0, still.1);
        let pose = pose.take(D::N + D::ROTATION.len());
        let force = (0..D::N).map(|axis| wall.force.component(axis));
        [f64::from(u8::from(wall.present))].into_iter().chain(pose).chain(force).collect()
    };
    let rows: Vec<Vec<f64>> = snapshot.walls.iter().map(row).collect();
    for i in 0..1 + 2 * D::N + D::ROTATION.len() {
        push(out, &column(&rows, |row| (row[i] as f32).to_le_bytes()));
    }
}

fn take_walls<D: PackedRotation>(columns: &mut Columns<'_>, count: usize) -> Option<Vec<FrameWall<D>>> {
    let turn = D::ROTATION.len();
    let fields: Vec<Vec<[u8; 4]>> =
        (0..1 + 2 * D::N + turn).map(|_| columns.take(count)).collect::<Option<_>>()?;
    let wall = |i: usize| {
        let row: Vec<f64> = fields.iter().map(|field| f32::from_le_bytes(field[i]).into()).collect();
        let (position, rotation) = (D::vector(&row[1..=D::N]), D::rotation(&row[1 + D::N..1 + D::N + turn]));
        let pose = Pose::new(position, rotation.unwrap_or_default());
        FrameWall { present: row[0] != 0.0, pose, force: D::vector(&row[1 + D::N + turn..]) }
    };
    Some((0..count).map(wall).collect())
}

fn take_grains<D: PackedRotation>(
    columns: &mut Columns<'_>,
    list: &GrainList,
    units: &Units,
) -> Option<Vec<FrameGrain<D>>> {
    let count = list.grains.len();
    let positions = take_points::<D>(columns, count, units)?;
    let words: Vec<Vec<[u8; 2]>> = (0..D::WORDS).map(|_| columns.take(count)).collect::<Option<_>>()?;
    let velocities = take_halves::<D>(columns, count, units.velocity)?;
    let spins: Vec<Vec<[u8; 2]>> = D::SPIN_AXES.iter().map(|_| columns.take(count)).collect::<Option<_>>()?;
    let loads: Vec<[u8; 2]> = columns.take(count)?;
    let coordinations: Vec<[u8; 1]> = columns.take(count)?;
    let word = |k: usize, i: usize| words.get(k).map_or(0, |column| u16::from_le_bytes(column[i]));
    let spin = |i: usize| {
        let rates: Vec<f64> = spins.iter().map(|column| half::decode(column[i], units.spin)).collect();
        D::spin(&rates)
    };
    let grain = |(i, &(id, shape, material)): (usize, &(u32, u32, u16))| FrameGrain {
        id,
        shape,
        material,
        coordination: coordinations[i][0],
        pose: Pose { position: positions[i], rotation: D::from_words(std::array::from_fn(|k| word(k, i))) },
        velocity: velocities[i],
        spin: spin(i),
        load: half::decode(loads[i], units.load),
    };
    Some(list.grains.iter().enumerate().map(grain).collect())
}

fn take_contacts<D: PackedRotation>(
    columns: &mut Columns<'_>,
    count: usize,
    units: &Units,
    list: &GrainList,
) -> Option<Vec<FrameContact<D>>> {
    let ends: [Vec<[u8; 4]>; 2] = [columns.take(count)?, columns.take(count)?];
    let points = take_points::<D>(columns, count, units)?;
    let forces = take_halves::<D>(columns, count, units.force)?;
    let id = |index: u32| list.grains.get(index as usize).map(|grain| grain.0);
    let contact = |i: usize| {
        let [a, b] = [0, 1].map(|end| u32::from_le_bytes(ends[end][i]));
        let with_wall = b & WALL != 0;
        let b = if with_wall { b & !WALL } else { id(b)? };
        Some(FrameContact { a: id(a)?, b, with_wall, point: points[i], force: forces[i] })
    };
    (0..count).map(contact).collect()
}

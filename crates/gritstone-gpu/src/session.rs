//! A world's numbers on a device: up, some steps, and down again.

use bytemuck::{Zeroable, cast_slice, cast_slice_mut};
use gritstone_engine::offload::{FastMove, OffloadTables, Offloaded, QUESTION, WALL_NUMBERS};

use crate::buffers::Buffers;
use crate::device::{Device, DeviceError};
use crate::layout::{
    BODY, CONTACT, Control, FAST, HALF_SPACE, HOSTED, Kernel, LISTED, PACKED, PAIR_CLASSES, PARTIAL, POINT,
    Params, QUARTICS, ROW, SHAPE_CLASSES, STALE, TOUCHES,
};

/// Threads of a block: of kernels over bodies, over contacts, and of those with one block.
const THREADS: u32 = 256;
const CONTACT_THREADS: u32 = 128;
const SINGLE: u32 = 1024;
/// Most blocks of kernels over candidates and contacts, whose threads take several each.
const MOST_BLOCKS: u32 = 1 << 13;
/// Most steps that are started at once, and most poses of walls in their plan: surfaces of triangles have many.
const BATCH: u64 = 32;
const MOST_PLANNED: u64 = 1 << 16;
/// Fast grains of a batch that can be told.
const FAST_ROOM: usize = 1 << 12;
/// Classes of pairs with walls.
const ON_HALF_SPACES: [usize; 3] = [1, 3, 6];
/// Questions that are read at once.
pub(crate) const QUESTIONS: usize = 1 << 12;

/// What a batch of steps has come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// Steps that were made.
    pub(crate) made: u32,
    /// Who makes the next one.
    pub(crate) next: Next,
    /// Force and torque on each wall after each step.
    pub(crate) loads: Vec<[f64; 6]>,
    /// Grains that went far.
    pub(crate) fast: Vec<FastMove>,
}

/// Who makes the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Next {
    /// The device alone.
    #[default]
    Device,
    /// The device and the host: there is something that the host is asked.
    Shared,
    /// The host alone: lists are to be rebuilt.
    Host,
}

/// The numbers of a world on a device.
pub(crate) struct Session<K: Device> {
    pub(crate) device: K,
    pub(crate) buffers: Buffers,
    pub(crate) params: Params,
    /// As it was uploaded; what steps change is brought up to date by [`Self::download`].
    pub(crate) world: Offloaded,
    pub(crate) control: Control,
    /// Classes of pairs of which there are candidates.
    used: [bool; PAIR_CLASSES],
    /// Records and displacements of the walls, where both copies have them.
    walls: Vec<f64>,
}

impl<K: Device> Drop for Session<K> {
    fn drop(&mut self) {
        self.buffers.free(&mut self.device);
    }
}

impl<K: Device> Session<K> {
    pub(crate) fn open() -> Result<Self, DeviceError> {
        Ok(Self {
            device: K::open()?,
            buffers: Buffers::new(),
            params: Params::zeroed(),
            world: Offloaded::default(),
            control: Control::default(),
            used: [false; PAIR_CLASSES],
            walls: Vec::new(),
        })
    }

    /// Contacts in lanes and the largest overlap of these after the last step.
    pub(crate) fn contacts(&self) -> (usize, f64) {
        (self.control.contacts as usize, self.control.deepest)
    }

    /// Gives the device a world.
    pub(crate) fn upload(&mut self, tables: &OffloadTables, world: Offloaded) -> Result<(), DeviceError> {
        self.world = world;
        self.used = classes_in_use(tables, &self.world);
        self.control = begin(&self.world);
        self.params = self.upload_all(tables)?;
        self.place_walls()?;
        self.params.packed = self.buffers.packed.put(&mut self.device, &self.world.contacts)?;
        self.over(Kernel::UnpackContacts, self.world.touching.len() as u32)
    }

    fn upload_all(&mut self, tables: &OffloadTables) -> Result<Params, DeviceError> {
        let Self { device, buffers, world, control, .. } = self;
        let (candidates, walls) = (world.pairs.len(), world.walls);
        let active = lists_of_contacts(world).into_iter().zip(room_of_lists(world, self.used));
        let blocks = ((world.records.len() - walls) as u32).div_ceil(THREADS);
        let batch = batch_of(walls) as usize;
        let mut up = buffers.uploader(device);
        let bytes = |numbers: usize| numbers * size_of::<f64>();
        let lists: Result<Vec<u64>, _> = active.map(|(list, room)| up.put_with_room(list, room)).collect();
        let lists = lists?;
        // Everything in `params` is set here but for what is its own.
        Ok(Params {
            dt: tables.time_step,
            gravity: tables.gravity.to_array(),
            skin: world.skins,
            step: world.step,
            least_far: tables.least_far,
            bodies: world.records.len() as u32,
            walls: walls as u32,
            candidates: candidates as u32,
            grain_candidates: world.grain_pairs as u32,
            materials: tables.materials as u32,
            radius_rule: u32::from(!tables.body_function),
            blocks,
            fast_room: FAST_ROOM as u32,
            shapes: up.put(&tables.shapes)?,
            classes: up.put(&tables.classes)?,
            wall_classes: up.put(&tables.wall_classes)?,
            inertias: up.put(&tables.inertias)?,
            laws: up.put(&tables.laws)?,
            wall_plan: up.reserve(bytes(batch * walls * WALL_NUMBERS))?,
            wall_loads: up.reserve(bytes(batch * walls * 6))?,
            control: up.put(&[*control])?,
            partials: up.reserve(bytes(blocks as usize * PARTIAL))?,
            records: up.put_first(&world.records)?,
            states: up.put_first(&world.states)?,
            displacements: {
                let ([a, c], [b, d]) =
                    (up.put_first(&world.displacements[0])?, up.put_first(&world.displacements[1])?);
                [[a, b], [c, d]]
            },
            contacts: [up.reserve(bytes(candidates * CONTACT))?, up.reserve(bytes(candidates * CONTACT))?],
            pairs: up.put(&world.pairs)?,
            due_at: up.put(&world.due_at)?,
            directions: up.put(&world.directions)?,
            flags: up.put(&flags_of(world))?,
            rows: up.reserve(bytes(candidates * ROW))?,
            points: up.reserve(bytes(candidates * POINT))?,
            active: std::array::from_fn(|class| lists[class]),
            parted: up.reserve(candidates * size_of::<u32>())?,
            asked: up.reserve(candidates * size_of::<u32>())?,
            starts: up.put(&world.starts)?,
            entries: up.put(&world.entries)?,
            touching: up.put_with_room(&world.touching, candidates)?,
            fast: up.reserve(bytes(2 * FAST_ROOM))?,
            questions: up.reserve(bytes(QUESTION * QUESTIONS.min(candidates)))?,
            wall_contacts: up.reserve(bytes(2 * world.starts.get(walls).map_or(0, |end| *end as usize)))?,
            ..Params::zeroed()
        })
    }

    /// A kernel over so many of something, a thread for each.
    pub(crate) fn over(&mut self, kernel: Kernel, count: u32) -> Result<(), DeviceError> {
        if count == 0 {
            return Ok(());
        }
        self.device.launch(kernel, [count.div_ceil(THREADS), THREADS], &self.params, count)
    }

    /// Most steps that may be started at once.
    pub(crate) fn batch(&self) -> u64 {
        batch_of(self.world.walls)
    }

    /// Gives the device the poses of the walls in the next steps; nothing where none moves.
    pub(crate) fn plan(&mut self, plan: &[f64]) -> Result<(), DeviceError> {
        let known: &[u64] = cast_slice(&self.walls);
        let each = known.len().max(1);
        if cast_slice::<f64, u64>(plan).chunks(each).all(|numbers| numbers == known) {
            self.params.planned = 0;
            return Ok(());
        }
        self.walls.clear();
        self.params.planned = self.params.walls;
        self.device.write(self.params.wall_plan, cast_slice(plan))
    }

    /// Both copies have the walls where they are.
    fn place_walls(&mut self) -> Result<(), DeviceError> {
        let Self { device, params, world, walls: known, .. } = self;
        let walls = world.walls;
        device.write(params.records[1], cast_slice(&world.records[..walls]))?;
        for (list, displacements) in world.displacements.iter().enumerate() {
            device.write(params.displacements[1][list], cast_slice(&displacements[..walls]))?;
        }
        let numbers = world.records[..walls].iter().zip(&world.displacements[1]);
        *known = numbers.flat_map(|(record, way)| record.iter().copied().chain([*way])).collect();
        Ok(())
    }

    /// Grains move, lists are judged, candidates tested.
    pub(crate) fn start_step(&mut self, step: u32) -> Result<(), DeviceError> {
        let over_pairs = self.over_pairs();
        let mut launch = |kernel, size| self.device.launch(kernel, size, &self.params, step);
        launch(Kernel::BeginStep, [1, SINGLE])?;
        launch(Kernel::DriftBodies, [self.params.blocks, THREADS])?;
        launch(Kernel::JudgeLists, [1, SINGLE])?;
        launch(Kernel::ActivateCandidates, over_pairs)?;
        if self.used[QUARTICS..].contains(&true) {
            launch(Kernel::ActivateSuperellipsoids, over_pairs)?;
        }
        Ok(())
    }

    fn over_pairs(&self) -> [u32; 2] {
        [self.params.candidates.div_ceil(CONTACT_THREADS).clamp(1, MOST_BLOCKS), CONTACT_THREADS]
    }

    /// Contacts in lanes are solved.
    pub(crate) fn solve_step(&mut self, step: u32) -> Result<(), DeviceError> {
        let over_pairs = self.over_pairs();
        let solvers = Kernel::SOLVERS.into_iter().zip(self.used).filter(|(_, used)| *used);
        solvers
            .map(|(solver, _)| self.device.launch(solver, over_pairs, &self.params, step))
            .collect::<Result<(), _>>()
    }

    /// Forces are summed, and grains get to the end of the step.
    pub(crate) fn finish_step(&mut self, step: u32) -> Result<(), DeviceError> {
        let Params { walls, blocks, .. } = self.params;
        let mut launch = |kernel, size| self.device.launch(kernel, size, &self.params, step);
        if walls > 0 {
            launch(Kernel::GatherWalls, [walls, THREADS])?;
        }
        launch(Kernel::GatherAndKick, [blocks, THREADS])?;
        launch(Kernel::EndStep, [1, SINGLE])
    }

    /// Makes up to so many steps, with the walls where the plan has them.
    pub(crate) fn advance(&mut self, steps: u64, wall_plan: &[f64]) -> Result<Batch, DeviceError> {
        self.plan(wall_plan)?;
        self.params.shared = 0;
        for step in 0..steps as u32 {
            self.start_step(step)?;
            self.solve_step(step)?;
            self.finish_step(step)?;
        }
        self.take_batch()
    }

    /// Reads what the last steps have come to.
    pub(crate) fn take_batch(&mut self) -> Result<Batch, DeviceError> {
        self.read_control()?;
        let Control { made, stop, .. } = self.control;
        let mut loads = vec![[0.0; 6]; (made * self.params.walls) as usize];
        self.device.read(self.params.wall_loads, cast_slice_mut(&mut loads))?;
        let fast = self.fast_moves(made)?;
        self.params.first = (self.params.first + made) & 1;
        self.params.step += u64::from(made);
        let next = match stop {
            0 => Next::Device,
            stop if stop & (STALE | FAST) != 0 => Next::Host,
            _ => Next::Shared,
        };
        Ok(Batch { made, next, loads, fast })
    }

    pub(crate) fn read_control(&mut self) -> Result<(), DeviceError> {
        self.device.read(self.params.control, bytemuck::bytes_of_mut(&mut self.control))
    }

    /// Grains that went far in the first steps of a batch.
    pub(crate) fn fast_moves(&self, made: u32) -> Result<Vec<FastMove>, DeviceError> {
        let mut told = vec![[0.0_f64; 2]; (self.control.fast as usize).min(FAST_ROOM)];
        if !told.is_empty() {
            self.device.read(self.params.fast, cast_slice_mut(&mut told))?;
        }
        let moves = told.iter().map(|[bits, way]| {
            let bits = bits.to_bits();
            FastMove { slot: bits as u32, way: *way, step: (bits >> 32) + 1 }
        });
        Ok(moves.filter(|moved| moved.step <= u64::from(made)).collect())
    }

    /// The world after the last step that was made.
    pub(crate) fn download(&mut self) -> Result<&Offloaded, DeviceError> {
        let (params, now) = (self.params, self.params.first as usize);
        let mut flags = vec![0_u8; self.world.pairs.len()];
        self.device.read(params.flags, &mut flags)?;
        let in_lanes = |flag: u8| flag & (TOUCHES | HOSTED) == TOUCHES;
        let touches = (0..).zip(&flags).filter(|(_, flag)| in_lanes(**flag));
        self.world.touching = touches.map(|(candidate, _)| candidate).collect();
        let count = self.world.touching.len();
        self.device.write(params.touching, cast_slice(&self.world.touching))?;
        self.world.contacts.resize(count, [0.0; PACKED]);
        let bytes = size_of_val(self.world.contacts.as_slice());
        self.params.packed = self.buffers.packed.reserve(&mut self.device, bytes)?;
        self.over(Kernel::PackContacts, count as u32)?;
        let Self { device, world, control, .. } = self;
        device.read(self.params.packed, cast_slice_mut(&mut world.contacts))?;
        device.read(params.records[now], cast_slice_mut(&mut world.records))?;
        device.read(params.states[now], cast_slice_mut(&mut world.states))?;
        for (list, displacements) in world.displacements.iter_mut().enumerate() {
            device.read(params.displacements[now][list], cast_slice_mut(displacements))?;
        }
        device.read(params.due_at, cast_slice_mut(&mut world.due_at))?;
        device.read(params.directions, cast_slice_mut(&mut world.directions))?;
        (world.velocity, world.largest_velocity) = (control.velocity, control.largest_velocity);
        world.deepest = control.deepest;
        Ok(world)
    }
}

fn batch_of(walls: usize) -> u64 {
    (MOST_PLANNED / walls.max(1) as u64).clamp(1, BATCH)
}

/// What kernels begin with.
fn begin(world: &Offloaded) -> Control {
    Control {
        contacts: world.touching.len() as u32,
        active: world.of_class.map(|count| count as u32),
        largest_velocity: world.largest_velocity,
        velocity: world.velocity,
        deepest: world.deepest,
        ..Control::default()
    }
}

/// States of the candidates.
fn flags_of(world: &Offloaded) -> Vec<u8> {
    let mut flags = vec![0; world.pairs.len()];
    world.touching.iter().for_each(|&candidate| flags[candidate as usize] = TOUCHES | LISTED);
    world.hosted.iter().for_each(|&candidate| flags[candidate as usize] = TOUCHES | HOSTED);
    flags
}

/// Classes of pairs that may come, as `pair_class` in `kernels/layout.h` has them: by the shapes that bodies have.
fn classes_in_use(tables: &OffloadTables, world: &Offloaded) -> [bool; PAIR_CLASSES] {
    let mut there = [false; SHAPE_CLASSES];
    for record in &world.records[world.walls..] {
        // The lower half of the last number is the shape.
        there[tables.classes[record[BODY - 1].to_bits() as u32 as usize] as usize] = true;
    }
    let on_planes = tables.wall_classes.iter().any(|&class| class as usize == HALF_SPACE);
    let [spheres, ellipsoids, quartics, others, ..] = there;
    let powers = quartics || others;
    [
        spheres,
        spheres && on_planes,
        ellipsoids,
        ellipsoids && on_planes,
        quartics,
        others || quartics && (spheres || ellipsoids),
        powers && on_planes,
    ]
}

/// How many contacts of each class there may be: none of those that are not used.
fn room_of_lists(world: &Offloaded, used: [bool; PAIR_CLASSES]) -> [usize; PAIR_CLASSES] {
    std::array::from_fn(|class| match (used[class], ON_HALF_SPACES.contains(&class)) {
        (false, _) => 0,
        (true, false) => world.grain_pairs,
        (true, true) => world.pairs.len() - world.grain_pairs,
    })
}

/// Touching candidates by class.
fn lists_of_contacts(world: &Offloaded) -> [&[u32]; PAIR_CLASSES] {
    let mut rest = world.touching.as_slice();
    world.of_class.map(|count| {
        let list;
        (list, rest) = rest.split_at(count);
        list
    })
}

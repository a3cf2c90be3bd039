//! A world's numbers on a device: up, some steps, and down again.

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use gritstone_engine::offload::{OffloadTables, Offloaded, WALL_NUMBERS};

use crate::device::{Device, DeviceError};
use crate::layout::{BODY, CONTACT, Control, Kernel, LISTED, PAIR_CLASSES, PARTIAL, Params, ROW, TOUCHES};

/// Threads of a block: of kernels over bodies, over contacts, and of those with one block.
const THREADS: u32 = 256;
const CONTACT_THREADS: u32 = 128;
const SINGLE: u32 = 1024;
/// Most blocks of kernels over candidates and contacts, whose threads take several each.
const MOST_BLOCKS: u32 = 1 << 13;
/// Most steps that are started at once.
pub(crate) const BATCH: u32 = 32;
/// Memory is taken for this much more than is needed: lists grow.
const SPARE: f64 = 1.15;

/// Pieces of memory that a session has.
const BUFFERS: usize = 32;

/// Memory of a device.
#[derive(Clone, Copy, Debug, Default)]
struct Buffer {
    address: u64,
    bytes: usize,
}

/// What a batch of steps has come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// Steps that were made.
    pub(crate) made: u32,
    /// Whether the next one is for the host.
    pub(crate) stopped: bool,
    /// Force and torque on each wall after each step.
    pub(crate) loads: Vec<[f64; 6]>,
}

/// The numbers of a world on a device.
pub(crate) struct Session<K: Device> {
    device: K,
    buffers: [Buffer; BUFFERS],
    params: Params,
    /// As it was uploaded; what steps change is brought up to date by [`Self::download`].
    world: Offloaded,
    control: Control,
    /// Classes of pairs of which there are candidates.
    used: [bool; PAIR_CLASSES],
}

impl<K: Device> Drop for Session<K> {
    fn drop(&mut self) {
        for buffer in self.buffers.iter().filter(|buffer| buffer.bytes > 0) {
            self.device.free(buffer.address);
        }
    }
}

/// Puts numbers into buffers, one after the other.
struct Uploader<'s, K: Device> {
    device: &'s mut K,
    buffers: std::slice::IterMut<'s, Buffer>,
}

impl<K: Device> Uploader<'_, K> {
    /// A buffer for at least so many bytes, of zeros where it is new.
    fn reserve(&mut self, bytes: usize) -> Result<u64, DeviceError> {
        let Some(buffer) = self.buffers.next() else {
            return Err(DeviceError::Failed {
                what: "reserving memory",
                why: "no buffer is left".to_owned(),
            });
        };
        if buffer.bytes < bytes.max(8) {
            if buffer.bytes > 0 {
                self.device.free(buffer.address);
                *buffer = Buffer::default();
            }
            let bytes = (bytes as f64 * SPARE) as usize + 8;
            *buffer = Buffer { address: self.device.allocate(bytes)?, bytes };
        }
        Ok(buffer.address)
    }

    fn put<T: Pod>(&mut self, values: &[T]) -> Result<u64, DeviceError> {
        let bytes: &[u8] = cast_slice(values);
        let address = self.reserve(bytes.len())?;
        self.device.write(address, bytes)?;
        Ok(address)
    }

    /// Two copies, of which the first has these numbers.
    fn put_first<T: Pod>(&mut self, values: &[T]) -> Result<[u64; 2], DeviceError> {
        Ok([self.put(values)?, self.reserve(size_of_val(values))?])
    }
}

impl<K: Device> Session<K> {
    pub(crate) fn open() -> Result<Self, DeviceError> {
        Ok(Self {
            device: K::open()?,
            buffers: [Buffer::default(); BUFFERS],
            params: Params::zeroed(),
            world: Offloaded::default(),
            control: Control::default(),
            used: [false; PAIR_CLASSES],
        })
    }

    /// Contacts and the largest overlap after the last step.
    pub(crate) fn contacts(&self) -> (usize, f64) {
        (self.control.contacts as usize, self.control.deepest)
    }

    /// Gives the device a world.
    pub(crate) fn upload(&mut self, tables: &OffloadTables, world: Offloaded) -> Result<(), DeviceError> {
        self.world = world;
        let Self { device, buffers, world, .. } = self;
        let candidates = world.pairs.len();
        let active = lists_of_contacts(world);
        self.used = classes_in_use(tables, world);
        self.control = first_control(world, active);
        let mut flags = vec![0; candidates];
        world.touching.iter().for_each(|&candidate| flags[candidate as usize] = TOUCHES | LISTED);
        let grains = (world.records.len() - world.walls) as u32;
        let blocks = grains.div_ceil(THREADS);
        let mut up = Uploader { device, buffers: buffers.iter_mut() };
        let bytes = |numbers: usize| numbers * size_of::<f64>();
        // Everything in `params` is set here but for what is its own.
        let params = Params {
            dt: tables.time_step,
            gravity: tables.gravity.to_array(),
            skin: world.skins,
            step: world.step,
            least_far: tables.least_far,
            bodies: world.records.len() as u32,
            walls: world.walls as u32,
            candidates: candidates as u32,
            grain_candidates: world.grain_pairs as u32,
            materials: tables.materials as u32,
            radius_rule: u32::from(!tables.body_function),
            first: 0,
            blocks,
            shapes: up.put(&tables.shapes)?,
            classes: up.put(&tables.classes)?,
            inertias: up.put(&tables.inertias)?,
            laws: up.put(&tables.laws)?,
            wall_plan: up.reserve(bytes(BATCH as usize * world.walls * WALL_NUMBERS))?,
            wall_loads: up.reserve(bytes(BATCH as usize * world.walls * 6))?,
            control: up.put(&[self.control])?,
            partials: up.reserve(bytes(blocks as usize * PARTIAL))?,
            records: up.put_first(&world.records)?,
            states: up.put_first(&world.states)?,
            displacements: up.put_displacements(world)?,
            contacts: [up.reserve(bytes(candidates * CONTACT))?, up.reserve(bytes(candidates * CONTACT))?],
            pairs: up.put(&world.pairs)?,
            due_at: up.put(&world.due_at)?,
            directions: up.put(&world.directions)?,
            flags: up.put(&flags)?,
            rows: up.reserve(bytes(candidates * ROW))?,
            active: [
                up.put_with_room(active[0], candidates)?,
                up.put_with_room(active[1], candidates)?,
                up.put_with_room(active[2], candidates)?,
                up.put_with_room(active[3], candidates)?,
            ],
            parted: up.reserve(candidates * size_of::<u32>())?,
            starts: up.put(&world.starts)?,
            entries: up.put(&world.entries)?,
            touching: up.put_with_room(&world.touching, candidates)?,
            packed: up.put(&world.contacts)?,
        };
        self.params = params;
        self.over(Kernel::UnpackContacts, self.world.touching.len() as u32)
    }

    /// A kernel over so many contacts on their way.
    fn over(&mut self, kernel: Kernel, count: u32) -> Result<(), DeviceError> {
        if count == 0 {
            return Ok(());
        }
        self.device.launch(kernel, [count.div_ceil(THREADS), THREADS], &self.params, count)
    }

    /// Makes up to so many steps, with the walls where the plan has them.
    pub(crate) fn advance(&mut self, steps: u32, wall_plan: &[f64]) -> Result<Batch, DeviceError> {
        let Params { walls, candidates, blocks, .. } = self.params;
        self.device.write(self.params.wall_plan, cast_slice(wall_plan))?;
        let over_pairs = [candidates.div_ceil(CONTACT_THREADS).clamp(1, MOST_BLOCKS), CONTACT_THREADS];
        for step in 0..steps {
            let mut launch = |kernel, size| self.device.launch(kernel, size, &self.params, step);
            launch(Kernel::BeginStep, [1, SINGLE])?;
            launch(Kernel::DriftBodies, [blocks, THREADS])?;
            launch(Kernel::JudgeLists, [1, SINGLE])?;
            launch(Kernel::ActivateCandidates, over_pairs)?;
            for (solver, _) in Kernel::SOLVERS.into_iter().zip(self.used).filter(|(_, used)| *used) {
                launch(solver, over_pairs)?;
            }
            if walls > 0 {
                launch(Kernel::GatherWalls, [walls, THREADS])?;
            }
            launch(Kernel::GatherAndKick, [blocks, THREADS])?;
            launch(Kernel::EndStep, [1, SINGLE])?;
        }
        self.device.read(self.params.control, bytemuck::bytes_of_mut(&mut self.control))?;
        let Control { made, stop, .. } = self.control;
        self.params.first = (self.params.first + made) & 1;
        self.params.step += u64::from(made);
        let mut loads = vec![[0.0; 6]; (made * walls) as usize];
        self.device.read(self.params.wall_loads, cast_slice_mut(&mut loads))?;
        Ok(Batch { made, stopped: stop != 0, loads })
    }

    /// The world after the last step that was made.
    pub(crate) fn download(&mut self) -> Result<&Offloaded, DeviceError> {
        let (params, now) = (self.params, self.params.first as usize);
        let mut flags = vec![0_u8; self.world.pairs.len()];
        self.device.read(params.flags, &mut flags)?;
        let touches = (0..).zip(&flags).filter(|(_, flag)| **flag & TOUCHES != 0);
        self.world.touching = touches.map(|(candidate, _)| candidate).collect();
        let count = self.world.touching.len();
        self.device.write(params.touching, cast_slice(&self.world.touching))?;
        self.world.contacts.resize(count, [0.0; CONTACT + ROW]);
        self.grow_packed(size_of_val(self.world.contacts.as_slice()))?;
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

    /// The buffer in which contacts travel is the last.
    fn grow_packed(&mut self, bytes: usize) -> Result<(), DeviceError> {
        let last = self.buffers.iter().rposition(|buffer| buffer.bytes > 0).unwrap_or(0);
        let buffers = self.buffers[last..].iter_mut();
        self.params.packed = Uploader { device: &mut self.device, buffers }.reserve(bytes)?;
        Ok(())
    }
}

impl<K: Device> Uploader<'_, K> {
    /// The displacements of both lists, for the first and for the second copy of the bodies.
    fn put_displacements(&mut self, world: &Offloaded) -> Result<[[u64; 2]; 2], DeviceError> {
        let [[a, c], [b, d]] =
            [self.put_first(&world.displacements[0])?, self.put_first(&world.displacements[1])?];
        Ok([[a, b], [c, d]])
    }

    /// A list with room for so many.
    fn put_with_room(&mut self, values: &[u32], most: usize) -> Result<u64, DeviceError> {
        let address = self.reserve(most.max(values.len()) * size_of::<u32>())?;
        self.device.write(address, cast_slice(values))?;
        Ok(address)
    }
}

/// Classes of pairs that may come, as `pair_class` in `kernels/layout.h` has them: by the shapes that bodies have.
fn classes_in_use(tables: &OffloadTables, world: &Offloaded) -> [bool; PAIR_CLASSES] {
    let mut there = [false; 3];
    for record in &world.records {
        // The lower half of the last number is the shape.
        there[tables.classes[record[BODY - 1].to_bits() as u32 as usize] as usize] = true;
    }
    let [spheres, ellipsoids, walls] = there;
    [spheres, spheres && walls, ellipsoids, ellipsoids && walls]
}

/// What the device counts and decides, before the first step.
fn first_control(world: &Offloaded, active: [&[u32]; PAIR_CLASSES]) -> Control {
    Control {
        contacts: world.touching.len() as u32,
        active: active.map(|list| list.len() as u32),
        largest_velocity: world.largest_velocity,
        velocity: world.velocity,
        deepest: world.deepest,
        ..Control::default()
    }
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

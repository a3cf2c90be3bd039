//! What eight contacts keep from step to step.

use glam::DVec3;
use gritstone_contact::space::lanes::{Contacts, Start};
use gritstone_core::Space;
use gritstone_core::lanes::{Lanes, Quantity, RowIndices, Vec3, WIDTH};
use gritstone_force::{History, InLanes};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Largest change of a normal in a step that is extrapolated to the next.
const LARGEST_CHANGE: f64 = 0.02;

/// What does not change while two bodies touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairConstants {
    /// Effective mass.
    pub(super) mass: f64,
    /// Effective radius from the bodies' volumes.
    pub(super) radius: f64,
    /// Shapes of a and b, and the law between their materials: rows of tables.
    pub(super) rows: [u32; 3],
}

/// Geometry of a new contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstGeometry {
    /// Unit vector from a to b.
    pub(super) normal: DVec3,
    /// The bodies' points, each in the frame of its body; zero where solvers do not start from points.
    pub(super) points: [DVec3; 2],
}

/// A vector of each of eight contacts.
pub(super) type Column3 = [[f64; WIDTH]; 3];

/// What is kept of eight contacts beside their normals, to start from in the next step.
pub(super) trait WarmStart:
    Clone + Copy + std::fmt::Debug + Default + Send + Sync + Serialize + DeserializeOwned
{
    /// How the normals changed in the last step.
    fn change(&mut self) -> Option<&mut Column3> {
        None
    }

    /// The bodies' points, each in the frame of its body.
    fn points(&mut self) -> Option<&mut [Column3; 2]> {
        None
    }

    /// The contact of a lane of another block.
    fn copy(&mut self, lane: usize, from: &Self, from_lane: usize);
}

impl WarmStart for () {
    fn copy(&mut self, _: usize, _: &Self, _: usize) {}
}

/// How the normals changed in the last step.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct NormalChange(Column3);

impl WarmStart for NormalChange {
    #[inline(always)]
    fn change(&mut self) -> Option<&mut Column3> {
        Some(&mut self.0)
    }

    fn copy(&mut self, lane: usize, from: &Self, from_lane: usize) {
        copy(&mut self.0, lane, &from.0, from_lane);
    }
}

/// The bodies' points, each in the frame of its body.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct BodyPoints([Column3; 2]);

impl WarmStart for BodyPoints {
    #[inline(always)]
    fn points(&mut self) -> Option<&mut [Column3; 2]> {
        Some(&mut self.0)
    }

    fn copy(&mut self, lane: usize, from: &Self, from_lane: usize) {
        copy(&mut self.0[0], lane, &from.0[0], from_lane);
        copy(&mut self.0[1], lane, &from.0[1], from_lane);
    }
}

/// Eight contacts, one array per number, each of which is a line of the cache.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
#[repr(align(64))]
pub(super) struct Block<W: WarmStart> {
    /// Normal, unit vector from a to b.
    normal: Column3,
    warm_start: W,
    /// Stretch of the tangential spring, and its stiffness in the last step.
    stretch: Column3,
    stiffness: [f64; WIDTH],
    /// Force along the normal in the last step.
    normal_force: [f64; WIDTH],
    /// Effective mass, zero between bodies that nothing moves, and effective radius from the bodies' volumes.
    mass: [f64; WIDTH],
    radius: [f64; WIDTH],
    /// Signed distance, or what is known of it at least where the bodies have come apart.
    gap: [f64; WIDTH],
    /// Where the force acts.
    #[serde(skip)]
    point: Column3,
    /// Rows of tables: shapes of a, shapes of b, laws. In lanes without a contact those of some other.
    #[serde(skip)]
    pub(super) tables: [RowIndices; 3],
    /// Contacts that could not be certified, one bit each: the general list takes them.
    #[serde(skip)]
    pub(super) unsolved: u8,
    /// Contacts that have separated.
    #[serde(skip)]
    pub(super) separated: u8,
}

/// Springs against rolling and twisting of eight contacts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(align(64))]
pub(super) struct Springs {
    roll: Column3,
    twist: [f64; WIDTH],
}

impl Springs {
    /// Sets those of a lane.
    pub(super) fn set(&mut self, lane: usize, roll: DVec3, twist: f64) {
        for (column, x) in self.roll.iter_mut().zip(roll.to_array()) {
            column[lane] = x;
        }
        self.twist[lane] = twist;
    }

    /// Those of a lane.
    pub(super) fn get(&self, lane: usize) -> (DVec3, f64) {
        (DVec3::from_array([0, 1, 2].map(|axis| self.roll[axis][lane])), self.twist[lane])
    }

    #[inline(always)]
    pub(super) fn load<L: Lanes>(&self) -> (Vec3<L>, L) {
        (load(&self.roll), L::load(&self.twist))
    }

    #[inline(always)]
    pub(super) fn store<L: Lanes>(&mut self, roll: Vec3<L>, twist: L) {
        store(roll, &mut self.roll);
        twist.store(&mut self.twist);
    }
}

impl<W: WarmStart> Block<W> {
    /// Begins a new contact in a lane.
    pub(super) fn begin(
        &mut self,
        lane: usize,
        constants: PairConstants,
        first: FirstGeometry,
        history: &History<Space>,
    ) {
        let FirstGeometry { normal, points } = first;
        if lane == 0 {
            self.set_all_constants(constants);
        }
        self.set_constants(lane, constants);
        for axis in 0..3 {
            self.normal[axis][lane] = normal[axis];
            if let Some(change) = self.warm_start.change() {
                change[axis][lane] = 0.0;
            }
            if let Some([a, b]) = self.warm_start.points() {
                (a[axis][lane], b[axis][lane]) = (points[0][axis], points[1][axis]);
            }
            self.stretch[axis][lane] = history.slip[axis];
        }
        self.stiffness[lane] = history.stiffness;
        self.normal_force[lane] = history.normal_force;
    }

    /// Sets the tables' rows of all lanes: those without a contact repeat another one.
    pub(super) fn set_all_constants(&mut self, constants: PairConstants) {
        self.tables = constants.rows.map(|row| [row; WIDTH].into());
    }

    /// Sets what does not change while the bodies of a lane touch.
    pub(super) fn set_constants(&mut self, lane: usize, constants: PairConstants) {
        (self.mass[lane], self.radius[lane]) = (constants.mass, constants.radius);
        for (table, row) in self.tables.iter_mut().zip(constants.rows) {
            table.set(lane, row);
        }
    }

    /// The contact of a lane of another block.
    pub(super) fn copy(&mut self, lane: usize, from: &Self, from_lane: usize) {
        self.warm_start.copy(lane, &from.warm_start, from_lane);
        copy(&mut self.normal, lane, &from.normal, from_lane);
        copy(&mut self.stretch, lane, &from.stretch, from_lane);
        copy(&mut self.point, lane, &from.point, from_lane);
        self.stiffness[lane] = from.stiffness[from_lane];
        self.normal_force[lane] = from.normal_force[from_lane];
        self.gap[lane] = from.gap[from_lane];
        let rows = [0, 1, 2].map(|table| from.tables[table].get(from_lane));
        let (mass, radius) = (from.mass[from_lane], from.radius[from_lane]);
        self.set_constants(lane, PairConstants { mass, radius, rows });
        for (bits, from) in [(&mut self.unsolved, from.unsolved), (&mut self.separated, from.separated)] {
            *bits = *bits & !(1 << lane) | (from >> from_lane & 1) << lane;
        }
    }

    /// The normal in a lane.
    pub(super) fn normal(&self, lane: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.normal[axis][lane]))
    }

    /// The signed distance in a lane.
    pub(super) fn gap(&self, lane: usize) -> f64 {
        self.gap[lane]
    }

    /// Where the force acts in a lane.
    pub(super) fn point(&self, lane: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.point[axis][lane]))
    }

    pub(super) fn set_point(&mut self, lane: usize, point: DVec3) {
        for (column, x) in self.point.iter_mut().zip(point.to_array()) {
            column[lane] = x;
        }
    }

    /// Stores where forces act, and signed distances.
    #[inline(always)]
    pub(super) fn set_geometry<L: Lanes>(&mut self, points: Vec3<L>, gaps: L) {
        store(points, &mut self.point);
        gaps.store(&mut self.gap);
    }

    /// What is kept to start from.
    pub(super) fn warm_start_of(&self) -> W {
        self.warm_start
    }

    /// Sets what the last step has found in a lane: change of the normal, gap, and where the force acts.
    pub(super) fn set_last(&mut self, lane: usize, change: DVec3, gap: f64, point: DVec3) {
        if let Some(column) = self.warm_start.change() {
            column.iter_mut().zip(change.to_array()).for_each(|(column, x)| column[lane] = x);
        }
        self.gap[lane] = gap;
        self.set_point(lane, point);
    }

    /// The history of a lane, without what resists rolling and twisting.
    pub(super) fn history(&self, lane: usize) -> History<Space> {
        let slip = DVec3::from_array([0, 1, 2].map(|axis| self.stretch[axis][lane]));
        let (stiffness, normal_force) = (self.stiffness[lane], self.normal_force[lane]);
        History { slip, stiffness, normal_force, ..History::default() }
    }

    /// Where solvers start: the extrapolated normals, or the points of the last step.
    #[inline(always)]
    pub(super) fn start<L: Lanes>(&mut self) -> Start<L> {
        let mut start = Start::from_direction(load(&self.normal));
        if let Some(change) = self.warm_start.change() {
            // Small changes leave the length so near one that two corrections do.
            start.direction = (start.direction + load(change)).renormalized().renormalized();
        }
        if let Some([a, b]) = self.warm_start.points() {
            start.points = [load(a), load(b)];
        }
        start
    }

    /// Effective masses, and effective radii from the bodies' volumes.
    #[inline(always)]
    pub(super) fn masses_and_radii<L: Lanes>(&self) -> [L; 2] {
        [L::load(&self.mass), L::load(&self.radius)]
    }

    /// What the law remembers, without what resists rolling and twisting.
    #[inline(always)]
    pub(super) fn histories<L: Lanes>(&self) -> History<InLanes<L>> {
        History {
            slip: load(&self.stretch),
            roll: Vec3::zero(),
            twist: L::splat(0.0),
            stiffness: L::load(&self.stiffness),
            normal_force: L::load(&self.normal_force),
        }
    }

    /// Stores normals, what the next step starts from, and histories.
    #[inline(always)]
    pub(super) fn update<L: Lanes>(
        &mut self,
        contacts: &Contacts<L>,
        history: &History<InLanes<L>>,
        fresh: L::Mask,
    ) {
        let normal = Vec3::select(contacts.certified, contacts.normal, contacts.direction);
        if let Some(last) = self.warm_start.change() {
            let change = normal - load(&self.normal);
            // A contact's first direction is that of an earlier proximity test: no change to go by. Nor is a jump.
            let steady = change.dot(change).le(L::splat(LARGEST_CHANGE * LARGEST_CHANGE)) & !fresh;
            store(Vec3::select(steady, change, Vec3::zero()), last);
        }
        if let Some([a, b]) = self.warm_start.points() {
            store(contacts.points[0], a);
            store(contacts.points[1], b);
        }
        store(normal, &mut self.normal);
        store(history.slip, &mut self.stretch);
        history.stiffness.store(&mut self.stiffness);
        history.normal_force.store(&mut self.normal_force);
    }
}

/// A vector from a lane to another.
fn copy(to: &mut Column3, lane: usize, from: &Column3, from_lane: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        to[lane] = from[from_lane];
    }
}

#[inline(always)]
fn load<L: Lanes>(column: &Column3) -> Vec3<L> {
    Vec3::new(L::load(&column[0]), L::load(&column[1]), L::load(&column[2]))
}

#[inline(always)]
fn store<L: Lanes>(v: Vec3<L>, column: &mut Column3) {
    v.x.store(&mut column[0]);
    v.y.store(&mut column[1]);
    v.z.store(&mut column[2]);
}

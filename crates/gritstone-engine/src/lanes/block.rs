//! What eight contacts keep from step to step.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Lanes, Vec3, WIDTH};
use gritstone_force::History;
use gritstone_force::lanes::Slip;
use serde::{Deserialize, Serialize};

/// Largest change of a normal in a step that is taken to go on.
const LARGEST_CHANGE: f64 = 0.02;

/// What the two bodies of a contact have in common, for as long as it lasts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Couple {
    pub(super) mass: f64,
    pub(super) radius: f64,
    /// Shapes of a and b, and the law between their materials: rows of tables.
    pub(super) rows: [u32; 3],
}

/// A vector of each of eight contacts.
type Column3 = [[f64; WIDTH]; 3];

/// Eight contacts, one array per number.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Block {
    /// Normal, unit vector from a to b, and its change in the last step.
    normal: Column3,
    change: Column3,
    /// Stretch of the tangential spring, and its stiffness in the last step.
    stretch: Column3,
    stiffness: [f64; WIDTH],
    /// Effective mass, zero between bodies that nothing moves, and effective radius from the bodies' volumes.
    mass: [f64; WIDTH],
    radius: [f64; WIDTH],
    /// Rows of tables: shapes of a, shapes of b, laws. In lanes without a contact those of some other.
    #[serde(skip)]
    pub(super) tables: [[u32; WIDTH]; 3],
    /// Contacts that are to be handed over, one bit each.
    #[serde(skip)]
    pub(super) handed: u8,
    /// Contacts that have come apart.
    #[serde(skip)]
    pub(super) parted: u8,
}

impl Block {
    /// A new contact in this lane.
    pub(super) fn begin(&mut self, lane: usize, couple: Couple, normal: DVec3, history: &History<Space>) {
        if lane == 0 {
            self.join_all(couple);
        }
        self.join(lane, couple);
        for axis in 0..3 {
            self.normal[axis][lane] = normal[axis];
            self.change[axis][lane] = 0.0;
            self.stretch[axis][lane] = history.slip[axis];
        }
        self.stiffness[lane] = history.stiffness;
    }

    /// Lanes without a contact do what the first one does, and nobody looks.
    pub(super) fn join_all(&mut self, couple: Couple) {
        self.tables = couple.rows.map(|row| [row; WIDTH]);
    }

    /// What the bodies of a contact have in common.
    pub(super) fn join(&mut self, lane: usize, couple: Couple) {
        (self.mass[lane], self.radius[lane]) = (couple.mass, couple.radius);
        for (table, row) in self.tables.iter_mut().zip(couple.rows) {
            table[lane] = row;
        }
    }

    /// The contact of a lane of another block.
    pub(super) fn copy(&mut self, lane: usize, from: &Self, from_lane: usize) {
        for axis in 0..3 {
            self.normal[axis][lane] = from.normal[axis][from_lane];
            self.change[axis][lane] = from.change[axis][from_lane];
            self.stretch[axis][lane] = from.stretch[axis][from_lane];
        }
        self.stiffness[lane] = from.stiffness[from_lane];
        let rows = [0, 1, 2].map(|table| from.tables[table][from_lane]);
        self.join(lane, Couple { mass: from.mass[from_lane], radius: from.radius[from_lane], rows });
        for (bits, from) in [(&mut self.handed, from.handed), (&mut self.parted, from.parted)] {
            *bits = *bits & !(1 << lane) | (from >> from_lane & 1) << lane;
        }
    }

    /// The normal in a lane.
    pub(super) fn normal(&self, lane: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.normal[axis][lane]))
    }

    /// What the law remembers in a lane.
    pub(super) fn history(&self, lane: usize) -> History<Space> {
        let slip = DVec3::from_array([0, 1, 2].map(|axis| self.stretch[axis][lane]));
        History { slip, stiffness: self.stiffness[lane], ..History::default() }
    }

    /// Where the normals should be by now.
    #[inline(always)]
    pub(super) fn predicted<L: Lanes>(&self) -> Vec3<L> {
        // Small changes leave the length so near one that two corrections do.
        (load::<L>(&self.normal) + load(&self.change)).renormalized().renormalized()
    }

    /// Effective masses, and effective radii from the bodies' volumes.
    #[inline(always)]
    pub(super) fn couples<L: Lanes>(&self) -> [L; 2] {
        [L::load(&self.mass), L::load(&self.radius)]
    }

    #[inline(always)]
    pub(super) fn slip<L: Lanes>(&self) -> Slip<L> {
        Slip { stretch: load(&self.stretch), stiffness: L::load(&self.stiffness) }
    }

    /// Keeps how the normals change, for the next prediction; to be called before they are kept themselves.
    #[inline(always)]
    pub(super) fn keep_change<L: Lanes>(&mut self, normal: Vec3<L>, fresh: L::Mask) {
        let change = normal - load(&self.normal);
        let zero = L::splat(0.0);
        // A contact's first direction is that of some earlier look at the pair: no change to go by. Nor is a jump.
        let steady = change.dot(change).le(L::splat(LARGEST_CHANGE * LARGEST_CHANGE)) & !fresh;
        store(Vec3::select(steady, change, Vec3::new(zero, zero, zero)), &mut self.change);
    }

    /// Keeps what was found.
    #[inline(always)]
    pub(super) fn keep<L: Lanes>(&mut self, normal: Vec3<L>, slip: &Slip<L>) {
        store(normal, &mut self.normal);
        store(slip.stretch, &mut self.stretch);
        slip.stiffness.store(&mut self.stiffness);
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

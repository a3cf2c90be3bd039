//! Superellipsoids in lanes. Each pair is evaluated in the frame of its body a, whose direction then needs no rotation;
//! b is evaluated in its own frame, with the relative rotation. Both go through the support function side by side.

use glam::{DQuat, DVec3};
use gritstone_core::lanes::{Lanes, Turn, Two, Vec3, WIDTH};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::Superellipsoid;

use super::body::{Body, BodyJet, Norm, norm_constants};
use super::gather::{gather, gather_both, relative};
use super::kind::{Columns, Gathered, Kind, Pairs, Tangential};
use super::rows::{PairRows, Reader, Writer};
use crate::tolerance;

/// Superellipsoids with their poses, one array per quantity.
#[derive(Clone, Debug, Default)]
pub struct Superellipsoids {
    shapes: Vec<Superellipsoid>,
    /// Radii, constants of the two norms, size.
    shape: [Vec<f64>; 10],
    position: [Vec<f64>; 3],
    /// Unit quaternions w, x, y, z.
    rotation: [Vec<f64>; 4],
}

impl Superellipsoids {
    /// Number of grains.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Adds a grain; its index is the number of those before it.
    pub fn push(&mut self, shape: &Superellipsoid, pose: &Pose<Space>) {
        let ([x, y, z], [e1, e2]) = (shape.radii().to_array(), shape.exponents());
        let ([p1, p2, p3], [q1, q2, q3]) = (norm_constants(e1), norm_constants(e2));
        let numbers = [x, y, z, p1, p2, p3, q1, q2, q3, shape.size()];
        for (column, number) in self.shape.iter_mut().zip(numbers) {
            column.push(number);
        }
        for column in self.position.iter_mut().chain(&mut self.rotation) {
            column.push(0.0);
        }
        self.shapes.push(*shape);
        self.place(self.len() - 1, pose);
    }

    /// Moves a grain.
    pub fn place(&mut self, grain: usize, pose: &Pose<Space>) {
        for (column, number) in self.position.iter_mut().zip(pose.position.to_array()) {
            column[grain] = number;
        }
        let q = pose.rotation;
        for (column, number) in self.rotation.iter_mut().zip([q.w, q.x, q.y, q.z]) {
            column[grain] = number;
        }
    }
}

impl Kind for Superellipsoids {
    type Shape = Superellipsoid;
    type Pairs<L: Lanes> = SuperellipsoidPairs<L>;
    const PAIR_ROWS: usize = 32;

    #[inline(always)]
    fn gather<L: Lanes>(&self, columns: &Columns) -> Gathered<L, SuperellipsoidPairs<L>> {
        let [r1, r2, r3, p1, p2, p3, q1, q2, q3, size]: [Two<L>; 10] = gather_both(&self.shape, columns);
        let [x, y, z]: [Two<L>; 3] = gather_both(&self.position, columns);
        let rotation: [Two<L>; 4] = gather_both(&self.rotation, columns);
        let frame = Turn::from_quaternion([rotation[0].0, rotation[1].0, rotation[2].0, rotation[3].0]);
        let offset = Vec3::new(x.1 - x.0, y.1 - y.0, z.1 - z.0);
        let pairs = SuperellipsoidPairs {
            bodies: Body {
                radii: Vec3::new(r1, r2, r3),
                inner: Norm { power: p1, fall: p2, steepest: p3 },
                outer: Norm { power: q1, fall: q2, steepest: q3 },
            },
            turn: Turn::from_quaternion(relative(rotation)),
            offset: frame.undo(offset),
            size: size.0.min(size.1),
            noise: L::splat(tolerance::ROUNDING) * (size.0.max(size.1) + offset.length()),
        };
        Gathered { pairs, offset, frame: Some(frame) }
    }

    #[inline(always)]
    fn frame<L: Lanes>(&self, grains: &[usize; WIDTH]) -> Option<Turn<L>> {
        Some(Turn::from_quaternion(gather(&self.rotation, grains)))
    }

    fn shape(&self, grain: usize) -> &Superellipsoid {
        &self.shapes[grain]
    }

    fn pose(&self, grain: usize) -> Pose<Space> {
        let [w, x, y, z] = [0, 1, 2, 3].map(|i| self.rotation[i][grain]);
        Pose { position: self.centre(grain), rotation: DQuat::from_xyzw(x, y, z, w) }
    }

    fn centre(&self, grain: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|i| self.position[i][grain]))
    }
}

/// Eight pairs, each in the frame of its body a.
pub struct SuperellipsoidPairs<L> {
    /// Both bodies of each pair.
    bodies: Body<Two<L>>,
    /// The axes of b.
    turn: Turn<L>,
    /// The centre of b from the centre of a.
    offset: Vec3<L>,
    /// Size of the smaller body.
    size: L,
    /// Rounding error of one evaluation of g.
    noise: L,
}

impl<L: Lanes> Pairs<L> for SuperellipsoidPairs<L> {
    type Jets = Tangential<L>;
    type Cubic = BodyJet<Two<L>>;

    #[inline(always)]
    fn load(rows: &PairRows) -> Self {
        let mut from = rows.read();
        let radii = Vec3 { x: from.two(), y: from.two(), z: from.two() };
        let bodies = Body { radii, inner: load_norm(&mut from), outer: load_norm(&mut from) };
        let turn = Turn { columns: [from.vec3(), from.vec3(), from.vec3()] };
        Self { bodies, turn, offset: from.vec3(), size: from.real(), noise: from.real() }
    }

    #[inline(always)]
    fn store(&self, rows: &mut PairRows) {
        let mut to = rows.write();
        let Body { radii, inner, outer } = self.bodies;
        to.two(radii.x);
        to.two(radii.y);
        to.two(radii.z);
        store_norm(&mut to, inner);
        store_norm(&mut to, outer);
        let [x, y, z] = self.turn.columns;
        to.vec3(x);
        to.vec3(y);
        to.vec3(z);
        to.vec3(self.offset);
        to.reals([self.size, self.noise]);
    }

    #[inline(always)]
    fn scale(&self) -> (L, L) {
        (self.size, self.noise)
    }

    #[inline(always)]
    fn jets(&self, c: Vec3<L>) -> Tangential<L> {
        self.cubic_jets(c).0
    }

    #[inline(always)]
    fn cubic_jets(&self, c: Vec3<L>) -> (Tangential<L>, BodyJet<Two<L>>) {
        let jet = self.bodies.jet(Vec3::both(c, self.turn.undo(-c)));
        let [x_a, p_b] = jet.point.each();
        let x_b = self.turn.apply(p_b) + self.offset;
        let [u, v] = c.tangents();
        let hessian = jet.restrict(Vec3::both(u, self.turn.undo(u)), Vec3::both(v, self.turn.undo(v)));
        let [h_a, h_b] = hessian.each();
        let d = x_b - x_a;
        (Tangential { g: c.dot(d), c, x_a, x_b, h_a, h_b, d_t: [u.dot(d), v.dot(d)] }, jet)
    }

    #[inline(always)]
    fn third(&self, _: &Tangential<L>, jet: &BodyJet<Two<L>>, along: Vec3<L>) -> (L, L) {
        let (third, change) = self.bodies.third(jet, Vec3::both(along, self.turn.undo(-along)));
        (-(third.0 + third.1), change.0.max(change.1))
    }

    #[inline(always)]
    fn tangential(&self, jets: &Tangential<L>) -> Tangential<L> {
        *jets
    }

    #[inline(always)]
    fn difference(&self, c: Vec3<L>) -> Vec3<L> {
        let [x_a, p_b] = self.bodies.support(Vec3::both(c, self.turn.undo(-c))).each();
        self.turn.apply(p_b) + self.offset - x_a
    }
}

#[inline(always)]
fn load_norm<L: Lanes, const N: usize>(from: &mut Reader<'_, N>) -> Norm<Two<L>> {
    Norm { power: from.two(), fall: from.two(), steepest: from.two() }
}

#[inline(always)]
fn store_norm<L: Lanes, const N: usize>(to: &mut Writer<'_, N>, norm: Norm<Two<L>>) {
    to.two(norm.power);
    to.two(norm.fall);
    to.two(norm.steepest);
}

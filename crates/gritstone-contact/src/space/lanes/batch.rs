//! Contacts of any list of pairs, from the lines between the centres.

use std::marker::PhantomData;

use glam::DVec3;
use gritstone_core::lanes::{Backend, Kernel, Lanes, MaskBits, Row, RowIndices, Vec3, WIDTH};
use gritstone_core::{Contact, Space};
use gritstone_shape::Support;
use gritstone_shape::space::Solid;

use super::{Body, Contacts, PairClass, PairSolver, Request, ShapeClass, ShapeRows, Start, VisitSolvers};
use crate::space::Placed;
use crate::{Answer, Verdict, flatness, tolerance};

/// Solves the pairs that lanes can; the others, and those that cannot be certified here, keep `None`.
///
/// An answer depends neither on the instruction set nor on the other pairs.
pub fn solve(backend: Backend, pairs: &[[Placed<'_>; 2]], answers: &mut [Option<Answer<Space>>]) {
    PairClass::visit_all(&mut Batch { backend, pairs, answers });
}

/// Pairs to solve class by class.
struct Batch<'b, 'p> {
    backend: Backend,
    pairs: &'b [[Placed<'p>; 2]],
    answers: &'b mut [Option<Answer<Space>>],
}

impl VisitSolvers for Batch<'_, '_> {
    fn visit<S: PairSolver>(&mut self, class: PairClass) {
        let Self { backend, pairs, ref mut answers } = *self;
        backend.run(OneClass::<S> { class, pairs, answers, solver: PhantomData });
    }
}

/// The pairs of one class among them.
struct OneClass<'b, 'p, S> {
    class: PairClass,
    pairs: &'b [[Placed<'p>; 2]],
    answers: &'b mut [Option<Answer<Space>>],
    solver: PhantomData<S>,
}

/// The half-space comes second.
fn is_swapped([a, _]: &[Placed<'_>; 2]) -> bool {
    matches!(a.shape, Solid::HalfSpace(_))
}

fn ordered([a, b]: [Placed<'_>; 2]) -> [Placed<'_>; 2] {
    if is_swapped(&[a, b]) { [b, a] } else { [a, b] }
}

impl<S: PairSolver> Kernel for OneClass<'_, '_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (mut lanes, mut count) = ([0; WIDTH], 0);
        for (i, &pair) in self.pairs.iter().enumerate() {
            let class = PairClass::of(ordered(pair).map(|body| ShapeClass::of(body.shape)));
            if class.map(PairClass::from_direction) == Some(self.class) {
                lanes[count] = i;
                count += 1;
            }
            if count == WIDTH {
                self.solve::<L>(&lanes);
                count = 0;
            }
        }
        if count > 0 {
            self.solve::<L>(&lanes[..count]);
        }
    }
}

impl<S: PairSolver> OneClass<'_, '_, S> {
    /// Solves up to eight pairs.
    #[inline(always)]
    fn solve<L: Lanes>(&mut self, lanes: &[usize]) {
        // Lanes without a pair repeat the first one.
        let mut pairs = [ordered(self.pairs[lanes[0]]); WIDTH];
        for (pair, &i) in pairs.iter_mut().zip(lanes) {
            *pair = ordered(self.pairs[i]);
        }
        let active = L::Mask::from_bits(((1_u16 << lanes.len()) - 1) as u8);
        let (mut shapes, mut start) = ([[[[0.0; WIDTH]; 2]; WIDTH]; 2], [[0.0; WIDTH]; 3]);
        for (lane, pair) in pairs.iter().enumerate() {
            for (rows, body) in shapes.iter_mut().zip(pair) {
                rows[lane] = self.class.rows(body.shape);
            }
            let line = (pair[1].pose.position - pair[0].pose.position).try_normalize();
            for (axis, x) in line.unwrap_or(DVec3::X).to_array().into_iter().enumerate() {
                start[axis][lane] = x;
            }
        }
        let start = Vec3::new(L::load(&start[0]), L::load(&start[1]), L::load(&start[2]));
        let contacts = S::solve(
            &load_bodies::<L>(&pairs, 0),
            &load_bodies(&pairs, 1),
            [load_shapes::<L>(&shapes[0]), load_shapes(&shapes[1])],
            Start::from_direction(start),
            Request::COLD,
            active,
        );
        let (rows, certified) = (store(&contacts), (contacts.certified & active).bits());
        for (lane, &i) in lanes.iter().enumerate().filter(|(lane, _)| certified >> lane & 1 == 1) {
            self.answers[i] = answer(&rows[lane], pairs[lane])
                .map(|answer| if is_swapped(&self.pairs[i]) { answer.swapped() } else { answer });
        }
    }
}

#[inline(always)]
fn load_bodies<L: Lanes>(pairs: &[[Placed<'_>; 2]; WIDTH], side: usize) -> Body<L> {
    let mut rows = [[0.0; WIDTH]; WIDTH];
    for (row, pair) in rows.iter_mut().zip(pairs) {
        let (p, q) = (pair[side].pose.position, pair[side].pose.rotation);
        *row = [p.x, p.y, p.z, q.x, q.y, q.z, q.w, 0.0];
    }
    let [x, y, z, qx, qy, qz, qw, _] = L::load_turned(rows.each_ref());
    Body { position: Vec3::new(x, y, z), rotation: [qx, qy, qz, qw] }
}

#[inline(always)]
fn load_shapes<L: Lanes>(shapes: &[ShapeRows; WIDTH]) -> [[L; WIDTH]; 2] {
    RowIndices::from([0, 1, 2, 3, 4, 5, 6, 7]).load_pairs(shapes, true)
}

/// The contacts of each lane as two rows.
#[inline(always)]
fn store<L: Lanes>(contacts: &Contacts<L>) -> [[Row; 2]; WIDTH] {
    let Contacts { normal: n, point: p, gap, lower, upper, curvature, size, evaluations, .. } = *contacts;
    let high = curvature.largest();
    let (mut first, mut second) = ([[0.0; WIDTH]; WIDTH], [[0.0; WIDTH]; WIDTH]);
    L::store_turned([n.x, n.y, n.z, p.x, p.y, p.z, gap, lower], first.each_mut());
    let zero = L::splat(0.0);
    L::store_turned(
        [upper, curvature.product / high, high, size, evaluations, zero, zero, zero],
        second.each_mut(),
    );
    let mut rows = [[[0.0; WIDTH]; 2]; WIDTH];
    for (lane, rows) in rows.iter_mut().enumerate() {
        *rows = [first[lane], second[lane]];
    }
    rows
}

/// The answer of a lane. Flat contacts on half-spaces have none: their point is the middle of a region.
fn answer(rows: &[Row; 2], [a, b]: [Placed<'_>; 2]) -> Option<Answer<Space>> {
    let &[[nx, ny, nz, x, y, z, gap, lower], [upper, low, high, size, evaluations, ..]] = rows;
    let (normal, middle) = (DVec3::new(nx, ny, nz), DVec3::new(x, y, z));
    let half_space = match b.shape {
        Solid::HalfSpace(plane) if low * size > flatness::FLAT => Some(plane.offset().abs()),
        Solid::HalfSpace(_) => return None,
        _ => None,
    };
    let contact = Contact {
        point_a: middle - normal * (0.5 * gap),
        point_b: middle + normal * (0.5 * gap),
        normal,
        gap,
        curvature: [low, high],
    };
    let extent = half_space.unwrap_or_else(|| b.shape.size()).max(a.shape.size());
    let rounding = tolerance::ROUNDING * (extent + a.pose.position.distance(b.pose.position));
    let tolerance = (tolerance::CERTIFICATE * size).max(rounding);
    let evaluations = evaluations as u32;
    Some(Answer::new(Verdict::Solved(contact), [lower, upper], tolerance, [evaluations; 2]))
}

//! Polyhedra that touch: what the temporary separation is worth.

use glam::{DQuat, DVec3};
use gritstone_contact::polytopes::{Polytopes, Trace};
use gritstone_contact::space::Scratch;
use gritstone_contact::{Answer, FastCommonPlane, Method, Query, Refusal, ShortestLink};
use gritstone_core::Space;

use super::pairs::{self, Moving};
use super::survey::{MOTIONS, WarmCounts};
use crate::generate::{Case, Draw};

/// What is known of the last plane: its normal, off by so much (rad); or nothing.
pub const PRIORS: [Option<f64>; 4] = [Some(0.0), Some(1e-3), Some(0.1), None];

/// A depth is wrong when it is off by more than this part of it.
const WRONG: f64 = 1e-6;

/// What comes of the methods that move bodies apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Pairs.
    pub pairs: u64,
    /// Wrong depths of `shortest-link`, for every prior.
    pub link: [u64; 4],
    /// Wrong depths of `fast-common-plane`.
    pub plane: [u64; 4],
    /// `shortest-link` from the last link, after each motion.
    pub warm: [WarmCounts; 3],
}

/// What one pair adds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    wrong: [[bool; 2]; 4],
    /// Whether the depth is wrong, and iterations; nothing where they do not touch any more.
    warm: [Option<(bool, u32)>; 3],
}

impl Contacts {
    /// Counts a pair.
    pub(super) fn take(&mut self, measured: &Measured) {
        self.pairs += 1;
        for (i, [link, plane]) in measured.wrong.into_iter().enumerate() {
            self.link[i] += u64::from(link);
            self.plane[i] += u64::from(plane);
        }
        for (counts, (wrong, iterations)) in
            self.warm.iter_mut().zip(measured.warm).filter_map(|(counts, step)| Some((counts, step?)))
        {
            counts.wrong += u64::from(wrong);
            counts.iterations.push(iterations);
        }
    }
}

/// Solves pair `index` with every prior.
pub(super) fn measure(seed: u64, index: u64, scratch: &mut Scratch) -> Measured {
    let case = pairs::touching(seed, index);
    solve_all(&case, seed, index, scratch).unwrap_or_default()
}

fn solve_all(case: &Case, seed: u64, index: u64, scratch: &mut Scratch) -> Result<Measured, Refusal> {
    let (a, b) = (case.placed_a(), case.placed_b());
    let truth = exact(case, scratch)?;
    let mut measured = Measured::default();
    let Some(contact) = truth.contact() else { return Ok(measured) };
    let draw = &mut Draw::new(0x6006, seed, index);
    let axis: DVec3 = draw.direction();
    for (prior, wrong) in PRIORS.into_iter().zip(&mut measured.wrong) {
        let off = |angle| DQuat::from_axis_angle(contact.normal.cross(axis).normalize(), angle);
        let query = Query { start: prior.map(|angle| off(angle) * contact.normal), ..Query::default() };
        let answers =
            [ShortestLink.solve(a, b, query, scratch)?, FastCommonPlane.solve(a, b, query, scratch)?];
        *wrong = answers.map(|answer| (answer.distance() - contact.gap).abs() > WRONG * contact.gap.abs());
    }
    let mut trace = Trace { normal: Some(contact.normal), ends: None };
    ShortestLink.solve_warm(a, b, Query::default(), &mut trace)?;
    for (motion, step) in MOTIONS.into_iter().zip(&mut measured.warm) {
        let pose_b = Space::nudge(&case.pose_b, case.size(), motion, draw);
        let moved = Case { pose_b, ..case.clone() };
        let truth = exact(&moved, scratch)?.distance();
        let answer = ShortestLink.solve_warm(
            moved.placed_a(),
            moved.placed_b(),
            Query::default(),
            &mut trace.clone(),
        )?;
        let wrong = (answer.distance() - truth).abs() > WRONG * truth.abs();
        *step = (truth < 0.0).then_some((wrong, answer.iterations));
    }
    Ok(measured)
}

fn exact(case: &Case, scratch: &mut Scratch) -> Result<Answer<Space>, Refusal> {
    Space::exact(
        case.placed_a(),
        case.placed_b(),
        Query::default(),
        &mut <Space as Polytopes>::WarmStart::default(),
        scratch,
    )
}

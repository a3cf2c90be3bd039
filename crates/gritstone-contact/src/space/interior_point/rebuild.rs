//! The overlap of full-size bodies from the nearest points of shrunk ones.

use gritstone_core::{Contact, Space};
use gritstone_shape::{Implicit, Support};

use super::shrink::Nearest;
use crate::space::Pair;
use crate::space::ascent::{Limits, climb};

/// Steps that the polish may take; it needs two or three where the bodies are shrunk by one per cent.
const POLISH_STEPS: u32 = 10;

/// How the overlap is rebuilt from the nearest points of the shrunk bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reconstruction {
    /// Plain inverse homothety: both points are blown up about the centres of their bodies; the depth is the distance
    /// between their images, the normal that of the shrunk problem.
    Homothety,
    /// The direction c of the shrunk problem with the depth −g(c) of the full-size bodies: the same points, measured
    /// along the normal.
    FullDepth,
    /// The same, polished by a few steps of `support-newton` from c.
    #[default]
    Polished,
}

/// A rebuilt contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebuilt {
    /// The contact. Only after the polish does `point_b − point_a = gap · normal` hold.
    pub contact: Contact<Space>,
    /// Whether the polish converged; true where there is none.
    pub converged: bool,
    /// Best lower bound of the signed distance on the way.
    pub lower: f64,
    /// Best upper bound of the signed distance on the way.
    pub upper: f64,
    /// Steps of the polish.
    pub steps: u32,
    /// Pairs of support points that were evaluated.
    pub evaluations: u32,
}

/// Rebuilds the contact of the full-size bodies.
pub fn rebuild<A, B>(pair: &Pair<'_, A, B>, nearest: &Nearest, how: Reconstruction) -> Rebuilt
where
    A: Support<Space> + Implicit<Space> + ?Sized,
    B: Support<Space> + Implicit<Space> + ?Sized,
{
    let (mut evaluations, mut lower, mut upper) = (0, f64::NEG_INFINITY, f64::INFINITY);
    // Without steps, climbing is one evaluation.
    let iterations = if how == Reconstruction::Polished { POLISH_STEPS } else { 0 };
    let ascent = climb(pair, nearest.c, Limits { iterations, detect: false }, |sample| {
        evaluations += 1;
        lower = lower.max(sample.g);
        upper = upper.min(sample.d.length());
    });
    let (jet, curvature) = (&ascent.jet.sample, ascent.jet.curvature());
    let contact = match how {
        Reconstruction::Homothety => {
            let d = nearest.x_b - nearest.x_a;
            let gap = d.length().copysign(nearest.c.dot(d));
            pair.contact(nearest.c, gap, nearest.x_a, nearest.x_b, curvature)
        }
        Reconstruction::FullDepth | Reconstruction::Polished => {
            pair.contact(jet.c, jet.g, jet.x_a, jet.x_b, curvature)
        }
    };
    let converged = how != Reconstruction::Polished || ascent.converged;
    Rebuilt { contact, converged, lower, upper, steps: ascent.iterations, evaluations }
}

//! The minimal distance problem on shrunk bodies, and on full-size bodies that are known to be apart.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::{Implicit, Support};

use super::Options;
use super::kkt::{Kkt, State, multipliers_are_positive, points};
use super::newton::{self, Outcome, Status};
use crate::space::Pair;

/// Distance of x1 and x2, in units of the smaller shrunk grain's size, at which the bodies count as overlapping.
const COLLAPSED: f64 = 1e-6;
/// Room left between the bodies on the line between the centres, as a share of α.
const ROOM: f64 = 0.99;
/// Homotheties before giving up: the last one shrinks below a thousandth of the room.
const MAX_HOMOTHETIES: u32 = 18;

/// Nearest points, and the direction between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Unit vector from a to b: the common normal.
    pub c: DVec3,
    /// Point on the surface of the full-size body a, relative to its centre, in world axes.
    pub x_a: DVec3,
    /// Point on the surface of the full-size body b, relative to the centre of a, in world axes.
    pub x_b: DVec3,
}

/// How the last of the problems on shrunk bodies ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The nearest points were found.
    Converged,
    /// x1 and x2 coincide.
    Collapsed,
    /// The equations are satisfied with a negative multiplier: these are not the nearest points.
    WrongSide,
    /// No step along the Newton direction makes the residual smaller.
    Stalled,
    /// The Newton steps are used up.
    LimitReached,
    /// There is no line between the centres to start from.
    CentresCoincide,
}

/// Work that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Newton steps.
    pub steps: u32,
    /// Evaluations of the residual, those behind products with the Jacobian included.
    pub residuals: u32,
}

impl Effort {
    fn add(&mut self, outcome: &Outcome) {
        self.steps += outcome.steps;
        self.residuals += outcome.evaluations;
    }
}

/// What shrinking found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shrinking {
    /// How the last problem ended.
    pub ending: Ending,
    /// Ratio of the last homothety.
    pub alpha: f64,
    /// Homotheties that were tried.
    pub homotheties: u32,
    /// Work of all of them.
    pub effort: Effort,
    /// Nearest points of the shrunk bodies, blown up to full size, and the direction between them before that.
    pub nearest: Option<Nearest>,
    /// The last direction, whatever the ending.
    pub last: DVec3,
}

/// Shrinks both bodies until their nearest points are found.
pub fn shrink<A, B>(pair: &Pair<'_, A, B>, options: &Options) -> Shrinking
where
    A: Support<Space> + Implicit<Space> + ?Sized,
    B: Support<Space> + Implicit<Space> + ?Sized,
{
    let line = pair.centre_line();
    let room = ROOM * Kkt::new(pair, 1.0, options).room(line);
    let mut alpha = if options.shrink_further { options.alpha.min(room) } else { options.alpha };
    let mut found = Shrinking {
        ending: Ending::CentresCoincide,
        alpha,
        homotheties: 0,
        effort: Effort::default(),
        nearest: None,
        last: line,
    };
    // Not `room <= 0`: a room that is not a number is none either.
    if !(alpha > 0.0 && room > 0.0) {
        return found;
    }
    while found.homotheties < MAX_HOMOTHETIES {
        found.alpha = alpha;
        found.homotheties += 1;
        let kkt = Kkt::new(pair, alpha, options);
        let outcome = newton::solve(|u| kkt.residual(u), &kkt.start(line), collapsed);
        found.effort.add(&outcome);
        found.ending = ending(&outcome);
        let (x_1, x_2) = points(&outcome.u);
        found.last = (x_2 - x_1).try_normalize().unwrap_or(line);
        if found.ending == Ending::Converged {
            let (from_a, from_b) = kkt.material(&outcome.u);
            found.nearest = Some(Nearest {
                c: found.last,
                x_a: from_a * pair.size,
                x_b: from_b * pair.size + pair.offset,
            });
        }
        if found.ending != Ending::Collapsed || !options.shrink_further {
            break;
        }
        // Twice the shrinkage, down to half the size.
        alpha = (2.0 * alpha - 1.0).max(0.5 * alpha);
    }
    found
}

/// Nearest points of full-size bodies that are apart, from those of the shrunk bodies.
pub fn nearest_apart<A, B>(
    pair: &Pair<'_, A, B>,
    shrunk: &Nearest,
    options: &Options,
) -> (Option<Nearest>, Effort)
where
    A: Support<Space> + Implicit<Space> + ?Sized,
    B: Support<Space> + Implicit<Space> + ?Sized,
{
    let kkt = Kkt::new(pair, 1.0, options);
    let start = kkt.start_on_surface(shrunk.x_a / pair.size, (shrunk.x_b - pair.offset) / pair.size);
    let outcome = newton::solve(|u| kkt.residual(u), &start, |_| false);
    let mut effort = Effort::default();
    effort.add(&outcome);
    let (x_1, x_2) = points(&outcome.u);
    let accepted = outcome.status == Status::Converged && multipliers_are_positive(&outcome.u);
    let nearest = (x_2 - x_1).try_normalize().filter(|_| accepted).map(|c| Nearest {
        c,
        x_a: x_1 * pair.size,
        x_b: x_2 * pair.size,
    });
    (nearest, effort)
}

fn collapsed(u: &State) -> bool {
    let (x_1, x_2) = points(u);
    x_1.distance(x_2) <= COLLAPSED
}

fn ending(outcome: &Outcome) -> Ending {
    match outcome.status {
        Status::Stopped => Ending::Collapsed,
        Status::Converged if collapsed(&outcome.u) => Ending::Collapsed,
        Status::Converged if !multipliers_are_positive(&outcome.u) => Ending::WrongSide,
        Status::Converged => Ending::Converged,
        Status::Stalled => Ending::Stalled,
        Status::LimitReached => Ending::LimitReached,
    }
}

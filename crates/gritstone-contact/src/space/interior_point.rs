//! `interior-point`: the minimal distance problem with squared slacks, on bodies shrunk until they are apart.
//!
//! **Idea.** The nearest points of two bodies minimise their distance subject to `f_i(x_i) + s_i² = 0`: squared slacks
//! let the iteration run through the inside of the bodies. The optimality conditions are ten equations, solved by
//! Newton's method; each step is a GMRES solve that needs only products with the Jacobian, taken as differences of
//! the residual. Overlapping bodies have no nearest points, so both are shrunk about their centres by a homothety of
//! ratio α until they are apart, and the overlap is rebuilt by the inverse homothety.
//!
//! **Source.** Podlozhnyuk and Kloss \[podlozhnyuk\], a two-page abstract without equation numbers; the shrinking
//! follows Wachs et al. 2012 \[wachs2012\], GMRES is Saad and Schultz 1986 \[saad1986\].
//!
//! **Notation.** x1, x2: points of a and b; λ1, λ2: multipliers; s1, s2: slacks; f: shape function, zero on the
//! surface; N: Minkowski gauge, F: inside-outside function of a shape; α: ratio of the homothety; c: unit vector from
//! x1 to x2, the common normal of the shrunk bodies; g(c): lower bound of the signed distance (see [`Pair`]).
//!
//! **Deviations.** What the abstract writes, and what it leaves open, is an option or a named constant:
//! - The objective is `½‖x1 − x2‖²`; [`Objective::Distance`] is the abstract's `‖x1 − x2‖`, whose gradient jumps where
//!   the points meet and which fails on several pairs in a hundred even for ellipsoids.
//! - The shape function is `N² − 1`; [`ShapeFunction::InsideOutside`] is `F − 1`, which grows like a power of 2/ε and
//!   fails far more often on boxy shapes.
//! - The start (0.98 of the way to the surface on the line between the centres, slacks 0.1), the forcing term, the
//!   backtracking and α are ours. α is 0.99, less where the bodies meet on the line between the centres anyway, and
//!   is reduced further while x1 and x2 coincide: with squared slacks, x1 = x2 with λ = 0 satisfies all equations, so
//!   "necessary and sufficient" is not true of this form.
//! - Homotheties keep normals: the rebuilt points are the support points of the full-size bodies along c and −c. They
//!   do not face each other, so the distance between them ([`Reconstruction::Homothety`], the abstract's way) is no
//!   depth: its error is of first order in 1 − α. What they overlap along c is g(c), off by second order
//!   ([`Reconstruction::FullDepth`]); a few steps of `support-newton` from c remove the rest
//!   ([`Reconstruction::Polished`], the default).
//! - When c separates the full-size bodies, the problem is solved once more without shrinking, from the rebuilt
//!   points: the distance is then the method's own, whatever the reconstruction.
//!
//! **Fails when.** Edges are sharp: ∇N behaves like `|x_i|^(2/ε − 1)` near a plane of symmetry, Newton's iteration on
//! `|x|^p` diverges for p < ½, that is ε > 4/3, and backtracking then stalls; now and then it stalls on flat faces, too.
//! Such pairs are [`Verdict::Unresolved`], never a guess; so are bodies with coincident centres. Polyhedra, whose ∇N jumps,
//! are refused. Deep overlaps can end in another local optimum than the least one, as with any local method.
//!
//! **Cost.** About ten Newton steps, each up to ten residuals (both shape functions with gradients): ten to twenty
//! times the evaluations of `support-newton`. No allocation.

mod kkt;
mod newton;
mod rebuild;
mod shrink;

use gritstone_core::{Contact, Space};
use gritstone_shape::space::Solid;
use gritstone_shape::{Implicit, Support};

pub use self::rebuild::{Rebuilt, Reconstruction, rebuild};
pub use self::shrink::{Effort, Ending, Nearest, Shrinking, nearest_apart, shrink};
use super::method::{Method, Placed, Scratch};
use super::pair::{Pair, PairJet};
use crate::{Answer, Card, Doubt, Goal, Query, Refusal, Verdict};

/// What is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// `½‖x1 − x2‖²`, smooth also where the points meet.
    #[default]
    HalfSquare,
    /// `‖x1 − x2‖`, as the abstract has it.
    Distance,
}

/// The function whose zero set is the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeFunction {
    /// `N² − 1` with the Minkowski gauge N: quadratic along every ray, whatever the exponents.
    #[default]
    SquaredGauge,
    /// `F − 1` with the inside-outside function F.
    InsideOutside,
}

/// Choices that the abstract leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What is minimised.
    pub objective: Objective,
    /// The function whose zero set is the surface.
    pub shape_function: ShapeFunction,
    /// Ratio of the first homothety, in (0, 1].
    pub alpha: f64,
    /// Whether bodies that still overlap are shrunk further.
    pub shrink_further: bool,
    /// How the overlap is rebuilt.
    pub reconstruction: Reconstruction,
}

impl Options {
    /// `½‖x1 − x2‖²`, `N² − 1`, α = 0.99 and further, polished.
    pub const DEFAULT: Self = Self {
        objective: Objective::HalfSquare,
        shape_function: ShapeFunction::SquaredGauge,
        alpha: 0.99,
        shrink_further: true,
        reconstruction: Reconstruction::Polished,
    };

    /// The abstract to the letter: `‖x1 − x2‖`, `F − 1`, α = 0.99, plain inverse homothety.
    pub const LITERAL: Self = Self {
        objective: Objective::Distance,
        shape_function: ShapeFunction::InsideOutside,
        reconstruction: Reconstruction::Homothety,
        ..Self::DEFAULT
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The interior point method of Podlozhnyuk and Kloss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InteriorPoint {
    /// Choices that the abstract leaves open.
    pub options: Options,
}

impl InteriorPoint {
    /// The method as it stands in the table: [`Options::DEFAULT`], hence polished.
    pub const POLISHED: Self = Self { options: Options::DEFAULT };
}

impl Method for InteriorPoint {
    fn card(&self) -> Card {
        Card {
            name: "interior-point",
            source: "Podlozhnyuk and Kloss: squared-slack KKT system, Newton with GMRES, homothetic shrinking",
            shapes: "smooth shapes with an inside-outside function",
            guarantee: "distance when apart, local optimum when overlapping; sharp edges often unresolved",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        _: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        // The gauge of a polytope jumps in its gradient: no pair would ever be resolved.
        let smooth = |shape: &'_ Solid| shape.polytope().is_none();
        let bodies = a.shape.implicit().zip(b.shape.implicit());
        let Some((body_a, body_b)) = bodies.filter(|_| smooth(a.shape) && smooth(b.shape)) else {
            return Err(a.refused(b, self.card()));
        };
        Ok(self.solve_pair(&Pair::new(body_a, &a.pose, body_b, &b.pose), query))
    }
}

impl InteriorPoint {
    /// Solves a pair of any two bodies with an inside-outside function. A start direction is not used.
    ///
    /// [`Answer::iterations`] counts Newton steps and those of the polish; [`Answer::evaluations`] counts residuals,
    /// each of which evaluates both shape functions with gradients, and pairs of support points.
    pub fn solve_pair<A, B>(&self, pair: &Pair<'_, A, B>, query: Query<Space>) -> Answer<Space>
    where
        A: Support<Space> + Implicit<Space> + ?Sized,
        B: Support<Space> + Implicit<Space> + ?Sized,
    {
        let shrunk = shrink(pair, &self.options);
        let mut progress = Progress::new(pair, shrunk.effort);
        let Some(nearest) = shrunk.nearest else {
            let jet = progress.see(pair.jet(shrunk.last));
            let (best, doubt) = (contact(pair, &jet), doubt(shrunk.ending));
            return progress.answer(Verdict::Unresolved { best, doubt });
        };
        let jet = progress.see(pair.jet(nearest.c));
        let apart = jet.sample.g > 0.0;
        if apart {
            if query.goal == Goal::Detect {
                return progress.answer(Verdict::Apart { at_least: jet.sample.g, along: jet.sample.c });
            }
            if let Some(contact) = self.solve_apart(pair, &nearest, &mut progress) {
                return progress.answer(Verdict::Solved(contact));
            }
        }
        let rebuilt = rebuild(pair, &nearest, self.options.reconstruction);
        progress.include(&rebuilt);
        // Only the polish can stand in for the solve without shrinking.
        let trusted =
            rebuilt.converged && (!apart || self.options.reconstruction == Reconstruction::Polished);
        progress.answer(if trusted {
            Verdict::Solved(rebuilt.contact)
        } else {
            Verdict::Unresolved { best: rebuilt.contact, doubt: Doubt::NotConverged }
        })
    }

    /// The nearest points without shrinking, from those of the shrunk bodies; `None` where they are not found.
    fn solve_apart<A, B>(
        &self,
        pair: &Pair<'_, A, B>,
        shrunk: &Nearest,
        progress: &mut Progress,
    ) -> Option<Contact<Space>>
    where
        A: Support<Space> + Implicit<Space> + ?Sized,
        B: Support<Space> + Implicit<Space> + ?Sized,
    {
        let (nearest, effort) = nearest_apart(pair, shrunk, &self.options);
        progress.add(effort);
        let nearest = nearest?;
        let jet = progress.see(pair.jet(nearest.c));
        progress.upper = progress.upper.min(distance_inside(pair, &nearest));
        let gap = nearest.x_a.distance(nearest.x_b);
        // Points that meet up to rounding have no direction between them: c must prove their distance.
        if jet.sample.g < gap - pair.tolerance() {
            return None;
        }
        Some(pair.contact(nearest.c, gap, nearest.x_a, nearest.x_b, jet.curvature()))
    }
}

/// Why a pair whose shrunk bodies were not solved is unresolved.
fn doubt(ending: Ending) -> Doubt {
    match ending {
        Ending::CentresCoincide => Doubt::CentresCoincide,
        Ending::WrongSide | Ending::Collapsed => Doubt::NotAccepted,
        Ending::Converged | Ending::Stalled | Ending::LimitReached => Doubt::NotConverged,
    }
}

/// The contact of one direction: depth g(c) between the support points.
fn contact<A: ?Sized, B: ?Sized>(pair: &Pair<'_, A, B>, jet: &PairJet) -> Contact<Space> {
    let s = &jet.sample;
    pair.contact(s.c, s.g, s.x_a, s.x_b, jet.curvature())
}

/// Distance of the two points once they are pulled into the bodies they may stick out of by rounding.
fn distance_inside<A, B>(pair: &Pair<'_, A, B>, nearest: &Nearest) -> f64
where
    A: Implicit<Space> + ?Sized,
    B: Implicit<Space> + ?Sized,
{
    let (from_a, from_b) = (nearest.x_a, nearest.x_b - pair.offset);
    let x_a = from_a / pair.a.gauge(pair.frame_a.transpose() * from_a).max(1.0);
    let x_b = from_b / pair.b.gauge(pair.frame_b.transpose() * from_b).max(1.0) + pair.offset;
    x_a.distance(x_b)
}

/// Bounds and counts as they grow.
struct Progress {
    lower: f64,
    upper: f64,
    tolerance: f64,
    iterations: u32,
    evaluations: u32,
}

impl Progress {
    fn new<A, B>(pair: &Pair<'_, A, B>, effort: Effort) -> Self
    where
        A: Support<Space> + ?Sized,
        B: Support<Space> + ?Sized,
    {
        // The direction between the centres bounds the answer when all else fails.
        let line = pair.sample(pair.centre_line());
        Self {
            lower: line.g,
            upper: line.d.length(),
            tolerance: pair.tolerance(),
            iterations: effort.steps,
            evaluations: effort.residuals + 1,
        }
    }

    fn see(&mut self, jet: PairJet) -> PairJet {
        self.lower = self.lower.max(jet.sample.g);
        self.upper = self.upper.min(jet.sample.d.length());
        self.evaluations += 1;
        jet
    }

    fn add(&mut self, effort: Effort) {
        self.iterations += effort.steps;
        self.evaluations += effort.residuals;
    }

    fn include(&mut self, rebuilt: &Rebuilt) {
        self.lower = self.lower.max(rebuilt.lower);
        self.upper = self.upper.min(rebuilt.upper);
        self.iterations += rebuilt.steps;
        self.evaluations += rebuilt.evaluations;
    }

    fn answer(self, verdict: Verdict<Space>) -> Answer<Space> {
        let Self { lower, upper, tolerance, iterations, evaluations } = self;
        Answer::new(verdict, [lower, upper], tolerance, [iterations, evaluations])
    }
}

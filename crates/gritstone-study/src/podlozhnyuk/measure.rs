//! One generated pair, solved by the method and by `support-newton`.

use gritstone_contact::space::interior_point::{
    Ending, Nearest, Options, Reconstruction, nearest_apart, rebuild, shrink,
};
use gritstone_contact::space::{Auto, Method, Pair, Scratch, SupportNewton};
use gritstone_contact::{Answer, Query, Verdict};
use gritstone_core::Space;
use gritstone_shape::space::Solid;
use gritstone_shape::{Implicit, Support};

use crate::generate::Case;

/// Two signed distances differ when they are farther apart than this part of the smaller grain's size.
const DIFFERENT: f64 = 1e-8;

/// Shrinking, and what the rebuilt points are worth without a polish.
pub(super) struct Shrunk {
    /// How the last problem ended.
    pub(super) ending: Ending,
    /// Homotheties that were tried.
    pub(super) homotheties: u32,
    /// Newton steps.
    pub(super) steps: u32,
    /// Evaluations of the residual.
    pub(super) residuals: u32,
    /// Errors of the distance by plain inverse homothety and along the normal, as a share of the distance.
    pub(super) errors: Option<[f64; 2]>,
}

/// A pair and all that was made of it.
pub(super) struct Measured {
    pub(super) shrunk: Shrunk,
    pub(super) polish: Option<Polish>,
    pub(super) apart: Option<Apart>,
    pub(super) newton: Newton,
    /// The largest of the four exponents.
    pub(super) sharpest: f64,
}

/// The polish from the direction of the shrunk bodies.
pub(super) struct Polish {
    /// Error of the distance as a share of it.
    pub(super) error: f64,
    /// Pairs of support points that were evaluated.
    pub(super) evaluations: u32,
    /// Whether it converged.
    pub(super) converged: bool,
    /// Whether it converged to something else than the signed distance.
    pub(super) wrong: bool,
}

/// The problem without shrinking, for bodies that are apart and were shrunk successfully.
pub(super) struct Apart {
    /// Whether the direction of the shrunk bodies separates the full-size ones; only then is it solved.
    pub(super) separated: bool,
    /// Evaluations of the residual.
    pub(super) residuals: u32,
    /// Error of the distance, as a share of the smaller grain's size, if it converged.
    pub(super) error: Option<f64>,
}

/// `support-newton` on the same pair.
pub(super) struct Newton {
    pub(super) evaluations: u32,
    pub(super) resolved: bool,
    pub(super) wrong: bool,
}

type Bodies<'s> = Pair<'s, dyn Implicit<Space> + 's, dyn Implicit<Space> + 's>;

/// The bodies of a case; none if one of them has no inside-outside function.
fn bodies(case: &Case) -> Option<Bodies<'_>> {
    Some(Pair::new(case.a.implicit()?, &case.pose_a, case.b.implicit()?, &case.pose_b))
}

/// The signed distance of a pair that was built around a contact, if the two have the same sign: near sharp edges a pair
/// that was built to overlap may be apart.
fn truth(case: &Case, scratch: &mut Scratch) -> Option<f64> {
    let built = case.built?.distance;
    if built > 0.0 {
        return Some(built);
    }
    let auto = Auto.solve(case.placed_a(), case.placed_b(), Query::default(), scratch).ok()?;
    // An overlap that `auto` could not prove counts as it was built.
    let distance = if auto.certified() { auto.distance() } else { built };
    (distance < 0.0).then_some(distance)
}

/// Solves a pair; nothing if it is not what it was built to be.
pub(super) fn measure(case: &Case, scratch: &mut Scratch) -> Option<Measured> {
    let truth = truth(case, scratch)?;
    let newton = SupportNewton.solve(case.placed_a(), case.placed_b(), Query::default(), scratch).ok()?;
    let wrong = |gap: f64| (gap - truth).abs() > DIFFERENT * case.size();
    let pair = bodies(case)?;
    let (shrunk, nearest) = shrink_with(&pair, &Options::DEFAULT, truth);
    let polish = nearest.map(|nearest| {
        let rebuilt = rebuild(&pair, &nearest, Reconstruction::Polished);
        let (gap, converged) = (rebuilt.contact.gap, rebuilt.converged);
        let error = relative(gap, truth);
        Polish { error, evaluations: rebuilt.evaluations, converged, wrong: converged && wrong(gap) }
    });
    let apart = nearest.filter(|_| truth > 0.0).map(|nearest| solve_apart(&pair, &nearest, truth));
    let newton = Newton::of(&newton, wrong(newton.distance()));
    let sharpest = exponents(&case.a).chain(exponents(&case.b)).fold(0.0, f64::max);
    Some(Measured { shrunk, polish, apart, newton, sharpest })
}

/// Shrinks a pair; nothing if it is not what it was built to be.
pub(super) fn shrink_only(case: &Case, options: &Options, scratch: &mut Scratch) -> Option<Shrunk> {
    let truth = truth(case, scratch)?;
    let pair = bodies(case)?;
    Some(shrink_with(&pair, options, truth).0)
}

fn shrink_with(pair: &Bodies<'_>, options: &Options, truth: f64) -> (Shrunk, Option<Nearest>) {
    let found = shrink(pair, options);
    let errors = found.nearest.map(|nearest| {
        [Reconstruction::Homothety, Reconstruction::FullDepth]
            .map(|how| relative(rebuild(pair, &nearest, how).contact.gap, truth))
    });
    let shrunk = Shrunk {
        ending: found.ending,
        homotheties: found.homotheties,
        steps: found.effort.steps,
        residuals: found.effort.residuals,
        errors,
    };
    (shrunk, found.nearest)
}

fn solve_apart(pair: &Bodies<'_>, nearest: &Nearest, truth: f64) -> Apart {
    if pair.sample(nearest.c).g <= 0.0 {
        return Apart { separated: false, residuals: 0, error: None };
    }
    let (full, effort) = nearest_apart(pair, nearest, &Options::DEFAULT);
    let error = full.map(|full| (full.x_a.distance(full.x_b) - truth).abs() / pair.size);
    Apart { separated: true, residuals: effort.residuals, error }
}

/// Exponents of a shape; those of an ellipsoid are one.
fn exponents(shape: &Solid) -> impl Iterator<Item = f64> {
    let exponents = match shape {
        Solid::Superellipsoid(shape) => shape.exponents(),
        _ => [1.0; 2],
    };
    exponents.into_iter()
}

fn relative(gap: f64, truth: f64) -> f64 {
    ((gap - truth) / truth).abs()
}

impl Newton {
    fn of(answer: &Answer<Space>, wrong: bool) -> Self {
        let resolved = !matches!(answer.verdict, Verdict::Unresolved { .. });
        Self { evaluations: answer.evaluations, resolved, wrong: resolved && wrong }
    }
}

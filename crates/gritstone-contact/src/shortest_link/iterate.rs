//! The iteration from link to link (\[nezami2006\], section 3.5).

use gritstone_core::{Linear, Vector};

use crate::polytopes::{Blocks, Ends, Feature, Polytopes, Site};
use crate::tolerance;

/// Iterations of the published form; without the special cases many never end.
pub const MOST_ITERATIONS: u32 = 1000;

/// What is done in an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nearest points in turn, without the special cases.
    Plain,
    /// As published, with the special cases in place of nearest points.
    Published,
    /// As published, but a special case that changes nothing does not end the iteration: nearest points must agree.
    Verified,
}

/// Where an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<D: Polytopes> {
    /// P and Q.
    pub ends: Ends<D>,
    /// Iterations that were made.
    pub iterations: u32,
    /// Whether the last one changed nothing, or was proven.
    pub converged: bool,
}

/// Section 3.5 from the link `start`, with at most `limit` iterations. Where an iteration ends on the features that it began
/// with, `proven` may end it.
pub fn iterate<D: Polytopes>(
    blocks: &Blocks<'_, D>,
    start: Ends<D>,
    form: Form,
    limit: u32,
    mut proven: impl FnMut(&Ends<D>) -> bool,
) -> Link<D> {
    let mut ends = start;
    for iterations in 1..=limit {
        let special = if form == Form::Plain { None } else { D::special(blocks, &ends) };
        let mut next = special.unwrap_or_else(|| nearest_in_turn(blocks, &ends));
        if form == Form::Verified && special.is_some() && unchanged(blocks, &ends, &next) {
            next = nearest_in_turn(blocks, &ends);
        }
        let settled = unchanged(blocks, &ends, &next);
        let same = (0..2).all(|i| ends[i].feature == next[i].feature);
        ends = next;
        if settled || (same && proven(&ends)) {
            return Link { ends, iterations, converged: true };
        }
    }
    Link { ends, iterations: limit, converged: false }
}

/// Steps 1 and 2.
fn nearest_in_turn<D: Polytopes>(blocks: &Blocks<'_, D>, ends: &Ends<D>) -> Ends<D> {
    let p = D::nearest(blocks.a, ends[0], blocks.from_b(ends[1].point));
    let q = D::nearest(blocks.b, ends[1], blocks.to_b(p.point));
    [p, q]
}

/// Whether `Pⁱ = Pⁱ⁻¹` and `Qⁱ = Qⁱ⁻¹`.
fn unchanged<D: Polytopes>(blocks: &Blocks<'_, D>, before: &Ends<D>, after: &Ends<D>) -> bool {
    let least = tolerance::CONVERGENCE * blocks.size;
    (0..2).all(|i| (after[i].point - before[i].point).length() <= least)
}

/// Section 3.5.1 without a last link: the vertices of both bodies that are nearest to the plane that bisects the line of
/// their centroids, on either side of it.
pub fn published_start<D: Polytopes>(blocks: &Blocks<'_, D>) -> Ends<D> {
    let (c, half) = (blocks.centre_line(), 0.5 * blocks.offset.length());
    let along = D::into_frame(&blocks.turn, c);
    let nearest = |hull: &D::Hull, height: &dyn Fn(D::Vec) -> f64| {
        let vertices = D::vertices(hull);
        let off = |i: &usize| height(vertices[*i]).abs();
        let number = (0..vertices.len()).min_by(|i, j| off(i).total_cmp(&off(j))).unwrap_or(0);
        at_vertex(hull, number as u32)
    };
    [nearest(blocks.a, &|x| c.dot(x) - half), nearest(blocks.b, &|x| along.dot(x) + half)]
}

/// The vertices that face each other along the unit direction `c`.
pub fn supports<D: Polytopes>(blocks: &Blocks<'_, D>, c: D::Vec) -> Ends<D> {
    let [v, w] = blocks.trial(c).at;
    [at_vertex(blocks.a, v), at_vertex(blocks.b, w)]
}

fn at_vertex<D: Polytopes>(hull: &D::Hull, vertex: u32) -> Site<D> {
    Site { feature: Feature::Vertex(vertex), point: D::vertices(hull)[vertex as usize] }
}

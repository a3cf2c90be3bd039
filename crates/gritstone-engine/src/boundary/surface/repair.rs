//! Degenerate triangles are taken out of a mesh so that it stays closed.
//!
//! A triangle with two corners in one point collapses to an edge: the triangles on either side of it become neighbours. One whose
//! corners lie on a line covers its longest side twice: the triangle beyond that side is split at the third corner. Programs that
//! write STL files make both, where they cut surfaces along edges that nearly meet.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::mesh::MeshError;

/// Splits per triangle of the file, beyond which a mesh is given up.
const MOST_SPLITS: usize = 4;

/// Triangles with area.
pub(super) struct Repaired {
    pub(super) triangles: Vec<[u32; 3]>,
    /// The triangle of the file that each of them is, or is a part of.
    pub(super) sources: Vec<usize>,
    /// How many triangles of the file are gone.
    pub(super) dropped: usize,
}

/// Takes out triangles whose height is at most `thin`.
pub(super) fn drop_degenerate(
    points: &[DVec3],
    triangles: Vec<[u32; 3]>,
    thin: f64,
) -> Result<Repaired, MeshError> {
    let count = triangles.len();
    let is_thin = |triangle: &[u32; 3]| is_degenerate(points, *triangle, thin);
    let mut work: Vec<usize> = (0..count).rev().filter(|&i| is_thin(&triangles[i])).collect();
    let mut sources: Vec<usize> = (0..count).collect();
    if work.is_empty() {
        return Ok(Repaired { triangles, sources, dropped: 0 });
    }
    let mut kept: Vec<Option<[u32; 3]>> = triangles.into_iter().map(Some).collect();
    let mut beyond: HashMap<(u32, u32), usize> = HashMap::new();
    for (i, triangle) in kept.iter().flatten().enumerate() {
        beyond.extend(sides(*triangle).map(|side| (side, i)));
    }
    let mut splits = 0;
    while let Some(i) = work.pop() {
        let Some(triangle) = kept[i].take() else { continue };
        remove(&mut beyond, triangle, i);
        let Some([from, to, third]) = longest_side(points, triangle) else { continue };
        let Some(&next) = beyond.get(&(to, from)) else { continue };
        let Some(neighbour) = kept[next].take() else { continue };
        splits += 1;
        if splits > MOST_SPLITS * count {
            return Err(MeshError::Degenerate(sources[i] + 1));
        }
        remove(&mut beyond, neighbour, next);
        let Some(&apex) = neighbour.iter().find(|&&v| v != from && v != to) else { continue };
        let place = kept.len();
        kept.push(None);
        sources.push(sources[next]);
        for (slot, part) in [(next, [to, third, apex]), (place, [third, from, apex])] {
            kept[slot] = Some(part);
            beyond.extend(sides(part).map(|side| (side, slot)));
            if is_thin(&part) {
                work.push(slot);
            }
        }
    }
    let (triangles, sources): (Vec<_>, Vec<_>) =
        kept.into_iter().zip(sources).filter_map(|(triangle, source)| Some((triangle?, source))).unzip();
    let left: HashSet<usize> = sources.iter().copied().collect();
    Ok(Repaired { triangles, sources, dropped: count - left.len() })
}

/// Whether two corners are one, or the height over the longest side is too small.
fn is_degenerate(points: &[DVec3], [a, b, c]: [u32; 3], thin: f64) -> bool {
    let [p, q, r] = [a, b, c].map(|v| points[v as usize]);
    let longest = (q - p).length().max((r - q).length()).max((p - r).length());
    a == b || b == c || c == a || (q - p).cross(r - p).length() <= thin * longest
}

fn sides([a, b, c]: [u32; 3]) -> [(u32, u32); 3] {
    [(a, b), (b, c), (c, a)]
}

/// Forgets the sides of a triangle, where another has not taken their place.
fn remove(beyond: &mut HashMap<(u32, u32), usize>, triangle: [u32; 3], index: usize) {
    for side in sides(triangle) {
        if beyond.get(&side) == Some(&index) {
            beyond.remove(&side);
        }
    }
}

/// The ends of the longest side and the third corner; none if two corners are one.
fn longest_side(points: &[DVec3], [a, b, c]: [u32; 3]) -> Option<[u32; 3]> {
    if a == b || b == c || c == a {
        return None;
    }
    let length = |[from, to, _]: &[u32; 3]| points[*from as usize].distance(points[*to as usize]);
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().max_by(|p, q| length(p).total_cmp(&length(q)))
}

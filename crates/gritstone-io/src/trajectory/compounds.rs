//! What a trajectory says of compounds: their parts, and one surface for those who draw a grain as one thing.

use gritstone_core::{Pose, Vector as _};
use gritstone_engine::Compound;
use serde_json::{Value, json};

use super::describe::{LEVELS, list, piece, surface};
use crate::skin::{Fit, Skin, Surfaces, Wardrobe};

/// Adds to what is told of a compound's first part.
pub(super) fn tell<D: Surfaces>(
    told: &mut Value,
    compound: &Compound<D>,
    fits: &[(Fit<D>, Pose<D>)],
    prototype: usize,
) {
    let parts = compound.parts().iter().zip(fits).map(|(part, (fit, pose))| {
        let mut told = piece::<D>(&part.shape, fit);
        told["position"] = json!(list::<D>(pose.position));
        told["rotation"] = json!(D::quaternion(pose.rotation));
        told
    });
    told["parts"] = parts.collect();
    told["volume"] = json!(compound.mass().volume);
    told["prototype"] = json!(prototype);
    told["scale"] = json!(vec![1.0; D::N]);
    told["centroid"] = json!(vec![0.0; D::N]);
}

/// The surface of all parts in space, at every level of detail; in the plane, where it must be one convex polygon, their hull.
pub(super) fn prototype<D: Surfaces>(wardrobe: &Wardrobe<D>, fits: &[(Fit<D>, Pose<D>)]) -> Value {
    let mut levels: Vec<Skin<D>> = LEVELS.iter().map(|detail| joined(wardrobe, fits, *detail)).collect();
    levels.dedup();
    json!({ "shape": { "shape": "compound" }, "levels": levels.iter().map(surface).collect::<Vec<_>>() })
}

fn joined<D: Surfaces>(wardrobe: &Wardrobe<D>, fits: &[(Fit<D>, Pose<D>)], detail: u32) -> Skin<D> {
    let mut skin = Skin { points: Vec::new(), normals: Vec::new(), faces: Vec::new(), corners: 3 };
    for (fit, pose) in fits {
        let Some(part) = D::skin(&wardrobe.units[fit.unit], detail) else { continue };
        let first = skin.points.len() as u32;
        skin.points.extend(part.points.iter().map(|&x| pose.to_world(fit.point(x))));
        skin.normals.extend(part.normals.iter().map(|&n| D::rotate(pose.rotation, fit.normal(n))));
        skin.faces.extend(part.faces.iter().map(|vertex| first + vertex));
    }
    if D::N == 2 {
        skin.points = hull::<D>(skin.points);
        skin.faces = (0..skin.points.len() as u32).collect();
        skin.corners = skin.points.len();
    }
    skin
}

/// The convex hull of points in the plane, counter-clockwise (Andrew 1979).
fn hull<D: Surfaces>(mut points: Vec<D::Vec>) -> Vec<D::Vec> {
    let key = |v: &D::Vec| (v.component(0), v.component(1));
    points.sort_by(|a, b| key(a).0.total_cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    let turns_left = |a: D::Vec, b: D::Vec, c: D::Vec| {
        let ((ux, uy), (vx, vy)) = (key(&(b - a)), key(&(c - b)));
        ux * vy - uy * vx > 0.0
    };
    let chain = |points: &mut dyn Iterator<Item = D::Vec>| {
        let mut chain: Vec<D::Vec> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !turns_left(a, b, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut around = chain(&mut points.iter().copied());
    around.extend(chain(&mut points.iter().rev().copied()));
    around
}

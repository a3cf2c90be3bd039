//! Surfaces with bumps as wide as grains: their facets, in groups that look about the same way, and how deep they are in a grain.
//!
//! **Idea.** See [`gritstone_force::facets`]. The parts of the facets that are in a grain are found by cutting every facet by the grain's
//! faces; each part is cut on into those that are nearest to one of the faces, over which the depth is linear.
//!
//! Surfaces whose bumps are all much wider than grains keep [contacts with the body behind each feature](super::local_body).

use glam::DVec3;
use gritstone_contact::Placed;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Pose, Space};
use gritstone_force::{FacetMoments, Wrench};
use gritstone_shape::Support as _;
use gritstone_shape::space::Solid;

use super::box_tree::Tree;
use super::mesh::TriangleMesh;

/// Cosine of the largest angle between facets of a group and its first one: 20°.
const ALIKE: f64 = 0.94;
/// Sine of the angle at which facets meet that is a bend: 5°.
const BENT: f64 = 0.087;
/// How wide a group between bends both ways is at most to be a side of a bump, relative to the size of the largest grain.
const WIDE: f64 = 4.0;

/// The facets of a surface.
#[derive(Clone, Debug)]
pub struct FacetSet {
    /// Corners in the surface's own frame.
    triangles: Vec<[DVec3; 3]>,
    groups: Vec<u32>,
    tree: Tree<Space>,
}

/// Integrals over the groups that a grain touches, and space to find them in.
#[derive(Clone, Debug, Default)]
pub struct FacetWork {
    /// Groups with what is in the grain.
    pub(crate) sums: Vec<(u32, FacetMoments)>,
    planes: Vec<(DVec3, f64)>,
    part: Vec<DVec3>,
    cell: Vec<DVec3>,
    cut: Vec<DVec3>,
}

impl FacetSet {
    /// Of a surface with bumps as wide as grains of this size; none of another one.
    pub(crate) fn of(mesh: &TriangleMesh, largest: f64) -> Option<Self> {
        let areas: Vec<DVec3> = (0..mesh.fronts).map(|t| mesh.area(t)).collect();
        let groups = groups(mesh, &areas);
        has_bumps(mesh, &areas, &groups, largest).then(|| Self::new(mesh, groups))
    }

    fn new(mesh: &TriangleMesh, groups: Vec<u32>) -> Self {
        let count = mesh.fronts;
        let triangles: Vec<[DVec3; 3]> = (0..count).map(|t| mesh.corners(t)).collect();
        let bounds = |[a, b, c]: &[DVec3; 3]| [a.min(*b).min(*c), a.max(*b).max(*c)];
        let tree = Tree::new(&triangles.iter().map(bounds).collect::<Vec<_>>());
        Self { triangles, groups, tree }
    }

    /// Adds what of a surface at this pose is in a grain; positions are from `origin`.
    pub(crate) fn integrate(
        &self,
        place: &Pose<Space>,
        grain: Placed<'_, Space>,
        origin: DVec3,
        work: &mut FacetWork,
    ) {
        work.set_planes(grain, origin);
        self.tree.near(place.to_body(grain.pose.position), grain.shape.size(), |number| {
            let corners = self.triangles[number].map(|x| place.to_world(x) - origin);
            work.add(&corners, self.groups[number]);
        });
    }

    /// Whether any facet of a surface at this pose is in a grain.
    pub(crate) fn any_inside(&self, place: &Pose<Space>, grain: Placed<'_, Space>) -> bool {
        let mut work = FacetWork::default();
        work.set_planes(grain, grain.pose.position);
        let mut found = false;
        self.tree.near(place.to_body(grain.pose.position), grain.shape.size(), |number| {
            found = found || {
                let corners = self.triangles[number].map(|x| place.to_world(x) - grain.pose.position);
                work.cut_out(&corners)
            };
        });
        found
    }
}

/// Groups of facets that hang together and look about as the largest of them.
fn groups(mesh: &TriangleMesh, areas: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..areas.len()).collect();
    order.sort_by(|&a, &b| areas[b].length().total_cmp(&areas[a].length()).then(a.cmp(&b)));
    let mut groups = vec![u32::MAX; areas.len()];
    let mut reached = Vec::new();
    let mut number = 0;
    for seed in order {
        if groups[seed] != u32::MAX {
            continue;
        }
        let normal = areas[seed].normalize();
        groups[seed] = number;
        reached.push(seed);
        while let Some(t) = reached.pop() {
            for other in mesh.beyond[t].map(|other| other as usize) {
                let is_free = other < areas.len() && groups[other] == u32::MAX;
                if is_free && areas[other].normalize().dot(normal) > ALIKE {
                    groups[other] = number;
                    reached.push(other);
                }
            }
        }
        number += 1;
    }
    groups
}

/// Whether there are sides of bumps: groups that are no wider than grains, with others beside them that bend away and to them.
fn has_bumps(mesh: &TriangleMesh, areas: &[DVec3], groups: &[u32], largest: f64) -> bool {
    let count = groups.iter().max().map_or(0, |last| *last as usize + 1);
    let (mut area, mut bends) = (vec![0.0; count], vec![[false; 2]; count]);
    for t in 0..areas.len() {
        let group = groups[t] as usize;
        area[group] += 0.5 * areas[t].length();
        for side in 0..3 {
            let other = mesh.beyond[t][side] as usize;
            if other >= areas.len() || groups[other] == groups[t] {
                continue;
            }
            let [from, to] = [side, (side + 1) % 3].map(|corner| mesh.corners(t)[corner]);
            let turn = areas[t].normalize().cross(areas[other].normalize()).dot((to - from).normalize());
            bends[group][0] |= turn > BENT;
            bends[group][1] |= turn < -BENT;
        }
    }
    let width = WIDE * largest;
    area.iter().zip(bends).any(|(area, bends)| bends == [true; 2] && *area < width * width)
}

impl FacetWork {
    /// Takes the faces of a grain; positions are from `origin`.
    fn set_planes(&mut self, grain: Placed<'_, Space>, origin: DVec3) {
        self.planes.clear();
        let Solid::Polyhedron(shape) = grain.shape else { return };
        let shift = grain.pose.position - origin;
        self.planes.extend(shape.polytope().faces().iter().map(|face| {
            let normal = grain.pose.rotation * face.normal;
            (normal, face.offset + normal.dot(shift))
        }));
    }

    /// Cuts the part out of a facet that is in the grain; whether there is one.
    fn cut_out(&mut self, corners: &[DVec3; 3]) -> bool {
        let Self { planes, part, cut, .. } = self;
        part.clear();
        part.extend(corners);
        for &(normal, offset) in &*planes {
            keep(part, cut, normal, offset);
            if part.is_empty() {
                return false;
            }
        }
        true
    }

    /// Adds what of a facet is in the grain.
    fn add(&mut self, corners: &[DVec3; 3], group: u32) {
        if !self.cut_out(corners) {
            return;
        }
        let Self { sums, planes, part, cell, cut } = self;
        let place = sums.iter().position(|(number, _)| *number == group).unwrap_or_else(|| {
            sums.push((group, FacetMoments::default()));
            sums.len() - 1
        });
        let sum = &mut sums[place].1;
        for (i, &(normal, offset)) in planes.iter().enumerate() {
            cell.clear();
            cell.extend_from_slice(part);
            for &(other, beyond) in planes.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, plane)| plane)
            {
                // Where this face is nearer than the other one.
                keep(cell, cut, other - normal, beyond - offset);
                if cell.is_empty() {
                    break;
                }
            }
            for k in 2..cell.len() {
                add_triangle(sum, [cell[0], cell[k - 1], cell[k]], normal, offset);
            }
        }
    }
}

/// Keeps the part of a polygon with `normal·x ≤ offset`.
fn keep(polygon: &mut Vec<DVec3>, cut: &mut Vec<DVec3>, normal: DVec3, offset: f64) {
    cut.clear();
    let count = polygon.len();
    for i in 0..count {
        let (p, q) = (polygon[i], polygon[(i + 1) % count]);
        let [at_p, at_q] = [p, q].map(|x| normal.dot(x) - offset);
        if at_p <= 0.0 {
            cut.push(p);
        }
        if (at_p > 0.0) != (at_q > 0.0) {
            cut.push(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    if cut.len() < 3 {
        cut.clear();
    }
    std::mem::swap(polygon, cut);
}

/// Adds the integrals over a triangle of a facet that is nearest to the face `normal·x = offset`.
fn add_triangle(sum: &mut FacetMoments, corners: [DVec3; 3], normal: DVec3, offset: f64) {
    let [a, b, c] = corners;
    let area = 0.5 * (b - a).cross(c - a).length();
    let depths = corners.map(|x| offset - normal.dot(x));
    let [d, e, f] = depths;
    let all = d + e + f;
    let middle = (a + b + c) / 3.0;
    // ∫λᵢ² = A/6, ∫λᵢλⱼ = A/12 over a triangle of the area A.
    let weighted = (a * (d + all) + b * (e + all) + c * (f + all)) * (area / 12.0);
    sum.depth += area * all / 3.0;
    sum.square += area / 12.0 * (all * all + d * d + e * e + f * f);
    add(&mut sum.uniform, normal * area, (middle * area).cross(normal));
    add(&mut sum.linear, normal * (2.0 * area * all / 3.0), weighted.cross(normal) * 2.0);
    sum.area += area;
    sum.first += middle * area;
    let total = a + b + c;
    let squares = (a * a + b * b + c * c + total * total) * (area / 12.0);
    let turned = |x: DVec3| DVec3::new(x.y, x.z, x.x);
    let products = (a * turned(a) + b * turned(b) + c * turned(c) + total * turned(total)) * (area / 12.0);
    let second =
        Sym3 { xx: squares.x, yy: squares.y, zz: squares.z, xy: products.x, yz: products.y, xz: products.z };
    sum.second = sum.second + second;
}

fn add(wrench: &mut Wrench, force: DVec3, torque: DVec3) {
    wrench.force += force;
    wrench.torque += torque;
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use gritstone_force::{FacetForce, Interaction};
    use gritstone_shape::space::Polyhedron;

    use super::super::Sides;
    use super::*;
    use crate::insertion::random::RandomStream;

    fn cube(edge: f64) -> Solid {
        let sign = |bit: usize| [-0.5, 0.5][bit & 1];
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::new(sign(i), sign(i >> 1), sign(i >> 2)) * edge).collect();
        Polyhedron::hull(&corners).unwrap().0.into()
    }

    /// A sheet of squares with these heights at their corners.
    fn field(count: usize, width: f64, mut height: impl FnMut() -> f64) -> TriangleMesh {
        let heights: Vec<f64> = (0..(count + 1) * (count + 1)).map(|_| height()).collect();
        let at = |i: usize, j: usize| {
            let flat = |k: usize| (k as f64 - 0.5 * count as f64) * width;
            DVec3::new(flat(i), flat(j), heights[i * (count + 1) + j])
        };
        let square = |i: usize, j: usize| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        };
        let squares = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        let triangles: Vec<_> = squares.flat_map(|(i, j)| square(i, j)).collect();
        TriangleMesh::new(&triangles, Sides::Both).unwrap()
    }

    fn force(law: &Interaction, facets: &FacetSet, grain: Placed<'_, Space>) -> Option<FacetForce> {
        let mut work = FacetWork::default();
        facets.integrate(&Pose::default(), grain, grain.pose.position, &mut work);
        let groups = work.sums.iter().filter(|(_, sums)| sums.square > 0.0);
        groups.map(|(_, sums)| law.facet_force(sums)).reduce(|a, b| a.and(&b))
    }

    /// A face of the width L at the depth δ: ∫d = L²δ − 2Lδ² + 4δ³/3 and ∫d² = L²δ² − 8Lδ³/3 + 2δ⁴, whatever the tiles.
    #[test]
    fn tiles_are_one_floor() {
        let (edge, depth, kn) = (1.2_f64, 0.02_f64, 1e5_f64);
        let volume = edge * edge * depth - 2.0 * edge * depth.powi(2) + 4.0 / 3.0 * depth.powi(3);
        let square = edge * edge * depth.powi(2) - 8.0 / 3.0 * edge * depth.powi(3) + 2.0 * depth.powi(4);
        let energy = 0.5 * kn * (square / volume).powi(2);
        for tiles in [2, 7, 20] {
            let mesh = field(tiles, 4.0 / tiles as f64, || 0.0);
            let areas: Vec<DVec3> = (0..mesh.fronts).map(|t| mesh.area(t)).collect();
            let facets = FacetSet::new(&mesh, groups(&mesh, &areas));
            assert!(FacetSet::of(&mesh, 1.0).is_none());
            let shape = cube(edge);
            let pose = Pose::new(DVec3::new(0.1, 0.05, 0.5 * edge - depth), DQuat::from_rotation_z(0.3));
            let found = force(&Interaction::linear(kn, kn), &facets, Placed { shape: &shape, pose }).unwrap();
            assert!((found.found.energy / energy - 1.0).abs() < 1e-11, "{}", found.found.energy);
        }
    }

    /// On bumps as wide as the grain, at random.
    #[test]
    fn the_force_of_facets_is_the_gradient() {
        let mut random = RandomStream::new(5);
        let mesh = field(12, 0.5, || 0.5 * random.unit() - 0.25);
        let facets = FacetSet::of(&mesh, 1.0).unwrap();
        let laws = [Interaction::linear(1e5, 1e5), Interaction::hertz(1e5, 1e5)];
        let (shape, mut worst, mut count) = (cube(1.2), 0.0_f64, 0);
        for round in 0..60 {
            let law = &laws[round % 2];
            let turn = DVec3::new(random.unit(), random.unit(), random.unit()) * 3.0;
            let rotation = DQuat::from_scaled_axis(turn);
            let mut pose = Pose::new(DVec3::new(random.unit() - 0.5, random.unit() - 0.5, 1.5), rotation);
            let energy = |pose: Pose<Space>| {
                force(law, &facets, Placed { shape: &shape, pose }).map_or(0.0, |f| f.found.energy)
            };
            while energy(pose) == 0.0 {
                pose.position.z -= 0.01;
            }
            pose.position.z -= 0.02;
            // On the surface: the grain gets the opposite.
            let on_surface = force(law, &facets, Placed { shape: &shape, pose }).unwrap().found.elastic;
            let scale = on_surface.force.length();
            for axis in DVec3::AXES {
                let moved = |s: f64| Pose::new(pose.position + axis * s, pose.rotation);
                let turned =
                    |s: f64| Pose::new(pose.position, DQuat::from_scaled_axis(axis * s) * pose.rotation);
                let slope = |place: &dyn Fn(f64) -> Pose<Space>| {
                    // Four points: the error is of the fourth order.
                    let centred = |h: f64| (energy(place(h)) - energy(place(-h))) / (2.0 * h);
                    (4.0 * centred(2e-6) - centred(4e-6)) / 3.0
                };
                worst = worst.max((slope(&moved) - on_surface.force.dot(axis)).abs() / scale);
                worst = worst.max((slope(&turned) - on_surface.torque.dot(axis)).abs() / scale);
            }
            count += 1;
        }
        assert!(count == 60 && worst < 1e-7, "{count} {worst}");
    }
}

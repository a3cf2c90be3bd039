//! Beds of grains of many kinds, at rest in a box: what contacts cost that are not those of the settle scenes.

use gritstone_core::Dim;
use gritstone_scene::Scene;

use super::beds::Side;
use super::timing::Bed;
use super::{Options, Trouble, cache};

/// When grains have come to rest (s).
const SETTLED: f64 = 0.25;
/// Steps that are timed.
const STEPS: u64 = 200;

/// Ellipsoids, which the others are compared with.
pub(super) const ELLIPSOIDS: &str = r#"a = { shape = "ellipsoid", radii = ["2 mm", "2 mm", "3 mm"] }"#;
/// Shapes of all smooth kinds.
pub(super) const MIXED: &str = r#"a = { shape = "superellipsoid", radii = ["2 mm", "2 mm", "2.5 mm"], exponents = [0.4, 0.8] }
b = { shape = "sphere", radius = "2 mm" }
c = { shape = "ellipsoid", radii = ["2 mm", "2 mm", "3 mm"] }
d = { shape = "superellipsoid", radii = ["2.2 mm", "2 mm", "1.6 mm"], exponents = [0.5, 0.5] }"#;
/// Superellipsoids with a sharp rim.
pub(super) const LENSES: &str =
    r#"a = { shape = "superellipsoid", radii = ["2.6 mm", "2.6 mm", "1.3 mm"], exponents = [1, 1.5] }"#;
/// Superellipsoids that are flat above and below.
pub(super) const TABLETS: &str =
    r#"a = { shape = "superellipsoid", radii = ["2.5 mm", "2.5 mm", "1.6 mm"], blockiness = [2, 3.5] }"#;
/// Capsules with a crown.
pub(super) const CAPSULES: &str = r#"a = { shape = "capsule", radius = "1.5 mm", half_height = "1.5 mm" }"#;
/// Cylinders with a crown.
pub(super) const CYLINDERS: &str = r#"a = { shape = "cylinder", radius = "2 mm", half_height = "1.8 mm" }"#;
/// Spheres, and a quarter as many cubes.
pub(super) const SPHERES_AND_CUBES: &str = r#"a = { shape = "sphere", radius = "2 mm" }
b = { shape = "sphere", radius = "2 mm" }
c = { shape = "sphere", radius = "2 mm" }
d = { shape = "polyhedron", scale = 0.0016, vertices = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]] }"#;
/// Compounds of four spheres.
pub(super) const COMPOUNDS: &str = r#"ball = { shape = "sphere", radius = "1.4 mm" }
a = { shape = "compound", parts = [{ shape = "ball", position = ["1 mm", "1 mm", "1 mm"] }, { shape = "ball", position = ["1 mm", "-1 mm", "-1 mm"] }, { shape = "ball", position = ["-1 mm", "1 mm", "-1 mm"] }, { shape = "ball", position = ["-1 mm", "-1 mm", "1 mm"] }] }"#;
/// Ellipses.
pub(super) const ELLIPSES: &str = r#"a = { shape = "ellipse", semi_axes = ["3 mm", "2 mm"] }"#;
/// Polygons of five and six sides.
pub(super) const POLYGONS: &str = r#"a = { shape = "polygon", vertices = [[2.5e-3, 0], [0.8e-3, 2.4e-3], [-2e-3, 1.5e-3], [-2e-3, -1.5e-3], [0.8e-3, -2.4e-3]] }
b = { shape = "polygon", vertices = [[3e-3, 0], [1.2e-3, 1.8e-3], [-1.2e-3, 1.8e-3], [-3e-3, 0], [-1.2e-3, -1.8e-3], [1.2e-3, -1.8e-3]] }"#;

/// The scene of grains of these shapes, with more about their material.
fn scene(shapes: &str, material: &str, dimension: usize) -> String {
    let names: Vec<_> =
        ["a", "b", "c", "d"].into_iter().filter(|name| shapes.contains(&format!("{name} = {{"))).collect();
    let space = dimension == 3;
    let (count, low, high) = if space {
        ("[8, 8, 12]", "[0, 0, 0]", "[0.05, 0.05, 1]")
    } else {
        ("[16, 48]", "[0, 0]", "[0.1, 1]")
    };
    let each = |number: &str| format!("[{}]", [number; 3][..dimension].join(", "));
    format!(
        "dimension = {dimension}\n\
         gravity = {}\n\
         time = {{ end = 1, step = 2e-5 }}\n\
         materials.a = {{ density = 2500, young = 1e7, poisson = 0.3, restitution = 0.3, friction = 0.5{material} }}\n\
         [shapes]\n{shapes}\n\
         [[grains]]\nfrom = \"lattice\"\nshape = {names:?}\nmaterial = \"a\"\ncount = {count}\n\
         spacing = {}\norigin = {}\norientation = \"random\"\nseed = 7\n\
         [walls.box]\nkind = \"box\"\nlow = {low}\nhigh = {high}\nopen = [\"{}-high\"]\nmaterial = \"a\"\n",
        if space { "[0, 0, -9.81]" } else { "[0, -9.81]" },
        each("\"6.1 mm\""),
        each("\"3.5 mm\""),
        if space { "z" } else { "y" },
    )
}

/// Grains of these shapes at rest; `material` is what more there is to say of their material.
pub(super) fn bed<D: Side>(
    name: &'static str,
    shapes: &str,
    material: &str,
    options: &Options,
) -> Result<Bed<D>, Trouble> {
    let text = scene(shapes, material, <D as Dim>::N);
    let build = Scene::parse(&text, name).and_then(|scene| scene.build()).map_err(Trouble::of)?;
    let setup = D::setup(build).ok_or_else(|| Trouble::of("the scene is of the other dimension"))?;
    let steps = (SETTLED / setup.time_step).round() as u64;
    let saved = cache::settled(options.cache.as_deref(), &setup, text.as_bytes(), steps)?;
    Ok(Bed { name, state: String::new(), setup, saved, steps: STEPS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_beds_can_be_built() {
        for shapes in [
            ELLIPSOIDS,
            MIXED,
            LENSES,
            TABLETS,
            CAPSULES,
            CYLINDERS,
            SPHERES_AND_CUBES,
            COMPOUNDS,
            ELLIPSES,
            POLYGONS,
        ] {
            let dimension = if [ELLIPSES, POLYGONS].contains(&shapes) { 2 } else { 3 };
            let text = scene(shapes, ", rolling = 0.02", dimension);
            Scene::parse(&text, "bed").and_then(|scene| scene.check()).unwrap_or_else(|why| panic!("{why}"));
        }
    }
}

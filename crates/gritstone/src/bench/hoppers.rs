//! Grains close to a hopper's wall: a closed container, and the same as CAD programs draw it.

use gritstone_core::Space;
use gritstone_scene::Scene;

use super::beds::Side;
use super::timing::Bed;
use super::{Options, Trouble, cache};

/// When grains have come to the wall (s).
const NEAR: f64 = 0.02;
/// Steps that are timed.
const STEPS: u64 = 200;

/// A container in whose inside the grains are.
pub(super) const CLOSED: &str = r#"
profile = [[0, "-3 cm"], ["18 mm", "-3 cm"], ["40 mm", "45 mm"], ["40 mm", "20 cm"], [0, "20 cm"]]
facets = 512
grains = "inside"
"#;
/// The same wall as a solid, 3 mm thick.
pub(super) const THICK: &str = r#"
profile = [
  ["21 mm", "-3 cm"], ["43 mm", "45 mm"], ["43 mm", "20 cm"], ["40 mm", "20 cm"], ["40 mm", "45 mm"], ["18 mm", "-3 cm"],
  ["21 mm", "-3 cm"],
]
facets = 512
grains = "outside"
"#;
/// The same wall as a sheet without thickness.
pub(super) const SHEET: &str = r#"
profile = [["18 mm", "-3 cm"], ["40 mm", "45 mm"], ["40 mm", "20 cm"]]
facets = 512
grains = "both"
"#;

/// Seeds and tablets, most of them a millimetre from the wall.
const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -9.81]
time = { end = 1 }

[materials.seed]
density = 1200
young = 5e6
poisson = 0.3
restitution = 0.4
friction = 0.3
rolling = 0.02

[materials.steel]
young = 5e6
poisson = 0.3
restitution = 0.4
friction = 0.2

[shapes.seed]
shape = "ellipsoid"
radii = ["3.5 mm", "2.2 mm", "2.0 mm"]

[shapes.tablet]
shape = "cylinder"
radius = "2.8 mm"
half_height = "1.4 mm"

[[grains]]
from = "random"
shape = ["seed", "tablet"]
shares = [0.6, 0.4]
material = "seed"
size = { distribution = "lognormal", median = "5 mm", sigma = 0.1 }
region = { kind = "cylinder", from = [0, 0, "4 cm"], to = [0, 0, "19 cm"], radius = "39 mm" }
count = 1500

[walls.plug]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "steel"

[walls.hopper]
kind = "revolved"
material = "steel"
"#;

/// The grains in a hopper with this wall.
pub(super) fn hopper(name: &'static str, wall: &str, options: &Options) -> Result<Bed<Space>, Trouble> {
    let text = format!("{SCENE}{wall}");
    let build = Scene::parse(&text, name).and_then(|scene| scene.build()).map_err(Trouble::of)?;
    let setup = Space::setup(build).ok_or_else(|| Trouble::of("the hopper is in space"))?;
    let steps = (NEAR / setup.time_step).round() as u64;
    let saved = cache::settled(options.cache.as_deref(), &setup, text.as_bytes(), steps)?;
    Ok(Bed { name, state: String::new(), setup, saved, steps: STEPS })
}

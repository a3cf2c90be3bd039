//! Scenes to start from, embedded in the program.

/// A scene to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// The scene.
    pub text: &'static str,
    /// Files that the scene reads: path beside the scene, and content.
    pub files: Files,
}

/// Files with their paths.
type Files = &'static [(&'static str, &'static [u8])];

/// Where the grains of the settle scenes are at the start.
const SETTLE: Files =
    &[("data/settle_4000_initial.csv", include_bytes!("../../../scenes/data/settle_4000_initial.csv"))];
/// Triangle meshes.
const DRUM: Files = &[("data/drum.stl", include_bytes!("../../../scenes/data/drum.stl"))];
const MIXER: Files = &[("data/mixer.stl", include_bytes!("../../../scenes/data/mixer.stl"))];

macro_rules! templates {
    ($($name:literal, $files:expr, $about:literal;)*) => {
        /// Every scene to start from: one line each.
        pub static TEMPLATES: &[Template] = &[$(Template {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../../scenes/", $name, ".toml")),
            files: $files,
        }),*];
    };
}

#[rustfmt::skip]
templates! {
    "demo",                  &[],    "pebbles, boxes and polyhedra fall into a box, then one of its sides is removed";
    "settle-sphere",         SETTLE, "4 000 spheres fall into a box";
    "settle-ellipsoid",      SETTLE, "4 000 ellipsoids fall into a box";
    "settle-box",            SETTLE, "4 000 boxes with round edges fall into a box";
    "settle-superellipsoid", SETTLE, "4 000 superellipsoids fall into a box";
    "polyhedra-drop",        &[],    "500 polyhedra fall into a box, then two of its sides are removed";
    "particle-flow-4000",    &[],    "4 000 polyhedra rain into a box, then two of its sides are removed";
    "particle-flow-45000",   &[],    "45 000 polyhedra rain into a larger box, then two of its sides are removed";
    "particle-flow-superellipsoids", &[], "4 000 superellipsoids rain into a box, then two of its sides are removed";
    "ellipses-pour",         &[],    "ellipses in the plane fall on a floor and make a pile";
    "shear-cell-2d",         &[],    "ellipses in a periodic cell are compressed, then sheared";
    "concave-grains",        &[],    "staples, crosses and clumps of balls fall into a box";
    "hopper",                &[],    "beans flow out of a wedge-shaped hopper";
    "drum",                  DRUM,   "ellipsoids tumble in a drum with lifters";
    "mixer",                 MIXER,  "a shaft with paddles mixes beans and random in a vessel";
    "biaxial",               &[],    "ellipses in the plane are compressed between servo walls";
    "triaxial",              &[],    "ellipsoids are compressed in a box of servo walls";
    "loader-bucket",         &[],    "a bucket is pushed into a pile of 21 952 polyhedra, turned and lifted";
    "loader-bucket-3000",    &[],    "the same with 3 000 larger polyhedra";
    "column-collapse",       &[],    "a column of stones collapses when the wall before it is taken away";
    "tablets",               &[],    "tablets and grains of rice rain into a container";
}

/// The template of that name.
pub fn template(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}

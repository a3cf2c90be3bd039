//! What is written is what was read; units; defaults.

use gritstone_scene::schema::{Flat, Grains, Law, Radius, Shape, Step, Wall};
use gritstone_scene::{Build, Scene, TEMPLATES};

const SMALL: &str = r#"
title = "three"
dimension = 3
gravity = [0, "1 cm/s^2", "-9.81 m/s^2"]
[time]
steps = 10
[contact]
law = "linear"
[materials.glass]
density = "2.5 g/cm^3"
kn = "130 kN/m"
friction_angle = "35 deg"
[shapes.ball]
shape = "sphere"
radius = "2 mm"
[[grains]]
from = "points"
shape = "ball"
material = "glass"
at = [["1 cm", 0, 0], ["3 cm", 0, 0]]
velocity = ["5 cm/s", 0, 0]
spin = [0, 0, "30 rpm"]
"#;

#[test]
fn scenes_survive_being_written_and_read_again() {
    for template in TEMPLATES {
        let scene = Scene::parse(template.text, template.name).unwrap();
        let again =
            Scene::parse(&scene.to_toml(), "again").unwrap_or_else(|e| panic!("{e}\n{}", scene.to_toml()));
        assert_eq!(scene.file, again.file, "{}", template.name);
    }
}

#[test]
fn numbers_are_in_si_units() {
    let scene = Scene::parse(SMALL, "small").unwrap();
    let file = &scene.file;
    assert_eq!(file.gravity.si, [0.0, 0.01, -9.81]);
    let (_, glass) = file.materials.find("glass").unwrap();
    assert_eq!(glass.density.unwrap().si, 2500.0);
    assert_eq!(glass.kn.unwrap().si, 130e3);
    assert!((glass.friction_angle.unwrap().si - 0.610_865_238_198_015_3).abs() < 1e-15);
    let Build::Space(built) = scene.build().unwrap() else { panic!("in space") };
    let grain = &built.setup.grains[1];
    assert_eq!((grain.id, grain.pose.position.x, grain.velocity.x), (2, 0.03, 0.05));
    assert!((grain.spin.z - std::f64::consts::PI).abs() < 1e-15);
}

#[test]
fn without_contact_laws_are_those_of_an_empty_section() {
    let with =
        SMALL.replace("law = \"linear\"\n", "").replace("kn = \"130 kN/m\"", "young = 1e7\npoisson = 0.3");
    let without = with.replace("[contact]\n", "");
    let [with, without] = [with, without].map(|text| Scene::parse(&text, "small").unwrap().file.contact);
    assert_eq!(with, without);
}

#[test]
fn what_is_not_said_has_defaults() {
    let scene = Scene::parse(SMALL, "small").unwrap();
    let contact = &scene.file.contact;
    assert_eq!((contact.law, contact.radius, contact.flat), (Law::Linear, Radius::BodyFunction, Flat::Patch));
    assert_eq!(scene.file.time.step, Step::Auto);
    let Grains::Points(points) = &scene.file.grains[0] else { panic!("points") };
    assert_eq!(points.seed, 1);
}

/// A contact of two equal masses lasts π·√(m/2/kn); 2 mm of glass weigh 4/3·π·8e-9·2500 kg.
#[test]
fn the_automatic_step_is_a_fraction_of_the_shortest_contact() {
    let report = Scene::parse(SMALL, "small").unwrap().check().unwrap();
    let mass = 4.0 / 3.0 * std::f64::consts::PI * 8e-9 * 2500.0;
    let contact = std::f64::consts::PI * (0.5 * mass / 130e3_f64).sqrt();
    let step = &report.time_step;
    assert!(step.automatic && step.why.whose == "ball (glass) against ball (glass)");
    assert!((step.why.seconds / contact - 1.0).abs() < 1e-12);
    assert!((step.seconds / contact - 0.02).abs() < 1e-12);
    assert!((report.mass / (2.0 * mass) - 1.0).abs() < 1e-12);
}

/// A sphere of 1 m, density 1, shear modulus 1 (Young 2, Poisson 0): π/0.8766 s.
#[test]
fn with_hertz_the_step_is_a_fraction_of_the_rayleigh_time() {
    let text = SMALL
        .replace("law = \"linear\"", "law = \"hertz-mindlin\"")
        .replace("kn = \"130 kN/m\"", "young = 2\npoisson = 0")
        .replace("2.5 g/cm^3", "1 kg/m^3")
        .replace("2 mm", "1 m")
        .replace("3 cm", "3 m");
    let step = Scene::parse(&text, "small").unwrap().check().unwrap().time_step;
    assert!((step.why.seconds * 0.8766 / std::f64::consts::PI - 1.0).abs() < 1e-12, "{step}");
    assert!((step.seconds / step.why.seconds - 0.1).abs() < 1e-12);
}

/// Cubes of 2 m, density 1, Young 2, Poisson 0, so that Y* is 1: m* is 4 and the stiffness of a face 8/5·√(3/2π)·2, and 0.02 of
/// π·√(m*/K) is less than 0.1 of a Rayleigh wave's π·(6/π)^⅓/0.8766. Cylinders without a crown have π R² and m* = π R² h/2. In the plane K is
/// 2/√2 for squares, and m* is 2.
#[test]
fn with_hertz_faces_shorten_the_step() {
    use std::f64::consts::PI;
    let signs = [-1, 1];
    let square: Vec<[i32; 2]> = signs.iter().flat_map(|&x| signs.map(|y| [x, y])).collect();
    let cube: Vec<[i32; 3]> = square.iter().flat_map(|&[x, y]| signs.map(|z| [x, y, z])).collect();
    let with = |shape: &str, contact: &str, dimension: usize| {
        let zeros = &"0, 0, 0"[..3 * dimension - 2];
        let text = format!(
            "dimension = {dimension}\ngravity = [{zeros}]\ntime = {{ steps = 10 }}\n\
             contact = {{ law = \"hertz-mindlin\", {contact} }}\n\
             materials = {{ m = {{ density = 1, young = 2, poisson = 0 }} }}\nshapes = {{ s = {{ {shape} }} }}\n\
             [[grains]]\nfrom = \"points\"\nshape = \"s\"\nmaterial = \"m\"\nat = [[{zeros}]]\n"
        );
        Scene::parse(&text, "faces").unwrap().check().unwrap().time_step
    };
    let cube = format!("shape = \"polyhedron\", vertices = {cube:?}");
    let square = format!("shape = \"polygon\", vertices = {square:?}");
    let cylinder = "shape = \"cylinder\", radius = 2, half_height = 1";
    let by_area = |area: f64| 1.6 * (1.5 / PI).sqrt() * area.sqrt();
    let cases = [
        (with(&cube, "flat = \"patch\"", 3), 4.0, by_area(4.0)),
        (with(cylinder, "crown = 0", 3), 4.0 * PI, by_area(4.0 * PI)),
        (with(&square, "flat = \"patch\"", 2), 2.0, 2.0_f64.sqrt()),
    ];
    for (step, mass, stiffness) in cases {
        let contact = PI * (mass / stiffness).sqrt();
        assert_eq!(step.why.what, "the duration of a contact of faces");
        assert!((step.why.seconds / contact - 1.0).abs() < 1e-12, "{step}");
        assert!((step.seconds / contact - 0.02).abs() < 1e-12, "{step}");
    }
    assert_eq!(with(cylinder, "crown = 0.003", 3).why.what, "the Rayleigh time");
    assert_eq!(with(&cube, "flat = \"point\"", 3).why.what, "the Rayleigh time");
}

#[test]
fn long_steps_are_doubted() {
    let text = SMALL.replace("steps = 10", "steps = 10\nstep = \"1 ms\"");
    let report = Scene::parse(&text, "small").unwrap().check().unwrap();
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    assert!(
        warning.starts_with("small:7: the time step may be too long to be stable: 1 ms, given:"),
        "{warning}"
    );
}

#[test]
fn the_same_seed_gives_the_same_grains() {
    let lattice = |seed: u64| {
        let text = format!(
            "{SMALL}[[grains]]\nfrom = \"lattice\"\nshape = [\"ball\", \"egg\"]\nmaterial = \"glass\"\ncount = [4, 4, 4]\n\
             spacing = [0.01, 0.01, 0.01]\norigin = [0, 0, 1]\njitter = 0.001\norientation = \"random\"\nlimit = 50\n\
             seed = {seed}\n[shapes.egg]\nshape = \"ellipsoid\"\nradii = [0.002, 0.002, 0.003]\n"
        );
        match Scene::parse(&text, "lattice").unwrap().build().unwrap() {
            Build::Space(built) => built.setup.grains,
            Build::Plane(_) => panic!("in space"),
        }
    };
    let grains = lattice(5);
    assert_eq!(grains.len(), 52);
    assert_eq!(grains, lattice(5));
    assert_ne!(grains, lattice(6));
    let eggs = grains.iter().filter(|grain| grain.shape == 1).count();
    assert!((15..=35).contains(&eggs), "{eggs} of 50");
    let ids: Vec<_> = grains.iter().map(|grain| grain.id).collect();
    assert_eq!(ids, (1..=52).collect::<Vec<_>>());
    for grain in &grains[2..] {
        let steps = (grain.pose.position - glam::DVec3::Z) / 0.01;
        assert!((steps - steps.round()).abs().max_element() <= 0.1);
    }
}

#[test]
fn boxes_have_sides_and_lines_are_for_the_plane() {
    let text = r#"
dimension = 2
gravity = [0, -9.81]
time = { end = 1, step = 0.001 }
contact = { law = "linear" }
materials = { a = { density = 1, kn = 1 } }
shapes = { disc = { shape = "circle", radius = 0.1 } }
grains = [{ from = "points", shape = "disc", material = "a", at = [[0.5, 0.5]], orientation = "30 deg", spin = 2 }]
walls.room = { kind = "box", material = "a", low = [0, 0], high = [1, 1], open = ["y-high"] }
walls.slope = { kind = "line", material = "a", point = [0, 0], normal = [1, 1] }
events = [{ at = 0.5, remove_walls = ["room"] }, { at = 0.25, freeze = { low = [-inf, 0], high = [inf, 1] } }]
"#;
    let scene = Scene::parse(text, "room").unwrap();
    assert!(matches!(scene.file.walls.find("slope"), Some((1, Wall::Line(_)))));
    assert!(matches!(scene.file.shapes.find("disc"), Some((0, Shape::Circle(_)))));
    let Build::Plane(built) = scene.build().unwrap() else { panic!("in the plane") };
    let names: Vec<_> = built.setup.walls.iter().map(|wall| wall.name.as_str()).collect();
    assert_eq!(names, ["room.x-low", "room.x-high", "room.y-low", "slope"]);
    assert!((built.setup.grains[0].pose.rotation - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
    assert_eq!(built.setup.grains[0].spin, 2.0);
    let steps: Vec<_> = built.plan.events.iter().map(|event| event.step).collect();
    assert_eq!(steps, [250, 500]);
    assert_eq!(built.plan.steps, 1000);
    assert_eq!((built.plan.output.trajectory, built.plan.output.vtk), (Some(10), None));
}

/// A ball, without any table that may be left out.
const LEAST: &str = r#"
dimension = 3
gravity = [0, 0, 0]
time = { steps = 1 }
materials.sand = { density = 2500, young = 1e7, poisson = 0.3 }
shapes.ball = { shape = "sphere", radius = 0.01 }
grains = [{ from = "points", shape = "ball", material = "sand", at = [[0, 0, 1]] }]
"#;

/// Defaults of a table's keys are also those of a scene without the table.
#[test]
fn tables_left_out_are_as_empty_ones() {
    let without = Scene::parse(LEAST, "without").unwrap();
    let empty = Scene::parse(&format!("{LEAST}contact = {{}}\noutput = {{}}\n"), "empty").unwrap();
    assert_eq!(without.file, empty.file);
}

/// For those who write scenes in JSON or Python, where no number is infinite.
#[test]
fn limits_can_be_infinite_by_a_word() {
    let scene = |high: &str| {
        let domain = format!("domain = {{ low = [-inf, \"-inf\", 0], high = [1, {high}, \"+inf\"] }}\n");
        Scene::parse(&format!("{LEAST}{domain}"), "far")
    };
    assert_eq!(scene("inf").unwrap().file, scene("\"inf\"").unwrap().file);
    assert!(scene("\"inf m\"").is_err() && scene("\"infinite\"").is_err());
    let heavy =
        Scene::parse(&LEAST.replace("[0, 0, 0]", "[0, 0, \"-inf\"]"), "heavy").unwrap_err().to_string();
    assert!(heavy.contains("gravity[2] is \"-inf\", but must be an acceleration, finite"), "{heavy}");
}

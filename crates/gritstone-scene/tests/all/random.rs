//! Grains at random places: how many, how large, where, and that none is in another.

use gritstone_core::{Plane, Space};
use gritstone_engine::{Dimension, Region, World};
use gritstone_scene::{Build, Built, Scene};
use gritstone_shape::AnyShape as _;

/// A scene in space with these grains.
fn text(grains: &str) -> String {
    format!(
        r#"
        dimension = 3
        gravity = [0, 0, -9.81]
        time = {{ end = 0.1 }}
        [contact]
        law = "linear"
        [materials.rock]
        density = 2600
        kn = 1e6
        friction = 0
        [shapes]
        ball = {{ shape = "sphere", radius = 0.01 }}
        rice = {{ shape = "ellipsoid", radii = [0.01, 0.01, 0.03] }}
        cube = {{ shape = "polyhedron", scale = 0.02, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }}
        {grains}
        "#
    )
}

fn space(text: &str) -> Built<Space> {
    let scene = Scene::parse(text, "random.toml").unwrap_or_else(|e| panic!("{e}"));
    match scene.build().unwrap_or_else(|e| panic!("{e}")) {
        Build::Space(built) => built,
        Build::Plane(_) => panic!("in space"),
    }
}

fn refused(text: &str) -> String {
    let scene = Scene::parse(text, "random.toml");
    scene.and_then(|scene| scene.check()).unwrap_err().to_string()
}

/// Nothing touches at the start: the world finds no contact.
fn nothing_touches<D: Dimension>(built: &Built<D>) {
    assert!(built.report.warnings.is_empty(), "{}", built.report);
    assert_eq!(World::new(&built.setup).unwrap().status().contacts, 0);
}

const REGIONS: [&str; 3] = [
    r#"{ kind = "box", low = [0, 0, 0], high = ["0.5 m", 0.4, 0.3] }"#,
    r#"{ kind = "sphere", center = [1, 0, 0], radius = 0.25 }"#,
    r#"{ kind = "cylinder", from = [0, 0, 0.1], to = [0, 0.3, 0.5], radius = 0.2 }"#,
];

#[test]
fn mixed_grains_fill_any_region_without_overlap() {
    for region in REGIONS {
        let built = space(&text(&format!(
            "[[grains]]\nfrom = \"random\"\nshape = [\"ball\", \"rice\", \"cube\"]\nmaterial = \"rock\"\ncount = 150\nregion = {region}"
        )));
        nothing_touches(&built);
        assert_eq!(built.setup.grains.len(), 150);
        let zone: Region<Space> = match region {
            r if r.contains("box") => Region::Box { low: [0.0; 3].into(), high: [0.5, 0.4, 0.3].into() },
            r if r.contains("sphere") => Region::Ball { center: [1.0, 0.0, 0.0].into(), radius: 0.25 },
            _ => Region::Cylinder {
                base: [0.0, 0.0, 0.1].into(),
                axis: [0.0, 0.6, 0.8].into(),
                length: 0.5,
                radius: 0.2,
            },
        };
        assert!(
            built.setup.grains.iter().all(|grain| zone.holds_ball(grain.pose.position, 0.0099)),
            "{region}"
        );
    }
}

/// A second group and walls that were there before are kept clear of.
#[test]
fn groups_and_walls_keep_clear_of_each_other() {
    let region = REGIONS[0];
    let group = |shape: &str, seed: u32| {
        format!(
            "[[grains]]\nfrom = \"random\"\nshape = \"{shape}\"\nmaterial = \"rock\"\ncount = 80\nregion = {region}\nseed = {seed}\n"
        )
    };
    let wall =
        "[walls.slope]\nkind = \"plane\"\npoint = [0.2, 0.2, 0.1]\nnormal = [1, 0, 2]\nmaterial = \"rock\"\n";
    let built = space(&text(&(group("rice", 1) + &group("cube", 1) + wall)));
    nothing_touches(&built);
    assert_eq!(built.setup.grains.len(), 160);
    let ids: Vec<u32> = built.setup.grains.iter().map(|grain| grain.id).collect();
    assert_eq!(ids, (1..=160).collect::<Vec<_>>());
}

/// Compounds find places as other shapes do, in sizes, too: the size is that of the ball of the same volume.
#[test]
fn compounds_find_places_in_any_size() {
    let region = REGIONS[2];
    let built = space(&text(&format!(
        r#"
        cross = {{ shape = "compound", parts = [{{ shape = "rice" }}, {{ shape = "rice", orientation = [1, 1, 0, 0] }}, {{ shape = "cube", position = [0.02, 0, 0] }}] }}
        [[grains]]
        from = "random"
        shape = ["cross", "ball"]
        material = "rock"
        count = 100
        region = {region}
        size = {{ distribution = "uniform", low = "2 cm", high = "4 cm", classes = 4 }}
        "#
    )));
    nothing_touches(&built);
    let setup = &built.setup;
    assert_eq!((setup.grains.len(), setup.compounds.len()), (100, 1 + 4));
    let crosses: Vec<_> =
        setup.grains.iter().filter(|grain| setup.compounds.contains_key(&grain.shape)).collect();
    assert!(crosses.len() > 30);
    for grain in crosses {
        let diameter = (6.0 / std::f64::consts::PI * setup.volume(grain.shape)).cbrt();
        // Four classes from 2 to 4 cm, each with the size in its middle.
        let class = (diameter - 0.02) / 0.02 * 4.0 - 0.5;
        assert!((class - class.round()).abs() < 1e-3, "{diameter}");
    }
}

/// Inside a drum and around a rod of triangles, and not across sides that repeat.
#[test]
fn surfaces_and_sides_are_kept_clear_of() {
    let walls = r#"
        [walls.drum]
        kind = "revolved"
        material = "rock"
        profile = [[0, 0], [0.2, 0], [0.2, 0.3], [0, 0.3]]
        grains = "inside"
        [walls.rod]
        kind = "revolved"
        material = "rock"
        profile = [[0, -0.1], [0.05, -0.1], [0.05, 0.4], [0, 0.4]]
        grains = "outside"
        "#;
    let around = r#"{ kind = "box", low = [-0.25, -0.25, -0.05], high = [0.25, 0.25, 0.35] }"#;
    let group = format!(
        "[[grains]]\nfrom = \"random\"\nshape = [\"ball\", \"rice\", \"cube\"]\nmaterial = \"rock\"\ncount = 100\nregion = {around}\n"
    );
    let built = space(&text(&(group + walls)));
    nothing_touches(&built);
    assert_eq!(built.setup.grains.len(), 100);
    for grain in &built.setup.grains {
        let x = grain.pose.position;
        let from_axis = x.x.hypot(x.y);
        assert!((0.06..0.19).contains(&from_axis) && (0.01..0.29).contains(&x.z), "{x}");
    }
    // A region that reaches over a side of the cell.
    let cell = "[cell]\nlow = [0, 0, 0]\nhigh = [0.3, 0.5, 0.5]\nrepeat = [\"x\"]\n";
    let over = r#"{ kind = "box", low = [-0.05, 0, 0], high = [0.35, 0.4, 0.4] }"#;
    let group = format!(
        "[[grains]]\nfrom = \"random\"\nshape = [\"rice\", \"cube\"]\nmaterial = \"rock\"\ncount = 150\nregion = {over}\n"
    );
    let built = space(&text(&(group + cell)));
    nothing_touches(&built);
    assert_eq!(built.setup.grains.len(), 150);
}

/// The sieve curve of the paper's grains: sizes between 2 and 5 cm, half of the mass below 3.8 cm. The bound is three
/// standard deviations of a sum over 4 000 grains.
#[test]
fn sizes_follow_the_sieves() {
    let built = space(&text(
        r#"
        [[grains]]
        from = "random"
        shape = ["ball", "cube"]
        material = "rock"
        count = 4000
        region = { kind = "box", low = [0, 0, 0], high = [1.5, 1.5, 1.5] }
        size = { distribution = "sieve", sizes = ["2 cm", "5 cm"], passing = [0, "100 %"], d50 = "3.8 cm" }
        "#,
    ));
    nothing_touches(&built);
    let volumes: Vec<f64> =
        built.setup.shapes.iter().map(|shape| shape.mass_properties().unwrap().volume).collect();
    let diameter = |volume: f64| (6.0 / std::f64::consts::PI * volume).cbrt();
    let (mut fine, mut all) = (0.0, 0.0);
    for grain in &built.setup.grains {
        let volume = volumes[grain.shape as usize];
        let size = diameter(volume);
        assert!((0.02..0.05).contains(&size), "{size}");
        all += volume;
        fine += if size < 0.038 { volume } else { 0.0 };
    }
    assert!((fine / all - 0.5).abs() < 0.03, "{}", fine / all);
    assert_eq!(built.shape_names.len(), built.setup.shapes.len());
}

/// Shares by mass: cubes of 8 times the volume come an eighth as often. Three standard deviations of 3 000 draws.
#[test]
fn shares_by_mass_are_of_the_mass() {
    let built = space(&text(
        r#"
        [[grains]]
        from = "random"
        shape = ["ball", "cube"]
        shares = [0.25, 0.75]
        share_by = "mass"
        material = "rock"
        mass = "150 kg"
        region = { kind = "box", low = [0, 0, 0], high = [1.2, 1.2, 1.2] }
        "#,
    ));
    nothing_touches(&built);
    let density = 2600.0;
    let masses = built.setup.grains.iter().map(|grain| {
        (grain.shape, density * built.setup.shapes[grain.shape as usize].mass_properties().unwrap().volume)
    });
    let (mut balls, mut all) = (0.0, 0.0);
    for (shape, mass) in masses {
        all += mass;
        balls += if shape == 0 { mass } else { 0.0 };
    }
    assert!((all - 150.0).abs() < 0.09, "{all}");
    assert!((balls / all - 0.25).abs() < 0.03, "{}", balls / all);
}

#[test]
fn what_found_no_place_is_told() {
    let crowded = text(
        r#"
        [[grains]]
        from = "random"
        shape = "ball"
        material = "rock"
        solid_fraction = 0.6
        attempts = 300
        region = { kind = "box", low = [0, 0, 0], high = [0.1, 0.1, 0.1] }
        "#,
    );
    let report = space(&crowded).report;
    // 143 spheres of 4.19 cm³ fill 0.6 of a litre; at random no more than 0.38 find a place.
    assert!(report.grains > 40 && report.grains < 91, "{}", report.grains);
    let missing = format!("grains[0]: {} of 143 grains", 143 - report.grains);
    assert!(
        report.warnings[0].contains(&missing) && report.warnings[0].starts_with("random.toml:"),
        "{report}"
    );
    let nothing = refused(
        &crowded.replace("solid_fraction = 0.6", "count = 5").replace("0.1, 0.1, 0.1", "0.1, 0.1, 0.015"),
    );
    assert!(nothing.contains("none of 5 grains found a place"), "{nothing}");
}

/// Balls of 10.89 g and cubes of 166.4 g, one of each on average: 88.65 g, and 2^28 of them have 2.38e7 kg.
#[test]
fn more_grains_than_memory_holds_are_refused_by_their_mean() {
    let group = "from = \"random\"\nshape = [\"ball\", \"cube\"]\nmaterial = \"rock\"";
    let told = refused(&text(&format!("[[grains]]\n{group}\nmass = 2.4e7\nregion = {}", REGIONS[0])));
    assert!(told.contains("2.400e7 kg of grains of 0.08865 kg: these are 2.707e8"), "{told}");
}

/// Three balls in a row find no place in a full box: the others are not tried.
#[test]
fn those_that_were_not_tried_are_told_apart() {
    let full = "from = \"random\"\nshape = \"ball\"\nmaterial = \"rock\"\nattempts = 50";
    let region = r#"{ kind = "box", low = [0, 0, 0], high = [0.021, 0.021, 0.021] }"#;
    let report = space(&text(&format!("[[grains]]\n{full}\ncount = 100\nregion = {region}"))).report;
    let words = "grains[0]: 99 of 100 grains (99 %) found no place, 3 in 50 tries each and 96 without a try";
    assert!(report.warnings[0].contains(words), "{report}");
    let report = space(&text(&format!("[[grains]]\n{full}\ncount = 3\nregion = {region}"))).report;
    assert!(
        report.warnings[0].contains("2 of 3 grains (66.67 %) found no place in 50 tries each"),
        "{report}"
    );
}

#[test]
fn discs_in_the_plane() {
    let text = r#"
        dimension = 2
        gravity = [0, -9.81]
        time = { end = 0.1 }
        [materials.rock]
        density = 2600
        young = 1e8
        poisson = 0.3
        friction = 0
        [shapes]
        egg = { shape = "ellipse", semi_axes = [0.02, 0.01] }
        tile = { shape = "polygon", vertices = [[0, 0], [0.03, 0], [0, 0.02]] }
        [[grains]]
        from = "random"
        shape = ["egg", "tile"]
        material = "rock"
        solid_fraction = 0.35
        region = { kind = "circle", center = [0, 0], radius = 0.5 }
        size = { distribution = "lognormal", median = "2 cm", sigma = 0.3, by = "mass" }
        "#;
    let Build::Plane(built) = Scene::parse(text, "plane.toml").unwrap().build().unwrap() else { panic!() };
    nothing_touches::<Plane>(&built);
    let area: f64 = built
        .setup
        .grains
        .iter()
        .map(|grain| built.setup.shapes[grain.shape as usize].mass_properties().unwrap().volume)
        .sum();
    assert!((area / (std::f64::consts::PI * 0.25) - 0.35).abs() < 2e-3, "{area}");
}

/// The same seed gives the same grains, another one others.
#[test]
fn seeds_decide() {
    let grains = |seed: u32| {
        let group = "from = \"random\"\nshape = \"rice\"\nmaterial = \"rock\"\ncount = 30";
        let built = space(&text(&format!("[[grains]]\n{group}\nseed = {seed}\nregion = {}", REGIONS[0])));
        built.setup.grains
    };
    assert_eq!(grains(1), grains(1));
    assert_ne!(grains(1), grains(2));
}

/// Long needles among dust, and among each other: the work is bounded, and what it does not reach is told.
#[test]
fn needles_come_to_an_end() {
    let shapes = |grains: &str| {
        let all = format!(
            "needle = {{ shape = \"ellipsoid\", radii = [1, 1e-3, 2e-3] }}\ndust = {{ shape = \"sphere\", radius = 1e-3 }}\n{grains}"
        );
        text(&all)
    };
    let region = "{ kind = \"box\", low = [0, 0, 0], high = [4, 4, 4] }";
    let group = |shape: &str, count: u32, attempts: u32| {
        format!(
            "[[grains]]\nfrom = \"random\"\nshape = \"{shape}\"\nmaterial = \"rock\"\ncount = {count}\nattempts = {attempts}\nregion = {region}\n"
        )
    };
    // A needle reaches into thousands of millions of cells as wide as dust.
    let built = space(&shapes(&(group("dust", 100, 10) + &group("needle", 100, 10))));
    assert_eq!(built.setup.grains.len(), 200);
    // Each of these is in the balls of half of the others.
    let told = space(&shapes(&group("needle", 8000, 20))).report.warnings.join("\n");
    assert!(told.contains("without a try: they are so long that too many are near each other"), "{told}");
    let lattice = "[[grains]]\nfrom = \"lattice\"\nshape = \"needle\"\nmaterial = \"rock\"\ncount = [1, 200, 200]\nspacing = [3, 5e-3, 5e-3]\norigin = [0, 0, 0]\n";
    let told = space(&shapes(lattice)).report.warnings.join("\n");
    assert!(
        told.contains("of 40000 grains were not compared with the others for overlaps at the start"),
        "{told}"
    );
}

//! Grains from files.

use std::fs;
use std::path::PathBuf;

use gritstone_scene::{Build, Built, Problems, Scene};

const HEAD: &str = r#"
dimension = 3
gravity = [0, 0, 0]
time = { steps = 1 }
contact = { law = "linear" }
materials = { a = { density = 1, kn = 1 }, b = { density = 2, kn = 1 } }
shapes = { ball = { shape = "sphere", radius = 0.1 }, egg = { shape = "ellipsoid", radii = [0.1, 0.1, 0.2] } }
"#;

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A scene whose grains come from a file.
fn build(test: &str, grains: &str, file: &str) -> Result<Built<gritstone_core::Space>, Problems> {
    let folder = folder(test);
    fs::write(folder.join("grains.txt"), file).unwrap();
    fs::write(folder.join("scene.toml"), format!("{HEAD}[[grains]]\nfile = \"grains.txt\"\n{grains}"))
        .unwrap();
    match Scene::read(&folder.join("scene.toml"))?.build()? {
        Build::Space(built) => Ok(built),
        Build::Plane(_) => panic!("in space"),
    }
}

const DUMP: &str = "\
ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n\
ITEM: ATOMS id type x y z\n7 1 0 0 0\n\
ITEM: TIMESTEP\n500\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n\
ITEM: ATOMS id type x y z vx vy vz quat1 quat2 quat3 quat4 omegax omegay omegaz\n\
9 2 1 2 3 0.5 0 0 0 1 0 0 0 0 4\n7 1 5 6 7 0 0 0 1 0 0 0 0 0 0\n";

#[test]
fn dumps_of_other_programs_are_read() {
    let words = "from = \"dump\"\nshape = [\"ball\", \"egg\"]\nmaterial = \"b\"\n";
    let built = build("dump", words, DUMP).unwrap_or_else(|e| panic!("{e}"));
    let grains = &built.setup.grains;
    assert_eq!(
        grains.iter().map(|g| (g.id, g.shape, g.material)).collect::<Vec<_>>(),
        [(9, 1, 1), (7, 0, 1)]
    );
    let egg = &grains[0];
    assert_eq!(egg.pose.position.to_array(), [1.0, 2.0, 3.0]);
    assert_eq!((egg.velocity.x, egg.spin.z, egg.pose.rotation.x, egg.pose.rotation.w), (0.5, 4.0, 1.0, 0.0));

    let first = build("dump-step", &format!("{words}step = 0\n"), DUMP).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(first.setup.grains.len(), 1);
}

#[test]
fn types_without_a_shape_are_told_of() {
    let words = "from = \"dump\"\nshape = [\"ball\", \"egg\"]\nmaterial = \"b\"\n";
    let problems = build("dump-type", words, &DUMP.replace("9 2 1", "9 3 1")).unwrap_err();
    assert!(
        problems.to_string().contains("grains[0].shape has 2 names, but grains.txt has the type 3"),
        "{problems}"
    );
}

#[test]
fn tables_may_name_shape_and_material() {
    let table = "id,x,y,z,shape,material\n3,0,0,0,egg,a\n5,1,0,0,ball,b\n";
    let built = build("csv-names", "from = \"csv\"\n", table).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<_> = built.setup.grains.iter().map(|g| (g.id, g.shape, g.material)).collect();
    assert_eq!(names, [(3, 1, 0), (5, 0, 1)]);

    let problems =
        build("csv-no-names", "from = \"csv\"\nmaterial = \"a\"\n", "id,x,y,z\n1,0,0,0\n").unwrap_err();
    assert!(
        problems
            .to_string()
            .contains("grains[0] has no key \"shape\", and grains.txt has no column of that name")
    );
    let problems =
        build("csv-bad", "from = \"csv\"\nshape = \"egg\"\nmaterial = \"a\"\n", "id,x,y,z\n1,0,zero,0\n");
    let told = problems.unwrap_err().to_string();
    assert!(told.contains("grains.txt:2: y is \"zero\", but must be a finite number"), "{told}");
}

#[test]
fn names_that_a_table_has_wrong_are_told_with_its_line() {
    let told = |table: &str| build("csv-unknown", "from = \"csv\"\n", table).unwrap_err().to_string();
    let shape = told("id,x,y,z,shape,material\n3,0,0,0,egg,a\n5,1,0,0,cube,a\n");
    assert!(shape.contains("grains.txt:3: shape is \"cube\", but there is no shape of that name"), "{shape}");
    let material = told("id,x,y,z,shape,material\n3,0,0,0,egg,c\n");
    assert!(material.contains("grains.txt:2: material is \"c\", but there is no material"), "{material}");
    let fast = told("id,x,y,z,shape,material,vx,vy,vz\n3,0,0,0,egg,a,0,1e200,0\n");
    assert!(fast.contains("grains.txt:2: vy is 1e200, but must be from -1e9 to 1e9"), "{fast}");
}

#[test]
fn tables_may_begin_with_a_byte_order_mark() {
    let words = "from = \"csv\"\nshape = \"egg\"\nmaterial = \"a\"\n";
    let built = build("csv-mark", words, "\u{feff}id,x,y,z\n1,0,0,0\n").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.setup.grains.len(), 1);
}

#[test]
fn ids_must_differ_between_groups() {
    let words = "from = \"csv\"\nshape = \"ball\"\nmaterial = \"a\"\n[[grains]]\nfrom = \"csv\"\nfile = \"grains.txt\"\n\
                 shape = \"ball\"\nmaterial = \"a\"\n";
    let problems = build("csv-twice", words, "id,x,y,z\n4,0,0,0\n").unwrap_err();
    assert!(
        problems.to_string().contains("grains[1] has a grain with the id 4, which an earlier group has, too")
    );
}

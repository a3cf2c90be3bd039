//! Grains that come in and go out: the same bits after a stop, and what the summary says of them.

use std::fs;
use std::path::Path;

use gritstone::run::{End, Options, Summary, Watch, run};
use gritstone::scene::Scene;
use tempfile::TempDir;

/// Two sorts of grains rain into a funnel of two slopes and leave below.
const FUNNEL: &str = r#"
        dimension = 3
        gravity = [0, 0, -9.81]
        time = { end = 0.2, step = 1e-4 }
        output = { every = 0.05, vtk = false }
        [contact]
        law = "linear"
        [materials.glass]
        density = 2500
        kn = 2e3
        restitution = 0.3
        friction = 0.3
        [shapes]
        bean = { shape = "ellipsoid", radii = [0.004, 0.004, 0.007] }
        die = { shape = "polyhedron", scale = 0.005, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }
        [inlets.rain]
        shape = ["bean", "die"]
        shares = [2, 1]
        share_by = "mass"
        size = { distribution = "uniform", low = "8 mm", high = "14 mm", classes = 5 }
        material = "glass"
        region = { kind = "cylinder", from = [0, 0, 0.1], to = [0, 0, 0.15], radius = 0.05 }
        mass_rate = 1.5
        end = 0.15
        velocity = [0, 0, -0.5]
        seed = 3
        [inlets.drip]
        shape = "die"
        material = "glass"
        region = { kind = "box", low = [-0.02, -0.02, 0.18], high = [0.02, 0.02, 0.2] }
        number_rate = "100 Hz"
        count = 12
        every = "5 ms"
        [outlets.below]
        region = { kind = "beyond", point = [0, 0, 0], normal = [0, 0, -1] }
        [probes.through]
        kind = "flow"
        point = [0, 0, 0.01]
        normal = [0, 0, -1]
        every = "10 ms"
        [probes.in-the-funnel]
        kind = "coordination"
        region = { kind = "box", low = [-inf, -inf, 0], high = [inf, inf, 0.1] }
        start = "50 ms"
        [probes.forces]
        kind = "wall-forces"
        walls = ["left"]
        [probes.contacts]
        kind = "contacts"
        [walls.left]
        kind = "plane"
        point = [-0.02, 0, 0]
        normal = [1, 0, 1]
        material = "glass"
        [walls.right]
        kind = "plane"
        point = [0.02, 0, 0]
        normal = [-1, 0, 1]
        material = "glass"
        "#;

fn scene() -> Scene {
    Scene::parse(FUNNEL, "funnel").unwrap_or_else(|problems| panic!("{problems}"))
}

/// Asks for a stop after so many steps were asked about.
struct StopAfter(std::sync::atomic::AtomicU64);

impl Watch for StopAfter {
    fn wants_stop(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
    }
}

fn go(folder: &Path, resume: bool, steps: Option<u64>) -> Summary {
    let options = Options { resume, ..Options::new(folder) };
    match steps {
        None => run(&scene(), &options, &mut ()).unwrap(),
        Some(steps) => run(&scene(), &options, &mut StopAfter(steps.into())).unwrap(),
    }
}

#[test]
fn a_funnel_is_fed_and_stops_change_nothing() {
    let folder = TempDir::new().unwrap();
    let (straight, broken) = (folder.path().join("straight"), folder.path().join("broken"));
    let whole = go(&straight, false, None);
    let [rain, drip, below] = &whole.passed[..] else { panic!("{:?}", whole.passed) };
    // 1.5 kg/s for 0.15 s, but for the last grain, which does not fit any more.
    assert!(rain.mass <= 0.225 && rain.mass > 0.215 && rain.waiting == 0, "{rain:?}");
    assert_eq!((drip.number, drip.waiting), (12, 0));
    assert!(below.number > 20, "{below:?}");
    assert_eq!(rain.number + drip.number, below.number + whole.status.grains as u64);
    assert!(whole.energy_error.abs() < 0.02, "{}", whole.energy_error);
    let json = whole.to_json();
    assert_eq!(json["inlets"]["drip"]["grains"], 12);
    assert_eq!(json["outlets"]["below"]["grains"], below.number);

    // The plane is above the outlet: what is out has passed it, and a little more.
    let through = json["probes"]["through"]["grains"]["last"].as_f64().unwrap();
    let there = through - below.number as f64;
    assert!((0.0..20.0).contains(&there), "{through} {}", below.number);
    assert!(json["probes"]["in-the-funnel"]["contacts_per_grain"]["mean"].as_f64().unwrap() > 0.0);
    // Probes with many rows are summed up, moments without contacts left out.
    assert!(json["probes"]["contacts"]["normal_force_largest"]["mean"].as_f64().unwrap() > 0.0);
    // The left slope is pushed down and to the left, each as much: it is as steep as it is wide, and friction is small.
    let [fx, fz] =
        ["left fx", "left fz"].map(|name| json["probes"]["forces"][name]["mean"].as_f64().unwrap());
    assert!(fx < 0.0 && fz < 0.0, "{fx} {fz}");

    // Without probes the grains move the same.
    let plain = folder.path().join("plain");
    let mut without = scene();
    without.file.probes.list.clear();
    run(&without, &Options::new(&plain), &mut ()).unwrap();
    assert!(fs::read(straight.join("final.csv")).unwrap() == fs::read(plain.join("final.csv")).unwrap());

    // Stopped at moments at which nothing else is due.
    for (i, steps) in [277, 634, 301].into_iter().enumerate() {
        assert_eq!(go(&broken, i > 0, Some(steps)).end, End::Interrupted);
    }
    let again = go(&broken, true, None);
    assert_eq!((&again.passed, &again.measured), (&whole.passed, &whole.measured));
    let tables = ["through", "in-the-funnel", "forces", "contacts"].map(|name| format!("probes/{name}.csv"));
    let files = ["final.csv", "energies.csv", "trajectory.grit"].map(str::to_owned);
    for file in files.iter().chain(&tables) {
        assert!(
            fs::read(straight.join(file)).unwrap() == fs::read(broken.join(file)).unwrap(),
            "{file} differs"
        );
    }
}

/// Ten discs in a row fill a cell from side to side. A region reaches from 2 cm before a side to 2 cm behind it: two discs are
/// there, and images of two more.
#[test]
fn regions_see_images_across_the_sides_of_a_cell() {
    let region = "low = [-0.02, 0], high = [0.02, 0.1] }";
    let outlet = format!("[outlets.out]\nregion = {{ kind = \"box\", {region}\nstart = 0.05");
    let [remove, freeze] =
        ["remove", "freeze"].map(|what| format!("[[events]]\nat = 0.05\n{what} = {{ {region}"));
    for (change, left, moving) in [(outlet, 6, 6), (remove, 6, 6), (freeze, 10, 6)] {
        let text = format!(
            r#"
            dimension = 2
            gravity = [0, 0]
            time = {{ end = 0.06, step = 1e-4 }}
            contact = {{ law = "linear" }}
            materials = {{ m = {{ density = 1000, kn = 1e3 }} }}
            shapes = {{ disc = {{ shape = "circle", radius = 0.004 }} }}
            cell = {{ low = [0, 0], high = [0.1, 0.1] }}
            output = {{ vtk = false, trajectory = false, checkpoint = false }}
            [[grains]]
            from = "lattice"
            shape = "disc"
            material = "m"
            count = [10, 1]
            spacing = [0.01, 0.01]
            origin = [0.005, 0.05]
            velocity = [0, 0.1]
            {change}
            "#
        );
        let scene = Scene::parse(&text, "row").unwrap_or_else(|problems| panic!("{problems}"));
        let folder = TempDir::new().unwrap();
        let done = run(&scene, &Options::new(folder.path().join("out")), &mut ()).unwrap();
        assert_eq!(done.status.grains, left, "{change}");
        // Each disc has π r² of a tonne per square metre, and 0.1 m/s.
        let each = 0.5 * 1000.0 * std::f64::consts::PI * 0.004_f64.powi(2) * 0.01;
        let energy = done.energies.kinetic();
        assert!((energy / each - f64::from(moving)).abs() < 1e-9, "{change}: {energy}");
    }
}

/// 10 are due after 100 steps, and nobody has looked: none of them found no place.
#[test]
fn what_was_never_tried_is_told_apart_from_what_found_no_place() {
    let text = |every: &str| {
        format!(
            r#"
            dimension = 3
            gravity = [0, 0, 0]
            time = {{ steps = 100, step = 1e-5 }}
            output = {{ vtk = false }}
            materials = {{ glass = {{ density = 2500, young = 1e7, poisson = 0.3 }} }}
            shapes = {{ ball = {{ shape = "sphere", radius = 0.001 }} }}
            [inlets.rain]
            shape = "ball"
            material = "glass"
            number_rate = 1e4
            every = {every}
            region = {{ kind = "box", low = [0, 0, 0], high = [0.0021, 0.0021, 0.0021] }}
            "#
        )
    };
    let folder = TempDir::new().unwrap();
    // At the look after 6 of 10 one finds a place, and five do not; four are due since then.
    for (every, came, waiting, untried, words) in [
        ("\"1 s\"", 0, 0, 10, "0 grains, 0 kg; 10 more are due at the next insertion"),
        ("6e-4", 1, 5, 4, "; 5 more are due but found no free space; 4 more are due at the next insertion"),
    ] {
        let scene = Scene::parse(&text(every), "rain").unwrap_or_else(|problems| panic!("{problems}"));
        let summary = run(&scene, &Options::new(folder.path().join(came.to_string())), &mut ()).unwrap();
        let [rain] = &summary.passed[..] else { panic!("{:?}", summary.passed) };
        assert_eq!((rain.number, rain.waiting, rain.untried), (came, waiting, untried));
        assert!(summary.to_string().contains(words), "{summary}");
    }
}

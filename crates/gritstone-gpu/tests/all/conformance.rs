//! The suite for backends on the kernels as loops, bit for bit; and on a GPU: `cargo test -p gritstone-gpu -- --ignored`.

use glam::DVec3;
use gritstone_core::Pose;
use gritstone_engine::{
    Backend, BodyColumns, ContactColumns, Drive, Free, RestoreError, SetupError, Wall, World,
};
use gritstone_gpu::{CudaWorld, Device, GpuWorld, Loops};
use gritstone_shape::space::{Solid, Sphere};
use gritstone_testkit::Space;
use gritstone_testkit::backend::{Act, Agreement, Script, conforms, scenes};

type LoopWorld = GpuWorld<Loops>;

/// The scripts whose scenes have nothing but what the device takes.
fn supported() -> Vec<Script<Space>> {
    let taken = |bed: &Script<Space>| matches!(bed.name, "spheres" | "ellipsoids" | "superellipsoids");
    let beds = scenes::beds().into_iter().filter(taken);
    let walls = [moving_floor(), scenes::servo(), free_lid(), smooth_drum(), belt_and_ball()];
    beds.chain([scenes::stream(), balls_and_ellipsoids()]).chain(walls).collect()
}

/// The shapes of the beds of this name.
fn shapes_of(names: &[&str]) -> Vec<Solid> {
    let beds = scenes::beds().into_iter().filter(|bed| names.contains(&bed.name));
    beds.flat_map(|bed| bed.setup.shapes).collect()
}

/// A drum of triangles with all shapes that the device takes: contacts with the mesh are the host's.
fn smooth_drum() -> Script<Space> {
    let mut script = Script { name: "drum of smooth grains", ..scenes::drum() };
    script.setup.shapes = shapes_of(&["spheres", "ellipsoids", "superellipsoids"]);
    let kinds = script.setup.shapes.len() as u32;
    script.setup.grains.iter_mut().zip(0..).for_each(|(grain, i)| grain.shape = i % kinds);
    script
}

/// A floor that moves along itself, and a ball in the bed.
fn belt_and_ball() -> Script<Space> {
    let mut script = Script { name: "belt and ball", energy_error: None, ..scenes::beds().remove(1) };
    let setup = &mut script.setup;
    setup.walls[0].surface_motion.velocity = DVec3::X * 0.3;
    let ball = Sphere::new(4e-3).expect("a radius").into();
    let middle = DVec3::new(0.02, 0.02, 0.0);
    setup.walls.push(Wall { pose: Pose::at(middle), ..Wall::fixed("ball", ball, 0) });
    script
}

/// A lid that its weight presses on a bed.
fn free_lid() -> Script<Space> {
    let mut script = Script { name: "free lid", energy_error: None, ..scenes::servo() };
    let free = Free {
        mass: 0.05,
        along: [false, false, true],
        moments: None,
        about: [false; 3],
        force: DVec3::ZERO,
        start: 0.0,
    };
    script.setup.tools[0].drive = Drive::Free(free);
    script
}

/// A floor that a plan shakes: it does work on the grains.
fn moving_floor() -> Script<Space> {
    let bed = scenes::beds().into_iter().find(|bed| bed.name == "ellipsoids").expect("there is one");
    let mut script = Script { name: "moving floor", ..bed };
    script.acts.push((200, Act::MoveWall("floor", DVec3::Z * 0.2, DVec3::ZERO)));
    script.acts.push((900, Act::MoveWall("floor", DVec3::Z * -0.1, DVec3::ZERO)));
    script
}

/// Spheres among ellipsoids, some of which are added, frozen, kicked and removed.
fn balls_and_ellipsoids() -> Script<Space> {
    let mut beds = scenes::beds();
    let ball = beds.remove(0).setup.shapes[0].clone();
    let bed = beds.remove(0);
    let mut script = Script { name: "balls and ellipsoids", energy_error: None, ..bed };
    script.setup.shapes.push(ball);
    script.setup.grains.iter_mut().step_by(3).for_each(|grain| grain.shape = 1);
    let ids: Vec<u32> = script.setup.grains.iter().map(|grain| grain.id).collect();
    let mut more = script.setup.grains[..5].to_vec();
    for (grain, id) in more.iter_mut().zip(5000..) {
        grain.id = id;
        grain.pose.position.z += 0.06;
    }
    script.acts.extend([
        (100, Act::Freeze(ids[..3].to_vec())),
        (300, Act::Insert(more)),
        (310, Act::Kick(ids[10..20].to_vec(), DVec3::Z, DVec3::X * 50.0)),
        (700, Act::Remove(ids[30..33].to_vec())),
        (800, Act::RemoveWall("x+")),
    ]);
    script
}

/// Whether the kernels run as loops here; told where they do not.
fn has_loops() -> bool {
    let opened = Loops::open();
    if let Err(error) = &opened {
        println!("skipped: {error}");
    }
    opened.is_ok()
}

#[test]
fn loops_give_the_bits_of_the_processor() {
    if !has_loops() {
        return;
    }
    for script in supported() {
        conforms::<_, LoopWorld>(&script, Agreement::SameBits).unwrap();
    }
}

/// Steps are the device's: else the comparison would be one of the host with itself. The host makes those in which lists are rebuilt.
#[test]
fn steps_are_made_by_the_device() {
    if !has_loops() {
        return;
    }
    for script in supported().into_iter().filter(|script| script.inlets.is_empty()) {
        let mut world = LoopWorld::start(&script.setup).unwrap();
        world.advance(script.steps).unwrap();
        let steps = world.steps();
        assert_eq!(steps.device + steps.shared + steps.host, script.steps);
        println!("{}: {steps:?}", script.name);
        assert!(steps.device + steps.shared > 4 * steps.host, "{}: {steps:?}", script.name);
        assert!(
            script.name != "spheres" || steps.device > 4 * steps.shared,
            "spheres need no solver: {steps:?}"
        );
    }
}

/// A state that one backend has saved is another's to go on from.
#[test]
fn states_are_portable() {
    if !has_loops() {
        return;
    }
    for script in supported().into_iter().filter(|script| script.inlets.is_empty()) {
        let setup = &script.setup;
        let mut alone = World::start(setup).unwrap();
        alone.advance(1000).unwrap();
        let mut first = LoopWorld::start(setup).unwrap();
        first.advance(300).unwrap();
        let mut second = <World<Space> as Backend<Space>>::restore(setup, &first.save().unwrap()).unwrap();
        second.advance(300).unwrap();
        let mut third = LoopWorld::restore(setup, &Backend::save(&second).unwrap()).unwrap();
        third.advance(400).unwrap();
        // Bytes have contacts in the order in which they are stored; columns have them in that of their keys.
        assert_eq!(BodyColumns::of(&alone), BodyColumns::of(&third), "{}", script.name);
        assert_eq!(ContactColumns::of(&alone), ContactColumns::of(&third), "{}", script.name);
        assert_eq!(Backend::energies(&alone), third.energies(), "{}", script.name);
    }
}

/// What the device cannot do is refused, and named.
#[test]
fn what_is_not_supported_is_refused() {
    let refused: [(Script<Space>, &str); 4] = [
        (scenes::compounds(), "compounds"),
        (scenes::drum(), "neither spheres, ellipsoids nor superellipsoids"),
        (scenes::sheared_cell(), "periodic cells"),
        (scenes::beds().remove(3), "neither spheres, ellipsoids nor superellipsoids"),
    ];
    for (script, what) in refused {
        let error = LoopWorld::start(&script.setup).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(what) && error.contains("use the CPU backend"), "{}: {error}", script.name);
        let bytes = Backend::save(&World::start(&script.setup).unwrap()).unwrap();
        let error = LoopWorld::restore(&script.setup, &bytes).err();
        assert!(matches!(error, Some(RestoreError::Setup(SetupError::NotSupported { .. }))));
    }
}

/// The whole suite on a GPU.
#[test]
#[ignore = "needs a CUDA device"]
fn a_gpu_gives_the_bits_of_the_processor() {
    for script in supported() {
        conforms::<_, CudaWorld>(&script, Agreement::SameBits).unwrap();
        println!("{}: the same bits", script.name);
    }
}

/// Without a driver there is an error that says so.
#[test]
fn a_missing_device_is_told() {
    match gritstone_gpu::CudaDevice::open() {
        Ok(_) => {}
        Err(error) => assert!(error.to_string().contains("CPU backend"), "{error}"),
    }
}

//! Contact patches against closed forms.

use glam::{DQuat, DVec2, DVec3};
use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Patch, Placed, Scratch};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid,
};
use gritstone_shape::{Implicit, Support};

fn cuboid(half: DVec3) -> Solid {
    let corners: Vec<DVec3> = (0..8)
        .map(|i| half * DVec3::new([-1.0, 1.0][i & 1], [-1.0, 1.0][(i >> 1) & 1], [-1.0, 1.0][(i >> 2) & 1]))
        .collect();
    Polyhedron::hull(&corners).unwrap().0.into()
}

fn contact(a: Placed<'_>, b: Placed<'_>) -> Contact<Space> {
    let answer =
        Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut Scratch::default()).unwrap();
    assert!(answer.certified());
    *answer.contact().unwrap()
}

fn patch(a: (&Solid, Pose<Space>), b: (&Solid, Pose<Space>)) -> Patch {
    let (a, b) = (Placed { shape: a.0, pose: a.1 }, Placed { shape: b.0, pose: b.1 });
    let mut patch = Patch::default();
    patch.fill(a, b, &contact(a, b));
    patch
}

const UNTURNED: Pose<Space> = Pose { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

/// Two unit cubes on each other, shifted: a rectangle of constant depth.
#[test]
fn shifted_cubes() {
    let cube = cuboid(DVec3::splat(0.5));
    for (x, y, depth) in [(0.0, 0.0, 1e-3), (0.3, 0.1, 1e-2), (-0.6, 0.45, 1e-6)] {
        let found = patch((&cube, UNTURNED), (&cube, Pose::at(DVec3::new(x, y, 1.0 - depth))));
        let area = (1.0 - f64::abs(x)) * (1.0 - f64::abs(y));
        assert!((found.area - area).abs() < 1e-12, "{} {area}", found.area);
        assert!((found.volume - area * depth).abs() < 1e-12 * depth.max(1e-3));
        assert!((found.centre - DVec3::new(0.5 * x, 0.5 * y, 0.5 * (1.0 - depth))).length() < 1e-9);
        assert!(found.pieces().flatten().all(|corner| (corner.depth - depth).abs() < 1e-12));
        assert_eq!(found.weight, 1.0);
    }
}

/// A cube stands on its corner in a face: a pyramid with three right angles at its tip, wherever in the face it stands.
#[test]
fn corner_in_a_face() {
    let (cube, floor) = (cuboid(DVec3::splat(0.5)), cuboid(DVec3::splat(2.0)));
    let upright = DQuat::from_rotation_arc(-DVec3::ONE.normalize(), -DVec3::Z);
    for (x, y, depth) in [(0.0, 0.0, 1e-2), (0.9, -1.2, 0.1), (-0.3, 1.9, 1e-4)] {
        let place = DVec3::new(x, y, 2.0 + 0.75_f64.sqrt() - depth);
        let pose = Pose::<Space>::new(place, upright);
        for swapped in [false, true] {
            let (below, above) = ((&floor, UNTURNED), (&cube, pose));
            let found = if swapped { patch(above, below) } else { patch(below, above) };
            let area = 1.5 * 3.0_f64.sqrt() * depth * depth;
            assert!((found.area - area).abs() < 1e-12, "{} {area}", found.area);
            assert!((found.volume - area * depth / 3.0).abs() < 1e-12 * depth);
            // The centroid of a pyramid lies at a quarter of its height above the base, which is on top here.
            let centre = DVec3::new(x, y, 2.0 - 0.25 * depth);
            assert!((found.centre - centre).length() < 1e-9, "{} {centre}", found.centre);
            assert!(found.pieces().flatten().all(|corner| corner.depth <= depth * (1.0 + 1e-9)));
        }
    }
}

/// Two roofs cross: a tetrahedron with two edges of twice the depth across each other.
#[test]
fn crossing_edges() {
    let cube = cuboid(DVec3::splat(0.5));
    for (shift, turn, depth) in [(0.0, 90.0_f64, 1e-2), (0.2, 90.0, 1e-3), (-0.1, 60.0, 1e-2)] {
        let roof = DQuat::from_rotation_x(45.0_f64.to_radians());
        let across = DQuat::from_rotation_z(turn.to_radians()) * roof;
        let place = DVec3::new(shift, 0.0, 2.0_f64.sqrt() - depth);
        let found = patch((&cube, Pose::new(DVec3::ZERO, roof)), (&cube, Pose::new(place, across)));
        // Roofs of 45 degrees: edges leave the other roof at the depth over the sine of the angle between them.
        let sine = turn.to_radians().sin();
        let area = 2.0 * depth * depth / sine;
        assert!((found.area - area).abs() < 1e-12, "{} {area}", found.area);
        assert!((found.volume - area * depth / 3.0).abs() < 1e-12 * depth);
        let centre = DVec3::new(shift, 0.0, 0.5 * (2.0_f64.sqrt() - depth));
        assert!((found.centre - centre).length() < 1e-9, "{} {centre}", found.centre);
    }
}

/// A rectangle of constant depth has the moments that every table of sections has.
#[test]
fn moments_of_a_rectangle() {
    let cube = cuboid(DVec3::splat(0.5));
    let (x, y, depth) = (0.3, 0.1, 1e-2);
    let found = patch((&cube, UNTURNED), (&cube, Pose::at(DVec3::new(x, y, 1.0 - depth))));
    let (moments, width, height) = (found.moments(), 1.0 - x, 1.0 - y);
    let area = width * height;
    assert!((moments.square - area * depth * depth).abs() < 1e-12);
    // Levers are from the middle of the contact, which is that of the rectangle.
    assert!(moments.lever.length() < 1e-12 && moments.deep_lever.length() < 1e-12);
    let spread = area * (width * width + height * height) / 12.0;
    assert!((moments.second.trace() - spread).abs() < 1e-12);
    assert!((moments.deep_square - depth * spread).abs() < 1e-12);
    // Along the longer side, which is y.
    let along = [0, 1].map(|i| moments.axes[i].y);
    let second = moments.second.form(DVec2::from_array(along));
    assert!((second - area * height * height / 12.0).abs() < 1e-12, "{second}");
}

/// Measured without its pieces, a patch is the same; and a face of twenty corners, taken in parts, has its area.
#[test]
fn face_with_many_corners() {
    let corner = |i: usize, z: f64| {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / 20.0).sin_cos();
        DVec3::new(cos, sin, z)
    };
    let corners: Vec<DVec3> = (0..20).flat_map(|i| [corner(i, -0.5), corner(i, 0.5)]).collect();
    let drum = Solid::from(Polyhedron::hull(&corners).unwrap().0);
    let slab = cuboid(DVec3::new(5.0, 5.0, 1.0));
    let pose = Pose::at(DVec3::new(0.2, -0.3, 1.5 - 1e-3));
    let mut found = patch((&slab, UNTURNED), (&drum, pose));
    let area = 10.0 * (std::f64::consts::TAU / 20.0).sin();
    assert!((found.area - area).abs() < 1e-12, "{} {area}", found.area);
    assert!((found.volume - 1e-3 * area).abs() < 1e-12);
    let (a, b) = (Placed { shape: &slab, pose: UNTURNED }, Placed { shape: &drum, pose });
    let (volume, centre) = (found.volume, found.centre);
    found.measure(a, b, &contact(a, b));
    assert_eq!((found.volume, found.centre, found.pieces().count()), (volume, centre, 0));
}

/// A unit cube leaning on a slab by θ: what lies between its lower surface and the slab's upper one is a prism with a known
/// cross-section.
#[test]
fn leaning_cube() {
    let (slab, cube) = (cuboid(DVec3::new(5.0, 5.0, 1.0)), cuboid(DVec3::splat(0.5)));
    for (lean, depth) in [(0.3, 0.05), (0.02, 0.01), (0.01, 0.03), (1e-4, 1e-3), (0.0, 1e-3)] {
        let (sin, cos) = f64::sin_cos(lean);
        let height = 1.0 + 0.5 * (sin + cos) - depth;
        let pose = Pose::new(DVec3::new(0.2, -0.3, height), DQuat::from_rotation_y(lean));
        let found = patch((&slab, UNTURNED), (&cube, pose));
        let other_edge = f64::max(depth - sin, 0.0);
        let (volume, width) = if depth < sin {
            (depth * depth / (2.0 * sin * cos), depth / (sin * cos))
        } else {
            // Under the face, and under the side that leans outward.
            let tan = sin / cos;
            (cos * 0.5 * (depth + other_edge) + 0.5 * tan * depth * depth, cos + depth * tan)
        };
        assert!((found.volume - volume).abs() < 1e-9 * volume, "{lean} {depth}: {} {volume}", found.volume);
        assert!((found.area - width).abs() < 1e-9, "{lean} {depth}: {} {width}", found.area);
    }
}

/// A half-space is as good a floor as a slab that is wide enough, on either side.
#[test]
fn half_space_is_a_wide_slab() {
    let (slab, cube) = (cuboid(DVec3::new(5.0, 5.0, 1.0)), cuboid(DVec3::splat(0.5)));
    let floor = Solid::from(HalfSpace::new(DVec3::Z, 1.0).unwrap());
    let boxy = Solid::from(Superellipsoid::new(DVec3::splat(0.5), [0.2, 0.2]).unwrap());
    for (grain, lean, height) in
        [(&cube, 0.3, 1.6), (&cube, 1e-4, 1.499), (&cube, 0.0, 1.499), (&boxy, 0.0, 1.499)]
    {
        let pose = Pose::new(DVec3::new(0.2, -0.3, height), DQuat::from_rotation_y(lean));
        let expected = patch((&slab, UNTURNED), (grain, pose));
        for found in [patch((&floor, UNTURNED), (grain, pose)), patch((grain, pose), (&floor, UNTURNED))] {
            assert!((found.volume / expected.volume - 1.0).abs() < 1e-9, "{found:?} {expected:?}");
            assert!((found.area / expected.area - 1.0).abs() < 1e-9);
            assert!((found.centre - expected.centre).length() < 1e-9);
            assert_eq!(found.weight, 1.0);
        }
    }
}

/// The overlap of a leaning cube acts off its middle, against the lean: a flat grain resists tilting.
#[test]
fn leaning_is_resisted() {
    let (slab, cube) = (cuboid(DVec3::new(5.0, 5.0, 1.0)), cuboid(DVec3::splat(0.5)));
    let pressed = |lean: f64| {
        let pose = Pose::new(DVec3::new(0.0, 0.0, 1.5 - 1e-3), DQuat::from_rotation_y(lean));
        patch((&slab, UNTURNED), (&cube, pose)).centre.x
    };
    // To first order the lever is I·lean/V = (1/12)·lean/depth, towards the edge that goes down.
    for lean in [1e-6, 1e-5, 1e-4] {
        let lever = lean / 12.0 / 1e-3;
        assert!((pressed(lean) - lever).abs() < 0.02 * lever, "{lean}: {} {lever}", pressed(lean));
        assert!((pressed(-lean) + lever).abs() < 0.02 * lever);
    }
}

/// Volume changes by at most area times motion when a cube slides, turns and tilts in small steps: nothing jumps.
#[test]
fn volume_is_continuous() {
    let (slab, cube) = (cuboid(DVec3::new(0.8, 0.8, 1.0)), cuboid(DVec3::splat(0.5)));
    let step = 1e-3;
    let pose = |i: i32| {
        let t = f64::from(i) * step;
        let turn = DQuat::from_rotation_z(2.0 * t) * DQuat::from_rotation_x(0.02 * (7.0 * t).sin());
        Pose::new(DVec3::new(1.5 * t, 0.3 * t, 1.49), turn)
    };
    let mut last: Option<f64> = None;
    for i in 0..1000 {
        let volume = patch((&slab, UNTURNED), (&cube, pose(i))).volume;
        if let Some(last) = last {
            assert!((volume - last).abs() < 2e-3 * step.sqrt(), "{i}: {last} to {volume}");
        }
        last = Some(volume);
    }
}

/// Overlap of two bodies that are symmetric about the normal z, column by column.
fn volume_by_columns(a: &Solid, b: &Solid, pose_b: &Pose<Space>, half_width: f64) -> f64 {
    let (a, b) = (a.implicit_or_panic(), b.implicit_or_panic());
    let n = 160;
    let cell = 2.0 * half_width / f64::from(n);
    let surface = |inside: &dyn Fn(f64) -> bool, mut low: f64, mut high: f64| {
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if inside(middle) { low = middle } else { high = middle }
        }
        low
    };
    let mut volume = 0.0;
    for i in 0..n {
        for j in 0..n {
            let x = (f64::from(i) + 0.5) * cell - half_width;
            let y = (f64::from(j) + 0.5) * cell - half_width;
            let in_a = |z: f64| a.gauge(DVec3::new(x, y, z)) <= 1.0;
            let in_b = |z: f64| b.gauge(pose_b.to_body(DVec3::new(x, y, z))) <= 1.0;
            if in_a(0.0) && in_b(pose_b.position.z) {
                let top = surface(&in_a, 0.0, 3.0);
                let bottom = surface(&|z| in_b(pose_b.position.z - z), 0.0, 3.0);
                volume += (top - (pose_b.position.z - bottom)).max(0.0) * cell * cell;
            }
        }
    }
    volume
}

trait Gauge {
    fn implicit_or_panic(&self) -> &dyn Implicit<Space>;
}

impl Gauge for Solid {
    fn implicit_or_panic(&self) -> &dyn Implicit<Space> {
        Support::implicit(self).unwrap()
    }
}

/// Smooth bricks: inscribed facets are a few per cent short of the true volume, never more than it.
#[test]
fn smooth_bricks() {
    for exponent in [0.1, 0.2] {
        let brick = Solid::from(Superellipsoid::new(DVec3::new(1.0, 0.8, 0.5), [exponent; 2]).unwrap());
        for (shift, turn) in [(0.0, 0.0), (0.2, 0.3)] {
            let pose = Pose::new(DVec3::new(shift, 0.5 * shift, 0.999), DQuat::from_rotation_z(turn));
            let found = patch((&brick, UNTURNED), (&brick, pose));
            let volume = volume_by_columns(&brick, &brick, &pose, 1.3);
            let ratio = found.volume / volume;
            assert!((0.9..1.001).contains(&ratio), "ε = {exponent}, {shift}, {turn}: {ratio}");
            assert_eq!(found.weight, 1.0);
        }
    }
}

/// Faces of ε = 0.2 remain flat when they lean by next to nothing, and differently so along x and y: once a radius of
/// curvature that was lost beside a far larger one passed for a sharp edge.
#[test]
fn faces_that_hardly_lean_are_flat() {
    let boxy = Solid::from(Superellipsoid::new(DVec3::splat(1.0), [0.2, 0.2]).unwrap());
    let floor = Solid::from(HalfSpace::new(DVec3::Z, 1.0).unwrap());
    for i in 0..12 {
        for j in 0..12 {
            let lean = DVec3::new(0.1_f64.powi(i + 5), 0.3 * 0.1_f64.powi(j + 5), 0.5);
            let pose = Pose::new(DVec3::Z * 1.999, DQuat::from_scaled_axis(lean));
            for below in [&floor, &boxy] {
                assert_eq!(patch((below, UNTURNED), (&boxy, pose)).weight, 1.0, "{lean}");
            }
        }
    }
}

#[test]
fn curved_contacts_have_no_patch() {
    let egg = Solid::from(Ellipsoid::new(DVec3::new(1.0, 1.2, 1.5)).unwrap());
    let found = patch((&egg, UNTURNED), (&egg, Pose::at(DVec3::X * 1.99)));
    assert_eq!((found.weight, found.area, found.pieces().count()), (0.0, 0.0, 0));
    // Nor has a ball on a cube, as it has none on a plane: on a face, an edge, a corner.
    let (cube, ball) = (cuboid(DVec3::ONE), Solid::from(Sphere::new(0.5).unwrap()));
    for out in [DVec3::Z, DVec3::new(0.6, 0.8, 0.0), DVec3::new(0.6, 0.48, 0.64)] {
        let nearest = DVec3::select(out.cmpgt(DVec3::ZERO), DVec3::ONE, DVec3::splat(0.3));
        let found = patch((&cube, UNTURNED), (&ball, Pose::at(nearest + out * 0.499)));
        assert_eq!(found.weight, 0.0, "{out}");
    }
}

/// Cylinders on a plane and on a large slab: on the cap, leaning on the rim, on the side, and leaning on an end of the side.
#[test]
fn cylinders() {
    let (radius, half) = (0.7, 0.5);
    let cylinder = Solid::from(Cylinder::new(radius, half).unwrap());
    let floor = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let slab = cuboid(DVec3::new(4.0, 4.0, 1.0));
    for (below, under) in [(&floor, UNTURNED), (&slab, Pose::at(-DVec3::Z))] {
        for lean in [0.0, 1e-9, 1e-6, 1e-3, 0.05, 0.4, 0.8, 1.2, 1.5, 1.5706, std::f64::consts::FRAC_PI_2] {
            let turn = DQuat::from_rotation_y(lean) * DQuat::from_rotation_z(0.3);
            let lowest = (turn * cylinder.support(turn.conjugate() * -DVec3::Z)).z;
            let depth = 1e-2;
            let pose = Pose::new(DVec3::Z * (-lowest - depth), turn);
            let found = patch((below, under), (&cylinder, pose));
            assert_eq!(found.weight, 1.0, "{lean}");
            // By columns: the depth of the cylinder's lowest point above each point of the floor.
            let corners = || found.pieces().flatten().map(|corner| corner.position.truncate());
            let [low, high] =
                [corners().reduce(DVec2::min), corners().reduce(DVec2::max)].map(Option::unwrap);
            let (middle, cell) = (0.5 * (low + high), (high - low) * (1.3 / 300.0));
            let (mut area, mut volume) = (0.0, 0.0);
            for i in 0..300 * 300 {
                let place = DVec2::new(f64::from(i % 300), f64::from(i / 300)) - 149.5;
                let x = (middle + cell * place).extend(0.0);
                let [from, to] = [x, x + DVec3::Z].map(|x| pose.to_body(x));
                let deep = chord(from, to - from, radius, half).map_or(0.0, |[low, _]| (-low).max(0.0));
                area += if deep > 0.0 { cell.x * cell.y } else { 0.0 };
                volume += deep * cell.x * cell.y;
            }
            assert!((found.area / area - 1.0).abs() < 0.03, "{lean}: {} {area}", found.area);
            assert!((found.volume / volume - 1.0).abs() < 0.03, "{lean}: {} {volume}", found.volume);
        }
    }
}

/// Where a line enters a cylinder and where it leaves it.
fn chord(x: DVec3, along: DVec3, radius: f64, half: f64) -> Option<[f64; 2]> {
    let (p, d) = (x.truncate(), along.truncate());
    let (a, b, c) = (d.length_squared(), p.dot(d), p.length_squared() - radius * radius);
    let side = if a < 1e-24 {
        if c > 0.0 {
            return None;
        }
        [f64::NEG_INFINITY, f64::INFINITY]
    } else {
        let root = (b * b - a * c).max(0.0).sqrt();
        if b * b < a * c {
            return None;
        }
        [(-b - root) / a, (-b + root) / a]
    };
    let mut caps = [(-half - x.z) / along.z, (half - x.z) / along.z];
    caps.sort_by(f64::total_cmp);
    let [low, high] = [side[0].max(caps[0]), side[1].min(caps[1])];
    (low < high).then_some([low, high])
}

/// A cylinder that rolls has the same patch all the time.
#[test]
fn rolling_changes_nothing() {
    let cylinder = Solid::from(Cylinder::new(0.7, 0.5).unwrap());
    let floor = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    for lean in [0.3, std::f64::consts::FRAC_PI_2] {
        let at = |roll: f64| {
            let turn = DQuat::from_rotation_y(lean) * DQuat::from_rotation_z(roll);
            let lowest = (turn * cylinder.support(turn.conjugate() * -DVec3::Z)).z;
            patch((&floor, UNTURNED), (&cylinder, Pose::new(DVec3::Z * (-lowest - 1e-3), turn)))
        };
        let first = at(0.0);
        for k in 1..40 {
            let found = at(0.1 * f64::from(k));
            assert!((found.volume / first.volume - 1.0).abs() < 1e-9, "{} {}", found.volume, first.volume);
            assert!((found.area / first.area - 1.0).abs() < 1e-9, "{} {}", found.area, first.area);
        }
    }
}

/// Nowhere are bodies deeper in each other than they overlap, whatever their shapes. And no curvature is negative: edges of
/// cylinders against edges of polyhedra once had one, by rounding, and flew off.
#[test]
fn no_patch_is_deeper_than_the_overlap() {
    let mut state = 1_u64;
    let mut unit = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut vector = || DVec3::new(unit(), unit(), unit());
    let hull = Polyhedron::hull(&(0..10).map(|_| vector().normalize()).collect::<Vec<_>>()).unwrap().0;
    let shapes = [
        Solid::from(hull),
        Cylinder::new(0.6, 0.7).unwrap().into(),
        Capsule::new(0.5, 0.6).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.5, 0.5, 0.9), [0.5, 0.5]).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.5, 0.6, 0.9)).unwrap().into(),
    ];
    let mut found = Patch::default();
    let mut patches = 0;
    for i in 0..20_000 {
        let (a, b) = (&shapes[i % 5], &shapes[i / 5 % 5]);
        let turned = |x: DVec3| DQuat::from_scaled_axis(x * 3.0);
        let (c, poses) = (vector().normalize(), [vector(), vector()].map(turned));
        let a = Placed { shape: a, pose: Pose::new(DVec3::ZERO, poses[0]) };
        // The farthest points along c meet, and go on by up to a hundredth.
        let farthest = |body: Placed<'_>, n: DVec3| {
            body.pose.rotation * body.shape.support(body.pose.rotation.conjugate() * n)
        };
        let b = Placed { shape: b, pose: Pose::new(DVec3::ZERO, poses[1]) };
        let overlap = 1e-2 * vector().x.abs();
        let position = farthest(a, c) - farthest(b, -c) - c * overlap;
        let b = Placed { pose: Pose::new(position, poses[1]), ..b };
        let contact = contact(a, b);
        assert!(contact.curvature.iter().all(|&k| k >= 0.0), "{contact:?}");
        found.fill(a, b, &contact);
        let depth = (-contact.gap).max(0.0);
        let deepest = found.pieces().flatten().map(|corner| corner.depth).fold(0.0, f64::max);
        assert!(deepest <= depth * (1.0 + 1e-12), "{i}: {deepest} {depth}");
        assert!(found.volume <= found.area * depth * (1.0 + 1e-12) && found.area.is_finite());
        patches += usize::from(found.area > 0.0);
    }
    assert!(patches > 1000, "{patches}");
}

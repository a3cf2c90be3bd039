//! Worlds to test on.

#![allow(dead_code, reason = "each test uses its own part")]

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Dim, Plane, Pose, Space, Vector as _};
use gritstone_engine::{
    Cell, Compound, Dimension, Grain, Part, Rules, Setup, Side, Sides, Surface, TriangleMesh, Wall, World,
};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::plane::{Circle, Figure, HalfPlane, Polygon, Superellipse};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid,
};

pub(crate) const G: f64 = 9.81;
/// Size of ordinary grains (m).
pub(crate) const SIZE: f64 = 4e-3;

/// RandomStream numbers: splitmix64.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.uniform(-size, size), self.uniform(-size, size), self.uniform(-size, size))
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        DQuat::from_scaled_axis(self.vector(3.0))
    }
}

pub(crate) fn material() -> Material {
    Material {
        name: "grains".into(),
        density: 2500.0,
        stiffness: Stiffness::Hertz { young: 1e7, poisson: 0.3 },
        damping: Damping::Restitution(0.5),
        friction: Friction::Coefficient(0.5),
        rolling: 0.01,
        twisting: 0.01,
        cohesion: Adhesion::None,
    }
}

/// A world of these shapes without anything in it.
pub(crate) fn empty<D: Dimension>(shapes: Vec<D::Shape>, material: Material) -> Setup<D> {
    Setup {
        shapes,
        densities: vec![material.density],
        interactions: Interactions::mix(&[material], &[]).unwrap(),
        rules: Rules::default(),
        method: None,
        grains: Vec::new(),
        walls: Vec::new(),
        tools: Vec::new(),
        gravity: D::Vec::axis(D::N - 1) * -G,
        time_step: 2e-5,
        domain: None,
        compounds: gritstone_engine::Compounds::new(),
        cell: None,
        earlier: None,
    }
}

pub(crate) fn grain<D: Dim>(id: u32, shape: u32, position: D::Vec) -> Grain<D> {
    Grain {
        id,
        shape,
        material: 0,
        pose: Pose::at(position),
        velocity: D::Vec::default(),
        spin: D::Spin::default(),
        frozen: false,
    }
}

pub(crate) fn wall<D: Dimension>(name: &str, shape: D::Shape) -> Wall<D> {
    Wall::fixed(name, shape, 0)
}

pub(crate) fn half_space(name: &str, normal: DVec3, offset: f64) -> Wall<Space> {
    wall(name, HalfSpace::new(normal, offset).unwrap().into())
}

pub(crate) fn half_plane(name: &str, normal: DVec2, offset: f64) -> Wall<Plane> {
    wall(name, HalfPlane::new(normal, offset).unwrap().into())
}

pub(crate) fn ellipsoids() -> Vec<Solid> {
    vec![Ellipsoid::new(DVec3::new(0.5, 0.5, 1.0) * SIZE).unwrap().into()]
}

pub(crate) fn boxes() -> Vec<Solid> {
    vec![Superellipsoid::new(DVec3::new(0.65, 0.65, 0.8) * SIZE, [0.5, 0.5]).unwrap().into()]
}

pub(crate) fn polyhedra() -> Vec<Solid> {
    let mut draw = Draw(3);
    let hull = |draw: &mut Draw| {
        let corners: Vec<DVec3> = (0..10).map(|_| draw.vector(1.0).normalize() * (0.9 * SIZE)).collect();
        Polyhedron::hull(&corners).unwrap().0.into()
    };
    (0..4).map(|_| hull(&mut draw)).collect()
}

pub(crate) fn mixed() -> Vec<Solid> {
    let mut shapes = [ellipsoids(), boxes(), polyhedra()].concat();
    shapes.push(Sphere::new(0.6 * SIZE).unwrap().into());
    shapes.push(Superellipsoid::new(DVec3::new(0.5, 0.7, 0.6) * SIZE, [0.8, 1.3]).unwrap().into());
    shapes.push(Cylinder::new(0.5 * SIZE, 0.6 * SIZE).unwrap().into());
    shapes.push(Capsule::new(0.4 * SIZE, 0.5 * SIZE).unwrap().into());
    shapes
}

pub(crate) fn figures() -> Vec<Figure> {
    let triangle = [DVec2::new(-0.8, -0.5), DVec2::new(0.8, -0.5), DVec2::new(0.1, 0.8)].map(|p| p * SIZE);
    vec![
        Circle::new(0.7 * SIZE).unwrap().into(),
        Superellipse::new(DVec2::new(0.6, 0.9) * SIZE, 2.0).unwrap().into(),
        Superellipse::new(DVec2::new(0.5, 0.8) * SIZE, 6.0).unwrap().into(),
        Polygon::hull(&triangle).unwrap().0.into(),
    ]
}

/// Grains on a lattice that fall into a box, moving already.
pub(crate) fn bed(shapes: Vec<Solid>, count: u32) -> Setup<Space> {
    let mut setup = empty::<Space>(shapes, material());
    let (across, pitch) = (f64::from(count).cbrt().floor() as u32, 2.05 * SIZE);
    let mut draw = Draw(1);
    let kinds = setup.shapes.len() as u32;
    setup.grains = (0..count)
        .map(|i| {
            let cell = [i % across, i / across % across, i / across / across].map(|n| f64::from(n) + 0.5);
            let pose: Pose<Space> = Pose::new(DVec3::from_array(cell) * pitch, draw.rotation());
            Grain {
                pose,
                // The higher, the faster: they meet soon.
                velocity: draw.vector(0.3) - DVec3::Z * (25.0 * pose.position.z),
                spin: draw.vector(100.0),
                ..grain(7 * i + 3, i % kinds, DVec3::ZERO)
            }
        })
        .collect();
    let width = f64::from(across) * pitch;
    setup.walls = vec![
        half_space("floor", DVec3::Z, 0.0),
        half_space("x-", DVec3::X, 0.0),
        half_space("x+", -DVec3::X, -width),
        half_space("y-", DVec3::Y, 0.0),
        half_space("y+", -DVec3::Y, -width),
    ];
    setup
}

/// The same in the plane.
pub(crate) fn plane_bed(count: u32) -> Setup<Plane> {
    // Discs without a third dimension weigh more: stiffer, so that they do not sink in far.
    let stiffness = Stiffness::Hertz { young: 1e9, poisson: 0.3 };
    let mut setup = empty::<Plane>(figures(), Material { stiffness, ..material() });
    setup.time_step = 1e-5;
    let (across, pitch) = (f64::from(count).sqrt().floor() as u32, 2.05 * SIZE);
    let mut draw = Draw(2);
    let kinds = setup.shapes.len() as u32;
    setup.grains = (0..count)
        .map(|i| {
            let position = DVec2::new(f64::from(i % across) + 0.5, f64::from(i / across) + 0.5) * pitch;
            Grain {
                pose: Pose::new(position, draw.uniform(0.0, 6.0)),
                velocity: draw.vector(0.3).truncate() - DVec2::Y * (25.0 * position.y),
                spin: draw.uniform(-100.0, 100.0),
                ..grain(7 * i + 3, i % kinds, DVec2::ZERO)
            }
        })
        .collect();
    let width = f64::from(across) * pitch;
    setup.walls = vec![
        half_plane("ground", DVec2::Y, 0.0),
        half_plane("x-", DVec2::X, 0.0),
        half_plane("x+", -DVec2::X, -width),
    ];
    setup
}

pub(crate) fn go_on<D: Dimension>(world: &mut World<D>, steps: u64) {
    for _ in 0..steps {
        world.step().unwrap();
    }
}

/// Two halves of a box with these half-edges, cut across x.
pub(crate) fn halves(half: DVec3) -> Compound<Space> {
    let corners = |x: [f64; 2]| {
        let corner =
            |i: u32| DVec3::new(x[(i & 1) as usize], half.y * sign(i >> 1 & 1), half.z * sign(i >> 2 & 1));
        let (hull, centre) = Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
        Part { shape: hull.into(), pose: Pose::at(centre) }
    };
    Compound::new(vec![corners([-half.x, 0.0]), corners([0.0, half.x])]).unwrap().0
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// Concave grains: three spheres in a bent row, and a cross of a cylinder and a box.
pub(crate) fn compounds() -> Vec<Compound<Space>> {
    let ball = |x: f64, y: f64| Part {
        shape: Sphere::new(0.4 * SIZE).unwrap().into(),
        pose: Pose::at(DVec3::new(x, y, 0.0) * SIZE),
    };
    let bent = vec![ball(-0.5, 0.1), ball(0.0, -0.1), ball(0.45, 0.2)];
    let rod = Part { shape: Cylinder::new(0.25 * SIZE, 0.8 * SIZE).unwrap().into(), pose: Pose::default() };
    let corners: Vec<DVec3> = (0..8)
        .map(|i| DVec3::new(0.7 * sign(i & 1), 0.3 * sign(i >> 1 & 1), 0.3 * sign(i >> 2 & 1)) * SIZE)
        .collect();
    let brick = Polyhedron::hull(&corners).unwrap().0;
    let cross = vec![rod, Part { shape: brick.into(), pose: Pose::at(DVec3::Z * (0.2 * SIZE)) }];
    [bent, cross].map(|parts| Compound::new(parts).unwrap().0).to_vec()
}

/// Grains in a cell that repeats everywhere, shrinks and is sheared: they come together from all sides.
pub(crate) fn cell_bed(shapes: Vec<Solid>, compounds: Vec<Compound<Space>>, count: u32) -> Setup<Space> {
    let mut setup = bed(shapes, count);
    compounds.into_iter().for_each(|compound| {
        setup.add_compound(compound);
    });
    setup.walls.clear();
    setup.gravity = DVec3::ZERO;
    let width = f64::from(count).cbrt().floor() * 2.05 * SIZE;
    let centre = DVec3::splat(0.5 * width);
    let kinds = setup.shapes.len() as u32;
    let mut draw = Draw(4);
    for (i, grain) in setup.grains.iter_mut().enumerate() {
        grain.shape = i as u32 % kinds;
        let x = grain.pose.position - centre;
        grain.velocity = x * -33.0 + DVec3::X * (20.0 * x.y) + draw.vector(0.3);
    }
    let side = |axis: usize| Side {
        vector: DVec3::AXES[axis] * width,
        velocity: (DVec3::AXES[axis] * -33.0 + DVec3::X * [0.0, 20.0, 0.0][axis]) * width,
    };
    setup.cell = Some(Cell { centre, sides: std::array::from_fn(|axis| Some(side(axis))), press: None });
    setup
}

/// The same in the plane, with a concave grain; it repeats along x alone.
pub(crate) fn plane_cell_bed(count: u32) -> Setup<Plane> {
    let mut setup = plane_bed(count);
    let box_at = |x: f64, y: f64| {
        let corners =
            [(-0.5, -0.2), (0.5, -0.2), (0.5, 0.2), (-0.5, 0.2)].map(|(x, y)| DVec2::new(x, y) * SIZE);
        let shape = Polygon::hull(&corners).unwrap().0.into();
        Part { shape, pose: Pose::at(DVec2::new(x, y) * SIZE) }
    };
    let turned = Part { pose: Pose::new(DVec2::ZERO, 1.6), ..box_at(0.0, 0.0) };
    setup.add_compound(Compound::new(vec![box_at(0.1, 0.3), turned]).unwrap().0);
    let kinds = setup.shapes.len() as u32;
    for (i, grain) in setup.grains.iter_mut().enumerate() {
        grain.shape = i as u32 % kinds;
    }
    let width = f64::from(count).sqrt().floor() * 2.05 * SIZE;
    setup.walls.truncate(1);
    let side = Side { vector: DVec2::X * width, velocity: DVec2::ZERO };
    setup.cell =
        Some(Cell { centre: DVec2::new(0.5 * width, 0.0), sides: [Some(side), None, None], press: None });
    setup
}

pub(crate) type Corners = [DVec3; 3];

/// A box from the origin to `high` as triangles that run counter-clockwise seen from outside; every side is cut into
/// `cuts` × `cuts` squares of two triangles.
pub(crate) fn box_triangles(high: DVec3, cuts: u32) -> Vec<Corners> {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let (u, v) = (DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
        for upper in [false, true] {
            let at = |i: u32, j: u32| {
                let (s, t) = (f64::from(i) / f64::from(cuts), f64::from(j) / f64::from(cuts));
                let base = if upper { DVec3::AXES[axis] } else { DVec3::ZERO };
                (base + u * s + v * t) * high
            };
            for (i, j) in (0..cuts).flat_map(|i| (0..cuts).map(move |j| (i, j))) {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                let pair = if upper { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                triangles.extend(pair);
            }
        }
    }
    triangles
}

/// A wall of triangles.
pub(crate) fn mesh_wall(name: &str, triangles: &[Corners], sides: Sides) -> Wall<Space> {
    let mesh = TriangleMesh::new(triangles, sides).unwrap();
    let ball = Sphere::new(mesh.size()).unwrap();
    Wall { surface: Some(Surface::Mesh(mesh.into())), ..wall(name, ball.into()) }
}

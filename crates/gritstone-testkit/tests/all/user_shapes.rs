//! Shapes from outside, a lens and an egg, meet every built-in shape: certified, and as an independent answer has it.

use std::f64::consts::PI;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use glam::{DVec2, DVec3};
use gritstone_contact::{NarrowPhase, Placed, Query, plane, space};
use gritstone_core::linalg::{Sym2, Sym3};
use gritstone_core::{Mass, Plane, Pose, Space, Vector};
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
    Triangle,
};
use gritstone_shape::{Body, Custom, Jet, ShapeError, Support, UserShape};
use gritstone_study::generate::Draw;
use gritstone_study::truth;

/// What two balls of this radius share whose centres lie at ±`offset` on the z axis: caps and a sharp rim.
#[derive(Clone, Copy, Debug)]
struct Lens {
    radius: f64,
    offset: f64,
}

impl Lens {
    fn rim(&self) -> f64 {
        (self.radius * self.radius - self.offset * self.offset).sqrt()
    }

    /// The centre of the ball whose cap has this normal, if a cap has it: the upper cap is the lower ball's.
    fn centre(&self, n: DVec3) -> Option<DVec3> {
        let on_cap = self.radius * n.z.abs() > self.offset * n.length();
        on_cap.then(|| DVec3::NEG_Z * self.offset.copysign(n.z))
    }
}

impl Support<Space> for Lens {
    fn support(&self, n: DVec3) -> DVec3 {
        let n = n.normalize();
        match self.centre(n) {
            Some(centre) => centre + n * self.radius,
            None => DVec3::new(n.x, n.y, 0.0).normalize() * self.rim(),
        }
    }

    fn jet(&self, n: DVec3) -> Jet<Space> {
        let hessian = if self.centre(n).is_some() {
            Sym3::scalar_across(n, self.radius)
        } else {
            // h = ρ |(x, y)|: curved around the axis alone.
            let across = DVec2::new(n.x, n.y);
            let t = across.normalize().perp();
            let k = self.rim() / across.length();
            Sym3 { xx: k * t.x * t.x, yy: k * t.y * t.y, xy: k * t.x * t.y, ..Sym3::default() }
        };
        Jet { point: self.support(n), hessian }
    }

    fn size(&self) -> f64 {
        self.rim().max(self.radius - self.offset)
    }
}

impl Body<Space> for Lens {
    fn mass(&self) -> Mass<Space> {
        // Two caps of height h, disc by disc.
        let h = self.radius - self.offset;
        let disc = |z: f64| self.radius * self.radius - (z + self.offset).powi(2);
        let integral = |f: &dyn Fn(f64) -> f64| {
            let parts = 2000;
            let step = h / f64::from(parts);
            (0..parts).map(|i| f((f64::from(i) + 0.5) * step) * step).sum::<f64>()
        };
        let volume = 2.0 * PI * integral(&|z| disc(z));
        let across = 0.5 * PI * integral(&|z| disc(z) * disc(z));
        let along = 2.0 * PI * integral(&|z| disc(z) * z * z);
        Mass::symmetric(volume, DVec3::new(across, across, along))
    }

    fn half_extents(&self) -> DVec3 {
        DVec3::new(self.rim(), self.rim(), self.radius - self.offset)
    }
}

impl UserShape<Space> for Lens {
    fn name(&self) -> &'static str {
        "lens"
    }

    fn scaled(&self, factor: f64) -> Result<Arc<dyn UserShape<Space>>, ShapeError> {
        Ok(Arc::new(Self { radius: self.radius * factor, offset: self.offset * factor }))
    }
}

trait Across {
    /// `k (I − n nᵀ)`.
    fn scalar_across(n: DVec3, k: f64) -> Self;
}

impl Across for Sym3 {
    fn scalar_across(n: DVec3, k: f64) -> Self {
        Self {
            xx: k * (1.0 - n.x * n.x),
            yy: k * (1.0 - n.y * n.y),
            zz: k * (1.0 - n.z * n.z),
            xy: -k * n.x * n.y,
            xz: -k * n.x * n.z,
            yz: -k * n.y * n.z,
        }
    }
}

/// An egg in the plane, with three blunt tips: `h(φ) = r + b cos 3φ`, convex for `8 b < r`.
#[derive(Clone, Copy, Debug)]
struct Egg {
    radius: f64,
    bulge: f64,
}

impl Support<Plane> for Egg {
    fn support(&self, n: DVec2) -> DVec2 {
        let angle = n.to_angle();
        let h = self.radius + self.bulge * (3.0 * angle).cos();
        let slope = -3.0 * self.bulge * (3.0 * angle).sin();
        let n = DVec2::from_angle(angle);
        n * h + n.perp() * slope
    }

    fn jet(&self, n: DVec2) -> Jet<Plane> {
        // h + h'' is the radius of curvature.
        let radius = self.radius - 8.0 * self.bulge * (3.0 * n.to_angle()).cos();
        let t = n.perp();
        let hessian = Sym2 { xx: radius * t.x * t.x, yy: radius * t.y * t.y, xy: radius * t.x * t.y };
        Jet { point: self.support(n), hessian }
    }

    fn size(&self) -> f64 {
        self.radius + self.bulge
    }
}

impl Body<Plane> for Egg {
    fn mass(&self) -> Mass<Plane> {
        // Area ½∮(h² − h'²) dφ; the second moments are those of a disc to second order in the bulge, which is all that is
        // needed here.
        let area = PI * (self.radius * self.radius - 4.0 * self.bulge * self.bulge);
        Mass::symmetric(area, DVec2::splat(0.25 * area * self.radius * self.radius))
    }

    fn half_extents(&self) -> DVec2 {
        DVec2::splat(self.radius + self.bulge)
    }
}

impl UserShape<Plane> for Egg {
    fn name(&self) -> &'static str {
        "egg"
    }

    fn scaled(&self, factor: f64) -> Result<Arc<dyn UserShape<Plane>>, ShapeError> {
        Ok(Arc::new(Self { radius: self.radius * factor, bulge: self.bulge * factor }))
    }
}

fn lens() -> Solid {
    Custom::new(Arc::new(Lens { radius: 1.3, offset: 0.8 })).unwrap().into()
}

fn egg() -> Figure {
    Custom::new(Arc::new(Egg { radius: 1.0, bulge: 0.1 })).unwrap().into()
}

fn solids() -> Vec<Solid> {
    let corners: Vec<DVec3> =
        (0..8).map(|i| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into()) * 1.3).collect();
    vec![
        Sphere::new(0.7).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.5, 0.8, 1.1)).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.6, 0.8, 1.0), [0.5, 0.7]).unwrap().into(),
        Superquadric::new(DVec3::new(0.6, 0.8, 1.0), [3.0, 2.5, 4.0]).unwrap().into(),
        Polyhedron::hull(&corners).unwrap().0.into(),
        Cylinder::new(0.6, 0.8).unwrap().into(),
        Capsule::new(0.5, 0.6).unwrap().into(),
        Triangle::new([DVec3::ZERO, DVec3::X * 1.2, DVec3::Y]).unwrap().0.into(),
        lens(),
    ]
}

fn figures() -> Vec<Figure> {
    let corners = [[0.0, 0.0], [1.2, 0.1], [1.4, 0.9], [0.3, 1.1]].map(DVec2::from_array);
    vec![
        Circle::new(0.7).unwrap().into(),
        Ellipse::new(DVec2::new(0.5, 1.1)).unwrap().into(),
        Superellipse::new(DVec2::new(0.6, 0.9), 4.0).unwrap().into(),
        Polygon::hull(&corners).unwrap().0.into(),
        Segment::between([DVec2::ZERO, DVec2::new(1.0, 0.5)]).unwrap().0.into(),
        egg(),
    ]
}

/// A seed that is new in each run.
fn seed() -> u64 {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("seed {seed}");
    seed
}

/// Places b so that the two bodies lie apart by this gap along c.
fn apart_by<D: NarrowPhase>(
    a: &D::Shape,
    b: &D::Shape,
    turns: [D::Rotation; 2],
    c: D::Vec,
    gap: f64,
) -> [Pose<D>; 2] {
    let pose_a = Pose::<D>::new(D::Vec::default(), turns[0]);
    let x_a = pose_a.to_world(a.support(D::unrotate(turns[0], c)));
    let lever = D::rotate(turns[1], b.support(D::unrotate(turns[1], -c)));
    [pose_a, Pose::new(x_a + c * gap - lever, turns[1])]
}

/// A certified answer whose points lie apart by the gap along the normal; returns the gap.
fn certified<D: NarrowPhase>(a: Placed<'_, D>, b: Placed<'_, D>) -> f64 {
    let method = D::method("auto").unwrap();
    let answer = method.solve(a, b, Query::default(), &mut D::Scratch::default()).unwrap();
    assert!(answer.certified(), "{answer:?}\n{a:?}\n{b:?}");
    let contact = answer.contact().unwrap();
    let rest = (contact.point_b - contact.point_a - contact.normal * contact.gap).length();
    assert!(rest < 1e-7, "{answer:?}");
    contact.gap
}

#[test]
fn a_lens_meets_every_solid() {
    let (seed, lens) = (seed(), lens());
    for (kind, other) in solids().iter().enumerate() {
        for index in 0..40 {
            let draw = &mut Draw::new(kind as u64, seed, index);
            let turns = [draw.rotation(), draw.rotation()];
            let (c, gap) = (draw.direction(), draw.uniform(-0.2, 0.2));
            let [pose_a, pose_b] = apart_by::<Space>(&lens, other, turns, c, gap);
            let (a, b) = (Placed { shape: &lens, pose: pose_a }, Placed { shape: other, pose: pose_b });
            let found = certified(a, b);
            assert!((found + -certified(b, a)).abs() < 2e-9);
            let truth = truth::bracket(&lens, &pose_a, other, &pose_b, truth::TOLERANCE);
            let off = (found - truth.upper).max(truth.lower - found);
            assert!(off < 2e-9, "{}: {found} is not in {:?}", other.word(), [truth.lower, truth.upper]);
        }
    }
}

#[test]
fn an_egg_meets_every_figure() {
    let (seed, egg) = (seed(), egg());
    for (kind, other) in figures().iter().enumerate() {
        for index in 0..40 {
            let draw = &mut Draw::new(kind as u64, seed, index);
            let turns = [draw.uniform(-PI, PI), draw.uniform(-PI, PI)];
            let (c, gap) = (DVec2::from_angle(draw.uniform(-PI, PI)), draw.uniform(-0.2, 0.2));
            let [pose_a, pose_b] = apart_by::<Plane>(&egg, other, turns, c, gap);
            let (a, b) = (Placed { shape: &egg, pose: pose_a }, Placed { shape: other, pose: pose_b });
            let found = certified(a, b);
            assert!((found + -certified(b, a)).abs() < 2e-9);
            let truth = truth::bracket_in_plane(&egg, &pose_a, other, &pose_b, truth::TOLERANCE);
            let off = (found - truth.upper).max(truth.lower - found);
            assert!(off < 2e-9, "{}: {found} is not in {:?}", other.word(), [truth.lower, truth.upper]);
        }
    }
}

/// The depth of the lowest point, in closed form.
#[test]
fn half_spaces_and_half_planes_bound_shapes_from_outside() {
    let floor = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let lens = lens();
    let pose = Pose::at(DVec3::new(3.0, 1.0, 0.4));
    let gap =
        certified::<Space>(Placed { shape: &floor, pose: Pose::default() }, Placed { shape: &lens, pose });
    assert!((gap - (0.4 - 0.5)).abs() < 1e-15);
    let ground = Figure::from(HalfPlane::new(DVec2::Y, 0.0).unwrap());
    let egg = egg();
    let pose = Pose::new(DVec2::new(3.0, 0.8), 0.5 * PI);
    let gap =
        certified::<Plane>(Placed { shape: &ground, pose: Pose::default() }, Placed { shape: &egg, pose });
    // Downwards is φ = −π/2 in the world, −π in the egg.
    assert!((gap - (0.8 - 0.9)).abs() < 1e-15);
}

/// Methods that ask for a support function alone take shapes from outside; the others refuse them by name.
#[test]
fn methods_take_them_or_name_them() {
    let (lens, egg) = (lens(), egg());
    let b = Placed { shape: &lens, pose: Pose::at(DVec3::new(2.4, 0.1, 0.2)) };
    for method in space::METHODS {
        let answer = method.solve(
            Placed { shape: &lens, pose: Pose::default() },
            b,
            Query::default(),
            &mut space::Scratch::default(),
        );
        match method.card().name {
            "auto" | "support-newton" | "gjk" => assert!(answer.is_ok()),
            name => assert_eq!(answer.unwrap_err().shapes, ["lens"; 2], "{name}"),
        }
    }
    let b = Placed { shape: &egg, pose: Pose::at(DVec2::new(2.4, 0.1)) };
    for method in plane::METHODS {
        let answer = method.solve(
            Placed { shape: &egg, pose: Pose::default() },
            b,
            Query::default(),
            &mut plane::Scratch::default(),
        );
        match method.card().name {
            "auto" | "support-newton" | "gjk" => assert!(answer.is_ok()),
            name => assert_eq!(answer.unwrap_err().shapes, ["egg"; 2], "{name}"),
        }
    }
}

/// A box that claims to be smaller than it is, and one whose support points lie on the wrong side.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    size: f64,
    sign: f64,
}

impl Support<Plane> for Wrong {
    fn support(&self, n: DVec2) -> DVec2 {
        n.signum() * self.sign
    }
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        Jet { point: self.support(n), ..Jet::default() }
    }
    fn size(&self) -> f64 {
        self.size
    }
    fn creased(&self) -> bool {
        true
    }
}

impl Body<Plane> for Wrong {
    fn mass(&self) -> Mass<Plane> {
        Mass::symmetric(4.0, DVec2::splat(4.0 / 3.0))
    }
    fn half_extents(&self) -> DVec2 {
        DVec2::ONE
    }
}

impl UserShape<Plane> for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }
    fn scaled(&self, _: f64) -> Result<Arc<dyn UserShape<Plane>>, ShapeError> {
        Ok(Arc::new(*self))
    }
}

#[test]
fn what_is_no_support_function_is_refused() {
    let refused = |size, sign| Custom::new(Arc::new(Wrong { size, sign })).unwrap_err().to_string();
    assert!(Custom::new(Arc::new(Wrong { size: 1.5, sign: 1.0 })).is_ok());
    assert_eq!(refused(1.2, 1.0), "shape wrong has a support point beyond its size");
    assert!(refused(1.5, -1.0).contains("not the farthest one"));
    assert!(refused(f64::NAN, 1.0).contains("size is NaN"));
}

/// Outlines and surfaces that pictures take lie on the shape.
#[test]
fn they_can_be_drawn() {
    let (lens, egg) = (lens(), egg());
    let mesh = lens.surface().unwrap().tessellate(4);
    for (x, n) in mesh.positions.iter().zip(&mesh.normals) {
        assert!((n.dot(*x) - n.dot(lens.support(*n))).abs() < 1e-14);
    }
    assert!(mesh.triangles.iter().flatten().all(|&v| (v as usize) < mesh.positions.len()));
    let outline = gritstone_shape::Trace::outline(&egg, 4);
    assert_eq!(outline.positions.len(), 32);
}

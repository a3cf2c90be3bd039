//! One impact.

use glam::{DQuat, DVec2, DVec3};
use gritstone_contact::{Placed, Query, Verdict};
use gritstone_core::{Linear as _, Plane, Pose, Space, Vector as _};
use gritstone_engine::{
    CROWN, Dimension, FlatRule, Grain, RadiusRule, Rules, Setup, Sides, Surface, TriangleMesh, Wall, World,
};
use gritstone_force::{hertz as law, radius};
use gritstone_shape::Support as _;
use gritstone_shape::plane::{self, Figure, HalfPlane};
use gritstone_shape::space::{Crowned, Ellipsoid, HalfSpace, PrincipalRadii, Solid};

use super::super::Trouble;
use super::super::bench::{DENSITY, cube, empty, grain, hertz, mass, material, square};
use crate::generate::Draw;

/// Size of the bodies (m), speed of the impacts (m/s).
pub(super) const SIZE: f64 = 1e-2;
const SPEED: f64 = 1.0;
/// Edge of blocks (m).
const BLOCK: f64 = 3.0 * SIZE;

/// The usual rules.
const RULES: Rules = Rules { radius: RadiusRule::BodyFunction, flat: FlatRule::Patch, crown: CROWN };

/// What a body hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    Plane,
    /// A free body of the same shape.
    Like,
    /// A cube or square that nothing moves: on a face, an edge or a corner.
    Block,
    /// The same of triangles.
    Mesh,
}

impl Partner {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plane => "a plane",
            Self::Like => "its like",
            Self::Block => "a block",
            Self::Mesh => "a block of triangles",
        }
    }
}

/// A dimension with its partners.
pub(super) trait Striking: Dimension {
    /// The direction in which the first body moves: downwards.
    const DOWN: Self::Vec;

    fn rotation(draw: &mut Draw) -> Self::Rotation;

    /// The half-space below the origin, or a block about it.
    fn convex(partner: Partner) -> Result<Self::Shape, Trouble>;

    /// A shape as contacts have it, with its crown.
    fn in_contacts(shape: &Self::Shape) -> Self::Shape;

    /// The block as a mesh.
    fn mesh() -> Result<Option<Surface>, Trouble>;
}

impl Striking for Space {
    const DOWN: DVec3 = DVec3::NEG_Z;

    fn rotation(draw: &mut Draw) -> DQuat {
        draw.rotation()
    }

    fn convex(partner: Partner) -> Result<Solid, Trouble> {
        Ok(match partner {
            Partner::Plane => HalfSpace::new(DVec3::Z, 0.0)?.into(),
            _ => cube(BLOCK)?.into(),
        })
    }

    fn in_contacts(shape: &Solid) -> Solid {
        Crowned::of(shape, CROWN).map_or_else(|| shape.clone(), Solid::from)
    }

    fn mesh() -> Result<Option<Surface>, Trouble> {
        let body = cube(BLOCK)?;
        let body = body.polytope();
        let mut triangles = Vec::new();
        for face in 0..body.faces().len() as u32 {
            let corners: Vec<DVec3> = body.corners(face).iter().map(|&corner| body.vertex(corner)).collect();
            triangles.extend((2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]));
        }
        Ok(Some(Surface::Mesh(TriangleMesh::new(&triangles, Sides::Outside)?.into())))
    }
}

impl Striking for Plane {
    const DOWN: DVec2 = DVec2::NEG_Y;

    fn rotation(draw: &mut Draw) -> f64 {
        draw.uniform(0.0, std::f64::consts::TAU)
    }

    fn convex(partner: Partner) -> Result<Figure, Trouble> {
        Ok(match partner {
            Partner::Plane => HalfPlane::new(DVec2::Y, 0.0)?.into(),
            _ => square(BLOCK)?.into(),
        })
    }

    fn in_contacts(shape: &Figure) -> Figure {
        plane::Crowned::of(shape, CROWN).map_or_else(|| shape.clone(), Figure::from)
    }

    fn mesh() -> Result<Option<Surface>, Trouble> {
        Ok(None)
    }
}

/// A body that hits another one.
pub(super) struct Impact<D: Striking> {
    shape: D::Shape,
    partner: Partner,
    /// What it hits, as a convex body.
    other: D::Shape,
    /// Where both are when they touch.
    poses: [Pose<D>; 2],
    /// Effective modulus with which a central impact is so deep, and the time that it takes.
    young: f64,
    time: f64,
}

impl<D: Striking> Impact<D> {
    /// In a random attitude; `depth` is that of a central impact, over the radius of the ball of the same volume.
    pub(super) fn new(shape: &D::Shape, partner: Partner, number: u64, depth: f64) -> Result<Self, Trouble> {
        let mut draw = Draw::new(30, 1, number);
        let bodies = if partner == Partner::Like { 2.0 } else { 1.0 };
        let all = mass::<D>(shape);
        let equivalent = radius::of_volume::<D>(all / DENSITY);
        let (depth, mass, round) = (depth * equivalent, all / bodies, equivalent / bodies);
        let young = 15.0 * mass * SPEED * SPEED / (16.0 * round.sqrt() * depth.powf(2.5));
        let time = law::contact_time(young, round, mass, SPEED);
        let (other, widest) = match partner {
            Partner::Like => (shape.clone(), 0.5 * shape.size()),
            _ => (D::convex(partner)?, 0.5 * BLOCK),
        };
        let mut impact = Self {
            shape: shape.clone(),
            partner,
            other,
            poses: [Pose::at(D::Vec::default()); 2],
            young,
            time,
        };
        impact.place(&mut draw, widest)?;
        Ok(impact)
    }

    /// Puts the bodies where they touch as the first one comes down, up to so far beside the other one.
    fn place(&mut self, draw: &mut Draw, widest: f64) -> Result<(), Trouble> {
        let (mut low, mut high) = (0.0, 4.0 * (self.shape.size() + BLOCK));
        let (aside, rotation) = loop {
            let drawn = [0; 3].map(|_| draw.uniform(-widest, widest));
            let aside = D::Vec::from_fn(|axis| drawn[axis]);
            let aside = aside - D::DOWN * D::DOWN.dot(aside);
            let rotation = D::rotation(draw);
            if self.partner == Partner::Like {
                self.poses[1].rotation = D::rotation(draw);
            }
            if self.overlap(Pose { position: aside, rotation })? {
                break (aside, rotation);
            }
        };
        let at = |height: f64| Pose { position: aside - D::DOWN * height, rotation };
        while high - low > 1e-10 * SIZE {
            let middle = 0.5 * (low + high);
            if self.overlap(at(middle))? { low = middle } else { high = middle }
        }
        self.poses[0] = at(high);
        Ok(())
    }

    /// Whether the bodies overlap with the first one there. A crown reaches beyond the exact shape in places: that would be an overlap
    /// at the start.
    fn overlap(&self, pose: Pose<D>) -> Result<bool, Trouble> {
        let [shape, other] = [&self.shape, &self.other].map(D::in_contacts);
        let body = Placed { shape: &shape, pose };
        let other = Placed { shape: &other, pose: self.poses[1] };
        let (mut memory, mut scratch) = (D::Memory::default(), D::Scratch::default());
        let answer = D::solve_warm(body, other, Query::default(), &mut memory, &mut scratch)?;
        Ok(matches!(answer.verdict, Verdict::Solved(contact) if contact.gap < 0.0))
    }

    /// The bodies, so far from each other, the first one moving down.
    fn world(&self, e: f64, rules: Rules, gap: f64, speed: f64, dt: f64) -> Result<World<D>, Trouble> {
        let mut setup: Setup<D> = empty(material(hertz(self.young), e), rules, dt)?;
        setup.shapes = vec![self.shape.clone()];
        let [mut pose, other] = self.poses;
        pose.position -= D::DOWN * gap;
        let velocity = D::DOWN * speed;
        setup.grains = vec![Grain { pose, velocity, ..grain(0, 0, D::Vec::default()) }];
        if self.partner == Partner::Like {
            setup.grains.push(Grain { pose: other, ..grain(1, 0, D::Vec::default()) });
        } else {
            let surface = if self.partner == Partner::Mesh { D::mesh()? } else { None };
            setup.walls = vec![Wall { surface, ..Wall::fixed("other", self.other.clone(), 0) }];
        }
        Ok(World::new(&setup)?)
    }

    /// Kinetic energy after an impact over that before it, and the time that it took.
    fn kept(&self, e: f64, dt: f64) -> Result<(f64, f64), Trouble> {
        let mut world = self.world(e, RULES, 0.3 * SPEED * dt, SPEED, dt)?;
        let start = world.energies().kinetic();
        let mut steps = 0_u32;
        // A body that turns may meet the other one again: what is asked is what the first contact keeps.
        for _ in 0..(100.0 * self.time / dt) as u32 {
            world.step()?;
            let touching = world.status().contacts > 0;
            if steps > 0 && !touching {
                break;
            }
            steps += u32::from(touching);
        }
        Ok((world.energies().kinetic() / start, f64::from(steps) * dt))
    }

    /// What an elastic impact of so many steps gains, relative.
    pub(super) fn gain(&self, steps: f64) -> Result<f64, Trouble> {
        // Off the centre, where less mass takes part, and where the radius is larger, contacts are shorter.
        let (_, time) = self.kept(1.0, self.time / 100.0)?;
        Ok(self.kept(1.0, self.time.min(time) / steps)?.0 - 1.0)
    }
}

impl Impact<Space> {
    /// The restitution by energy of an ellipsoid on a plane: what is left of the energy of the normal motion of the contact point.
    pub(super) fn restitution(&self, e: f64) -> Result<f64, Trouble> {
        let radii = self.shape.semi_axes().unwrap_or_default();
        let down = self.poses[0].rotation.inverse() * DVec3::NEG_Z;
        let moment = self.shape.support(down).cross(down);
        let squares = radii * radii;
        let moments = (DVec3::splat(squares.element_sum()) - squares) / 5.0;
        // Over the mass of the grain.
        let share = 1.0 / (1.0 + (moment * moment / moments).element_sum());
        let lost = 1.0 - self.kept(e, self.time / 50.0)?.0;
        Ok((1.0 - lost / share).max(0.0).sqrt())
    }

    /// Principal radii of curvature of an ellipsoid where it touches, the smaller one first.
    pub(super) fn principal_radii(&self) -> Result<[f64; 2], Trouble> {
        let shape = Ellipsoid::new(self.shape.semi_axes().unwrap_or_default())?;
        let down = self.poses[0].rotation.inverse() * DVec3::NEG_Z;
        let [a, b] = PrincipalRadii::at_normal(&shape, down).radii;
        Ok([a.min(b), a.max(b)])
    }

    /// An overlap over the radius of the ball of the same volume.
    fn overlap_of(&self, depth: f64) -> f64 {
        depth * radius::of_volume::<Space>(mass::<Space>(&self.shape) / DENSITY)
    }

    /// The force at an overlap.
    pub(super) fn force(&self, depth: f64) -> Result<f64, Trouble> {
        let depth = self.overlap_of(depth);
        let mut world = self.world(1.0, RULES, -depth, 0.0, 1e-6 * self.time)?;
        world.step()?;
        Ok(2.5 * world.energies().elastic / depth)
    }

    /// That of Hertz's law with this radius.
    pub(super) fn hertz(&self, radius: f64, depth: f64) -> f64 {
        let depth = self.overlap_of(depth);
        4.0 / 3.0 * self.young * (radius * depth).sqrt() * depth
    }
}

//! What is in a picture.

use std::sync::LazyLock;

use glam::{DMat3, DQuat, DVec3};
use gritstone_core::{Mesh, Pose, Space};

use crate::item::Item;
use crate::part::Solid;
use crate::{Align, Color, Error, solid};

/// Grains, arrows, markers, lines and labels. Each mesh is stored once, however many grains show it.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    meshes: Vec<Solid>,
    instances: Vec<Instance>,
    arrows: Vec<Arrow>,
    markers: Vec<Marker>,
    lines: Vec<Line>,
    labels: Vec<Label>,
}

/// A mesh of the scene that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshId(usize);

/// A grain: one mesh at one place, in one size.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// What it looks like.
    pub mesh: MeshId,
    /// Factor along each of the mesh's own axes.
    pub scale: DVec3,
    /// Its position and orientation.
    pub pose: Pose<Space>,
    /// Its colour in white light.
    pub color: Color,
    /// Part of the light from behind that it holds back where it is seen face on: 1 is opaque. Towards its
    /// rim a translucent grain holds back more, like a thin shell. It casts no shadow.
    pub opacity: f32,
    /// How it takes part in the play of light.
    pub role: Role,
}

/// How a thing takes part in the play of light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// It is lit, casts shadows and lies in them.
    #[default]
    Player,
    /// It is lit and lies in shadows, but casts none: a container that grains are seen in.
    Scenery,
    /// It shows its own colour, darker where shadows fall on it, and casts none: a floor, a wall behind.
    Backdrop,
}

impl Instance {
    /// An opaque grain of its mesh's size.
    pub fn new(mesh: MeshId, pose: Pose<Space>, color: Color) -> Self {
        Self { mesh, scale: DVec3::ONE, pose, color, opacity: 1.0, role: Role::Player }
    }

    /// The same grain in another size.
    pub fn scaled(self, scale: DVec3) -> Self {
        Self { scale, ..self }
    }

    /// The same thing in another role.
    pub fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The same grain, translucent.
    pub fn with_opacity(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }
}

/// An arrow, for normals and forces.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub from: DVec3,
    /// Where its tip is.
    pub to: DVec3,
    /// Radius of its shaft.
    pub radius: f64,
    /// Its colour.
    pub color: Color,
}

/// A small ball, for contact points.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Its centre.
    pub center: DVec3,
    /// Its radius.
    pub radius: f64,
    /// Its colour.
    pub color: Color,
}

/// A round line with round ends.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// One end.
    pub from: DVec3,
    /// The other end.
    pub to: DVec3,
    /// Half its thickness.
    pub radius: f64,
    /// Its colour.
    pub color: Color,
}

/// Words beside a point, drawn over everything else.
#[derive(Clone, Debug)]
pub struct Label {
    /// The point.
    pub at: DVec3,
    /// The words.
    pub text: String,
    /// Height of capital letters as a fraction of the picture's height.
    pub height: f64,
    /// Their colour.
    pub color: Color,
    /// On which side of the point they stand.
    pub align: Align,
}

impl Scene {
    /// Stores a mesh, to be shown by any number of instances.
    pub fn add_mesh(&mut self, mesh: &Mesh) -> Result<MeshId, Error> {
        self.meshes.push(Solid::new(mesh)?);
        Ok(MeshId(self.meshes.len() - 1))
    }

    /// Adds a grain.
    pub fn add(&mut self, instance: Instance) {
        self.instances.push(instance);
    }

    /// Adds an arrow; one of no length is not seen.
    pub fn add_arrow(&mut self, arrow: Arrow) {
        self.arrows.push(arrow);
    }

    /// Adds a ball.
    pub fn add_marker(&mut self, marker: Marker) {
        self.markers.push(marker);
    }

    /// Adds a line.
    pub fn add_line(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Adds words.
    pub fn add_label(&mut self, label: Label) {
        self.labels.push(label);
    }

    pub(crate) fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Everything that has a surface, grains first, in the order in which it was added.
    pub(crate) fn items(&self) -> Result<Vec<Item<'_>>, Error> {
        let mut items = Vec::with_capacity(self.instances.len());
        for instance in &self.instances {
            let solid = self.meshes.get(instance.mesh.0).ok_or(Error::Mesh("it belongs to another scene"))?;
            let opacity = instance.opacity.clamp(0.0, 1.0);
            let linear = instance.pose.frame() * DMat3::from_diagonal(instance.scale);
            let item = Item::new(solid, linear, instance.pose.position, instance.color, opacity);
            items.push(item.with_role(instance.role));
        }
        items.extend(self.markers.iter().map(|marker| ball(marker.center, marker.radius, marker.color)));
        items.extend(self.arrows.iter().flat_map(arrow_items));
        items.extend(self.lines.iter().flat_map(line_items));
        if items.iter().all(Item::is_finite) { Ok(items) } else { Err(Error::NotFinite("a place or a size")) }
    }
}

/// Widths of an arrow's head, in radii of its shaft.
const HEAD_RADIUS: f64 = 2.4;
const HEAD_LENGTH: f64 = 6.5;

static BALL: LazyLock<Solid> = LazyLock::new(|| Solid::trusted(&solid::sphere(32)));
static ROD: LazyLock<Solid> = LazyLock::new(|| Solid::trusted(&solid::cylinder(24)));
static TIP: LazyLock<Solid> = LazyLock::new(|| Solid::trusted(&solid::cone(32)));

fn ball<'a>(center: DVec3, radius: f64, color: Color) -> Item<'a> {
    Item::new(&BALL, DMat3::from_diagonal(DVec3::splat(radius)), center, color, 1.0).into_mark()
}

/// A solid of unit height along z, stretched between two points; nothing if they coincide.
fn between<'a>(solid: &'static Solid, from: DVec3, to: DVec3, radius: f64, color: Color) -> Option<Item<'a>> {
    let direction = (to - from).try_normalize()?;
    let frame = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, direction));
    let stretch = DMat3::from_diagonal(DVec3::new(radius, radius, from.distance(to)));
    Some(Item::new(solid, frame * stretch, from, color, 1.0).into_mark())
}

fn arrow_items<'a>(arrow: &Arrow) -> impl Iterator<Item = Item<'a>> {
    let Arrow { from, to, radius, color } = *arrow;
    let length = from.distance(to);
    // A short arrow is all head, and its head keeps its proportions.
    let head = (HEAD_LENGTH * radius).min(length);
    let neck = if length > 0.0 { to.lerp(from, head / length) } else { to };
    let shaft = between(&ROD, from, neck, radius, color);
    let tip = between(&TIP, neck, to, head * HEAD_RADIUS / HEAD_LENGTH, color);
    shaft.into_iter().chain(tip)
}

fn line_items<'a>(line: &Line) -> impl Iterator<Item = Item<'a>> {
    let Line { from, to, radius, color } = *line;
    let ends = [ball(from, radius, color), ball(to, radius, color)];
    between(&ROD, from, to, radius, color).into_iter().chain(ends)
}

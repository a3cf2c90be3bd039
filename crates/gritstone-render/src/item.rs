//! What the rasteriser draws: a solid under an affine map.

use glam::{DMat3, DVec3, Vec3};

use crate::part::{Part, Solid};
use crate::{Color, Role};

/// One solid in the world: `x_world = linear · x_body + offset`.
pub(crate) struct Item<'a> {
    pub parts: &'a [Part],
    pub linear: DMat3,
    pub offset: DVec3,
    /// Takes normals to the world, up to their length.
    pub normals: DMat3,
    pub albedo: Vec3,
    pub opacity: f32,
    /// Whether it explains the picture rather than being part of it: an arrow, a marker, a line.
    pub is_mark: bool,
    pub role: Role,
    /// Greatest factor by which `linear` lengthens.
    stretch: f64,
}

/// A sphere around something, in the world.
#[derive(Clone, Copy)]
pub(crate) struct Sphere {
    pub center: DVec3,
    pub radius: f64,
}

impl<'a> Item<'a> {
    /// `linear` may turn and stretch along the body's axes, but not shear.
    pub(crate) fn new(solid: &'a Solid, linear: DMat3, offset: DVec3, color: Color, opacity: f32) -> Self {
        let axes @ [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
        // The cofactor matrix is the transposed inverse up to a factor, and exists for flattened items too.
        let normals = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        // Scaled to order one, so that the normals of tiny items survive single precision.
        let size = normals.x_axis.abs().max(normals.y_axis.abs()).max(normals.z_axis.abs()).max_element();
        Self {
            parts: &solid.parts,
            linear,
            offset,
            normals: if size > 0.0 { normals * size.recip() } else { normals },
            albedo: color.linear(),
            opacity,
            is_mark: false,
            role: Role::Player,
            stretch: axes.map(DVec3::length).into_iter().fold(0.0, f64::max),
        }
    }

    pub(crate) fn into_mark(self) -> Self {
        Self { is_mark: true, ..self }
    }

    pub(crate) fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Whether it stands in the light of others.
    pub(crate) fn casts_shadow(&self) -> bool {
        self.is_opaque() && self.role == Role::Player
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.opacity >= 1.0
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.linear.is_finite()
            && self.offset.is_finite()
            && self.albedo.is_finite()
            && self.opacity.is_finite()
    }

    /// The vertices in the world, some more than once.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = DVec3> + '_ {
        let positions = self.parts.iter().flat_map(|part| &part.positions);
        positions.map(|p| self.linear * p + self.offset)
    }

    /// Spheres around the parts.
    pub(crate) fn spheres(&self) -> impl Iterator<Item = Sphere> + Clone + '_ {
        self.parts.iter().map(|part| Sphere {
            center: self.linear * part.center + self.offset,
            radius: self.stretch * part.radius,
        })
    }

    /// Radius of a sphere around the whole item.
    pub(crate) fn radius(&self) -> f64 {
        Sphere::around(self.spheres()).radius
    }
}

impl Sphere {
    /// A sphere around others; of radius 0 if there are none.
    pub(crate) fn around(spheres: impl Iterator<Item = Sphere> + Clone) -> Self {
        let low = spheres.clone().map(|s| s.center - s.radius).reduce(DVec3::min).unwrap_or_default();
        let high = spheres.clone().map(|s| s.center + s.radius).reduce(DVec3::max).unwrap_or_default();
        let center = 0.5 * (low + high);
        let radius = spheres.map(|s| s.center.distance(center) + s.radius).fold(0.0, f64::max);
        Self { center, radius }
    }
}

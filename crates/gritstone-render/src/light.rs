//! What light a surface sends to the eye.

use glam::{DVec3, Vec3};

use crate::Style;
use crate::camera::Viewport;

/// How narrow highlights are (exponent of Blinn and Phong).
const SHININESS: f32 = 40.0;

/// Part of its light that a standing backdrop lacks, and part that shadows take away from any backdrop.
const STANDING: f32 = 0.10;
const SHADED: f32 = 0.55;

/// A style's light in the view axes of one camera.
pub(crate) struct Lights {
    key: Vec3,
    key_color: Vec3,
    fill: Vec3,
    fill_color: Vec3,
    up: Vec3,
    sky: Vec3,
    ground: Vec3,
    gloss: f32,
}

/// A point of a surface, in view axes.
pub(crate) struct Lit {
    pub albedo: Vec3,
    pub normal: Vec3,
    /// How far light reaches around the body into its shade, as it does in translucent ones: 0 not at all, 1
    /// all the way.
    pub wrap: f32,
    pub to_eye: Vec3,
    /// Part of the key lamp that is seen from here.
    pub key_seen: f32,
    /// Part of the surroundings that is seen from here.
    pub open: f32,
}

impl Lights {
    pub(crate) fn new(style: &Style, viewport: &Viewport) -> Self {
        // Lamps are given towards the viewer, depth grows away from it.
        let turned = |d: DVec3| DVec3::new(d.x, d.y, -d.z).normalize_or_zero().as_vec3();
        Self {
            key: turned(style.key.direction),
            key_color: style.key.color.linear(),
            fill: turned(style.fill.direction),
            fill_color: style.fill.color.linear(),
            up: (viewport.turn * DVec3::Z).as_vec3(),
            sky: style.sky.linear(),
            ground: style.ground.linear(),
            gloss: style.gloss,
        }
    }

    /// Cosine between a normal and the key lamp.
    pub(crate) fn facing_key(&self, normal: Vec3) -> f32 {
        normal.dot(self.key)
    }

    pub(crate) fn key_direction(&self) -> Vec3 {
        self.key
    }

    /// Light that the surface scatters (Lambert).
    pub(crate) fn scattered(&self, lit: &Lit) -> Vec3 {
        let facing = |lamp: Vec3| ((lit.normal.dot(lamp) + lit.wrap) / (1.0 + lit.wrap)).max(0.0);
        let key = self.key_color * (facing(self.key) * lit.key_seen);
        let fill = self.fill_color * facing(self.fill);
        let around = self.ground.lerp(self.sky, 0.5 + 0.5 * lit.normal.dot(self.up));
        lit.albedo * (key + (fill + around) * lit.open)
    }

    /// A backdrop shows its own colour, but for shadows, dark corners, and a little less light on what is not level.
    pub(crate) fn backdrop(&self, lit: &Lit) -> Vec3 {
        let level = 1.0 - STANDING * (1.0 - lit.normal.dot(self.up).clamp(0.0, 1.0));
        let shade = 1.0 - SHADED * (1.0 - lit.key_seen);
        let corner = 1.0 - SHADED * (1.0 - lit.open);
        lit.albedo * (level * shade * corner)
    }

    /// Light that the surface mirrors: a highlight of the key lamp.
    pub(crate) fn mirrored(&self, lit: &Lit) -> Vec3 {
        let halfway = (self.key + lit.to_eye).normalize_or_zero();
        if self.gloss == 0.0 || lit.normal.dot(self.key) <= 0.0 {
            return Vec3::ZERO;
        }
        let peak = lit.normal.dot(halfway).max(0.0).powf(SHININESS);
        self.key_color * (self.gloss * peak * lit.key_seen)
    }
}

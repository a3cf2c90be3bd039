//! Where a picture is seen from.

use std::str::FromStr;

use glam::{DMat3, DVec2, DVec3, Vec2, Vec3};

use crate::item::Item;
use crate::{Error, Scene};

/// The direction of sight. World z is up, but in [`View::Z`] world y is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// All three axes at equal angles: from +x, −y, +z.
    #[default]
    Iso,
    /// From +x: y to the right.
    X,
    /// From −y: x to the right.
    Y,
    /// From above: x to the right.
    Z,
    /// From the side to which this vector points.
    From(DVec3),
}

impl View {
    /// Right, up and forward as seen in the picture, in world axes.
    pub fn axes(self) -> [DVec3; 3] {
        let back = match self {
            Self::Iso => DVec3::new(1.0, -1.0, 1.0),
            Self::X => DVec3::X,
            Self::Y => DVec3::NEG_Y,
            Self::Z => DVec3::Z,
            Self::From(direction) => direction,
        };
        let back = back.normalize_or(DVec3::Z);
        // Straight up and straight down have no horizon: x stays on the right.
        let right = DVec3::Z.cross(back).try_normalize().unwrap_or(DVec3::X);
        [right, back.cross(right), -back]
    }
}

impl FromStr for View {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "iso" => Ok(Self::Iso),
            "x" => Ok(Self::X),
            "y" => Ok(Self::Y),
            "z" => Ok(Self::Z),
            _ => Err(format!("no view named `{name}`: there are iso, x, y, z")),
        }
    }
}

/// How a camera foreshortens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Lens {
    /// Parallel rays: lengths can be measured in the picture.
    #[default]
    Orthographic,
    /// Rays through one point.
    Perspective {
        /// Angle between the rays of the top and the bottom of the picture, in degrees, within (0, 180).
        angle_deg: f64,
    },
}

/// A point of view with what it sees of the world.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Where rays start (in perspective), or the middle of the picture.
    origin: DVec3,
    /// Right, up and forward.
    axes: [DVec3; 3],
    lens: Lens,
    /// Height of the picture in the world, at distance one in perspective.
    height: f64,
    /// Nearest depth that is drawn in perspective.
    near: f64,
}

/// Space that a fitted picture leaves free on either side, as a fraction of its height.
const MARGIN: f64 = 0.04;

/// Nearest depth that is drawn in perspective, as a fraction of the farthest that the camera was fitted to.
const NEAR: f64 = 1e-4;

impl Camera {
    /// Shows all of a scene in a picture whose width is `aspect` times its height. Labels may stick out.
    pub fn fit(scene: &Scene, view: View, lens: Lens, aspect: f64) -> Self {
        let items = scene.items().unwrap_or_default();
        Self::fit_points(items.iter().flat_map(Item::vertices), view, lens, aspect)
    }

    /// Shows all of some points, for example the corners of a box.
    pub fn fit_points(points: impl IntoIterator<Item = DVec3>, view: View, lens: Lens, aspect: f64) -> Self {
        let axes = view.axes();
        match lens {
            Lens::Orthographic => Self::fit_parallel(points, axes, aspect),
            Lens::Perspective { angle_deg } => Self::fit_perspective(points, axes, angle_deg, aspect),
        }
    }

    fn fit_parallel(points: impl IntoIterator<Item = DVec3>, axes: [DVec3; 3], aspect: f64) -> Self {
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for point in points {
            let seen = DVec3::from(axes.map(|axis| axis.dot(point)));
            low = low.min(seen);
            high = high.max(seen);
        }
        if low.x > high.x {
            (low, high) = (-DVec3::ONE, DVec3::ONE);
        }
        let size = high - low;
        let origin = DMat3::from_cols_array_2d(&axes.map(Into::into)) * (0.5 * (low + high));
        let height = size.y.max(size.x / aspect) * (1.0 + 2.0 * MARGIN);
        Self {
            origin,
            axes,
            lens: Lens::Orthographic,
            height: if height > 0.0 { height } else { 1.0 },
            near: 0.0,
        }
    }

    /// A point (x, y, z) in the camera's axes is seen if `|x − eye.x| ≤ t_x · (z − eye.z)`, and likewise in
    /// y. So the two planes through the eye that bound x need only the greatest `x − t_x·z` and `−x − t_x·z`.
    fn fit_perspective(
        points: impl IntoIterator<Item = DVec3>,
        axes: [DVec3; 3],
        angle_deg: f64,
        aspect: f64,
    ) -> Self {
        let half = (0.5 * angle_deg.to_radians()).tan();
        let slope = DVec2::new(half * aspect, half) / (1.0 + 2.0 * MARGIN);
        let mut right = DVec2::NEG_INFINITY;
        let mut left = DVec2::NEG_INFINITY;
        let mut farthest = f64::NEG_INFINITY;
        for point in points {
            let [x, y, z] = axes.map(|axis| axis.dot(point));
            right = right.max(DVec2::new(x, y) - slope * z);
            left = left.max(DVec2::new(-x, -y) - slope * z);
            farthest = farthest.max(z);
        }
        if !right.is_finite() {
            (right, left, farthest) = (DVec2::ONE, DVec2::ONE, 0.0);
        }
        let middle = 0.5 * (right - left);
        let z = -(0.5 * (right + left) / slope).max_element();
        let origin = DMat3::from_cols_array_2d(&axes.map(Into::into)) * middle.extend(z);
        let near = NEAR * (farthest - z);
        Self { origin, axes, lens: Lens::Perspective { angle_deg }, height: 2.0 * half, near }
    }

    /// Where a point of the world is seen in a picture of `width` × `height` pixels, from its top left
    /// corner; nothing if it lies behind the camera.
    pub fn project(&self, point: DVec3, width: u32, height: u32) -> Option<DVec2> {
        let viewport = Viewport::new(self, width, height);
        let seen = viewport.view(point);
        viewport.is_ahead(seen).then(|| viewport.screen(seen))
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let usable = self.origin.is_finite() && self.height.is_finite() && self.height > 0.0;
        if usable { Ok(()) } else { Err(Error::NotFinite("the camera")) }
    }
}

/// A camera with a picture of a certain number of samples.
///
/// View coordinates are x to the right, y up and z away from the viewer, in metres. Screen coordinates are
/// x to the right and y down, in samples from the top left corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewport {
    pub width: u32,
    pub height: u32,
    pub origin: DVec3,
    /// From world axes to view axes.
    pub turn: DMat3,
    /// Samples per metre (at distance one in perspective).
    pub scale: f64,
    pub perspective: bool,
    /// Nearest depth that is drawn in perspective.
    pub near: f64,
}

impl Viewport {
    pub(crate) fn new(camera: &Camera, width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            origin: camera.origin,
            turn: DMat3::from_cols_array_2d(&camera.axes.map(Into::into)).transpose(),
            scale: f64::from(height) / camera.height,
            perspective: camera.lens != Lens::Orthographic,
            near: camera.near,
        }
    }

    /// Parallel rays along `forward`, through a square picture around the given sphere.
    pub(crate) fn around(center: DVec3, radius: f64, forward: DVec3, side: u32) -> Self {
        let [right, up, forward] = View::From(-forward).axes();
        let turn = DMat3::from_cols(right, up, forward).transpose();
        let scale = f64::from(side) / (2.0 * radius);
        Self { width: side, height: side, origin: center, turn, scale, perspective: false, near: 0.0 }
    }

    pub(crate) fn view(&self, point: DVec3) -> DVec3 {
        self.turn * (point - self.origin)
    }

    pub(crate) fn screen(&self, seen: DVec3) -> DVec2 {
        let scale = if self.perspective { self.scale / seen.z } else { self.scale };
        DVec2::new(
            0.5 * f64::from(self.width) + scale * seen.x,
            0.5 * f64::from(self.height) - scale * seen.y,
        )
    }

    pub(crate) fn is_ahead(&self, seen: DVec3) -> bool {
        !self.perspective || seen.z >= self.near
    }
}

/// The way back from samples to points, in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rays {
    middle: Vec2,
    /// Metres per sample (at distance one in perspective).
    spacing: f32,
    perspective: bool,
}

impl Rays {
    pub(crate) fn new(viewport: &Viewport) -> Self {
        Self {
            middle: Vec2::new(viewport.width as f32, viewport.height as f32) / 2.0 - 0.5,
            spacing: viewport.scale.recip() as f32,
            perspective: viewport.perspective,
        }
    }

    /// The point that is seen in the middle of a sample at a depth, in view coordinates.
    pub(crate) fn point(&self, column: f32, row: f32, depth: f32) -> Vec3 {
        let spacing = self.spacing_at(depth);
        Vec3::new(spacing * (column - self.middle.x), spacing * (self.middle.y - row), depth)
    }

    /// Metres between samples at a depth.
    pub(crate) fn spacing_at(&self, depth: f32) -> f32 {
        if self.perspective { self.spacing * depth } else { self.spacing }
    }

    /// Unit vector from a point towards the viewer.
    pub(crate) fn toward_eye(&self, point: Vec3) -> Vec3 {
        if self.perspective { -point.normalize_or_zero() } else { Vec3::NEG_Z }
    }
}

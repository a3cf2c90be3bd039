//! From scene and camera to a picture.

use glam::Vec3;
use rayon::prelude::*;

use crate::camera::{Rays, Viewport};
use crate::item::Item;
use crate::layers::{Layers, slanted_opacity};
use crate::light::{Lights, Lit};
use crate::occlusion::Occlusion;
use crate::raster::Hit;
use crate::shadow::ShadowMap;
use crate::spiral::Spiral;
use crate::surface::{DepthMap, NOTHING, SurfaceTile};
use crate::tiles::{Entry, Rect, Tiles};
use crate::{Camera, Color, Error, Image, Role, Scene, Style, text};

/// Side of a tile in samples, or a little less.
const TILE: u32 = 64;

/// Largest side of the shadow map in texels.
const LARGEST_SHADOW_MAP: u32 = 4096;

/// Draws a scene as a camera sees it, in a picture of `width` × `height` pixels.
///
/// Work is spread over rayon's threads; the picture does not depend on how many there are.
pub fn render(
    scene: &Scene,
    camera: &Camera,
    style: &Style,
    width: u32,
    height: u32,
) -> Result<Image, Error> {
    style.check(width, height)?;
    camera.check()?;
    let items = scene.items()?;
    let samples = style.supersampling;
    let viewport = Viewport::new(camera, width * samples, height * samples);
    let tiles = Tiles::new(viewport.width, viewport.height, TILE / samples * samples);

    let opaque = tiles.sort(&viewport, &items, Item::is_opaque);
    let surfaces: Vec<SurfaceTile> = (0..tiles.count())
        .into_par_iter()
        .map(|tile| SurfaceTile::draw(&viewport, &items, tiles.rect(tile), &opaque[tile]))
        .collect();
    let depths = DepthMap::gather(&viewport, surfaces.iter().map(|tile| (tile.rect, tile.depths.as_slice())));
    let painter = Painter::new(style, &viewport, &items, &depths);
    let translucent = tiles.sort(&viewport, &items, |item| !item.is_opaque());
    let painted: Vec<Vec<Vec3>> =
        surfaces.par_iter().zip(&translucent).map(|(tile, entries)| painter.paint(tile, entries)).collect();

    let mut image = Image::new(width, height, Color::WHITE);
    for (surface, pixels) in surfaces.iter().zip(&painted) {
        put_tile(&mut image, &surface.rect, samples, pixels);
    }
    text::draw_labels(&mut image, scene.labels(), camera, style);
    Ok(image)
}

/// All that lighting needs to know.
struct Painter<'a> {
    style: &'a Style,
    viewport: &'a Viewport,
    items: &'a [Item<'a>],
    rays: Rays,
    lights: Lights,
    shadow: Option<ShadowMap>,
    occlusion: Occlusion<'a>,
    /// One for each sample of a pixel.
    spirals: Vec<Spiral>,
}

impl<'a> Painter<'a> {
    fn new(style: &'a Style, viewport: &'a Viewport, items: &'a [Item<'a>], depths: &'a DepthMap) -> Self {
        let lights = Lights::new(style, viewport);
        let radius = typical_radius(items);
        let shadow = (style.shadow > 0.0 && radius > 0.0).then(|| {
            let forward = viewport.turn.transpose() * -lights.key_direction().as_dvec3();
            // Twice as fine as the picture, for the map sees surfaces at other angles.
            let side = (2 * viewport.width.max(viewport.height)).min(LARGEST_SHADOW_MAP);
            ShadowMap::draw(viewport, items, forward, radius, style.softness, side)
        });
        let rays = Rays::new(viewport);
        let occlusion = Occlusion::new(rays, depths, radius as f32, style.occlusion);
        let count = style.supersampling * style.supersampling;
        let spirals = (0..count).map(|number| Spiral::new(number, count)).collect();
        Self { style, viewport, items, rays, lights, shadow, occlusion, spirals }
    }

    /// The pixels of a tile in linear light.
    fn paint(&self, surface: &SurfaceTile, entries: &[Entry]) -> Vec<Vec3> {
        let rect = &surface.rect;
        let mut colors: Vec<Vec3> = (0..rect.area()).map(|at| self.opaque(surface, at)).collect();
        for (at, hit) in Layers::draw(self.viewport, self.items, surface, entries).iter() {
            let mark = surface.depths[*at] != NOTHING && self.items[surface.items[*at] as usize].is_mark;
            let clarity = if mark { self.style.clarity } else { 0.0 };
            self.glaze(&mut colors[*at], hit, sample_of(rect, *at), clarity);
        }
        average(&colors, rect, self.style.supersampling as usize)
    }

    /// The nearest opaque surface at a sample of a tile, or the background.
    fn opaque(&self, surface: &SurfaceTile, at: usize) -> Vec3 {
        let (x, y) = sample_of(&surface.rect, at);
        let depth = surface.depths[at];
        if depth == NOTHING {
            return self.style.background.at((y as f32 + 0.5) / self.viewport.height as f32);
        }
        let point = self.rays.point(x as f32, y as f32, depth);
        let normal = surface.normals[at];
        let side = self.style.supersampling;
        let spiral = &self.spirals[(y % side * side + x % side) as usize];
        let item = &self.items[surface.items[at] as usize];
        let lit = Lit {
            albedo: item.albedo,
            normal,
            wrap: 0.0,
            to_eye: self.rays.toward_eye(point),
            key_seen: self.key_seen(point, normal, spiral),
            open: self.occlusion.open_at((x, y), point, normal, spiral),
        };
        match item.role {
            Role::Backdrop => self.lights.backdrop(&lit),
            Role::Player | Role::Scenery => self.lights.scattered(&lit) + self.lights.mirrored(&lit),
        }
    }

    /// Lays a translucent surface over what is behind it. Highlights are as bright as on an opaque one.
    fn glaze(&self, color: &mut Vec3, hit: &Hit, (x, y): (u32, u32), clarity: f32) {
        let item = &self.items[hit.item as usize];
        let to_eye = self.rays.toward_eye(self.rays.point(x as f32, y as f32, hit.depth));
        let lit = Lit {
            albedo: item.albedo,
            normal: hit.normal,
            wrap: 1.0 - item.opacity,
            to_eye,
            key_seen: 1.0,
            open: 1.0,
        };
        let opacity = slanted_opacity(item.opacity, hit.normal, to_eye) * (1.0 - clarity);
        *color = color.lerp(self.lights.scattered(&lit), opacity) + self.lights.mirrored(&lit);
    }

    fn key_seen(&self, point: Vec3, normal: Vec3, spiral: &Spiral) -> f32 {
        match &self.shadow {
            Some(map) if self.lights.facing_key(normal) > 0.0 => {
                1.0 - self.style.shadow * (1.0 - map.light_at(point, normal, spiral))
            }
            _ => 1.0,
        }
    }
}

/// Median radius of the opaque grains, or else of the marks: the length that shadows and occlusion go by; 0
/// if there are none.
fn typical_radius(items: &[Item]) -> f64 {
    let radii = |marks: bool| -> Vec<f64> {
        let chosen = items.iter().filter(|item| item.casts_shadow() && item.is_mark == marks);
        chosen.map(Item::radius).collect()
    };
    let mut radii = Some(radii(false)).filter(|grains| !grains.is_empty()).unwrap_or_else(|| radii(true));
    if radii.is_empty() {
        return 0.0;
    }
    let middle = (radii.len() - 1) / 2;
    *radii.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Column and row on the screen of a sample of a tile.
fn sample_of(rect: &Rect, at: usize) -> (u32, u32) {
    (rect.x0 + (at % rect.width()) as u32, rect.y0 + (at / rect.width()) as u32)
}

/// Pixels from their samples. What is brighter than white counts as white, so that edges stay smooth.
fn average(colors: &[Vec3], rect: &Rect, samples: usize) -> Vec<Vec3> {
    let columns = rect.width() / samples;
    let mut pixels = vec![Vec3::ZERO; colors.len() / (samples * samples)];
    for (row, line) in colors.chunks_exact(rect.width()).enumerate() {
        for (column, group) in line.chunks_exact(samples).enumerate() {
            let sum: Vec3 = group.iter().map(|color| color.clamp(Vec3::ZERO, Vec3::ONE)).sum();
            pixels[row / samples * columns + column] += sum / (samples * samples) as f32;
        }
    }
    pixels
}

fn put_tile(image: &mut Image, rect: &Rect, samples: u32, pixels: &[Vec3]) {
    let columns = (rect.x1 - rect.x0) / samples;
    for (index, color) in (0u32..).zip(pixels) {
        let (x, y) = (rect.x0 / samples + index % columns, rect.y0 / samples + index / columns);
        image.set(x, y, Color::from_linear(*color).to_srgb8());
    }
}

//! Pictures without a GPU: a software rasteriser for grains.
//!
//! A [`Scene`] holds meshes once and draws each as often as there are grains of that shape, together with
//! arrows, markers, lines and labels. A [`Camera`] looks at it; [`render`] gives an [`Image`], which is the
//! same to the last bit for any number of threads. A [`Sheet`] sets several pictures side by side with
//! captions and a [`Legend`].
//!
//! ```
//! use gritstone_core::Pose;
//! use gritstone_render::{Camera, Instance, Lens, Scene, Style, View, palette, render, solid};
//! # use glam::DVec3;
//! # fn main() -> Result<(), gritstone_render::Error> {
//! let mut scene = Scene::default();
//! let ball = scene.add_mesh(&solid::sphere(24))?;
//! scene.add(Instance::new(ball, Pose::at(DVec3::ZERO), palette(0)));
//! scene.add(Instance::new(ball, Pose::at(2.0 * DVec3::X), palette(1)).with_opacity(0.4));
//! let camera = Camera::fit(&scene, View::Iso, Lens::Orthographic, 1.0);
//! let image = render(&scene, &camera, &Style::default(), 64, 64)?;
//! assert_eq!(image.width(), 64);
//! # Ok(())
//! # }
//! ```
//!
//! How a picture comes about: every thing of the scene becomes an item (a mesh under an affine map); items
//! are sorted front to back into the tiles of the picture that they may touch; each tile is rasterised on its
//! own, and stops when all that is left lies behind what it has. Then each tile is lit, with a shadow map
//! drawn by the same rasteriser and with occlusion from the depths around each sample, and translucent layers
//! are blended over it in order of depth.

mod camera;
mod clip;
mod color;
mod colormap;
mod error;
mod figure;
pub mod flat;
mod font;
mod glyphs;
mod image;
mod item;
mod layers;
mod legend;
mod light;
mod occlusion;
mod part;
mod raster;
mod render;
mod scene;
mod shadow;
mod sheet;
pub mod solid;
mod spiral;
mod style;
mod surface;
mod text;
mod tiles;

pub use camera::{Camera, Lens, View};
pub use color::Color;
pub use colormap::{ColorMap, VIRIDIS, palette};
pub use error::Error;
pub use figure::Figure;
pub use image::Image;
pub use legend::Legend;
pub use render::render;
pub use scene::{Arrow, Instance, Label, Line, Marker, MeshId, Role, Scene};
pub use sheet::{Panel, Sheet};
pub use style::{Background, Lamp, Style};
pub use text::{Align, Text};

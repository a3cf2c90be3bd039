//! How a picture is lit and finished.

use glam::{DVec3, Vec3};

use crate::{Color, Error};

/// Light, background and fineness of a picture. The default is made for figures in papers.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What is seen where nothing is.
    pub background: Background,
    /// Samples per pixel along each side, 1 to 8.
    pub supersampling: u32,
    /// The main lamp, which casts shadows.
    pub key: Lamp,
    /// A weaker lamp from the other side, without shadows.
    pub fill: Lamp,
    /// Light from all around the upper half of the world.
    pub sky: Color,
    /// Light from all around the lower half of the world.
    pub ground: Color,
    /// Strength of highlights: 0 is chalk.
    pub gloss: f32,
    /// Part of the key light that shadows take away: 0 is no shadows.
    pub shadow: f32,
    /// Radius of the main lamp over its distance: 0 gives hard shadows.
    pub softness: f32,
    /// How much light is lost where grains are close together: 0 is none, 1 is natural.
    pub occlusion: f32,
    /// How clearly arrows, markers and lines are seen through translucent grains: 0 like everything else, 1
    /// as if nothing were before them.
    pub clarity: f32,
}

/// What is seen where nothing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// One colour.
    Plain(Color),
    /// From one colour to another.
    Gradient {
        /// At the upper rim.
        top: Color,
        /// At the lower rim.
        bottom: Color,
    },
}

/// A lamp far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Where it stands: to the right, upwards, and towards the viewer.
    pub direction: DVec3,
    /// What a white surface that faces it looks like in its light.
    pub color: Color,
}

impl Default for Style {
    fn default() -> Self {
        let grey = |r: f32, g: f32, b: f32| Color { r, g, b };
        Self {
            background: Background::Plain(Color::WHITE),
            supersampling: 3,
            key: Lamp { direction: DVec3::new(-0.55, 0.75, 0.75), color: grey(0.80, 0.78, 0.74) },
            fill: Lamp { direction: DVec3::new(0.8, 0.1, 0.5), color: grey(0.14, 0.15, 0.17) },
            sky: grey(0.36, 0.37, 0.39),
            ground: grey(0.20, 0.19, 0.18),
            gloss: 0.14,
            shadow: 0.85,
            softness: 0.12,
            occlusion: 1.0,
            clarity: 0.6,
        }
    }
}

/// The longest side of the screen in samples, so that what is on it stays far inside the guard band.
const MOST_SAMPLES: u32 = 32768;

impl Style {
    pub(crate) fn check(&self, width: u32, height: u32) -> Result<(), Error> {
        if !(1..=8).contains(&self.supersampling) {
            return Err(Error::Supersampling(self.supersampling));
        }
        let limit = MOST_SAMPLES / self.supersampling;
        if !(1..=limit).contains(&width) || !(1..=limit).contains(&height) {
            return Err(Error::Size { width, height, limit });
        }
        Ok(())
    }
}

impl Background {
    /// The colour at a height from 0 (upper rim) to 1. Even to the eye, which linear light would not be.
    pub(crate) fn at(&self, down: f32) -> Vec3 {
        match self {
            Self::Plain(color) => color.linear(),
            Self::Gradient { top, bottom } => {
                let root = |c: &Color| c.linear().max(Vec3::ZERO).map(f32::sqrt);
                let mixed = root(top).lerp(root(bottom), down);
                mixed * mixed
            }
        }
    }
}

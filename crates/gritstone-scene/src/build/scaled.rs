//! Shapes of a scene in other sizes.

use std::collections::HashMap;

use super::Parts;
use super::compounds;
use super::from_scene::FromScene;
use super::shapes::BuiltShape;
use crate::schema::{SceneFile, Shape};

/// A shape of the scene with all lengths multiplied by a factor; none where it cannot be made so large.
pub(super) fn scaled<D: FromScene>(spec: &Shape, factor: f64, file: &SceneFile) -> Option<BuiltShape<D>> {
    match spec {
        Shape::Compound(spec) => compounds::scaled(spec, factor, file),
        convex => convex.scaled(factor).and_then(|spec| D::make(&spec).ok()),
    }
}

/// Shapes in sizes that files ask for, each made once.
pub(super) struct ScaledShapes<D: FromScene> {
    /// Index by shape of the scene and the bits of the factor.
    known: HashMap<(u32, u64), u32>,
    /// How many there were, and those that are new: shape of the scene, factor, and what was made.
    first: u32,
    new: Vec<(u32, f64, BuiltShape<D>)>,
}

impl<D: FromScene> ScaledShapes<D> {
    pub(super) fn new(parts: &Parts<D>) -> Self {
        let known = parts.origins.iter().zip(0..).map(|(&(shape, scale), i)| ((shape, scale.to_bits()), i));
        Self { known: known.collect(), first: parts.shapes.len() as u32, new: Vec::new() }
    }

    /// Index of a shape of the scene in this size; none where it cannot be made so large.
    pub(super) fn get(&mut self, shape: u32, scale: f64, file: &SceneFile) -> Option<u32> {
        if let Some(&known) = self.known.get(&(shape, scale.to_bits())) {
            return Some(known);
        }
        let (_, spec) = file.shapes.list.get(shape as usize)?;
        let made = scaled(spec, scale, file)?;
        let index = self.first + self.new.len() as u32;
        self.known.insert((shape, scale.to_bits()), index);
        self.new.push((shape, scale, made));
        Some(index)
    }

    /// Those that are new since this was asked last.
    pub(super) fn take(&mut self) -> Vec<(u32, f64, BuiltShape<D>)> {
        self.first += self.new.len() as u32;
        std::mem::take(&mut self.new)
    }
}

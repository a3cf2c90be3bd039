//! Grains from files.

use std::path::{Path, PathBuf};

use gritstone_engine::Grain;
use gritstone_io::FileError;
use gritstone_io::dump::Which;
use gritstone_io::states::{State, read_states_with_lines};

use super::from_scene::{FromScene, RandomStream};
use super::grain_builder::{GrainBuilder, pick};
use super::grains::{heavy_material, shape};
use crate::reach::HIDDEN;
use crate::schema::{Csv, Dump};

impl<D: FromScene> GrainBuilder<'_, '_, D> {
    pub(super) fn csv(&mut self, spec: &Csv) -> Option<Vec<Grain<D>>> {
        let path = self.path(&spec.file)?;
        let mut states =
            read_states_with_lines(&path).map_err(|error| self.unreadable(&spec.file, &path, &error)).ok()?;
        let unit = spec.units.metres();
        for (_, state) in &mut states {
            let State { pose, velocity, .. } = state;
            (pose.position, *velocity) = (pose.position * unit, *velocity * unit);
        }
        let shapes = match &spec.shape {
            Some(names) => self.shapes_of(names)?,
            None => Vec::new(),
        };
        let material = match &spec.material {
            Some(name) => Some(self.material(name)?),
            None => None,
        };
        let shown = self.scene.shows(&path);
        let mut random = RandomStream::new(spec.seed);
        states
            .iter()
            .map(|(line, state)| {
                if !shown {
                    self.check_hidden(*line, state, &path)?;
                }
                self.grain_of_line(*line, state, &shapes, material, spec, &mut random)
            })
            .collect()
    }

    pub(super) fn dump(&mut self, spec: &Dump) -> Option<Vec<Grain<D>>> {
        let path = self.path(&spec.file)?;
        let which = spec.step.map_or(Which::Last, Which::Step);
        let Some(read) = D::dump(&path, which) else {
            let key = self.key;
            self.diagnostics.error(
                key,
                format_args!("{key} is from a dump, but dumps hold grains in space (dimension = 3)"),
            );
            return None;
        };
        let grains = read.map_err(|error| self.unreadable(&spec.file, &path, &error)).ok()?;
        let (shapes, material) = (self.shapes_of(&spec.shape)?, self.material(&spec.material)?);
        let grain = |(state, kind): &(State<D>, Option<u32>)| {
            let shape = match (&shapes[..], kind) {
                ([shape], _) => Some(*shape),
                (shapes, kind) => self.of_kind(shapes, *kind, &spec.file),
            };
            Some(told_grain(state, shape?, material))
        };
        grains.iter().map(grain).collect()
    }

    /// The shape of a type, which is a number from one.
    fn of_kind(&mut self, shapes: &[u32], kind: Option<u32>, file: &str) -> Option<u32> {
        let shape = kind.and_then(|kind| shapes.get((kind as usize).checked_sub(1)?)).copied();
        if shape.is_none() {
            let (place, count) = (format!("{}.shape", self.key), shapes.len());
            let found = kind.map_or_else(|| "no types".to_owned(), |kind| format!("the type {kind}"));
            self.diagnostics.error(&place, format_args!("{place} has {count} names, but {file} has {found}"));
        }
        shape
    }

    /// Where a file is; nothing where it may not be read, which is reported.
    fn path(&mut self, name: &str) -> Option<PathBuf> {
        let place = format!("{}.file", self.key);
        let path = self.scene.file_path(name);
        path.map_err(|why| self.diagnostics.error(&place, format_args!("{place} is \"{name}\": {why}"))).ok()
    }

    /// Reports what is wrong with a file.
    fn unreadable(&mut self, name: &str, path: &Path, error: &FileError) {
        let (place, error) = (format!("{}.file", self.key), self.scene.message(path, error));
        self.diagnostics.error(&place, format_args!("{place} is \"{name}\": {error}"));
    }

    /// Refuses names of a file outside of the scene's folder that the scene does not have, without quoting them.
    fn check_hidden(&mut self, line: u64, state: &State<D>, path: &Path) -> Option<()> {
        let file = &self.scene.file;
        let shape = state.shape.as_ref().is_none_or(|name| file.shapes.find(name).is_some());
        let material = state.material.as_ref().is_none_or(|name| file.materials.find(name).is_some());
        if shape && material {
            return Some(());
        }
        let (place, path) = (format!("{}.file", self.key), path.display());
        self.diagnostics.error(&place, format_args!("{place}: {path}:{line}: {HIDDEN}"));
        None
    }

    /// A grain as a line of a file tells of it.
    fn grain_of_line(
        &mut self,
        line: u64,
        state: &State<D>,
        shapes: &[u32],
        material: Option<u16>,
        spec: &Csv,
        random: &mut RandomStream,
    ) -> Option<Grain<D>> {
        let (place, scene) = (format!("{}.file", self.key), &self.scene.file);
        let said = |what: &str| format!("{}:{line}: {what}", spec.file);
        let shape = match (&state.shape, shapes) {
            (Some(name), _) => shape(&place, &said("shape"), name, scene, self.shapes, self.diagnostics),
            (None, []) => self.nameless(&spec.file, "shape"),
            (None, shapes) => Some(pick(shapes, random)),
        }?;
        let given = match (&state.material, material) {
            (Some(name), _) => heavy_material(&place, &said("material"), name, scene, self.diagnostics),
            (None, None) => self.nameless(&spec.file, "material"),
            (None, material) => material,
        }?;
        if !shapes.is_empty() && !shapes.contains(&shape) {
            self.contradicted("shape", &said("shape"), state.shape.as_deref());
            return None;
        }
        if material.is_some_and(|material| material != given) {
            self.contradicted("material", &said("material"), state.material.as_deref());
            return None;
        }
        let scale = state.scale.unwrap_or(1.0);
        let Some(sized) = self.sizes.get(shape, scale, scene) else {
            let said = said("scale");
            self.diagnostics
                .error(&place, format_args!("{said} makes the shape larger or smaller than it can be"));
            return None;
        };
        Some(told_grain(state, sized, given))
    }

    /// Reports that a file and the scene say different things of a grain.
    fn contradicted(&mut self, what: &str, said: &str, name: Option<&str>) {
        let (key, name) = (format!("{}.{what}", self.key), name.unwrap_or_default());
        self.diagnostics.error(
            &key,
            format_args!("{said} is \"{name}\", but {key} is another one: leave out the key, or the column"),
        );
    }

    /// Reports that neither the scene nor the file names something.
    fn nameless<T>(&mut self, file: &str, what: &str) -> Option<T> {
        let key = self.key;
        self.diagnostics
            .error(key, format_args!("{key} has no key \"{what}\", and {file} has no column of that name"));
        None
    }
}

/// A grain as a file tells of it.
fn told_grain<D: FromScene>(state: &State<D>, shape: u32, material: u16) -> Grain<D> {
    let State { id, pose, velocity, spin, .. } = *state;
    Grain { id, shape, material, pose, velocity, spin, frozen: false }
}

//! Which grains come how often: shapes with their shares, each in all its sizes.

use gritstone_engine::{GrainClass, Mixture};
use gritstone_force::radius;

use super::Parts;
use super::from_scene::FromScene;
use super::grains::{heavy_material, shape};
use super::scaled::scaled;
use super::shapes::BuiltShape;
use super::sizes::{self, Class};
use crate::diagnostics::Diagnostics;
use crate::quantity::{Coefficient, Quantity};
use crate::schema::{By, Grains, Inlet, Names, Random, SceneFile, Size};

/// What a mix is made from.
struct Recipe<'w> {
    key: String,
    shape: &'w Names,
    shares: Option<&'w Vec<Quantity<Coefficient>>>,
    share_by: By,
    size: Option<&'w Size>,
    material: &'w str,
}

/// The mixtures of a scene.
pub(super) struct Mixtures {
    /// Of each group of grains; none for those that say of each grain what it is.
    pub(super) groups: Vec<Option<Mixture>>,
    /// Of each inlet.
    pub(super) inlets: Vec<Mixture>,
}

impl Mixtures {
    /// All sorts that there are.
    pub(super) fn classes(&self) -> impl Iterator<Item = &GrainClass> {
        self.groups.iter().flatten().chain(&self.inlets).flat_map(Mixture::classes)
    }
}

/// All mixtures of a scene. Shapes in other sizes are added to those that there are.
pub(super) fn make<D: FromScene>(
    file: &SceneFile,
    parts: &mut Parts<D>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Mixtures> {
    let mut groups = Vec::with_capacity(file.grains.len());
    for (i, spec) in file.grains.iter().enumerate() {
        groups.push(match spec {
            Grains::Random(spec) => Some(of_group(i, spec).mix(file, parts, diagnostics)?),
            _ => None,
        });
    }
    let inlets = file.inlets.iter().map(|(name, inlet)| of_inlet(name, inlet).mix(file, parts, diagnostics));
    Some(Mixtures { groups, inlets: inlets.collect::<Option<_>>()? })
}

fn of_group(i: usize, spec: &Random) -> Recipe<'_> {
    Recipe {
        key: format!("grains[{i}]"),
        shape: &spec.shape,
        shares: spec.shares.as_ref(),
        share_by: spec.share_by,
        size: spec.size.as_ref(),
        material: &spec.material,
    }
}

fn of_inlet<'w>(name: &str, spec: &'w Inlet) -> Recipe<'w> {
    Recipe {
        key: format!("inlets.{name}"),
        shape: &spec.shape,
        shares: spec.shares.as_ref(),
        share_by: spec.share_by,
        size: spec.size.as_ref(),
        material: &spec.material,
    }
}

impl Recipe<'_> {
    fn mix<D: FromScene>(
        &self,
        file: &SceneFile,
        parts: &mut Parts<D>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Mixture> {
        let (of_shape, made) = (format!("{}.shape", self.key), parts.made());
        let shapes: Vec<_> = self
            .shape
            .list
            .iter()
            .map(|name| shape(&of_shape, &of_shape, name, file, &made, diagnostics))
            .collect();
        let place = format!("{}.material", self.key);
        let material = heavy_material(&place, &place, self.material, file, diagnostics)?;
        let shares = self.shares(diagnostics)?;
        let classes = self.classes::<D>(diagnostics)?;
        let shapes: Vec<u32> = shapes.into_iter().collect::<Option<_>>()?;
        let density = file.materials.list[usize::from(material)].1.density?.si;
        let mut sorts = Vec::new();
        for (shape, share) in shapes.into_iter().zip(shares) {
            let sizes = self.sized(shape, classes.as_deref(), parts, file, diagnostics)?;
            let mass =
                |made: &(u32, f64)| parts.shapes[made.0 as usize].mass.map_or(0.0, |m| m.volume) * density;
            let mean: f64 = sizes.iter().map(|made| made.1 * mass(made)).sum();
            let number = if self.share_by == By::Mass { share / mean } else { share };
            sorts.extend(sizes.iter().map(|made| GrainClass {
                shape: made.0,
                material,
                mass: mass(made),
                share: number * made.1,
            }));
        }
        let mix = Mixture::new(sorts);
        if mix.is_none() {
            let place = format!("{}.shares", self.key);
            diagnostics.error(&place, format_args!("{place} are all zero, but at least one must be more"));
        }
        mix
    }

    fn shares(&self, diagnostics: &mut Diagnostics<'_>) -> Option<Vec<f64>> {
        let count = self.shape.list.len();
        let Some(shares) = self.shares else { return Some(vec![1.0; count]) };
        if shares.len() == count {
            return Some(shares.iter().map(|share| share.si).collect());
        }
        let (place, found) = (format!("{}.shares", self.key), shares.len());
        diagnostics.error(
            &place,
            format_args!("{place} has {found} numbers, but must have one for each of {count} shapes"),
        );
        None
    }

    /// The classes of sizes, if sizes are distributed.
    fn classes<D: FromScene>(&self, diagnostics: &mut Diagnostics<'_>) -> Option<Option<Vec<Class>>> {
        let Some(size) = self.size else { return Some(None) };
        match sizes::classes(size, D::N) {
            Ok(classes) => Some(Some(classes)),
            Err((key, what)) => {
                let place = format!("{}.size.{key}", self.key);
                diagnostics.error(&place, format_args!("{place} {what}"));
                None
            }
        }
    }

    /// A shape in all its sizes, each with its share.
    fn sized<D: FromScene>(
        &self,
        shape: u32,
        classes: Option<&[Class]>,
        parts: &mut Parts<D>,
        file: &SceneFile,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Vec<(u32, f64)>> {
        let Some(classes) = classes else { return Some(vec![(shape, 1.0)]) };
        let diameter = 2.0 * radius::of_volume::<D>(parts.shapes[shape as usize].mass?.volume);
        let (name, spec) = &file.shapes.list[shape as usize];
        let mut sized = Vec::with_capacity(classes.len());
        for (k, class) in classes.iter().enumerate() {
            let factor = class.size / diameter;
            let Some(made) = scaled(spec, factor, file) else {
                let place = format!("{}.size", self.key);
                diagnostics.error(
                    &place,
                    format_args!("{place} makes \"{name}\" as large as {} m, which cannot be", class.size),
                );
                return None;
            };
            sized.push((parts.keep(format!("{name}.{}", k + 1), (shape, factor), made), class.share));
        }
        Some(sized)
    }
}

impl<D: FromScene> Parts<D> {
    fn made(&self) -> Vec<Option<BuiltShape<D>>> {
        self.shapes.iter().cloned().map(Some).collect()
    }

    /// Index of a shape, which is added where there is none that is the same.
    fn keep(&mut self, name: String, origin: (u32, f64), made: BuiltShape<D>) -> u32 {
        let named = self.names.len().min(self.shapes.len());
        let index = self.shapes[..named]
            .iter()
            .rposition(|known| known.shape == made.shape && known.compound == made.compound);
        index.unwrap_or_else(|| {
            self.shapes.push(made);
            self.names.push(name);
            self.origins.push(origin);
            self.shapes.len() - 1
        }) as u32
    }
}

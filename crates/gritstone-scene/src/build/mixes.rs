//! Which grains come how often: shapes with their shares, each in all its sizes.

use gritstone_engine::{GrainClass, Mixture};
use gritstone_force::radius;

use super::Parts;
use super::compounds;
use super::grains::{heavy_material, shape};
use super::scenery::Scenery;
use super::shapes::Made;
use super::sizes::{self, Class};
use crate::ledger::Ledger;
use crate::quantity::{Coefficient, Quantity};
use crate::words::{self, By, Grains, Inlet, Names, Random, SceneFile, Size};

/// What a mix is made from.
struct Recipe<'w> {
    key: String,
    shape: &'w Names,
    shares: Option<&'w Vec<Quantity<Coefficient>>>,
    share_by: By,
    size: Option<&'w Size>,
    material: &'w str,
}

/// The mixes of a scene.
pub(super) struct Mixes {
    /// Of each group of grains; none for those that say of each grain what it is.
    pub(super) groups: Vec<Option<Mixture>>,
    /// Of each inlet.
    pub(super) inlets: Vec<Mixture>,
}

impl Mixes {
    /// All sorts that there are.
    pub(super) fn sorts(&self) -> impl Iterator<Item = &GrainClass> {
        self.groups.iter().flatten().chain(&self.inlets).flat_map(Mixture::sorts)
    }
}

/// All mixes of a scene. Shapes in other sizes are added to those that there are.
pub(super) fn make<D: Scenery>(
    file: &SceneFile,
    parts: &mut Parts<D>,
    ledger: &mut Ledger<'_>,
) -> Option<Mixes> {
    let mut groups = Vec::with_capacity(file.grains.len());
    for (i, words) in file.grains.iter().enumerate() {
        groups.push(match words {
            Grains::Random(words) => Some(of_group(i, words).mix(file, parts, ledger)?),
            _ => None,
        });
    }
    let inlets = file.inlets.iter().map(|(name, inlet)| of_inlet(name, inlet).mix(file, parts, ledger));
    Some(Mixes { groups, inlets: inlets.collect::<Option<_>>()? })
}

fn of_group(i: usize, words: &Random) -> Recipe<'_> {
    Recipe {
        key: format!("grains[{i}]"),
        shape: &words.shape,
        shares: words.shares.as_ref(),
        share_by: words.share_by,
        size: words.size.as_ref(),
        material: &words.material,
    }
}

fn of_inlet<'w>(name: &str, words: &'w Inlet) -> Recipe<'w> {
    Recipe {
        key: format!("inlets.{name}"),
        shape: &words.shape,
        shares: words.shares.as_ref(),
        share_by: words.share_by,
        size: words.size.as_ref(),
        material: &words.material,
    }
}

impl Recipe<'_> {
    fn mix<D: Scenery>(
        &self,
        file: &SceneFile,
        parts: &mut Parts<D>,
        ledger: &mut Ledger<'_>,
    ) -> Option<Mixture> {
        let (of_shape, made) = (format!("{}.shape", self.key), parts.made());
        let shapes: Vec<_> = self
            .shape
            .list
            .iter()
            .map(|name| shape(&of_shape, &of_shape, name, file, &made, ledger))
            .collect();
        let place = format!("{}.material", self.key);
        let material = heavy_material(&place, &place, self.material, file, ledger)?;
        let shares = self.shares(ledger)?;
        let classes = self.classes::<D>(ledger)?;
        let shapes: Vec<u32> = shapes.into_iter().collect::<Option<_>>()?;
        let density = file.materials.list[usize::from(material)].1.density?.si;
        let mut sorts = Vec::new();
        for (shape, share) in shapes.into_iter().zip(shares) {
            let sizes = self.sized(shape, classes.as_deref(), parts, file, ledger)?;
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
            ledger.wrong(&place, format_args!("{place} are all zero, but at least one must be more"));
        }
        mix
    }

    fn shares(&self, ledger: &mut Ledger<'_>) -> Option<Vec<f64>> {
        let count = self.shape.list.len();
        let Some(shares) = self.shares else { return Some(vec![1.0; count]) };
        if shares.len() == count {
            return Some(shares.iter().map(|share| share.si).collect());
        }
        let (place, found) = (format!("{}.shares", self.key), shares.len());
        ledger.wrong(
            &place,
            format_args!("{place} has {found} numbers, but must have one for each of {count} shapes"),
        );
        None
    }

    /// The classes of sizes, if sizes are distributed.
    fn classes<D: Scenery>(&self, ledger: &mut Ledger<'_>) -> Option<Option<Vec<Class>>> {
        let Some(size) = self.size else { return Some(None) };
        match sizes::classes(size, D::N) {
            Ok(classes) => Some(Some(classes)),
            Err((key, what)) => {
                let place = format!("{}.size.{key}", self.key);
                ledger.wrong(&place, format_args!("{place} {what}"));
                None
            }
        }
    }

    /// A shape in all its sizes, each with its share.
    fn sized<D: Scenery>(
        &self,
        shape: u32,
        classes: Option<&[Class]>,
        parts: &mut Parts<D>,
        file: &SceneFile,
        ledger: &mut Ledger<'_>,
    ) -> Option<Vec<(u32, f64)>> {
        let Some(classes) = classes else { return Some(vec![(shape, 1.0)]) };
        let diameter = 2.0 * radius::of_volume::<D>(parts.shapes[shape as usize].mass?.volume);
        let (name, words) = &file.shapes.list[shape as usize];
        let mut sized = Vec::with_capacity(classes.len());
        for (k, class) in classes.iter().enumerate() {
            let factor = class.size / diameter;
            let made = match words {
                words::Shape::Compound(words) => compounds::scaled(words, factor, file),
                convex => convex.scaled(factor).and_then(|words| D::make(&words).ok()),
            };
            let Some(made) = made else {
                let place = format!("{}.size", self.key);
                ledger.wrong(
                    &place,
                    format_args!("{place} makes \"{name}\" as large as {} m, which cannot be", class.size),
                );
                return None;
            };
            sized.push((parts.keep(format!("{name}.{}", k + 1), made), class.share));
        }
        Some(sized)
    }
}

impl<D: Scenery> Parts<D> {
    fn made(&self) -> Vec<Option<Made<D>>> {
        self.shapes.iter().cloned().map(Some).collect()
    }

    /// Index of a shape, which is added where there is none that is the same.
    fn keep(&mut self, name: String, made: Made<D>) -> u32 {
        let named = self.names.len().min(self.shapes.len());
        let index = self.shapes[..named]
            .iter()
            .rposition(|known| known.shape == made.shape && known.compound == made.compound);
        index.unwrap_or_else(|| {
            self.shapes.push(made);
            self.names.push(name);
            self.shapes.len() - 1
        }) as u32
    }
}

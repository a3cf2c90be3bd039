//! The table of classes.

use super::harsh::{self, Facing};
use super::{Case, Draw, EXPONENTS, Harsh, INTERVALS, Interval, Series, Stack, TILTS, paper, solids, stack};

/// A family of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The name by which it is called.
    pub name: String,
    /// How its pairs are made.
    pub recipe: Recipe,
}

/// How pairs are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recipe {
    /// The generator of \[wellmann2008\].
    Paper(Interval, Series),
    /// Harder pairs built in the same way.
    Harsh(Harsh),
    /// Face on face.
    Stack(Stack),
    /// Every shape against every shape.
    Mixed,
}

impl Class {
    /// Pair `index` of this class under `seed`.
    pub fn case(&self, seed: u64, index: u64) -> Case {
        let draw = &mut Draw::new(self.stream(), seed, index);
        match &self.recipe {
            Recipe::Paper(interval, series) => paper::generate(*interval, *series, draw),
            Recipe::Harsh(family) => harsh::generate(family, draw),
            Recipe::Stack(family) => stack::generate(*family, draw),
            Recipe::Mixed => solids::generate(draw),
        }
    }

    /// The stream of random numbers of this class: its name, hashed (FNV-1a), so that a new class changes no other.
    fn stream(&self) -> u64 {
        self.name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    }
}

/// Every class: the paper's intervals and series, the harsh ones, stacks of every exponent and tilt, and mixed shapes.
pub fn classes() -> Vec<Class> {
    let mut classes = paper_classes();
    classes.extend(harsh_classes());
    for exponent in EXPONENTS {
        for tilt in TILTS {
            let name = format!("stack-{exponent}-{tilt:e}");
            classes.push(Class { name, recipe: Recipe::Stack(Stack { exponent, tilt }) });
        }
    }
    classes.push(Class { name: "mixed".to_owned(), recipe: Recipe::Mixed });
    classes
}

/// The class of that name.
pub fn class(name: &str) -> Option<Class> {
    classes().into_iter().find(|class| class.name == name)
}

/// The class of the paper's interval `number` (0, 1 or 2) and this series.
pub fn paper_class(number: usize, series: Series) -> Class {
    let word = match series {
        Series::Separated => 1,
        Series::Overlapping => 2,
    };
    let recipe = Recipe::Paper(INTERVALS[number], series);
    Class { name: format!("iv{}s{word}", number + 1), recipe }
}

fn paper_classes() -> Vec<Class> {
    let both = |number| [Series::Separated, Series::Overlapping].map(|series| paper_class(number, series));
    (0..INTERVALS.len()).flat_map(both).collect()
}

fn harsh_classes() -> Vec<Class> {
    let any = [0.1, 1.9];
    let table = [
        // name, exponents, distance as a fraction of the smallest radius, facing
        ("separate", any, [0.0, 0.5], Facing::Anywhere),
        ("touching", any, [-1e-6, 1e-6], Facing::Anywhere),
        ("overlap-1", any, [-0.01, 0.0], Facing::Anywhere),
        ("overlap-5", any, [-0.05, 0.0], Facing::Anywhere),
        ("deep", any, [-0.5, -0.05], Facing::Anywhere),
        ("near-face", any, [-0.01, 0.01], Facing::NearFaces),
        ("aligned", any, [-0.2, 0.05], Facing::Aligned),
        ("aligned-touching", any, [0.0, 0.0], Facing::Aligned),
        ("pointy", [1.5, 1.9], [-0.05, 0.0], Facing::Anywhere),
        ("boxy", [0.1, 0.5], [-0.05, 0.0], Facing::Anywhere),
        ("boxy-near-face", [0.1, 0.5], [-0.05, 0.01], Facing::NearFaces),
    ];
    let recipe = |exponents: [f64; 2], distance: [f64; 2], facing| {
        let [exponents, distance] = [exponents, distance].map(|[low, high]| Interval { low, high });
        Recipe::Harsh(Harsh { exponents, distance, facing })
    };
    table.map(|(name, e, d, facing)| Class { name: name.to_owned(), recipe: recipe(e, d, facing) }).into()
}

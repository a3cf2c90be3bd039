//! Grains at random places.

use gritstone_core::Pose;
use gritstone_engine::{
    Cell, Grain, GrainClass, GrainShape, Mixture, PackingGrid, RandomStream, Region, Wall,
};

use super::from_scene::FromScene;
use super::grain_builder::{GrainBuilder, velocity};
use super::memory;
use super::region;
use super::shapes::BuiltShape;
use crate::diagnostics::Diagnostics;
use crate::display::plain;
use crate::schema::{Orientation, Random};

/// A sort that failed so often in a row is not tried any more: there is no room for it.
const GIVE_UP: u32 = 3;
/// The most grains of a group: more do not fit into the memory of one machine.
const MOST: u64 = 1 << 28;

/// Work after which no more places are tried ([`PackingGrid::work`]): that much in all, and that much for each grain and place that may
/// be tried for it. Compact grains take less. Needles are in the balls of all that are no further away than they are long.
const MOST_WORK: [u64; 2] = [200_000_000, 50];

/// Work after which no more places are tried for so many grains.
fn most_work(grains: usize, attempts: u32) -> u64 {
    (grains as u64).saturating_mul(MOST_WORK[1] * u64::from(attempts)).saturating_add(MOST_WORK[0])
}

/// A pose, moved into the periodic cell if there is one, and those of its images within this distance of the cell.
fn with_images<D: FromScene>(cell: Option<&Cell<D>>, distance: f64, pose: Pose<D>) -> Vec<Pose<D>> {
    let Some(cell) = cell else { return vec![pose] };
    let (home, images) = cell.places(pose.position, distance);
    let at = |position: D::Vec| Pose { position, ..pose };
    std::iter::once(home).chain(images).map(at).collect()
}

/// A grain that is to be placed.
struct Drawn<D: FromScene> {
    sort: usize,
    rotation: D::Rotation,
}

impl<D: FromScene> GrainBuilder<'_, '_, D> {
    /// Grains at random places among those that there are already.
    pub(super) fn random(
        &mut self,
        spec: &Random,
        mix: &Mixture,
        there: &[Grain<D>],
        walls: &[Wall<D>],
    ) -> Option<Vec<Grain<D>>> {
        let zone = region::make::<D>(&format!("{}.region", self.key), &spec.region, true, self.diagnostics)?;
        let mut random = RandomStream::new(spec.seed);
        let (amount, key) = self.amount(spec, &zone)?;
        self.check_number(mix, amount, &key)?;
        let mut drawn = self.draw(spec, mix, amount, &mut random)?;
        let forms: Vec<GrainShape<'_, D>> = self.shapes.iter().flatten().map(BuiltShape::form).collect();
        let size = |drawn: &Drawn<D>| forms[mix.classes()[drawn.sort].shape as usize].size();
        // Stable: grains of one size stay in the order in which they were drawn.
        drawn.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let there_now = walls.iter().filter(|wall| wall.present);
        let mut packing = PackingGrid::within(&zone, there_now.map(|wall| (wall, wall.pose)));
        let largest =
            forms.iter().map(|form| form.size()).filter(|size| size.is_finite()).fold(0.0, f64::max);
        let cell = self.cell;
        let places = |form: GrainShape<'_, D>, pose| with_images(cell, form.size() + largest, pose);
        for grain in there {
            let form = forms[grain.shape as usize];
            places(form, grain.pose).into_iter().for_each(|pose| packing.add(form, pose));
        }
        let mut failures = vec![0; mix.classes().len()];
        let (mut untried, mut unworked) = (0, 0);
        let most_work = most_work(drawn.len(), spec.attempts);
        let mut grains = Vec::with_capacity(drawn.len());
        let mut scratch = D::Scratch::default();
        for one in &drawn {
            if packing.work() > most_work {
                unworked += 1;
                continue;
            }
            let sort = mix.classes()[one.sort];
            let form = forms[sort.shape as usize];
            let place = |_| zone.pose(form, one.rotation, &mut random);
            let tries = if failures[one.sort] < GIVE_UP { spec.attempts } else { 0 };
            let pose = (0..tries).filter_map(place).find(|pose| {
                places(form, *pose).into_iter().all(|pose| packing.has_room(form, pose, &mut scratch))
            });
            let Some(pose) = pose else {
                untried += usize::from(failures[one.sort] >= GIVE_UP);
                failures[one.sort] += 1;
                continue;
            };
            failures[one.sort] = 0;
            places(form, pose).into_iter().for_each(|pose| packing.add(form, pose));
            grains.push(self.at(spec, sort.shape, sort.material, pose));
        }
        let (asked, placed, attempts) = (drawn.len(), grains.len(), spec.attempts);
        let fate = PlacementOutcome { asked, placed, untried, unworked, attempts };
        fate.tell(self.key, &key, self.diagnostics);
        Some(grains)
    }

    fn at(&mut self, spec: &Random, shape: u32, material: u16, pose: Pose<D>) -> Grain<D> {
        let id = self.next;
        self.next = id.saturating_add(1);
        let spin = spec.spin.as_ref().map_or_else(D::Spin::default, D::angular_velocity);
        Grain {
            id,
            shape,
            material,
            pose,
            velocity: velocity::<D>(spec.velocity.as_ref()),
            spin,
            frozen: false,
        }
    }

    /// How much is to be placed, and the key that says so.
    fn amount(&mut self, spec: &Random, zone: &Region<D>) -> Option<(Amount, String)> {
        let count = spec.count.map(|count| (Amount::Count(count), "count"));
        let mass = spec.mass.map(|mass| (Amount::Mass(mass.si), "mass"));
        let fraction = spec.solid_fraction;
        let volume = fraction.map(|part| (Amount::Volume(part.si * zone.volume()), "solid_fraction"));
        let given: Vec<_> = [count, mass, volume].into_iter().flatten().collect();
        let key = self.key;
        match given[..] {
            [(Amount::Count(0 | MOST..), _)] => {
                let place = format!("{key}.count");
                self.diagnostics.error(&place, format_args!("{place} must be from 1 to {}", MOST - 1));
                None
            }
            [(amount, name)] => Some((amount, format!("{key}.{name}"))),
            _ => {
                let what = "must have just one of the keys \"count\", \"mass\" and \"solid_fraction\"";
                self.diagnostics.error(key, format_args!("{key} {what}"));
                None
            }
        }
    }

    /// Reports more grains than can be, before any is made; sizes are drawn, and their mean is what counts.
    fn check_number(&mut self, mix: &Mixture, amount: Amount, key: &str) -> Option<()> {
        let share: f64 = mix.classes().iter().map(|sort| sort.share).sum();
        let volume = |sort: &GrainClass| Some(sort.share * self.volume(sort.shape)?);
        let (given, unit, one) = match amount {
            Amount::Count(count) => return memory::check(key, self.there, count, self.diagnostics),
            Amount::Mass(mass) => (mass, "kg", mix.mean_mass()),
            Amount::Volume(goal) => {
                let sum = mix.classes().iter().map(volume).sum::<Option<f64>>()?;
                (goal, if D::N == 2 { "m^2" } else { "m^3" }, sum / share)
            }
        };
        let number = given / one;
        if number < MOST as f64 {
            return memory::check(key, self.there, number as u64, self.diagnostics);
        }
        let (given, one, number, most) = (plain(given), plain(one), plain(number), MOST - 1);
        self.diagnostics.error(
            key,
            format_args!(
                "{key} asks for {given} {unit} of grains of {one} {unit}: these are {number}, but must be from 1 to {most}"
            ),
        );
        None
    }

    /// Volume of a shape, in the plane area.
    fn volume(&self, shape: u32) -> Option<f64> {
        self.shapes[shape as usize].as_ref()?.mass.map(|mass| mass.volume)
    }

    /// Draws grains until there are enough.
    fn draw(
        &mut self,
        spec: &Random,
        mix: &Mixture,
        amount: Amount,
        random: &mut RandomStream,
    ) -> Option<Vec<Drawn<D>>> {
        let mut drawn = Vec::new();
        let mut sum = 0.0;
        loop {
            let sort = mix.draw(random);
            let (one, goal) = match amount {
                Amount::Count(count) => (1.0, count as f64),
                Amount::Mass(mass) => (mix.classes()[sort].mass, mass),
                Amount::Volume(goal) => (self.volume(mix.classes()[sort].shape)?, goal),
            };
            // The last grain comes if the sum is then nearer to what was requested.
            if sum + 0.5 * one > goal {
                return Some(drawn);
            }
            if drawn.len() as u64 >= MOST {
                let key = self.key;
                self.diagnostics.error(key, format_args!("{key} makes more than {MOST} grains"));
                return None;
            }
            sum += one;
            let rotation = match spec.orientation {
                Orientation::Random => D::random_rotation(random),
                turned => D::rotation_from(turned, random),
            };
            drawn.push(Drawn { sort, rotation });
        }
    }
}

/// How much is to be placed.
#[derive(Clone, Copy)]
enum Amount {
    Count(u64),
    /// kg.
    Mass(f64),
    /// m³, in the plane m².
    Volume(f64),
}

/// What became of the grains of a group.
struct PlacementOutcome {
    asked: usize,
    placed: usize,
    /// Those for which no place was tried, because others of their sort had found none.
    untried: usize,
    /// Those for which no place was tried, because the others had taken too much work.
    unworked: usize,
    /// Places that were tried for each of the others.
    attempts: u32,
}

impl PlacementOutcome {
    /// Reports how many found no place: a doubt, or an error where none did.
    fn tell(&self, group: &str, key: &str, diagnostics: &mut Diagnostics<'_>) {
        let &Self { asked, placed, .. } = self;
        let (missing, how) = (asked - placed, self.how());
        if asked == 0 {
            diagnostics.error(key, format_args!("{key} is less than half a grain: there would be none"));
        } else if placed == 0 {
            let what = "the region is too small, or something else is there";
            diagnostics
                .error(key, format_args!("{group}: none of {asked} grains found a place{how}: {what}"));
        } else if missing > 0 {
            let part = plain(100.0 * missing as f64 / asked as f64);
            diagnostics.warn(
                key,
                format_args!("{group}: {missing} of {asked} grains ({part} %) found no place{how}"),
            );
        }
    }

    /// How places were searched for, for those that found none.
    fn how(&self) -> String {
        let &Self { asked, placed, untried, unworked, attempts } = self;
        if unworked > 0 {
            return format!(
                ", {unworked} without a try: they are so long that too many are near each other; fewer \"attempts\" take less work"
            );
        }
        if untried == 0 {
            return format!(" in {attempts} tries each");
        }
        let tried = asked - placed - untried;
        format!(
            ", {tried} in {attempts} tries each and {untried} without a try, for {GIVE_UP} of their sort in a row had found none"
        )
    }
}

//! Tools from their tables.

mod free;

use std::f64::consts::TAU;

use gritstone_core::Vector;
use gritstone_engine::{
    Area, ConstantRate, CurveKind, Drive, MotionCurve, Move, Oscillation, Servo, SmoothStep, Span, Tool, Wall,
};

use super::from_scene::FromScene;
use super::plan::is_called;
use crate::diagnostics::Diagnostics;
use crate::quantity::{Coordinates, Kind, Quantity, TimePoint};
use crate::schema::{self, Profile, SceneFile, Side};

/// All tools of a scene; none where one cannot be made, which is reported.
pub(crate) fn make<D: FromScene>(
    file: &SceneFile,
    walls: &[Wall<D>],
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Tool<D>>> {
    let mut owners: Vec<Option<&str>> = vec![None; walls.len()];
    let mut all = Some(Vec::new());
    for (name, spec) in file.tools.iter() {
        let mut builder = ToolBuilder { key: format!("tools.{name}"), file, walls, diagnostics };
        let members = builder.members(name, spec, &mut owners);
        let tool = members.and_then(|walls| {
            let origin = spec.origin.as_ref().map_or_else(D::Vec::default, Coordinates::vector::<D>);
            let drive = builder.drive(spec, &walls)?;
            Some(Tool { name: name.to_owned(), walls, origin, drive })
        });
        match (&mut all, tool) {
            (Some(list), Some(tool)) => list.push(tool),
            _ => all = None,
        }
    }
    all
}

/// Where a tool is made.
struct ToolBuilder<'b, 'l, 's, D: FromScene> {
    key: String,
    file: &'b SceneFile,
    walls: &'b [Wall<D>],
    diagnostics: &'l mut Diagnostics<'s>,
}

impl<'b, D: FromScene> ToolBuilder<'b, '_, '_, D> {
    fn error<T>(&mut self, key: &str, what: &str) -> Option<T> {
        let place = format!("{}{key}", self.key);
        self.diagnostics.error(&place, format_args!("{place} {what}"));
        None
    }

    /// The walls of a tool by their places.
    fn members(
        &mut self,
        name: &'b str,
        spec: &schema::Tool,
        owners: &mut [Option<&'b str>],
    ) -> Option<Vec<u32>> {
        let mut members = Vec::new();
        for called in &spec.walls.list {
            let place = format!("{}.walls", self.key);
            let found: Vec<usize> =
                (0..self.walls.len()).filter(|&i| is_called(&self.walls[i], called)).collect();
            if found.is_empty() {
                let names = self.walls.iter().map(|wall| wall.name.as_str());
                self.diagnostics.unknown(&place, called, "wall", "walls", names);
                return None;
            }
            for wall in found {
                if let Some(owner) = owners[wall].replace(name) {
                    let named = &self.walls[wall].name;
                    return self.error(".walls", &format!("has \"{named}\", which \"{owner}\" has already"));
                }
                members.push(wall as u32);
            }
        }
        if let Some(wall) = self.walls.iter().position(|wall| wall.name == name)
            && !members.contains(&(wall as u32))
        {
            return self.error("", "has the name of a wall that is none of its walls");
        }
        members.sort_unstable();
        Some(members)
    }

    fn drive(&mut self, spec: &schema::Tool, walls: &[u32]) -> Option<Drive<D>> {
        match (&spec.free, spec.moves.is_empty()) {
            (None, true) => self.error("", "does nothing: give it \"moves\" or \"free\""),
            (Some(_), false) => {
                self.error("", "must have one of the keys \"moves\" and \"free\", and not both")
            }
            (Some(free), true) => self.free(free).map(Drive::Free),
            (None, false) => {
                let moves = spec.moves.iter().enumerate();
                let moves: Vec<_> =
                    moves.map(|(i, spec)| self.motion(&format!(".moves[{i}]"), spec, walls)).collect();
                let moves = moves.into_iter().collect::<Option<Vec<_>>>()?;
                self.one_servo_at_a_time(&moves)?;
                Some(Drive::Moves(moves))
            }
        }
    }

    /// Reports servos that act at the same time: each would respond to the force of the other, and the summary has room for one.
    fn one_servo_at_a_time(&mut self, moves: &[Move<D>]) -> Option<()> {
        let servo = |(i, motion): (usize, &Move<D>)| match motion {
            Move::Servo(servo) => Some((i, [servo.start, servo.end])),
            _ => None,
        };
        let servos: Vec<_> = moves.iter().enumerate().filter_map(servo).collect();
        for (n, (j, [start, end])) in servos.iter().enumerate() {
            let together = |other: &&(usize, [f64; 2])| other.1[0] < *end && *start < other.1[1];
            if let Some((i, other)) = servos[..n].iter().find(together) {
                let (i, from) = (format!("{}.moves[{i}]", self.key), start.max(other[0]));
                let what = format!(
                    "is a servo, but so is {i}, which acts at the same time from {from} s on: one must end before the other \
                     starts"
                );
                return self.error(&format!(".moves[{j}]"), &what);
            }
        }
        Some(())
    }

    fn motion(&mut self, key: &str, spec: &schema::Move, walls: &[u32]) -> Option<Move<D>> {
        match spec {
            schema::Move::Translate(spec) => self.translation(key, spec),
            schema::Move::Rotate(spec) => self.rotation(key, spec),
            schema::Move::Oscillate(spec) => {
                let (axis, amplitude) = self.direction(&format!("{key}.amplitude"), &spec.amplitude)?;
                let (frequency, phase) = (spec.frequency.si, spec.phase.si);
                let kind = CurveKind::Oscillation(Oscillation { amplitude, frequency, phase });
                Some(Move::Along { axis, course: self.course(key, spec.start, spec.end, kind)? })
            }
            schema::Move::Vibrate(spec) => self.vibration(key, spec),
            schema::Move::Rock(spec) => {
                let axis = self.axis(key, spec.axis.as_ref())?;
                let (amplitude, frequency) = (spec.amplitude.si, spec.frequency.si);
                let kind = CurveKind::Oscillation(Oscillation { amplitude, frequency, phase: spec.phase.si });
                let course = self.course(key, spec.start, spec.end, kind)?;
                Some(Move::About { point: spec.point.vector::<D>(), axis, course })
            }
            schema::Move::Servo(spec) => self.servo(key, spec, walls).map(Move::Servo),
        }
    }

    /// Shaking from rest: an oscillation that starts at its end.
    fn vibration(&mut self, key: &str, spec: &schema::Vibrate) -> Option<Move<D>> {
        let (axis, _) = self.direction(&format!("{key}.direction"), &spec.direction)?;
        let amplitude = spec.amplitude.map(|amplitude| amplitude.si);
        let rate = spec.frequency.map(|frequency| TAU * frequency.si);
        let acceleration = spec.acceleration.map(|acceleration| acceleration.si);
        // The acceleration is a ω².
        let (amplitude, rate) = match (amplitude, rate, acceleration) {
            (Some(a), Some(rate), None) => (a, rate),
            (Some(a), None, Some(most)) => (a, (most / a).sqrt()),
            (None, Some(rate), Some(most)) => (most / (rate * rate), rate),
            _ => {
                return self.error(
                    key,
                    "must have two of the keys \"amplitude\", \"frequency\" and \"acceleration\", which give the third",
                );
            }
        };
        let (frequency, phase) = (rate / TAU, TAU / 4.0);
        let kind = CurveKind::Oscillation(Oscillation { amplitude: -amplitude, frequency, phase });
        Some(Move::Along { axis, course: self.course(key, spec.start, spec.end, kind)? })
    }

    fn translation(&mut self, key: &str, spec: &schema::Translate) -> Option<Move<D>> {
        let (axis, kind) = match (&spec.velocity, &spec.by) {
            (Some(velocity), None) => {
                let (axis, rate) = self.direction(&format!("{key}.velocity"), velocity)?;
                (axis, CurveKind::ConstantRate(ConstantRate { rate }))
            }
            (None, Some(by)) => {
                let (axis, amount) = self.direction(&format!("{key}.by"), by)?;
                (axis, self.whole(key, amount, spec.profile, spec.start, spec.end)?)
            }
            _ => return self.error(key, "must have one of the keys \"velocity\" and \"by\", and not both"),
        };
        Some(Move::Along { axis, course: self.course(key, spec.start, spec.end, kind)? })
    }

    fn rotation(&mut self, key: &str, spec: &schema::Rotate) -> Option<Move<D>> {
        let (axis, kind) = match (&spec.spin, spec.by) {
            (Some(spin), None) => {
                let spin = D::angular_velocity(spin);
                let rate = D::rate(spin);
                if rate == 0.0 {
                    return self.error(&format!("{key}.spin"), "is zero, but must have a direction");
                }
                (spin * (1.0 / rate), CurveKind::ConstantRate(ConstantRate { rate }))
            }
            (None, Some(by)) => {
                let kind = self.whole(key, by.si, spec.profile, spec.start, spec.end)?;
                (self.axis(key, spec.axis.as_ref())?, kind)
            }
            _ => return self.error(key, "must have one of the keys \"spin\" and \"by\", and not both"),
        };
        let course = self.course(key, spec.start, spec.end, kind)?;
        Some(Move::About { point: spec.point.vector::<D>(), axis, course })
    }

    /// A motion whose whole way is known.
    fn whole(
        &mut self,
        key: &str,
        amount: f64,
        profile: Profile,
        start: Quantity<TimePoint>,
        end: Option<Quantity<TimePoint>>,
    ) -> Option<CurveKind> {
        let Some(end) = end else {
            return self.error(key, "has \"by\", but no \"end\"");
        };
        Some(match profile {
            Profile::Smooth => CurveKind::SmoothStep(SmoothStep { amount }),
            Profile::Steady => CurveKind::ConstantRate(ConstantRate { rate: amount / (end.si - start.si) }),
        })
    }

    fn course(
        &mut self,
        key: &str,
        start: Quantity<TimePoint>,
        end: Option<Quantity<TimePoint>>,
        kind: CurveKind,
    ) -> Option<MotionCurve> {
        let (start, end) = (start.si, end.map_or(f64::INFINITY, |end| end.si));
        if end <= start {
            let what = format!("is {end} s, but must be after the start, which is {start} s");
            return self.error(&format!("{key}.end"), &what);
        }
        Some(MotionCurve { start, end, kind })
    }

    /// A unit vector and a length.
    fn direction<K: Kind>(&mut self, key: &str, spec: &Coordinates<K>) -> Option<(D::Vec, f64)> {
        let vector = spec.vector::<D>();
        let length = vector.length();
        if !(length > 0.0 && length.is_finite()) {
            return self.error(key, &format!("has the length {length}, but must have a direction"));
        }
        Some((vector * (1.0 / length), length))
    }

    fn axis<K: Kind>(&mut self, key: &str, spec: Option<&Coordinates<K>>) -> Option<D::Spin> {
        match spec {
            None if D::N == 3 => self.error(key, "has no key \"axis\", which must be a direction in space"),
            Some(_) if D::N == 2 => {
                self.error(key, "has the key \"axis\", but there is only one in the plane")
            }
            None => Some(D::angular_velocity(&schema::Spin::Plane(Quantity::new(1.0)))),
            Some(spec) => self.direction(&format!("{key}.axis"), spec).map(|(axis, _)| D::turn(axis, 1.0)),
        }
    }

    fn servo(&mut self, key: &str, spec: &schema::Servo, walls: &[u32]) -> Option<Servo<D>> {
        let (axis, _) = self.direction(&format!("{key}.axis"), &spec.axis)?;
        let (target, area) = match (spec.force, spec.stress, spec.area) {
            (Some(force), None, None) => (force.si, Area::Fixed(1.0)),
            (None, Some(stress), Some(area)) => (stress.si, Area::Fixed(area.si)),
            (None, Some(stress), None) => match self.between(walls) {
                Some(area) => (stress.si, area),
                None => {
                    return self
                        .error(key, "has a stress, but no \"area\", and is no side between those of a box");
                }
            },
            (Some(_), None, Some(_)) => return self.error(&format!("{key}.area"), "is for \"stress\" alone"),
            _ => return self.error(key, "must have one of the keys \"force\" and \"stress\", and not both"),
        };
        if target < 0.0 {
            let name = if spec.force.is_some() { "force" } else { "stress" };
            let what = format!(
                "is {target}, but must be zero or more: it pushes along \"axis\", which may be turned round"
            );
            return self.error(&format!("{key}.{name}"), &what);
        }
        let kind = CurveKind::ConstantRate(ConstantRate { rate: 0.0 });
        let MotionCurve { start, end, .. } = self.course(key, spec.start, spec.end, kind)?;
        Some(Servo { axis, target, area, max_speed: spec.max_speed.si, start, end })
    }

    /// The area of a side of a box, between its other sides.
    fn between(&self, walls: &[u32]) -> Option<Area<D>> {
        let [wall] = walls else { return None };
        let (name, side) = self.walls[*wall as usize].name.rsplit_once('.')?;
        let Some((_, schema::Wall::Box(sides))) = self.file.walls.find(name) else { return None };
        let own = Side::ALL.into_iter().find(|known| known.keyword() == side)?.axis().0;
        let (low, high) = (sides.low.vector::<D>(), sides.high.vector::<D>());
        let find = |axis: usize, upper: bool| {
            let side = Side::ALL.into_iter().find(|side| side.axis() == (axis, upper))?;
            let name = format!("{name}.{}", side.keyword());
            self.walls.iter().position(|wall| wall.name == name)
        };
        let spans = (0..D::N).filter(|&axis| axis != own).map(|axis| {
            let walls = [find(axis, false)?, find(axis, true)?];
            Some(Span {
                walls: walls.map(|wall| wall as u32),
                axis: D::Vec::axis(axis),
                length: high.component(axis) - low.component(axis),
                from: walls.map(|wall| self.walls[wall].pose.position),
            })
        });
        spans.collect::<Option<_>>().map(Area::Between)
    }
}

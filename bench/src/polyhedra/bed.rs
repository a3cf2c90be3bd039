//! A dense bed of 500 tetrahedra, pyramids, cubes and rhombic dodecahedra.

use std::error::Error;
use std::hint::black_box;

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory, Patch, Placed, Scratch};
use gritstone_contact::{Goal, Query};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Polyhedron, Solid};
use gritstone_study::generate::Draw;
use serde_json::Value;

use crate::Job;

const FILE: &str = include_str!("../../../tests/data/dense_polyhedra_500.json");
/// Seed of the moves.
const SEED: u64 = 4;

/// The bed and its pairs.
pub struct Bed {
    /// Shapes, and poses before and after a move.
    bodies: Vec<(Solid, [Pose<Space>; 2])>,
    /// Pairs of bodies that overlap.
    pub touching: Vec<[usize; 2]>,
    /// Pairs that do not, but whose bounding boxes do.
    pub near: Vec<[usize; 2]>,
}

impl Bed {
    /// The bed, with moves of `step` times each body's size between its two states.
    pub fn new(step: f64) -> Result<Self, Box<dyn Error>> {
        let grains: Vec<Value> = serde_json::from_str(FILE)?;
        let bodies = grains.iter().zip(0..).map(|(grain, index)| {
            let vertices = grain["verts"].as_array().ok_or("no vertices")?.iter();
            let (shape, centre) = Polyhedron::hull(&vertices.map(vector).collect::<Result<Vec<_>, _>>()?)?;
            let pose = Pose::<Space>::at(vector(&grain["pos"])? + centre);
            let mut draw = Draw::new(0, SEED, index);
            let turn = DQuat::from_axis_angle(draw.direction(), step);
            let moved = Pose::new(pose.position + draw.direction() * (step * shape.size()), turn);
            Ok((shape.into(), [pose, moved]))
        });
        let mut bed =
            Self { bodies: bodies.collect::<Result<_, Box<dyn Error>>>()?, touching: vec![], near: vec![] };
        bed.find_pairs();
        Ok(bed)
    }

    fn find_pairs(&mut self) {
        let boxes: Vec<[DVec3; 2]> = (0..self.bodies.len()).map(|i| self.bounds(i)).collect();
        let mut scratch = Scratch::default();
        for (i, [low, high]) in boxes.iter().enumerate() {
            for (j, [other_low, other_high]) in boxes.iter().enumerate().skip(i + 1) {
                if low.cmple(*other_high).all() && other_low.cmple(*high).all() {
                    let memory = &mut Memory::default();
                    let answer = self.solve([i, j], false, Goal::Detect, memory, &mut scratch);
                    let list = if answer < 0.0 { &mut self.touching } else { &mut self.near };
                    list.push([i, j]);
                }
            }
        }
    }

    fn bounds(&self, i: usize) -> [DVec3; 2] {
        let (solid, [pose, _]) = &self.bodies[i];
        let vertices = solid.polytope().map_or(&[][..], |polytope| polytope.vertices());
        let corners = || vertices.iter().map(|&v| pose.to_world(v));
        [corners().fold(DVec3::INFINITY, DVec3::min), corners().fold(DVec3::NEG_INFINITY, DVec3::max)]
    }

    fn placed(&self, [i, j]: [usize; 2], moved: bool) -> [Placed<'_>; 2] {
        [i, j].map(|i| {
            let (shape, poses) = &self.bodies[i];
            Placed { shape, pose: poses[usize::from(moved)] }
        })
    }

    fn solve(
        &self,
        pair: [usize; 2],
        moved: bool,
        goal: Goal,
        memory: &mut Memory,
        scratch: &mut Scratch,
    ) -> f64 {
        let [a, b] = self.placed(pair, moved);
        let query = Query { goal, ..Query::default() };
        Auto.solve_warm(a, b, query, memory, scratch).map_or(f64::NAN, |answer| answer.distance())
    }

    /// Detection of touching pairs, of near ones, and the patches of the touching ones, all warm.
    pub fn jobs(&self) -> [Job<'_>; 3] {
        [
            self.detection("touching", &self.touching),
            self.detection("near", &self.near),
            self.patches("touching, with patch"),
        ]
    }

    fn detection<'w>(&'w self, name: &str, pairs: &'w [[usize; 2]]) -> Job<'w> {
        let mut states = vec![(Memory::default(), false); pairs.len()];
        let mut scratch = Scratch::default();
        Job::new(name.to_owned(), pairs.len(), move |chunk| {
            for (&pair, (memory, moved)) in pairs[chunk.clone()].iter().zip(&mut states[chunk]) {
                *moved = !*moved;
                black_box(self.solve(pair, *moved, Goal::Detect, memory, &mut scratch));
            }
        })
    }

    fn patches(&self, name: &str) -> Job<'_> {
        let pairs = &self.touching;
        let mut states = vec![(Memory::default(), false); pairs.len()];
        let (mut scratch, mut patch) = (Scratch::default(), Patch::default());
        Job::new(name.to_owned(), pairs.len(), move |chunk| {
            for (&pair, (memory, moved)) in pairs[chunk.clone()].iter().zip(&mut states[chunk]) {
                *moved = !*moved;
                let [a, b] = self.placed(pair, *moved);
                let query = Query { goal: Goal::Detect, ..Query::default() };
                if let Ok(answer) = Auto.solve_warm(a, b, query, memory, &mut scratch)
                    && let Some(contact) = answer.contact()
                {
                    patch.fill(a, b, contact);
                    black_box(&patch);
                }
            }
        })
    }
}

pub(super) fn vector(value: &Value) -> Result<DVec3, Box<dyn Error>> {
    let number = |i: usize| value[i].as_f64().ok_or("not a vector");
    Ok(DVec3::new(number(0)?, number(1)?, number(2)?))
}

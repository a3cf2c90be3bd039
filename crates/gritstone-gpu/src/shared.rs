//! Steps that the device and the host make together: see `gritstone_engine::offload::shared`.

use bytemuck::{bytes_of, cast_slice_mut};
use gritstone_engine::offload::{ANSWER, QUESTION, SAMPLE};

use crate::device::{Device, DeviceError};
use crate::layout::{FAST, Kernel, STALE};
use crate::session::{QUESTIONS, Session};

/// What the host is asked.
pub(crate) type Question = [f64; QUESTION];
/// What it answers.
pub(crate) type Answer = [f64; ANSWER];

impl<K: Device> Session<K> {
    /// Begins a step: up to the tests of candidates. Returns whether the lists still hold.
    pub(crate) fn begin_shared(&mut self, plan: &[f64]) -> Result<bool, DeviceError> {
        self.plan(plan)?;
        self.params.shared = 1;
        // The flag is the first of what kernels tell each other.
        self.device.write(self.params.control, bytes_of(&0_u32))?;
        self.start_step(0)?;
        self.read_control()?;
        Ok(self.control.stop & (STALE | FAST) == 0)
    }

    /// Bodies as they are in the middle of the step.
    pub(crate) fn samples(&mut self, slots: &[u32]) -> Result<Vec<[f64; SAMPLE]>, DeviceError> {
        let mut samples = vec![[0.0; SAMPLE]; slots.len()];
        if slots.is_empty() {
            return Ok(samples);
        }
        self.params.visited = self.buffers.visited.put(&mut self.device, slots)?;
        let bytes = size_of_val(samples.as_slice());
        self.params.samples = self.buffers.samples.reserve(&mut self.device, bytes)?;
        self.over(Kernel::SampleBodies, slots.len() as u32)?;
        self.device.read(self.params.samples, cast_slice_mut(&mut samples))?;
        Ok(samples)
    }

    /// Candidates that the host is to test.
    pub(crate) fn untested(&mut self) -> Result<Vec<Question>, DeviceError> {
        self.questions(false)
    }

    fn questions(&mut self, of_contacts: bool) -> Result<Vec<Question>, DeviceError> {
        let mut questions = vec![[0.0; QUESTION]; self.control.asked as usize];
        self.params.of_contacts = u32::from(of_contacts);
        for (i, some) in questions.chunks_mut(QUESTIONS).enumerate() {
            self.params.question = (i * QUESTIONS) as u32;
            self.over(Kernel::PackQuestions, some.len() as u32)?;
            self.device.read(self.params.questions, cast_slice_mut(some.as_flattened_mut()))?;
        }
        Ok(questions)
    }

    /// Takes the answers, and solves contacts in lanes. Returns those that the host is to solve.
    pub(crate) fn solve_shared(&mut self, answers: &[Answer]) -> Result<Vec<Question>, DeviceError> {
        self.control.asked = 0;
        self.device.write(self.params.control, bytes_of(&self.control))?;
        self.answer(answers)?;
        self.solve_step(0)?;
        self.read_control()?;
        self.questions(true)
    }

    fn answer(&mut self, answers: &[Answer]) -> Result<(), DeviceError> {
        if answers.is_empty() {
            return Ok(());
        }
        self.params.answers = self.buffers.answers.put(&mut self.device, answers)?;
        self.over(Kernel::TakeAnswers, answers.len() as u32)
    }

    /// Takes the forces of the host's contacts, and gets to the end of the step.
    pub(crate) fn end_shared(&mut self, answers: &[Answer]) -> Result<(), DeviceError> {
        self.answer(answers)?;
        self.finish_step(0)
    }

    /// Contacts of the walls after a step that the batch has not taken yet: wall, grain, elastic energy and gap.
    pub(crate) fn wall_contacts(&mut self) -> Result<Vec<(u32, u32, [f64; 2])>, DeviceError> {
        let walls = self.world.walls;
        let count = self.world.starts.get(walls).map_or(0, |end| *end as usize);
        let mut found = vec![[0.0_f64; 2]; count];
        self.over(Kernel::PackWallContacts, count as u32)?;
        self.device.read(self.params.wall_contacts, cast_slice_mut(&mut found))?;
        let starts = &self.world.starts[..=walls];
        let rows = (0_u32..)
            .zip(starts.windows(2))
            .flat_map(|(wall, ends)| (ends[0]..ends[1]).map(move |entry| (wall, entry as usize)));
        let grain = |entry: usize| self.world.pairs[self.world.entries[entry] as usize / 2][0];
        let there = rows.filter(|(_, entry)| !found[*entry][1].is_nan());
        Ok(there.map(|(wall, entry)| (wall, grain(entry), found[entry])).collect())
    }
}

//! Who advances which chunk, and when.
//!
//! Each thread has a stretch of chunks of its own, about the same from step to step, so that their data stay in its cache; it takes from
//! others only what they would be late with. A chunk first finds the forces of its contacts. Its bodies are moved as soon as the
//! chunks of lower rank whose contacts act on them have found theirs: mostly at once, while its rows are at hand. Who does what when
//! changes no bit of the result.

mod claims;
mod habits;

pub use habits::Habits;

use crate::contacts::{BorderLoads, Chunk, Forces};
use crate::step::{ChunkKernels, ChunkOutput, StepInput};
use claims::{Claims, linger};
use habits::share_of;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

/// Rows from which on the data of a chunk do not stay in a thread's cache from step to step: whoever is free may take it.
const UNCACHED: u32 = 4096;

/// A chunk and the rows it writes.
pub struct Task<'a> {
    /// The chunk.
    pub chunk: &'a mut Chunk,
    /// Where its bodies go.
    pub out: ChunkOutput<'a>,
    /// How many of its sources have been heard.
    heard: usize,
}

impl<'a> Task<'a> {
    /// A chunk that has not begun its step.
    pub fn new(chunk: &'a mut Chunk, out: ChunkOutput<'a>) -> Self {
        Self { chunk, out, heard: 0 }
    }
}

/// Advances all chunks, in order, by the threads of the present pool.
pub fn advance_all(input: &StepInput, kernels: &ChunkKernels, mut tasks: Vec<Task>, habits: &mut Habits) {
    let threads = rayon::current_num_threads().min(tasks.len());
    let largest = tasks.iter().map(|task| task.chunk.count).max().unwrap_or(0);
    habits.plan(tasks.len(), threads, largest >= UNCACHED);
    if threads > 1 {
        habits.keep_awake(threads);
    }
    let borders = tasks.iter_mut().map(|task| RwLock::new(std::mem::take(&mut task.chunk.border))).collect();
    let met = tasks.iter().map(|_| AtomicBool::new(false)).collect();
    let tasks: Vec<_> = tasks.into_iter().map(Mutex::new).collect();
    let crew = Crew { input, kernels, tasks, borders, met, claims: habits.claims() };
    if threads > 1 {
        // The calling thread begins with the first chunks, as it does in all loops over chunks.
        let caller = rayon::current_thread_index().unwrap_or(0);
        let work = |index: usize| {
            crew.work(share_of(index, caller, threads), false);
            crew.claims.wait_for_others();
        };
        (0..threads).into_par_iter().with_max_len(1).for_each(work);
    }
    // What nobody came for.
    crew.work(0, true);
    let seconds: Vec<f64> =
        crew.finish().into_iter().map(|chunk| chunk.report.seconds.iter().sum()).collect();
    seconds.into_iter().enumerate().for_each(|(number, seconds)| habits.note(number, seconds));
}

/// What the threads share in a step.
struct Crew<'a> {
    input: &'a StepInput<'a>,
    kernels: &'a ChunkKernels,
    tasks: Vec<Mutex<Task<'a>>>,
    /// Loads of the contacts of each chunk on others.
    borders: Vec<RwLock<BorderLoads>>,
    /// Whether the forces of the chunk's contacts are known.
    met: Vec<AtomicBool>,
    /// Who takes which chunk, and which bodies have not been moved.
    claims: Claims<'a>,
}

impl<'a> Crew<'a> {
    /// Advances the chunks of a thread and what others are late with, or all that are left; moves the bodies that had to wait at the end.
    fn work(&self, thread: usize, all: bool) {
        let _guard = self.claims.guard();
        // Chunks that have found their forces and whose bodies have not been moved.
        let mut put_off = Vec::new();
        if all {
            self.claims.visit_rest(|number| self.meet(number, &mut put_off));
        } else {
            self.claims.visit(thread, |number| self.meet(number, &mut put_off));
        }
        // Nobody is waited for who has not begun.
        while let Some(source) = self.missing_source(&put_off) {
            if self.claims.take(source) {
                self.meet(source, &mut put_off);
            }
        }
        let mut looks = 0_u32;
        while !put_off.is_empty() && !self.claims.are_given_up() {
            // There is nothing else to do: what is known already need not be added when the last source is done.
            put_off.iter().for_each(|&number| self.hear(&mut self.task(number)));
            self.move_ready(&mut put_off);
            linger(looks);
            looks = looks.wrapping_add(1);
        }
    }

    /// A chunk that others need and no thread has taken.
    fn missing_source(&self, put_off: &[usize]) -> Option<usize> {
        put_off.iter().find_map(|&number| {
            let task = self.task(number);
            let mut sources = task.chunk.sources.iter().map(|&source| source as usize);
            sources.find(|&source| !self.claims.is_taken(source))
        })
    }

    /// One thread at a time asks for a chunk; where one has panicked the step is lost anyway.
    fn task(&self, number: usize) -> MutexGuard<'_, Task<'a>> {
        self.tasks[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the forces of the contacts of a chunk that was taken, and moves its bodies or puts that off.
    fn meet(&self, number: usize, put_off: &mut Vec<usize>) {
        let mut guard = self.task(number);
        let task = &mut *guard;
        let forces = Forces::in_places(task.out.places, task.chunk.first);
        let mut border = self.borders[number].write().unwrap_or_else(PoisonError::into_inner);
        (self.kernels.meet)(self.input, task.chunk, forces, &mut border);
        drop(border);
        self.met[number].store(true, Ordering::Release);
        drop(guard);
        put_off.push(number);
        self.move_ready(put_off);
    }

    /// Moves the bodies of those chunks all forces on which are known, and takes these off the list.
    fn move_ready(&self, put_off: &mut Vec<usize>) {
        put_off.retain(|&number| {
            let mut task = self.task(number);
            let is_ready = self.is_ready(&task);
            if is_ready {
                self.move_bodies(&mut task);
            }
            !is_ready
        });
    }

    /// Whether all forces on the chunk's bodies are known.
    fn is_ready(&self, task: &Task) -> bool {
        task.chunk.sources.iter().all(|&source| self.met[source as usize].load(Ordering::Acquire))
    }

    /// Adds what contacts of other chunks do to the bodies, one chunk after the other, up to the first that has not found its forces.
    fn hear(&self, task: &mut Task) {
        let Task { chunk, out, heard } = task;
        let known = |&&source: &&u32| self.met[source as usize].load(Ordering::Acquire);
        for &source in chunk.sources[*heard..].iter().take_while(known) {
            let border = self.borders[source as usize].read().unwrap_or_else(PoisonError::into_inner);
            (self.kernels.receive)((Forces::in_places(out.places, chunk.first), &border));
            *heard += 1;
        }
    }

    /// Moves the bodies of a chunk all sources of which have found their forces.
    fn move_bodies(&self, task: &mut Task) {
        let begin = Instant::now();
        self.hear(task);
        let Task { chunk, out, .. } = task;
        (self.kernels.shift)(self.input, chunk, out);
        chunk.report.seconds[2] = begin.elapsed().as_secs_f64();
        self.claims.end_one();
    }

    /// Gives the chunks back.
    fn finish(self) -> Vec<&'a mut Chunk> {
        let end = |(task, border): (Mutex<Task<'a>>, RwLock<BorderLoads>)| {
            let chunk = task.into_inner().unwrap_or_else(PoisonError::into_inner).chunk;
            chunk.border = border.into_inner().unwrap_or_else(PoisonError::into_inner);
            chunk
        };
        self.tasks.into_iter().zip(self.borders).map(end).collect()
    }
}

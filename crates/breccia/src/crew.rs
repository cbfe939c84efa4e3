//! Who advances which chunk, and when.
//!
//! Each thread has a stretch of chunks of its own, about the same from step to step, so that their data stay in its cache; it takes from
//! others only what they would be late with. A chunk first finds the forces of its contacts. Its bodies are moved as soon as the
//! chunks of lower rank whose contacts act on them have found theirs: mostly at once, while its rows are at hand. Who does what when
//! changes no bit of the result.

use crate::contacts::{BorderLoads, Chunk, Chunking, Forces};
use crate::step::{ChunkKernels, ChunkOutput, StepInput};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How often a thread looks for what it waits for before it lets others have the processor.
const PATIENCE: u32 = 2000;
/// How long threads stay awake between two steps.
const WAKEFUL: Duration = Duration::from_micros(60);
/// Part of a new measurement in what a chunk is known to cost.
const NEWS: f64 = 0.1;
/// How much heavier than necessary the heaviest share may be before chunks change hands.
const UNEVEN: f64 = 1.015;
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

/// What threads know from earlier steps.
#[derive(Debug, Default)]
pub struct Habits {
    /// Rung when there is work.
    alarm: Arc<AtomicU64>,
    /// Seconds that each chunk takes.
    costs: Vec<f64>,
    /// Chunks of each thread.
    shares: Vec<Range<usize>>,
    /// The same in the order of ranks.
    orders: Vec<Vec<usize>>,
    /// Rows of forces of each thread that are free: those used last are in its cache.
    free_rows: Vec<Mutex<Vec<Forces>>>,
}

/// What a thread has at hand.
struct Hands {
    /// Chunks that have found their forces and whose bodies have not been moved.
    put_off: Vec<usize>,
    /// Rows of forces that are free.
    free_rows: Vec<Forces>,
}

impl Habits {
    /// Calls threads that stayed awake to work.
    pub fn call(&self) {
        self.alarm.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets the other threads of the pool wait for the next call awake, for a while: to wake one takes as long as some hundred
    /// contacts.
    fn keep_awake(&self) {
        let calls = self.alarm.load(Ordering::Relaxed);
        let (begin, alarm) = (Instant::now(), Arc::clone(&self.alarm));
        let caller = rayon::current_thread_index();
        rayon::spawn_broadcast(move |thread| {
            let is_called = || alarm.load(Ordering::Relaxed) != calls || begin.elapsed() >= WAKEFUL;
            while Some(thread.index()) != caller && !is_called() {
                linger();
            }
        });
    }

    /// Does something with what belongs to each chunk, by the thread that advances the chunk: where threads share no cache, to fetch what
    /// another one has written takes longer than most work.
    pub fn for_each_chunk<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let threads = rayon::current_num_threads().min(items.len());
        let is_planned = self.costs.len() == items.len() && self.orders.len() == threads;
        if threads < 2 || !is_planned {
            items.par_iter_mut().enumerate().for_each(|(number, item)| work(number, item));
            return;
        }
        self.call();
        let items: Vec<_> = items.iter_mut().map(Mutex::new).collect();
        let claimed: Vec<_> = self.orders.iter().map(|_| AtomicBool::new(false)).collect();
        let caller = rayon::current_thread_index().unwrap_or(0);
        let take = |index: usize| {
            let own = share_of(index, caller, threads);
            // Then those whose threads have not come.
            for share in (own..own + threads).map(|share| share % threads) {
                if !claimed[share].swap(true, Ordering::Relaxed) {
                    for &number in &self.orders[share] {
                        work(number, &mut items[number].lock().unwrap_or_else(PoisonError::into_inner));
                    }
                }
            }
        };
        (0..threads).into_par_iter().with_max_len(1).for_each(take);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        let of_thread = |rows: &Mutex<Vec<Forces>>| {
            rows.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter()
                .map(Forces::memory_bytes)
                .sum::<usize>()
        };
        self.free_rows.iter().map(of_thread).sum()
    }

    /// Shares of the chunks for so many threads, by what chunks took so far.
    fn plan(&mut self, chunks: usize, threads: usize) {
        self.free_rows.resize_with(threads, Mutex::default);
        if self.costs.len() != chunks {
            self.costs = vec![1.0; chunks];
        }
        let heaviest = |shares: &[Range<usize>]| {
            let weight = |share: &Range<usize>| self.costs[share.clone()].iter().sum::<f64>();
            shares.iter().map(weight).fold(0.0, f64::max)
        };
        let planned = shares(&self.costs, threads);
        let is_known =
            self.shares.len() == threads && self.shares.last().is_some_and(|last| last.end == chunks);
        if !is_known || heaviest(&self.shares) > UNEVEN * heaviest(&planned) {
            let rank = |chunk: &usize| Chunking::rank(*chunk as u32, chunks as u32);
            let in_order = |share: &Range<usize>| {
                let mut order: Vec<usize> = share.clone().collect();
                order.sort_unstable_by_key(rank);
                order
            };
            self.orders = planned.iter().map(in_order).collect();
            self.shares = planned;
        }
    }

    /// Takes note of what a chunk took [s].
    fn note(&mut self, chunk: usize, seconds: f64) {
        self.costs[chunk] += NEWS * (seconds - self.costs[chunk]);
    }
}

/// Advances all chunks, in order, by the threads of the present pool.
pub fn advance_all(input: &StepInput, kernels: &ChunkKernels, mut tasks: Vec<Task>, habits: &mut Habits) {
    let threads = rayon::current_num_threads().min(tasks.len());
    habits.plan(tasks.len(), threads);
    let borders = tasks.iter_mut().map(|task| RwLock::new(std::mem::take(&mut task.chunk.border))).collect();
    let flags = || tasks.iter().map(|_| AtomicBool::new(false)).collect::<Vec<_>>();
    let (claimed, met) = (flags(), flags());
    let largest = tasks.iter().map(|task| task.chunk.count).max().unwrap_or(0);
    let tasks: Vec<_> = tasks.into_iter().map(Mutex::new).collect();
    let (left, given_up) = (AtomicUsize::new(tasks.len()), AtomicBool::new(false));
    let is_large = largest >= UNCACHED;
    let free_rows = &habits.free_rows;
    let crew = Crew { input, kernels, tasks, borders, free_rows, claimed, met, is_large, left, given_up };
    if threads > 1 {
        // The calling thread begins with the first chunks, as it does in all loops over chunks.
        let caller = rayon::current_thread_index().unwrap_or(0);
        let work = |index: usize| {
            crew.work(share_of(index, caller, threads), &habits.orders);
            crew.wait_for_others();
        };
        habits.call();
        (0..threads).into_par_iter().with_max_len(1).for_each(work);
        habits.keep_awake();
        // What nobody came for.
        crew.work(0, &[habits.orders.concat()]);
    } else {
        crew.work(0, &habits.orders);
    }
    let seconds: Vec<f64> =
        crew.finish().into_iter().map(|chunk| chunk.report.seconds.iter().sum()).collect();
    seconds.into_iter().enumerate().for_each(|(number, seconds)| habits.note(number, seconds));
}

/// Share of the thread that does a part of the work; the calling thread has the first one.
fn share_of(part: usize, caller: usize, threads: usize) -> usize {
    let thread = rayon::current_thread_index().map_or(part, |thread| thread + threads - caller % threads);
    thread % threads
}

/// What the threads share in a step.
struct Crew<'a> {
    input: &'a StepInput<'a>,
    kernels: &'a ChunkKernels,
    tasks: Vec<Mutex<Task<'a>>>,
    /// Loads of the contacts of each chunk on others.
    borders: Vec<RwLock<BorderLoads>>,
    /// Rows of forces of each thread that are free.
    free_rows: &'a [Mutex<Vec<Forces>>],
    /// Whether a thread has taken the chunk.
    claimed: Vec<AtomicBool>,
    /// Whether the forces of the chunk's contacts are known.
    met: Vec<AtomicBool>,
    /// Whether the chunks are too large to stay in a thread's cache.
    is_large: bool,
    /// Chunks whose bodies have not been moved.
    left: AtomicUsize,
    /// Whether a thread has panicked: nobody may wait for it.
    given_up: AtomicBool,
}

impl<'a> Crew<'a> {
    /// Advances the chunks of a share, then what others are late with; moves the bodies that had to wait at the end.
    fn work(&self, thread: usize, orders: &[Vec<usize>]) {
        let _guard = GivesUp(&self.given_up);
        let own_rows = || self.free_rows[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let mut hands = Hands { put_off: Vec::new(), free_rows: std::mem::take(&mut *own_rows()) };
        for &number in &orders[thread] {
            self.meet(number, &mut hands);
        }
        for other in orders[thread + 1..].iter().chain(&orders[..thread]) {
            for place in (0..other.len()).rev() {
                if self.may_be_taken(other, place) {
                    self.meet(other[place], &mut hands);
                }
            }
        }
        // Nobody is waited for who has not begun.
        while let Some(source) = self.missing_source(&hands.put_off) {
            self.meet(source, &mut hands);
        }
        let mut looks = 0_u32;
        while !hands.put_off.is_empty() && !self.given_up.load(Ordering::Relaxed) {
            // There is nothing else to do: what is known already need not be added when the last source is done.
            hands.put_off.iter().for_each(|&number| self.hear(&mut self.task(number)));
            self.move_ready(&mut hands);
            looks += 1;
            if looks.is_multiple_of(PATIENCE) {
                std::thread::yield_now();
            }
            linger();
        }
        own_rows().append(&mut hands.free_rows);
    }

    /// Whether any thread may take a chunk from the share of another one: where the one before is still there, its thread is more than a
    /// chunk late.
    fn may_be_taken(&self, share: &[usize], place: usize) -> bool {
        let is_there = |place: usize| !self.claimed[share[place]].load(Ordering::Relaxed);
        is_there(place) && (self.is_large || (place > 0 && is_there(place - 1)))
    }

    /// A chunk that others need and no thread has taken.
    fn missing_source(&self, put_off: &[usize]) -> Option<usize> {
        put_off.iter().find_map(|&number| {
            let task = self.task(number);
            let mut sources = task.chunk.sources.iter().map(|&source| source as usize);
            sources.find(|&source| !self.claimed[source].load(Ordering::Relaxed))
        })
    }

    /// One thread at a time asks for a chunk; where one has panicked the step is lost anyway.
    fn task(&self, number: usize) -> MutexGuard<'_, Task<'a>> {
        self.tasks[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the forces of a chunk's contacts unless another thread does, and moves its bodies or puts that off.
    fn meet(&self, number: usize, hands: &mut Hands) {
        if self.claimed[number].swap(true, Ordering::Relaxed) {
            return;
        }
        let mut task = self.task(number);
        if let Some(rows) = hands.free_rows.pop() {
            task.chunk.forces = rows;
        }
        let mut border = self.borders[number].write().unwrap_or_else(PoisonError::into_inner);
        (self.kernels.meet)(self.input, task.chunk, &mut border);
        drop(border);
        self.met[number].store(true, Ordering::Release);
        drop(task);
        hands.put_off.push(number);
        self.move_ready(hands);
    }

    /// Moves the bodies of those chunks all forces on which are known, and takes these off the list.
    fn move_ready(&self, Hands { put_off, free_rows }: &mut Hands) {
        put_off.retain(|&number| {
            let mut task = self.task(number);
            let is_ready = self.is_ready(&task);
            if is_ready {
                self.move_bodies(&mut task);
                // Clumps look at the forces on their members when all are known.
                if self.input.member_of_row.is_empty() {
                    free_rows.push(std::mem::take(&mut task.chunk.forces));
                }
            }
            !is_ready
        });
    }

    /// Whether all forces on the chunk's bodies are known.
    fn is_ready(&self, task: &Task) -> bool {
        task.chunk.sources.iter().all(|&source| self.met[source as usize].load(Ordering::Acquire))
    }

    /// Stays awake while others are about to finish.
    fn wait_for_others(&self) {
        for _ in 0..PATIENCE {
            if self.left.load(Ordering::Relaxed) == 0 || self.given_up.load(Ordering::Relaxed) {
                return;
            }
            linger();
        }
    }

    /// Adds what contacts of other chunks do to the bodies, one chunk after the other, up to the first that has not found its forces.
    fn hear(&self, task: &mut Task) {
        let Task { chunk, heard, .. } = task;
        let known = |&&source: &&u32| self.met[source as usize].load(Ordering::Acquire);
        for &source in chunk.sources[*heard..].iter().take_while(known) {
            let border = self.borders[source as usize].read().unwrap_or_else(PoisonError::into_inner);
            (self.kernels.receive)((&mut chunk.forces, &border));
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
        self.left.fetch_sub(1, Ordering::Relaxed);
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

/// Passes some fifty nanoseconds. Not by a pause instruction: virtual machines take the processor away from those who pause often.
fn linger() {
    for k in 0..100 {
        std::hint::black_box(k);
    }
}

/// Tells the others when its thread panics.
struct GivesUp<'a>(&'a AtomicBool);

impl Drop for GivesUp<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Cuts a row of weights into `count` stretches of about the same weight.
fn shares(weights: &[f64], count: usize) -> Vec<Range<usize>> {
    let whole: f64 = weights.iter().sum();
    let (mut shares, mut start, mut sum) = (Vec::with_capacity(count), 0, 0.0);
    for share in 1..=count {
        let aim = whole * share as f64 / count as f64;
        let mut end = start;
        // The weight on the line goes to the side that has more of it.
        while end < weights.len() && (share == count || sum + 0.5 * weights[end] <= aim) {
            sum += weights[end];
            end += 1;
        }
        shares.push(start..end);
        start = end;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever comes, each chunk gets its turn once, with a plan and without.
    #[test]
    fn every_chunk_gets_its_turn() {
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut habits = Habits::default();
                for planned in [false, true] {
                    let mut turns = vec![(0, 0); 5];
                    if planned {
                        habits.plan(turns.len(), threads.min(turns.len()));
                    }
                    habits.for_each_chunk(&mut turns, |number, turn| *turn = (turn.0 + 1, number));
                    assert_eq!(turns, [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4)], "{threads} threads");
                }
            });
        }
    }

    #[test]
    fn shares_hold_all_chunks_once_and_weigh_about_the_same() {
        for (weights, count) in [
            (vec![1.0; 16], 2),
            (vec![5.0, 1.0, 1.0, 1.0, 1.0, 1.0], 2),
            (vec![0.0; 3], 3),
            (vec![3.0], 1),
            ((0..100).map(|k| f64::from(50 + (k * 37) % 23)).collect(), 7),
        ] {
            let shares = shares(&weights, count);
            assert_eq!(shares.len(), count);
            let all: Vec<usize> = shares.iter().cloned().flatten().collect();
            assert_eq!(all, (0..weights.len()).collect::<Vec<_>>());
            let heaviest = weights.iter().copied().fold(0.0, f64::max);
            let mean = weights.iter().sum::<f64>() / count as f64;
            for share in shares {
                let weight: f64 = weights[share].iter().sum();
                assert!((weight - mean).abs() <= heaviest, "{weights:?} by {count}");
            }
        }
    }
}

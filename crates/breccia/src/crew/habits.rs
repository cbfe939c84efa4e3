//! What threads know from earlier steps: whose chunks are whose, and how long they take.

use super::claims::{Claims, linger};
use crate::contacts::Chunking;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long threads without work stay awake.
const WAKEFUL: Duration = Duration::from_micros(100);
/// Part of a new measurement in what a chunk is known to cost.
const NEWS: f64 = 0.1;
/// How much heavier than necessary the heaviest share may be before chunks change hands.
const UNEVEN: f64 = 1.015;

/// What threads know from earlier steps.
#[derive(Debug, Default)]
pub struct Habits {
    /// Who is awake.
    watch: Arc<Watch>,
    /// Seconds that each chunk takes.
    costs: Vec<f64>,
    /// Chunks of each thread.
    shares: Vec<Range<usize>>,
    /// The same in the order of ranks.
    pub(super) orders: Vec<Vec<usize>>,
    /// Whether chunks are too large to stay in a thread's cache.
    are_large: bool,
}

/// Threads that look for work of their own accord: to wake one takes as long as some hundred contacts.
#[derive(Debug, Default)]
struct Watch {
    /// Changes with every step.
    step: AtomicU64,
    /// Whether each thread is awake.
    awake: Vec<AtomicBool>,
}

impl Watch {
    /// Stays awake, doing what work comes, until there has been neither work nor a step for a while.
    fn keep(&self, thread: usize) {
        if self.awake[thread].swap(true, Ordering::Relaxed) {
            return;
        }
        let (mut step, mut begin, mut looks) = (0, Instant::now(), 0_u32);
        while begin.elapsed() < WAKEFUL {
            let worked = rayon::yield_now() == Some(rayon::Yield::Executed);
            let now = self.step.load(Ordering::Relaxed);
            if worked || now != step {
                (step, begin, looks) = (now, Instant::now(), 0);
            } else {
                linger(looks);
                looks += 1;
            }
        }
        self.awake[thread].store(false, Ordering::Relaxed);
    }
}

impl Habits {
    /// Lets so many threads of the pool stay awake, the calling one among them, until there has been nothing to do for a while.
    pub(super) fn keep_awake(&mut self, threads: usize) {
        let (Some(caller), all) = (rayon::current_thread_index(), rayon::current_num_threads()) else {
            return;
        };
        if self.watch.awake.len() != all {
            let awake = (0..all).map(|_| AtomicBool::new(false)).collect();
            self.watch = Arc::new(Watch { awake, ..Watch::default() });
        }
        let is_wanted = move |thread: usize| (1..threads).contains(&((thread + all - caller) % all));
        let is_awake = |thread: usize| self.watch.awake[thread].load(Ordering::Relaxed);
        self.watch.step.fetch_add(1, Ordering::Relaxed);
        if (0..all).any(|thread| is_wanted(thread) && !is_awake(thread)) {
            let watch = Arc::clone(&self.watch);
            rayon::spawn_broadcast(move |thread| {
                if is_wanted(thread.index()) {
                    watch.keep(thread.index());
                }
            });
        }
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
        let items: Vec<_> = items.iter_mut().map(Mutex::new).collect();
        let claims = self.claims();
        let caller = rayon::current_thread_index().unwrap_or(0);
        let work = |number: usize| {
            work(number, &mut items[number].lock().unwrap_or_else(PoisonError::into_inner));
            claims.end_one();
        };
        let take = |index: usize| {
            let _guard = claims.guard();
            claims.visit(share_of(index, caller, threads), work);
            claims.wait_for_others();
        };
        (0..threads).into_par_iter().with_max_len(1).for_each(take);
        // What nobody came for.
        claims.visit_rest(work);
    }

    /// The chunks as they are shared out, none taken yet.
    pub(super) fn claims(&self) -> Claims<'_> {
        Claims::new(&self.orders, self.are_large)
    }

    /// Shares of the chunks for so many threads, by what chunks took so far; large ones do not stay in a thread's cache.
    pub(super) fn plan(&mut self, chunks: usize, threads: usize, are_large: bool) {
        self.are_large = are_large;
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
    pub(super) fn note(&mut self, chunk: usize, seconds: f64) {
        self.costs[chunk] += NEWS * (seconds - self.costs[chunk]);
    }
}

/// Share of the thread that does a part of the work; the calling thread has the first one.
pub(super) fn share_of(part: usize, caller: usize, threads: usize) -> usize {
    let thread = rayon::current_thread_index().map_or(part, |thread| thread + threads - caller % threads);
    thread % threads
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
                        habits.plan(turns.len(), threads.min(turns.len()), false);
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

//! Who takes which chunk: first each thread its own, then what others would be late with.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How often a thread looks whether others are done before it goes to sleep.
const PATIENCE: u32 = 2000;
/// How often a thread looks for what it waits for before it lets others have the processor: they may have more threads than there are cores.
const TURN: u32 = 64;

/// Chunks that threads take one by one, each once.
pub(super) struct Claims<'a> {
    /// Chunks of each thread, in the order in which it takes them.
    orders: &'a [Vec<usize>],
    /// Whether any thread may take any chunk: none stays in a thread's cache.
    are_free: bool,
    /// Whether a thread has taken the chunk.
    taken: Vec<AtomicBool>,
    /// Chunks that are not done yet.
    left: AtomicUsize,
    /// Whether a thread has panicked: nobody may wait for it.
    given_up: AtomicBool,
}

impl<'a> Claims<'a> {
    /// No chunk has been taken yet.
    pub fn new(orders: &'a [Vec<usize>], are_free: bool) -> Self {
        let count = orders.iter().map(Vec::len).sum();
        let taken = (0..count).map(|_| AtomicBool::new(false)).collect();
        Self { orders, are_free, taken, left: AtomicUsize::new(count), given_up: AtomicBool::new(false) }
    }

    /// Takes a chunk unless another thread has.
    pub fn take(&self, chunk: usize) -> bool {
        !self.taken[chunk].swap(true, Ordering::Relaxed)
    }

    /// Whether a thread has taken the chunk.
    pub fn is_taken(&self, chunk: usize) -> bool {
        self.taken[chunk].load(Ordering::Relaxed)
    }

    /// Does something with the chunks of a thread, then with those that others are late with.
    pub fn visit(&self, thread: usize, mut work: impl FnMut(usize)) {
        let mut visit = |chunk: usize| {
            if self.take(chunk) {
                work(chunk);
            }
        };
        self.orders[thread].iter().for_each(|&chunk| visit(chunk));
        for other in self.orders[thread + 1..].iter().chain(&self.orders[..thread]) {
            for place in (0..other.len()).rev() {
                if self.may_be_taken(other, place) {
                    visit(other[place]);
                }
            }
        }
    }

    /// Does something with all chunks that nobody came for.
    pub fn visit_rest(&self, mut work: impl FnMut(usize)) {
        self.orders.iter().flatten().filter(|&&chunk| self.take(chunk)).for_each(|&chunk| work(chunk));
    }

    /// Whether any thread may take a chunk from the share of another one: where the one before is still there, its thread is more than a
    /// chunk late.
    fn may_be_taken(&self, share: &[usize], place: usize) -> bool {
        let is_there = |place: usize| !self.is_taken(share[place]);
        is_there(place) && (self.are_free || (place > 0 && is_there(place - 1)))
    }

    /// A chunk that was taken is done.
    pub fn end_one(&self) {
        self.left.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a thread has panicked.
    pub fn are_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Stays awake while others are about to finish.
    pub fn wait_for_others(&self) {
        for look in 0..PATIENCE {
            if self.left.load(Ordering::Relaxed) == 0 || self.are_given_up() {
                return;
            }
            linger(look);
        }
    }

    /// Tells the others should this thread panic before what is given back is dropped.
    pub fn guard(&self) -> impl Drop + '_ {
        GivesUp(&self.given_up)
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

/// Passes some fifty nanoseconds after a look in vain, and lets others have the processor now and then. Not by a pause instruction: virtual
/// machines take the processor away from those who pause often.
pub(super) fn linger(look: u32) {
    if look % TURN == TURN - 1 {
        std::thread::yield_now();
    }
    for k in 0..100 {
        std::hint::black_box(k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who comes first leaves the others what they are about to begin, unless whose it is makes no difference.
    #[test]
    fn what_others_are_late_with_is_taken_from_its_end() {
        let orders = [vec![1, 0], vec![2, 3, 4], vec![]];
        for (are_free, first, rest) in
            [(false, vec![1, 0, 4, 3], vec![2]), (true, vec![1, 0, 4, 3, 2], vec![])]
        {
            let claims = Claims::new(&orders, are_free);
            let (mut taken, mut left) = (Vec::new(), Vec::new());
            claims.visit(0, |chunk| taken.push(chunk));
            claims.visit(0, |chunk| taken.push(chunk));
            claims.visit_rest(|chunk| left.push(chunk));
            assert_eq!((taken, left), (first, rest));
        }
    }
}

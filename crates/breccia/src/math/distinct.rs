//! Numbers met before told from new ones, by a mark for each number there may be: with many repeats that is faster than sorting them all.

/// Tells which numbers of a round are met for the first time.
#[derive(Clone, Debug)]
pub(crate) struct FirstMet {
    /// The last round each number was met in.
    rounds: Vec<u32>,
    round: u32,
}

impl FirstMet {
    /// For numbers below `count`.
    pub fn below(count: usize) -> Self {
        Self { rounds: vec![0; count], round: 0 }
    }

    /// Forgets all numbers.
    pub fn begin_round(&mut self) {
        // Marks of rounds long ago must not count after four billion of them.
        if self.round == u32::MAX {
            self.rounds.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Whether a number is met for the first time in this round.
    #[inline(always)]
    pub fn is_first(&mut self, number: u32) -> bool {
        std::mem::replace(&mut self.rounds[number as usize], self.round) != self.round
    }
}

/// The numbers of a list, ascending, each once.
pub(crate) fn distinct(numbers: &[u32]) -> Vec<u32> {
    ranked(numbers).0
}

/// The numbers of a list, ascending, each once, and a table in which number n has its place at n less the lowest of them.
fn ranked(numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (Some(low), Some(high)) = (numbers.iter().min(), numbers.iter().max()) else {
        return (Vec::new(), Vec::new());
    };
    let mut table = vec![0_u32; (high - low) as usize + 1];
    let is_new = |number: &u32| std::mem::replace(&mut table[(number - low) as usize], 1) == 0;
    let mut ascending: Vec<u32> = numbers.iter().copied().filter(is_new).collect();
    ascending.sort_unstable();
    for (place, number) in (0..).zip(&ascending) {
        table[(number - low) as usize] = place;
    }
    (ascending, table)
}

/// The numbers of a list, ascending, each once, and the place of each of the list among them.
pub(crate) fn distinct_and_places(mut numbers: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    let (ascending, table) = ranked(&numbers);
    if let Some(&low) = ascending.first() {
        numbers.iter_mut().for_each(|number| *number = table[(*number - low) as usize]);
    }
    (ascending, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_numbers_are_those_sorted_and_thinned_out() {
        for (count, below) in [(0_u32, 1), (1, 5), (200, 3), (300, 1000), (40, 40)] {
            let numbers: Vec<u32> =
                (0..count).map(|k| 17 + (k.wrapping_mul(2_654_435_761) >> 9) % below).collect();
            let mut wanted = numbers.clone();
            wanted.sort_unstable();
            wanted.dedup();
            assert_eq!(distinct(&numbers), wanted);
            let (ascending, places) = distinct_and_places(numbers.clone());
            assert_eq!(ascending, wanted);
            assert!(places.iter().zip(&numbers).all(|(&place, number)| wanted[place as usize] == *number));
        }
    }

    /// Also beyond the last round that can be counted.
    #[test]
    fn numbers_are_first_once_a_round() {
        let mut met = FirstMet { round: u32::MAX - 2, ..FirstMet::below(3) };
        for _ in 0..4 {
            met.begin_round();
            let first = [2, 0, 2, 1, 0].map(|number| met.is_first(number));
            assert_eq!(first, [true, true, false, true, false]);
        }
    }
}

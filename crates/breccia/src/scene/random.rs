//! Random numbers that are the same on every machine.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use serde::{Deserialize, Serialize};

/// A reproducible stream of random numbers whose state can be saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RandomStream {
    generator: Pcg64,
}

impl RandomStream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let high = u128::from(mix(seed)) << 64 | u128::from(mix(seed ^ 0x9e37_79b9_7f4a_7c15));
        Self { generator: Pcg64::new(high, 0) }
    }

    /// Equally likely in [0, 1), on the grid of multiples of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        const SPACING: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.generator.next_u64() >> 11) as f64 * SPACING
    }

    /// Equally likely between two bounds; both equal gives that number.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Seed of the `index`-th entry of a scene, so that each has a stream of its own.
///
/// Kept below 2⁶³, which is as far as whole numbers go in TOML.
pub fn entry_seed(scene_seed: u64, index: usize) -> u64 {
    mix(mix(scene_seed).wrapping_add(index as u64)) >> 1
}

/// Spreads a number over all 64 bits (the finaliser of SplitMix64).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_numbers_fill_the_interval_evenly() {
        let mut stream = RandomStream::new(7);
        let mut bins = [0_u32; 10];
        for _ in 0..100_000 {
            let x = stream.unit();
            assert!((0.0..1.0).contains(&x));
            bins[(x * 10.0) as usize] += 1;
        }
        // Five standard deviations of a count of mean 10,000.
        assert!(bins.iter().all(|&n| n.abs_diff(10_000) < 475), "{bins:?}");
    }

    #[test]
    fn streams_of_entries_differ_and_repeat() {
        let draw = |seed, index| RandomStream::new(entry_seed(seed, index)).unit();
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 1), draw(2, 0));
    }

    #[test]
    fn a_saved_stream_goes_on_where_it_was() {
        let mut stream = RandomStream::new(3);
        stream.unit();
        let saved = serde_json::to_string(&stream).unwrap();
        let mut restored: RandomStream = serde_json::from_str(&saved).unwrap();
        for _ in 0..10 {
            assert_eq!(stream.unit(), restored.unit());
        }
    }
}

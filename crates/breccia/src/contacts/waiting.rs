//! Pairs within the skin that are too far apart to touch soon, by how far.

use serde::{Deserialize, Serialize};

/// Number of tiers.
const TIERS: usize = 12;

/// Waiting pairs, sorted roughly by their gap when the lists were built: while bodies have approached each other by
/// less than that, a pair need not be looked at.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WaitingPairs {
    /// Rows a < b; gaps of tier k were at least k widths.
    tiers: [Vec<[u32; 2]>; TIERS],
}

/// Width of a tier [m], for lists that reach as far as `skin` [m].
fn width(skin: f64) -> f64 {
    skin / TIERS as f64
}

impl WaitingPairs {
    /// Adds a pair whose bodies are `gap` [m] from touching, at most the skin [m].
    pub fn push(&mut self, rows: [u32; 2], gap: f64, skin: f64) {
        // Rounding must not put a pair into a tier beyond its gap, hence a little less.
        let tier = (gap / width(skin) - 1e-6).max(0.0) as usize;
        self.tiers[tier.min(TIERS - 1)].push(rows);
    }

    /// Takes out the pairs that `near` accepts, keeping the order of the rest. Tiers beyond `gap` [m] are not asked.
    pub fn take(&mut self, gap: f64, skin: f64, near: impl Fn([u32; 2]) -> bool) -> Vec<[u32; 2]> {
        let mut taken = Vec::new();
        let mut places: Vec<u32> = Vec::new();
        for (tier, pairs) in self.tiers.iter_mut().enumerate() {
            if tier as f64 * width(skin) > gap {
                break;
            }
            // The list is written only where something is taken.
            places.extend((0_u32..).zip(&*pairs).filter(|(_, rows)| near(**rows)).map(|(place, _)| place));
            if !places.is_empty() {
                taken.extend(places.iter().map(|&place| pairs[place as usize]));
                let (mut place, mut next) = (0, places.drain(..).peekable());
                pairs.retain(|_| {
                    place += 1;
                    next.next_if(|taken| taken + 1 == place).is_none()
                });
            }
        }
        taken
    }

    /// Gives back memory that is not used: no pair is added before the next rebuild.
    pub fn trim(&mut self) {
        self.tiers.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.tiers.iter().map(|pairs| pairs.capacity() * size_of::<[u32; 2]>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the order, a pair within the asked gap is asked, and the rest stays as it was.
    #[test]
    fn near_pairs_are_asked_and_taken() {
        let skin = 0.3;
        let mut waiting = WaitingPairs::default();
        let gaps: Vec<f64> = (0..400).map(|k| skin * f64::from((k * 149) % 401) / 400.0).collect();
        for (k, &gap) in (0_u32..).zip(&gaps) {
            waiting.push([k, k + 1], gap, skin);
        }
        let mut left = gaps.len();
        for reach in [0.0, 0.01, 0.1, 0.2999, skin] {
            let taken = waiting.take(reach, skin, |[k, _]| gaps[k as usize] <= reach);
            left -= taken.len();
            assert_eq!(left, gaps.iter().filter(|gap| **gap > reach).count(), "within {reach}");
            assert!(waiting.take(reach, skin, |[k, _]| gaps[k as usize] <= reach).is_empty());
        }
        assert_eq!(waiting.tiers.iter().map(Vec::len).sum::<usize>(), left);
    }
}

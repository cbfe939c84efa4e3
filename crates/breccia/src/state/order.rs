//! Order of bodies along a space-filling curve, so that neighbours in space are neighbours in memory.

use crate::math::{SHARE, box_around, sort_by_key};
use glam::DVec3;
use rayon::prelude::*;

/// Bits per axis of the curve.
const BITS: u32 = 10;

/// Threads up to which sorting by counting, on one thread, is faster than sorting by comparison on all.
const FEW_THREADS: usize = 4;

/// Spreads the low ten bits of `value` three apart.
fn spread(value: u32) -> u32 {
    let mut v = value & 0x3ff;
    v = (v | (v << 16)) & 0x0300_00ff;
    v = (v | (v << 8)) & 0x0300_f00f;
    v = (v | (v << 4)) & 0x030c_30c3;
    (v | (v << 2)) & 0x0924_9249
}

/// Rows in Morton order of their centres; ties keep their order.
pub fn space_filling_order(centres: &[DVec3]) -> Vec<u32> {
    let (low, high) = box_around(centres.par_iter().copied());
    let cells = f64::from(1_u32 << BITS);
    let widest = (high - low).max_element().max(f64::MIN_POSITIVE);
    let scale = cells / widest;
    let key = |c: DVec3| {
        let q = ((c - low) * scale).clamp(DVec3::ZERO, DVec3::splat(cells - 1.0));
        spread(q.x as u32) | (spread(q.y as u32) << 1) | (spread(q.z as u32) << 2)
    };
    let keys = centres.par_iter().with_min_len(SHARE).enumerate();
    let mut keyed: Vec<(u32, u32)> = keys.map(|(row, &c)| (key(c), row as u32)).collect();
    // Either gives the same order: rows are told apart by their number.
    if rayon::current_num_threads() > FEW_THREADS {
        keyed.par_sort_unstable();
    } else {
        sort_by_key(&mut keyed, 3 * BITS, &mut Vec::new());
    }
    keyed.into_par_iter().with_min_len(SHARE).map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_same_for_few_and_many_threads() {
        let mut random = crate::scene::RandomStream::new(3);
        let mut unit = || (random.unit() * 40.0).floor();
        let centres: Vec<DVec3> = (0..20_000).map(|_| DVec3::new(unit(), unit(), unit())).collect();
        let order = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| space_filling_order(&centres))
        };
        assert_eq!(order(1), order(FEW_THREADS + 1));
    }

    #[test]
    fn order_is_a_permutation_that_keeps_neighbours_close() {
        let centres: Vec<DVec3> = (0..4096_u32)
            .map(|k| k.wrapping_mul(2_654_435_761) % 4096)
            .map(|k| DVec3::new(f64::from(k % 16), f64::from(k / 16 % 16), f64::from(k / 256)))
            .collect();
        let order = space_filling_order(&centres);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..4096).collect::<Vec<_>>());
        let jump = |w: &[u32]| (centres[w[0] as usize] - centres[w[1] as usize]).length();
        let mean = order.windows(2).map(jump).sum::<f64>() / 4095.0;
        assert!(mean < 2.0, "mean jump {mean}");
    }
}

//! Numbers sorted by short keys.

/// Bits sorted by in one pass.
const DIGIT: u32 = 10;

/// Sorts numbers by their keys (the first members), of which only the lowest `bits` bits are set; equal keys keep their
/// order. `room` is used again from one time to the next.
pub(crate) fn sort_by_key(keyed: &mut Vec<(u32, u32)>, bits: u32, room: &mut Vec<(u32, u32)>) {
    room.resize(keyed.len(), (0, 0));
    for pass in 0..bits.div_ceil(DIGIT) {
        let digit = |key: u32| (key >> (pass * DIGIT)) as usize % (1 << DIGIT);
        let mut start = [0_u32; 1 << DIGIT];
        for &(key, _) in keyed.iter() {
            start[digit(key)] += 1;
        }
        let mut total = 0;
        for slot in &mut start {
            total += std::mem::replace(slot, total);
        }
        for &entry in keyed.iter() {
            let slot = &mut start[digit(entry.0)];
            room[*slot as usize] = entry;
            *slot += 1;
        }
        std::mem::swap(keyed, room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_length_are_sorted_and_equal_ones_keep_their_order() {
        let mut room = Vec::new();
        for (count, bits) in [(0, 5), (1, 0), (700, 3), (2000, 10), (1500, 17), (900, 32)] {
            let key = |k: u32| (u64::from(k.wrapping_mul(2_654_435_761)) & ((1 << bits) - 1)) as u32;
            let mut keyed: Vec<(u32, u32)> = (0..count).map(|k| (key(k), k)).collect();
            let mut wanted = keyed.clone();
            wanted.sort();
            sort_by_key(&mut keyed, bits, &mut room);
            assert_eq!(keyed, wanted);
        }
    }
}

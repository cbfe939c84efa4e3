//! Watched pairs that touch join the contacts.

use super::Chunk;
use super::build::pair_scales;
use crate::math::Simd;
use crate::step::StepInput;

/// Makes contacts of the watched pairs of a chunk that touch now.
#[inline(always)]
pub fn wake_touching<S: Simd>(input: &StepInput, chunk: &mut Chunk) {
    let Chunk { groups, woken, .. } = chunk;
    for group in groups {
        let shift = group.image.shift(input.period);
        group.watched.take_touching::<S>(input.places, shift, input.dummy, woken);
        if woken.is_empty() {
            continue;
        }
        let (pair, laws) = (&input.laws.pairs[group.pair.0 as usize], input.laws);
        group.contacts.make_room(woken.len());
        for rows in woken.drain(..) {
            let scales = pair_scales(input.places, rows, pair, laws);
            group.contacts.activate(rows, scales, None, laws.remembered, input.dummy);
        }
    }
}

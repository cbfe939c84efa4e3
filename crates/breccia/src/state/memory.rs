//! How much memory a state holds.

use super::State;
use std::mem::size_of;

/// Bytes a vector has reserved.
fn reserved<T>(values: &Vec<T>) -> usize {
    values.capacity() * size_of::<T>()
}

impl State {
    /// Memory held by bodies, contacts and lists [bytes].
    pub fn memory_bytes(&self) -> usize {
        let bodies = &self.bodies;
        let rows = reserved(&bodies.places)
            + reserved(&bodies.spins)
            + reserved(&bodies.last_places)
            + reserved(&bodies.last_spins)
            + reserved(&bodies.id)
            + reserved(&bodies.material)
            + reserved(&bodies.group)
            + reserved(&bodies.wraps.0)
            + reserved(&bodies.orientation);
        rows + self.lists.memory_bytes()
    }
}

//! Which bodies a program couples: pairs of bodies with their contacts, and contacts of each body, in fixed order.

use crate::implicit::problem::{ContactProblem, NO_BODY};
use std::ops::Range;

/// Side of a contact a body is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The body with the lower number (or the only one).
    Low,
    /// The body with the higher number.
    High,
}

/// Two coupled bodies and their contacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoupledPair {
    /// Lower body.
    pub low: u32,
    /// Higher body, or [`NO_BODY`] for contacts with something held or prescribed.
    pub high: u32,
    /// Their contacts, as places in `order`.
    pub contacts: Range<usize>,
}

/// The graph of a program. Contacts are sorted by pair of bodies, then as the program has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Contact of the program at each place.
    pub order: Vec<u32>,
    /// Pairs of bodies, ascending, each once; a body's contacts with no other body are a pair with [`NO_BODY`].
    pub pairs: Vec<CoupledPair>,
    /// Places of each body's contacts with the side it is on, ascending.
    pub of_body: Vec<Vec<(u32, Side)>>,
}

impl Graph {
    /// Takes a program apart. Contacts between two bodies without unknowns are left out.
    pub fn of(problem: &ContactProblem) -> Self {
        let bodies = |contact: u32| {
            let it = &problem.contacts[contact as usize];
            (it.slave.min(it.master), it.slave.max(it.master))
        };
        let mut order: Vec<u32> =
            (0..problem.contacts.len() as u32).filter(|&contact| bodies(contact).0 != NO_BODY).collect();
        order.sort_by_key(|&contact| (bodies(contact), contact));
        let mut pairs: Vec<CoupledPair> = Vec::new();
        let mut of_body = vec![Vec::new(); problem.bodies.len()];
        for (place, &contact) in order.iter().enumerate() {
            let (low, high) = bodies(contact);
            match pairs.last_mut() {
                Some(pair) if (pair.low, pair.high) == (low, high) => pair.contacts.end = place + 1,
                _ => pairs.push(CoupledPair { low, high, contacts: place..place + 1 }),
            }
            of_body[low as usize].push((place as u32, Side::Low));
            if high != NO_BODY {
                of_body[high as usize].push((place as u32, Side::High));
            }
        }
        Self { order, pairs, of_body }
    }

    /// Pairs of two bodies with unknowns: the off-diagonal blocks, ascending by (low, high).
    pub fn coupled(&self) -> impl Iterator<Item = &CoupledPair> {
        self.pairs.iter().filter(|pair| pair.high != NO_BODY)
    }
}

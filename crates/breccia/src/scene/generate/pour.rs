//! The next sphere of an inlet.

use crate::model::Domain;
use crate::scene::Inlet;
use crate::scene::random::RandomStream;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A sphere an inlet wants to add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proposal {
    /// Centre [m, world].
    pub position: DVec3,
    /// Radius [m].
    pub radius: f64,
}

/// What an inlet remembers from sphere to sphere; part of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InletStream {
    random: RandomStream,
    pending_radius: Option<f64>,
}

impl InletStream {
    /// The stream of an inlet at the start of a run.
    pub fn new(inlet: &Inlet) -> Self {
        Self { random: RandomStream::new(inlet.seed), pending_radius: None }
    }

    /// Radius of the sphere to come [m]; it stays the same until [`Self::propose`] has placed it.
    ///
    /// A sphere that finds no room waits: giving it up would favour small ones.
    pub fn next_radius(&mut self, inlet: &Inlet) -> f64 {
        let random = &mut self.random;
        *self.pending_radius.get_or_insert_with(|| inlet.sizes.sample(random))
    }

    /// The stream itself, for what a placed cluster draws besides its place.
    pub fn random(&mut self) -> &mut RandomStream {
        &mut self.random
    }

    /// Looks for a free place for the sphere to come; none after `tries` places that are not.
    ///
    /// `is_free(centre, radius)` tells whether a sphere there would overlap nothing.
    pub fn propose(
        &mut self,
        inlet: &Inlet,
        domain: &Domain,
        tries: u32,
        mut is_free: impl FnMut(DVec3, f64) -> bool,
    ) -> Option<Proposal> {
        let radius = self.next_radius(inlet);
        for _ in 0..tries {
            let place = inlet.region.sample_centre(radius, domain, &mut self.random);
            if let Some(position) = place.filter(|&position| is_free(position, radius)) {
                self.pending_radius = None;
                return Some(Proposal { position, radius });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MaterialId;
    use crate::scene::{InletAmount, Region, SizeDistribution};

    fn inlet() -> Inlet {
        Inlet {
            group: 0,
            region: Region::Sphere { centre: DVec3::ZERO, radius: 1.0 },
            sizes: SizeDistribution::Uniform { min: 0.1, max: 0.2 },
            cluster: None,
            material: MaterialId(0),
            velocity: DVec3::ZERO,
            rate: InletAmount::Count(1.0),
            start: 0.0,
            stop: 1.0,
            max_count: None,
            max_mass: None,
            seed: 9,
        }
    }

    #[test]
    fn a_sphere_without_room_waits() {
        let (inlet, domain) = (inlet(), Domain::unbounded());
        let mut stream = InletStream::new(&inlet);
        let radius = stream.next_radius(&inlet);
        let mut asked = 0;
        let refused = stream.propose(&inlet, &domain, 7, |_, _| {
            asked += 1;
            false
        });
        assert_eq!((refused, asked), (None, 7));
        let placed = stream.propose(&inlet, &domain, 1, |_, _| true).unwrap();
        assert_eq!(placed.radius, radius);
        assert!(placed.position.length() <= 1.0 - radius);
        assert_ne!(stream.next_radius(&inlet), radius);
    }

    #[test]
    fn a_restored_stream_proposes_the_same() {
        let (inlet, domain) = (inlet(), Domain::unbounded());
        let mut stream = InletStream::new(&inlet);
        stream.propose(&inlet, &domain, 1, |_, _| false);
        let mut restored: InletStream =
            serde_json::from_str(&serde_json::to_string(&stream).unwrap()).unwrap();
        for _ in 0..5 {
            let next = stream.propose(&inlet, &domain, 1, |_, _| true);
            assert_eq!(next, restored.propose(&inlet, &domain, 1, |_, _| true));
        }
    }
}

//! Spheres near one face of an analytic wall and nothing else, eight side by side.
//!
//! Most wall contacts are of this kind: until near walls are looked for anew there is nothing to search, nothing to judge and
//! nothing to match, so they are evaluated in every step like pairs, touching or not.

use super::{ContactLanes, LaneView, SurfaceContact};
use crate::laws::ChosenLaws;
use crate::math::Vec3;
use crate::model::{PairId, WallId};
use crate::narrow_phase::{FeatureKind, NO_ELEMENT, PlainFace};
use crate::state::PlaceRow;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Spheres that can touch one face and nothing else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FaceGroup {
    /// The wall.
    pub wall: WallId,
    /// Number of the face on the wall.
    pub face: u32,
    /// Pair of materials.
    pub pair: PairId,
    /// One lane for each sphere, by row; side b is not used.
    pub contacts: ContactLanes,
}

impl FaceGroup {
    /// Adds a sphere, with the contact it had; `dummy` is the first dummy row.
    pub(super) fn add(
        &mut self,
        (row, place): (u32, &PlaceRow),
        before: Option<&SurfaceContact>,
        laws: &ChosenLaws,
        dummy: u32,
    ) {
        let pair = &laws.pairs[self.pair.0 as usize];
        let scales = (laws.scales)(pair, place.radius, 1.0 / place.inverse_mass);
        let memory = before.map(|contact| &contact.memory);
        self.contacts.activate([row, dummy + 1], scales, memory, laws.remembered, dummy);
    }

    /// The spheres that touched the face in the last step.
    pub fn held(&self) -> impl Iterator<Item = LaneView> + '_ {
        self.contacts.touching().map(|place| self.contacts.lane(place))
    }

    /// A contact spelled out, with its sphere at `place` and the face where `face` is [world].
    pub fn spell_out(
        &self,
        lane: &LaneView,
        place: &PlaceRow,
        face: &PlainFace,
        laws: &ChosenLaws,
    ) -> SurfaceContact {
        let (Vec3 { x, y, z }, distance) = face.meet::<f64>(Vec3::splat(place.centre()));
        let (normal, memory) = (DVec3::new(x, y, z), lane.memory);
        let normal_force = (laws.elastic_force)(memory.depth, lane.scale) + memory.normal_dashpot;
        SurfaceContact {
            row: lane.a,
            wall: self.wall,
            kind: FeatureKind::Face,
            feature: self.face,
            element: NO_ELEMENT,
            pair: self.pair,
            sums_at: 0,
            normal,
            overlap: place.radius - distance,
            point: place.centre() - normal * distance,
            share: 1.0,
            share_gradient: DVec3::ZERO,
            memory,
            scale: lane.scale,
            damping_scale: 0.0,
            force: normal * normal_force + memory.tangential + memory.tangential_dashpot,
        }
    }
}

//! Spheres against walls: which touches are real, and what each remembers from the step before.

use super::hierarchy::{Candidate, survivors};
use super::{FeatureKind, Touches, WallNow};
use crate::contacts::{Memory, SurfaceContact, SurfaceContacts};
use crate::model::{MaterialId, PairTable};
use crate::state::PlaceRow;
use glam::DVec3;

/// Relative slack within which a point counts as lying on another's tangent plane.
const COPLANAR_TOLERANCE: f64 = 1e-6;

/// What the search for wall contacts reads.
pub struct SurfaceInput<'a> {
    /// Rows of all bodies.
    pub places: &'a [PlaceRow],
    /// Materials of all bodies.
    pub materials: &'a [MaterialId],
    /// Walls where they are now.
    pub walls: &'a [WallNow<'a>],
    /// Pairs of materials.
    pub pairs: &'a PairTable,
}

/// Buffers of the search, kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct SurfaceScratch {
    found: Vec<SurfaceContact>,
    candidates: Vec<Candidate>,
    kept: Vec<u32>,
    touches: Touches,
}

/// Finds the wall contacts of a chunk; memories come from the contacts of the step before.
pub fn find_surface_contacts(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
    let scratch = &mut contacts.scratch;
    std::mem::swap(&mut contacts.now, &mut contacts.before);
    contacts.now.clear();
    let mut old = 0;
    let mut at = 0;
    while at < contacts.near.len() {
        let row = contacts.near[at].row;
        let end = at + contacts.near[at..].iter().take_while(|near| near.row == row).count();
        scratch.touch(row, contacts.near[at..end].iter().map(|near| near.wall.0), input);
        while old < contacts.before.len() && contacts.before[old].row < row {
            old += 1;
        }
        let begin = old;
        while old < contacts.before.len() && contacts.before[old].row == row {
            old += 1;
        }
        scratch.keep_real(&contacts.before[begin..old], input, &mut contacts.now);
        at = end;
    }
}

impl SurfaceScratch {
    /// Collects the overlapping touches of one sphere.
    fn touch(&mut self, row: u32, walls: impl Iterator<Item = u16>, input: &SurfaceInput) {
        self.found.clear();
        self.candidates.clear();
        let place = &input.places[row as usize];
        let centre = place.centre();
        for number in walls {
            let wall = &input.walls[number as usize];
            if !wall.present {
                continue;
            }
            wall.visit_touches(centre, place.radius, &mut self.touches, |touch| {
                self.candidates.push(Candidate {
                    arm: centre - touch.point,
                    distance: touch.distance,
                    kind: touch.kind,
                    key: (u64::from(number) << 32) | u64::from(touch.feature),
                });
                self.found.push(SurfaceContact {
                    row,
                    wall: crate::model::WallId(number),
                    feature: touch.feature,
                    pair: input.pairs.id(input.materials[row as usize], wall.material),
                    point: touch.point,
                    normal: touch.normal,
                    overlap: place.radius - touch.distance,
                    memory: Memory::default(),
                    scale: 0.0,
                    damping_scale: 0.0,
                    force: DVec3::ZERO,
                });
            });
        }
    }

    /// Passes on the real touches of one sphere, each with its memory.
    fn keep_real(&mut self, before: &[SurfaceContact], input: &SurfaceInput, out: &mut Vec<SurfaceContact>) {
        let first_new = out.len();
        if !self.found.is_empty() {
            self.pass_on_real(before, input, out);
        }
        // A contact that has ended is evaluated once more, apart: what its dashpots did on the way out is booked then.
        for old in before.iter().filter(|old| old.memory.depth > 0.0) {
            let goes_on = out[first_new..].iter().any(|c| c.wall == old.wall && c.feature == old.feature);
            if !goes_on {
                out.push(SurfaceContact { overlap: 0.0, ..*old });
            }
        }
    }

    fn pass_on_real(
        &mut self,
        before: &[SurfaceContact],
        input: &SurfaceInput,
        out: &mut Vec<SurfaceContact>,
    ) {
        let lone_face = self.found.len() == 1 && self.candidates[0].kind == FeatureKind::Face;
        if lone_face {
            self.kept.clear();
            self.kept.push(0);
        } else {
            let radius = input.places[self.found[0].row as usize].radius;
            survivors(&self.candidates, radius, COPLANAR_TOLERANCE, &mut self.kept);
            // Back to the order of walls and features, which does not depend on distances.
            self.kept.sort_unstable();
        }
        for &index in &self.kept {
            let mut contact = self.found[index as usize];
            let same = |c: &&SurfaceContact| c.wall == contact.wall && c.feature == contact.feature;
            if let Some(old) = before.iter().find(same) {
                contact.memory = old.memory;
                contact.scale = old.scale;
                contact.damping_scale = old.damping_scale;
            }
            out.push(contact);
        }
    }
}

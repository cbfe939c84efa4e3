//! Contacts spelled out as records, for output and tests.

use crate::contacts::{Attachment, ContactForce, ContactKey, ContactRecord, Partner};
use crate::narrow_phase::WallNow;
use crate::simulation::Setup;
use crate::state::State;
use glam::DVec3;

/// All touching contacts of the last step, pairs first, in the order of the lists.
pub fn contact_records(setup: &Setup, state: &State) -> Vec<ContactRecord> {
    let mut records = Vec::new();
    visit_contacts(setup, state, |record| records.push(record));
    records
}

/// Visits the touching contacts of the last step.
pub fn visit_contacts(setup: &Setup, state: &State, mut visit: impl FnMut(ContactRecord)) {
    let walls = setup.walls_at(state, state.step.saturating_sub(1));
    for chunk in &state.lists.chunks {
        for group in &chunk.groups {
            let shift = group.image.shift(setup.model.domain.period());
            for lane in group.contacts.lanes().filter(|lane| lane.memory.depth > 0.0) {
                let mut record = pair_record(state, [lane.a, lane.b], shift);
                record.law = group.pair;
                record.force = ContactForce {
                    normal: (setup.laws.elastic_force)(lane.memory.depth, lane.scale)
                        + lane.memory.normal_dashpot,
                    tangential: lane.memory.tangential + lane.memory.tangential_dashpot,
                };
                visit(record);
            }
        }
    }
    for chunk in &state.lists.chunks {
        for contact in chunk.surface.spelled_out(&state.bodies.last_places, &walls, &setup.laws) {
            visit(surface_record(state, &contact, &walls));
        }
    }
}

fn pair_record(state: &State, [a, b]: [u32; 2], shift: DVec3) -> ContactRecord {
    let bodies = &state.bodies;
    let [place_a, place_b] = [a, b].map(|row| &bodies.last_places[row as usize]);
    let separation = place_a.centre() - place_b.centre() - shift;
    let distance = separation.length();
    let normal = separation / distance;
    let gap = distance - place_a.radius - place_b.radius;
    let arm_a = normal * -(place_a.radius + 0.5 * gap);
    ContactRecord {
        key: ContactKey {
            a: Partner::Body(bodies.id[a as usize]),
            b: Partner::Body(bodies.id[b as usize]),
            feature_a: 0,
            feature_b: 0,
        },
        point: place_a.centre() + arm_a,
        normal,
        gap,
        attachment_a: Attachment::RigidArm(arm_a),
        attachment_b: Attachment::RigidArm(normal * (place_b.radius + 0.5 * gap)),
        law: crate::model::PairId(0),
        force: ContactForce::default(),
    }
}

fn surface_record(
    state: &State,
    contact: &crate::contacts::SurfaceContact,
    walls: &[WallNow],
) -> ContactRecord {
    let bodies = &state.bodies;
    let place = &bodies.last_places[contact.row as usize];
    let normal_force = contact.force.dot(contact.normal);
    ContactRecord {
        key: ContactKey {
            a: Partner::Body(bodies.id[contact.row as usize]),
            b: Partner::Wall(contact.wall),
            feature_a: 0,
            feature_b: contact.feature,
        },
        point: contact.point,
        normal: contact.normal,
        gap: -contact.overlap,
        attachment_a: Attachment::RigidArm(contact.point - place.centre()),
        attachment_b: Attachment::Prescribed(walls[contact.wall.0 as usize].twist.velocity_at(contact.point)),
        law: contact.pair,
        force: ContactForce {
            normal: normal_force,
            tangential: contact.force - contact.normal * normal_force,
        },
    }
}

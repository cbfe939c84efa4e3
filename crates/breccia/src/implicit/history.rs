//! What elastic contacts carry from step to step: the tangential force, by (master, slave, knot).

use super::contact::GrainContact;
use super::setup::GrainSetup;
use super::state::LoadedContact;

/// Cosine of the angle (30°) beyond which a foot point is taken to have jumped to another part of the master.
const SAME_PLACE_COSINE: f64 = 0.866_025_403_784_438_6;

/// Key of a contact.
pub(super) fn key(contact: &GrainContact) -> (u32, u32, u32) {
    (contact.master, contact.slave, contact.knot)
}

/// Tangential force q0 a contact takes over [N]. t turns with n, so the number is carried as it is. A refined point
/// may have moved on to a neighbouring knot, unless that knot has a contact of its own now.
pub(super) fn carried_force(
    setup: &GrainSetup,
    contact: &GrainContact,
    all: &[GrainContact],
    previous: &[LoadedContact],
) -> f64 {
    let (master, slave, knot) = key(contact);
    let at = |knot: u32| {
        let found = previous.binary_search_by_key(&(master, slave, knot), |it| key(&it.contact)).ok()?;
        let old = &previous[found];
        (old.contact.normal.dot(contact.normal) >= SAME_PLACE_COSINE).then_some(old.force.tangential)
    };
    if let Some(force) = at(knot) {
        return force;
    }
    let ring = setup.knot_ring(slave);
    let is_taken = |knot: u32| all.binary_search_by_key(&(master, slave, knot), key).is_ok();
    [(knot + ring - 1) % ring, (knot + 1) % ring]
        .into_iter()
        .filter(|&near| near != knot && !is_taken(near))
        .find_map(at)
        .unwrap_or(0.0)
}

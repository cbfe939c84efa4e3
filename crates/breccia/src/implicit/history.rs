//! What elastic contacts carry from step to step: the tangential force, by (master, slave, knot).

use super::contact::GrainContact;
use super::problem::ContactForce;
use super::setup::GrainSetup;
use super::state::{GrainState, LoadedContact};
use crate::shapes::nurbs::GrainShape;
use glam::DVec2;

/// Cosine of the angle (30°) beyond which a foot point is taken to have jumped to another part of the master.
const SAME_PLACE_COSINE: f64 = 0.866_025_403_784_438_6;
/// Distance of a point from its knot, in bounding radii, above which it is a refined one.
const REFINED: f64 = 1e-9;

/// Key of a contact.
pub(super) fn key(contact: &GrainContact) -> (u32, u32, u32) {
    (contact.master, contact.slave, contact.knot)
}

/// Tangential force q0 a contact takes over from the last step [N]. t turns with n, so the number is carried as it is.
/// The point of least gap slides along the boundary and takes its force along from knot to knot: it follows the most
/// loaded of its knot and the two beside it.
pub(super) fn carried_force(setup: &GrainSetup, state: &GrainState, contact: &GrainContact) -> f64 {
    let previous = &state.contacts;
    let own = force_at(previous, contact, contact.knot);
    let ring = setup.knot_ring(contact.slave);
    let beside = [(contact.knot + ring - 1) % ring, (contact.knot + 1) % ring]
        .into_iter()
        .filter(|&near| near != contact.knot)
        .filter_map(|near| force_at(previous, contact, near))
        .max_by(|a, b| a.normal.total_cmp(&b.normal));
    match (own, beside) {
        (own, Some(beside))
            if own.is_none_or(|own| own.normal < beside.normal) && is_refined(setup, state, contact) =>
        {
            beside.tangential
        }
        (own, _) => own.map_or(0.0, |own| own.tangential),
    }
}

/// Force of the contact at a knot in the last step, if its normal was about the same.
fn force_at(previous: &[LoadedContact], contact: &GrainContact, knot: u32) -> Option<ContactForce> {
    let wanted = (contact.master, contact.slave, knot);
    let old = &previous[previous.binary_search_by_key(&wanted, |it| key(&it.contact)).ok()?];
    (old.contact.normal.dot(contact.normal) >= SAME_PLACE_COSINE).then_some(old.force)
}

/// Whether a contact point lies beside its knot.
fn is_refined(setup: &GrainSetup, state: &GrainState, contact: &GrainContact) -> bool {
    let (number, grain) = (contact.slave as usize, &setup.grains[contact.slave as usize]);
    let GrainShape::Outline(outline) = &setup.shapes[grain.shape as usize] else {
        return false;
    };
    let (sine, cosine) = libm::sincos(state.angle[number]);
    let knot = state.position[number]
        + DVec2::new(cosine, sine).rotate(outline.knots()[contact.knot as usize].point);
    knot.distance(contact.point) > REFINED * grain.radius
}

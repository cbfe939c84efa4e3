//! The gap after a small motion, foreseen from the contact record (acceptance test 5).

use crate::builders::{Dice, built_in, contacts_of, pose};
use breccia::implicit::GrainContact;
use breccia::narrow_phase::grains::{GrainPose, KnotSettings};
use breccia::shapes::nurbs::{GrainFamily, GrainShape};
use glam::{DVec2, DVec3};

const FIXED_KNOTS: KnotSettings = KnotSettings { double_pass: true, refine_minima: false };

/// Opening of a contact by small motions (x, y, angle) of both grains: the normal column of the contact.
fn opening(contact: &GrainContact, poses: &[GrainPose; 2], motions: &[DVec3; 2]) -> f64 {
    let moved = |body: u32| {
        let motion = motions[body as usize];
        let arm = contact.point - poses[body as usize].position;
        motion.truncate() + motion.z * DVec2::new(-arm.y, arm.x)
    };
    contact.normal.dot(moved(contact.slave) - moved(contact.master))
}

fn errors(shapes: &[GrainShape], size: f64) -> Vec<f64> {
    let mut dice = Dice(3);
    let mut errors = Vec::new();
    for case in 0..400 {
        let (a, b) = (case % 16, (7 * case + 3) % 16);
        let away = DVec2::from_angle(dice.between(0.0, 6.3)) * dice.between(0.85, 1.05);
        let poses =
            [pose(a, 0.0, 0.0, dice.between(0.0, 6.3)), pose(b, away.x, away.y, dice.between(0.0, 6.3))];
        let mut motion =
            || DVec3::new(dice.between(-1.0, 1.0), dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)) * size;
        let motions = [motion(), motion()];
        let moved = |i: usize| GrainPose {
            position: poses[i].position + motions[i].truncate(),
            angle: poses[i].angle + motions[i].z,
            ..poses[i]
        };
        let before = contacts_of(shapes, poses, 0.08, FIXED_KNOTS);
        let after = contacts_of(shapes, [moved(0), moved(1)], 0.2, FIXED_KNOTS);
        for contact in &before {
            let key = |c: &GrainContact| (c.master, c.slave, c.knot);
            if let Some(then) = after.iter().find(|other| key(other) == key(contact)) {
                errors.push((then.gap - contact.gap - opening(contact, &poses, &motions)).abs());
            }
        }
    }
    assert!(errors.len() > 1000, "{} contacts", errors.len());
    errors.sort_by(f64::total_cmp);
    errors
}

#[test]
fn the_linearised_gap_is_second_order() {
    let shapes: Vec<GrainShape> = (0..16).map(|s| built_in(GrainFamily::NonConvex, s)).collect();
    let medians = [1e-2, 1e-3, 1e-4].map(|size| {
        let errors = errors(&shapes, size);
        errors[errors.len() / 2]
    });
    assert!(medians[0] / medians[1] >= 30.0, "{medians:?}");
    assert!(medians[1] / medians[2] >= 30.0, "{medians:?}");
}

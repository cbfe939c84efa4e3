//! Contacts that both passes over a pair have found.

use super::knots::KnotHit;
use super::pose::Frame;

/// Drops one of two hits of different passes that are least gaps between the same places: points and foot points
/// nearer than `near` [m]. A corner stays slave, since the smooth side then gives the normal; else the second pass stays.
///
/// Hits of the first pass are in the frame of the first outline, those of the second in that of the second, which
/// `frame` places in the first.
pub(super) fn drop_doubled(hits: &mut [Vec<KnotHit>; 2], frame: &Frame, near: f64) {
    let [first, second] = hits;
    let mut first_stays = vec![true; first.len()];
    second.retain(|other| {
        if !other.least {
            return true;
        }
        let (point, foot) = (frame.world(other.point), frame.world(other.foot.point));
        let same = |hit: &KnotHit| {
            hit.least
                && hit.point.distance_squared(foot) < near * near
                && hit.foot.point.distance_squared(point) < near * near
        };
        let mut stays = true;
        for (hit, first_stays) in first.iter().zip(&mut first_stays) {
            if *first_stays && same(hit) {
                if hit.corner && !other.corner {
                    stays = false;
                } else {
                    *first_stays = false;
                }
            }
        }
        stays
    });
    let mut stays = first_stays.into_iter();
    first.retain(|_| stays.next().unwrap_or(true));
}

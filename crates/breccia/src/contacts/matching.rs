//! Which contact of the step before a contact of now goes on from.
//!
//! A sphere slides from facet to edge, or from one feature to the next: names change, the contact is the same. Same
//! names match first; then contacts of one surface that lie near each other and face the same way, the nearest first.

#[cfg(test)]
mod tests;

use crate::narrow_phase::FeatureKind;
use glam::DVec3;

/// What tells the contacts of one sphere with surfaces apart.
///
/// Points and normals are in the surface's own frame, so that what is remembered moves with the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMark {
    /// Number of the wall or mesh.
    pub surface: u32,
    /// Name of the face, edge or vertex on it.
    pub feature: u32,
    /// Face, edge or vertex.
    pub kind: FeatureKind,
    /// Touched point [m, surface frame].
    pub point: DVec3,
    /// Unit normal from the surface to the sphere [surface frame].
    pub normal: DVec3,
}

/// Share of the radius by which a contact point may jump when features change.
const JUMP: f64 = 0.02;

/// Cosine of the largest turn of the normal between contacts of different names.
const ALIKE: f64 = 0.5;

/// Farthest that a contact point can have moved on its surface in a step [m], with a margin.
///
/// `speed` [m/s] is that of the sphere's centre relative to the surface: where a sphere rolls, the touching points are at
/// rest, but the place of contact is not.
pub fn matching_reach(speed: f64, time_step: f64, radius: f64) -> f64 {
    2.0 * speed * time_step + JUMP * radius
}

/// Buffers of the matching, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct MatchScratch {
    pairs: Vec<Pair>,
    taken: Vec<bool>,
}

/// A new and an old contact that may be the same.
#[derive(Clone, Copy, Debug)]
struct Pair {
    renamed: bool,
    square: f64,
    names: [u32; 3],
    new: u32,
    old: u32,
}

/// Puts into `out`, for every contact of `new`, the index in `old` of the contact it goes on from.
///
/// All are contacts of one sphere; `reach(i)` [m] is how far new contact i may lie from an old one of another name
/// ([`matching_reach`]). No old contact is given to two new ones. The order of both lists does not matter.
pub fn match_contacts(
    new: &[ContactMark],
    old: &[ContactMark],
    reach: impl Fn(usize) -> f64,
    scratch: &mut MatchScratch,
    out: &mut Vec<Option<u32>>,
) {
    out.clear();
    out.resize(new.len(), None);
    if let ([now], [before]) = (new, old)
        && same_name(now, before)
    {
        out[0] = Some(0);
        return;
    }
    scratch.collect(new, old, reach);
    scratch.taken.clear();
    scratch.taken.resize(old.len(), false);
    for pair in &scratch.pairs {
        let (place, taken) = (&mut out[pair.new as usize], &mut scratch.taken[pair.old as usize]);
        if place.is_none() && !*taken {
            *place = Some(pair.old);
            *taken = true;
        }
    }
}

impl MatchScratch {
    /// Lists all pairs that may match, the likeliest first.
    fn collect(&mut self, new: &[ContactMark], old: &[ContactMark], reach: impl Fn(usize) -> f64) {
        self.pairs.clear();
        for (i, now) in new.iter().enumerate() {
            let limit = reach(i);
            for (j, before) in old.iter().enumerate().filter(|(_, before)| before.surface == now.surface) {
                let square = now.point.distance_squared(before.point);
                let renamed = now.feature != before.feature;
                let near = square <= limit * limit && now.normal.dot(before.normal) > ALIKE;
                if !renamed || near {
                    let names = [now.surface, now.feature, before.feature];
                    self.pairs.push(Pair { renamed, square, names, new: i as u32, old: j as u32 });
                }
            }
        }
        self.pairs.sort_unstable_by(|a, b| {
            let by_name = a.renamed.cmp(&b.renamed);
            by_name.then(a.square.total_cmp(&b.square)).then(a.names.cmp(&b.names))
        });
    }
}

fn same_name(a: &ContactMark, b: &ContactMark) -> bool {
    a.surface == b.surface && a.feature == b.feature
}

/// Whether a contact that goes on from an old one shows that the sphere's centre has passed a two-sided face: it is
/// now pushed the other way.
pub fn has_changed_sides(now: &ContactMark, before: &ContactMark) -> bool {
    same_name(now, before) && now.kind == FeatureKind::Face && now.normal.dot(before.normal) < 0.0
}

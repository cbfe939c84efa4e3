//! Which points come near which bodies: three ways with one answer.

use super::binary_tree::{BinaryTree, SortCounts};
use super::regions::Region;
use glam::DVec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How points near bodies are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointFinder {
    /// Sorted in a binary tree.
    #[default]
    Tree,
    /// Every point against every region: the oracle of the tree.
    BruteBoxes,
    /// No regions at all: every point is near every other body.
    AllToAll,
}

/// A body and where points near it lie.
#[derive(Clone, Copy, Debug)]
pub struct Zone {
    /// The body; its own points are not wanted.
    pub owner: u32,
    /// Where points count as near.
    pub region: Region,
}

/// A point near a body it does not belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PointNearBody {
    /// The point.
    pub point: u32,
    /// The body.
    pub body: u32,
}

impl PointFinder {
    /// Points [m], of the given owners, that lie in zones of others; sorted. With the work done.
    ///
    /// The same for any number of threads.
    pub fn find(self, points: &[DVec2], owners: &[u32], zones: &[Zone]) -> (Vec<PointNearBody>, SortCounts) {
        let tree = (self == Self::Tree).then(|| BinaryTree::new(points));
        let mut counts = tree.as_ref().map(BinaryTree::counts).unwrap_or_default();
        let ask = |zone: &Zone| {
            let mut near = Vec::new();
            let mut keep = |point: u32| {
                if owners[point as usize] != zone.owner {
                    near.push(PointNearBody { point, body: zone.owner });
                }
            };
            let work = match &tree {
                Some(tree) => tree.visit(points, &zone.region, keep),
                None => {
                    let wanted =
                        |point: &u32| self == Self::AllToAll || zone.region.holds(points[*point as usize]);
                    (0..points.len() as u32).filter(wanted).for_each(&mut keep);
                    SortCounts { point_tests: points.len() as u64, ..SortCounts::default() }
                }
            };
            (near, work)
        };
        let answers: Vec<_> = zones.par_iter().with_min_len(16).map(ask).collect();
        let mut pairs = Vec::with_capacity(answers.iter().map(|(near, _)| near.len()).sum());
        for (near, work) in &answers {
            pairs.extend_from_slice(near);
            counts.add(work);
        }
        pairs.sort_unstable();
        (pairs, counts)
    }
}

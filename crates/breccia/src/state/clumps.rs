//! Clumps: spheres that move as one rigid body.
//!
//! Their spheres are rows like all others, so that contacts know nothing of clumps; only the motion does. Members of a
//! clump have neighbouring stable ids, whatever rows they lie in.

use crate::contacts::{Flow, StepTotals};
use crate::model::Domain;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// What does not change about a clump.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clump {
    /// Stable id of its first sphere; the others follow.
    pub first_id: u32,
    /// Place of its first sphere in [`Clumps::members`].
    pub first: u32,
    /// Number of its spheres.
    pub count: u32,
    /// Group.
    pub group: u16,
    /// Mass [kg].
    pub mass: f64,
    /// Principal moments of inertia [kg m²].
    pub inertia: DVec3,
}

impl Clump {
    /// Places of its spheres in [`Clumps::members`].
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Where a clump is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClumpMotion {
    /// Centre of mass, without periodic jumps [m, world].
    pub position: DVec3,
    /// world_from_principal.
    pub orientation: DQuat,
    /// Velocity of the centre at the last half step [m/s, world].
    pub velocity: DVec3,
    /// Angular momentum about the centre at the last half step [kg m²/s, world].
    pub angular_momentum: DVec3,
    /// Angular velocity over the last step [rad/s, world].
    pub spin: DVec3,
}

/// A sphere of a clump.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Its clump.
    pub clump: u32,
    /// Its row.
    pub row: u32,
    /// Its centre [m, principal frame of the clump].
    pub arm: DVec3,
}

/// All clumps of a run; empty where there are none.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Clumps {
    /// Clumps, by ascending `first_id`.
    pub clumps: Vec<Clump>,
    /// Their motion now.
    pub now: Vec<ClumpMotion>,
    /// Their motion before the last step.
    pub before: Vec<ClumpMotion>,
    /// Their spheres.
    pub members: Vec<Member>,
    /// Place in `members` of each row; [`Clumps::FREE`] for spheres of their own. Empty without clumps.
    pub member_of_row: Vec<u32>,
    /// What global damping, rolling resistance and loads took and gave.
    pub totals: StepTotals,
    /// The same of the last step, of which `totals` holds one half.
    pub last_motion: StepTotals,
    /// What crossed each flow plane.
    pub flows: Vec<Flow>,
    /// Whether a centre left the domain in the last step.
    #[serde(skip)]
    pub left_domain: bool,
}

/// A clump about to enter the state.
#[derive(Clone, Debug)]
pub struct NewClump {
    /// Stable id of its first sphere.
    pub first_id: u32,
    /// Group.
    pub group: u16,
    /// Mass [kg].
    pub mass: f64,
    /// Principal moments of inertia [kg m²].
    pub inertia: DVec3,
    /// Where it is, with velocities at the half step before its first step.
    pub motion: ClumpMotion,
    /// Centres of its spheres [m, principal frame].
    pub arms: Vec<DVec3>,
}

impl Clumps {
    /// Mark of rows that belong to no clump.
    pub const FREE: u32 = u32::MAX;

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.clumps.is_empty()
    }

    /// Takes in a clump whose spheres have been put in; rows are found by [`Clumps::follow`].
    pub fn push(&mut self, new: NewClump) {
        let clump = self.clumps.len() as u32;
        self.clumps.push(Clump {
            first_id: new.first_id,
            first: self.members.len() as u32,
            count: new.arms.len() as u32,
            group: new.group,
            mass: new.mass,
            inertia: new.inertia,
        });
        self.now.push(new.motion);
        self.before.push(new.motion);
        self.members.extend(new.arms.into_iter().map(|arm| Member { clump, row: Self::FREE, arm }));
    }

    /// Clump of a row, if it belongs to one.
    pub fn of_row(&self, row: usize) -> Option<usize> {
        let member = *self.member_of_row.get(row)?;
        (member != Self::FREE).then(|| self.members[member as usize].clump as usize)
    }

    /// Finds the members in the rows given by their ids; clumps without spheres are dropped.
    pub fn follow(&mut self, ids: &[u32]) {
        if self.clumps.is_empty() {
            self.member_of_row.clear();
            return;
        }
        self.members.iter_mut().for_each(|member| member.row = Self::FREE);
        self.member_of_row.clear();
        self.member_of_row.resize(ids.len(), Self::FREE);
        for (row, &id) in ids.iter().enumerate() {
            let place = self.clumps.partition_point(|clump| clump.first_id <= id);
            let Some(clump) = place.checked_sub(1).map(|place| &self.clumps[place]) else { continue };
            if id - clump.first_id < clump.count {
                let member = clump.first + id - clump.first_id;
                self.members[member as usize].row = row as u32;
                self.member_of_row[row] = member;
            }
        }
        if self.members.iter().any(|member| member.row == Self::FREE) {
            self.drop_emptied();
        }
    }

    /// Takes out clumps whose spheres have been removed.
    fn drop_emptied(&mut self) {
        let old = std::mem::take(self);
        (self.totals, self.last_motion, self.flows) = (old.totals, old.last_motion, old.flows);
        self.member_of_row = vec![Self::FREE; old.member_of_row.len()];
        for (number, clump) in old.clumps.iter().enumerate() {
            let members = &old.members[clump.range()];
            if members.iter().any(|member| member.row == Self::FREE) {
                continue;
            }
            let (new, first) = (self.clumps.len() as u32, self.members.len() as u32);
            self.clumps.push(Clump { first, ..*clump });
            self.now.push(old.now[number]);
            self.before.push(old.before[number]);
            for member in members {
                self.member_of_row[member.row as usize] = self.members.len() as u32;
                self.members.push(Member { clump: new, ..*member });
            }
        }
    }

    /// Whether two rows belong to the same clump.
    pub fn share(&self, a: u32, b: u32) -> bool {
        !self.member_of_row.is_empty()
            && self.of_row(a as usize).is_some_and(|clump| self.of_row(b as usize) == Some(clump))
    }

    /// Whether the centre of a row's body, be it a sphere at `centre` or a clump, is outside the domain.
    pub fn is_outside(&self, row: usize, centre: DVec3, domain: &Domain) -> bool {
        domain.is_outside(self.of_row(row).map_or(centre, |clump| self.now[clump].position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clump(first_id: u32, count: usize) -> NewClump {
        NewClump {
            first_id,
            group: 0,
            mass: 1.0,
            inertia: DVec3::ONE,
            motion: ClumpMotion {
                position: DVec3::splat(f64::from(first_id)),
                orientation: DQuat::IDENTITY,
                velocity: DVec3::ZERO,
                angular_momentum: DVec3::ZERO,
                spin: DVec3::ZERO,
            },
            arms: (0..count).map(|k| DVec3::X * k as f64).collect(),
        }
    }

    #[test]
    fn members_are_found_in_any_order_and_the_removed_go() {
        let mut clumps = Clumps::default();
        clumps.push(clump(2, 3));
        clumps.push(clump(7, 2));
        clumps.push(clump(9, 2));
        clumps.follow(&[10, 0, 3, 9, 8, 2, 4, 7]);
        let rows = |clumps: &Clumps, k: usize| -> Vec<u32> {
            clumps.members[clumps.clumps[k].range()].iter().map(|member| member.row).collect()
        };
        assert_eq!(
            [rows(&clumps, 0), rows(&clumps, 1), rows(&clumps, 2)],
            [vec![5, 2, 6], vec![7, 4], vec![3, 0]]
        );
        assert!(clumps.share(5, 6) && !clumps.share(5, 7) && !clumps.share(1, 1));
        assert_eq!(clumps.of_row(1), None);
        clumps.follow(&[9, 10, 2, 3, 4]);
        assert_eq!(clumps.clumps.len(), 2);
        assert_eq!((rows(&clumps, 0), rows(&clumps, 1)), (vec![2, 3, 4], vec![0, 1]));
        assert_eq!(clumps.now[1].position, DVec3::splat(9.0));
        assert_eq!((clumps.of_row(0), clumps.of_row(4)), (Some(1), Some(0)));
        assert_eq!(clumps.members[clumps.clumps[1].range()][1].arm, DVec3::X);
    }
}

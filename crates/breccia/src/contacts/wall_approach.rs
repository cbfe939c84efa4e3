//! How far bodies and walls have moved against each other since near walls were last looked for.
//!
//! What a drum carries along hardly moves against it: displacements are measured in the frame of each wall.

use super::lists::largest_displacement;
use crate::motion::Pose;
use crate::narrow_phase::WallNow;
use crate::state::Bodies;
use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// The approach of bodies and walls, bounded step by step and measured where the bound says so.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct WallApproach {
    /// Upper bound of the way of any body against any wall up to the last refresh, and of walls since [m].
    bound: f64,
    /// Upper bound of the way of any body against any wall since elements of meshes were last watched, up to the last refresh, and of
    /// walls since [m].
    since_watch: f64,
    /// Centres when near walls were last looked for [m]; empty if that was at the last rebuild.
    centres: Vec<[f64; 3]>,
    /// Where the walls were then.
    poses: Vec<Pose>,
}

impl WallApproach {
    /// Nothing has moved since near walls were looked for; `centres` [m] are empty if that was at the last rebuild.
    pub fn begin(centres: Vec<[f64; 3]>, walls: &[WallNow]) -> Self {
        Self { bound: 0.0, since_watch: 0.0, centres, poses: walls.iter().map(|wall| wall.pose).collect() }
    }

    /// Notes that points of walls have gone up to `way` [m].
    pub fn add_wall_way(&mut self, way: f64) {
        self.bound += way;
        self.since_watch += way;
    }

    /// Elements of meshes are watched anew.
    pub fn watch(&mut self) {
        self.since_watch = 0.0;
    }

    /// Upper bound of the way of any body against any wall since elements of meshes were last watched, where bodies have gone up to
    /// `travel` [m] since the last refresh [m].
    pub fn way_since_watch(&self, travel: f64) -> f64 {
        self.since_watch + travel
    }

    /// Whether a body and a wall beyond `skin` [m] may meet, where bodies have gone up to `travel` [m] since the last refresh.
    pub fn may_meet(&self, travel: f64, skin: f64) -> bool {
        self.bound + travel >= skin
    }

    /// Whether a body and a wall may have approached each other by more than `room` [m], where bodies have gone up to `travel`
    /// [m] since the last refresh, which is now. `built_at` are the centres at the last rebuild [m].
    pub fn outruns(
        &mut self,
        room: f64,
        travel: f64,
        bodies: &Bodies,
        built_at: &[[f64; 3]],
        walls: &[WallNow],
    ) -> bool {
        self.bound += travel;
        self.since_watch += travel;
        if self.bound > room {
            self.bound = self.measured(bodies, built_at, walls);
        }
        self.bound > room
    }

    fn measured(&self, bodies: &Bodies, built_at: &[[f64; 3]], walls: &[WallNow]) -> f64 {
        let centres = if self.centres.is_empty() { built_at } else { &self.centres };
        let mut ways: Vec<Pose> = Vec::new();
        for (before, wall) in self.poses.iter().zip(walls).filter(|(_, wall)| wall.present) {
            let is_at_rest = *before == wall.pose;
            let way = if is_at_rest { Pose::IDENTITY } else { wall.pose.compose(&before.inverse()) };
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        let against = |way: &Pose| {
            let (turn, shift) = (DMat3::from_quat(way.rotation), way.translation);
            largest_displacement(bodies, centres, |centre: DVec3| turn * centre + shift)
        };
        ways.iter().map(against).fold(0.0, f64::max)
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.centres.capacity() * size_of::<[f64; 3]>()
    }
}

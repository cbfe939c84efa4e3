//! Where grains in the plane touch each other and straight walls: contact knots of one against the outline of
//! the other, least gaps found exactly.

mod disc;
mod knots;
mod pose;
mod refine;
mod same_place;
mod wall;

pub use pose::{GrainPose, KnotSettings, PlaneWall};

use crate::implicit::GrainContact;
use crate::shapes::nurbs::GrainShape;
use glam::DVec2;
use knots::{Scratch, outline_pass};
use pose::{Frame, relative};
use rayon::prelude::*;
use refine::Meeting;

/// Pairs per task. Results do not depend on it: pairs do not see each other.
const PAIRS_PER_TASK: usize = 32;

/// All contacts of these pairs whose gap is below the reach of the pair [m], sorted by master, slave and knot.
///
/// Numbers in pairs below the number of grains are grains, those from there on walls, in any order; walls are
/// always masters. Every pair is listed once. Of two outlines each is slave in turn (with
/// [`KnotSettings::double_pass`]; without, the one with the higher number is); of an outline and a disc the
/// disc is the slave, of two discs the one with the higher number.
pub fn find_contacts(
    shapes: &[GrainShape],
    grains: &[GrainPose],
    walls: &[PlaneWall],
    pairs: &[(u32, u32, f64)],
    settings: &KnotSettings,
) -> Vec<GrainContact> {
    let frames: Vec<Frame> = grains.iter().map(Frame::of).collect();
    let search = Search { shapes, grains, frames: &frames, walls, settings };
    let tasks: Vec<Vec<GrainContact>> = pairs
        .par_chunks(PAIRS_PER_TASK)
        .map_init(Scratch::default, |scratch, pairs| {
            let mut found = Vec::new();
            pairs.iter().for_each(|&pair| search.pair(pair, scratch, &mut found));
            found
        })
        .collect();
    let mut contacts = tasks.concat();
    contacts.par_sort_unstable_by_key(|contact| (contact.master, contact.slave, contact.knot));
    contacts
}

/// What a search looks at.
struct Search<'a> {
    shapes: &'a [GrainShape],
    grains: &'a [GrainPose],
    frames: &'a [Frame],
    walls: &'a [PlaneWall],
    settings: &'a KnotSettings,
}

impl Search<'_> {
    fn pair(&self, (a, b, reach): (u32, u32, f64), scratch: &mut Scratch, found: &mut Vec<GrainContact>) {
        let (low, high) = (a.min(b), a.max(b));
        let grains = self.grains.len();
        if high as usize >= grains {
            return self.grain_and_wall(low, high, reach, scratch, found);
        }
        match (self.shape(low), self.shape(high)) {
            (GrainShape::Outline(_), GrainShape::Outline(_)) => {
                self.outlines(low, high, reach, scratch, found)
            }
            (GrainShape::Outline(outline), GrainShape::Disc(radius)) => {
                let frame = &self.frames[low as usize];
                let centre = frame.local(self.centre(high));
                disc::on_outline(outline, centre, *radius, reach, |hit| {
                    found.push(hit.contact(low, high, frame))
                });
            }
            (GrainShape::Disc(radius), GrainShape::Outline(outline)) => {
                let frame = &self.frames[high as usize];
                let centre = frame.local(self.centre(low));
                disc::on_outline(outline, centre, *radius, reach, |hit| {
                    found.push(hit.contact(high, low, frame))
                });
            }
            (GrainShape::Disc(master), GrainShape::Disc(slave)) => {
                let away = self.centre(high) - self.centre(low);
                if let Some(hit) = disc::on_disc(*master, *slave, away, reach) {
                    let upright = Frame { turn: DVec2::X, origin: self.centre(low) };
                    found.push(hit.contact(low, high, &upright));
                }
            }
        }
    }

    /// Two outlines: one pass or both.
    fn outlines(
        &self,
        low: u32,
        high: u32,
        reach: f64,
        scratch: &mut Scratch,
        found: &mut Vec<GrainContact>,
    ) {
        let (GrainShape::Outline(a), GrainShape::Outline(b)) = (self.shape(low), self.shape(high)) else {
            return;
        };
        let (a_frame, b_frame) = (&self.frames[low as usize], &self.frames[high as usize]);
        let Scratch { gaps, hits } = scratch;
        let b_on_a = Meeting { master: a, slave: b, frame: relative(a_frame, b_frame), reach };
        let a_on_b = Meeting { master: b, slave: a, frame: relative(b_frame, a_frame), reach };
        outline_pass(&b_on_a, self.settings, gaps, &mut hits[0]);
        hits[1].clear();
        if self.settings.double_pass {
            outline_pass(&a_on_b, self.settings, gaps, &mut hits[1]);
            let near = 0.25 * a.knot_spacing().min(b.knot_spacing());
            same_place::drop_doubled(hits, &b_on_a.frame, near);
        }
        found.extend(hits[0].iter().map(|hit| hit.contact(low, high, a_frame)));
        found.extend(hits[1].iter().map(|hit| hit.contact(high, low, b_frame)));
    }

    fn grain_and_wall(
        &self,
        grain: u32,
        number: u32,
        reach: f64,
        scratch: &mut Scratch,
        found: &mut Vec<GrainContact>,
    ) {
        let wall = &self.walls[number as usize - self.grains.len()];
        let frame = &self.frames[grain as usize];
        match self.shape(grain) {
            GrainShape::Disc(radius) => {
                let gap = wall.normal.dot(frame.origin) - wall.offset - radius;
                if gap < reach {
                    let point = frame.origin - radius * wall.normal;
                    let (knot, normal, master_parameter) = (0, wall.normal, 0.0);
                    found.push(GrainContact {
                        master: number,
                        slave: grain,
                        knot,
                        normal,
                        point,
                        gap,
                        master_parameter,
                    });
                }
            }
            GrainShape::Outline(outline) => {
                let normal = frame.local_vector(wall.normal);
                let offset = wall.offset - wall.normal.dot(frame.origin);
                for hit in wall::pass(outline, normal, offset, reach, self.settings, scratch) {
                    found.push(GrainContact {
                        master: number,
                        slave: grain,
                        knot: hit.knot,
                        normal: wall.normal,
                        point: frame.world(hit.point),
                        gap: hit.gap,
                        master_parameter: 0.0,
                    });
                }
            }
        }
    }

    fn shape(&self, grain: u32) -> &GrainShape {
        &self.shapes[self.grains[grain as usize].shape as usize]
    }

    fn centre(&self, grain: u32) -> DVec2 {
        self.grains[grain as usize].position
    }
}

//! Neighbour lists: built anew when bodies have moved far, refreshed cheaply in between.
//!
//! Two reaches. Pairs closer than the *skin* are known; of these, pairs closer than the much thinner *inner
//! skin* are watched in every step, the others wait. A refresh looks which of the waiting ones have come near. A pair that
//! touches is a contact, with all the law asks for, until a refresh finds it apart.

use super::bonds::{BondedRows, Fragments, NewBonds, live_bonds};
use super::build::{Begun, Expected, Sources, finish, hand_out};
use super::carry::GONE;
use super::found::PairSearch;
use super::near_surfaces::{NearSurfaces, carried_contacts, looking_at, taken_contacts};
use super::neighbourhoods::{Moved, Neighbourhoods};
use super::sorted_out::SortingRules;
use super::spans::larger;
use super::waiting::{NearTest, Tiers, stretches};
use super::wall_approach::WallApproach;
use super::{CarriedPairs, Chunk, Chunking, Remembered, RowWork};
use crate::broad_phase::{BoundsTable, CellGrid, NearPair, TooLong};
use crate::crew::Habits;
use crate::laws::ChosenLaws;
use crate::math::{SHARE, box_around};
use crate::model::Model;
use crate::narrow_phase::WallNow;
use crate::state::{Bodies, Clumps, PlaceRow, space_filling_order};
use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What the lists need to know besides the bodies.
pub struct ListInput<'a> {
    /// The problem.
    pub model: &'a Model,
    /// Laws in use.
    pub laws: &'a ChosenLaws,
    /// Walls where they are now.
    pub walls: &'a [WallNow<'a>],
    /// What bonds hold together.
    pub fragments: &'a Fragments,
    /// Number of planes whose flow is counted.
    pub flow_planes: usize,
}

/// All contacts and candidates of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ContactLists {
    /// Stretches of rows with their contacts.
    pub chunks: Vec<Chunk>,
    /// How rows are cut into chunks.
    pub chunking: Chunking,
    /// Reach of the lists beyond touching [m].
    pub skin: f64,
    /// Reach of the lists of near walls beyond touching [m].
    pub wall_skin: f64,
    /// Reach of the watched pairs beyond touching [m].
    pub inner: f64,
    /// Reach of the watched elements of meshes beyond touching [m].
    pub wall_inner: f64,
    /// Smallest radius at the last rebuild [m].
    pub smallest_radius: f64,
    /// Upper bound of any body's way since the last refresh [m].
    pub travel: f64,
    /// Box around all bodies at the last rebuild, radii included [m].
    extent: (DVec3, DVec3),
    /// Bonds of bodies that have entered since the last rebuild.
    pub waiting: NewBonds,
    /// Centres at the last rebuild [m].
    built_at: Vec<[f64; 3]>,
    neighbourhoods: Neighbourhoods,
    wall_approach: WallApproach,
    /// For each stretch of rows of each chunk, upper bound of how much its bodies and others have approached each other since the
    /// last rebuild [m], at the last refresh.
    approach: Vec<Vec<f64>>,
    /// The largest of these when they were measured [m].
    measured: f64,
    /// Refreshes since the last rebuild.
    refreshes: u32,
}

/// Spheres per fragment below which spheres are searched one by one.
const CRUMBS: usize = 2;

/// How much more than last measured the approach may be bounded by, as a part of what lists last for, before it is measured anew where it
/// takes up half of that: measuring takes about as long as looking at the pairs that a looser bound adds.
const LOOSE: f64 = 0.35;

/// Every so many refreshes contacts that have come apart are looked for: evaluating them for a few steps more costs less than
/// looking at all contacts each time.
const SEPARATION_INTERVAL: u32 = 4;

/// How many times as long as until bodies were last compared one by one lists may last; in steady motion it is half as long again.
const OVERDUE: u32 = 2;

impl ContactLists {
    /// Builds everything anew: order of rows, chunks, candidates; memories are carried over.
    /// Bodies whose `keep` is false are taken out. Bonded bodies too long for a periodic axis are refused when they
    /// enter.
    pub fn rebuild(
        &mut self,
        bodies: &mut Bodies,
        clumps: &mut Clumps,
        keep: Option<&[bool]>,
        input: &ListInput,
    ) -> Result<(), TooLong> {
        bodies.wrap(&input.model.domain);
        let new_row = self.reorder(bodies, keep);
        clumps.follow(&bodies.id);
        let has_new_bonds = !self.waiting.bonds.is_empty();
        let waiting = self.waiting.resolve(bodies);
        let mut live = live_bonds(&self.chunks, |row| new_row[row as usize]);
        live.extend(waiting.bonds);
        let bonded = BondedRows::new(&live, bodies.len());
        let is_bonded = input.fragments.bond_count() > 0;
        // Crumbs are found faster one by one; bodies that enter are looked at whole, which tells those too long for the domain.
        let are_crumbs = input.fragments.count() * CRUMBS > bodies.len() && !has_new_bonds;
        let whole_bodies = is_bonded && input.model.search.whole_bodies && !are_crumbs;
        let bounds = BoundsTable {
            centre: rows_of(bodies).map(PlaceRow::centre).collect(),
            radius: rows_of(bodies).map(|row| row.radius).collect(),
            owner: if whole_bodies { owners(bodies, input.fragments) } else { Vec::new() },
        };
        self.built_at = positions(bodies);
        self.extent = extent_of(bodies);
        let (totals, flows) = (self.totals(), self.flows(input.flow_planes));
        let last_motion = self.sum(|chunk| &chunk.last_motion);

        let (chunks, skin, domain) = (&self.chunks, self.skin, &input.model.domain);
        // Each of these is done by one thread in part.
        let ((carried, walls), grid) = rayon::join(
            || {
                rayon::join(
                    || CarriedPairs::collect(chunks, &new_row, &waiting.offsets, bodies.len()),
                    || carried_contacts(chunks, &new_row, bodies, input),
                )
            },
            || if whole_bodies { CellGrid::default() } else { CellGrid::of(&bounds, skin, domain) },
        );
        let chunking =
            Chunking::new(bodies.len(), &RowWork::of_contacts(bodies.len(), &carried, &walls, &live));
        let neighbourhoods = Neighbourhoods::new(bodies.rows(), &chunking, self.extent, skin, domain);
        let search = PairSearch {
            bounds,
            clumps,
            skin,
            domain,
            chunking: &chunking,
            find: input.laws.find_neighbours,
        };
        let bonds = hand_out(&live, &chunking);
        let sources = Sources {
            bodies,
            carried: &carried,
            bonds: &bonds,
            walls: &walls,
            input,
            rules: SortingRules {
                materials: &bodies.material,
                pairs: &input.model.pairs,
                chunking: &chunking,
                inner: self.inner,
                tiers: Tiers::new(self.skin),
            },
            expected: &Expected::after(&self.chunks, input.model.pairs.rows().len()),
            wall_skin: self.wall_skin,
            wall_inner: self.wall_inner,
        };
        let begin = |chunk: usize, pairs: &[NearPair]| Begun::new(chunk, pairs, &sources);
        let begun: Vec<Begun> = match (is_bonded, whole_bodies) {
            (false, _) => search.by_spheres(&grid, begin),
            (true, false) => search.by_spheres_in_order(&grid, &bonded, begin),
            (true, true) => search.by_bodies(has_new_bonds, &bonded, begin)?,
        };
        let chunks = finish(begun, &sources);
        self.neighbourhoods = neighbourhoods;
        // Giving back so much memory takes a while too.
        std::mem::replace(&mut self.chunks, chunks).into_par_iter().for_each(drop);
        if let Some(first) = self.chunks.first_mut() {
            first.totals = totals;
            first.last_motion = last_motion;
            first.flows = flows;
        }
        self.travel = 0.0;
        self.approach = self.chunks.iter().map(|chunk| vec![0.0; stretches(chunk.count as usize)]).collect();
        self.chunking = chunking;
        self.measured = 0.0;
        self.refreshes = 0;
        self.wall_approach = WallApproach::begin(Vec::new(), input.walls);
        Ok(())
    }

    /// Looks for near walls anew; pairs are left alone.
    pub fn rebuild_surfaces(&mut self, bodies: &Bodies, input: &ListInput) {
        let (skin, inner) = (self.wall_skin, self.wall_inner);
        self.chunks.par_iter_mut().for_each(|chunk| {
            let carried = taken_contacts(chunk, bodies, input);
            let near = NearSurfaces { input, skin, inner, carried: &carried };
            near.give(chunk, bodies);
        });
        self.wall_approach = WallApproach::begin(positions(bodies), input.walls);
    }

    /// Corners of the box that the bodies can reach before the next rebuild [m, world]; none without bodies.
    pub fn reachable_corners(&self) -> Option<[DVec3; 8]> {
        let way = self.skin + self.neighbourhoods.covered();
        let (low, high) = (self.extent.0 - way, self.extent.1 + way);
        let corner = |k: usize| {
            let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            DVec3::new(pick(0), pick(1), pick(2))
        };
        (self.extent.0.x <= self.extent.1.x).then(|| std::array::from_fn(corner))
    }

    /// Pairs that touch, or have touched since the last rebuild, over the number of bodies.
    pub fn contacts_per_body(&self, bodies: usize) -> f64 {
        let contacts =
            |chunk: &Chunk| chunk.groups.iter().map(|group| u64::from(group.contacts.active)).sum::<u64>();
        self.chunks.iter().map(contacts).sum::<u64>() as f64 / bodies.max(1) as f64
    }

    /// Whether contacts remember what is asked for and nothing else.
    pub fn fit(&self, remembered: Remembered) -> bool {
        let pairs = self.chunks.iter().flat_map(|chunk| &chunk.groups).map(|group| &group.contacts);
        let faces = self.chunks.iter().flat_map(|chunk| &chunk.surface.faces).map(|group| &group.contacts);
        pairs.chain(faces).all(|contacts| contacts.fit(remembered))
    }

    /// Memory held by contacts and candidates [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.built_at.capacity() * size_of::<[f64; 3]>()
            + self.wall_approach.memory_bytes()
            + self.neighbourhoods.memory_bytes()
            + self.chunks.iter().map(Chunk::memory_bytes).sum::<usize>()
    }

    /// Sums of all chunks, in chunk order.
    pub fn totals(&self) -> super::StepTotals {
        self.sum(|chunk| &chunk.totals)
    }

    fn sum(&self, of: impl Fn(&Chunk) -> &super::StepTotals) -> super::StepTotals {
        let mut totals = super::StepTotals::default();
        for chunk in &self.chunks {
            totals.add(of(chunk));
        }
        totals
    }

    /// What crossed each flow plane so far.
    pub fn flows(&self, planes: usize) -> Vec<super::Flow> {
        let mut flows = vec![super::Flow::default(); planes];
        for chunk in &self.chunks {
            for (sum, flow) in flows.iter_mut().zip(&chunk.flows) {
                sum.add(flow.mass, flow.count);
            }
        }
        flows
    }

    /// Whether any two bodies may have approached each other by more than `room` [m] since the last rebuild. Bounds are
    /// measured where they say so, or are old and large.
    pub fn pairs_outrun(&mut self, bodies: &Bodies, room: f64, period: DVec3, crew: &Habits) -> bool {
        let travel = self.travel;
        self.approach.iter_mut().flatten().for_each(|approach| *approach += 2.0 * travel);
        let largest = |approach: &[Vec<f64>]| approach.iter().flatten().copied().fold(0.0, f64::max);
        let bound = largest(&self.approach);
        if bound <= 0.5 * room || (bound <= room && bound - self.measured < LOOSE * room) {
            return false;
        }
        let measured = self.measured_approach(bodies, period, crew);
        let bounds = self.approach.iter_mut().flatten();
        bounds.zip(measured.into_iter().flatten()).for_each(|(bound, measured)| *bound = bound.min(measured));
        self.measured = largest(&self.approach);
        self.measured > room
    }

    /// Whether lists that were looked at closer have lasted so long since that bodies must have slowed down: built anew they last as well
    /// and take less room.
    pub fn are_overdue(&self) -> bool {
        self.neighbourhoods.refreshes_until_look().is_some_and(|until| self.refreshes > OVERDUE * (until + 1))
    }

    /// For each stretch of rows, how much its bodies and others have approached each other since the last rebuild, at most [m].
    fn measured_approach(&mut self, bodies: &Bodies, period: DVec3, crew: &Habits) -> Vec<Vec<f64>> {
        let everywhere = |bound: f64| self.approach.iter().map(|own| vec![bound; own.len()]).collect();
        if bodies.len() < 2 {
            return everywhere(2.0 * largest_displacement(bodies, &self.built_at, |centre| centre));
        }
        let (built_at, chunking) = (&self.built_at, &self.chunking);
        let places = bodies.rows();
        let moved = Moved { places, built_at, chunking, period, crew, refreshes: self.refreshes };
        let displacement = self.neighbourhoods.measure(&moved);
        let bound = 2.0 * displacement;
        if displacement > self.neighbourhoods.covered() {
            return everywhere(bound);
        }
        let Some(mut approaches) = self.neighbourhoods.approaches(displacement, self.inner, &moved) else {
            return everywhere(bound);
        };
        approaches.iter_mut().flatten().for_each(|approach| *approach = approach.min(bound));
        approaches
    }

    /// Notes that points of walls have gone up to `way` [m] in a step.
    pub fn add_wall_way(&mut self, way: f64) {
        self.wall_approach.add_wall_way(way);
    }

    /// Whether a body and a wall that is not on its list may meet.
    pub fn walls_may_meet(&self) -> bool {
        self.wall_approach.may_meet(self.travel, self.wall_skin)
    }

    /// How far bodies and walls have gone since elements of meshes were last watched, as a part of the reach of these: from 1 on a body and an
    /// element that is not watched may meet.
    pub fn share_of_watch(&self) -> f64 {
        self.wall_approach.way_since_watch(self.travel) / self.wall_inner
    }

    /// Watches known elements of meshes within `reach` [m] of touching.
    pub fn watch_elements(&mut self, bodies: &Bodies, input: &ListInput, reach: f64, crew: &Habits) {
        let look = input.laws.element_look;
        let surface_input = looking_at(&bodies.places, input);
        crew.for_each_chunk(&mut self.chunks, |_, chunk| chunk.surface.watch(&surface_input, look, reach));
        self.wall_inner = reach;
        self.wall_approach.watch();
    }

    /// Whether a body and a wall may have approached each other by more than `room` [m] since near walls were last looked
    /// for; measured where the bound says so.
    pub fn walls_outrun(&mut self, bodies: &Bodies, walls: &[WallNow], room: f64) -> bool {
        self.wall_approach.outruns(room, self.travel, bodies, &self.built_at, walls)
    }

    /// Watches waiting pairs that have come within the inner skin, and contacts that have come apart; approaches have been measured.
    pub fn refresh(&mut self, bodies: &Bodies, input: &ListInput, crew: &Habits) {
        let (inner, skin, period) = (self.inner, self.skin, input.model.domain.period());
        let (dummy, find_near) = (bodies.len() as u32, input.laws.find_near);
        self.refreshes += 1;
        let look_for_separated = self.refreshes.is_multiple_of(SEPARATION_INTERVAL);
        let tiers = Tiers::new(skin);
        let approaches = &self.approach;
        crew.for_each_chunk(&mut self.chunks, |number, chunk| {
            let approach = |stretch: usize| approaches[number][stretch];
            for group in &mut chunk.groups {
                let shift = group.image.shift(period);
                let test = NearTest { places: &bodies.places, shift, reach: inner };
                let near = |pairs: &[[u32; 2]], places: &mut Vec<u32>| find_near((&test, pairs, places));
                if look_for_separated {
                    group.watch_separated(dummy);
                }
                group.watch(|stretch| approach(stretch) + inner, &tiers, near, dummy);
            }
        });
        self.travel = 0.0;
    }

    /// Re-orders rows along the curve; gives each old row's new one.
    fn reorder(&self, bodies: &mut Bodies, keep: Option<&[bool]>) -> Vec<u32> {
        let order = match keep {
            None => space_filling_order(&rows_of(bodies).map(PlaceRow::centre).collect::<Vec<_>>()),
            Some(keep) => {
                let kept: Vec<u32> = (0..bodies.len() as u32).filter(|&row| keep[row as usize]).collect();
                let centres: Vec<_> = kept.iter().map(|&row| bodies.places[row as usize].centre()).collect();
                space_filling_order(&centres).into_iter().map(|k| kept[k as usize]).collect()
            }
        };
        let mut new_row = vec![GONE; bodies.len()];
        for (new, &old) in (0_u32..).zip(&order) {
            new_row[old as usize] = new;
        }
        bodies.reorder(&order);
        new_row
    }
}

fn rows_of(bodies: &Bodies) -> impl IndexedParallelIterator<Item = &PlaceRow> {
    bodies.rows().par_iter().with_min_len(SHARE)
}

fn positions(bodies: &Bodies) -> Vec<[f64; 3]> {
    rows_of(bodies).map(|row| row.position).collect()
}

/// Largest distance of a body from where it would be had its centre been carried along [m].
pub(super) fn largest_displacement(
    bodies: &Bodies,
    built_at: &[[f64; 3]],
    carried: impl Fn(DVec3) -> DVec3 + Sync,
) -> f64 {
    let squared = bodies.rows().par_chunks(4096).zip(built_at.par_chunks(4096)).map(|(rows, built)| {
        rows.iter().zip(built).fold(0.0_f64, |most, (row, &from)| {
            larger((row.centre() - carried(DVec3::from_array(from))).length_squared(), most)
        })
    });
    squared.reduce(|| 0.0, f64::max).sqrt()
}

/// Component of each row.
fn owners(bodies: &Bodies, fragments: &Fragments) -> Vec<u32> {
    bodies.id.iter().map(|&id| fragments.component_of(id)).collect()
}

/// Box around all bodies, radii included.
fn extent_of(bodies: &Bodies) -> (DVec3, DVec3) {
    let (low, _) = box_around(rows_of(bodies).map(|row| row.centre() - row.radius));
    let (_, high) = box_around(rows_of(bodies).map(|row| row.centre() + row.radius));
    (low, high)
}

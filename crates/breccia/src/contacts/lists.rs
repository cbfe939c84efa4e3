//! Neighbour lists: built anew when bodies have moved far, refreshed cheaply in between.
//!
//! Two reaches. Pairs closer than the *skin* are known; of these, pairs closer than the much thinner *inner
//! skin* are active and evaluated every step, the others wait. A refresh tests only the waiting ones and
//! appends those that came near; nothing is removed before the next rebuild.

use super::carry::GONE;
use super::near_surfaces::{NearSurfaces, carried_contacts};
use super::{CarriedPairs, Chunk, PairGroup, SurfaceContact};
use crate::broad_phase::{BoundsTable, BroadPhase, Candidate, CellGrid, Image};
use crate::laws::ChosenLaws;
use crate::model::Model;
use crate::narrow_phase::WallNow;
use crate::state::{Bodies, PlaceRow, space_filling_order};
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
    /// Number of planes whose flow is counted.
    pub flow_planes: usize,
}

/// All contacts and candidates of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ContactLists {
    /// Stretches of rows with their contacts.
    pub chunks: Vec<Chunk>,
    /// Reach of the lists beyond touching [m].
    pub skin: f64,
    /// Reach of the active contacts beyond touching [m].
    pub inner: f64,
    /// Smallest radius at the last rebuild [m].
    pub smallest_radius: f64,
    /// Upper bound of any body's way since the last refresh [m].
    pub travel: f64,
    /// Largest displacement of a body between the last rebuild and the last refresh [m].
    pub displacement: f64,
    /// Upper bound of any wall point's way since the last rebuild [m].
    pub wall_travel: f64,
    /// Box around all bodies at the last rebuild, radii included [m].
    extent: (DVec3, DVec3),
    /// Centres at the last rebuild, for a restart [m].
    built_at: Vec<[f64; 3]>,
}

/// Number of rows per chunk: a function of the number of bodies alone, never of threads.
fn chunk_length(bodies: usize) -> usize {
    let chunks = match bodies {
        0..=511 => 1,
        512..=8191 => bodies / 256,
        8192..=199_999 => 16 * bodies.div_ceil(16 * 2048),
        _ => 16 * bodies.div_ceil(16 * 8192),
    };
    bodies.div_ceil(chunks).max(1)
}

impl ContactLists {
    /// Builds everything anew: order of rows, chunks, candidates; memories are carried over.
    /// Bodies whose `keep` is false are taken out.
    pub fn rebuild(&mut self, bodies: &mut Bodies, keep: Option<&[bool]>, input: &ListInput) {
        bodies.wrap(&input.model.domain);
        let new_row = self.reorder(bodies, keep);
        let carried = CarriedPairs::collect(&self.chunks, &new_row, bodies.len());
        let walls = carried_contacts(&self.chunks, &new_row, input.walls);
        let bounds = BoundsTable {
            centre: bodies.rows().iter().map(PlaceRow::centre).collect(),
            radius: bodies.rows().iter().map(|row| row.radius).collect(),
            owner: Vec::new(),
        };
        self.built_at = bodies.rows().iter().map(|row| row.position).collect();
        self.extent = extent_of(bodies);
        let mut grid = CellGrid::default();
        grid.rebuild(&bounds, self.skin, &input.model.domain);
        let (totals, flows) = (self.totals(), self.flows(input.flow_planes));
        let last_motion = self.sum(|chunk| &chunk.last_motion);

        let length = chunk_length(bodies.len());
        // One at least, also without bodies: chunks keep the sums of the run.
        let count = bodies.len().div_ceil(length).max(1);
        let found: Vec<Found> =
            (0..count).into_par_iter().map(|k| Found::search(&grid, &bounds, k, length)).collect();
        self.chunks = (0..count)
            .into_par_iter()
            .map(|k| {
                build_chunk(
                    &found,
                    k,
                    length,
                    &Sources {
                        bodies,
                        carried: &carried,
                        walls: &walls,
                        input,
                        inner: self.inner,
                        skin: self.skin,
                    },
                )
            })
            .collect();
        if let Some(first) = self.chunks.first_mut() {
            first.totals = totals;
            first.last_motion = last_motion;
            first.flows = flows;
        }
        self.travel = 0.0;
        self.displacement = 0.0;
        self.wall_travel = 0.0;
    }

    /// Corners of the box that the bodies can reach before the next rebuild [m, world]; none without bodies.
    pub fn reachable_corners(&self) -> Option<[DVec3; 8]> {
        let (low, high) = (self.extent.0 - self.skin, self.extent.1 + self.skin);
        let corner = |k: usize| {
            let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            DVec3::new(pick(0), pick(1), pick(2))
        };
        (self.extent.0.x <= self.extent.1.x).then(|| std::array::from_fn(corner))
    }

    /// Memory held by contacts and candidates [bytes].
    pub fn memory_bytes(&self) -> usize {
        let centres = self.built_at.capacity() * size_of::<[f64; 3]>();
        centres + self.chunks.iter().map(Chunk::memory_bytes).sum::<usize>()
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

    /// Largest displacement of any body since the last rebuild [m].
    pub fn measure_displacement(&mut self, bodies: &Bodies) {
        let squared =
            bodies.rows().par_chunks(4096).zip(self.built_at.par_chunks(4096)).map(|(rows, built)| {
                rows.iter().zip(built).fold(0.0_f64, |most, (row, from)| {
                    let d: [f64; 3] = std::array::from_fn(|k| row.position[k] - from[k]);
                    most.max(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
                })
            });
        self.displacement = squared.reduce(|| 0.0, f64::max).sqrt();
    }

    /// Activates waiting pairs that have come within the inner skin.
    pub fn refresh(&mut self, bodies: &Bodies, input: &ListInput) {
        let (inner, period) = (self.inner, input.model.domain.period());
        let dummy = bodies.len() as u32;
        self.chunks.par_iter_mut().for_each(|chunk| {
            for group in &mut chunk.groups {
                let (shift, pair) = (group.image.shift(period), group.pair);
                let near = |[a, b]: [u32; 2]| {
                    let (a, b) = (&bodies.places[a as usize], &bodies.places[b as usize]);
                    let reach = a.radius + b.radius + inner;
                    (a.centre() - b.centre() - shift).length_squared() < reach * reach
                };
                let scales = |rows| pair_scales(bodies, rows, &input.laws.pairs[pair.0 as usize], input.laws);
                group.wake(near, scales, input.laws.remembers_rolling, dummy);
            }
        });
        self.travel = 0.0;
    }

    /// Re-orders rows along the curve; gives each old row's new one.
    fn reorder(&self, bodies: &mut Bodies, keep: Option<&[bool]>) -> Vec<u32> {
        let kept: Vec<u32> =
            (0..bodies.len() as u32).filter(|&r| keep.is_none_or(|k| k[r as usize])).collect();
        let centres: Vec<_> = kept.iter().map(|&r| bodies.places[r as usize].centre()).collect();
        let order: Vec<u32> = space_filling_order(&centres).into_iter().map(|k| kept[k as usize]).collect();
        let mut new_row = vec![GONE; bodies.len()];
        for (new, &old) in (0_u32..).zip(&order) {
            new_row[old as usize] = new;
        }
        bodies.reorder(&order);
        new_row
    }
}

/// Box around all bodies, radii included.
fn extent_of(bodies: &Bodies) -> (DVec3, DVec3) {
    bodies.rows().iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), row| {
        (low.min(row.centre() - row.radius), high.max(row.centre() + row.radius))
    })
}

/// Stiffness and dashpot scale of a pair of rows.
fn pair_scales(
    bodies: &Bodies,
    [a, b]: [u32; 2],
    pair: &crate::laws::PairCoefficients,
    laws: &ChosenLaws,
) -> (f64, f64) {
    let (a, b) = (&bodies.places[a as usize], &bodies.places[b as usize]);
    let reduced_radius = a.radius * b.radius / (a.radius + b.radius);
    (laws.scales)(pair, reduced_radius, 1.0 / (a.inverse_mass + b.inverse_mass))
}

/// Candidates found from the rows of one chunk.
struct Found {
    /// Pairs with at least one row in the chunk, lower row first.
    own: Vec<Candidate>,
    /// Those of them whose other row lies in another chunk, by that chunk.
    foreign: Vec<(u32, Candidate)>,
}

impl Found {
    fn search(grid: &CellGrid, bounds: &BoundsTable, chunk: usize, length: usize) -> Self {
        let mut found = Self { own: Vec::new(), foreign: Vec::new() };
        let rows = (chunk * length) as u32..((chunk + 1) * length).min(bounds.len()) as u32;
        for row in rows {
            grid.visit_near(bounds, row, &mut |pair| {
                let other = pair.b as usize / length;
                let pair = pair.lower_first();
                found.own.push(pair);
                if other != chunk {
                    found.foreign.push((other as u32, pair));
                }
            });
        }
        found.foreign.sort_by_key(|(other, _)| *other);
        found
    }

    fn for_chunk(&self, chunk: u32) -> impl Iterator<Item = Candidate> + '_ {
        let from = self.foreign.partition_point(|(other, _)| *other < chunk);
        self.foreign[from..].iter().take_while(move |(other, _)| *other == chunk).map(|(_, pair)| *pair)
    }
}

/// What a chunk is built from.
struct Sources<'a> {
    bodies: &'a Bodies,
    carried: &'a CarriedPairs,
    walls: &'a [SurfaceContact],
    input: &'a ListInput<'a>,
    inner: f64,
    skin: f64,
}

fn build_chunk(found: &[Found], index: usize, length: usize, from: &Sources) -> Chunk {
    let first = index * length;
    let count = length.min(from.bodies.len() - first);
    let mut chunk = Chunk { first: first as u32, count: count as u32, ..Chunk::default() };
    let foreign = found
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index)
        .flat_map(|(_, found)| found.for_chunk(index as u32));
    let mut sorter = GroupSorter::new(from.input.model.pairs.rows().len());
    for pair in found[index].own.iter().copied().chain(foreign) {
        add_candidate(&mut chunk, &mut sorter, pair, from);
    }
    chunk.groups.iter_mut().for_each(PairGroup::trim);
    let surfaces = NearSurfaces { walls: from.input.walls, skin: from.skin, carried: from.walls };
    chunk.surface = surfaces.of_rows(from.bodies, chunk.first..chunk.first + chunk.count);
    chunk.element_sums = super::ElementSums::near(&chunk.surface);
    chunk.wall_loads = vec![super::WallLoad::default(); from.input.walls.len()];
    chunk.flows = vec![super::Flow::default(); from.input.flow_planes];
    chunk
}

/// Finds the group of a pair of materials and an image without searching.
struct GroupSorter {
    index: Vec<u16>,
}

impl GroupSorter {
    const NONE: u16 = u16::MAX;

    fn new(pairs: usize) -> Self {
        Self { index: vec![Self::NONE; pairs * Image::COUNT] }
    }

    fn group<'a>(
        &mut self,
        groups: &'a mut Vec<PairGroup>,
        pair: crate::model::PairId,
        image: Image,
    ) -> &'a mut PairGroup {
        let slot = &mut self.index[pair.0 as usize * Image::COUNT + image.index()];
        if *slot == Self::NONE {
            *slot = groups.len() as u16;
            groups.push(PairGroup::new(pair, image));
        }
        &mut groups[*slot as usize]
    }
}

fn add_candidate(chunk: &mut Chunk, sorter: &mut GroupSorter, candidate: Candidate, from: &Sources) {
    let (bodies, input) = (from.bodies, from.input);
    let rows = [candidate.a, candidate.b];
    let [a, b] = rows.map(|row| &bodies.places[row as usize]);
    let pair = input.model.pairs.id(bodies.material[rows[0] as usize], bodies.material[rows[1] as usize]);
    let group = sorter.group(&mut chunk.groups, pair, candidate.image);
    let separation = a.centre() - b.centre() - candidate.image.shift(input.model.domain.period());
    let reach = a.radius + b.radius + from.inner;
    if separation.length_squared() < reach * reach {
        let scales = pair_scales(bodies, rows, &input.laws.pairs[pair.0 as usize], input.laws);
        let memory = from.carried.find(rows);
        group.activate(rows, scales, memory, input.laws.remembers_rolling, bodies.len() as u32);
    } else {
        group.waiting.push(rows);
    }
}

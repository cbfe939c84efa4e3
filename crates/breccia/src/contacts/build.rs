//! Chunks made from candidates, bonds, near walls and what contacts remembered.

use super::bonds::{BondGroup, LiveBond};
use super::carry::Carried;
use super::found::Found;
use super::near_surfaces::NearSurfaces;
use super::{CarriedPairs, Chunk, ListInput, Memory, PairGroup, SurfaceContact};
use crate::broad_phase::{Image, NearPair};
use crate::laws::ChosenLaws;
use crate::math::fetch_ahead;
use crate::model::{Domain, Model};
use crate::state::{Bodies, PlaceRow};

/// Pairs whose memories are asked for together.
const BATCH: usize = 16;

/// Stiffness and dashpot scale of a pair of rows.
pub(super) fn pair_scales(
    places: &[PlaceRow],
    rows: [u32; 2],
    pair: &crate::laws::PairCoefficients,
    laws: &ChosenLaws,
) -> (f64, f64) {
    let [a, b] = rows.map(|row| &places[row as usize]);
    let reduced_radius = a.radius * b.radius / (a.radius + b.radius);
    (laws.scales)(pair, reduced_radius, 1.0 / (a.inverse_mass + b.inverse_mass))
}

/// What a chunk is built from.
pub(super) struct Sources<'a> {
    /// All bodies.
    pub bodies: &'a Bodies,
    /// Memories of pairs.
    pub carried: &'a CarriedPairs<'a>,
    /// Bonds by chunk.
    pub bonds: &'a [Vec<LiveBond>],
    /// Wall contacts of the lists before, by row.
    pub walls: &'a [SurfaceContact],
    /// What lists need to know.
    pub input: &'a ListInput<'a>,
    /// Reach of watched pairs beyond touching [m].
    pub inner: f64,
    /// Reach of the lists beyond touching [m].
    pub skin: f64,
    /// Reach of the lists of near walls beyond touching [m].
    pub wall_skin: f64,
}

impl Sources<'_> {
    /// Whether a pair is too far apart to touch soon; gaps are rounded, hence a little more.
    fn waits(&self, near: &NearPair) -> bool {
        f64::from(near.gap) > 1.000_001 * self.inner
    }

    /// What some pairs remember that may touch soon; asks for it and for the bodies, so that they are at hand when their turn
    /// comes.
    fn fetch(&self, batch: &[NearPair]) -> [Option<Carried<'_>>; BATCH] {
        let mut memories = [None; BATCH];
        for (memory, near) in memories.iter_mut().zip(batch).filter(|(_, near)| !self.waits(near)) {
            fetch_ahead(&self.bodies.places, near.pair.b as usize);
            *memory = self.carried.find([near.pair.a, near.pair.b]);
            memory.iter().for_each(Carried::fetch_ahead);
        }
        memories
    }
}

pub(super) fn build_chunk(found: &[Found], index: usize, length: usize, from: &Sources) -> Chunk {
    let first = index * length;
    let count = length.min(from.bodies.len() - first);
    let mut chunk = Chunk { first: first as u32, count: count as u32, ..Chunk::default() };
    let foreign = found
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index)
        .flat_map(|(_, found)| found.for_chunk(index as u32));
    let mut sorter = GroupSorter::new(from.input.model.pairs.rows().len());
    let foreign: Vec<NearPair> = foreign.collect();
    for pairs in [&found[index].own, &foreign] {
        for batch in pairs.chunks(BATCH) {
            let memories = from.fetch(batch);
            for (near, memory) in batch.iter().zip(memories) {
                let memory = memory.map(|carried| carried.memory());
                add_candidate(&mut chunk, &mut sorter, *near, memory.as_ref(), from);
            }
        }
    }
    chunk.bonds = bond_groups(&from.bonds[index], from.bodies, &from.input.model.domain);
    chunk.groups.iter_mut().for_each(PairGroup::trim);
    let surfaces = NearSurfaces { input: from.input, skin: from.wall_skin, carried: from.walls };
    surfaces.give(&mut chunk, from.bodies);
    chunk.wall_loads = vec![super::WallLoad::default(); from.input.walls.len()];
    chunk.flows = vec![super::Flow::default(); from.input.flow_planes];
    chunk
}

/// The bonds of each chunk: those with an end in it, by number.
pub(super) fn hand_out(live: &[LiveBond], length: usize, chunks: usize) -> Vec<Vec<LiveBond>> {
    let mut shares = vec![Vec::new(); chunks];
    for bond in live {
        let [a, b] = [bond.bond.a, bond.bond.b].map(|row| row as usize / length);
        shares[a].push(*bond);
        if a != b {
            shares[b].push(*bond);
        }
    }
    shares
}

/// Bonds sorted by kind and image.
fn bond_groups(bonds: &[LiveBond], bodies: &Bodies, domain: &Domain) -> Vec<BondGroup> {
    let mut groups: Vec<BondGroup> = Vec::new();
    for live in bonds {
        let [a, b] = [live.bond.a, live.bond.b].map(|row| bodies.places[row as usize].centre());
        let image = Image::nearest(a - b, domain);
        let is_same = |group: &BondGroup| group.kind == live.kind && group.image == image;
        let place = groups.iter().position(is_same).unwrap_or_else(|| {
            groups.push(BondGroup::new(live.kind, image));
            groups.len() - 1
        });
        groups[place].push(&live.bond, bodies.len() as u32);
    }
    groups
}

/// Finds the group of a pair of materials and an image without searching.
struct GroupSorter {
    index: Vec<u16>,
}

impl GroupSorter {
    const NONE: u16 = u16::MAX;

    fn new(pairs: usize) -> Self {
        Self { index: vec![Self::NONE; 2 * pairs * Image::COUNT] }
    }

    #[inline]
    fn group<'a>(
        &mut self,
        groups: &'a mut Vec<PairGroup>,
        pair: crate::model::PairId,
        image: Image,
        has_offsets: bool,
    ) -> &'a mut PairGroup {
        let place = pair.0 as usize * Image::COUNT + image.index();
        let slot = &mut self.index[2 * place + usize::from(has_offsets)];
        if *slot == Self::NONE {
            *slot = groups.len() as u16;
            groups.push(PairGroup::new(pair, image, has_offsets));
        }
        &mut groups[*slot as usize]
    }
}

fn add_candidate(
    chunk: &mut Chunk,
    sorter: &mut GroupSorter,
    near: NearPair,
    memory: Option<&Memory>,
    from: &Sources,
) {
    let (bodies, input, candidate) = (from.bodies, from.input, near.pair);
    let rows = [candidate.a, candidate.b];
    let pair = input.model.pairs.id(bodies.material[rows[0] as usize], bodies.material[rows[1] as usize]);
    if from.waits(&near) {
        // Apart: what it remembered, if it touched a step ago, is let go.
        let group = sorter.group(&mut chunk.groups, pair, candidate.image, false);
        group.waiting.push(rows, near.gap, from.skin);
        return;
    }
    let [a, b] = rows.map(|row| &bodies.places[row as usize]);
    let separation = a.centre() - b.centre() - candidate.image.shift(input.model.domain.period());
    let (square, touching) = (separation.length_squared(), a.radius + b.radius);
    if memory.is_none() && square >= touching * touching {
        let group = sorter.group(&mut chunk.groups, pair, candidate.image, false);
        group.watched.push(rows, bodies.len() as u32);
        return;
    }
    let has_offset = memory.is_some_and(|memory| memory.offset > 0.0);
    let group = sorter.group(&mut chunk.groups, pair, candidate.image, has_offset);
    let scales = pair_scales(&bodies.places, rows, &input.laws.pairs[pair.0 as usize], input.laws);
    group.contacts.activate(rows, scales, memory, input.laws.remembers_rolling, bodies.len() as u32);
}

/// Adds a contact between two rows to a chunk outside a rebuild; b is seen through `image`.
pub fn activate_pair(
    chunk: &mut Chunk,
    bodies: &Bodies,
    rows: [u32; 2],
    image: Image,
    memory: &Memory,
    model: &Model,
    laws: &ChosenLaws,
) {
    let (rows, image) =
        if rows[0] < rows[1] { (rows, image) } else { ([rows[1], rows[0]], image.opposite()) };
    let pair = model.pairs.id(bodies.material[rows[0] as usize], bodies.material[rows[1] as usize]);
    let has_offsets = memory.offset > 0.0;
    let is_same = |group: &PairGroup| {
        group.pair == pair && group.image == image && group.contacts.has_offsets == has_offsets
    };
    let place = chunk.groups.iter().position(is_same).unwrap_or_else(|| {
        chunk.groups.push(PairGroup::new(pair, image, has_offsets));
        chunk.groups.len() - 1
    });
    let scales = pair_scales(&bodies.places, rows, &laws.pairs[pair.0 as usize], laws);
    chunk.groups[place].contacts.activate(
        rows,
        scales,
        Some(memory),
        laws.remembers_rolling,
        bodies.len() as u32,
    );
}

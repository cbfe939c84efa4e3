//! Chunks made from candidates, bonds, near walls and what contacts remembered.

use super::bonds::{BondGroup, LiveBond};
use super::carry::Carried;
use super::found::Foreign;
use super::near_surfaces::NearSurfaces;
use super::sorted_out::SortingRules;
use super::{
    CarriedPairs, Chunk, Chunking, GroupKey, ListInput, Memory, OwnSides, PairGroup, Remembered,
    SurfaceContact,
};
use crate::broad_phase::{Image, NearPair};
use crate::laws::ChosenLaws;
use crate::math::{CountingSort, fetch_ahead};
use crate::model::{Model, PairId};
use crate::state::{Bodies, PlaceRow};
use rayon::prelude::*;

/// Pairs sorted out together, before the memories of those that may touch soon are asked for.
const BATCH: usize = 64;

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
    /// How pairs are sorted out.
    pub rules: SortingRules<'a>,
    /// Pairs that are to be expected.
    pub expected: &'a Expected,
    /// Reach of the lists of near walls beyond touching [m].
    pub wall_skin: f64,
    /// Reach of watched walls beyond touching [m].
    pub wall_inner: f64,
}

impl Sources<'_> {
    /// What a pair remembers; asks for it and for the bodies, so that they are at hand when its turn comes.
    fn fetch(&self, near: &NearPair) -> Option<Carried<'_>> {
        fetch_ahead(&self.bodies.places, near.pair.b as usize);
        let carried = self.carried.find(near.rows());
        carried.iter().for_each(Carried::fetch_ahead);
        carried
    }
}

/// A chunk in the making, and pairs found from its rows that belong to others.
pub(super) struct Begun {
    index: usize,
    chunk: Chunk,
    sorter: GroupSorter,
    foreign: Foreign,
    /// For each chunk, whether contacts of this one act on rows of it.
    acts_on: Vec<bool>,
}

impl Begun {
    /// Begins a chunk with the pairs found from its rows.
    pub fn new(index: usize, found: &[NearPair], from: &Sources) -> Self {
        let chunking = from.rules.chunking;
        let rows = chunking.rows(index);
        let chunk = Chunk { first: rows.start, count: rows.len() as u32, ..Chunk::default() };
        let sorter = GroupSorter::new(from.input.model.pairs.rows().len());
        let acts_on = vec![false; chunking.count()];
        let mut begun = Self { index, chunk, sorter, foreign: Foreign::default(), acts_on };
        let Self { sorter, chunk, .. } = &mut begun;
        let sorted = from.rules.sort_out(found, index, |pair, waiting| {
            let key = GroupKey { pair, image: Image::NONE, own: OwnSides::Both, has_offsets: false };
            sorter.group(&mut chunk.groups, key, from).waiting.push(waiting);
        });
        let belongs = |near: &NearPair| chunking.owner(near.rows()) as usize == index;
        let (own, others): (Vec<NearPair>, Vec<NearPair>) =
            sorted.others.iter().partition(|near| belongs(near));
        begun.foreign = Foreign::of(&others, chunking);
        begun.add_pairs(sorted.near, own.iter(), from);
        begun
    }

    /// Adds pairs that may touch soon and others that belong to the chunk.
    fn add_pairs<'a>(
        &mut self,
        mut near: Vec<NearPair>,
        others: impl Iterator<Item = &'a NearPair>,
        from: &Sources,
    ) {
        for pair in others {
            self.note_border(pair.rows(), from);
            if from.rules.waits(pair) {
                // What it remembered, if it touched a step ago, is let go.
                let waiting = from.rules.waiting(pair, self.index);
                self.group(pair, false, from).waiting.push(waiting);
            } else {
                near.push(*pair);
            }
        }
        // The step reads the rows of the chunk one after the other.
        let mut by_own_row = CountingSort::default();
        let own_row = |pair: &NearPair| from.rules.chunking.own_row(pair.rows(), self.index);
        by_own_row.sort(&near, self.chunk.count as usize, own_row);
        for batch in by_own_row.sorted.chunks(BATCH) {
            let mut carried = [None; BATCH];
            for (carried, pair) in carried.iter_mut().zip(batch) {
                *carried = from.fetch(pair);
            }
            for (carried, pair) in carried.iter().zip(batch) {
                self.add_near(pair, carried.as_ref(), from);
            }
        }
    }

    /// Adds a pair that may touch soon, with what it remembers.
    fn add_near(&mut self, near: &NearPair, carried: Option<&Carried>, from: &Sources) {
        let (bodies, input) = (from.bodies, from.input);
        let rows = near.rows();
        let [a, b] = rows.map(|row| &bodies.places[row as usize]);
        let separation = a.centre() - b.centre() - near.pair.image.shift(input.model.domain.period());
        let (square, touching) = (separation.length_squared(), a.radius + b.radius);
        if carried.is_none() && square >= touching * touching {
            return self.group(near, false, from).watched.push(rows, bodies.len() as u32);
        }
        let has_offset = carried.is_some_and(|carried| carried.offset() > 0.0);
        let group = self.group(near, has_offset, from);
        let pair = &input.laws.pairs[group.pair.0 as usize];
        // They stay while the pair lives.
        let scales = carried.and_then(Carried::scales);
        let scales = scales.unwrap_or_else(|| pair_scales(&bodies.places, rows, pair, input.laws));
        let contacts = &mut group.contacts;
        contacts.activate(rows, scales, None, input.laws.remembered, bodies.len() as u32);
        if let Some(carried) = carried {
            carried.hand_on(contacts);
        }
    }

    #[inline(always)]
    fn group(&mut self, near: &NearPair, has_offsets: bool, from: &Sources) -> &mut PairGroup {
        let key = GroupKey {
            pair: from.rules.pair_id(near),
            image: near.pair.image,
            own: self.chunk.own_sides(near.rows()),
            has_offsets,
        };
        self.sorter.group(&mut self.chunk.groups, key, from)
    }

    /// Notes that a contact acts on these rows.
    fn note_border(&mut self, rows: [u32; 2], from: &Sources) {
        for row in rows {
            self.acts_on[from.rules.chunking.of_row(row) as usize] = true;
        }
    }
}

/// Completes the chunks with the pairs found from others' rows, bonds and near walls.
pub(super) fn finish(begun: Vec<Begun>, from: &Sources) -> Vec<Chunk> {
    let take = |mut begun: Begun| (std::mem::take(&mut begun.foreign), begun);
    let (foreign, parts): (Vec<Foreign>, Vec<Begun>) = begun.into_iter().map(take).unzip();
    let complete = |(index, mut begun): (usize, Begun)| {
        let others = foreign.iter().flat_map(|pairs| pairs.for_chunk(index));
        begun.add_pairs(Vec::new(), others, from);
        for LiveBond { bond, .. } in &from.bonds[index] {
            begun.note_border([bond.a, bond.b], from);
        }
        add_bonds_and_walls(&mut begun.chunk, index, from);
        begun.acts_on[index] = false;
        (begun.chunk, begun.acts_on)
    };
    let (mut chunks, acts_on): (Vec<Chunk>, Vec<Vec<bool>>) =
        parts.into_par_iter().enumerate().with_max_len(1).map(complete).unzip();
    for (index, chunk) in chunks.iter_mut().enumerate() {
        let sources = (0_u32..).zip(&acts_on).filter(|(_, acts_on)| acts_on[index]);
        chunk.sources = sources.map(|(source, _)| source).collect();
    }
    chunks
}

fn add_bonds_and_walls(chunk: &mut Chunk, index: usize, from: &Sources) {
    chunk.bonds = bond_groups(index, from);
    let rows = chunk.count as usize;
    chunk.groups.iter_mut().for_each(|group| group.finish(rows));
    let (input, skin, inner) = (from.input, from.wall_skin, from.wall_inner);
    let surfaces = NearSurfaces { input, skin, inner, carried: from.walls };
    surfaces.give(chunk, from.bodies);
    chunk.wall_loads = vec![super::WallLoad::default(); from.input.walls.len()];
    chunk.flows = vec![super::Flow::default(); from.input.flow_planes];
}

/// The bonds that belong to each chunk, by number.
pub(super) fn hand_out(live: &[LiveBond], chunking: &Chunking) -> Vec<Vec<LiveBond>> {
    let mut shares = vec![Vec::new(); chunking.count()];
    for bond in live {
        shares[chunking.owner([bond.bond.a, bond.bond.b]) as usize].push(*bond);
    }
    shares
}

/// Bonds of a chunk sorted by kind, image and sides in the chunk.
fn bond_groups(chunk: usize, from: &Sources) -> Vec<BondGroup> {
    let (bodies, domain) = (from.bodies, &from.input.model.domain);
    let mut groups: Vec<BondGroup> = Vec::new();
    for live in &from.bonds[chunk] {
        let [a, b] = [live.bond.a, live.bond.b].map(|row| bodies.places[row as usize].centre());
        let image = Image::nearest(a - b, domain);
        let own = from.rules.chunking.own_sides([live.bond.a, live.bond.b], chunk);
        let is_same = |group: &BondGroup| group.kind == live.kind && group.image == image && group.own == own;
        let place = groups.iter().position(is_same).unwrap_or_else(|| {
            groups.push(BondGroup::new(live.kind, image, own));
            groups.len() - 1
        });
        groups[place].push(&live.bond, bodies.len() as u32);
    }
    groups
}

/// How many contacts, watched and waiting pairs a chunk had in the lists before, by pair of materials, images, borders and offsets left
/// out: lists that have so much room from the beginning need not be copied while they grow.
pub(super) struct Expected(Vec<[usize; 3]>);

impl Expected {
    /// The means of some chunks, a little more, for so many pairs of materials.
    pub fn after(chunks: &[Chunk], pairs: usize) -> Self {
        let mut sums = vec![[0; 3]; pairs];
        for group in chunks.iter().flat_map(|chunk| &chunk.groups).filter(|group| Self::counts(group)) {
            let own = [group.contacts.active as usize, group.watched.count(), group.waiting.count()];
            sums[group.pair.0 as usize].iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let mean = |sum: usize| sum.div_ceil(chunks.len().max(1)) * 17 / 16;
        Self(sums.into_iter().map(|sums| sums.map(mean)).collect())
    }

    /// Whether a group is one of those that hold most pairs.
    fn counts(group: &PairGroup) -> bool {
        group.image == Image::NONE && group.own == OwnSides::Both && !group.contacts.has_offsets
    }

    fn make_room(&self, group: &mut PairGroup, remembered: Remembered) {
        if Self::counts(group) {
            let [contacts, watched, waiting] = self.0[group.pair.0 as usize];
            group.contacts.reserve(contacts, remembered);
            group.watched.reserve(watched);
            // Some have been watched since.
            group.waiting.reserve(waiting + watched);
        }
    }
}

/// Finds the group of a pair of materials, an image and sides in the chunk without searching.
struct GroupSorter {
    index: Vec<u16>,
}

impl GroupSorter {
    const NONE: u16 = u16::MAX;

    fn new(pairs: usize) -> Self {
        Self { index: vec![Self::NONE; 6 * pairs * Image::COUNT] }
    }

    #[inline(always)]
    fn slot(pair: PairId, image: Image, own: OwnSides, has_offsets: bool) -> usize {
        let place = pair.0 as usize * Image::COUNT + image.index();
        2 * (3 * place + own as usize) + usize::from(has_offsets)
    }

    #[inline(always)]
    fn group<'a>(
        &mut self,
        groups: &'a mut Vec<PairGroup>,
        key: GroupKey,
        from: &Sources,
    ) -> &'a mut PairGroup {
        let slot = &mut self.index[Self::slot(key.pair, key.image, key.own, key.has_offsets)];
        if *slot == Self::NONE {
            *slot = groups.len() as u16;
            Self::add_group(groups, key, from);
        }
        &mut groups[*slot as usize]
    }

    #[cold]
    fn add_group(groups: &mut Vec<PairGroup>, key: GroupKey, from: &Sources) {
        let mut group = key.new_group();
        from.expected.make_room(&mut group, from.input.laws.remembered);
        groups.push(group);
    }
}

/// Adds a contact between two rows to the chunk it belongs to outside a rebuild; b is seen through `image`.
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
    let key = GroupKey { pair, image, own: chunk.own_sides(rows), has_offsets: memory.offset > 0.0 };
    let is_same = |group: &PairGroup| GroupKey::of(group) == key;
    let place = chunk.groups.iter().position(is_same).unwrap_or_else(|| {
        chunk.groups.push(key.new_group());
        chunk.groups.len() - 1
    });
    let scales = pair_scales(&bodies.places, rows, &laws.pairs[pair.0 as usize], laws);
    chunk.groups[place].contacts.activate(rows, scales, Some(memory), laws.remembered, bodies.len() as u32);
}

//! Chunks made from candidates, bonds, near walls and what contacts remembered.

use super::bonds::{BondGroup, LiveBond};
use super::carry::Carried;
use super::found::Foreign;
use super::near_surfaces::NearSurfaces;
use super::waiting::Tiers;
use super::{
    CarriedPairs, Chunk, Chunking, ListInput, Memory, OwnSides, PairGroup, Remembered, SurfaceContact,
};
use crate::broad_phase::{Image, NearPair};
use crate::laws::ChosenLaws;
use crate::math::fetch_ahead;
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
    /// How rows are cut into chunks.
    pub chunking: Chunking,
    /// Reach of watched pairs beyond touching [m].
    pub inner: f64,
    /// Tiers of pairs that wait.
    pub tiers: Tiers,
    /// Pairs that are to be expected.
    pub expected: &'a Expected,
    /// Reach of the lists of near walls beyond touching [m].
    pub wall_skin: f64,
}

impl Sources<'_> {
    /// Whether a pair is too far apart to touch soon; gaps are rounded, hence a little more.
    fn waits(&self, near: &NearPair) -> bool {
        f64::from(near.gap) > 1.000_001 * self.inner
    }

    /// The materials of a pair.
    #[inline(always)]
    fn pair_id(&self, near: &NearPair) -> PairId {
        let [a, b] = [near.pair.a, near.pair.b].map(|row| self.bodies.material[row as usize]);
        self.input.model.pairs.id(a, b)
    }

    /// What a pair remembers; asks for it and for the bodies, so that they are at hand when its turn comes.
    fn fetch(&self, near: &NearPair) -> Option<Carried<'_>> {
        fetch_ahead(&self.bodies.places, near.pair.b as usize);
        let carried = self.carried.find([near.pair.a, near.pair.b]);
        carried.iter().for_each(Carried::fetch_ahead);
        carried
    }
}

/// A chunk in the making, and pairs found from its rows that belong to others.
pub(super) struct Begun {
    chunk: Chunk,
    sorter: GroupSorter,
    foreign: Foreign,
    /// For each chunk, whether contacts of this one act on rows of it.
    acts_on: Vec<bool>,
}

impl Begun {
    /// Begins a chunk with the pairs found from its rows.
    pub fn new(index: usize, pairs: &[NearPair], from: &Sources) -> Self {
        let (chunking, number) = (from.chunking, index as u32);
        let first = chunking.first(number);
        let count = chunking.length.min(from.bodies.len() as u32 - first);
        let chunk = Chunk { first, count, ..Chunk::default() };
        let belongs = |near: &NearPair| chunking.belongs([near.pair.a, near.pair.b], number);
        let (own, others) = pairs.split_at(pairs.partition_point(belongs));
        let foreign = Foreign::of(others, chunking);
        let sorter = GroupSorter::new(from.input.model.pairs.rows().len());
        let mut begun = Self { chunk, sorter, foreign, acts_on: vec![false; chunking.count as usize] };
        begun.add_pairs(own, from);
        begun
    }

    /// Adds pairs that belong to the chunk.
    fn add_pairs(&mut self, mut pairs: &[NearPair], from: &Sources) {
        while let Some(first) = pairs.first() {
            let mut added = self.add_to_known_groups(pairs, from);
            if added == 0 {
                // The first of its group.
                self.add(first, from);
                added = 1;
            }
            pairs = &pairs[added..];
        }
    }

    /// Adds some pairs, up to the first that may make a new group: groups lie in the order of their first pairs. Gives their number.
    fn add_to_known_groups(&mut self, pairs: &[NearPair], from: &Sources) -> usize {
        // Which pairs wait cannot be foretold: they are sorted out without a branch.
        let (mut near, mut near_count) = ([0_u8; BATCH], 0);
        let (mut waiting, mut waiting_count) = ([(0_u8, 0_u16); BATCH], 0);
        let mut count = 0;
        for pair in &pairs[..pairs.len().min(BATCH)] {
            let own = self.own_sides(pair, from);
            let group = self.sorter.known(from.pair_id(pair), pair.pair.image, own);
            if group == GroupSorter::NONE {
                break;
            }
            let waits = from.waits(pair);
            near[near_count % BATCH] = count as u8;
            waiting[waiting_count % BATCH] = (count as u8, group);
            near_count += usize::from(!waits);
            waiting_count += usize::from(waits);
            count += 1;
        }
        for &(place, group) in &waiting[..waiting_count] {
            let pair = &pairs[usize::from(place)];
            // What it remembered, if it touched a step ago, is let go.
            let group = &mut self.chunk.groups[usize::from(group)];
            group.waiting.push([pair.pair.a, pair.pair.b], pair.gap, &from.tiers);
        }
        let mut carried = [None; BATCH];
        for (carried, &place) in carried.iter_mut().zip(&near[..near_count]) {
            *carried = from.fetch(&pairs[usize::from(place)]);
        }
        for (carried, &place) in carried.iter().zip(&near[..near_count]) {
            self.add_near(&pairs[usize::from(place)], carried.as_ref(), from);
        }
        count
    }

    /// Adds a pair whatever its group.
    fn add(&mut self, near: &NearPair, from: &Sources) {
        if !from.waits(near) {
            return self.add_near(near, from.fetch(near).as_ref(), from);
        }
        let group = self.group(near, false, from);
        group.waiting.push([near.pair.a, near.pair.b], near.gap, &from.tiers);
    }

    /// Adds a pair that may touch soon, with what it remembers.
    fn add_near(&mut self, near: &NearPair, carried: Option<&Carried>, from: &Sources) {
        let (bodies, input) = (from.bodies, from.input);
        let rows = [near.pair.a, near.pair.b];
        let [a, b] = rows.map(|row| &bodies.places[row as usize]);
        let separation = a.centre() - b.centre() - near.pair.image.shift(input.model.domain.period());
        let (square, touching) = (separation.length_squared(), a.radius + b.radius);
        if carried.is_none() && square >= touching * touching {
            return self.group(near, false, from).watched.push(rows, bodies.len() as u32);
        }
        let has_offset = carried.is_some_and(|carried| carried.offset() > 0.0);
        let group = self.group(near, has_offset, from);
        let scales = pair_scales(&bodies.places, rows, &input.laws.pairs[group.pair.0 as usize], input.laws);
        let contacts = &mut group.contacts;
        contacts.activate(rows, scales, None, input.laws.remembered, bodies.len() as u32);
        if let Some(carried) = carried {
            carried.hand_on(contacts);
        }
    }

    #[inline(always)]
    fn group(&mut self, near: &NearPair, has_offsets: bool, from: &Sources) -> &mut PairGroup {
        let key = GroupKey {
            pair: from.pair_id(near),
            image: near.pair.image,
            own: self.own_sides(near, from),
            has_offsets,
        };
        self.sorter.group(&mut self.chunk.groups, key, from)
    }

    /// Notes that a contact acts on these rows.
    fn note_border(&mut self, rows: [u32; 2], from: &Sources) {
        for row in rows {
            self.acts_on[from.chunking.of_row(row) as usize] = true;
        }
    }

    /// Which sides of a pair are in the chunk; notes where the other one is.
    #[inline(always)]
    fn own_sides(&mut self, near: &NearPair, from: &Sources) -> OwnSides {
        let rows = [near.pair.a, near.pair.b];
        let own = self.chunk.own_sides(rows);
        if own != OwnSides::Both {
            self.note_border(rows, from);
        }
        own
    }
}

/// Completes the chunks with the pairs found from others' rows, bonds and near walls.
pub(super) fn finish(begun: Vec<Begun>, from: &Sources) -> Vec<Chunk> {
    let take = |mut begun: Begun| (std::mem::take(&mut begun.foreign), begun);
    let (foreign, parts): (Vec<Foreign>, Vec<Begun>) = begun.into_iter().map(take).unzip();
    let complete = |(index, mut begun): (usize, Begun)| {
        for pairs in &foreign {
            begun.add_pairs(pairs.for_chunk(index), from);
        }
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
    chunk.groups.iter_mut().for_each(PairGroup::trim);
    let surfaces = NearSurfaces { input: from.input, skin: from.wall_skin, carried: from.walls };
    surfaces.give(chunk, from.bodies);
    chunk.wall_loads = vec![super::WallLoad::default(); from.input.walls.len()];
    chunk.flows = vec![super::Flow::default(); from.input.flow_planes];
}

/// The bonds that belong to each chunk, by number.
pub(super) fn hand_out(live: &[LiveBond], chunking: Chunking) -> Vec<Vec<LiveBond>> {
    let mut shares = vec![Vec::new(); chunking.count as usize];
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
        let own = from.chunking.own_sides([live.bond.a, live.bond.b], chunk as u32);
        let is_same = |group: &BondGroup| group.kind == live.kind && group.image == image && group.own == own;
        let place = groups.iter().position(is_same).unwrap_or_else(|| {
            groups.push(BondGroup::new(live.kind, image, own));
            groups.len() - 1
        });
        groups[place].push(&live.bond, bodies.len() as u32);
    }
    groups
}

/// How many pairs a chunk had in the lists before, by pair of materials, images, borders and offsets left out: lists that have so much
/// room from the beginning need not be copied while they grow.
pub(super) struct Expected(Vec<[usize; 2]>);

impl Expected {
    /// The means of some chunks, a little more, for so many pairs of materials.
    pub fn after(chunks: &[Chunk], pairs: usize) -> Self {
        let mut sums = vec![[0; 2]; pairs];
        for group in chunks.iter().flat_map(|chunk| &chunk.groups).filter(|group| Self::counts(group)) {
            let [contacts, waiting] = &mut sums[group.pair.0 as usize];
            *contacts += group.contacts.active as usize;
            *waiting += group.waiting.count();
        }
        Self(
            sums.into_iter()
                .map(|sums| sums.map(|sum| sum.div_ceil(chunks.len().max(1)) * 17 / 16))
                .collect(),
        )
    }

    /// Whether a group is one of those that hold most pairs.
    fn counts(group: &PairGroup) -> bool {
        group.image == Image::NONE && group.own == OwnSides::Both && !group.contacts.has_offsets
    }

    fn make_room(&self, group: &mut PairGroup, remembered: Remembered) {
        if Self::counts(group) {
            let [contacts, waiting] = self.0[group.pair.0 as usize];
            group.contacts.reserve(contacts, remembered);
            group.waiting.make_room(waiting);
        }
    }
}

/// What pairs of a group share.
#[derive(Clone, Copy, PartialEq)]
struct GroupKey {
    pair: PairId,
    image: Image,
    own: OwnSides,
    has_offsets: bool,
}

impl GroupKey {
    fn of(group: &PairGroup) -> Self {
        let PairGroup { pair, image, own, ref contacts, .. } = *group;
        Self { pair, image, own, has_offsets: contacts.has_offsets }
    }

    fn new_group(self) -> PairGroup {
        PairGroup::new(self.pair, self.image, self.own, self.has_offsets)
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

    /// Number of the group of pairs without offsets, if there is one.
    #[inline(always)]
    fn known(&self, pair: PairId, image: Image, own: OwnSides) -> u16 {
        self.index[Self::slot(pair, image, own, false)]
    }

    #[inline(always)]
    fn slot(pair: PairId, image: Image, own: OwnSides, has_offsets: bool) -> usize {
        let place = pair.0 as usize * Image::COUNT + image.index();
        2 * (3 * place + own as usize) + usize::from(has_offsets)
    }

    #[inline]
    fn group<'a>(
        &mut self,
        groups: &'a mut Vec<PairGroup>,
        key: GroupKey,
        from: &Sources,
    ) -> &'a mut PairGroup {
        let slot = &mut self.index[Self::slot(key.pair, key.image, key.own, key.has_offsets)];
        if *slot == Self::NONE {
            *slot = groups.len() as u16;
            let mut group = key.new_group();
            from.expected.make_room(&mut group, from.input.laws.remembered);
            groups.push(group);
        }
        &mut groups[*slot as usize]
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

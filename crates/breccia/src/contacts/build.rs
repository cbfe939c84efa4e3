//! Chunks made from candidates, bonds, near walls and what contacts remembered.

use super::bonds::{BondGroup, LiveBond};
use super::carry::Carried;
use super::found::Foreign;
use super::near_surfaces::NearSurfaces;
use super::waiting::Tiers;
use super::{CarriedPairs, Chunk, ListInput, Memory, PairGroup, SurfaceContact};
use crate::broad_phase::{Image, NearPair};
use crate::laws::ChosenLaws;
use crate::math::fetch_ahead;
use crate::model::{Domain, Model, PairId};
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
    /// Rows of a chunk.
    pub length: usize,
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

/// A chunk in the making, and those of its pairs that other chunks have as well.
pub(super) struct Begun {
    chunk: Chunk,
    sorter: GroupSorter,
    foreign: Foreign,
}

impl Begun {
    /// Begins a chunk with the pairs found from its rows.
    pub fn new(index: usize, pairs: &[NearPair], from: &Sources) -> Self {
        let first = index * from.length;
        let count = from.length.min(from.bodies.len() - first);
        let chunk = Chunk { first: first as u32, count: count as u32, ..Chunk::default() };
        let ends = (chunk.first, chunk.first + chunk.count);
        let foreign = Foreign::of(pairs, ends, from.length, from.bonds.len());
        let sorter = GroupSorter::new(from.input.model.pairs.rows().len());
        let mut begun = Self { chunk, sorter, foreign };
        begun.add_pairs(pairs, from);
        begun
    }

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
            let group = self.sorter.known(from.pair_id(pair), pair.pair.image);
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
        contacts.activate(rows, scales, None, input.laws.remembers_rolling, bodies.len() as u32);
        if let Some(carried) = carried {
            carried.hand_on(contacts);
        }
    }

    #[inline(always)]
    fn group(&mut self, near: &NearPair, has_offsets: bool, from: &Sources) -> &mut PairGroup {
        self.sorter.group(&mut self.chunk.groups, from.pair_id(near), near.pair.image, has_offsets, from)
    }
}

/// Completes the chunks with the pairs found from others' rows, bonds and near walls.
pub(super) fn finish(begun: Vec<Begun>, from: &Sources) -> Vec<Chunk> {
    let open = |Begun { chunk, sorter, foreign }| ((chunk, sorter), foreign);
    let (parts, foreign): (Vec<_>, Vec<Foreign>) = begun.into_iter().map(open).unzip();
    let complete = |(index, (chunk, sorter))| {
        let mut begun = Begun { chunk, sorter, foreign: Foreign::default() };
        for pairs in &foreign {
            begun.add_pairs(pairs.for_chunk(index), from);
        }
        add_bonds_and_walls(&mut begun.chunk, index, from);
        begun.chunk
    };
    parts.into_par_iter().enumerate().map(complete).collect()
}

fn add_bonds_and_walls(chunk: &mut Chunk, index: usize, from: &Sources) {
    chunk.bonds = bond_groups(&from.bonds[index], from.bodies, &from.input.model.domain);
    chunk.groups.iter_mut().for_each(PairGroup::trim);
    let surfaces = NearSurfaces { input: from.input, skin: from.wall_skin, carried: from.walls };
    surfaces.give(chunk, from.bodies);
    chunk.wall_loads = vec![super::WallLoad::default(); from.input.walls.len()];
    chunk.flows = vec![super::Flow::default(); from.input.flow_planes];
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

/// How many pairs a chunk had in the lists before, by pair of materials, images and offsets left out: lists that have so much
/// room from the beginning need not be copied while they grow.
pub(super) struct Expected(Vec<[usize; 2]>);

impl Expected {
    /// The means of some chunks, a little more, for so many pairs of materials.
    pub fn after(chunks: &[Chunk], pairs: usize) -> Self {
        let mut sums = vec![[0; 2]; pairs];
        let plain = |group: &&PairGroup| group.image == Image::NONE && !group.contacts.has_offsets;
        for group in chunks.iter().flat_map(|chunk| &chunk.groups).filter(plain) {
            let [contacts, waiting] = &mut sums[group.pair.0 as usize];
            *contacts += group.contacts.active as usize;
            *waiting += group.waiting.count();
        }
        Self(sums.into_iter().map(|sums| sums.map(|sum| sum.div_ceil(chunks.len().max(1)) * 9 / 8)).collect())
    }

    fn make_room(&self, group: &mut PairGroup, remembers_rolling: bool) {
        if group.image == Image::NONE && !group.contacts.has_offsets {
            let [contacts, waiting] = self.0[group.pair.0 as usize];
            group.contacts.reserve(contacts, remembers_rolling);
            group.waiting.make_room(waiting);
        }
    }
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

    /// Number of the group of pairs without offsets, if there is one.
    #[inline(always)]
    fn known(&self, pair: PairId, image: Image) -> u16 {
        self.index[2 * (pair.0 as usize * Image::COUNT + image.index())]
    }

    #[inline]
    fn group<'a>(
        &mut self,
        groups: &'a mut Vec<PairGroup>,
        pair: PairId,
        image: Image,
        has_offsets: bool,
        from: &Sources,
    ) -> &'a mut PairGroup {
        let place = pair.0 as usize * Image::COUNT + image.index();
        let slot = &mut self.index[2 * place + usize::from(has_offsets)];
        if *slot == Self::NONE {
            *slot = groups.len() as u16;
            let mut group = PairGroup::new(pair, image, has_offsets);
            from.expected.make_room(&mut group, from.input.laws.remembers_rolling);
            groups.push(group);
        }
        &mut groups[*slot as usize]
    }
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

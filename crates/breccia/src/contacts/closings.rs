//! By how much gaps between bodies have closed since the last rebuild, body by body.
//!
//! Boxes of displacements are quick and loose: where a thin layer flows, those of neighbouring cells are three times as far from each other as any two
//! bodies have come near. Here every body of a cell is compared with all around it.

use crate::broad_phase::CellLayout;
use crate::dispatch::Kernel;
use crate::math::{Buckets, LANES, Lanes, SHARE, Simd, Vec3};
use crate::state::PlaceRow;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// Where nobody is [m]: far from everything, with squares that are numbers.
const FAR: f64 = 1e100;

/// Part of the floor by which gaps may have been negative without being looked at closer.
const OVERLAP: f64 = 0.1;

/// A body where it is and where it was.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Body {
    /// Centre [m].
    now: [f64; 3],
    /// Radius [m].
    radius: f64,
    /// Centre at the last rebuild [m]; the last place is unused.
    built: [f64; 4],
}

/// Bodies that have moved, by cells they were in.
pub(super) struct Closings<'a> {
    layout: &'a CellLayout,
    /// Cell c has the bodies `starts[c]..starts[c + 1]`.
    starts: &'a [u32],
    /// Cell after cell, and some far away.
    bodies: Vec<Body>,
    /// Periods of the domain [m].
    period: DVec3,
    /// Skin of the lists [m].
    skin: f64,
    /// Closing of no interest [m].
    floor: f64,
}

impl<'a> Closings<'a> {
    /// Bodies at `places` that were at `built_at` [m] when they were sorted into cells; lists have a `skin` [m], and gaps that have closed by
    /// less than `floor` [m] are of no interest.
    pub fn new(
        layout: &'a CellLayout,
        rows: &'a Buckets,
        (places, built_at): (&[PlaceRow], &[[f64; 3]]),
        period: DVec3,
        [skin, floor]: [f64; 2],
    ) -> Self {
        let body = |&row: &u32| {
            let (place, [x, y, z]) = (&places[row as usize], built_at[row as usize]);
            Body { now: place.position, radius: place.radius, built: [x, y, z, 0.0] }
        };
        let nobody = Body { now: [FAR; 3], radius: 0.0, built: [FAR; 4] };
        let bodies = rows.items.par_iter().with_min_len(SHARE).map(body);
        let bodies = bodies.chain(rayon::iter::repeat_n(nobody, LANES)).collect();
        Self { layout, starts: &rows.start, bodies, period, skin, floor }
    }

    #[inline(always)]
    fn bodies_of(&self, cell: usize) -> Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }
}

/// For some cells, by how much the gap between a body in it and another in it or around it has closed at most [m], the floor at least; gaps
/// wider than the skin count as the skin.
pub(super) struct LargestClosings;

impl Kernel for LargestClosings {
    type On<'a> = (&'a Closings<'a>, &'a [u32], &'a mut [f64]);

    #[inline(always)]
    fn run<S: Simd>((from, cells, largest): Self::On<'_>) {
        let mut around = Around::default();
        for (&cell, largest) in cells.iter().zip(largest) {
            around.find_runs(from, cell as usize);
            around.fill::<S>(from, cell as usize);
            *largest = from.floor;
            for body in &from.bodies[from.bodies_of(cell as usize)] {
                if around.farthest_way(body) > *largest {
                    *largest = largest_closing::<S>(body, &around.blocks, from).max(*largest);
                }
            }
        }
    }
}

/// Eight bodies: where they are and where they were [m], and their radii [m].
#[derive(Clone, Copy)]
struct Block {
    now: Vec3<Lanes>,
    built: Vec3<Lanes>,
    radius: Lanes,
}

/// The bodies of a cell and those near them.
#[derive(Default)]
struct Around {
    /// Bodies that lie together in memory and are seen shifted alike [m].
    runs: Vec<(Range<usize>, DVec3)>,
    /// Near bodies, and perhaps others besides.
    blocks: Vec<Block>,
    /// Box of their displacements [m].
    ways: (DVec3, DVec3),
}

impl Around {
    fn find_runs(&mut self, from: &Closings, cell: usize) {
        self.runs.clear();
        from.layout.visit_images_around(cell, |other, image| {
            let (bodies, shift) = (from.bodies_of(other), image.shift(from.period));
            match self.runs.last_mut() {
                Some((run, same)) if run.end == bodies.start && *same == shift => run.end = bodies.end,
                _ => self.runs.push((bodies, shift)),
            }
        });
    }

    /// Collects blocks of which any body may have closed a gap to one of the cell by more than the floor.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, from: &Closings, cell: usize) {
        let (mut low, mut high, mut widest) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64);
        for body in &from.bodies[from.bodies_of(cell)] {
            let centre = DVec3::from_array(body.now);
            (low, high, widest) = (low.min(centre), high.max(centre), widest.max(body.radius));
        }
        let (low, high) = (Vec3::<S>::splat(low), Vec3::<S>::splat(high));
        let reach = S::splat(widest + from.skin - 0.999 * from.floor);
        let quads = bytemuck::cast_slice(&from.bodies);
        let (none, far) = (Vec3::splat(DVec3::ZERO), DVec3::INFINITY);
        let (mut least, mut most) = (Vec3::<S>::splat(far), Vec3::<S>::splat(-far));
        self.blocks.clear();
        for (bodies, shift) in &self.runs {
            let shift = Vec3::<S>::splat(*shift);
            for first in bodies.clone().step_by(LANES) {
                let mut block = Block { now: none, built: none, radius: Lanes([0.0; LANES]) };
                let (mut is_near, mut lower, mut upper) = (0, least, most);
                for at in (0..LANES).step_by(S::WIDTH) {
                    let mut places = [0; LANES];
                    places.iter_mut().zip((first + at) as u32..).for_each(|(place, body)| *place = body);
                    let [x, y, z, radius] = S::columns::<2>(quads, &places[..S::WIDTH], 0);
                    let [bx, by, bz, _] = S::columns::<2>(quads, &places[..S::WIDTH], 1);
                    let (now, built) = (Vec3 { x, y, z }, Vec3 { x: bx, y: by, z: bz });
                    let way = now - built;
                    (lower, upper) = (lower.at_most(way), upper.at_least(way));
                    let now = now + shift;
                    let aside = now - now.at_least(low).at_most(high);
                    let far = radius + reach;
                    is_near |= aside.length_squared().less_bits(far * far);
                    now.store(&mut block.now, at);
                    (built + shift).store(&mut block.built, at);
                    radius.store(&mut block.radius, at);
                }
                if is_near != 0 {
                    // What lies behind the run has no place here.
                    for lane in bodies.end - first..LANES {
                        block.now.set_lane(lane, DVec3::splat(FAR));
                    }
                    self.blocks.push(block);
                    (least, most) = (lower, upper);
                }
            }
        }
        let lanes = |vector: Vec3<S>| {
            let mut lanes = none;
            (0..LANES).step_by(S::WIDTH).for_each(|at| vector.store(&mut lanes, at));
            (0..LANES).map(move |lane| lanes.lane(lane))
        };
        self.ways = (lanes(least).fold(far, DVec3::min), lanes(most).fold(-far, DVec3::max));
    }

    /// The farthest that the displacement of a body can be from one of those around it [m].
    fn farthest_way(&self, body: &Body) -> f64 {
        let [x, y, z, _] = body.built;
        let way = DVec3::from_array(body.now) - DVec3::new(x, y, z);
        (way - self.ways.0).max(self.ways.1 - way).length()
    }
}

/// The largest closing between a body and others [m]; anything up to the floor where it is not above. With itself it has none.
#[inline(always)]
fn largest_closing<S: Simd>(body: &Body, around: &[Block], from: &Closings) -> f64 {
    let [x, y, z, _] = body.built;
    let built_here = Vec3::<S>::splat(DVec3::new(x, y, z));
    let (now_here, radius_here) = (Vec3::<S>::splat(DVec3::from_array(body.now)), S::splat(body.radius));
    // Rounding must not decide whether a closing above the floor is looked at.
    let floor = 0.999 * from.floor;
    let (skin, near) = (S::splat(from.skin), S::splat(from.skin - floor));
    let (overlap, apart) = (S::splat(OVERLAP * floor), S::splat((1.0 - OVERLAP) * floor));
    let mut largest = Lanes([0.0; LANES]);
    for block in around {
        for at in (0..LANES).step_by(S::WIDTH) {
            let radii = S::load(&block.radius, at) + radius_here;
            let square = (Vec3::<S>::load(&block.now, at) - now_here).length_squared();
            // A gap that has closed by more than the floor is narrower than the rest of the skin now, and was wider than the
            // floor, unless they overlap much.
            let (reach, deep) = (radii + near, radii - overlap);
            let is_near = square.less_bits(reach * reach);
            if is_near == 0 {
                continue;
            }
            let before = (Vec3::<S>::load(&block.built, at) - built_here).length_squared();
            let was = radii + apart;
            let may_have = (was * was).less_bits(before) | square.less_bits(deep * deep);
            if is_near & may_have != 0 {
                let closing = (before.sqrt() - radii).at_most(skin) - (square.sqrt() - radii);
                S::load(&largest, at).at_least(closing).store(&mut largest, at);
            }
        }
    }
    largest.0.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::Image;
    use crate::dispatch::compiled;
    use crate::model::Domain;
    use crate::scene::RandomStream;

    const SKIN: f64 = 0.06;

    /// Bodies of a box with sides of one, and where they were.
    fn moved(random: &mut RandomStream) -> (Vec<PlaceRow>, Vec<[f64; 3]>) {
        let mut unit = || random.unit();
        let built: Vec<[f64; 3]> = (0..400).map(|_| [unit(), unit(), unit()]).collect();
        // They are drawn together, more or less, and stirred.
        let place = |from: &[f64; 3]| PlaceRow {
            position: from.map(|x| x - 0.08 * (x - 0.5) + 0.03 * (unit() - 0.5)),
            radius: 0.02 + 0.02 * unit(),
            velocity: [0.0; 3],
            inverse_mass: 1.0,
        };
        (built.iter().map(place).collect(), built)
    }

    /// The largest closing of a cell's bodies, pair by pair.
    fn one_by_one(closings: &Closings, cell: usize) -> f64 {
        let mut largest = closings.floor;
        for body in &closings.bodies[closings.bodies_of(cell)] {
            closings.layout.visit_images_around(cell, |other, image| {
                for partner in &closings.bodies[closings.bodies_of(other)] {
                    let shift = image.shift(closings.period);
                    let distance = |from: &[f64], to: &[f64]| {
                        (DVec3::from_slice(to) + shift - DVec3::from_slice(from)).length()
                    };
                    let radii = body.radius + partner.radius;
                    let before = distance(&body.built, &partner.built) - radii;
                    let now = distance(&body.now, &partner.now) - radii;
                    if !(std::ptr::eq(body, partner) && image == Image::NONE) {
                        largest = largest.max(before.min(closings.skin) - now);
                    }
                }
            });
        }
        largest
    }

    /// However many are compared at a time, and whatever is periodic: the closings are those found pair by pair.
    #[test]
    fn closings_are_those_found_pair_by_pair() {
        let mut random = RandomStream::new(3);
        let mut above = 0;
        for periodic in [[false; 3], [true, false, true], [true; 3]] {
            let domain = Domain { min: DVec3::ZERO, max: DVec3::ONE, periodic, ..Domain::unbounded() };
            for width in [0.17, 0.34, 0.6] {
                let (places, built) = moved(&mut random);
                let layout = CellLayout::new(DVec3::ZERO, DVec3::ONE, width, 1.5, 1000, &domain);
                let cells = built.iter().map(|&from| layout.number_of(DVec3::from_array(from)) as usize);
                let rows = Buckets::new(cells, layout.count());
                for floor in [0.0, 0.3 * SKIN, 0.7 * SKIN] {
                    let bodies = (&places[..], &built[..]);
                    let closings = Closings::new(&layout, &rows, bodies, domain.period(), [SKIN, floor]);
                    let all: Vec<u32> = (0..layout.count() as u32).collect();
                    let (mut wide, mut narrow) = (vec![0.0; all.len()], vec![0.0; all.len()]);
                    compiled::<LargestClosings>()((&closings, &all, &mut wide));
                    LargestClosings::run::<f64>((&closings, &all, &mut narrow));
                    assert_eq!(wide, narrow);
                    for (&cell, &found) in all.iter().zip(&wide) {
                        let expected = one_by_one(&closings, cell as usize);
                        assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
                        above += usize::from(expected > floor);
                    }
                }
            }
        }
        assert!(above > 500, "{above} cells with closings above the floor");
    }
}

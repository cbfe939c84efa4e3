//! Planes that bound elements, packed for a quick look that sorts most of them out.

use super::Element;
use crate::math::{LANES, Quad, Real, Simd, Vec3};
use bytemuck::NoUninit;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Rounding of a distance from a plane, over the sizes that went into it; the element itself may be out of plane by some
/// of it.
const PLANE_ROUNDING: f64 = 1e-8;

/// For each element its own plane and, for each side, the plane through it upright on the element. A plane is its unit normal,
/// which points to the front or over the element, and its offset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Outlines {
    /// Planes per element; elements with fewer sides repeat the last.
    stride: usize,
    planes: Vec<Quad>,
    /// Normal and anchor of each element.
    facets: Vec<[Quad; 2]>,
}

/// How points lie beside elements, by a quick look that is unsure near the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, NoUninit)]
#[repr(u8)]
pub enum Beside {
    /// The element is out of reach.
    OutOfReach = 0,
    /// In reach of the plane of the element; the foot lies inside the element.
    Above = 1,
    /// To be looked at more closely.
    Unsure = 2,
}

/// What is in reach among elements looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InReach {
    /// Nothing.
    Nothing,
    /// The element at this place only, and the foot lies inside it.
    LoneFacet(usize),
    /// Something else.
    Something,
}

impl InReach {
    /// What some verdicts say together.
    #[inline]
    pub fn of(beside: &[Beside]) -> Self {
        let mut all = Self::Nothing;
        for (number, four) in beside.chunks(4).enumerate() {
            let bytes = match *bytemuck::cast_slice::<_, u8>(four) {
                [a] => [a, 0, 0, 0],
                [a, b] => [a, b, 0, 0],
                [a, b, c] => [a, b, c, 0],
                [a, b, c, d] => [a, b, c, d],
                _ => [0; 4],
            };
            all = all.and(Self::of_word(u64::from(u32::from_le_bytes(bytes))), 4 * number);
        }
        all
    }

    /// What `count` verdicts from `first` on say together, where at least seven more lie behind them.
    #[inline(always)]
    pub fn of_some(beside: &[Beside], first: usize, count: usize) -> Self {
        let bytes: &[u8] = bytemuck::cast_slice(beside);
        let mut all = Self::Nothing;
        for at in (0..count).step_by(8) {
            let Some(eight) = bytes.get(first + at..).and_then(<[u8]>::first_chunk) else { break };
            // Verdicts of others are shifted out.
            let others = 8 * 8_usize.saturating_sub(count - at) as u32;
            all = all.and(Self::of_word(u64::from_le_bytes(*eight) << others >> others), at);
        }
        all
    }

    #[inline(always)]
    fn and(self, found: Self, first: usize) -> Self {
        match (self, found) {
            (all, Self::Nothing) => all,
            (Self::Nothing, Self::LoneFacet(place)) => Self::LoneFacet(first + place),
            _ => Self::Something,
        }
    }

    /// Eight verdicts are judged as one number, without a branch for each.
    #[inline(always)]
    fn of_word(word: u64) -> Self {
        const ABOVE: u64 = u64::from_le_bytes([Beside::Above as u8; 8]);
        if word == 0 {
            Self::Nothing
        } else if word.is_power_of_two() && word & ABOVE != 0 {
            Self::LoneFacet(word.trailing_zeros() as usize / 8)
        } else {
            Self::Something
        }
    }
}

/// Bounds of where points lie beside elements; `S` may be a number or lanes.
#[derive(Clone, Copy, Debug)]
pub struct OutlineLook<S> {
    /// Least square of the distance less that of the reach [m²]; positive only out of reach.
    pub beyond: S,
    /// How far the point is at least within the upright planes [m].
    pub within: S,
}

impl OutlineLook<f64> {
    /// The verdict.
    #[inline]
    pub fn verdict(&self) -> Beside {
        if self.beyond > 0.0 {
            Beside::OutOfReach
        } else if self.within > 0.0 {
            Beside::Above
        } else {
            Beside::Unsure
        }
    }
}

impl Outlines {
    pub fn new(vertices: &[DVec3], elements: &[Element]) -> Self {
        let most = elements.iter().map(|element| element.vertices.as_slice().len()).max().unwrap_or(0);
        let stride = 1 + most;
        let mut planes = Vec::with_capacity(stride * elements.len());
        for element in elements {
            planes.push(plane(element.normal, element.offset));
            let ids = element.vertices.as_slice();
            planes.extend(ids.iter().zip(ids.iter().cycle().skip(1)).map(|(&start, &end)| {
                let [start, end] = [start, end].map(|id| vertices[id as usize]);
                // A side without length bounds nothing: zero is never above, never out of reach.
                let inwards = element.normal.cross(end - start).normalize_or_zero();
                plane(inwards, inwards.dot(start))
            }));
            let last = planes[planes.len() - 1];
            planes.extend(std::iter::repeat_n(last, most - ids.len()));
        }
        let facet = |element: &Element| [plane(element.normal, 0.0), plane(element.anchor, 0.0)];
        Self { stride, planes, facets: elements.iter().map(facet).collect() }
    }

    /// Unit normals of some elements and a corner of each [m].
    #[inline(always)]
    pub fn facets<S: Simd>(&self, elements: &[u32]) -> [Vec3<S>; 2] {
        let table = self.facets.as_flattened();
        let [x, y, z, _] = S::columns::<2>(table, elements, 0);
        let normal = Vec3 { x, y, z };
        let [x, y, z, _] = S::columns::<2>(table, elements, 1);
        [normal, Vec3 { x, y, z }]
    }

    /// Looks at some elements from points [m, mesh frame], one for each, whether they may be within `reach` [m]. Errs, by
    /// rounding, only towards yes and unsure.
    #[inline(always)]
    pub fn look<S: Simd>(&self, elements: &[u32], point: Vec3<S>, reach: S) -> OutlineLook<S> {
        let mut first = [0; LANES];
        for (first, &element) in first.iter_mut().zip(elements) {
            *first = element * self.stride as u32;
        }
        let size = magnitude(point.x) + magnitude(point.y) + magnitude(point.z);
        let first = &first[..S::WIDTH];
        let (height, slack) = self.distance(first, 0, point, size);
        let none = S::splat(0.0);
        let above = (magnitude(height) - slack).at_least(none);
        let (mut aside, mut within) = (none, S::splat(f64::INFINITY));
        for side in 1..self.stride {
            let (inwards, slack) = self.distance(first, side, point, size);
            aside = aside.at_least(-inwards - slack);
            within = within.at_most(inwards - slack);
        }
        // What lies beyond an upright plane is off the element in both directions.
        OutlineLook { beyond: above * above + aside * aside - reach * reach, within }
    }

    /// Distances of points from planes [m], and their rounding; `size` is that of the points' coordinates [m].
    #[inline(always)]
    fn distance<S: Simd>(&self, first: &[u32], side: usize, point: Vec3<S>, size: S) -> (S, S) {
        let [x, y, z, offset] = S::columns::<1>(&self.planes, first, side);
        let distance = Vec3 { x, y, z }.dot(point) - offset;
        (distance, S::splat(PLANE_ROUNDING) * (size + magnitude(offset)))
    }
}

fn plane(normal: DVec3, offset: f64) -> Quad {
    [normal.x, normal.y, normal.z, offset]
}

#[inline(always)]
fn magnitude<S: Real>(value: S) -> S {
    value.at_least(-value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::RandomStream;

    /// What is in reach, verdict by verdict.
    fn one_by_one(beside: &[Beside]) -> InReach {
        let in_reach: Vec<usize> = (0..beside.len()).filter(|&k| beside[k] != Beside::OutOfReach).collect();
        match in_reach[..] {
            [] => InReach::Nothing,
            [place] if beside[place] == Beside::Above => InReach::LoneFacet(place),
            _ => InReach::Something,
        }
    }

    #[test]
    fn verdicts_read_together_are_those_read_one_by_one() {
        let mut random = RandomStream::new(3);
        let mut counts = [0; 3];
        for length in (0..4000).map(|k| k % 14) {
            let verdict = |unit: f64| match (unit * 14.0) as usize {
                0 => Beside::Above,
                1 => Beside::Unsure,
                _ => Beside::OutOfReach,
            };
            let beside: Vec<Beside> = (0..length).map(|_| verdict(random.unit())).collect();
            let together = InReach::of(&beside);
            assert_eq!(together, one_by_one(&beside), "{beside:?}");
            let others = [Beside::Above, Beside::Unsure].repeat(4);
            let among_others = [&others, &beside, &others].map(|part| &part[..]).concat();
            assert_eq!(InReach::of_some(&among_others, others.len(), length), together);
            counts[match together {
                InReach::Nothing => 0,
                InReach::LoneFacet(_) => 1,
                InReach::Something => 2,
            }] += 1;
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}

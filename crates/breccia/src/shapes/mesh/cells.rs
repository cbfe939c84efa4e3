//! A uniform grid of boxes, to find those that meet a given one.

use crate::math::FirstMet;
use glam::DVec3;
use std::ops::RangeInclusive;

/// Lower and upper corner [m].
pub(crate) type Bounds = (DVec3, DVec3);

/// Most cells along one axis.
const MOST_CELLS_PER_AXIS: f64 = 256.0;

/// Most cells, in multiples of the number of boxes.
const MOST_CELLS_PER_BOX: usize = 4;

/// Boxes sorted into cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    boxes: Vec<Bounds>,
    origin: DVec3,
    inverse_size: DVec3,
    counts: [usize; 3],
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Cells {
    /// Sorts boxes into cells about as large as they are along each axis.
    pub fn new(boxes: Vec<Bounds>) -> Self {
        let infinite = DVec3::splat(f64::INFINITY);
        let (low, high) = boxes.iter().fold((infinite, -infinite), |(a, b), x| (a.min(x.0), b.max(x.1)));
        let extent = if boxes.is_empty() { DVec3::ZERO } else { high - low };
        let mean = boxes.iter().map(|(a, b)| *b - *a).sum::<DVec3>() / boxes.len().max(1) as f64;
        let mut size = mean.max(extent / MOST_CELLS_PER_AXIS).max(DVec3::splat(f64::MIN_POSITIVE));
        let most = MOST_CELLS_PER_BOX * boxes.len() + 1;
        let mut counts = cell_counts(extent, size);
        while counts.iter().product::<usize>() > most {
            let finest = (0..3).max_by_key(|&axis| counts[axis]).unwrap_or(0);
            size[finest] *= 2.0;
            counts = cell_counts(extent, size);
        }
        let inverse_size = size.recip();
        let mut cells =
            Self { boxes, origin: low, inverse_size, counts, starts: Vec::new(), members: Vec::new() };
        cells.fill();
        cells
    }

    fn fill(&mut self) {
        let cell_count: usize = self.counts.iter().product();
        let mut starts = vec![0u32; cell_count + 1];
        for bounds in &self.boxes {
            self.covered(bounds).flatten().for_each(|cell| starts[cell + 1] += 1);
        }
        for cell in 0..cell_count {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts[cell_count] as usize];
        for (i, bounds) in self.boxes.iter().enumerate() {
            for cell in self.covered(bounds).flatten() {
                members[next[cell] as usize] = i as u32;
                next[cell] += 1;
            }
        }
        (self.starts, self.members) = (starts, members);
    }

    /// Numbers of the boxes that meet the given one, ascending, each once.
    pub fn meeting(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        self.find(bounds, found, |_| true);
        found.dedup();
    }

    /// The same for one box after the other, told apart with marks for all boxes ([`Self::marks`]).
    pub fn meeting_next(&self, bounds: &Bounds, found: &mut Vec<u32>, marks: &mut FirstMet) {
        marks.begin_round();
        self.find(bounds, found, |number| marks.is_first(number));
    }

    /// Marks for [`Self::meeting_next`].
    pub fn marks(&self) -> FirstMet {
        FirstMet::below(self.boxes.len())
    }

    /// Numbers of the boxes that meet the given one, ascending, as often as one of its cells has them and they are `wanted`.
    #[inline(always)]
    fn find(&self, bounds: &Bounds, found: &mut Vec<u32>, mut wanted: impl FnMut(u32) -> bool) {
        found.clear();
        if self.boxes.is_empty() {
            return;
        }
        for cells in self.covered(bounds) {
            let members = self.starts[*cells.start()] as usize..self.starts[*cells.end() + 1] as usize;
            let is_found = |number: &u32| wanted(*number) && meets(bounds, &self.boxes[*number as usize]);
            found.extend(self.members[members].iter().copied().filter(is_found));
        }
        found.sort_unstable();
    }

    /// Cells that a box covers, in runs of neighbours along z.
    fn covered(&self, bounds: &Bounds) -> impl Iterator<Item = RangeInclusive<usize>> + use<> {
        let index = |p: DVec3| ((p - self.origin) * self.inverse_size).to_array();
        let (low, high, counts) = (index(bounds.0), index(bounds.1), self.counts);
        let range = move |axis: usize| {
            let clamp = |x: f64| (x.max(0.0) as usize).min(counts[axis] - 1);
            clamp(low[axis])..=clamp(high[axis])
        };
        let (first, last) = (*range(2).start(), *range(2).end());
        range(0).flat_map(move |x| {
            range(1).map(move |y| {
                let column = (x * counts[1] + y) * counts[2];
                column + first..=column + last
            })
        })
    }
}

fn cell_counts(extent: DVec3, size: DVec3) -> [usize; 3] {
    (extent / size).to_array().map(|cells| cells as usize + 1)
}

fn meets(a: &Bounds, b: &Bounds) -> bool {
    a.0.cmple(b.1).all() && b.0.cmple(a.1).all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::RandomStream;

    /// All boxes that meet a given one are found, inside the shell, in it, and outside.
    #[test]
    fn boxes_are_found_as_by_comparing_all() {
        let mut random = RandomStream::new(3);
        let mut point = |from: f64, to: f64| DVec3::from_array([(); 3].map(|()| random.between(from, to)));
        let mut shell = Vec::new();
        while shell.len() < 400 {
            let middle = point(-1.0, 1.0);
            if (0.9..1.0).contains(&middle.length()) {
                shell.push((middle - point(0.0, 0.05), middle + point(0.0, 0.05)));
            }
        }
        let cells = Cells::new(shell.clone());
        let (mut found, mut marked, mut marks) = (Vec::new(), Vec::new(), cells.marks());
        for k in 0..2000 {
            let (middle, half) = (point(-1.3, 1.3), point(0.0, if k % 10 == 0 { 0.5 } else { 0.05 }));
            let asked = (middle - half, middle + half);
            cells.meeting(&asked, &mut found);
            cells.meeting_next(&asked, &mut marked, &mut marks);
            let wanted: Vec<u32> =
                (0..400).filter(|&number| meets(&asked, &shell[number as usize])).collect();
            assert_eq!((&found, &marked), (&wanted, &wanted), "{asked:?}");
        }
    }
}

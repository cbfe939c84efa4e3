//! Items sorted into buckets by counting.

use super::SHARE;
use rayon::prelude::*;

/// Numbers of items by bucket; within a bucket they ascend.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    /// Items of bucket b are `items[start[b]..start[b + 1]]`.
    pub start: Vec<u32>,
    /// Numbers of items.
    pub items: Vec<u32>,
}

impl Buckets {
    /// Sorts items into `count` buckets; `bucket_of` tells the bucket of one item after the other.
    pub fn new(bucket_of: impl Iterator<Item = usize> + Clone, count: usize) -> Self {
        let mut start = vec![0_u32; count + 1];
        let mut length = 0;
        for bucket in bucket_of.clone() {
            start[bucket + 1] += 1;
            length += 1;
        }
        for bucket in 0..count {
            start[bucket + 1] += start[bucket];
        }
        let mut next = start.clone();
        let mut items = vec![0; length];
        for (bucket, item) in bucket_of.zip(0_u32..) {
            let slot = &mut next[bucket];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Self { start, items }
    }

    /// The same for many items, by all threads: first into stretches of buckets, then each stretch by itself.
    pub fn of_many(bucket_of: &[u32], count: usize) -> Self {
        let stretches = (2 * rayon::current_num_threads()).min(bucket_of.len() / SHARE);
        if stretches < 4 {
            return Self::new(bucket_of.iter().map(|&bucket| bucket as usize), count);
        }
        let length = count.div_ceil(stretches).max(1);
        let part = |(part, buckets): (usize, &[u32])| {
            let items = buckets.iter().copied().zip((SHARE * part) as u32..).map(Into::into);
            let items: Vec<[u32; 2]> = items.collect();
            let mut sort = CountingSort::default();
            sort.sort(&items, stretches, |item| item[0] as usize / length);
            sort
        };
        let parts: Vec<CountingSort<[u32; 2]>> = bucket_of.par_chunks(SHARE).enumerate().map(part).collect();
        let stretch = |stretch: usize| {
            let items: Vec<&[[u32; 2]]> = parts.iter().map(|part| part.of(stretch)).collect();
            let first = (stretch * length).min(count);
            let mut sort = CountingSort::default();
            sort.sort(&items.concat(), length.min(count - first), |item| item[0] as usize - first);
            sort
        };
        let sorted: Vec<CountingSort<[u32; 2]>> = (0..stretches).into_par_iter().map(stretch).collect();
        let (mut start, mut items) = (Vec::with_capacity(count + 1), Vec::with_capacity(bucket_of.len()));
        for stretch in sorted {
            let before = items.len() as u32;
            start.extend(stretch.start[..stretch.start.len() - 1].iter().map(|start| before + start));
            items.extend(stretch.sorted.iter().map(|item| item[1]));
        }
        start.push(items.len() as u32);
        Self { start, items }
    }

    /// The values of all items, bucket after bucket.
    pub fn in_order<T: Copy + Send + Sync>(&self, values: &[T]) -> Vec<T> {
        self.items.par_iter().with_min_len(SHARE).map(|&item| values[item as usize]).collect()
    }

    /// Items of a bucket.
    pub fn of(&self, bucket: usize) -> &[u32] {
        &self.items[self.start[bucket] as usize..self.start[bucket + 1] as usize]
    }
}

/// Room for sorting values by counting, used again from one time to the next.
#[derive(Clone, Debug)]
pub(crate) struct CountingSort<T> {
    /// After sorting, values of bucket b are `sorted[start[b]..start[b + 1]]`.
    pub start: Vec<u32>,
    /// Values, bucket after bucket.
    pub sorted: Vec<T>,
}

impl<T> Default for CountingSort<T> {
    fn default() -> Self {
        Self { start: Vec::new(), sorted: Vec::new() }
    }
}

impl<T: Copy> CountingSort<T> {
    /// Sorts values into `count` buckets, in their order within each. Every value is copied once: where values are small that is
    /// faster than sorting their numbers first.
    pub fn sort(&mut self, values: &[T], count: usize, bucket_of: impl Fn(&T) -> usize) {
        self.sort_parts(values, count, bucket_of, |value| *value);
    }

    /// The same for a part of each value.
    #[inline]
    pub fn sort_parts<V>(
        &mut self,
        values: &[V],
        count: usize,
        bucket_of: impl Fn(&V) -> usize,
        part_of: impl Fn(&V) -> T,
    ) {
        let Some(any) = values.first().map(&part_of) else {
            self.sorted.clear();
            self.start.clear();
            self.start.resize(count + 1, 0);
            return;
        };
        // Counted two places on: `start[b + 1]` is then where bucket b begins, and once it is filled where it ends.
        self.start.clear();
        self.start.resize(count + 2, 0);
        for value in values {
            self.start[bucket_of(value) + 2] += 1;
        }
        for bucket in 0..count {
            self.start[bucket + 2] += self.start[bucket + 1];
        }
        self.sorted.resize(values.len(), any);
        for value in values {
            let slot = &mut self.start[bucket_of(value) + 1];
            self.sorted[*slot as usize] = part_of(value);
            *slot += 1;
        }
        self.start.truncate(count + 1);
    }

    /// Values of a bucket.
    pub fn of(&self, bucket: usize) -> &[T] {
        &self.sorted[self.start[bucket] as usize..self.start[bucket + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_lies_in_its_bucket_in_order() {
        let bucket_of = [3, 0, 3, 1, 0, 0];
        let buckets = Buckets::new(bucket_of.into_iter(), 5);
        let wanted: [&[u32]; 5] = [&[1, 4, 5], &[3], &[], &[0, 2], &[]];
        assert!((0..5).all(|bucket| buckets.of(bucket) == wanted[bucket]), "{buckets:?}");
        assert!(Buckets::new(std::iter::empty(), 2).of(1).is_empty());
    }

    #[test]
    fn many_items_are_sorted_as_few_are() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(6).build().expect("threads");
        for (length, count) in [(100_000_u32, 5000), (50_000, 3), (40_000, 1), (3 * SHARE as u32, 70)] {
            let bucket_of: Vec<u32> =
                (0..length).map(|k| (k.wrapping_mul(2_654_435_761) >> 7) % count).collect();
            let (few, many) = (
                Buckets::new(bucket_of.iter().map(|&bucket| bucket as usize), count as usize),
                pool.install(|| Buckets::of_many(&bucket_of, count as usize)),
            );
            assert_eq!((few.start, few.items), (many.start, many.items));
        }
    }

    /// Whatever was sorted in the same room before.
    #[test]
    fn values_sorted_by_counting_lie_as_buckets_say() {
        let mut room = CountingSort::default();
        for (length, count) in [(200_u32, 7), (0, 3), (31, 40), (500, 1)] {
            let values: Vec<(usize, u32)> =
                (0..length).map(|k| (k.wrapping_mul(2_654_435_761) as usize >> 7) % count).zip(0..).collect();
            room.sort(&values, count, |value| value.0);
            let buckets = Buckets::new(values.iter().map(|value| value.0), count);
            assert_eq!((&room.sorted, &room.start), (&buckets.in_order(&values), &buckets.start));
            let of = |bucket: usize| room.of(bucket).iter().map(|value| value.1).collect::<Vec<_>>();
            assert!((0..count).all(|bucket| of(bucket) == buckets.of(bucket)));
        }
    }
}

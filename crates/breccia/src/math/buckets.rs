//! Items sorted into buckets by counting.

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

    /// The values of all items, bucket after bucket.
    pub fn in_order<T: Copy>(&self, values: &[T]) -> Vec<T> {
        self.items.iter().map(|&item| values[item as usize]).collect()
    }

    /// Items of a bucket.
    pub fn of(&self, bucket: usize) -> &[u32] {
        &self.items[self.start[bucket] as usize..self.start[bucket + 1] as usize]
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
}

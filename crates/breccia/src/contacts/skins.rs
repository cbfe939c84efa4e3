//! How thick the skin of each stretch of rows is.
//!
//! Lists are built anew as soon as two bodies anywhere may have come through the skin between them. Most bodies have hardly moved against their
//! neighbours by then: in a drum all that turn with it. Where that was so in the time before, a thinner skin will last as long,
//! with a fraction of the pairs.

use super::Chunking;
use super::carry::GONE;
use super::waiting::{STRETCH, stretches};
use serde::{Deserialize, Serialize};

/// How much more than last time bodies are allowed to approach each other.
const MARGIN: f64 = 1.05;
/// Thinnest skin, as a part of the thickest.
const LEAST: f64 = 0.2;

/// Skins by stretch, chunk after chunk [m]. A pair is listed if it is within the skin of one of its rows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Skins(Vec<Vec<f64>>);

impl Skins {
    /// The same skin everywhere [m].
    pub fn alike(chunking: &Chunking, skin: f64) -> Self {
        let of_chunk = |chunk| vec![skin; stretches(chunking.rows(chunk).len())];
        Self((0..chunking.count()).map(of_chunk).collect())
    }

    /// Skins up to `thickest` [m] that will last equally long, by the skins that rows want; rows of a stretch have the thickest of
    /// theirs.
    pub fn wanted(chunking: &Chunking, wanted: &[f64]) -> Self {
        let of_chunk = |chunk| {
            let rows = chunking.rows(chunk);
            let own = &wanted[rows.start as usize..rows.end as usize];
            own.chunks(STRETCH).map(|wanted| wanted.iter().copied().fold(0.0, f64::max)).collect()
        };
        Self((0..chunking.count()).map(of_chunk).collect())
    }

    /// The skin of each row [m].
    pub fn by_row(&self, chunking: &Chunking) -> Vec<f64> {
        let mut skins = Vec::new();
        for (chunk, own) in self.0.iter().enumerate() {
            let rows = chunking.rows(chunk);
            skins.extend((0..rows.len()).map(|row| own[row / STRETCH]));
        }
        skins
    }

    /// The largest part of its skin, less `inner` [m], that bodies around a stretch have used up by their `approach` [m].
    pub fn used_up(&self, approach: &[Vec<f64>], inner: f64) -> f64 {
        let used = |(skin, approach): (&f64, &f64)| {
            let room = skin - inner;
            if room > 0.0 { approach / room } else { f64::INFINITY }
        };
        self.0.iter().flatten().zip(approach.iter().flatten()).map(used).fold(0.0, f64::max)
    }
}

/// Skins that rows want up to `thickest` [m], old row r having become `new_row[r]` among so many `bodies`: by how much bodies around
/// each old stretch have approached each other [m] while others have most of all.
pub(super) fn wanted_skins(
    approach: &[Vec<f64>],
    chunking: &Chunking,
    new_row: &[u32],
    thickest: f64,
    bodies: usize,
) -> Vec<f64> {
    // Bodies that enter may do anything.
    let mut wanted = vec![thickest; bodies];
    let most = approach.iter().flatten().copied().fold(0.0, f64::max);
    for (chunk, own) in approach.iter().enumerate() {
        let rows = chunking.rows(chunk);
        for (row, &new) in (0..).zip(&new_row[rows.start as usize..rows.end as usize]) {
            let approach: f64 = own[row / STRETCH];
            if new != GONE && MARGIN * approach < most {
                wanted[new as usize] = thickest * (MARGIN * approach / most).max(LEAST);
            }
        }
    }
    wanted
}

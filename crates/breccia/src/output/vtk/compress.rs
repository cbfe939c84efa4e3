//! VTK's compressed block format: block count, block size, size of a shorter last block, compressed sizes, blocks.

use super::FieldData;
use flate2::{Compress, Compression, FlushCompress};
use std::io::Read;

/// Uncompressed bytes per block; VTK's own default.
const BLOCK_BYTES: usize = 32_768;

/// zlib level 1: higher levels gain little on floating-point data and cost several times as much.
const LEVEL: u32 = 1;

/// Little-endian bytes of a field.
pub(super) fn bytes_of(data: &FieldData) -> Vec<u8> {
    match data {
        FieldData::F64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        FieldData::F32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        FieldData::I64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        FieldData::U32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
        FieldData::U8(v) => v.clone(),
    }
}

/// Appends header and blocks of `bytes` to `out`.
pub(super) fn append_blocks(bytes: &[u8], out: &mut Vec<u8>) {
    let blocks: Vec<&[u8]> = bytes.chunks(BLOCK_BYTES).collect();
    let sizes_at = out.len() + 3 * 8;
    let header = [blocks.len(), BLOCK_BYTES, bytes.len() % BLOCK_BYTES];
    out.extend(header.iter().flat_map(|&n| (n as u64).to_le_bytes()));
    out.resize(sizes_at + 8 * blocks.len(), 0);
    let mut deflate = Compress::new(Compression::new(LEVEL), true);
    for (index, block) in blocks.iter().enumerate() {
        let size = append_block(&mut deflate, block, out) as u64;
        out[sizes_at + 8 * index..][..8].copy_from_slice(&size.to_le_bytes());
    }
}

/// Largest block size believed when reading; ours is far smaller.
const MAX_BLOCK_BYTES: usize = 1 << 24;

/// The bytes that [`append_blocks`] put at the beginning of `stored`; `None` where they are damaged or cut short.
pub(super) fn expand_blocks(stored: &[u8]) -> Option<Vec<u8>> {
    let word = |index: usize| {
        let at = index.checked_mul(8)?;
        let bytes = stored.get(at..at.checked_add(8)?)?;
        usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let (count, full, last) = (word(0)?, word(1)?, word(2)?);
    if full > MAX_BLOCK_BYTES || last > full {
        return None;
    }
    let mut at = count.checked_add(3)?.checked_mul(8)?;
    let mut bytes = Vec::new();
    for block in 0..count {
        let end = at.checked_add(word(3 + block)?)?;
        let is_short = block + 1 == count && last > 0;
        let (expected, before) = (if is_short { last } else { full }, bytes.len());
        // One byte more than expected is enough to see that there is too much.
        let mut stream = flate2::read::ZlibDecoder::new(stored.get(at..end)?).take(expected as u64 + 1);
        stream.read_to_end(&mut bytes).ok()?;
        if bytes.len() - before != expected {
            return None;
        }
        at = end;
    }
    Some(bytes)
}

/// Appends one zlib stream and returns its length.
fn append_block(deflate: &mut Compress, block: &[u8], out: &mut Vec<u8>) -> usize {
    let start = out.len();
    // Deflate stores incompressible data with a few bytes per 32 KiB on top.
    out.resize(start + block.len() + block.len() / 8 + 256, 0);
    deflate.reset();
    let status = deflate.compress(block, &mut out[start..], FlushCompress::Finish);
    debug_assert!(matches!(status, Ok(flate2::Status::StreamEnd)));
    out.truncate(start + deflate.total_out() as usize);
    out.len() - start
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    fn word(bytes: &[u8], index: usize) -> usize {
        u64::from_le_bytes(bytes[8 * index..8 * index + 8].try_into().unwrap()) as usize
    }

    fn unpack(bytes: &[u8]) -> Vec<u8> {
        let mut at = 8 * (3 + word(bytes, 0));
        let mut raw = Vec::new();
        for block in 0..word(bytes, 0) {
            let size = word(bytes, 3 + block);
            ZlibDecoder::new(&bytes[at..at + size]).read_to_end(&mut raw).unwrap();
            at += size;
        }
        assert_eq!(at, bytes.len());
        raw
    }

    /// Bytes no compressor can shorten, so that the space estimate of a block is tried at its limit.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        };
        (0..length).map(next).collect()
    }

    #[test]
    fn blocks_unpack_to_the_same_bytes() {
        for length in [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES, 100_000] {
            for raw in [noise(length), vec![7; length]] {
                let mut packed = Vec::new();
                append_blocks(&raw, &mut packed);
                assert_eq!(word(&packed, 2), length % BLOCK_BYTES);
                assert_eq!(unpack(&packed), raw);
                assert_eq!(expand_blocks(&packed), Some(raw));
                assert_eq!(expand_blocks(&packed[..packed.len() - 1]), None);
            }
        }
    }
}

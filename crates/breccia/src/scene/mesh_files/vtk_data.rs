//! The data blocks of XML VTK files: base64, lengths and zlib.

use super::cursor::shortened;
use super::vtk_arrays::{ByteOrder, Scalar};
use std::io::Read;

/// How a file stores its binary data.
pub(super) struct Encoding {
    /// Order of the bytes.
    pub order: ByteOrder,
    /// Type of the lengths before the data.
    pub header: Scalar,
    /// Whether blocks are zlib-compressed.
    pub compressed: bool,
}

/// An array as it stands in the file, possibly with more behind it.
pub(super) enum Stored<'a> {
    /// Numbers in words.
    Text(&'a [u8]),
    /// Base64 of the binary data.
    Base64(&'a [u8]),
    /// The binary data.
    Raw(&'a [u8]),
}

impl Stored<'_> {
    /// The numbers.
    pub fn values(&self, scalar: Scalar, encoding: &Encoding) -> Result<Vec<f64>, String> {
        let bytes = match self {
            Self::Text(text) => return parse_words(text),
            Self::Base64(text) => unpack(&decode_base64(text), encoding)?,
            Self::Raw(bytes) => unpack(bytes, encoding)?,
        };
        if bytes.len() % scalar.bytes() != 0 {
            return Err(format!("{} bytes, no multiple of {} per number", bytes.len(), scalar.bytes()));
        }
        Ok(scalar.decode(&bytes, encoding.order))
    }
}

fn parse_words(text: &[u8]) -> Result<Vec<f64>, String> {
    let text = String::from_utf8_lossy(text);
    let number =
        |word: &str| word.parse().map_err(|_| format!("`{}` where a number was expected", shortened(word)));
    text.split_ascii_whitespace().map(number).collect()
}

/// Bytes of base64 text up to the first foreign character. Padding may stand in the middle: the lengths before
/// compressed data are encoded apart from it.
fn decode_base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut digits, mut padding) = (0u32, 0, 0);
    for &character in text.iter().filter(|character| !character.is_ascii_whitespace()) {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                0
            }
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        digits += 1;
        if digits == 4 {
            let three = bits.to_be_bytes();
            bytes.extend(&three[1..4 - padding.min(3)]);
            (bits, digits, padding) = (0, 0, 0);
        }
    }
    bytes
}

/// The data behind its length, or behind the lengths of its compressed blocks.
fn unpack(bytes: &[u8], encoding: &Encoding) -> Result<Vec<u8>, String> {
    let width = encoding.header.bytes();
    let length_at = |i: usize| -> Result<usize, String> {
        let start = i.checked_mul(width);
        let word = start.and_then(|start| bytes.get(start..start.checked_add(width)?));
        let word = word.ok_or_else(|| "the data ends within its lengths".to_owned())?;
        Ok(encoding.header.decode(word, encoding.order).first().map_or(0, |&length| length as usize))
    };
    let ends_early = |wanted: usize| format!("the data ends before {wanted} bytes are read");
    let first = length_at(0)?;
    if !encoding.compressed {
        let data = first.checked_add(width).and_then(|end| bytes.get(width..end));
        return data.map(<[u8]>::to_vec).ok_or_else(|| ends_early(first));
    }
    // Number of blocks, size of each, size of the last if it is smaller, then the compressed sizes.
    let block_size = length_at(1)?;
    let mut at = first.saturating_add(3).saturating_mul(width);
    let mut unpacked = Vec::new();
    for block in 0..first {
        let packed = length_at(block + 3)?;
        let data =
            at.checked_add(packed).and_then(|end| bytes.get(at..end)).ok_or_else(|| ends_early(packed))?;
        let mut inflated = flate2::read::ZlibDecoder::new(data).take(block_size as u64);
        inflated
            .read_to_end(&mut unpacked)
            .map_err(|cause| format!("block {block} does not unpack: {cause}"))?;
        at += packed;
    }
    Ok(unpacked)
}

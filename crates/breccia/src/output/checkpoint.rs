//! Checkpoints: any serialisable state in one file that is either complete and verified or refused.
//!
//! Little-endian header of [`HEADER_BYTES`] bytes, then the payload:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic |
//! | 4 | format version |
//! | 32 | version of the engine, padded with zeros |
//! | 8 | bytes of the payload |
//! | 8 | bytes of the state once unpacked |
//! | 4 | CRC-32 of the payload |
//! | 4 | CRC-32 of the header up to here |
//!
//! The payload is postcard, cut into blocks. In each, the bytes of each place of the 8-byte words are gathered
//! (neighbouring doubles share their leading bytes, which then compress), and the result is LZ4-compressed and
//! stored after its length (u32).
//! `checkpoint` and `checkpoint.previous` lie beside each other; [`read_latest`] takes the newest good one.

use super::OutputError;
use super::atomic::{self, Durability};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"breccia\x1a";

/// Version of the container; raise it when the header or the payload's packing changes.
pub const FORMAT_VERSION: u32 = 1;

/// Length of the header.
pub const HEADER_BYTES: usize = 68;

/// Version of the engine, and how often the layout of the state has changed since it was numbered so.
const ENGINE_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+state.10");

const ENGINE_FIELD_BYTES: usize = 32;

/// Unpacked bytes per compressed block.
const BLOCK_BYTES: usize = 1 << 20;

/// Bytes of a double.
const WORD_BYTES: usize = 8;

/// Why a checkpoint could not be written or read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] OutputError),
    /// Something else lies under that name.
    #[error("{} is not a breccia checkpoint", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Written by a later program.
    #[error(
        "{} has checkpoint format {found}, this breccia reads up to {FORMAT_VERSION}; use the newer breccia that wrote it",
        path.display()
    )]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format version.
        found: u32,
    },
    /// Written by another version of the engine, whose state is laid out differently.
    #[error(
        "{} was written by breccia {found}, this is {ENGINE_VERSION}; continue with the version that wrote it",
        path.display()
    )]
    OtherEngine {
        /// The file.
        path: PathBuf,
        /// Version that wrote it.
        found: String,
    },
    /// Shorter or longer than its header says.
    #[error("{} has {found} bytes where {expected} are needed: it was cut short or added to", path.display())]
    WrongLength {
        /// The file.
        path: PathBuf,
        /// Bytes there.
        found: u64,
        /// Bytes needed.
        expected: u64,
    },
    /// The bytes are not those that were written.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where it shows.
        what: String,
    },
    /// A sound file that holds another kind of state.
    #[error("{} does not hold the expected state: {reason}", path.display())]
    WrongState {
        /// The file.
        path: PathBuf,
        /// What the decoder met.
        reason: String,
    },
    /// The state cannot be serialised.
    #[error("cannot serialise the state: {0}")]
    Serialise(String),
    /// Neither the newest nor the previous checkpoint can be used.
    #[error("no usable checkpoint: {newest}; and the previous one: {previous}")]
    NoneUsable {
        /// Why not the newest.
        newest: Box<CheckpointError>,
        /// Why not the previous.
        previous: Box<CheckpointError>,
    },
}

/// A state read by [`read_latest`].
#[derive(Clone, Debug)]
pub struct Latest<T> {
    /// The state.
    pub state: T,
    /// The file it came from.
    pub path: PathBuf,
    /// Why the newest checkpoint was passed over, if it was.
    pub passed_over: Option<CheckpointError>,
}

/// Name of the checkpoint before the one at `path`: `checkpoint.previous`.
pub fn previous_of(path: &Path) -> PathBuf {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!("{name}.previous"))
}

/// Writes a checkpoint: [`encode`] then [`store`].
pub fn write_checkpoint<T: Serialize>(path: &Path, state: &T) -> Result<(), CheckpointError> {
    store(path, &encode(state)?)
}

/// Packs a state into the bytes of a checkpoint file. Split from [`store`] so that a background thread can
/// wait for the disk.
pub fn encode<T: Serialize>(state: &T) -> Result<Vec<u8>, CheckpointError> {
    let raw = postcard::to_allocvec(state).map_err(|e| CheckpointError::Serialise(e.to_string()))?;
    let blocks: Vec<Vec<u8>> =
        raw.par_chunks(BLOCK_BYTES).map(|block| lz4_flex::compress(&gather(block))).collect();
    let payload_bytes: usize = blocks.iter().map(|block| 4 + block.len()).sum();
    let mut file = Vec::with_capacity(HEADER_BYTES + payload_bytes);
    file.resize(HEADER_BYTES, 0);
    for block in &blocks {
        file.extend((block.len() as u32).to_le_bytes());
        file.extend(block);
    }
    let payload_crc = crc32fast::hash(&file[HEADER_BYTES..]);
    file[..HEADER_BYTES].copy_from_slice(&header(payload_bytes as u64, raw.len() as u64, payload_crc));
    Ok(file)
}

/// Puts packed bytes in place: temporary file, fsync, rename, fsync of the folder. What was there becomes
/// `checkpoint.previous`, unless it is damaged. At every moment one of the two is complete.
pub fn store(path: &Path, bytes: &[u8]) -> Result<(), CheckpointError> {
    let temporary = atomic::write_temporary(path, Durability::Disk, |out| out.write_all(bytes))?;
    if verify(path).is_ok() {
        atomic::replace(path, &previous_of(path))?;
    }
    atomic::replace(&temporary, path)?;
    atomic::sync_folder_of(path)?;
    Ok(())
}

/// Reads the checkpoint at `path` and nothing else.
pub fn read_checkpoint<T: DeserializeOwned>(path: &Path) -> Result<T, CheckpointError> {
    let bytes = read_bytes(path)?;
    let header = Header::checked(path, &bytes)?;
    let raw = unpack(path, &bytes[HEADER_BYTES..], header.raw_bytes)?;
    let wrong = |reason: String| CheckpointError::WrongState { path: path.to_path_buf(), reason };
    let (state, rest) = postcard::take_from_bytes(&raw).map_err(|e| wrong(e.to_string()))?;
    if !rest.is_empty() {
        return Err(wrong(format!("{} bytes are left over", rest.len())));
    }
    Ok(state)
}

/// Reads the checkpoint at `path`, or the one before it where that is missing or bad.
pub fn read_latest<T: DeserializeOwned>(path: &Path) -> Result<Latest<T>, CheckpointError> {
    let newest = match read_checkpoint(path) {
        Ok(state) => return Ok(Latest { state, path: path.to_path_buf(), passed_over: None }),
        Err(error) => error,
    };
    let previous = previous_of(path);
    match read_checkpoint(&previous) {
        Ok(state) => Ok(Latest { state, path: previous, passed_over: Some(newest) }),
        Err(older) => {
            Err(CheckpointError::NoneUsable { newest: Box::new(newest), previous: Box::new(older) })
        }
    }
}

/// Checks that the file at `path` is a complete, undamaged checkpoint of this engine.
pub fn verify(path: &Path) -> Result<(), CheckpointError> {
    Header::checked(path, &read_bytes(path)?).map(|_| ())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    fs::read(path).map_err(|cause: io::Error| OutputError::io("read", path, cause).into())
}

fn header(payload_bytes: u64, raw_bytes: u64, payload_crc: u32) -> [u8; HEADER_BYTES] {
    let mut engine = [0; ENGINE_FIELD_BYTES];
    engine[..ENGINE_VERSION.len()].copy_from_slice(ENGINE_VERSION.as_bytes());
    let mut bytes = Vec::with_capacity(HEADER_BYTES);
    bytes.extend(MAGIC);
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend(engine);
    bytes.extend(payload_bytes.to_le_bytes());
    bytes.extend(raw_bytes.to_le_bytes());
    bytes.extend(payload_crc.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let mut header = [0; HEADER_BYTES];
    header.copy_from_slice(&bytes);
    header
}

/// The header of a file whose checksums hold.
struct Header {
    raw_bytes: u64,
}

impl Header {
    fn checked(path: &Path, file: &[u8]) -> Result<Self, CheckpointError> {
        let path = path.to_path_buf();
        if !file.starts_with(&MAGIC) {
            return Err(match MAGIC.starts_with(file) {
                true => wrong_length(path, file.len(), HEADER_BYTES as u64),
                false => CheckpointError::Foreign { path },
            });
        }
        let Some(version) = word_at(file, 8) else {
            return Err(wrong_length(path, file.len(), HEADER_BYTES as u64));
        };
        if version > FORMAT_VERSION {
            return Err(CheckpointError::NewerFormat { path, found: version });
        }
        if file.len() < HEADER_BYTES {
            return Err(wrong_length(path, file.len(), HEADER_BYTES as u64));
        }
        let (head, payload) = file.split_at(HEADER_BYTES);
        if word_at(head, HEADER_BYTES - 4) != Some(crc32fast::hash(&head[..HEADER_BYTES - 4])) {
            return Err(CheckpointError::Damaged {
                path,
                what: "the checksum of its header is wrong".into(),
            });
        }
        Self::checked_content(path, head, payload)
    }

    /// The rest of the checks, where the header is known to be as written.
    fn checked_content(path: PathBuf, head: &[u8], payload: &[u8]) -> Result<Self, CheckpointError> {
        let engine = String::from_utf8_lossy(&head[12..12 + ENGINE_FIELD_BYTES]);
        let engine = engine.trim_end_matches('\0');
        if engine != ENGINE_VERSION {
            return Err(CheckpointError::OtherEngine { path, found: engine.to_string() });
        }
        let payload_bytes = long_at(head, 44);
        if payload_bytes != payload.len() as u64 {
            return Err(wrong_length(path, head.len() + payload.len(), payload_bytes + HEADER_BYTES as u64));
        }
        if word_at(head, 60) != Some(crc32fast::hash(payload)) {
            return Err(CheckpointError::Damaged {
                path,
                what: "the checksum of its content is wrong".into(),
            });
        }
        Ok(Self { raw_bytes: long_at(head, 52) })
    }
}

fn wrong_length(path: PathBuf, found: usize, expected: u64) -> CheckpointError {
    CheckpointError::WrongLength { path, found: found as u64, expected }
}

fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn long_at(bytes: &[u8], at: usize) -> u64 {
    let half = |at| u64::from(word_at(bytes, at).unwrap_or_default());
    half(at) | half(at + 4) << 32
}

/// Unpacks blocks; every length is checked, so that not even a forged file can do harm.
fn unpack(path: &Path, payload: &[u8], raw_bytes: u64) -> Result<Vec<u8>, CheckpointError> {
    let damaged = |what: &str| CheckpointError::Damaged { path: path.to_path_buf(), what: what.into() };
    let mut blocks = Vec::new();
    let mut rest = payload;
    while !rest.is_empty() {
        let length = word_at(rest, 0).ok_or_else(|| damaged("a block's length is cut off"))? as usize;
        let block = rest.get(4..4 + length).ok_or_else(|| damaged("a block is cut off"))?;
        blocks.push(block);
        rest = &rest[4 + length..];
    }
    let unpack_block = |block: &&[u8]| lz4_flex::decompress(block, BLOCK_BYTES).map(|bytes| scatter(&bytes));
    let unpacked: Result<Vec<Vec<u8>>, _> = blocks.par_iter().map(unpack_block).collect();
    let raw = unpacked.map_err(|e| damaged(&e.to_string()))?.concat();
    if raw.len() as u64 == raw_bytes { Ok(raw) } else { Err(damaged("its unpacked length is wrong")) }
}

/// First bytes of all words, then second bytes, and so on; what is left over at the end stays.
fn gather(block: &[u8]) -> Vec<u8> {
    let (words, rest) = block.as_chunks::<WORD_BYTES>();
    let mut gathered = Vec::with_capacity(block.len());
    for place in 0..WORD_BYTES {
        gathered.extend(words.iter().map(|word| word[place]));
    }
    gathered.extend(rest);
    gathered
}

/// Inverse of [`gather`].
fn scatter(gathered: &[u8]) -> Vec<u8> {
    let count = gathered.len() / WORD_BYTES;
    let mut words = vec![[0; WORD_BYTES]; count];
    for place in 0..WORD_BYTES {
        let bytes = &gathered[place * count..][..count];
        words.iter_mut().zip(bytes).for_each(|(word, &byte)| word[place] = byte);
    }
    let mut block = words.into_flattened();
    block.extend(&gathered[WORD_BYTES * count..]);
    block
}

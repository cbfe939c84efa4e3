use breccia::output::checkpoint::{
    CheckpointError, FORMAT_VERSION, HEADER_BYTES, previous_of, read_checkpoint, read_latest,
    write_checkpoint,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    time: f64,
    step: u64,
    names: Vec<String>,
    positions: Vec<[f64; 3]>,
    history: Option<Vec<u32>>,
}

fn state(bodies: usize) -> State {
    let position = |i: usize| [i as f64 * 0.1, 1.0 / (i as f64 + 1.0), -0.0];
    State {
        time: 0.1 + 0.2,
        step: 12,
        names: vec!["drum".into(), "µ".into()],
        positions: (0..bodies).map(position).collect(),
        history: Some(vec![1, 2, u32::MAX]),
    }
}

fn read(path: &Path) -> Result<State, CheckpointError> {
    read_checkpoint(path)
}

#[test]
fn state_reads_back_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    // The larger one spans several compressed blocks.
    for bodies in [0, 1, 200_000] {
        write_checkpoint(&path, &state(bodies)).unwrap();
        assert_eq!(read(&path).unwrap(), state(bodies));
    }
    let odd = vec![f64::NAN, -0.0, f64::MIN_POSITIVE / 8.0, f64::INFINITY];
    write_checkpoint(&path, &odd).unwrap();
    let back: Vec<f64> = read_checkpoint(&path).unwrap();
    assert!(odd.iter().zip(&back).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn nothing_but_the_two_checkpoints_is_left_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    for step in 0..4_u64 {
        write_checkpoint(&path, &step).unwrap();
    }
    assert_eq!(read_checkpoint::<u64>(&path).unwrap(), 3);
    assert_eq!(read_checkpoint::<u64>(&previous_of(&path)).unwrap(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn cut_files_are_refused_at_every_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    write_checkpoint(&path, &state(20)).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let error = read(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::WrongLength { .. }), "{length}: {error}");
    }
    fs::write(&path, [whole.as_slice(), &[0]].concat()).unwrap();
    assert!(matches!(read(&path).unwrap_err(), CheckpointError::WrongLength { .. }));
}

#[test]
fn every_single_flipped_bit_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    write_checkpoint(&path, &state(20)).unwrap();
    let whole = fs::read(&path).unwrap();
    for bit in 0..8 * whole.len() {
        let mut bad = whole.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bad).unwrap();
        assert!(read(&path).is_err(), "bit {bit} flipped and accepted");
    }
}

proptest! {
    #[test]
    fn random_damage_and_random_files_are_refused(
        at in 0_usize..400,
        junk in proptest::collection::vec(any::<u8>(), 1..64),
        keep_head in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        write_checkpoint(&path, &state(20)).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut bad = if keep_head { whole.clone() } else { Vec::new() };
        let at = at.min(bad.len());
        bad.splice(at..(at + junk.len()).min(bad.len()), junk);
        prop_assume!(bad != whole);
        fs::write(&path, &bad).unwrap();
        prop_assert!(read(&path).is_err());
    }
}

/// A file whose checksums are right though its content is not, as no accident could make it.
fn forge(path: &Path, edit: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    edit(&mut bytes);
    let payload = (bytes.len() - HEADER_BYTES) as u64;
    bytes[44..52].copy_from_slice(&payload.to_le_bytes());
    let crc = crc32fast::hash(&bytes[HEADER_BYTES..]);
    bytes[60..64].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..64]);
    bytes[64..68].copy_from_slice(&crc.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn each_kind_of_wrong_file_gets_its_own_message() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let fresh = || write_checkpoint(&path, &state(3)).unwrap();
    let message = || read(&path).unwrap_err().to_string();

    assert!(message().contains("cannot read") && message().contains("checkpoint"));
    fs::write(&path, "time = 3\n").unwrap();
    assert!(message().ends_with("is not a breccia checkpoint"), "{}", message());

    fresh();
    forge(&path, |bytes| bytes[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes()));
    assert!(
        matches!(read(&path).unwrap_err(), CheckpointError::NewerFormat { found, .. } if found == FORMAT_VERSION + 1)
    );

    fresh();
    forge(&path, |bytes| bytes[12..17].copy_from_slice(b"9.9.9"));
    assert!(message().contains("was written by breccia 9.9.9"), "{}", message());

    fresh();
    forge(&path, |bytes| bytes[HEADER_BYTES..HEADER_BYTES + 4].copy_from_slice(&u32::MAX.to_le_bytes()));
    assert!(message().contains("a block is cut off"), "{}", message());

    fresh();
    forge(&path, |bytes| bytes[52] ^= 1);
    assert!(message().contains("unpacked length"), "{}", message());

    write_checkpoint(&path, &7_u8).unwrap();
    assert!(matches!(read(&path).unwrap_err(), CheckpointError::WrongState { .. }));
    write_checkpoint(&path, &(state(3), 1_u8)).unwrap();
    assert!(message().contains("1 bytes are left over"), "{}", message());
}

#[test]
fn a_bad_or_missing_newest_falls_back_to_the_previous() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    write_checkpoint(&path, &1_u64).unwrap();
    write_checkpoint(&path, &2_u64).unwrap();
    let latest = read_latest::<u64>(&path).unwrap();
    assert_eq!((latest.state, latest.passed_over.is_none()), (2, true));

    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let latest = read_latest::<u64>(&path).unwrap();
    assert_eq!((latest.state, &latest.path), (1, &previous_of(&path)));
    assert!(matches!(latest.passed_over, Some(CheckpointError::WrongLength { .. })));

    // A damaged newest one must not push the good one out.
    write_checkpoint(&path, &3_u64).unwrap();
    assert_eq!(read_checkpoint::<u64>(&previous_of(&path)).unwrap(), 1);

    fs::remove_file(&path).unwrap();
    assert_eq!(read_latest::<u64>(&path).unwrap().state, 1);
    fs::remove_file(previous_of(&path)).unwrap();
    assert!(matches!(read_latest::<u64>(&path).unwrap_err(), CheckpointError::NoneUsable { .. }));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    write_checkpoint(&path, &1_u64).unwrap();
    std::os::unix::fs::symlink("/dev/full", breccia::output::atomic::temporary_name(&path)).unwrap();
    let error = write_checkpoint(&path, &2_u64).unwrap_err().to_string();
    assert!(error.contains("checkpoint: No space left") && error.contains("free some space"), "{error}");
    assert_eq!(read_latest::<u64>(&path).unwrap().state, 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Speed and size on 200 MB of states as a run has them; for docs/dependencies.md.
#[test]
#[ignore = "a measurement; run with --release --ignored --nocapture"]
fn measure_speed() {
    let wave = |i: usize| (i as f64 * 1e-3).sqrt() * 0.37 + ((i * 7919) % 1009) as f64 * 1e-7;
    let history = |i: usize| if i.is_multiple_of(3) { wave(i) } else { 0.0 };
    let data: (Vec<f64>, Vec<f64>, Vec<u32>) = (
        (0..15_000_000).map(wave).collect(),
        (0..8_000_000).map(history).collect(),
        (0..8_000_000).collect(),
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let start = std::time::Instant::now();
    let bytes = breccia::output::checkpoint::encode(&data).unwrap();
    let packed = start.elapsed();
    breccia::output::checkpoint::store(&path, &bytes).unwrap();
    let stored = start.elapsed();
    let back: (Vec<f64>, Vec<f64>, Vec<u32>) = read_checkpoint(&path).unwrap();
    let read = start.elapsed() - stored;
    assert!(back == data);
    println!(
        "packed {packed:?}, stored {:?}, read {read:?}, {} MB",
        stored - packed,
        bytes.len() / 1_000_000
    );
}

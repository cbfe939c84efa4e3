//! How much of the processor a measurement had.

/// Ticks per second of the clocks under `/proc`, the same on every Linux.
const TICKS: f64 = 100.0;

/// Processor time of this program so far, all threads together [s]; none where the system does not tell.
pub fn processor_seconds() -> Option<f64> {
    parse(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// User and system time are fields 14 and 15; the second is a name in brackets that may hold blanks.
fn parse(text: &str) -> Option<f64> {
    let (_, fields) = text.rsplit_once(')')?;
    let ticks = |place: usize| fields.split_whitespace().nth(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_found_behind_odd_names() {
        let text = "14001 (a ) b) R 13999 13999 27497 0 -1 4194304 2856 6533 3 0 53 1 5 1 20 0 1 0";
        assert_eq!(super::parse(text), Some(0.54));
        assert_eq!(super::parse("14001 (short) R 1"), None);
    }
}

//! Time by part of a step, in the rows of the paper's Table 10.

use crate::bench::measure::Row;
use crate::bench::replay::Replay;
use crate::say;
use breccia::diagnostics::Phase;
use serde_json::{Map, Value, json};

/// Steps of the whole experiment, 20 s.
const ALL_STEPS: f64 = 400_000.0;

/// Rows of the table.
const PARTS: [&str; 8] = [
    "DE/DE search",
    "DE/FE search",
    "  bins",
    "  fast test",
    "  H2",
    "pair forces",
    "surface forces",
    "motion",
];

/// What the paper tells, with the fast test and without [%]; not told: nothing.
const PUBLISHED: [[Option<f64>; PARTS.len()]; 2] = [
    [Some(53.9), Some(20.7), Some(4.5), Some(15.1), Some(1.2), None, None, None],
    [Some(51.4), Some(23.9), Some(4.2), None, Some(19.7), None, None, None],
];

/// Time of the whole experiment in the paper, with the fast test and without [s].
const PUBLISHED_TOTAL: [f64; 2] = [105_630.0, 111_041.0];

/// A measurement and its parts.
pub struct Split {
    /// The measurement.
    pub row: Row,
    /// Seconds of the [`PARTS`].
    parts: [f64; PARTS.len()],
}

impl Split {
    /// The parts of a measurement on one thread.
    pub fn new(row: Row, replay: &Replay, fast_test: bool) -> Self {
        let surface = replay.parts(&row);
        let seconds = |phase| row.timers.seconds(phase);
        // Without the test all elements go through the hierarchy.
        let (test, hierarchy) = match fast_test {
            true => (surface.fast_test, surface.hierarchy),
            false => (0.0, surface.fast_test + surface.hierarchy),
        };
        let parts = [
            seconds(Phase::Rebuild) + seconds(Phase::Refresh) - surface.bins,
            surface.bins + test + hierarchy,
            surface.bins,
            test,
            hierarchy,
            seconds(Phase::Pairs),
            surface.forces,
            seconds(Phase::Motion),
        ];
        Self { row, parts }
    }

    /// Time of the whole experiment at this pace [s].
    fn whole(&self) -> f64 {
        self.row.seconds / self.row.steps as f64 * ALL_STEPS
    }

    /// The same as if no other program had run [s].
    fn whole_undisturbed(&self) -> Option<f64> {
        self.row.processor_share().map(|share| share * self.whole())
    }

    /// Parts and pace as JSON.
    pub fn to_json(&self) -> Value {
        let parts: Map<String, Value> =
            PARTS.iter().zip(self.parts).map(|(name, s)| (name.trim().to_owned(), json!(s))).collect();
        json!({
            "row": self.row.to_json(),
            "seconds_by_part": parts,
            "seconds_of_400000_steps": self.whole(),
            "processor_seconds_of_400000_steps": self.whole_undisturbed(),
        })
    }
}

/// The published numbers as JSON.
pub fn published_json() -> Value {
    let column = |index: usize| {
        let shares: Map<String, Value> = PARTS
            .iter()
            .zip(PUBLISHED[index])
            .filter_map(|(name, share)| Some((name.trim().to_owned(), json!(share?))))
            .collect();
        json!({"percent_by_part": shares, "seconds_of_400000_steps": PUBLISHED_TOTAL[index]})
    };
    json!({"with_fast_test": column(0), "without_fast_test": column(1)})
}

/// Both measurements beside the published ones.
pub fn table(with: &Split, without: &Split) -> String {
    let mut text = format!(
        "{:<16} {:>20} {:>20} {:>8} {:>8}\n{:<16} {:>20} {:>20} {:>8} {:>8}\n",
        "one thread",
        "with fast test",
        "without",
        "paper",
        "without",
        "",
        "s        %",
        "s        %",
        "%",
        "%"
    );
    for (place, name) in PARTS.iter().enumerate() {
        let ours = [with, without].map(|split| {
            let seconds = split.parts[place];
            format!("{seconds:>11.4} {:>8.2}", 100.0 * seconds / split.row.seconds)
        });
        let theirs =
            PUBLISHED.map(|column| column[place].map_or("–".to_owned(), |share| format!("{share:.1}")));
        text += &format!("{name:<16} {:>20} {:>20} {:>8} {:>8}\n", ours[0], ours[1], theirs[0], theirs[1]);
    }
    let all = [with, without].map(|split| format!("{:>11.4} {:>8.2}", split.row.seconds, 100.0));
    text += &format!("{:<16} {:>20} {:>20}\n", "all", all[0], all[1]);
    text += "Searches are those of the engine's clock; bins, fast test, H2 and surface forces are told apart by replaying \
             them on the last state. Lists are rebuilt when needed, in the paper at every step.\n";
    text + &whole_run(with, without)
}

fn whole_run(with: &Split, without: &Split) -> String {
    let mut text = String::new();
    for (split, published, name) in
        [(with, PUBLISHED_TOTAL[0], "with the fast test"), (without, PUBLISHED_TOTAL[1], "without")]
    {
        text += &format!(
            "400,000 steps {name}: {} at this pace{}, {:.1} times faster than the paper's {} s (Xeon E5-2670, one thread)\n",
            say::seconds(split.whole()),
            split.row.processor_note(),
            published / split.whole(),
            say::count(published as u64),
        );
    }
    let gain = 100.0 * (1.0 - with.whole() / without.whole());
    text += &format!("the fast test saves {gain:.1} % of the time (paper 4.9 %)");
    if let [Some(with), Some(without)] = [with, without].map(Split::whole_undisturbed) {
        text += &format!(", {:.1} % of the processor time", 100.0 * (1.0 - with / without));
    }
    text + "\n"
}

//! Tables 2 and 3 of Petőcz and Armero, UCB/SEMM-98/06 (1998).

/// A row of both tables.
pub struct Published {
    /// Bodies.
    pub bodies: f64,
    /// Seconds of detection with sorting.
    pub sorting: f64,
    total_sorting: f64,
    /// Seconds of detection without.
    pub no_sorting: Option<f64>,
    total_no_sorting: f64,
    /// Λ as printed.
    printed: (f64, Option<f64>),
}

const fn row(
    bodies: f64,
    (sorting, total_sorting): (f64, f64),
    no_sorting: Option<f64>,
    total_no_sorting: f64,
    printed: (f64, Option<f64>),
) -> Published {
    Published { bodies, sorting, total_sorting, no_sorting, total_no_sorting, printed }
}

/// All rows.
pub const PUBLISHED: [Published; 6] = [
    row(13.0, (0.0085, 0.07), Some(0.1244), 0.29, (0.0012, Some(0.74))),
    row(53.0, (0.0361, 0.90), Some(2.7050), 3.60, (0.0418, Some(2.91))),
    row(104.0, (0.0732, 1.80), Some(10.8600), 12.80, (0.0424, Some(5.60))),
    row(196.0, (0.1386, 3.60), Some(40.3800), 44.23, (0.0400, Some(10.49))),
    row(400.0, (0.3030, 7.64), None, 0.0, (0.0413, None)),
    row(900.0, (0.7540, 16.60), None, 0.0, (0.0476, None)),
];

/// Λ with and without sorting as printed and as recomputed; a star where they differ by more than 2 %.
pub fn ratios(bodies: f64) -> (String, String) {
    let Some(known) = PUBLISHED.iter().find(|known| known.bodies == bodies) else {
        return ("–".to_owned(), "–".to_owned());
    };
    let with = known.sorting / (known.total_sorting - known.sorting);
    let without = known.no_sorting.map(|detection| detection / (known.total_no_sorting - detection));
    let star = |printed: f64, right: f64| if (printed / right - 1.0).abs() > 0.02 { "*" } else { "" };
    let second =
        |value: Option<f64>, star: &str| value.map_or("–".to_owned(), |value| format!("{value:.3}{star}"));
    let second_star = match (known.printed.1, without) {
        (Some(printed), Some(right)) => star(printed, right),
        _ => "",
    };
    let printed = format!(
        "{}{}, {}",
        known.printed.0,
        star(known.printed.0, with),
        second(known.printed.1, second_star)
    );
    (printed, format!("{with:.4}, {}", second(without, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misprints_are_marked() {
        assert_eq!(ratios(13.0), ("0.0012*, 0.740".to_owned(), "0.1382, 0.751".to_owned()));
        assert_eq!(ratios(53.0), ("0.0418, 2.910*".to_owned(), "0.0418, 3.022".to_owned()));
        assert!(!ratios(196.0).0.contains('*'));
        assert_eq!(ratios(900.0).1, "0.0476, –");
    }
}

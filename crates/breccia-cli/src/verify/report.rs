//! What an experiment found: checks, series and plots.

use breccia::output::atomic::{Durability, write_atomically};
use breccia::output::{Column, Image, OutputError, Plot, Table};
use std::path::Path;

/// How far a measured value may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tolerance {
    /// As a part of the expected value.
    Relative(f64),
    /// In the unit of the value.
    Absolute(f64),
    /// The measured value may not be larger than the expected one.
    AtMost,
    /// The measured value may not be smaller than the expected one.
    AtLeast,
}

/// One row of the table.
#[derive(Clone, Debug)]
struct Check {
    quantity: String,
    unit: &'static str,
    expected: f64,
    measured: f64,
    tolerance: Tolerance,
}

impl Check {
    /// A value that is not a number never passes.
    fn passes(&self) -> bool {
        let deviation = (self.measured - self.expected).abs();
        match self.tolerance {
            Tolerance::Relative(part) => deviation <= part * self.expected.abs(),
            Tolerance::Absolute(bound) => deviation <= bound,
            Tolerance::AtMost => self.measured <= self.expected,
            Tolerance::AtLeast => self.measured >= self.expected,
        }
    }

    fn tolerance_text(&self) -> String {
        match self.tolerance {
            Tolerance::Relative(part) if part >= 0.999e-5 => format!("±{} %", plain(100.0 * part)),
            Tolerance::Relative(part) => format!("±{part:e} rel."),
            Tolerance::Absolute(0.0) => "exact".into(),
            Tolerance::Absolute(bound) => format!("±{}", plain(bound)),
            Tolerance::AtMost => "at most".into(),
            Tolerance::AtLeast => "at least".into(),
        }
    }
}

/// A table of numbers for a CSV file.
#[derive(Clone, Debug)]
pub struct Series {
    name: &'static str,
    columns: Vec<Column>,
    rows: Vec<Vec<f64>>,
}

impl Series {
    /// An empty table `name.csv`; columns as name and unit.
    pub fn new(name: &'static str, columns: &[(&str, &str)]) -> Self {
        let columns = columns.iter().map(|&(name, unit)| Column::new(name, unit)).collect();
        Self { name, columns, rows: Vec::new() }
    }

    /// Adds a row, one number per column.
    pub fn push(&mut self, row: &[f64]) {
        self.rows.push(row.to_vec());
    }

    /// All values of a column.
    pub fn column(&self, index: usize) -> Vec<f64> {
        self.rows.iter().map(|row| row[index]).collect()
    }
}

/// What an experiment found.
#[derive(Debug)]
pub struct Report {
    /// Whether a shorter experiment is wanted.
    pub quick: bool,
    checks: Vec<Check>,
    series: Vec<Series>,
    plots: Vec<(&'static str, Plot)>,
    pictures: Vec<(String, Image)>,
    notes: Vec<String>,
}

impl Report {
    /// An empty report.
    pub fn new(quick: bool) -> Self {
        Self {
            quick,
            checks: Vec::new(),
            series: Vec::new(),
            plots: Vec::new(),
            pictures: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Checks a value against an expected one, within a part of the latter.
    pub fn relative(
        &mut self,
        quantity: impl Into<String>,
        unit: &'static str,
        expected: f64,
        measured: f64,
        part: f64,
    ) {
        self.check(quantity.into(), unit, expected, measured, Tolerance::Relative(part));
    }

    /// Checks a value against an expected one, within a bound in the same unit.
    pub fn absolute(
        &mut self,
        quantity: impl Into<String>,
        unit: &'static str,
        expected: f64,
        measured: f64,
        bound: f64,
    ) {
        self.check(quantity.into(), unit, expected, measured, Tolerance::Absolute(bound));
    }

    /// Checks that a value is not larger than a bound.
    pub fn at_most(&mut self, quantity: impl Into<String>, unit: &'static str, bound: f64, measured: f64) {
        self.check(quantity.into(), unit, bound, measured, Tolerance::AtMost);
    }

    /// Checks that a value is not smaller than a bound: that an experiment really had something to look at.
    pub fn at_least(&mut self, quantity: impl Into<String>, unit: &'static str, bound: f64, measured: f64) {
        self.check(quantity.into(), unit, bound, measured, Tolerance::AtLeast);
    }

    /// Adds a series to be written as CSV.
    pub fn series(&mut self, series: Series) {
        self.series.push(series);
    }

    /// Adds a plot to be written as `name.svg` and `name.png`.
    pub fn plot(&mut self, name: &'static str, plot: Plot) {
        self.plots.push((name, plot));
    }

    /// Adds a picture to be written as `name.png`.
    pub fn picture(&mut self, name: impl Into<String>, image: Image) {
        self.pictures.push((name.into(), image));
    }

    /// Adds a line below the table: what was measured without a limit.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Number of checks that passed.
    pub fn passed(&self) -> usize {
        self.checks.iter().filter(|check| check.passes()).count()
    }

    /// Number of checks that failed.
    pub fn failed(&self) -> usize {
        self.checks.len() - self.passed()
    }

    /// The checks as text for a terminal.
    pub fn table(&self) -> String {
        let head = ["quantity", "expected", "measured", "tolerance", ""].map(String::from);
        let rows: Vec<[String; 5]> = std::iter::once(head).chain(self.checks.iter().map(cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3].map(width);
        let mut text = String::new();
        for [quantity, numbers @ .., verdict] in &rows {
            text += &format!("  {quantity:<0$}", widths[0]);
            for (number, width) in numbers.iter().zip(&widths[1..]) {
                text += &format!("  {number:>width$}");
            }
            text += &format!("  {verdict}\n");
        }
        for note in &self.notes {
            text += &format!("  {note}\n");
        }
        text
    }

    /// Writes checks, series and plots into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), OutputError> {
        std::fs::create_dir_all(folder).map_err(|cause| OutputError::io("make folder", folder, cause))?;
        let text = self.checks_csv();
        let path = folder.join("checks.csv");
        write_atomically(&path, Durability::Process, |out| out.write_all(text.as_bytes()))?;
        for series in &self.series {
            let mut table = Table::create(folder.join(format!("{}.csv", series.name)), &series.columns)?;
            series.rows.iter().try_for_each(|row| table.append(row))?;
        }
        for (name, plot) in &self.plots {
            plot.write(&folder.join(format!("{name}.svg")))?;
        }
        for (name, image) in &self.pictures {
            image.write_png(&folder.join(format!("{name}.png")))?;
        }
        Ok(())
    }

    fn check(
        &mut self,
        quantity: String,
        unit: &'static str,
        expected: f64,
        measured: f64,
        tolerance: Tolerance,
    ) {
        self.checks.push(Check { quantity, unit, expected, measured, tolerance });
    }

    fn checks_csv(&self) -> String {
        let mut text = String::from("quantity,unit,expected,measured,tolerance,passed\n");
        for check in &self.checks {
            let quantity = check.quantity.replace('"', "\"\"");
            let (expected, measured) = (check.expected, check.measured);
            let (tolerance, passed) = (check.tolerance_text(), check.passes());
            text +=
                &format!("\"{quantity}\",{},{expected:?},{measured:?},{tolerance},{passed}\n", check.unit);
        }
        text
    }
}

fn cells(check: &Check) -> [String; 5] {
    let quantity = match check.unit {
        "" => check.quantity.clone(),
        unit => format!("{} [{unit}]", check.quantity),
    };
    let verdict = if check.passes() { "pass" } else { "FAIL" };
    [quantity, plain(check.expected), plain(check.measured), check.tolerance_text(), verdict.into()]
}

/// Seven digits, with an exponent where that is shorter.
fn plain(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&size) {
        let whole_digits = if size >= 1.0 { libm::floor(libm::log10(size)) as usize + 1 } else { 0 };
        let text = format!("{value:.*}", 7 - whole_digits.min(7));
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
    } else {
        let text = format!("{value:.6e}");
        match text.split_once('e') {
            Some((digits, power)) if digits.contains('.') => {
                format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_pass_within_their_tolerance_only() {
        let mut report = Report::new(false);
        report.relative("a", "m", 2.0, 2.001, 1e-3);
        report.absolute("b", "", 0.0, -0.5, 0.5);
        report.at_most("c", "", 1.0, -7.0);
        report.at_least("d", "", 1.0, 7.0);
        assert_eq!((report.passed(), report.failed()), (4, 0));
        report.relative("a", "m", 2.0, 2.003, 1e-3);
        report.absolute("b", "", 0.0, f64::NAN, 0.5);
        report.at_most("c", "", 1.0, 1.1);
        report.at_least("d", "", 1.0, f64::NAN);
        assert_eq!((report.passed(), report.failed()), (4, 4));
        assert!(
            report.table().contains("FAIL") && report.checks_csv().contains("\"a\",m,2.0,2.003,±0.1 %,false")
        );
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 3.5, 1e-9, -12.345678901, 1234567.0, f64::NAN, 100.0].map(plain);
        assert_eq!(texts, ["0", "3.5", "1e-9", "-12.34568", "1.234567e6", "NaN", "100"]);
    }
}

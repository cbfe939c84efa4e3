//! Walks through the bytes of a file, as words, lines or binary values.

use super::error::{Fault, Place};
use crate::shapes::mesh::{DOUBLE_PRECISION, SINGLE_PRECISION};
use glam::DVec3;
use std::borrow::Cow;
use std::str::FromStr;

/// What helps with most broken files.
pub(super) const EXPORT_AGAIN: &str = "export the file again";

/// Fewest digits of the longest coordinate that tell of rounding; shorter ones may be exact.
const FEWEST_ROUNDED_DIGITS: usize = 6;

/// Most digits of numbers that were printed from single precision.
const MOST_SINGLE_DIGITS: usize = 9;

/// A place in the bytes of a file.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    longest_coordinate: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1, longest_coordinate: 0 }
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// A mistake on this line.
    pub fn fault(&self, problem: impl Into<String>, remedy: impl Into<String>) -> Fault {
        Fault { place: Place::Line(self.line), problem: problem.into(), remedy: remedy.into() }
    }

    /// A mistake at this offset.
    pub fn binary_fault(&self, problem: impl Into<String>, remedy: impl Into<String>) -> Fault {
        Fault { place: Place::Byte(self.at), problem: problem.into(), remedy: remedy.into() }
    }

    /// The next word; none at the end.
    pub fn word(&mut self) -> Option<Cow<'a, str>> {
        while let Some(byte) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.at += 1;
        }
        let rest = self.rest();
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| String::from_utf8_lossy(&rest[..length]))
    }

    /// The rest of the line, without its end; none at the end of the file.
    pub fn rest_of_line(&mut self) -> Option<Cow<'a, str>> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.at += length;
        let line = String::from_utf8_lossy(&rest[..length]);
        if self.at < self.bytes.len() {
            self.at += 1;
            self.line += 1;
        }
        Some(line)
    }

    /// The next word, without taking it.
    pub fn peek(&self) -> Option<Cow<'a, str>> {
        Self { ..*self }.word()
    }

    /// The next word as a number.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Fault> {
        let Some(word) = self.word() else {
            return Err(self.fault(format!("the file ends where {what} was expected"), EXPORT_AGAIN));
        };
        word.parse().map_err(|_| {
            self.fault(format!("`{}` where {what} was expected", shortened(&word)), "correct the number")
        })
    }

    /// Three coordinates.
    pub fn point(&mut self) -> Result<DVec3, Fault> {
        Ok(DVec3::new(self.coordinate()?, self.coordinate()?, self.coordinate()?))
    }

    fn coordinate(&mut self) -> Result<f64, Fault> {
        let digits = self.peek().map_or(0, |word| significant_digits(&word));
        let value: f64 = self.number("a coordinate")?;
        if !value.is_finite() {
            return Err(self.fault(format!("a coordinate is {value}"), "every coordinate must be finite"));
        }
        self.longest_coordinate = self.longest_coordinate.max(digits);
        Ok(value)
    }

    /// Relative precision of the coordinates read as text: six to nine digits tell of rounding.
    pub fn text_precision(&self) -> f64 {
        match self.longest_coordinate {
            FEWEST_ROUNDED_DIGITS => 5e-7,
            digits if (FEWEST_ROUNDED_DIGITS..=MOST_SINGLE_DIGITS).contains(&digits) => SINGLE_PRECISION,
            _ => DOUBLE_PRECISION,
        }
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], Fault> {
        let rest = self.rest();
        let taken = rest.get(..count).ok_or_else(|| {
            let problem = format!("{what} need {count} bytes, {} are left", rest.len());
            self.binary_fault(problem, EXPORT_AGAIN)
        })?;
        self.at += count;
        Ok(taken)
    }
}

/// The beginning of a word, for messages.
pub(super) fn shortened(word: &str) -> String {
    const KEPT: usize = 40;
    let mut start: String = word.chars().take(KEPT).collect();
    if start.len() < word.len() {
        start.push('…');
    }
    start
}

/// Digits of a number from the first that is not zero, without the exponent.
fn significant_digits(word: &str) -> usize {
    let mantissa = word.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    digits.skip_while(|&digit| digit == b'0').count()
}

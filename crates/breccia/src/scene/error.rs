//! Mistakes in a scene, shown where they were made.
//!
//! A [`Problem`] knows its file, the bytes it is about, what was expected there and how to mend it.
//! [`SceneError`] gathers all problems found in one reading. Both are `miette` diagnostics, for graphical
//! rendering on a terminal, and both print themselves plainly.

use super::source::SourceText;
use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a source text.
pub type Span = Range<usize>;

/// One mistake, or one warning, and the place it is about.
#[derive(Clone, Debug)]
pub struct Problem {
    severity: Severity,
    message: String,
    place: Option<Place>,
    help: Option<String>,
}

/// A stretch of a source text and what is to be said about it.
#[derive(Clone, Debug)]
struct Place {
    source: Arc<SourceText>,
    span: Span,
    label: String,
}

impl Place {
    /// `--> file:line:column`, the line, and carets with the label below it.
    fn excerpt(&self) -> String {
        let (line, column) = self.source.line_and_column(self.span.start);
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let carets = " ".repeat(column - 1) + &"^".repeat(self.source.columns_on_line(&self.span));
        format!(
            "\n{gutter}--> {}:{line}:{column}\n{gutter} |\n{number} | {}\n{gutter} | {carets} {}",
            self.source.name(),
            self.source.line_text(line),
            self.label
        )
    }
}

impl Problem {
    /// A mistake without a place in a file, such as a file that cannot be read.
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), place: None, help: None }
    }

    /// The same as a warning.
    pub(super) fn into_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Points at `span` of `source`; `label` stands at the underlined text.
    pub(super) fn at(mut self, source: &Arc<SourceText>, span: Span, label: impl Into<String>) -> Self {
        let span = source.clamp(span);
        self.place = Some(Place { source: source.clone(), span, label: label.into() });
        self
    }

    /// Adds a way out.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What was expected at the underlined text.
    pub fn label(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.label.as_str())
    }

    /// How to mend it.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Whether it is only a warning.
    pub fn is_warning(&self) -> bool {
        self.severity == Severity::Warning
    }

    /// Name of the file it is about.
    pub fn file(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.source.name())
    }

    /// Line it is about, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.source.line_and_column(place.span.start).0)
    }

    /// Bytes it is about.
    pub fn span(&self) -> Option<Span> {
        self.place.as_ref().map(|place| place.span.clone())
    }

    /// Plain text: message, `file:line:column`, the line, carets under the span, and help.
    pub fn plain(&self) -> String {
        let kind = if self.is_warning() { "warning" } else { "error" };
        let mut text = format!("{kind}: {}", self.message);
        if let Some(place) = &self.place {
            text.push_str(&place.excerpt());
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("\nhelp: {help}"));
        }
        text
    }
}

impl fmt::Display for Problem {
    /// The message alone, as `miette` wants it; see [`Problem::plain`].
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|place| place.source.as_ref() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.place.as_ref()?;
        let label = (!place.label.is_empty()).then(|| place.label.clone());
        Some(Box::new(std::iter::once(LabeledSpan::new(label, place.span.start, place.span.len()))))
    }
}

/// Why a scene was refused: every mistake found, in the order of the file.
#[derive(Clone, Debug)]
pub struct SceneError {
    problems: Vec<Problem>,
}

impl SceneError {
    /// Sorts by place, so that mistakes are shown as they are met in the file.
    pub(super) fn new(mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.span().map_or(0, |span| span.start));
        Self { problems }
    }

    /// The mistakes; at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Plain text of all mistakes, one after the other.
    pub fn plain(&self) -> String {
        let parts: Vec<String> = self.problems.iter().map(Problem::plain).collect();
        parts.join("\n\n")
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.len() {
            1 => out.write_str("the scene has a mistake"),
            count => write!(out, "the scene has {count} mistakes"),
        }
    }
}

impl std::error::Error for SceneError {}

impl Diagnostic for SceneError {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.problems.iter().map(|problem| problem as &dyn Diagnostic)))
    }
}

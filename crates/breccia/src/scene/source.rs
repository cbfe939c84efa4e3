//! The text of a scene or of a table it names, and where its lines are.

use super::error::Span;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// A named text.
#[derive(Debug)]
pub(super) struct SourceText {
    name: String,
    text: String,
}

impl SourceText {
    /// Text of the file shown as `name`.
    pub(super) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// Name shown in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A span that lies in the text, on character boundaries.
    pub(super) fn clamp(&self, span: Span) -> Span {
        let floor = |mut index: usize| {
            index = index.min(self.text.len());
            while !self.text.is_char_boundary(index) {
                index -= 1;
            }
            index
        };
        let start = floor(span.start);
        start..floor(span.end).max(start)
    }

    /// Line and column (in characters) of a byte, both from 1.
    pub(super) fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let before = &self.text[..self.clamp(byte..byte).start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }

    /// Text of a line, counted from 1; tabs as single spaces so that carets stay below their text.
    pub(super) fn line_text(&self, line: usize) -> String {
        self.text.lines().nth(line - 1).unwrap_or_default().replace('\t', " ")
    }

    /// Characters of `span` on its first line, at least 1.
    pub(super) fn columns_on_line(&self, span: &Span) -> usize {
        self.text[span.clone()].lines().next().map_or(1, |first| first.chars().count().max(1))
    }
}

impl SourceCode for SourceText {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, context_lines_before, context_lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line(),
            inner.column(),
            inner.line_count(),
        )))
    }
}

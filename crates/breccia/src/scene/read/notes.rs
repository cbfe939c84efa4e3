//! Mistakes and warnings gathered while a scene is read.

use crate::scene::error::{Problem, Span};
use crate::scene::source::SourceText;
use std::sync::Arc;

/// The source and what has been found wrong with it so far.
pub(in crate::scene) struct Notes {
    source: Arc<SourceText>,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Notes {
    pub(in crate::scene) fn new(source: Arc<SourceText>) -> Self {
        Self { source, errors: Vec::new(), warnings: Vec::new() }
    }

    /// Text of the scene file.
    pub(in crate::scene) fn source(&self) -> &Arc<SourceText> {
        &self.source
    }

    /// Line of a byte of the scene file, from 1.
    pub(in crate::scene) fn line(&self, span: &Span) -> usize {
        self.source.line_and_column(span.start).0
    }

    pub(in crate::scene) fn error(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        let problem = Problem::error(message).at(&self.source, span, label);
        self.errors.push(problem);
    }

    pub(in crate::scene) fn error_with_help(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        let problem = Problem::error(message).at(&self.source, span, label).help(help);
        self.errors.push(problem);
    }

    /// A mistake that is not about the scene file itself.
    pub(in crate::scene) fn push(&mut self, problem: Problem) {
        self.errors.push(problem);
    }

    /// The same, but one that points nowhere yet points at `span` of the scene file.
    pub(in crate::scene) fn push_at_if_nowhere(&mut self, problem: Problem, span: &Span) {
        let placed = match problem.span() {
            Some(_) => problem,
            None => problem.at(&self.source, span.clone(), "named here"),
        };
        self.errors.push(placed);
    }

    pub(in crate::scene) fn warn(
        &mut self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
        help: impl Into<String>,
    ) {
        let problem = Problem::error(message).at(&self.source, span, label).help(help);
        self.warnings.push(problem.into_warning());
    }

    pub(in crate::scene) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Errors and warnings.
    pub(in crate::scene) fn into_parts(self) -> (Vec<Problem>, Vec<Problem>) {
        (self.errors, self.warnings)
    }
}

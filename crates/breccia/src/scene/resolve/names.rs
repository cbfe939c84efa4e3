//! Names given in one table and used in another.

use super::Notes;
use crate::scene::error::Span;
use crate::scene::read::Text;
use crate::scene::suggest;

/// The names of one kind of thing, in order.
pub(super) struct Names {
    what: &'static str,
    names: Vec<(String, Span)>,
}

impl Names {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, names: Vec::new() }
    }

    /// Adds the next name; notes when it is empty or was given before.
    pub(super) fn add(&mut self, name: &str, span: &Span, notes: &mut Notes) {
        self.add_as(self.what, name, span, notes);
    }

    /// Adds the next name, of a thing that messages call `what`.
    pub(super) fn add_as(&mut self, what: &str, name: &str, span: &Span, notes: &mut Notes) {
        if name.trim().is_empty() {
            notes.error(span.clone(), format!("the name of a {what} must not be empty"), "empty name");
        } else if let Some((_, first)) = self.names.iter().find(|(known, _)| known == name) {
            let label = format!("first given on line {}", notes.line(first));
            let help = format!("give this {what} another name");
            notes.error_with_help(span.clone(), format!("the {what} `{name}` is defined twice"), label, help);
        }
        self.names.push((name.to_owned(), span.clone()));
    }

    /// Adds a given name, or `what-N` for one that was left out.
    pub(super) fn add_or_number(
        &mut self,
        prefix: &str,
        name: Option<&Text>,
        header: &Span,
        notes: &mut Notes,
    ) {
        match name {
            Some(name) => self.add(&name.value, &name.span, notes),
            None => self.add(&format!("{prefix}-{}", self.names.len() + 1), header, notes),
        }
    }

    /// Place of a name; notes an unknown one.
    pub(super) fn find(&self, name: &Text, notes: &mut Notes) -> Option<usize> {
        let place = self.names.iter().position(|(known, _)| *known == name.value);
        if place.is_none() {
            let known: Vec<&str> = self.names.iter().map(|(known, _)| known.as_str()).collect();
            let help = suggest::help(&name.value, known.iter().copied());
            let message = format!("unknown {} `{}`", self.what, name.value);
            notes.error_with_help(name.span.clone(), message, format!("no such {}", self.what), help);
        }
        place
    }

    /// Where a name was given.
    pub(super) fn span(&self, place: usize) -> &Span {
        &self.names[place].1
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, place: usize) -> &str {
        &self.names[place].0
    }

    pub(super) fn into_strings(self) -> Vec<String> {
        self.names.into_iter().map(|(name, _)| name).collect()
    }
}

//! Taking known keys out of a TOML table and reporting the rest.

use super::{FromScene, Notes};
use crate::scene::error::Span;
use crate::scene::suggest;
use toml::de::DeTable;

/// A table being read: it remembers which keys were asked for.
pub(in crate::scene) struct TableReader<'a> {
    keys: &'a DeTable<'a>,
    header: Span,
    known: Vec<&'static str>,
    unknown_allowed: bool,
}

impl<'a> TableReader<'a> {
    /// `header` is where messages about the table as a whole point.
    pub(in crate::scene) fn new(keys: &'a DeTable<'a>, header: Span) -> Self {
        Self { keys, header, known: Vec::new(), unknown_allowed: false }
    }

    /// Where the table begins.
    pub(in crate::scene) fn header(&self) -> Span {
        self.header.clone()
    }

    /// The value of `key`, or what its absence means.
    pub(in crate::scene) fn field<T: FromScene>(
        &mut self,
        key: &'static str,
        notes: &mut Notes,
    ) -> Option<T> {
        self.known.push(key);
        if let Some(node) = self.keys.get(key) {
            return T::read(node, notes);
        }
        let absent = T::absent();
        if absent.is_none() {
            self.report_missing(key, notes);
        }
        absent
    }

    fn report_missing(&mut self, key: &'static str, notes: &mut Notes) {
        let message = format!("missing key `{key}`");
        let near = suggest::nearest(key, self.keys.iter().map(|(given, _)| given.get_ref().as_ref()));
        let help = match near {
            Some(near) => format!("`{near}` may have been meant to be `{key}`"),
            None => format!("add `{key} = …` here; `breccia schema` describes every key"),
        };
        notes.error_with_help(self.header.clone(), message, format!("needs `{key}`"), help);
    }

    /// Makes unknown keys pass: the kind of the table is itself unknown.
    pub(in crate::scene) fn allow_unknown_keys(&mut self) {
        self.unknown_allowed = true;
    }

    /// Notes every key nobody asked for.
    pub(in crate::scene) fn report_unknown_keys(&self, notes: &mut Notes) {
        if self.unknown_allowed {
            return;
        }
        for (key, _) in self.keys {
            let name = key.get_ref().as_ref();
            if !self.known.contains(&name) {
                let help = suggest::help(name, self.known.iter().copied());
                notes.error_with_help(
                    key.span(),
                    format!("unknown key `{name}`"),
                    "not a key of this table",
                    help,
                );
            }
        }
    }
}

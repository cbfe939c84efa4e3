//! From TOML to typed tables: each table is declared once, with [`table!`], [`tagged!`] and [`words!`], and that
//! declaration reads it, finds its unknown and missing keys, and describes it in the JSON schema.
//!
//! Reading goes on after a mistake, so that one reading shows them all.

mod declare;
mod kinds;
mod notes;
mod schema;
mod table;
mod values;

pub(super) use declare::{table, tagged, words};
pub(super) use kinds::*;
pub(super) use notes::Notes;
pub(super) use schema::{TableSchema, document};
pub(super) use table::TableReader;
pub(super) use values::{
    AutoOr, Located, OffOr, OneOrMany, OneOrThree, Plane, Quantity, Rate, RateKind, SievePoint, Text, Vector,
};

use super::error::Span;
use serde_json::Value;
use toml::Spanned;
use toml::de::DeValue;

/// A value of the file and where it stands.
pub(super) type Node<'i> = Spanned<DeValue<'i>>;

/// Something a key of a scene can hold.
pub(super) trait FromScene: Sized {
    /// The value of `node`; nothing when it is wrong, which `notes` then says.
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self>;

    /// The value of a key that is not given; nothing for a key that must be.
    fn absent() -> Option<Self> {
        None
    }

    /// JSON schema of the value.
    fn schema() -> Value;
}

/// A set of keys of one table. Sets can share a table: what a body is, and what its kind adds.
pub(super) trait FromTable: Sized {
    /// Takes its keys out of `table`.
    fn read_table(table: &mut TableReader<'_>, notes: &mut Notes) -> Option<Self>;

    /// Adds its keys to the description of the table.
    fn describe(schema: &mut TableSchema);
}

impl<T: FromTable> FromScene for T {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let DeValue::Table(keys) = node.get_ref() else {
            return wrong_type(node, "a table", notes);
        };
        let mut table = TableReader::new(keys, node.span());
        let value = T::read_table(&mut table, notes);
        table.report_unknown_keys(notes);
        value
    }

    fn schema() -> Value {
        let mut schema = TableSchema::default();
        T::describe(&mut schema);
        schema.into_json()
    }
}

impl<T: FromScene> FromScene for Option<T> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        T::read(node, notes).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn schema() -> Value {
        T::schema()
    }
}

impl<T: FromScene> FromScene for Vec<T> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let items = match node.get_ref() {
            DeValue::Array(items) => items,
            DeValue::Table(_) => {
                let help = "there can be several of these: write its header with two brackets, `[[…]]`";
                notes.error_with_help(
                    node.span(),
                    "expected an array, found a table",
                    "one bracket too few",
                    help,
                );
                return None;
            }
            _ => return wrong_type(node, "an array", notes),
        };
        // Every item is read before the first failure counts, so that all mistakes are seen.
        let read: Vec<Option<T>> = items.iter().map(|item| T::read(item, notes)).collect();
        read.into_iter().collect()
    }

    fn absent() -> Option<Self> {
        Some(Vec::new())
    }

    fn schema() -> Value {
        serde_json::json!({ "type": "array", "items": T::schema() })
    }
}

/// Notes that `node` should have been something else.
pub(super) fn wrong_type<T>(node: &Node<'_>, expected: &str, notes: &mut Notes) -> Option<T> {
    let found = match node.get_ref() {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    };
    notes.error(node.span(), format!("expected {expected}, found {found}"), format!("expected {expected}"));
    None
}

/// Reads the text of a document; nothing when it is not TOML or not a scene.
pub(super) fn read_document<T: FromTable>(text: &str, notes: &mut Notes) -> Option<T> {
    let (root, errors) = toml::de::DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        for error in errors {
            let span: Span = error.span().unwrap_or(0..0);
            notes.error(span, format!("this is not TOML: {}", error.message()), "here");
        }
        return None;
    }
    let mut table = TableReader::new(root.get_ref(), 0..0);
    let value = T::read_table(&mut table, notes);
    table.report_unknown_keys(notes);
    value
}

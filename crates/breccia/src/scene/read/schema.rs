//! JSON schema (draft 2020-12) of the declared tables.

use super::FromTable;
use serde_json::{Map, Value, json};

/// Description of a table while its key sets are added.
#[derive(Clone, Default)]
pub(in crate::scene) struct TableSchema {
    description: String,
    properties: Map<String, Value>,
    required: Vec<Value>,
    variants: Vec<TableSchema>,
}

impl TableSchema {
    /// Describes the table itself; the first description stays.
    pub(in crate::scene) fn describe(&mut self, description: &str) {
        if self.description.is_empty() {
            self.description = tidy(description);
        }
    }

    /// Adds a key.
    pub(in crate::scene) fn key(&mut self, name: &str, mut schema: Value, required: bool, description: &str) {
        if let Value::Object(map) = &mut schema {
            map.insert("description".into(), Value::String(tidy(description)));
        }
        self.properties.insert(name.into(), schema);
        if required {
            self.required.push(name.into());
        }
    }

    /// Adds one of the kinds the table can be: the key `tag` holds `word` and `T` adds its keys.
    pub(in crate::scene) fn variant<T: FromTable>(&mut self, tag: &str, word: &str) {
        let mut variant = TableSchema::default();
        T::describe(&mut variant);
        let description = variant.description.clone();
        variant.key(tag, json!({ "const": word }), true, &description);
        self.variants.push(variant);
    }

    /// The schema; a table of several kinds becomes one full object per kind, which every editor understands.
    pub(in crate::scene) fn into_json(mut self) -> Value {
        let variants = std::mem::take(&mut self.variants);
        if variants.is_empty() {
            return json!({
                "type": "object",
                "description": self.description,
                "properties": self.properties,
                "required": self.required,
                "additionalProperties": false,
            });
        }
        let merged = variants.into_iter().map(|variant| {
            let mut whole = self.clone();
            whole.description = variant.description;
            whole.properties.extend(variant.properties);
            whole.required.extend(variant.required);
            whole.variants = variant.variants;
            whole.into_json()
        });
        json!({ "description": self.description, "oneOf": merged.collect::<Vec<_>>() })
    }
}

/// Doc comments as one line of text.
fn tidy(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Schema of a whole document.
pub(in crate::scene) fn document<T: FromTable>(title: &str) -> Value {
    let mut schema = TableSchema::default();
    T::describe(&mut schema);
    let mut json = schema.into_json();
    json["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    json["title"] = json!(title);
    json
}

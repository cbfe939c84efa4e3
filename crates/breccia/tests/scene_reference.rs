//! docs/scene-reference.md lists the keys that scenes have: all of them, and no others.

use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/scene-reference.md");

/// A row of the page: the headings it stands under, its key, its text.
struct Row {
    heading: String,
    key: String,
    text: String,
}

fn rows() -> Vec<Row> {
    let mut heading = String::new();
    let mut rows = Vec::new();
    for line in PAGE.lines() {
        if line.starts_with('#') {
            heading = line.to_owned();
        } else if let Some((key, _)) = line.strip_prefix("| `").and_then(|rest| rest.split_once('`')) {
            rows.push(Row { heading: heading.clone(), key: key.to_owned(), text: line.to_owned() });
        }
    }
    rows
}

/// A key of the schema: the table it belongs to, its name, its description.
struct Key {
    table: String,
    name: String,
    description: String,
    is_tag: bool,
}

fn collect(schema: &Value, table: &str, keys: &mut Vec<Key>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        keys.push(Key {
            table: table.to_owned(),
            name: name.clone(),
            description: property["description"].as_str().unwrap_or_default().to_owned(),
            is_tag: property["const"].is_string(),
        });
        collect(property, name, keys);
    }
    for variant in schema["oneOf"].as_array().into_iter().flatten() {
        collect(variant, table, keys);
    }
    if schema["items"].is_object() {
        collect(&schema["items"], table, keys);
    }
}

fn keys() -> Vec<Key> {
    let mut keys = Vec::new();
    collect(&breccia::scene::schema(), "", &mut keys);
    keys
}

/// Whether a heading is that of a table.
fn is_about(heading: &str, table: &str) -> bool {
    let forms = [format!("`{table}`"), format!("`[{table}]`"), format!("`[[{table}]]`")];
    if table.is_empty() { heading == "## Top level" } else { forms.iter().any(|form| heading.contains(form)) }
}

#[test]
fn every_key_stands_under_its_table_with_its_description() {
    let rows = rows();
    let mut missing = BTreeSet::new();
    for key in keys() {
        let here = rows.iter().filter(|row| is_about(&row.heading, &key.table) && row.key == key.name);
        if !here.into_iter().any(|row| row.text.contains(&key.description)) {
            let what = if key.is_tag { "kind" } else { "key" };
            missing.insert(format!("[{}] {what} `{}`: {}", key.table, key.name, key.description));
        }
    }
    let list: Vec<String> = missing.into_iter().collect();
    assert!(list.is_empty(), "not in docs/scene-reference.md:\n{}", list.join("\n"));
}

#[test]
fn no_other_key_is_promised() {
    let keys = keys();
    for row in rows() {
        let known = keys.iter().any(|key| key.name == row.key && is_about(&row.heading, &key.table));
        assert!(known, "docs/scene-reference.md lists `{}` under \"{}\"", row.key, row.heading);
    }
}

//! The JSON schema of scenes tells what the reader accepts.

use breccia::scene;
use serde_json::Value;
use std::path::Path;

/// A small part of JSON schema: enough to see that what is read is also described.
fn conforms(value: &Value, schema: &Value) -> Result<(), String> {
    for key in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[key].as_array() {
            let matching = choices.iter().filter(|choice| conforms(value, choice).is_ok()).count();
            let wanted = if key == "oneOf" { matching == 1 } else { matching >= 1 };
            return if wanted { Ok(()) } else { Err(format!("{matching} of {key} match {value}")) };
        }
    }
    if let Some(constant) = schema.get("const") {
        return if value == constant { Ok(()) } else { Err(format!("{value} is not {constant}")) };
    }
    if let Some(words) = schema["enum"].as_array() {
        return if words.contains(value) { Ok(()) } else { Err(format!("{value} is not one of {words:?}")) };
    }
    let kind = match value {
        Value::Null | Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = schema["type"].to_string();
    let whole = kind == "number" && allowed.contains("integer");
    if !(whole || allowed.contains(kind)) {
        return Err(format!("{value} is not {allowed}"));
    }
    match value {
        Value::Array(items) => match schema.get("items") {
            Some(inner) => items.iter().try_for_each(|item| conforms(item, inner)),
            None => Ok(()),
        },
        Value::Object(keys) => {
            for required in schema["required"].as_array().into_iter().flatten() {
                keys.get(required.as_str().expect("a key")).ok_or(format!("{required} is missing"))?;
            }
            keys.iter().try_for_each(|(key, inner)| match schema["properties"].get(key) {
                Some(property) => conforms(inner, property).map_err(|error| format!("{key}: {error}")),
                None => Err(format!("{key} is not described")),
            })
        }
        _ => Ok(()),
    }
}

#[test]
fn the_schema_describes_what_is_read() {
    let schema = scene::schema();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good_scenes");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a scene");
    for text in [&read("everything.toml"), &read("meshes.toml"), scene::template()] {
        let document: toml::Table = text.parse().expect("TOML");
        let json = serde_json::to_value(&document).expect("JSON");
        conforms(&json, &schema).unwrap_or_else(|error| panic!("{error}"));
    }
    let mut wrong: toml::Table = scene::template().parse().expect("TOML");
    wrong.insert("colour".into(), "red".into());
    assert!(conforms(&serde_json::to_value(&wrong).expect("JSON"), &schema).is_err());
}

#[test]
fn every_key_is_described() {
    fn undescribed(schema: &Value, path: &str, found: &mut Vec<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            for (key, property) in properties {
                if property["description"].as_str().is_none_or(str::is_empty) {
                    found.push(format!("{path}/{key}"));
                }
                undescribed(property, &format!("{path}/{key}"), found);
            }
        }
        for variant in schema["oneOf"].as_array().into_iter().flatten() {
            undescribed(variant, path, found);
        }
        if schema["items"].is_object() {
            undescribed(&schema["items"], path, found);
        }
    }
    let mut found = Vec::new();
    undescribed(&scene::schema(), "", &mut found);
    assert!(found.is_empty(), "{found:?}");
}

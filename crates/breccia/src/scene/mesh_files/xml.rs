//! The little XML that VTK files use: tags, attributes and the text between them.

use super::error::{Fault, Place};
use std::collections::HashMap;

/// A tag and the text up to the next one.
pub(super) struct Tag<'a> {
    /// Name, with a slash in front for an end.
    pub name: String,
    /// Values of the attributes.
    pub attributes: HashMap<String, String>,
    /// What follows, up to the next tag.
    pub text: &'a [u8],
    /// Where the tag begins [bytes].
    pub at: usize,
    /// Where the text begins [bytes].
    pub text_at: usize,
}

impl Tag<'_> {
    /// Value of an attribute; empty if it is not there.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }
}

/// The next tag from `at`; none at the end. Comments and declarations are passed over.
pub(super) fn next_tag(bytes: &[u8], mut at: usize) -> Result<Option<Tag<'_>>, Fault> {
    loop {
        let Some(start) = find(bytes, at, b"<") else { return Ok(None) };
        let (end_mark, skipped): (&[u8], bool) = if bytes[start..].starts_with(b"<!--") {
            (b"-->", true)
        } else {
            (b">", matches!(bytes.get(start + 1), Some(b'?' | b'!')))
        };
        let Some(end) = find_unquoted(bytes, start + 1, end_mark) else {
            let problem = "a tag that does not end".to_owned();
            return Err(Fault {
                place: Place::Byte(start),
                problem,
                remedy: "export the file again".to_owned(),
            });
        };
        if skipped {
            at = end + end_mark.len();
            continue;
        }
        let inside = String::from_utf8_lossy(&bytes[start + 1..end]);
        let text_at = end + 1;
        let text_end = find(bytes, text_at, b"<").unwrap_or(bytes.len());
        let (name, attributes) = parse_tag(inside.trim_end_matches('/'));
        return Ok(Some(Tag { name, attributes, text: &bytes[text_at..text_end], at: start, text_at }));
    }
}

fn find(bytes: &[u8], from: usize, mark: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(mark.len()).position(|window| window == mark).map(|i| from + i)
}

/// As `find`, but a mark between quotation marks does not count.
fn find_unquoted(bytes: &[u8], from: usize, mark: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (i, &byte) in bytes.iter().enumerate().skip(from) {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if bytes[i..].starts_with(mark) => return Some(i),
            None if mark.len() == 1 && (byte == b'"' || byte == b'\'') => quote = Some(byte),
            None => {}
        }
    }
    None
}

fn parse_tag(inside: &str) -> (String, HashMap<String, String>) {
    let inside = inside.trim();
    let name_end = inside.find(char::is_whitespace).unwrap_or(inside.len());
    let (name, mut rest) = inside.split_at(name_end);
    let mut attributes = HashMap::new();
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((value, tail)) = after[1..].split_once(quote) else { break };
        attributes.insert(key.trim().to_owned(), value.to_owned());
        rest = tail;
    }
    (name.to_owned(), attributes)
}

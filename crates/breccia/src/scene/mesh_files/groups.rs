//! Names of groups, numbered in the order of their first use.

use super::error::Fault;
use std::collections::HashMap;

/// Numbers of named groups.
#[derive(Default)]
pub(super) struct Groups {
    numbers: HashMap<String, u16>,
    names: Vec<String>,
}

impl Groups {
    /// Number of a group.
    pub fn number(&mut self, name: &str) -> Result<u16, Fault> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = u16::try_from(self.names.len())
            .map_err(|_| Fault::of_file("more than 65536 groups", "join groups before exporting"))?;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        Ok(number)
    }

    /// Names by number.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }
}

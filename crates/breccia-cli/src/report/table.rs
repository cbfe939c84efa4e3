//! `table.csv` read back.

/// Columns of a table by name.
#[derive(Debug, Default)]
pub struct Columns {
    columns: Vec<(String, String, Vec<f64>)>,
}

impl Columns {
    /// Reads a table; rows that are not whole are left out.
    pub fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let titles = cells(lines.next().unwrap_or_default());
        let mut columns: Vec<(String, String, Vec<f64>)> =
            titles.iter().map(|title| split_unit(title)).collect();
        for line in lines {
            let numbers: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
            if numbers.len() == columns.len() {
                columns.iter_mut().zip(numbers).for_each(|(column, number)| column.2.push(number));
            }
        }
        Self { columns }
    }

    /// Values of a column.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|column| column.0 == name).map(|column| column.2.as_slice())
    }

    /// Names of the columns whose values are not all the same, with units.
    pub fn changing(&self) -> impl Iterator<Item = (&str, &str)> {
        let changes = |values: &[f64]| values.iter().any(|value| *value != values[0]);
        self.columns
            .iter()
            .filter(move |column| changes(&column.2))
            .map(|column| (column.0.as_str(), column.1.as_str()))
    }
}

/// `kinetic [J]` → kinetic, J, no values.
fn split_unit(title: &str) -> (String, String, Vec<f64>) {
    let (name, unit) = title.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")).unwrap_or((title, ""));
    (name.to_owned(), unit.to_owned(), Vec::new())
}

/// Cells of a row, quoted ones among them.
pub fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let cell = cells.last_mut();
        match (character, cell) {
            ('"', Some(cell)) if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => cells.push(String::new()),
            (other, Some(cell)) => cell.push(other),
            (_, None) => {}
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_with_units_and_without_torn_rows() {
        let table = Columns::parse("time [s],\"a, b [J]\",n\n0,1,5\n1,2,5\n2,3");
        assert_eq!(table.get("a, b"), Some(&[1.0, 2.0][..]));
        assert_eq!(table.changing().collect::<Vec<_>>(), [("time", "s"), ("a, b", "J")]);
        assert_eq!(cells("\"say \"\"x\"\"\",,3"), ["say \"x\"", "", "3"]);
        assert!(Columns::parse("").get("time").is_none());
    }
}

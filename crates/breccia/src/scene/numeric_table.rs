//! Tables of numbers with a header line: comma, semicolon or blank separated, `#` begins a comment.

use super::error::{Problem, Span};
use super::source::SourceText;
use super::suggest;
use std::path::Path;
use std::sync::Arc;

/// Rows of numbers; columns as asked for.
#[derive(Debug)]
pub(super) struct NumericTable {
    source: Arc<SourceText>,
    rows: Vec<Row>,
}

/// A row and where it stands.
#[derive(Debug)]
pub(super) struct Row {
    /// One number for each column asked for; none for optional columns the file does not have.
    pub(super) values: Vec<Option<f64>>,
    /// Bytes of the line.
    pub(super) span: Span,
}

/// A column: its name and whether the file must have it.
pub(super) type Column = (&'static str, bool);

impl NumericTable {
    /// Reads a file.
    pub(super) fn load(path: &Path, columns: &[Column]) -> Result<Self, Problem> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Problem::error(format!("cannot read `{}`: {error}", path.display())))?;
        Self::parse(SourceText::new(path.display().to_string(), text), columns)
    }

    /// Reads a text.
    pub(super) fn parse(source: SourceText, columns: &[Column]) -> Result<Self, Problem> {
        let source = Arc::new(source);
        let mut lines = content_lines(source.text());
        let Some(header) = lines.next() else {
            return Err(Problem::error(format!("the table `{}` is empty", source.name())));
        };
        let fields = fields(source.text(), &header);
        let places = columns
            .iter()
            .map(|column| find_column(column, &fields, &header, &source))
            .collect::<Result<Vec<_>, _>>()?;
        let rows = lines
            .map(|line| read_row(line, fields.len(), &places, &source))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { source: source.clone(), rows })
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A mistake in a row.
    pub(super) fn problem(&self, row: &Row, message: impl Into<String>, label: &str) -> Problem {
        Problem::error(message).at(&self.source, row.span.clone(), label)
    }
}

/// Spans of the lines that hold something, without comments and surrounding blanks.
fn content_lines(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let content = line.split('#').next().unwrap_or_default();
        let trimmed = content.trim();
        let lead = content.len() - content.trim_start().len();
        (!trimmed.is_empty()).then(|| start + lead..start + lead + trimmed.len())
    })
}

/// Spans of the fields of a line.
fn fields(text: &str, line: &Span) -> Vec<Span> {
    let content = &text[line.clone()];
    let separator = [',', ';', '\t'].into_iter().find(|&mark| content.contains(mark));
    let mut spans = Vec::new();
    let mut at = line.start;
    let parts: Vec<&str> = match separator {
        Some(mark) => content.split(mark).collect(),
        None => content.split(' ').collect(),
    };
    for part in parts {
        let lead = part.len() - part.trim_start().len();
        let trimmed = part.trim();
        if separator.is_some() || !trimmed.is_empty() {
            spans.push(at + lead..at + lead + trimmed.len());
        }
        at += part.len() + 1;
    }
    spans
}

fn find_column(
    &(name, required): &Column,
    fields: &[Span],
    header: &Span,
    source: &Arc<SourceText>,
) -> Result<Option<usize>, Problem> {
    let names = || fields.iter().map(|span| source.text()[span.clone()].trim_matches('"'));
    let place = names().position(|field| field.eq_ignore_ascii_case(name));
    if place.is_none() && required {
        let message = format!("the table has no column `{name}`");
        return Err(Problem::error(message)
            .at(source, header.clone(), format!("the header must name `{name}`"))
            .help(suggest::list("columns found: ", names())));
    }
    Ok(place)
}

fn read_row(
    line: Span,
    width: usize,
    places: &[Option<usize>],
    source: &Arc<SourceText>,
) -> Result<Row, Problem> {
    let fields = fields(source.text(), &line);
    if fields.len() != width {
        let message = format!("expected {width} columns as in the header, found {}", fields.len());
        return Err(Problem::error(message).at(source, line, "this row"));
    }
    let number = |place: usize| {
        let span = fields[place].clone();
        let text = &source.text()[span.clone()];
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(Problem::error(format!("`{text}` is not a finite number")).at(
                source,
                span,
                "expected a number",
            )),
        }
    };
    let values = places.iter().map(|place| place.map(number).transpose()).collect::<Result<_, _>>()?;
    Ok(Row { values, span: line })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[("x", true), ("r", true), ("vx", false)];

    fn parse(text: &str) -> Result<Vec<Vec<Option<f64>>>, Problem> {
        let table = NumericTable::parse(SourceText::new("t.csv", text), COLUMNS)?;
        Ok(table.rows.into_iter().map(|row| row.values).collect())
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let rows = parse("# made by hand\nr, colour, X\n0.5, 3, 1e-2\n\n0.25, 4, 7 # last\n").unwrap();
        assert_eq!(rows, [[Some(0.01), Some(0.5), None], [Some(7.0), Some(0.25), None]]);
        assert_eq!(parse("x r vx\n1  2 3\n").unwrap(), [[Some(1.0), Some(2.0), Some(3.0)]]);
        assert_eq!(parse("x;r\r\n1;2\r\n").unwrap(), [[Some(1.0), Some(2.0), None]]);
    }

    #[test]
    fn mistakes_point_at_their_field() {
        for (text, fragment, line) in [
            ("x,y\n1,2\n", "no column `r`", 1),
            ("x,r\n1,2\n1,two\n", "`two` is not a finite number", 3),
            ("x,r\n1,nan\n", "not a finite number", 2),
            ("x,r\n1\n", "expected 2 columns", 2),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.message().contains(fragment), "{text}: {problem}");
            assert_eq!(problem.line(), Some(line), "{text}");
        }
        assert!(parse("").unwrap_err().message().contains("empty"));
        let problem = parse("x,r\n1,two\n").unwrap_err();
        assert_eq!(problem.span(), Some(6..9));
    }
}

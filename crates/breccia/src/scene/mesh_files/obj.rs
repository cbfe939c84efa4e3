//! Wavefront OBJ: vertices, polygons, and groups from `g` or `o`. Everything else is passed over.

use super::cursor::{Cursor, shortened};
use super::error::Fault;
use super::groups::Groups;
use crate::shapes::mesh::RawMesh;

/// Statements that begin most files.
const STATEMENTS: [&str; 9] = ["v", "vn", "vt", "f", "o", "g", "s", "mtllib", "usemtl"];

/// Whether the first statement is one of OBJ.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]);
    let mut statements =
        start.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = statements.next().and_then(|line| line.split_whitespace().next());
    first.is_some_and(|word| STATEMENTS.contains(&word))
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    let mut mesh = RawMesh::default();
    let mut groups = Groups::default();
    let mut group_name = String::new();
    while let Some(statement) = cursor.word() {
        match &*statement {
            "v" => {
                mesh.vertices.push(cursor.point()?);
                cursor.rest_of_line();
            }
            "f" => {
                let polygon = read_face(&mut cursor, mesh.vertices.len())?;
                mesh.polygons.push(polygon);
                mesh.groups.push(groups.number(&group_name)?);
            }
            "g" | "o" => group_name = whole_statement(&mut cursor).0.trim().to_owned(),
            comment if comment.starts_with('#') => {
                cursor.rest_of_line();
            }
            _ => {
                whole_statement(&mut cursor);
            }
        }
    }
    mesh.group_names = groups.into_names();
    mesh.precision = cursor.text_precision();
    Ok(mesh)
}

/// The rest of a statement, which a backslash continues on the next line, and a fault on its first line.
fn whole_statement(cursor: &mut Cursor) -> (String, Fault) {
    let place = cursor.fault("", "a face is written `f 1 2 3` or `f 1/1/1 2/2/2 3/3/3`");
    let mut statement = String::new();
    while let Some(line) = cursor.rest_of_line() {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        match line.strip_suffix('\\') {
            Some(continued) => {
                statement.push_str(continued);
                statement.push(' ');
            }
            None => {
                statement.push_str(line);
                break;
            }
        }
    }
    (statement, place)
}

fn read_face(cursor: &mut Cursor, vertex_count: usize) -> Result<Vec<u32>, Fault> {
    let (statement, place) = whole_statement(cursor);
    let at_place = |problem: String| Fault { problem, ..place.clone() };
    let corner = |word: &str| -> Result<u32, Fault> {
        let number = word.split('/').next().unwrap_or_default();
        let index: i64 = number
            .parse()
            .map_err(|_| at_place(format!("`{}` where a vertex number was expected", shortened(word))))?;
        // Numbers count from 1; negative ones count back from the latest vertex.
        let id = if index < 0 { index.saturating_add(vertex_count as i64) } else { index - 1 };
        let there = (0..vertex_count as i64).contains(&id);
        let missing = || at_place(format!("vertex {index} where {vertex_count} are defined so far"));
        if there { u32::try_from(id).map_err(|_| missing()) } else { Err(missing()) }
    };
    let ids = statement.split_whitespace().map(corner).collect::<Result<Vec<u32>, Fault>>()?;
    if ids.len() < 3 {
        return Err(at_place(format!("a face of {} corners", ids.len())));
    }
    Ok(ids)
}

//! gmsh 2.2 and 4.1, text and binary: triangles and quads, physical groups and their names.

use super::cursor::{Cursor, EXPORT_AGAIN, shortened};
use super::error::Fault;
use super::gmsh_binary::{Numbers, byte_order};
use super::groups::Groups;
use super::vtk_arrays::ByteOrder;
use crate::shapes::mesh::{DOUBLE_PRECISION, RawMesh};
use glam::DVec3;
use std::collections::HashMap;

const TRIANGLE: u32 = 2;
const QUAD: u32 = 3;

/// Surface elements with nodes between the corners: 6, 9 and 10 node triangles, 8, 9 and 16 node quads.
const CURVED: [u32; 6] = [9, 10, 16, 20, 21, 36];

/// Whether the file begins as gmsh files do.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).contains("$MeshFormat")
}

/// What has been read so far.
#[derive(Default)]
pub(super) struct Reading {
    mesh: RawMesh,
    groups: Groups,
    names: HashMap<(i32, i32), String>,
    /// Physical group of each surface entity (4.1).
    physical_of_surface: HashMap<i32, i32>,
    vertex_of_node: HashMap<u64, u32>,
}

/// Layout of the sections.
#[derive(Clone, Copy)]
struct Format {
    /// That of 4.1, else that of 2.2.
    new: bool,
    /// Order of the bytes of a binary file.
    binary: Option<ByteOrder>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    let mut reading = Reading::default();
    let mut format = None;
    while let Some(word) = cursor.word() {
        match (&*word, format) {
            ("$MeshFormat", _) => format = Some(read_format(&mut cursor)?),
            (_, None) => skip_to(&mut cursor, "$MeshFormat")?,
            (section, Some(format)) => reading.read_section(&mut cursor, section, format)?,
        }
    }
    let binary = format.is_some_and(|format| format.binary.is_some());
    reading.mesh.group_names = reading.groups.into_names();
    reading.mesh.precision = if binary { DOUBLE_PRECISION } else { cursor.text_precision() };
    Ok(reading.mesh)
}

fn skip_to(cursor: &mut Cursor, word: &str) -> Result<(), Fault> {
    while let Some(next) = cursor.peek() {
        if next == word {
            return Ok(());
        }
        cursor.word();
    }
    Err(cursor.fault(format!("no `{word}`"), EXPORT_AGAIN))
}

fn skip_section(cursor: &mut Cursor, end: &str) -> Result<(), Fault> {
    skip_to(cursor, end)?;
    cursor.word();
    Ok(())
}

fn read_format(cursor: &mut Cursor) -> Result<Format, Fault> {
    let version: f64 = cursor.number("the version")?;
    let binary: u32 = cursor.number("the file type")?;
    let new = if (2.0..3.0).contains(&version) {
        false
    } else if (4.1..5.0).contains(&version) {
        true
    } else {
        let problem = format!("gmsh version {version}, where 2.2 or 4.1 was expected");
        return Err(cursor.fault(problem, "save it from gmsh with `-format msh41` or `-format msh22`"));
    };
    cursor.rest_of_line();
    let binary = if binary == 0 { None } else { Some(byte_order(cursor)?) };
    Ok(Format { new, binary })
}

impl Reading {
    fn read_section(&mut self, cursor: &mut Cursor, section: &str, format: Format) -> Result<(), Fault> {
        match (section, format.new, format.binary) {
            ("$PhysicalNames", ..) => self.read_names(cursor),
            ("$Entities", true, None) => self.read_entities(cursor),
            ("$Entities", true, Some(order)) => {
                self.read_binary_entities(Numbers::on_next_line(cursor, order))?;
                skip_section(cursor, "$EndEntities")
            }
            ("$Nodes", false, None) => self.read_nodes_2(cursor),
            ("$Nodes", false, Some(order)) => {
                let count = cursor.number("the number of nodes")?;
                self.read_binary_nodes_2(count, Numbers::on_next_line(cursor, order))
            }
            ("$Nodes", true, None) => self.read_nodes_4(cursor),
            ("$Nodes", true, Some(order)) => self.read_binary_nodes_4(Numbers::on_next_line(cursor, order)),
            ("$Elements", false, None) => self.read_elements_2(cursor),
            ("$Elements", false, Some(order)) => {
                let count = cursor.number("the number of elements")?;
                self.read_binary_elements_2(count, Numbers::on_next_line(cursor, order))
            }
            ("$Elements", true, None) => self.read_elements_4(cursor),
            ("$Elements", true, Some(order)) => {
                self.read_binary_elements_4(Numbers::on_next_line(cursor, order))
            }
            (section, ..) if section.starts_with("$End") => Ok(()),
            (section, ..) => match section.strip_prefix('$') {
                Some(name) => skip_section(cursor, &format!("$End{name}")),
                None => {
                    let problem =
                        format!("`{}` where a section such as `$Nodes` was expected", shortened(section));
                    Err(cursor.fault(problem, "check the counts of the section before"))
                }
            },
        }
    }

    /// Remembers a node.
    pub(super) fn place_node(&mut self, node: u64, point: DVec3) {
        self.vertex_of_node.insert(node, self.mesh.vertices.len() as u32);
        self.mesh.vertices.push(point);
    }

    /// Remembers the physical group of a surface; negative tags tell that its orientation is reversed.
    pub(super) fn place_surface(&mut self, tag: i32, physical: i32) {
        self.physical_of_surface.insert(tag, physical.saturating_abs());
    }

    /// Physical group of an entity; 0 for none.
    pub(super) fn physical_of(&self, dimension: i32, entity: i32) -> i32 {
        let on_surface = (dimension == 2).then_some(entity);
        on_surface.and_then(|tag| self.physical_of_surface.get(&tag).copied()).unwrap_or(0)
    }

    /// Vertex of a node.
    pub(super) fn vertex_of(&self, node: u64) -> Option<u32> {
        self.vertex_of_node.get(&node).copied()
    }

    /// Adds a polygon to its group.
    pub(super) fn add_polygon(&mut self, polygon: Vec<u32>, physical: i32) -> Result<(), Fault> {
        let group = self.group(physical)?;
        self.mesh.polygons.push(polygon);
        self.mesh.groups.push(group);
        Ok(())
    }

    fn read_names(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let count: usize = cursor.number("the number of names")?;
        for _ in 0..count {
            let dimension = cursor.number("the dimension of a group")?;
            let tag = cursor.number("the tag of a group")?;
            let name = cursor.rest_of_line().unwrap_or_default();
            self.names.insert((dimension, tag), name.trim().trim_matches('"').to_owned());
        }
        Ok(())
    }

    fn group(&mut self, physical: i32) -> Result<u16, Fault> {
        let name = match self.names.get(&(2, physical)) {
            Some(name) => name.clone(),
            None if physical == 0 => String::new(),
            None => physical.to_string(),
        };
        self.groups.number(&name)
    }

    fn read_entities(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let mut counts = [0usize; 4];
        for count in &mut counts {
            *count = cursor.number("a number of entities")?;
        }
        // Each entity is a line; points and curves are not needed.
        cursor.rest_of_line();
        for _ in 0..counts[0].saturating_add(counts[1]) {
            if cursor.rest_of_line().is_none() {
                return Err(cursor.fault("the file ends within `$Entities`", EXPORT_AGAIN));
            }
        }
        for _ in 0..counts[2] {
            let tag = cursor.number("the tag of a surface")?;
            for _ in 0..6 {
                cursor.number::<f64>("the box of a surface")?;
            }
            let groups: usize = cursor.number("the number of physical groups")?;
            if groups > 0 {
                let physical: i32 = cursor.number("a physical group")?;
                self.place_surface(tag, physical);
            }
            cursor.rest_of_line();
        }
        skip_section(cursor, "$EndEntities")
    }

    fn read_nodes_2(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let count: usize = cursor.number("the number of nodes")?;
        for _ in 0..count {
            let node = cursor.number("the number of a node")?;
            self.add_node(cursor, node)?;
        }
        Ok(())
    }

    fn read_nodes_4(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let blocks: usize = cursor.number("the number of blocks")?;
        for what in ["the number of nodes", "the lowest node", "the highest node"] {
            cursor.number::<u64>(what)?;
        }
        for _ in 0..blocks {
            for what in ["the dimension of a block", "the entity of a block", "the parametric flag"] {
                cursor.number::<i32>(what)?;
            }
            let count: usize = cursor.number("the number of nodes of a block")?;
            let mut nodes = Vec::new();
            for _ in 0..count {
                nodes.push(cursor.number("the number of a node")?);
            }
            for node in nodes {
                self.add_node(cursor, node)?;
                // Parametric coordinates may follow.
                cursor.rest_of_line();
            }
        }
        Ok(())
    }

    fn add_node(&mut self, cursor: &mut Cursor, node: u64) -> Result<(), Fault> {
        self.place_node(node, cursor.point()?);
        Ok(())
    }

    fn read_elements_2(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let count: usize = cursor.number("the number of elements")?;
        for _ in 0..count {
            cursor.number::<u64>("the number of an element")?;
            let kind = cursor.number("the type of an element")?;
            let tags: usize = cursor.number("the number of tags")?;
            let mut physical = 0;
            for i in 0..tags {
                let tag: i32 = cursor.number("a tag")?;
                physical = if i == 0 { tag } else { physical };
            }
            self.add_element(cursor, kind, physical)?;
        }
        Ok(())
    }

    fn read_elements_4(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let blocks: usize = cursor.number("the number of blocks")?;
        for what in ["the number of elements", "the lowest element", "the highest element"] {
            cursor.number::<u64>(what)?;
        }
        for _ in 0..blocks {
            let dimension: i32 = cursor.number("the dimension of a block")?;
            let entity: i32 = cursor.number("the entity of a block")?;
            let kind = cursor.number("the type of an element")?;
            let count: usize = cursor.number("the number of elements of a block")?;
            let physical = self.physical_of(dimension, entity);
            for _ in 0..count {
                cursor.number::<u64>("the number of an element")?;
                self.add_element(cursor, kind, physical)?;
            }
        }
        Ok(())
    }

    /// Reads the nodes of an element; anything but a surface element is passed over with its line.
    fn add_element(&mut self, cursor: &mut Cursor, kind: u32, physical: i32) -> Result<(), Fault> {
        let corners = match kind {
            TRIANGLE => 3,
            QUAD => 4,
            curved if CURVED.contains(&curved) => {
                let problem = format!("an element of type {curved}, which is curved");
                return Err(cursor.fault(problem, "mesh with `-order 1`: walls are planar polygons"));
            }
            _ => {
                cursor.rest_of_line();
                return Ok(());
            }
        };
        let mut polygon = Vec::with_capacity(corners);
        for _ in 0..corners {
            let node: u64 = cursor.number("a node of an element")?;
            let vertex = self.vertex_of(node);
            let missing = || cursor.fault(format!("node {node} is not in `$Nodes`"), EXPORT_AGAIN);
            polygon.push(vertex.ok_or_else(missing)?);
        }
        self.add_polygon(polygon, physical)
    }
}

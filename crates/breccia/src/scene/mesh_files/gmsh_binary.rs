//! The binary sections of gmsh 2.2 and 4.1 files.

use super::cursor::{Cursor, EXPORT_AGAIN};
use super::error::Fault;
use super::gmsh::Reading;
use super::vtk_arrays::{ByteOrder, Scalar};
use glam::DVec3;

/// Numbers of a binary section, one after another.
pub(super) struct Numbers<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    order: ByteOrder,
}

impl<'c, 'a> Numbers<'c, 'a> {
    /// The numbers that begin on the next line.
    pub fn on_next_line(cursor: &'c mut Cursor<'a>, order: ByteOrder) -> Self {
        cursor.rest_of_line();
        Self { cursor, order }
    }

    fn next(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        let bytes = self.cursor.take(scalar.bytes(), "a number")?;
        Ok(scalar.decode(bytes, self.order).first().copied().unwrap_or(0.0))
    }

    fn int(&mut self) -> Result<i32, Fault> {
        Ok(self.next(Scalar::I32)? as i32)
    }

    fn size(&mut self) -> Result<u64, Fault> {
        Ok(self.next(Scalar::U64)? as u64)
    }

    fn point(&mut self) -> Result<DVec3, Fault> {
        let mut point = DVec3::ZERO;
        for axis in 0..3 {
            point[axis] = self.next(Scalar::F64)?;
        }
        if !point.is_finite() {
            return Err(self
                .cursor
                .binary_fault("a coordinate is not finite", "every coordinate must be finite"));
        }
        Ok(point)
    }

    fn skip(&mut self, count: u64, scalar: Scalar) -> Result<(), Fault> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        self.cursor.take(count.saturating_mul(scalar.bytes()), "these numbers").map(drop)
    }
}

/// Order of the bytes, from the number one that follows the format line.
pub(super) fn byte_order(cursor: &mut Cursor) -> Result<ByteOrder, Fault> {
    match *cursor.take(4, "the number one")? {
        [1, 0, 0, 0] => Ok(ByteOrder::Little),
        [0, 0, 0, 1] => Ok(ByteOrder::Big),
        _ => Err(cursor.binary_fault("no number one after the format line", EXPORT_AGAIN)),
    }
}

/// Nodes of the elements of order one; none for others.
fn node_count(kind: u32) -> Option<u64> {
    Some(match kind {
        15 => 1,
        1 => 2,
        2 => 3,
        3 | 4 => 4,
        5 => 8,
        6 => 6,
        7 => 5,
        _ => return None,
    })
}

fn known_node_count(numbers: &Numbers, kind: u32) -> Result<u64, Fault> {
    node_count(kind).ok_or_else(|| {
        let problem = format!("an element of type {kind}, where order one was expected");
        numbers.cursor.binary_fault(problem, "mesh with `-order 1`: walls are planar polygons")
    })
}

/// Whether the element is a triangle or a quad.
fn is_surface(kind: u32) -> bool {
    kind == 2 || kind == 3
}

impl Reading {
    pub(super) fn read_binary_nodes_2(&mut self, count: usize, mut numbers: Numbers) -> Result<(), Fault> {
        for _ in 0..count {
            let node = numbers.int()?;
            let point = numbers.point()?;
            self.place_node(node as u64, point);
        }
        Ok(())
    }

    pub(super) fn read_binary_elements_2(&mut self, count: usize, mut numbers: Numbers) -> Result<(), Fault> {
        let mut read = 0;
        while read < count {
            let kind = numbers.int()? as u32;
            let (block, tags) = (numbers.int()?.max(1), numbers.int()?.max(0));
            let corners = known_node_count(&numbers, kind)?;
            for _ in 0..block {
                numbers.int()?;
                let physical = if tags > 0 { numbers.int()? } else { 0 };
                numbers.skip(tags.saturating_sub(1) as u64, Scalar::I32)?;
                self.add_binary_element(&mut numbers, kind, corners, Scalar::I32, physical)?;
            }
            read = read.saturating_add(block as usize);
        }
        Ok(())
    }

    pub(super) fn read_binary_entities(&mut self, mut numbers: Numbers) -> Result<(), Fault> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = numbers.size()?;
        }
        for (dimension, &count) in counts.iter().enumerate().take(3) {
            for _ in 0..count {
                let tag = numbers.int()?;
                numbers.skip(if dimension == 0 { 3 } else { 6 }, Scalar::F64)?;
                let groups = numbers.size()?;
                if groups > 0 {
                    let physical = numbers.int()?;
                    numbers.skip(groups - 1, Scalar::I32)?;
                    if dimension == 2 {
                        self.place_surface(tag, physical);
                    }
                }
                let bounds = if dimension == 0 { 0 } else { numbers.size()? };
                numbers.skip(bounds, Scalar::I32)?;
            }
        }
        // Volumes are not needed.
        Ok(())
    }

    pub(super) fn read_binary_nodes_4(&mut self, mut numbers: Numbers) -> Result<(), Fault> {
        let blocks = numbers.size()?;
        numbers.skip(3, Scalar::U64)?;
        for _ in 0..blocks {
            let (dimension, _, parametric) = (numbers.int()?, numbers.int()?, numbers.int()?);
            let count = numbers.size()?;
            let mut nodes = Vec::new();
            for _ in 0..count {
                nodes.push(numbers.size()?);
            }
            for node in nodes {
                let point = numbers.point()?;
                self.place_node(node, point);
                numbers.skip(if parametric == 0 { 0 } else { dimension.max(0) as u64 }, Scalar::F64)?;
            }
        }
        Ok(())
    }

    pub(super) fn read_binary_elements_4(&mut self, mut numbers: Numbers) -> Result<(), Fault> {
        let blocks = numbers.size()?;
        numbers.skip(3, Scalar::U64)?;
        for _ in 0..blocks {
            let (dimension, entity, kind) = (numbers.int()?, numbers.int()?, numbers.int()? as u32);
            let physical = self.physical_of(dimension, entity);
            let count = numbers.size()?;
            let corners = known_node_count(&numbers, kind)?;
            for _ in 0..count {
                numbers.size()?;
                self.add_binary_element(&mut numbers, kind, corners, Scalar::U64, physical)?;
            }
        }
        Ok(())
    }

    fn add_binary_element(
        &mut self,
        numbers: &mut Numbers,
        kind: u32,
        corners: u64,
        scalar: Scalar,
        physical: i32,
    ) -> Result<(), Fault> {
        if !is_surface(kind) {
            return numbers.skip(corners, scalar);
        }
        let mut polygon = Vec::new();
        for _ in 0..corners {
            let node = numbers.next(scalar)? as u64;
            let missing =
                || numbers.cursor.binary_fault(format!("node {node} is not in `$Nodes`"), EXPORT_AGAIN);
            polygon.push(self.vertex_of(node).ok_or_else(missing)?);
        }
        self.add_polygon(polygon, physical)
    }
}

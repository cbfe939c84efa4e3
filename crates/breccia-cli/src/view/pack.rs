//! A frame as the page takes it: a JSON head that says what lies where, then arrays of 32-bit numbers.
//!
//! Layout, little endian: `BRF1`, length of the head (u32, a multiple of 4), head, arrays. Polygons come as triangles
//! and edges, lines as pairs of points, each with the cell it belongs to, so that the page only has to draw.

use crate::surface::Surface;
use breccia::output::vtk::{Cells, Field, FieldData, PolyData};
use serde_json::{Value, json};

/// The frame as bytes.
pub fn pack(data: &PolyData) -> Vec<u8> {
    let mut packer = Packer::default();
    packer.floats("position", "point", 3, data.points.iter().flatten().map(|&x| x as f32));
    data.point_fields.iter().for_each(|field| packer.field("point", field));
    data.cell_fields.iter().for_each(|field| packer.field("cell", field));
    let first_line = data.vertices.len();
    let (lines, line_cells) = segments(&data.lines, first_line);
    packer.numbers("lines", "shape", 2, lines);
    packer.numbers("line_cell", "shape", 1, line_cells);
    let surface = Surface::of(data, first_line + data.lines.len());
    packer.numbers("triangles", "shape", 3, surface.triangles);
    packer.numbers("triangle_cell", "shape", 1, surface.triangle_cells);
    packer.numbers("edges", "shape", 2, surface.edges);
    packer.numbers("edge_cell", "shape", 1, surface.edge_cells);
    packer.numbers("edge_is_feature", "shape", 1, surface.features);
    let texts: serde_json::Map<String, Value> =
        data.texts.iter().map(|(name, texts)| (name.clone(), json!(texts))).collect();
    packer.finish(json!({
        "time": data.time,
        "points": data.points.len(),
        "cells": data.cell_count(),
        "polygons": data.polys.len(),
        "texts": texts,
    }))
}

#[derive(Default)]
struct Packer {
    arrays: Vec<Value>,
    body: Vec<u8>,
}

impl Packer {
    fn field(&mut self, on: &str, field: &Field) {
        let (name, n) = (field.name.as_str(), field.components);
        match &field.data {
            FieldData::F64(v) => self.floats(name, on, n, v.iter().map(|&x| x as f32)),
            FieldData::F32(v) => self.floats(name, on, n, v.iter().copied()),
            FieldData::I64(v) => self.floats(name, on, n, v.iter().map(|&x| x as f32)),
            FieldData::U32(v) => self.numbers(name, on, n, v.iter().copied()),
            FieldData::U8(v) => self.numbers(name, on, n, v.iter().map(|&x| u32::from(x))),
        }
    }

    fn floats(&mut self, name: &str, on: &str, components: usize, values: impl IntoIterator<Item = f32>) {
        let offset = self.body.len();
        self.body.extend(values.into_iter().flat_map(f32::to_le_bytes));
        self.note(name, on, components, "f32", offset);
    }

    fn numbers(&mut self, name: &str, on: &str, components: usize, values: impl IntoIterator<Item = u32>) {
        let offset = self.body.len();
        self.body.extend(values.into_iter().flat_map(u32::to_le_bytes));
        self.note(name, on, components, "u32", offset);
    }

    fn note(&mut self, name: &str, on: &str, components: usize, kind: &str, offset: usize) {
        let count = (self.body.len() - offset) / 4;
        self.arrays.push(json!({
            "name": name, "on": on, "components": components, "type": kind, "offset": offset, "count": count,
        }));
    }

    fn finish(self, mut head: Value) -> Vec<u8> {
        head["arrays"] = Value::Array(self.arrays);
        let mut text = head.to_string();
        text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(4) - text.len()));
        let mut bytes = Vec::with_capacity(8 + text.len() + self.body.len());
        bytes.extend(b"BRF1");
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(self.body);
        bytes
    }
}

/// Polylines as pairs of points, with the cell of each pair.
fn segments(lines: &Cells, first_cell: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut pairs, mut owners) = (Vec::new(), Vec::new());
    for (index, line) in lines.iter().enumerate() {
        for pair in line.windows(2) {
            pairs.extend(pair.iter().map(|&point| point as u32));
            owners.push((first_cell + index) as u32);
        }
    }
    (pairs, owners)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two unit squares at a right angle that share an edge, and a line.
    fn bracket() -> PolyData {
        let mut data = PolyData {
            time: Some(0.5),
            points: vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [1., 0., 1.], [1., 1., 1.]],
            ..PolyData::default()
        };
        data.lines.push([0, 1, 2]);
        data.polys.push([0, 1, 2, 3]);
        data.polys.push([1, 4, 5, 2]);
        data.cell_fields = vec![Field::new("load", 1, FieldData::F64(vec![1.0, 2.0, 3.0]))];
        data
    }

    fn unpack(bytes: &[u8]) -> (Value, Vec<u8>) {
        assert_eq!(&bytes[..4], b"BRF1");
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        assert!(length.is_multiple_of(4));
        (serde_json::from_slice(&bytes[8..8 + length]).unwrap(), bytes[8 + length..].to_vec())
    }

    fn numbers(head: &Value, body: &[u8], name: &str) -> Vec<u32> {
        let array = head["arrays"].as_array().unwrap().iter().find(|array| array["name"] == name).unwrap();
        let (offset, count) =
            (array["offset"].as_u64().unwrap() as usize, array["count"].as_u64().unwrap() as usize);
        body[offset..offset + 4 * count]
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&word| u32::from_le_bytes(word))
            .collect()
    }

    #[test]
    fn shapes_and_fields_lie_where_the_head_says() {
        let (head, body) = unpack(&pack(&bracket()));
        assert_eq!(head["time"], 0.5);
        assert_eq!(numbers(&head, &body, "lines"), [0, 1, 1, 2]);
        assert_eq!(numbers(&head, &body, "line_cell"), [0, 0]);
        assert_eq!(numbers(&head, &body, "triangle_cell"), [1, 1, 2, 2]);
        let load: Vec<f32> = numbers(&head, &body, "load").into_iter().map(f32::from_bits).collect();
        assert_eq!(load, [1.0, 2.0, 3.0]);
        assert_eq!(numbers(&head, &body, "position").len(), 18);
    }

    #[test]
    fn creases_and_borders_are_features_and_flat_joints_are_not() {
        let features = |data: &PolyData| {
            let (head, body) = unpack(&pack(data));
            let edges = numbers(&head, &body, "edges");
            let marks = numbers(&head, &body, "edge_is_feature");
            let shared = edges.chunks(2).position(|edge| edge == [1, 2]).unwrap();
            (marks.iter().sum::<u32>(), marks[shared])
        };
        assert_eq!(features(&bracket()), (7, 1));
        let mut flat = bracket();
        flat.points[4] = [2., 0., 0.];
        flat.points[5] = [2., 1., 0.];
        assert_eq!(features(&flat), (6, 0));
    }
}

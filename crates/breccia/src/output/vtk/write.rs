//! The XML around the arrays.

use super::compress::{append_blocks, bytes_of};
use super::{Cells, Field, FieldData, PolyData};
use std::fmt::Write as _;
use std::io::{self, Write};

/// A `.vtp` file in memory: XML up to the data, and the appended arrays it points into.
pub(super) struct Document {
    xml: String,
    appended: Vec<u8>,
}

impl Document {
    pub(super) fn of(data: &PolyData) -> Self {
        let mut document = Self { xml: String::new(), appended: Vec::new() };
        document.open();
        document.line("<FieldData>");
        document.time(data.time);
        data.texts.iter().for_each(|(name, texts)| document.texts(name, texts));
        document.line("</FieldData>");
        document.piece(data);
        document.line("</PolyData>");
        document
    }

    pub(super) fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.xml.as_bytes())?;
        out.write_all(b"<AppendedData encoding=\"raw\">\n_")?;
        out.write_all(&self.appended)?;
        out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    }

    fn line(&mut self, text: &str) {
        self.xml.push_str(text);
        self.xml.push('\n');
    }

    fn open(&mut self) {
        self.line("<?xml version=\"1.0\"?>");
        self.line(
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" \
             compressor=\"vtkZLibDataCompressor\">",
        );
        self.line("<PolyData>");
    }

    fn time(&mut self, time: Option<f64>) {
        let Some(time) = time else { return };
        self.array("TimeValue", "NumberOfTuples=\"1\"", &FieldData::F64(vec![time]));
    }

    /// VTK spells texts as the numbers of their bytes, each text ended by 0.
    fn texts(&mut self, name: &str, texts: &[String]) {
        let (name, count) = (escape(name), texts.len());
        let bytes = texts.iter().flat_map(|text| text.bytes().filter(|&b| b != 0).chain([0]));
        let numbers: Vec<String> = bytes.map(|byte| byte.to_string()).collect();
        self.line(&format!(
            "<Array type=\"String\" Name=\"{name}\" NumberOfTuples=\"{count}\" format=\"ascii\">"
        ));
        self.line(&numbers.join(" "));
        self.line("</Array>");
    }

    fn piece(&mut self, data: &PolyData) {
        let (points, verts) = (data.points.len(), data.vertices.len());
        let (lines, polys) = (data.lines.len(), data.polys.len());
        self.line(&format!(
            "<Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" \
             NumberOfStrips=\"0\" NumberOfPolys=\"{polys}\">"
        ));
        self.fields("PointData", &data.point_fields);
        self.fields("CellData", &data.cell_fields);
        self.line("<Points>");
        let coordinates = FieldData::F64(data.points.iter().flatten().copied().collect());
        self.array("Points", "NumberOfComponents=\"3\"", &coordinates);
        self.line("</Points>");
        self.cells("Verts", &data.vertices);
        self.cells("Lines", &data.lines);
        self.cells("Polys", &data.polys);
        self.line("</Piece>");
    }

    fn fields(&mut self, element: &str, fields: &[Field]) {
        self.line(&format!("<{element}>"));
        for field in fields {
            let components = format!("NumberOfComponents=\"{}\"", field.components);
            self.array(&field.name, &components, &field.data);
        }
        self.line(&format!("</{element}>"));
    }

    fn cells(&mut self, element: &str, cells: &Cells) {
        self.line(&format!("<{element}>"));
        // VTK wants both arrays even where there are no cells.
        self.array("connectivity", "", &FieldData::I64(cells.connectivity.clone()));
        self.array("offsets", "", &FieldData::I64(cells.offsets.clone()));
        self.line(&format!("</{element}>"));
    }

    fn array(&mut self, name: &str, attributes: &str, data: &FieldData) {
        let (kind, name, offset) = (type_name(data), escape(name), self.appended.len());
        // Writing to a String cannot fail.
        let _ = writeln!(
            self.xml,
            "<DataArray type=\"{kind}\" Name=\"{name}\" {attributes} format=\"appended\" offset=\"{offset}\"/>"
        );
        append_blocks(&bytes_of(data), &mut self.appended);
    }
}

fn type_name(data: &FieldData) -> &'static str {
    match data {
        FieldData::F64(_) => "Float64",
        FieldData::F32(_) => "Float32",
        FieldData::I64(_) => "Int64",
        FieldData::U32(_) => "UInt32",
        FieldData::U8(_) => "UInt8",
    }
}

/// Text safe inside XML attributes and elements. Control characters are not allowed in XML at all.
pub(in super::super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

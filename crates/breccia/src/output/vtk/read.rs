//! Frames read back: the `.vtp` files that [`super::PolyData::write`] writes, and no others.
//!
//! A file may be damaged or written by somebody else, so nothing in it is believed: every place, length and index is
//! checked before it is used, and memory is only taken for what is really there.

use super::compress::expand_blocks;
use super::{Cells, Field, FieldData, PolyData, attribute, unescape};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why a frame could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        cause: io::Error,
    },
    /// The file is cut short, damaged, or not one of ours.
    #[error("{} is damaged or was not written by breccia: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Begins the appended arrays.
const APPENDED: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
/// Ends them.
const END: &[u8] = b"\n</AppendedData>\n</VTKFile>\n";

type Reading<T> = Result<T, String>;

impl PolyData {
    /// Reads a `.vtp` file written by [`PolyData::write`].
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let bytes = fs::read(path).map_err(|cause| ReadError::Io { path: path.into(), cause })?;
        Self::from_bytes(&bytes).map_err(|reason| ReadError::Damaged { path: path.into(), reason })
    }

    /// Reads the contents of a `.vtp` file.
    fn from_bytes(bytes: &[u8]) -> Reading<Self> {
        let split = find(bytes, APPENDED).ok_or("it has no appended data")?;
        let appended = bytes[split + APPENDED.len()..].strip_suffix(END).ok_or("its end is missing")?;
        let xml = std::str::from_utf8(&bytes[..split]).map_err(|_| "its head is no text")?;
        let data = Parser { appended, section: Section::None, data: Self::default() }.parse(xml)?;
        data.check()?;
        Ok(data)
    }

    /// Whether fields are as long as they must be and cells name points that exist.
    fn check(&self) -> Reading<()> {
        self.check_lengths().map_err(|error| error.to_string())?;
        for (what, cells) in [("vertex", &self.vertices), ("line", &self.lines), ("polygon", &self.polys)] {
            let points = 0..self.points.len() as i64;
            if !cells.connectivity.iter().all(|point| points.contains(point)) {
                return Err(format!("a {what} names a point that is not there"));
            }
            let ordered = cells.offsets.windows(2).all(|pair| pair[0] <= pair[1]);
            let ends_well = cells.offsets.last().copied().unwrap_or(0) == cells.connectivity.len() as i64;
            if !ordered || !ends_well || cells.offsets.first().is_some_and(|&first| first < 0) {
                return Err(format!("the {what} cells do not fit their points"));
            }
        }
        Ok(())
    }
}

/// Part of the file the lines belong to.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    FieldData,
    PointData,
    CellData,
    Points,
    Verts,
    Lines,
    Polys,
}

struct Parser<'a> {
    appended: &'a [u8],
    section: Section,
    data: PolyData,
}

impl Parser<'_> {
    /// Our writer puts every tag on a line of its own.
    fn parse(mut self, xml: &str) -> Reading<PolyData> {
        let mut lines = xml.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("<DataArray ") {
                self.array(line)?;
            } else if line.starts_with("<Array ") {
                let name = unescape(attribute(line, "Name").ok_or("an array has no name")?);
                let texts = texts(lines.next().unwrap_or_default())?;
                self.data.texts.push((name, texts));
            } else {
                self.open(line);
            }
        }
        Ok(self.data)
    }

    fn open(&mut self, line: &str) {
        self.section = match line {
            "<FieldData>" => Section::FieldData,
            "<PointData>" => Section::PointData,
            "<CellData>" => Section::CellData,
            "<Points>" => Section::Points,
            "<Verts>" => Section::Verts,
            "<Lines>" => Section::Lines,
            "<Polys>" => Section::Polys,
            other if other.starts_with("</") && other != "</Array>" => Section::None,
            _ => self.section,
        };
    }

    fn array(&mut self, line: &str) -> Reading<()> {
        let name = unescape(attribute(line, "Name").ok_or("an array has no name")?);
        let offset: usize = number(line, "offset")?;
        let components =
            if line.contains(" NumberOfComponents=") { number(line, "NumberOfComponents")? } else { 1 };
        let stored = self.appended.get(offset..).ok_or_else(|| format!("array {name} is missing"))?;
        let raw = expand_blocks(stored).ok_or_else(|| format!("array {name} is cut short"))?;
        let kind = attribute(line, "type").unwrap_or_default();
        let values = values_of(kind, &raw).ok_or_else(|| format!("array {name} has odd values"))?;
        self.place(name, components, values)
    }

    fn place(&mut self, name: String, components: usize, values: FieldData) -> Reading<()> {
        let data = &mut self.data;
        match (self.section, values) {
            (Section::FieldData, FieldData::F64(v)) if name == "TimeValue" => data.time = v.first().copied(),
            (Section::PointData, values) => data.point_fields.push(Field::new(name, components, values)),
            (Section::CellData, values) => data.cell_fields.push(Field::new(name, components, values)),
            (Section::Points, FieldData::F64(v)) if v.len().is_multiple_of(3) => {
                data.points = v.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
            }
            (Section::Verts, FieldData::I64(v)) => fill(&mut data.vertices, &name, v),
            (Section::Lines, FieldData::I64(v)) => fill(&mut data.lines, &name, v),
            (Section::Polys, FieldData::I64(v)) => fill(&mut data.polys, &name, v),
            _ => return Err(format!("array {name} is not where it belongs")),
        }
        Ok(())
    }
}

fn fill(cells: &mut Cells, name: &str, values: Vec<i64>) {
    match name {
        "connectivity" => cells.connectivity = values,
        _ => cells.offsets = values,
    }
}

fn number(line: &str, name: &str) -> Reading<usize> {
    attribute(line, name).and_then(|text| text.parse().ok()).ok_or_else(|| format!("an array has no {name}"))
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark)
}

/// Texts spelled as the numbers of their bytes, each ended by 0.
fn texts(line: &str) -> Reading<Vec<String>> {
    let bytes: Result<Vec<u8>, _> = line.split_whitespace().map(str::parse).collect();
    let bytes = bytes.map_err(|_| "a list of texts is damaged")?;
    let texts = bytes.split_inclusive(|&byte| byte == 0);
    Ok(texts
        .map(|text| String::from_utf8_lossy(text.strip_suffix(&[0]).unwrap_or(text)).into_owned())
        .collect())
}

fn values_of(kind: &str, raw: &[u8]) -> Option<FieldData> {
    fn words<const N: usize, T>(raw: &[u8], value: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let (words, rest) = raw.as_chunks::<N>();
        rest.is_empty().then(|| words.iter().map(|&word| value(word)).collect())
    }
    Some(match kind {
        "Float64" => FieldData::F64(words(raw, f64::from_le_bytes)?),
        "Float32" => FieldData::F32(words(raw, f32::from_le_bytes)?),
        "Int64" => FieldData::I64(words(raw, i64::from_le_bytes)?),
        "UInt32" => FieldData::U32(words(raw, u32::from_le_bytes)?),
        "UInt8" => FieldData::U8(raw.to_vec()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> PolyData {
        let mut data = PolyData {
            time: Some(0.25),
            texts: vec![("wall_names".into(), vec!["floor".into(), String::new(), "a < \"b\" & ü".into()])],
            points: vec![[0.0, 1.5, -2.0], [1e-300, 0.0, 1.0], [3.0, f64::MAX, 0.5], [0.5; 3]],
            point_fields: vec![
                Field::new("velocity", 3, FieldData::F32((0..12).map(|i| i as f32).collect())),
                Field::new("odd \"name\" <&>", 1, FieldData::U8(vec![1, 2, 3, 4])),
            ],
            ..PolyData::default()
        };
        data.vertices = Cells::one_per_point(1);
        data.lines.push([0, 1]);
        data.polys.push([0, 1, 2]);
        data.polys.push([3, 2, 1, 0]);
        data.cell_fields = vec![
            Field::new("wall", 1, FieldData::U32(vec![4, 5, 6, 7])),
            Field::new("big", 1, FieldData::I64(vec![i64::MIN, 0, 1, i64::MAX])),
            Field::new("load", 1, FieldData::F64(vec![f64::NAN.copysign(1.0), 0.0, 1.0, -0.0])),
        ];
        data
    }

    fn bytes_of(data: &PolyData) -> Vec<u8> {
        let mut bytes = Vec::new();
        super::super::write::Document::of(data).write_to(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_was_written_is_read() {
        let mut data = sample();
        // NaN is not equal to itself.
        data.cell_fields.pop();
        assert_eq!(PolyData::from_bytes(&bytes_of(&data)).unwrap(), data);
        let empty = PolyData::default();
        assert_eq!(PolyData::from_bytes(&bytes_of(&empty)).unwrap(), empty);
        let many = PolyData {
            points: (0..20_000).map(|i| [f64::from(i); 3]).collect(),
            vertices: Cells::one_per_point(20_000),
            ..PolyData::default()
        };
        assert_eq!(PolyData::from_bytes(&bytes_of(&many)).unwrap(), many);
    }

    #[test]
    fn every_shorter_file_is_refused() {
        let bytes = bytes_of(&sample());
        for length in 0..bytes.len() {
            assert!(PolyData::from_bytes(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
    }

    #[test]
    fn damaged_bytes_never_bring_the_reader_down() {
        let bytes = bytes_of(&sample());
        for at in 0..bytes.len() {
            for value in [0, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                // Some damage cannot be told; it must only not panic.
                let _ = PolyData::from_bytes(&damaged);
            }
        }
    }

    #[test]
    fn cells_that_name_missing_points_are_refused() {
        let mut data = sample();
        data.polys.connectivity[0] = 4;
        assert!(PolyData::from_bytes(&bytes_of(&data)).unwrap_err().contains("polygon"));
        data.polys.connectivity[0] = -1;
        assert!(PolyData::from_bytes(&bytes_of(&data)).is_err());
        let mut data = sample();
        data.polys.offsets[0] = 99;
        assert!(PolyData::from_bytes(&bytes_of(&data)).is_err());
    }
}

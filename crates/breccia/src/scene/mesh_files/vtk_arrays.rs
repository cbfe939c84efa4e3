//! Numbers and cells as both kinds of VTK files store them.

use crate::shapes::mesh::{DOUBLE_PRECISION, SINGLE_PRECISION};

/// Type of stored numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    F32,
    F64,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl Scalar {
    /// The type with a name in a legacy or an XML file.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            "char" | "signed_char" | "int8" => Self::I8,
            "unsigned_char" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "unsigned_short" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "unsigned_int" | "uint32" => Self::U32,
            "long" | "int64" | "vtktypeint64" | "vtkidtype" | "long_long" => Self::I64,
            "unsigned_long" | "uint64" | "unsigned_long_long" => Self::U64,
            _ => return None,
        })
    }

    /// Bytes per number.
    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 | Self::U64 => 8,
        }
    }

    /// Relative precision of coordinates of this type.
    pub fn precision(self) -> f64 {
        if self == Self::F32 { SINGLE_PRECISION } else { DOUBLE_PRECISION }
    }

    /// The numbers in a slice; bytes that do not fill one are left out. Integers beyond 2⁵³ are rounded: no
    /// mesh has that many vertices.
    pub fn decode(self, bytes: &[u8], order: ByteOrder) -> Vec<f64> {
        bytes.chunks_exact(self.bytes()).map(|chunk| self.decode_one(chunk, order)).collect()
    }

    fn decode_one(self, chunk: &[u8], order: ByteOrder) -> f64 {
        let mut little = [0; 8];
        for (i, &byte) in chunk.iter().enumerate() {
            little[if order == ByteOrder::Little { i } else { chunk.len() - 1 - i }] = byte;
        }
        let bits = u64::from_le_bytes(little);
        match self {
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
            Self::I8 => f64::from(bits as i8),
            Self::I16 => f64::from(bits as i16),
            Self::I32 => f64::from(bits as i32),
            Self::I64 => bits as i64 as f64,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => bits as f64,
        }
    }
}

/// Lists of ids that follow each other: cell i reaches from the end of the one before to `ends[i]`.
pub(super) fn cut_cells(ends: &[f64], ids: &[f64], point_count: usize) -> Result<Vec<Vec<u32>>, String> {
    let mut cells = Vec::with_capacity(ends.len());
    let mut start = 0;
    for &end in ends {
        let stop = end as usize;
        let cell = (end >= start as f64).then(|| ids.get(start..stop)).flatten();
        let cell =
            cell.ok_or_else(|| format!("offset {end} after {start}, where {} ids are stored", ids.len()))?;
        let cell = cell.iter().map(|&id| vertex_id(id, point_count)).collect::<Result<_, _>>()?;
        cells.push(cell);
        start = stop;
    }
    Ok(cells)
}

/// A vertex id that is there.
pub(super) fn vertex_id(id: f64, point_count: usize) -> Result<u32, String> {
    let there = id >= 0.0 && id < point_count as f64 && id.fract() == 0.0 && id <= f64::from(u32::MAX);
    if there { Ok(id as u32) } else { Err(format!("point {id}, where {point_count} are stored")) }
}

/// The triangles of a strip; every second one runs the other way round.
pub(super) fn strip_triangles(strip: &[u32]) -> Vec<Vec<u32>> {
    let triangle =
        |(i, w): (usize, &[u32])| if i % 2 == 0 { vec![w[0], w[1], w[2]] } else { vec![w[1], w[0], w[2]] };
    strip.windows(3).enumerate().map(triangle).collect()
}

/// The polygons of a cell of an unstructured grid; none for points, lines and volumes.
pub(super) fn cell_polygons(kind: f64, cell: Vec<u32>) -> Result<Vec<Vec<u32>>, String> {
    const STRIP: u32 = 6;
    const PIXEL: u32 = 8;
    match kind as u32 {
        5 | 7 | 9 => Ok(vec![cell]),
        STRIP => Ok(strip_triangles(&cell)),
        PIXEL if cell.len() == 4 => Ok(vec![vec![cell[0], cell[1], cell[3], cell[2]]]),
        22 | 23 | 28 | 30 | 34 | 69 | 70 => Err(format!("a curved surface cell (type {kind})")),
        _ => Ok(Vec::new()),
    }
}

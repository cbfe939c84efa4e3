//! Writes meshes in every format that is read.

use breccia::shapes::mesh::RawMesh;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

pub fn stl_text(mesh: &RawMesh) -> Vec<u8> {
    let mut out = String::from("solid a part\n");
    for polygon in &mesh.polygons {
        out += " facet normal 0 0 nan\n  outer loop\n";
        for &id in polygon {
            let v = mesh.vertices[id as usize].as_vec3();
            let _ = writeln!(out, "   vertex {} {:e} {}", v.x, v.y, v.z);
        }
        out += "  endloop\n endfacet\n";
    }
    (out + "endsolid a part\n").into_bytes()
}

pub fn stl_binary(mesh: &RawMesh, header: &str) -> Vec<u8> {
    let mut out = header.as_bytes().to_vec();
    out.resize(80, b' ');
    out.extend((mesh.polygons.len() as u32).to_le_bytes());
    for polygon in &mesh.polygons {
        out.extend([0; 12]);
        for &id in polygon {
            let corner = mesh.vertices[id as usize].as_vec3().to_array();
            out.extend(corner.iter().flat_map(|x| x.to_le_bytes()));
        }
        out.extend([0; 2]);
    }
    out
}

pub fn obj(mesh: &RawMesh) -> Vec<u8> {
    let mut out = String::from("# a comment \\\nmtllib x.mtl\n");
    for v in &mesh.vertices {
        let _ = writeln!(out, "v {} {} {}\nvn 0 0 1", v.x, v.y, v.z);
    }
    for (i, polygon) in mesh.polygons.iter().enumerate() {
        if let Some(&group) = mesh.groups.get(i) {
            let _ = writeln!(out, "g {}", mesh.group_names[group as usize]);
        }
        out += "f";
        for &id in polygon {
            let one = id + 1;
            let _ = match i % 4 {
                0 => write!(out, " {one}"),
                1 => write!(out, " {one}/1/{one}"),
                2 => writeln!(out, " {one}//{one} \\"),
                _ => write!(out, " -{}", mesh.vertices.len() as u32 - id),
            };
        }
        out += " # end\n";
    }
    out.into_bytes()
}

pub fn gmsh_2(mesh: &RawMesh) -> Vec<u8> {
    let mut out =
        String::from("$Comments\nmade by a test\n$EndComments\n$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    let _ = writeln!(out, "$PhysicalNames\n{}", mesh.group_names.len() + 1);
    let _ = writeln!(out, "1 1 \"a curve\"");
    for (i, name) in mesh.group_names.iter().enumerate() {
        let _ = writeln!(out, "2 {} \"{name}\"", i + 1);
    }
    let _ = writeln!(out, "$EndPhysicalNames\n$Nodes\n{}", mesh.vertices.len());
    for (i, v) in mesh.vertices.iter().enumerate() {
        let _ = writeln!(out, "{} {} {} {}", 10 + 3 * i, v.x, v.y, v.z);
    }
    let _ =
        writeln!(out, "$EndNodes\n$Elements\n{}\n1 15 2 1 1 10\n2 1 2 1 1 10 13", mesh.polygons.len() + 2);
    for (i, polygon) in mesh.polygons.iter().enumerate() {
        let kind = polygon.len() - 1;
        let _ = write!(out, "{} {kind} 2 {} 7", i + 3, mesh.groups[i] + 1);
        for &id in polygon {
            let _ = write!(out, " {}", 10 + 3 * id);
        }
        out += "\n";
    }
    (out + "$EndElements\n").into_bytes()
}

/// Each group is a surface of its own; groups must follow each other.
pub fn gmsh_4(mesh: &RawMesh) -> Vec<u8> {
    let groups = mesh.group_names.len();
    let mut out = String::from("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    let _ = writeln!(out, "$PhysicalNames\n{groups}");
    for (i, name) in mesh.group_names.iter().enumerate() {
        let _ = writeln!(out, "2 {} \"{name}\"", i + 1);
    }
    let _ = writeln!(out, "$EndPhysicalNames\n$Entities\n1 1 {groups} 0\n1 0 0 0 0\n1 0 0 0 1 1 1 0 2 1 -1");
    for i in 0..groups {
        let _ = writeln!(out, "{} 0 0 0 1 1 1 1 {} 2 1 -1", 20 + i, i + 1);
    }
    let n = mesh.vertices.len();
    let _ = writeln!(out, "$EndEntities\n$Nodes\n2 {n} 1 {n}\n0 1 0 1\n1");
    for (i, v) in mesh.vertices.iter().enumerate() {
        if i == 1 {
            let _ = writeln!(out, "2 20 1 {}", n - 1);
            for tag in 2..=n {
                let _ = writeln!(out, "{tag}");
            }
        }
        let parameters = if i == 0 { "" } else { " 0.5 0.5" };
        let _ = writeln!(out, "{} {} {}{parameters}", v.x, v.y, v.z);
    }
    let count = mesh.polygons.len();
    let _ =
        writeln!(out, "$EndNodes\n$Elements\n{} {} 1 {}\n1 1 1 1\n1 1 2", count + 1, count + 1, count + 1);
    for (i, polygon) in mesh.polygons.iter().enumerate() {
        let _ = write!(out, "2 {} {} 1\n{}", 20 + mesh.groups[i], polygon.len() - 1, i + 2);
        for &id in polygon {
            let _ = write!(out, " {}", id + 1);
        }
        out += "\n";
    }
    (out + "$EndElements\n$Periodic\n0\n$EndPeriodic\n").into_bytes()
}

/// Both versions in binary, in either order of bytes.
pub fn gmsh_binary(mesh: &RawMesh, new: bool, big: bool) -> Vec<u8> {
    let ordered = |mut bytes: Vec<u8>| {
        if big {
            bytes.reverse();
        }
        bytes
    };
    let int = |x: u32| ordered(x.to_le_bytes().to_vec());
    let size = |x: usize| ordered((x as u64).to_le_bytes().to_vec());
    let point = |i: usize| mesh.vertices[i].to_array().map(|x| ordered(x.to_le_bytes().to_vec())).concat();
    let zeros = |count: usize| vec![0; 8 * count];
    let (n, groups, count) = (mesh.vertices.len(), mesh.group_names.len(), mesh.polygons.len());
    let mut out = format!("$MeshFormat\n{} 1 8\n", if new { "4.1" } else { "2.2" }).into_bytes();
    out.extend(int(1));
    let _ = writeln!(out, "\n$EndMeshFormat\n$PhysicalNames\n{groups}");
    for (i, name) in mesh.group_names.iter().enumerate() {
        let _ = writeln!(out, "2 {} \"{name}\"", i + 1);
    }
    let _ = writeln!(out, "$EndPhysicalNames");
    if !new {
        let _ = writeln!(out, "$Nodes\n{n}");
        (0..n).for_each(|i| out.extend([int(10 + i as u32), point(i)].concat()));
        let _ = writeln!(out, "\n$EndNodes\n$Elements\n{}", count + 1);
        out.extend([15, 1, 2, 1, 1, 7, 10].map(int).concat());
        for (i, polygon) in mesh.polygons.iter().enumerate() {
            let kind = polygon.len() as u32 - 1;
            out.extend([kind, 1, 2, i as u32 + 2, u32::from(mesh.groups[i]) + 1, 7].map(int).concat());
            polygon.iter().for_each(|&id| out.extend(int(10 + id)));
        }
        out.extend(b"\n$EndElements\n");
        return out;
    }
    out.extend(b"$Entities\n");
    out.extend([1, 1, groups, 0].map(size).concat());
    out.extend([int(1), zeros(3), size(0)].concat());
    out.extend([int(1), zeros(6), size(0), size(2), int(1), int(1)].concat());
    for i in 0..groups {
        out.extend([int(20 + i as u32), zeros(6), size(1), int(i as u32 + 1), size(1), int(1)].concat());
    }
    out.extend(b"\n$EndEntities\n$Nodes\n");
    out.extend([2, n, 1, n].map(size).concat());
    for (start, end, dimension) in [(0, 1, 0), (1, n, 2)] {
        out.extend([int(dimension), int(20), int(1), size(end - start)].concat());
        (start..end).for_each(|i| out.extend(size(i + 1)));
        (start..end).for_each(|i| out.extend([point(i), zeros(dimension as usize)].concat()));
    }
    out.extend(b"\n$EndNodes\n$Elements\n");
    out.extend([count + 1, count + 1, 1, count + 1].map(size).concat());
    out.extend([int(1), int(1), int(1), size(1), size(1), size(1), size(2)].concat());
    for (i, polygon) in mesh.polygons.iter().enumerate() {
        let group = 20 + u32::from(mesh.groups[i]);
        out.extend([int(2), int(group), int(polygon.len() as u32 - 1), size(1), size(i + 2)].concat());
        polygon.iter().for_each(|&id| out.extend(size(id as usize + 1)));
    }
    out.extend(b"\n$EndElements\n");
    out
}

/// Layout of the cells of a legacy file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Layout {
    Polydata,
    PolydataOffsets,
    Grid,
}

pub fn vtk_legacy(mesh: &RawMesh, layout: Layout, binary: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let dataset = if layout == Layout::Grid { "UNSTRUCTURED_GRID" } else { "POLYDATA" };
    let coding = if binary { "BINARY" } else { "ASCII" };
    let _ = write!(out, "# vtk DataFile Version 5.1\ntitle\n{coding}\nDATASET {dataset}\n");
    let ints = |out: &mut Vec<u8>, values: &[i64], wide: bool| {
        for &value in values {
            match (binary, wide) {
                (false, _) => out.extend(format!("{value} ").bytes()),
                (true, true) => out.extend(value.to_be_bytes()),
                (true, false) => out.extend((value as i32).to_be_bytes()),
            }
        }
        out.push(b'\n');
    };
    let _ = writeln!(out, "POINTS {} double", mesh.vertices.len());
    for x in mesh.vertices.iter().flat_map(|v| v.to_array()) {
        if binary { out.extend(x.to_be_bytes()) } else { out.extend(format!("{x} ").bytes()) }
    }
    let _ = write!(out, "\nMETADATA\nINFORMATION 0\n\n");
    let n = mesh.polygons.len();
    let ids: Vec<i64> = mesh.polygons.iter().flatten().map(|&id| i64::from(id)).collect();
    if layout == Layout::PolydataOffsets {
        let _ = writeln!(out, "POLYGONS {} {}\nOFFSETS vtktypeint64", n + 1, ids.len());
        let mut offsets = vec![0];
        mesh.polygons.iter().for_each(|p| offsets.push(offsets[offsets.len() - 1] + p.len() as i64));
        ints(&mut out, &offsets, true);
        let _ = writeln!(out, "CONNECTIVITY vtktypeint64");
        ints(&mut out, &ids, true);
    } else {
        let word = if layout == Layout::Grid { "CELLS" } else { "POLYGONS" };
        let _ = writeln!(out, "{word} {n} {}", n + ids.len());
        let cell = |p: &Vec<u32>| {
            [&[p.len() as i64], &p.iter().map(|&i| i64::from(i)).collect::<Vec<_>>()[..]].concat()
        };
        ints(&mut out, &mesh.polygons.iter().flat_map(cell).collect::<Vec<_>>(), false);
    }
    if layout == Layout::Grid {
        let _ = writeln!(out, "CELL_TYPES {n}");
        let kind = |p: &Vec<u32>| match p.len() {
            3 => 5,
            4 => 9,
            _ => 7,
        };
        ints(&mut out, &mesh.polygons.iter().map(kind).collect::<Vec<_>>(), false);
    }
    let _ = write!(out, "CELL_DATA {n}\nSCALARS anything int 1\n");
    out
}

/// Where and how an XML file keeps its numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Data {
    Ascii,
    Inline,
    AppendedRaw,
    AppendedBase64,
}

/// Polydata with double coordinates and 64-bit lengths, or single and 32-bit with `narrow`.
pub fn vtp(mesh: &RawMesh, data: Data, compressed: bool, narrow: bool) -> Vec<u8> {
    let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let header = if narrow { "UInt32" } else { "UInt64" };
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<!-- a > comment -->\n<VTKFile type=\"PolyData\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"{header}\"{compressor}>\n<PolyData>\n\
         <Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n",
        mesh.vertices.len(),
        mesh.polygons.len()
    )
    .into_bytes();
    let mut appended = Vec::new();
    let mut array = |out: &mut Vec<u8>, kind: &str, name: &str, bytes: Vec<u8>, words: String| {
        let packed = pack(&bytes, data, compressed, narrow);
        let _ = match data {
            Data::Ascii => write!(out, "<DataArray type='{kind}' Name=\"{name}\" format=\"ascii\">\n{words}"),
            Data::Inline => write!(
                out,
                "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">\n{}",
                String::from_utf8_lossy(&packed)
            ),
            _ => write!(
                out,
                "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{}\">",
                appended.len()
            ),
        };
        if matches!(data, Data::AppendedRaw | Data::AppendedBase64) {
            appended.extend(packed);
        }
        out.extend(b"\n</DataArray>\n");
    };
    let words = |values: &[f64]| values.iter().map(|x| format!("{x} ")).collect::<String>();
    let coordinates: Vec<f64> = mesh.vertices.iter().flat_map(|v| v.to_array()).collect();
    let (kind, bytes) = if narrow {
        ("Float32", coordinates.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect())
    } else {
        ("Float64", coordinates.iter().flat_map(|x| x.to_le_bytes()).collect())
    };
    out.extend(b"<PointData></PointData><Points>");
    array(&mut out, kind, "Points", bytes, words(&coordinates));
    out.extend(b"</Points><Polys>");
    let ids: Vec<f64> = mesh.polygons.iter().flatten().map(|&id| f64::from(id)).collect();
    let mut end = 0.0;
    let mut ends = Vec::new();
    for polygon in &mesh.polygons {
        end += polygon.len() as f64;
        ends.push(end);
    }
    for (name, values) in [("connectivity", ids), ("offsets", ends)] {
        let bytes = values.iter().flat_map(|&x| (x as i32).to_le_bytes()).collect();
        array(&mut out, "Int32", name, bytes, words(&values));
    }
    out.extend(b"</Polys></Piece></PolyData>");
    if !appended.is_empty() {
        let coding = if data == Data::AppendedRaw { "raw" } else { "base64" };
        let _ = write!(out, "<AppendedData encoding=\"{coding}\">\n_");
        out.extend(appended);
        out.extend(b"\n</AppendedData>");
    }
    out.extend(b"</VTKFile>");
    out
}

fn pack(bytes: &[u8], data: Data, compressed: bool, narrow: bool) -> Vec<u8> {
    const BLOCK: usize = 64;
    let length = |n: usize| {
        if narrow { (n as u32).to_le_bytes().to_vec() } else { (n as u64).to_le_bytes().to_vec() }
    };
    let mut lengths = Vec::new();
    let mut body = Vec::new();
    if compressed {
        let blocks: Vec<Vec<u8>> = bytes
            .chunks(BLOCK)
            .map(|block| {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(block).expect("memory");
                encoder.finish().expect("memory")
            })
            .collect();
        lengths.extend([length(blocks.len()), length(BLOCK), length(bytes.len() % BLOCK)].concat());
        for block in blocks {
            lengths.extend(length(block.len()));
            body.extend(block);
        }
    } else {
        lengths.extend(length(bytes.len()));
        body.extend(bytes);
    }
    match data {
        Data::Ascii | Data::AppendedRaw => [lengths, body].concat(),
        // As VTK does: lengths of compressed blocks are encoded apart, the single length with its data.
        _ if compressed => [base64(&lengths), base64(&body)].concat(),
        _ => base64(&[lengths, body].concat()),
    }
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits = three.iter().chain(&[0; 2]).take(3).fold(0u32, |bits, &b| bits << 8 | u32::from(b));
        let digit =
            |i: usize| if i > three.len() { b'=' } else { DIGITS[(bits >> (18 - 6 * i) & 63) as usize] };
        (0..4).map(digit).collect::<Vec<u8>>()
    };
    bytes.chunks(3).flat_map(group).collect()
}

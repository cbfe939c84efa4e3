//! What `breccia check` tells about a mesh.

use crate::check::point;
use crate::say;
use breccia::model::{MeshSurface, Wall};
use breccia::motion::MotionKind;
use breccia::scene::{LoadedMesh, Scene};
use breccia::shapes::mesh::{EdgeKind, FindingKind, PolygonMesh, Severity};

/// The mesh in words, one line for each side of it.
pub fn lines(scene: &Scene, loaded: &LoadedMesh) -> Vec<String> {
    let wall = &scene.model.walls[usize::from(loaded.wall.0)];
    let Some(surface) = wall.mesh() else { return Vec::new() };
    let mesh = &surface.mesh;
    let mut lines = vec![
        format!("\"{}\" from {}: {}", wall.name, loaded.file.display(), elements(mesh)),
        edges(mesh),
        format!("{}, {}", closedness(mesh), sides(mesh)),
    ];
    if let Some((low, high)) = mesh.bounding_box() {
        lines.push(format!("from {} to {} m", point(low), point(high)));
    }
    lines.extend(groups(scene, surface, wall, loaded));
    lines.push(motion(wall));
    let findings = loaded.report.findings.iter().filter(|finding| finding.kind != FindingKind::Size);
    lines.extend(findings.map(|finding| {
        let kind = if finding.severity == Severity::Mended { "mended" } else { "note" };
        format!("{kind}: {finding}")
    }));
    let heads = std::iter::once("mesh").chain(std::iter::repeat(""));
    heads.zip(lines).map(|(head, line)| format!("{head:<13}{line}")).collect()
}

/// `1 quad`, `2 quads`.
fn plural(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", say::count(count as u64), if count == 1 { "" } else { "s" })
}

/// `3 of one, 2 of another`, without what there is none of.
fn listed(counts: &[(usize, &str)]) -> String {
    let parts = counts.iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, what)| format!("{} {what}", say::count(*count as u64))).collect::<Vec<_>>().join(", ")
}

fn elements(mesh: &PolygonMesh) -> String {
    let corners = |wanted: fn(usize) -> bool| {
        mesh.elements.iter().filter(|element| wanted(element.vertices.as_slice().len())).count()
    };
    let [triangles, quads, others] = [corners(|n| n == 3), corners(|n| n == 4), corners(|n| n > 4)];
    let counts =
        [(triangles, "triangle", ""), (quads, "quad", ""), (others, "polygon", " of 5 to 8 corners")];
    let parts = counts.iter().filter(|(count, ..)| *count > 0);
    parts.map(|(count, noun, more)| plural(*count, noun) + more).collect::<Vec<_>>().join(", ")
}

fn edges(mesh: &PolygonMesh) -> String {
    let kinds = |kind| mesh.edges.iter().filter(|edge| edge.kind == kind).count();
    let counts = listed(&[
        (kinds(EdgeKind::Convex), "convex"),
        (kinds(EdgeKind::Coplanar), "coplanar"),
        (kinds(EdgeKind::Concave), "concave"),
        (kinds(EdgeKind::Boundary), "at a boundary"),
    ]);
    format!("edges: {counts}")
}

fn closedness(mesh: &PolygonMesh) -> String {
    if mesh.is_closed() {
        format!("closed, encloses {} m³", say::number(mesh.volume().abs()))
    } else {
        "open".to_owned()
    }
}

fn sides(mesh: &PolygonMesh) -> &'static str {
    match (mesh.two_sided, mesh.is_closed()) {
        (true, _) => "two-sided",
        (false, false) => "one-sided",
        (false, true) if mesh.volume() < 0.0 => "one-sided, facing inwards: bodies are inside",
        (false, true) => "one-sided, facing outwards: bodies are outside",
    }
}

fn groups(scene: &Scene, surface: &MeshSurface, wall: &Wall, loaded: &LoadedMesh) -> Vec<String> {
    let name_of = |id| scene.model.material(id).name.as_str();
    if loaded.groups.iter().all(String::is_empty) {
        return vec![format!("of {}", name_of(wall.material))];
    }
    let group = |(number, name): (usize, &String)| {
        let own = surface.mesh.elements.iter().filter(|element| usize::from(element.group) == number);
        let material = surface.materials.get(number).copied().unwrap_or(wall.material);
        let elements = plural(own.count(), "element");
        format!("group \"{name}\": {elements} of {}", name_of(material))
    };
    loaded.groups.iter().enumerate().map(group).collect()
}

fn motion(wall: &Wall) -> String {
    let kinds = wall.motion.parts.iter().map(|part| match part.kind {
        MotionKind::Translation { .. } => "translation",
        MotionKind::Rotation { .. } => "rotation",
        MotionKind::Oscillation { .. } => "oscillation",
        MotionKind::Rocking { .. } => "rocking",
        MotionKind::Table { .. } => "table of poses",
    });
    let kinds: Vec<&str> = kinds.collect();
    if kinds.is_empty() { "at rest".to_owned() } else { format!("moved by {}", kinds.join(", then ")) }
}

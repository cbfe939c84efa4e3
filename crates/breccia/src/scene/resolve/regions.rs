//! Regions that spheres are generated in.

use super::bodies::Context;
use super::{Notes, check, domain};
use crate::model::Surface;
use crate::scene::error::Span;
use crate::scene::file::{MeshRegionTable, RegionTable};
use crate::scene::generate::MeshRegion;
use crate::scene::plan::Region;
use crate::shapes::mesh::{EdgeElements, PolygonMesh};
use glam::DVec3;

/// A region inside the domain that the largest sphere fits into.
pub(super) fn resolve(
    table: &RegionTable,
    largest_radius: f64,
    context: &Context<'_>,
    notes: &mut Notes,
) -> Region {
    let (region, span) = match table {
        RegionTable::Box(table) => {
            check::corners(table.min.value, table.max.value, &table.max.span, notes);
            (Region::Box { min: table.min.value, max: table.max.value }, &table.span)
        }
        RegionTable::Cylinder(table) => {
            let radius = check::positive("radius", &table.radius, notes);
            let along = table.to.value - table.from.value;
            let (axis, length) = check::unit("to", along, &table.to.span, notes);
            (Region::Cylinder { start: table.from.value, axis, length, radius }, &table.span)
        }
        RegionTable::Sphere(table) => {
            let radius = check::positive("radius", &table.radius, notes);
            (Region::Sphere { centre: table.centre.value, radius }, &table.span)
        }
        RegionTable::Mesh(table) => match mesh_region(table, context, notes) {
            Some(region) => (Region::Mesh(region), &table.span),
            None => return Region::Box { min: DVec3::ZERO, max: DVec3::ZERO },
        },
    };
    domain::check_inside(context.domain, region.bounds(), span, notes);
    check_room(&region, largest_radius, context, span, notes);
    region
}

fn check_room(region: &Region, radius: f64, context: &Context<'_>, span: &Span, notes: &mut Notes) {
    let room = region.largest_fitting_radius(context.domain);
    let message = format!("spheres of radius {radius} m do not fit into this region");
    if room > 0.0 && radius > room {
        let help = format!("whole spheres stay inside: the largest that fits has a radius of {room} m");
        notes.error_with_help(span.clone(), message, "too small", help);
    } else if let Region::Mesh(mesh) = region
        && radius > 0.0
        && !mesh.fits(radius)
    {
        let help = "whole spheres stay inside, and no place was found for one: make the spheres smaller";
        notes.error_with_help(span.clone(), message, "too narrow", help);
    }
}

/// The inside of the mesh a table names; nothing when there is none, which `notes` then says.
fn mesh_region(table: &MeshRegionTable, context: &Context<'_>, notes: &mut Notes) -> Option<MeshRegion> {
    let name = &table.mesh;
    let wall = context.walls.get(context.wall_names.find(name, notes)?)?;
    let Surface::Mesh(surface) = &wall.surface else {
        let message = format!("`{}` is a wall, not a mesh", name.value);
        let help = "write the region out: shape = \"box\", \"cylinder\" or \"sphere\"";
        notes.error_with_help(name.span.clone(), message, "no mesh", help);
        return None;
    };
    // A mesh without elements could not be read, which has been noted.
    if surface.mesh.elements.is_empty() {
        return None;
    }
    let region = MeshRegion::new(name.value.clone(), surface.clone(), wall.motion.pose(0.0));
    if region.is_none() {
        let message = format!(
            "the mesh `{}` is open: it has no inside to put spheres in ({})",
            name.value,
            free_edges(&surface.mesh)
        );
        let help = "close its holes, or give a region of shape \"box\", \"cylinder\" or \"sphere\" in front of its surface";
        notes.error_with_help(name.span.clone(), message, "not closed", help);
    } else if !surface.mesh.two_sided && surface.mesh.volume() > 0.0 {
        let message = format!("the mesh `{}` faces outwards: bodies cannot be inside", name.value);
        let help = "write facing = \"inwards\" for a container, or two_sided = true for a thin shell";
        notes.error_with_help(name.span.clone(), message, "an obstacle", help);
    }
    region
}

/// How many edges of a mesh have one element only, and where the first is.
fn free_edges(mesh: &PolygonMesh) -> String {
    let free = || mesh.edges.iter().filter(|edge| matches!(edge.elements, EdgeElements::One(_)));
    let place = free().next().map_or(DVec3::ZERO, |edge| mesh.vertices[edge.vertices[0] as usize]);
    format!("{} free edges, the first at {} {} {} m", free().count(), place.x, place.y, place.z)
}

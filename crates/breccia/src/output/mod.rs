//! Everything that writes files: frames for ParaView, the table, checkpoints, pictures and plots.
//!
//! Writers take plain data; only [`observe`], [`observe_solids`] and what is about bonds look at a run. A file appears under its final name only
//! when it is complete (see [`atomic`]); every failure names the file and the cause.

pub mod atomic;
mod bond_frame;
pub mod checkpoint;
mod error;
pub mod frames;
pub mod measures;
pub mod mesh_frame;
pub mod observe;
mod observe_bonds;
pub mod observe_grains;
pub mod observe_solids;
pub mod picture;
pub mod plot;
pub mod run_folder;
pub mod table;
mod ticks;
pub mod triangulate;
pub mod vtk;
pub mod wall_mesh;
pub mod writer;

pub use bond_frame::BondFrame;
pub use checkpoint::{CheckpointError, read_checkpoint, read_latest, write_checkpoint};
pub use error::OutputError;
pub use frames::{ContactFrame, FrameSeries, FrameSet, SphereFrame, WallFrame, WallSurface};
pub use mesh_frame::{MeshFrame, MeshPiece};
pub use observe_bonds::{breakage_plot, fragment_plot, write_broken_bonds};
pub use picture::{
    FlatPage, FlatScene, FlatShape, Image, PictureOptions, PictureScene, render, render_flat,
    render_flat_page, rim,
};
pub use plot::Plot;
pub use run_folder::RunFolder;
pub use table::{Column, Table};
pub use wall_mesh::{ClipBox, WallMesh, flat_wall, surface_polygons, tessellate};
pub use writer::BackgroundWriter;

//! Meshes: topology, the doctor, and files.

mod broken_files;
mod builders;
mod doctor;
mod files;
mod topology;
mod writers;

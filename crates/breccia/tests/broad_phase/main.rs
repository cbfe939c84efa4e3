//! Searches against brute force.

mod cell_grid;
mod components;

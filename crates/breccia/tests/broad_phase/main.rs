//! Searches against brute force.

mod binary_tree;
mod cell_grid;
mod components;
mod sorting_counts;

//! Files of a run: whole or absent, continued after restarts, errors that name file and cause.

mod checkpoint;
mod checkpoint_kill;
mod frames;
mod measures;
mod picture;
mod plot;
mod run_folder;
mod table;
mod writer;

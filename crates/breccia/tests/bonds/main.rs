//! Bonded clusters: closed forms, conservation, failure, scenes with them.

#[path = "../support/mod.rs"]
mod support;

mod builders;
mod clusters;
mod elastic;
mod failure;
mod fragments;
mod output;
mod release;
mod removal;
mod same_bits;
mod search;

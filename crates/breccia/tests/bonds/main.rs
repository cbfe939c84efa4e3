//! Bonded clusters: closed forms, conservation, failure.

#[path = "../support/mod.rs"]
mod support;

mod builders;
mod elastic;
mod failure;
mod fragments;
mod search;

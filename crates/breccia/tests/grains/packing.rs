//! Packings of discs.

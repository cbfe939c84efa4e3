//! Heap profiles and distributions of speed.

use super::check;
use super::names::Names;
use crate::scene::file::{HistogramTable, ProfileTable};
use crate::scene::plan::{HistogramPlan, Occasions, ProfileAxis, ProfilePlan};
use crate::scene::read::{Located, Notes, Quantity, Text, Time};
use glam::DVec3;

/// Places of a profile unless given.
const PROFILE_BINS: usize = 60;
/// Bins of a histogram unless given.
const HISTOGRAM_BINS: usize = 50;
/// Bins beyond this are a mistake.
const MOST_BINS: u64 = 100_000;

/// Heap profiles.
pub(super) fn resolve_profiles(
    tables: &[ProfileTable],
    groups: &Names,
    gravity: DVec3,
    notes: &mut Notes,
) -> Vec<ProfilePlan> {
    let mut names = Names::new("profile");
    let mut resolve = |table: &ProfileTable| {
        add_name(&mut names, &table.name, notes);
        if let ProfileAxis::Axis(axis) = table.along.value
            && gravity != DVec3::ZERO
            && gravity.normalize()[axis].abs() > 0.999
        {
            let message = "a profile cannot run along the vertical";
            let help = "choose a horizontal axis or \"radius\"";
            notes.error_with_help(table.along.span.clone(), message, "gravity acts along this axis", help);
        }
        ProfilePlan {
            name: table.name.value.clone(),
            along: table.along.value,
            centre: table.centre.as_ref().map(|centre| centre.value),
            reach: table.reach.as_ref().map(|reach| check::positive("reach", reach, notes)),
            bins: bins(table.bins.as_ref(), PROFILE_BINS, notes),
            group: group(table.group.as_ref(), groups, notes),
            occasions: occasions(&table.times, table.every.as_ref(), notes),
        }
    };
    tables.iter().map(&mut resolve).collect()
}

/// Distributions of speed.
pub(super) fn resolve_histograms(
    tables: &[HistogramTable],
    groups: &Names,
    notes: &mut Notes,
) -> Vec<HistogramPlan> {
    let mut names = Names::new("histogram");
    let mut resolve = |table: &HistogramTable| {
        add_name(&mut names, &table.name, notes);
        HistogramPlan {
            name: table.name.value.clone(),
            bins: bins(table.bins.as_ref(), HISTOGRAM_BINS, notes),
            max: table.max.as_ref().map(|max| check::positive("max", max, notes)),
            group: group(table.group.as_ref(), groups, notes),
            occasions: occasions(&table.times, table.every.as_ref(), notes),
        }
    };
    tables.iter().map(&mut resolve).collect()
}

/// Names become those of files.
fn add_name(names: &mut Names, name: &Text, notes: &mut Notes) {
    names.add(&name.value, &name.span, notes);
    if name.value.contains(|letter: char| !(letter.is_alphanumeric() || letter == '-' || letter == '_')) {
        let message = format!("`{}` cannot be part of a file's name", name.value);
        let help = "use letters, digits, - and _ only";
        notes.error_with_help(name.span.clone(), message, "not allowed here", help);
    }
}

fn bins(given: Option<&Located<u64>>, default: usize, notes: &mut Notes) -> usize {
    let Some(bins) = given else { return default };
    if !(2..=MOST_BINS).contains(&bins.value) {
        notes.error(bins.span.clone(), format!("`bins` must be between 2 and {MOST_BINS}"), "out of range");
    }
    bins.value.clamp(2, MOST_BINS) as usize
}

fn group(given: Option<&Text>, groups: &Names, notes: &mut Notes) -> Option<u16> {
    given.and_then(|name| groups.find(name, notes)).map(|number| number as u16)
}

fn occasions(times: &[Quantity<Time>], every: Option<&Quantity<Time>>, notes: &mut Notes) -> Occasions {
    Occasions {
        times: times.iter().map(|time| check::not_negative("times", time, notes)).collect(),
        every: every.map(|every| check::positive("every", every, notes)),
    }
}

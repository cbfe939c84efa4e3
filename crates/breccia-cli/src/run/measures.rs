//! Heap profiles and distributions of speed that a scene asks for, while a run goes on.

use super::method::Method;
use super::recorder::{is_due, kept_until};
use breccia::output::measures::{
    Sighting, SpeedHistogram, heap_profile, histogram_columns, histogram_plot, histogram_rows,
    profile_columns, profile_plot, profile_rows, speed_histogram,
};
use breccia::output::{Column, OutputError, RunFolder, SphereFrame, Table};
use breccia::scene::{Occasions, OutputSettings, Scene};
use glam::DVec3;

/// Curves of a plot of distributions, at most.
const MOST_CURVES: usize = 6;

/// What is measured, and where it is written.
pub struct Measures {
    settings: OutputSettings,
    up: DVec3,
    profiles: Vec<Table>,
    histograms: Vec<Table>,
    /// Distributions of each histogram that its plot shows, with their instants [s].
    shown: Vec<Vec<(f64, SpeedHistogram)>>,
}

impl Measures {
    /// Opens or continues the tables of a run.
    pub fn open<M: Method>(folder: &RunFolder, scene: &Scene, run: &M) -> Result<Self, OutputError> {
        let open = |path, columns: &[Column], occasions: &Occasions| {
            if run.steps_done() == 0 {
                return Table::create(path, columns);
            }
            Table::resume(path, columns, kept_until(run, |instant| falls_on(occasions, instant, run)))
        };
        let (profiles, histograms) = (&scene.output.profiles, &scene.output.histograms);
        let profile_tables = profiles.iter().map(|plan| {
            open(folder.measure_table("profile", &plan.name), &profile_columns(), &plan.occasions)
        });
        let histogram_tables = histograms.iter().map(|plan| {
            open(folder.measure_table("histogram", &plan.name), &histogram_columns(), &plan.occasions)
        });
        Ok(Self {
            // Frames for measuring need spheres only.
            settings: OutputSettings { contacts: false, bonds: false, ..scene.output.clone() },
            up: (-scene.model.gravity).try_normalize().unwrap_or(DVec3::Z),
            profiles: profile_tables.collect::<Result<_, _>>()?,
            histograms: histogram_tables.collect::<Result<_, _>>()?,
            shown: vec![Vec::new(); histograms.len()],
        })
    }

    /// Measures what is due at an instant; everything at the end.
    pub fn record<M: Method>(&mut self, run: &M, instant: u64) -> Result<(), OutputError> {
        let due = |occasions: &Occasions| run.is_finished() || falls_on(occasions, instant, run);
        let profiles = self.settings.profiles.iter().map(|plan| &plan.occasions);
        let histograms = self.settings.histograms.iter().map(|plan| &plan.occasions);
        if !profiles.chain(histograms).any(due) {
            return Ok(());
        }
        let time = instant as f64 * run.time_step();
        let spheres = self.spheres_of(run);
        let seen = Sighting { time, up: self.up, spheres: &spheres };
        for (plan, table) in self.settings.profiles.iter().zip(&mut self.profiles) {
            if due(&plan.occasions) {
                let rows = profile_rows(time, &heap_profile(plan, &seen));
                rows.iter().try_for_each(|row| table.append(row))?;
            }
        }
        let plans = self.settings.histograms.iter().zip(&mut self.histograms).zip(&mut self.shown);
        for ((plan, table), shown) in plans {
            if due(&plan.occasions) {
                let histogram = speed_histogram(plan, &seen);
                histogram_rows(time, &histogram).iter().try_for_each(|row| table.append(row))?;
                shown.push((time, histogram));
                thin_out(shown);
            }
        }
        Ok(())
    }

    /// Draws the plots of the end.
    pub fn write_plots<M: Method>(
        &self,
        folder: &RunFolder,
        title: &str,
        run: &M,
    ) -> Result<(), OutputError> {
        let Some(instant) = run.shown_instant().filter(|_| !self.files().is_empty()) else { return Ok(()) };
        let time = instant as f64 * run.time_step();
        let spheres = self.spheres_of(run);
        let seen = Sighting { time, up: self.up, spheres: &spheres };
        for plan in &self.settings.profiles {
            let title = format!("{title}: {}, t = {time:.4} s", plan.name);
            let plot = profile_plot(plan, &title, &heap_profile(plan, &seen));
            plot.write(&folder.measure_plot("profile", &plan.name))?;
        }
        for (plan, shown) in self.settings.histograms.iter().zip(&self.shown) {
            let plot = histogram_plot(plan, &format!("{title}: {}", plan.name), shown);
            plot.write(&folder.measure_plot("histogram", &plan.name))?;
        }
        Ok(())
    }

    /// Names of the files and what they are for.
    pub fn files(&self) -> Vec<(String, &'static str)> {
        let profiles = self.settings.profiles.iter();
        let histograms = self.settings.histograms.iter();
        profiles
            .map(|plan| {
                (
                    format!("profile_{}", plan.name),
                    "upper edge of the heap, angle of repose (.csv, .svg, .png)",
                )
            })
            .chain(histograms.map(|plan| {
                (format!("histogram_{}", plan.name), "distribution of speeds (.csv, .svg, .png)")
            }))
            .collect()
    }

    fn spheres_of(&self, run: &impl Method) -> SphereFrame {
        run.frame(&self.settings).spheres.unwrap_or_default()
    }
}

/// Keeps no more than a plot can show, the first and the last among them.
fn thin_out(shown: &mut Vec<(f64, SpeedHistogram)>) {
    if shown.len() > MOST_CURVES {
        // The one whose neighbours are nearest in time tells least.
        let nearness = |k: usize| shown[k + 1].0 - shown[k - 1].0;
        let least =
            (1..shown.len() - 1).fold(1, |best, k| if nearness(k) < nearness(best) { k } else { best });
        shown.remove(least);
    }
}

fn falls_on<M: Method>(occasions: &Occasions, instant: u64, run: &M) -> bool {
    let step = run.time_step();
    let at_time = |time: &f64| (time / step).round() as u64 == instant;
    occasions.times.iter().any(at_time) || occasions.every.is_some_and(|every| is_due(instant, every, step))
}

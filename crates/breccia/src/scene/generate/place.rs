//! Filling a region with spheres that do not overlap.

use super::{SphereGrid, sphere_volume};
use crate::model::Domain;
use crate::scene::random::RandomStream;
use crate::scene::{Region, SizeDistribution};
use glam::DVec3;

/// Tries for one sphere before the region counts as full.
const TRIES_PER_SPHERE: u64 = 100_000;
/// Mean tries per sphere allowed over the whole region.
const MEAN_TRIES: u64 = 200;
/// No packing of equal spheres is denser than this; random placing ends far below.
const DENSEST: f64 = 0.75;

/// How much is to be placed.
#[derive(Clone, Copy, Debug)]
pub(in crate::scene) enum Amount {
    /// So many spheres.
    Count(u64),
    /// So much volume [m³].
    Volume(f64),
}

/// A region to be filled.
pub(in crate::scene) struct RandomFill<'a> {
    pub(in crate::scene) region: &'a Region,
    pub(in crate::scene) sizes: &'a SizeDistribution,
    pub(in crate::scene) amount: Amount,
    /// Smallest gap between spheres [m].
    pub(in crate::scene) gap: f64,
    /// Most spheres.
    pub(in crate::scene) most: u64,
    pub(in crate::scene) domain: &'a Domain,
    /// Whether a sphere of a radius [m] at a centre [m, world] is clear of walls.
    pub(in crate::scene) is_clear: &'a dyn Fn(DVec3, f64) -> bool,
}

/// Why a region could not be filled.
#[derive(Debug)]
pub(in crate::scene) enum Refusal {
    /// The region became full.
    Full {
        /// Spheres that were placed.
        placed: usize,
        /// Spheres that were wanted.
        wanted: f64,
        /// Volume wanted over volume of the region [–].
        fraction: f64,
    },
    /// The amount is less than one sphere.
    Nothing,
    /// The amount is more than so many spheres.
    TooMany(u64),
}

/// Centres and radii of spheres in a region that overlap neither each other nor those of `grid`.
///
/// They are placed from large to small, which fits more, and added to `grid`.
pub(in crate::scene) fn fill_region(
    fill: &RandomFill<'_>,
    stream: &mut RandomStream,
    grid: &mut SphereGrid,
) -> Result<Vec<(DVec3, f64)>, Refusal> {
    let region_volume = fill.region.volume();
    let radii = draw_radii(fill, region_volume, stream)?;
    let volume: f64 = radii.iter().map(|&radius| sphere_volume(radius)).sum();
    let refusal =
        |placed| Refusal::Full { placed, wanted: radii.len() as f64, fraction: volume / region_volume };
    if volume > DENSEST * region_volume {
        return Err(refusal(0));
    }
    let mut placed = Vec::with_capacity(radii.len());
    let mut tries_left = TRIES_PER_SPHERE + MEAN_TRIES * radii.len() as u64;
    for &radius in &radii {
        let tries = tries_left.min(TRIES_PER_SPHERE);
        let mut used = 0;
        let centre = (0..tries).find_map(|_| {
            used += 1;
            let centre = fill.region.sample_centre(radius, fill.domain, stream)?;
            (grid.is_free(centre, radius, fill.gap) && (fill.is_clear)(centre, radius)).then_some(centre)
        });
        tries_left -= used;
        let Some(centre) = centre else { return Err(refusal(placed.len())) };
        grid.insert(centre, radius);
        placed.push((centre, radius));
    }
    Ok(placed)
}

/// Radii, largest first; refuses before drawing more than could ever fit.
fn draw_radii(
    fill: &RandomFill<'_>,
    region_volume: f64,
    stream: &mut RandomStream,
) -> Result<Vec<f64>, Refusal> {
    let smallest = sphere_volume(fill.sizes.smallest_radius());
    let (least, wanted) = match fill.amount {
        Amount::Count(count) => (count as f64 * smallest, count as f64),
        Amount::Volume(volume) => (volume, volume / sphere_volume(fill.sizes.largest_radius())),
    };
    if least > DENSEST * region_volume {
        return Err(Refusal::Full { placed: 0, wanted, fraction: least / region_volume });
    }
    let mut radii = match fill.amount {
        Amount::Count(count) => (0..count).map(|_| fill.sizes.sample(stream)).collect(),
        Amount::Volume(volume) => draw_volume(volume, fill, stream)?,
    };
    if radii.is_empty() {
        return Err(Refusal::Nothing);
    }
    radii.sort_by(|a, b| b.total_cmp(a));
    Ok(radii)
}

/// Radii whose volumes sum to `target` within half a sphere.
fn draw_volume(target: f64, fill: &RandomFill<'_>, stream: &mut RandomStream) -> Result<Vec<f64>, Refusal> {
    let mut radii = Vec::new();
    let mut volume = 0.0;
    loop {
        let radius = fill.sizes.sample(stream);
        let more = sphere_volume(radius);
        if volume + 0.5 * more > target {
            return Ok(radii);
        }
        if radii.len() as u64 >= fill.most {
            return Err(Refusal::TooMany(fill.most));
        }
        volume += more;
        radii.push(radius);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_box() -> Region {
        Region::Box { min: DVec3::ZERO, max: DVec3::ONE }
    }

    fn fill(amount: Amount, radius: f64) -> Result<Vec<(DVec3, f64)>, Refusal> {
        let domain = Domain::unbounded();
        let region = unit_box();
        let sizes = SizeDistribution::Single(radius);
        let fill = RandomFill {
            region: &region,
            sizes: &sizes,
            amount,
            gap: 0.0,
            most: 1_000_000,
            domain: &domain,
            is_clear: &|_, _| true,
        };
        fill_region(&fill, &mut RandomStream::new(4), &mut SphereGrid::new(&domain))
    }

    #[test]
    fn volume_is_met_within_half_a_sphere() {
        let placed = fill(Amount::Volume(0.2), 0.03).unwrap();
        let volume: f64 = placed.iter().map(|&(_, radius)| sphere_volume(radius)).sum();
        assert!((volume - 0.2).abs() <= 0.5 * sphere_volume(0.03), "{volume}");
        for (i, a) in placed.iter().enumerate() {
            assert!(placed[..i].iter().all(|b| a.0.distance(b.0) >= 0.06));
        }
    }

    #[test]
    fn a_full_region_says_how_many_fitted() {
        let Err(Refusal::Full { placed, wanted, .. }) = fill(Amount::Volume(0.5), 0.1) else {
            panic!("full")
        };
        assert!(placed > 50 && (placed as f64) < wanted, "{placed} of {wanted}");
        let huge = fill(Amount::Count(1_000_000_000), 0.1);
        assert!(matches!(huge, Err(Refusal::Full { placed: 0, .. })), "{huge:?}");
    }

    #[test]
    fn amounts_of_no_sphere_or_of_too_many_are_refused() {
        assert!(matches!(fill(Amount::Volume(1e-9), 0.1), Err(Refusal::Nothing)));
        assert!(matches!(fill(Amount::Volume(0.1), 1e-4), Err(Refusal::TooMany(1_000_000))));
    }

    #[test]
    fn a_hundred_thousand_spheres_at_thirty_percent_take_seconds() {
        let radius = libm::cbrt(0.3 / 100_000.0 * 3.0 / (4.0 * std::f64::consts::PI));
        let start = std::time::Instant::now();
        let placed = fill(Amount::Count(100_000), radius).unwrap();
        assert_eq!(placed.len(), 100_000);
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }
}

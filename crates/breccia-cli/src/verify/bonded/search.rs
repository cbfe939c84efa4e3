//! Contact detection against brute force.

use crate::bench::clusters::{CLUSTERS, Distribution, compare, distributions, pack, packing, random_walks};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::scene::RandomStream;

/// Random bodies and singles: every search finds what brute force finds.
pub fn random_scenes(report: &mut Report) -> Result<(), VerifyError> {
    let mut dice = RandomStream::new(6);
    let (mut scenes, mut pairs, mut differing) = (0.0, 0.0, 0.0);
    for number in 0..600 {
        let bounds = random_walks(&mut dice);
        let skin = if number % 2 == 0 { 0.0 } else { dice.between(0.0, 1.0) };
        let found = compare(&bounds, skin, true);
        scenes += 1.0;
        pairs += found.pairs as f64;
        differing += found.differing as f64;
    }
    report.at_least("random scenes", "", 500.0, scenes);
    report.at_least("pairs found by brute force", "", 5e4, pairs);
    report.absolute("searches (five per scene) that find another set", "", 0.0, differing, 0.0);
    Ok(())
}

/// The 24 published cases: all five searches find the same set. The short form has a twentieth of the bodies.
pub fn cases(report: &mut Report) -> Result<(), VerifyError> {
    let mut dice = RandomStream::new(1);
    let scale = if report.quick { 20 } else { 1 };
    let (mut cases, mut pairs, mut differing) = (0.0, 0.0, 0.0);
    for (_, count, radius) in CLUSTERS {
        let template = pack(count, radius, &mut dice);
        for distribution in distributions() {
            let (singles, clusters) = (distribution.singles / scale, distribution.clusters / scale);
            let place = packing(Distribution { singles, clusters, ..distribution }, template.ball, &mut dice);
            let spheres = place.spheres(&template, &mut dice);
            let found = compare(&spheres, 0.0, false);
            cases += 1.0;
            pairs += found.pairs as f64;
            differing += found.differing as f64;
        }
    }
    report.absolute("cases", "", 24.0, cases, 0.0);
    report.at_least("touching pairs", "", 1000.0, pairs);
    report.absolute("searches (five per case) that find another set", "", 0.0, differing, 0.0);
    Ok(())
}

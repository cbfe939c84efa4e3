//! What holds for every contact, and scalar bits = lane bits.

use crate::encounters::{Case, cases, glam, lanes, vec3};
use breccia::laws::{
    BrakedRolling, ElasticRolling, Hertz, History, Linear, Losses, NoRolling, NormalLaw, Response,
    RollingLaw, evaluate, transport,
};
use breccia::math::{Lanes, Vec3};
use glam::DVec3;
use proptest::prelude::*;

const STEP: f64 = 1e-5;

fn scalar<N: NormalLaw, O: RollingLaw>(case: &Case) -> (Response<f64>, Losses<f64>, History<f64>) {
    let mut history = case.history();
    let (response, losses) =
        evaluate::<f64, N, O>(&case.encounter(), &case.coefficients(), &mut history, STEP);
    (response, losses, history)
}

fn numbers(response: &Response<f64>, losses: &Losses<f64>, history: &History<f64>) -> Vec<u64> {
    let mut values =
        vec![response.normal_force, response.rolling_limit, history.depth, history.dashpots.normal];
    values.extend([losses.normal_damping, losses.tangential_damping, losses.sliding, losses.rolling]);
    let vectors = [
        response.tangential,
        response.rolling_torque,
        history.tangential,
        history.rolling,
        history.dashpots.tangential,
        history.dashpots.rolling,
    ];
    values.extend(vectors.iter().flat_map(|v| [v.x, v.y, v.z]));
    values.into_iter().map(f64::to_bits).collect()
}

fn lane(values: &Lanes, k: usize) -> f64 {
    values.0[k]
}

fn lane_vector(v: &Vec3<Lanes>, k: usize) -> Vec3<f64> {
    vec3(v.lane(k))
}

/// Bits of every lane of eight contacts evaluated together.
fn lane_bits<N: NormalLaw, O: RollingLaw>(cases: &[Case; 8]) -> Vec<Vec<u64>> {
    let (encounter, coefficients, mut history) = lanes(cases);
    let (response, losses) =
        evaluate::<Lanes, N, O>(&encounter, &coefficients, &mut history, Lanes([STEP; 8]));
    let one = |k: usize| {
        let response = Response {
            normal_force: lane(&response.normal_force, k),
            tangential: lane_vector(&response.tangential, k),
            rolling_torque: lane_vector(&response.rolling_torque, k),
            rolling_limit: lane(&response.rolling_limit, k),
        };
        let losses = Losses {
            normal_damping: lane(&losses.normal_damping, k),
            tangential_damping: lane(&losses.tangential_damping, k),
            sliding: lane(&losses.sliding, k),
            rolling: lane(&losses.rolling, k),
        };
        let history = History {
            tangential: lane_vector(&history.tangential, k),
            depth: lane(&history.depth, k),
            rolling: lane_vector(&history.rolling, k),
            dashpots: breccia::laws::Dashpots {
                normal: lane(&history.dashpots.normal, k),
                tangential: lane_vector(&history.dashpots.tangential, k),
                rolling: lane_vector(&history.dashpots.rolling, k),
            },
        };
        numbers(&response, &losses, &history)
    };
    (0..8).map(one).collect()
}

fn assert_lanes<N: NormalLaw, O: RollingLaw>(cases: &[Case; 8]) -> Result<(), TestCaseError> {
    let together = lane_bits::<N, O>(cases);
    for (case, lane) in cases.iter().zip(&together) {
        let (response, losses, history) = scalar::<N, O>(case);
        // A lane whose neighbour slides takes the branch of sliding ones; its own bits must not change.
        prop_assert_eq!(&numbers(&response, &losses, &history), lane, "{:?}", case);
    }
    Ok(())
}

fn assert_invariants<N: NormalLaw, O: RollingLaw>(case: &Case) -> Result<(), TestCaseError> {
    let (response, _, history) = scalar::<N, O>(case);
    let force = glam(response.tangential);
    let elastic = glam(history.tangential);
    let cap = case.friction * response.normal_force;
    let rounding = 1.0 + 1e-14;
    prop_assert!(response.normal_force >= 0.0, "never attractive: {:?}", response);
    prop_assert!(case.overlap > 0.0 || response.normal_force == 0.0, "apart: {:?}", response);
    prop_assert!(force.length() <= cap * rounding, "Coulomb: {} > {cap}", force.length());
    prop_assert!(elastic.length() <= cap * rounding, "spring: {} > {cap}", elastic.length());
    prop_assert!(
        force.dot(case.normal).abs() <= 1e-12 * cap.max(1e-300),
        "T ⟂ n: {}",
        force.dot(case.normal)
    );
    let torque = glam(response.rolling_torque);
    let rolling_cap = case.rolling_friction * case.radius * response.normal_force;
    if !O::REMEMBERS {
        prop_assert_eq!(torque, DVec3::ZERO);
        prop_assert_eq!(response.rolling_limit, if O::BRAKES { rolling_cap } else { 0.0 });
        return Ok(());
    }
    prop_assert!(glam(history.rolling).length() <= rolling_cap * rounding, "rolling spring");
    prop_assert!(
        torque.length() <= rolling_cap * (1.0 + 1e-9),
        "rolling: {} > {rolling_cap}",
        torque.length()
    );
    let along = if O::RESISTS_TORSION { DVec3::ZERO } else { case.normal * case.spin.dot(case.normal) };
    let rate = case.spin - along;
    let scale = rolling_cap + glam(history.dashpots.rolling).length();
    if !O::RESISTS_TORSION {
        prop_assert!(torque.dot(case.normal).abs() <= 1e-12 * scale + 1e-300, "M ⟂ n");
    }
    prop_assert!(glam(history.dashpots.rolling).dot(rate) <= 1e-300, "the rolling dashpot brakes");
    Ok(())
}

fn for_all_laws(mut check: impl FnMut(usize) -> Result<(), TestCaseError>) -> Result<(), TestCaseError> {
    (0..8).try_for_each(&mut check)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn every_contact_keeps_the_rules(case in cases()) {
        for_all_laws(|law| match law {
            0 => assert_invariants::<Hertz, NoRolling>(&case),
            1 => assert_invariants::<Hertz, BrakedRolling>(&case),
            2 => assert_invariants::<Hertz, ElasticRolling>(&case),
            3 => assert_invariants::<Linear, NoRolling>(&case),
            4 => assert_invariants::<Linear, BrakedRolling>(&case),
            5 => assert_invariants::<Hertz, ElasticRolling<true>>(&case),
            6 => assert_invariants::<Linear, ElasticRolling<true>>(&case),
            _ => assert_invariants::<Linear, ElasticRolling>(&case),
        })?;
    }

    #[test]
    fn lanes_give_the_bits_of_scalars(some in prop::collection::vec(cases(), 8)) {
        let eight: [Case; 8] = some.try_into().expect("eight");
        for_all_laws(|law| match law {
            0 => assert_lanes::<Hertz, NoRolling>(&eight),
            1 => assert_lanes::<Hertz, BrakedRolling>(&eight),
            2 => assert_lanes::<Hertz, ElasticRolling>(&eight),
            3 => assert_lanes::<Linear, NoRolling>(&eight),
            4 => assert_lanes::<Linear, BrakedRolling>(&eight),
            5 => assert_lanes::<Hertz, ElasticRolling<true>>(&eight),
            6 => assert_lanes::<Linear, ElasticRolling<true>>(&eight),
            _ => assert_lanes::<Linear, ElasticRolling>(&eight),
        })?;
    }

    #[test]
    fn transport_keeps_the_length_and_lies_in_the_plane(
        old in prop::array::uniform3(-1.0..1.0_f64),
        normal in prop::array::uniform3(-1.0..1.0_f64),
        turn in -0.3..0.3_f64,
    ) {
        let (old, normal) = (DVec3::from_array(old), DVec3::from_array(normal).normalize());
        let in_plane = old.cross(normal).length();
        prop_assume!(in_plane > 1e-3);
        // Rounding of what lies in the plane is stretched along with it.
        let rounding = 1e-14 * (1.0 + old.length() / in_plane);
        let new = glam(transport(vec3(old), 1.0 / old.length_squared(), vec3(normal), turn));
        prop_assert!((new.length() - old.length()).abs() < rounding);
        prop_assert!(new.dot(normal).abs() < rounding);
        // Turned in the plane by the angle asked for, to third order.
        let flat = (old - normal * old.dot(normal)).normalize();
        let sine = flat.cross(new.normalize()).dot(normal);
        prop_assert!((sine - libm::sin(libm::atan(turn))).abs() < 10.0 * rounding);
    }
}

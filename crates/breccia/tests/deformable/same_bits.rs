//! The same bits for any number of threads, and across a restart.

use super::builders::*;
use breccia::deformable::{SolidRun, SolidSettings, SolidState};

fn start(steps_between_sorts: u32) -> SolidRun {
    box_of_disks(3, 4, 2, SolidSettings { steps_between_sorts, ..settings(0.02, 1e-9) })
}

fn state_after(threads: usize, steps: u32) -> SolidState {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut run = start(1);
        (0..steps).for_each(|_| run.step().unwrap());
        run.state
    })
}

#[test]
fn threads_do_not_change_bits() {
    let one = state_after(1, 120);
    assert!(one.total.penetration > 0.0);
    for threads in [2, 3] {
        assert_eq!(one, state_after(threads, 120));
    }
}

#[test]
fn a_restart_does_not_change_bits() {
    for sorts in [1, 7] {
        let mut through = start(sorts);
        // In the middle of the first contact, between two sorts.
        while through.state.pairs.rows.is_empty() || (sorts > 1 && through.state.sorted.age >= Some(sorts)) {
            through.step().unwrap();
        }
        let saved = postcard::to_allocvec(&through.state).unwrap();
        (0..80).for_each(|_| through.step().unwrap());
        let mut again = start(sorts);
        again.state = postcard::from_bytes(&saved).unwrap();
        (0..80).for_each(|_| again.step().unwrap());
        assert_eq!(through.state, again.state);
    }
}

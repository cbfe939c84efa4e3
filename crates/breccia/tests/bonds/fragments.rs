//! Components kept bond by bond equal those found anew by union-find.

use breccia::contacts::bonds::{BondEnds, Fragments};
use breccia::scene::RandomStream;

/// Root of each body by union-find over the live bonds.
fn roots(bodies: u32, bonds: &[BondEnds], fragments: &Fragments) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..bodies).collect();
    fn find(parent: &mut [u32], mut body: u32) -> u32 {
        while parent[body as usize] != body {
            parent[body as usize] = parent[parent[body as usize] as usize];
            body = parent[body as usize];
        }
        body
    }
    for (bond, ends) in (0_u32..).zip(bonds) {
        if fragments.is_alive(bond) {
            let (a, b) = (find(&mut parent, ends.a), find(&mut parent, ends.b));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    (0..bodies).map(|body| find(&mut parent, body)).collect()
}

/// Same partition, members ascending, every body in exactly one component.
fn assert_same(bodies: u32, bonds: &[BondEnds], fragments: &Fragments) {
    let roots = roots(bodies, bonds, fragments);
    let mut total = 0;
    for component in 0..fragments.count() as u32 {
        let members = fragments.members(component);
        total += members.len();
        assert!(members.windows(2).all(|pair| pair[0] < pair[1]), "{members:?}");
        assert!(!members.is_empty());
        for &body in members {
            assert_eq!(fragments.component_of(body), component);
            // The root is the lowest number of its tree, hence the first member.
            assert_eq!(roots[body as usize], members[0]);
        }
    }
    assert_eq!(total, bodies as usize);
}

fn break_all(bodies: u32, bonds: &[BondEnds], dice: &mut RandomStream) -> usize {
    let mut fragments = Fragments::default();
    fragments.add(bodies, bonds);
    assert_same(bodies, bonds, &fragments);
    let mut order: Vec<u32> = (0..bonds.len() as u32).collect();
    for k in (1..order.len()).rev() {
        order.swap(k, (dice.unit() * (k + 1) as f64) as usize);
    }
    for &bond in &order {
        let before = fragments.count();
        let told = fragments.break_bond(bond);
        assert_eq!(fragments.count(), before + usize::from(told.is_some()));
        assert_eq!(fragments.break_bond(bond), None, "a bond breaks once");
        assert_same(bodies, bonds, &fragments);
    }
    assert_eq!(fragments.count(), bodies as usize);
    order.len()
}

#[test]
fn random_graphs_break_as_union_find_says() {
    let mut dice = RandomStream::new(11);
    let mut removals = 0;
    while removals < 8_000 {
        let bodies = dice.between(2.0, 60.0) as u32;
        let wanted = dice.between(0.0, 3.0 * f64::from(bodies)) as usize;
        let mut bonds: Vec<BondEnds> = Vec::new();
        for _ in 0..wanted {
            let [a, b] = [0; 2].map(|_| (dice.unit() * f64::from(bodies)) as u32);
            let known = |ends: &BondEnds| (ends.a, ends.b) == (a, b) || (ends.a, ends.b) == (b, a);
            if a != b && !bonds.iter().any(known) {
                bonds.push(BondEnds { a, b });
            }
        }
        removals += break_all(bodies, &bonds, &mut dice);
    }
}

#[test]
fn cubes_of_27_break_as_union_find_says() {
    let mut dice = RandomStream::new(12);
    let mut bonds = Vec::new();
    for cube in 0..4_u32 {
        for k in 0..27_u32 {
            for (step, along) in [(1, k % 3), (3, k / 3 % 3), (9, k / 9)] {
                if along < 2 {
                    bonds.push(BondEnds { a: 27 * cube + k, b: 27 * cube + k + step });
                }
            }
        }
    }
    assert_eq!(bonds.len(), 4 * 54);
    let removals: usize = (0..12).map(|_| break_all(4 * 27, &bonds, &mut dice)).sum();
    assert!(removals > 2_500);
}

//! Which spheres hang together: connected components of the live bonds, kept up to date bond by bond.

use serde::{Deserialize, Serialize};

/// The two spheres of a bond, by stable body number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BondEnds {
    /// Side a.
    pub a: u32,
    /// Side b.
    pub b: u32,
}

/// The graph of bonds and its components. A sphere without bonds is a component of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fragments {
    /// Ends of every bond ever made, by bond number.
    ends: Vec<BondEnds>,
    /// Whether each bond still holds.
    alive: Vec<bool>,
    /// Bonds of body b are `starts[b]..starts[b + 1]` of `bonds_of_body`.
    starts: Vec<u32>,
    bonds_of_body: Vec<u32>,
    /// Component of each body.
    component: Vec<u32>,
    /// Members of each component, ascending; empty when they have joined none.
    members: Vec<Vec<u32>>,
    /// Components whose bodies have all been removed.
    emptied: u32,
    /// Bonds that ended with the removal of a body.
    lost: u32,
    /// Bodies seen by a search, by the number of the search.
    #[serde(skip)]
    seen: Vec<u32>,
    #[serde(skip)]
    search: u32,
}

impl Fragments {
    /// Takes in bodies up to number `bodies` (exclusive) and bonds among those that are new.
    pub fn add(&mut self, bodies: u32, bonds: &[BondEnds]) {
        let first_body = self.component.len() as u32;
        let first_bond = self.ends.len() as u32;
        self.ends.extend_from_slice(bonds);
        self.alive.resize(self.ends.len(), true);
        let mut degrees = vec![0_u32; (bodies - first_body) as usize];
        for end in bonds.iter().flat_map(|bond| [bond.a, bond.b]) {
            degrees[(end - first_body) as usize] += 1;
        }
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let mut end = self.bonds_of_body.len() as u32;
        let mut next = Vec::with_capacity(degrees.len());
        for degree in degrees {
            next.push(end);
            end += degree;
            self.starts.push(end);
        }
        self.bonds_of_body.resize(end as usize, 0);
        for (bond, ends) in (first_bond..).zip(bonds) {
            for body in [ends.a, ends.b] {
                let place = &mut next[(body - first_body) as usize];
                self.bonds_of_body[*place as usize] = bond;
                *place += 1;
            }
        }
        self.label_new(first_body, bodies);
    }

    /// Finds the components of new bodies.
    fn label_new(&mut self, first: u32, bodies: u32) {
        self.component.resize(bodies as usize, u32::MAX);
        for body in first..bodies {
            if self.component[body as usize] != u32::MAX {
                continue;
            }
            let label = self.members.len() as u32;
            let mut found = vec![body];
            self.component[body as usize] = label;
            let mut next = 0;
            while next < found.len() {
                let from = found[next];
                next += 1;
                for place in self.starts[from as usize]..self.starts[from as usize + 1] {
                    let other = self.other_end(self.bonds_of_body[place as usize], from);
                    if self.component[other as usize] == u32::MAX {
                        self.component[other as usize] = label;
                        found.push(other);
                    }
                }
            }
            found.sort_unstable();
            self.members.push(found);
        }
    }

    fn other_end(&self, bond: u32, body: u32) -> u32 {
        let ends = self.ends[bond as usize];
        if ends.a == body { ends.b } else { ends.a }
    }

    /// Number of bonds ever made.
    pub fn bond_count(&self) -> usize {
        self.ends.len()
    }

    /// Number of bonds that hold.
    pub fn live_count(&self) -> usize {
        self.alive.iter().filter(|alive| **alive).count()
    }

    /// Whether a bond holds.
    pub fn is_alive(&self, bond: u32) -> bool {
        self.alive[bond as usize]
    }

    /// Ends of a bond.
    pub fn ends(&self, bond: u32) -> BondEnds {
        self.ends[bond as usize]
    }

    /// Component of a body. One that has entered since bonds were last taken in is a component of its own.
    pub fn component_of(&self, body: u32) -> u32 {
        let late = || self.members.len() as u32 + body - self.component.len() as u32;
        self.component.get(body as usize).copied().unwrap_or_else(late)
    }

    /// Members of a component by body number, ascending.
    pub fn members(&self, component: u32) -> &[u32] {
        &self.members[component as usize]
    }

    /// Number of components of the bodies that are there.
    pub fn count(&self) -> usize {
        self.members.len() - self.emptied as usize
    }

    /// Upper bound (exclusive) of the numbers of components.
    pub fn labels(&self) -> usize {
        self.members.len()
    }

    /// Bonds that ended with the removal of a body, not by breaking.
    pub fn lost_count(&self) -> usize {
        self.lost as usize
    }

    /// Whether a body has ever had a bond.
    pub fn was_bonded(&self, body: u32) -> bool {
        self.starts[body as usize] < self.starts[body as usize + 1]
    }

    /// Takes a body out together with its bonds; what they held together may fall apart.
    pub fn remove_body(&mut self, body: u32) {
        for place in self.starts[body as usize]..self.starts[body as usize + 1] {
            let bond = self.bonds_of_body[place as usize];
            if self.alive[bond as usize] {
                self.break_bond(bond);
                self.lost += 1;
            }
        }
        // Without bonds it is a component of its own.
        let members = &mut self.members[self.component[body as usize] as usize];
        if !members.is_empty() {
            members.clear();
            self.emptied += 1;
        }
    }

    /// Breaks a bond; tells the new component when its body falls apart.
    ///
    /// Two searches go out from both ends in turn. When they meet, nothing has changed; else the side that is
    /// exhausted first becomes a component of its own, so the cost is that of the smaller part.
    pub fn break_bond(&mut self, bond: u32) -> Option<u32> {
        if !std::mem::replace(&mut self.alive[bond as usize], false) {
            return None;
        }
        let BondEnds { a, b } = self.ends[bond as usize];
        self.seen.resize(self.component.len(), 0);
        if self.search >= u32::MAX - 2 {
            self.seen.fill(0);
            self.search = 0;
        }
        let marks = [self.search + 1, self.search + 2];
        self.search += 2;
        let mut fronts = [Front::new(a), Front::new(b)];
        for (front, mark) in fronts.iter().zip(marks) {
            self.seen[front.found[0] as usize] = mark;
        }
        loop {
            for side in 0..2 {
                match self.advance(&mut fronts[side], marks[side], marks[1 - side]) {
                    Advance::Met => return None,
                    Advance::Exhausted => {
                        return Some(self.split_off(std::mem::take(&mut fronts[side].found)));
                    }
                    Advance::Going => {}
                }
            }
        }
    }

    /// One more body of a search.
    fn advance(&mut self, front: &mut Front, own: u32, other: u32) -> Advance {
        let Some(&body) = front.found.get(front.next) else { return Advance::Exhausted };
        front.next += 1;
        for place in self.starts[body as usize]..self.starts[body as usize + 1] {
            let bond = self.bonds_of_body[place as usize];
            if !self.alive[bond as usize] {
                continue;
            }
            let neighbour = self.other_end(bond, body);
            let seen = &mut self.seen[neighbour as usize];
            if *seen == other {
                return Advance::Met;
            }
            if *seen != own {
                *seen = own;
                front.found.push(neighbour);
            }
        }
        Advance::Going
    }

    fn split_off(&mut self, mut part: Vec<u32>) -> u32 {
        part.sort_unstable();
        let new = self.members.len() as u32;
        let old = self.component[part[0] as usize];
        for &body in &part {
            self.component[body as usize] = new;
        }
        let component = &self.component;
        self.members[old as usize].retain(|&body| component[body as usize] == old);
        self.members.push(part);
        new
    }
}

/// A search under way.
struct Front {
    found: Vec<u32>,
    next: usize,
}

impl Front {
    fn new(start: u32) -> Self {
        Self { found: vec![start], next: 0 }
    }
}

enum Advance {
    Going,
    Met,
    Exhausted,
}

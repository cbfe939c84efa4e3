//! Points sorted by halving space again and again: a binary tree asked with boxes.
//!
//! After E. G. Petőcz and F. Armero, "A sorting contact detection algorithm", UCB/SEMM-98/06 (1998). The cell of a
//! node is halved across x at even depths, across y at odd ones; a child exists only where a point lies in it; points
//! rest in leaves. The shape does not depend on the order of insertion.

use super::regions::{Region, extent};
use glam::DVec2;

/// Depth at which points share a leaf however far apart they are.
const DEEPEST: u32 = 64;

const NONE: u32 = u32::MAX;

/// Work done by a search over points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SortCounts {
    /// Nodes of the tree.
    pub nodes: u64,
    /// Depth of its deepest node, 0 = root.
    pub depth: u64,
    /// Steps down the tree during insertion, points moved down to make room included.
    pub descents: u64,
    /// Nodes looked at by queries, those found to lie apart included.
    pub visits: u64,
    /// Points tested against regions.
    pub point_tests: u64,
}

impl SortCounts {
    /// Adds the work of another search; of depth and nodes the larger stays.
    pub fn add(&mut self, other: &Self) {
        self.nodes = self.nodes.max(other.nodes);
        self.depth = self.depth.max(other.depth);
        self.descents += other.descents;
        self.visits += other.visits;
        self.point_tests += other.point_tests;
    }

    /// Steps down the tree and nodes looked at together.
    pub fn operations(&self) -> u64 {
        self.descents + self.visits
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    children: [u32; 2],
    /// First point of a leaf.
    first: u32,
}

const EMPTY: Node = Node { children: [NONE; 2], first: NONE };

/// A cell and the depth of its node.
#[derive(Clone, Copy, Debug)]
struct Cell {
    low: DVec2,
    high: DVec2,
    depth: u32,
}

impl Cell {
    fn axis(&self) -> usize {
        self.depth as usize % 2
    }

    fn middle(&self) -> f64 {
        let axis = self.axis();
        0.5 * (self.low[axis] + self.high[axis])
    }

    /// The half in which a point lies; one on the dividing line goes right.
    fn side(&self, point: DVec2) -> usize {
        usize::from(point[self.axis()] >= self.middle())
    }

    fn half(mut self, side: usize) -> Self {
        let (axis, middle) = (self.axis(), self.middle());
        if side == 0 {
            self.high[axis] = middle;
        } else {
            self.low[axis] = middle;
        }
        self.depth += 1;
        self
    }
}

/// A tree over points in the plane.
#[derive(Clone, Debug)]
pub struct BinaryTree {
    nodes: Vec<Node>,
    /// Next point of the same leaf.
    next: Vec<u32>,
    root: Cell,
    counts: SortCounts,
}

impl BinaryTree {
    /// Sorts points [m] into a new tree over their bounding box.
    pub fn new(points: &[DVec2]) -> Self {
        let (low, high) = extent(points.iter().copied());
        let grown = 1e-9 * (high - low);
        Self::with_root(points, low - grown, high + grown)
    }

    /// Sorts points [m] into a new tree over the box `low`..`high`, which must hold them.
    pub fn with_root(points: &[DVec2], low: DVec2, high: DVec2) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(5 * points.len() / 2),
            next: vec![NONE; points.len()],
            root: Cell { low, high, depth: 0 },
            counts: SortCounts::default(),
        };
        for point in 0..points.len() {
            tree.insert(points, point as u32);
        }
        tree.counts.nodes = tree.nodes.len() as u64;
        tree
    }

    /// Nodes, depth and descents so far.
    pub fn counts(&self) -> SortCounts {
        self.counts
    }

    fn insert(&mut self, points: &[DVec2], new: u32) {
        if self.nodes.is_empty() {
            self.nodes.push(Node { first: new, ..EMPTY });
            return;
        }
        let place = points[new as usize];
        let (mut node, mut cell) = (0, self.root);
        loop {
            self.counts.descents += 1;
            let held = self.nodes[node].first;
            if held != NONE {
                if cell.depth == DEEPEST || points[held as usize] == place {
                    self.next[new as usize] = self.next[held as usize];
                    self.next[held as usize] = new;
                    return;
                }
                self.move_down(node, cell, held, points[held as usize]);
            }
            let side = cell.side(place);
            cell = cell.half(side);
            match self.nodes[node].children[side] {
                NONE => {
                    self.nodes[node].children[side] = self.leaf(new, cell.depth);
                    return;
                }
                child => node = child as usize,
            }
        }
    }

    /// Makes room in a leaf: what it holds goes to the child it lies in.
    fn move_down(&mut self, node: usize, cell: Cell, held: u32, place: DVec2) {
        let side = cell.side(place);
        let child = self.leaf(held, cell.depth + 1);
        self.nodes[node].children[side] = child;
        self.nodes[node].first = NONE;
        self.counts.descents += 1;
    }

    fn leaf(&mut self, first: u32, depth: u32) -> u32 {
        self.counts.depth = self.counts.depth.max(u64::from(depth));
        self.nodes.push(Node { first, ..EMPTY });
        self.nodes.len() as u32 - 1
    }

    /// Visits every point of a region, in preorder, and returns the work done.
    pub fn visit(&self, points: &[DVec2], region: &Region, mut found: impl FnMut(u32)) -> SortCounts {
        let mut counts = SortCounts::default();
        let mut open = Vec::with_capacity(2 * DEEPEST as usize);
        if !self.nodes.is_empty() {
            open.push((0_u32, self.root));
        }
        while let Some((node, cell)) = open.pop() {
            counts.visits += 1;
            if !region.meets(cell.low, cell.high) {
                continue;
            }
            let node = self.nodes[node as usize];
            let mut point = node.first;
            while point != NONE {
                counts.point_tests += 1;
                if region.holds(points[point as usize]) {
                    found(point);
                }
                point = self.next[point as usize];
            }
            for side in [1, 0] {
                if node.children[side] != NONE {
                    open.push((node.children[side], cell.half(side)));
                }
            }
        }
        counts
    }

    /// The tree as text: a leaf shows its points in the order met, `(left right)` an inner node, `-` an absent child.
    pub fn sketch(&self) -> String {
        if self.nodes.is_empty() { "-".to_string() } else { self.sketch_below(0) }
    }

    fn sketch_below(&self, node: u32) -> String {
        if node == NONE {
            return "-".to_string();
        }
        let Node { children: [left, right], first } = self.nodes[node as usize];
        if first == NONE {
            return format!("({} {})", self.sketch_below(left), self.sketch_below(right));
        }
        let chain = std::iter::successors(Some(first), |&point| {
            Some(self.next[point as usize]).filter(|&next| next != NONE)
        });
        chain.map(|point| point.to_string()).collect::<Vec<_>>().join("+")
    }
}

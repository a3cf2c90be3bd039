//! A tree of boxes: which features of a surface are near a point. In the surface's own frame, so that it moves for nothing.

use gritstone_core::Vector;

use crate::dimension::Dimension;

/// Boxes that are looked through one by one.
const LEAF: usize = 4;

/// A tree of boxes.
#[derive(Clone, Debug)]
pub(crate) struct Tree<D: Dimension> {
    nodes: Vec<Node<D>>,
    /// Boxes with their numbers, those of a leaf together.
    items: Vec<(u32, [D::Vec; 2])>,
}

#[derive(Clone, Copy, Debug)]
struct Node<D: Dimension> {
    bounds: [D::Vec; 2],
    /// For a leaf its items; for others the second child, the first being the next node.
    start: u32,
    /// Zero for what is no leaf.
    count: u32,
}

impl<D: Dimension> Tree<D> {
    /// Of boxes, which keep their numbers.
    pub(crate) fn new(boxes: &[[D::Vec; 2]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), items: (0..).zip(boxes.iter().copied()).collect() };
        let mut items = std::mem::take(&mut tree.items);
        if !items.is_empty() {
            tree.grow(&mut items, 0);
        }
        tree.items = items;
        tree
    }

    fn grow(&mut self, items: &mut [(u32, [D::Vec; 2])], offset: usize) {
        let bounds = items.iter().skip(1).fold(items[0].1, |all, (_, one)| join(all, *one));
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, start: offset as u32, count: items.len() as u32 });
        if items.len() <= LEAF {
            return;
        }
        let width = |axis: usize| bounds[1].component(axis) - bounds[0].component(axis);
        let axis = (1..D::N).fold(0, |widest, axis| if width(axis) > width(widest) { axis } else { widest });
        let middle = |item: &(u32, [D::Vec; 2])| item.1[0].component(axis) + item.1[1].component(axis);
        let half = items.len() / 2;
        // Numbers tell boxes apart that lie together: the same halves every time.
        items.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.0.cmp(&b.0)));
        let (left, right) = items.split_at_mut(half);
        self.grow(left, offset);
        self.nodes[node].start = self.nodes.len() as u32;
        self.nodes[node].count = 0;
        self.grow(right, offset + half);
    }

    /// Calls `visit` with every box that a ball touches, in the order of the tree.
    pub(crate) fn near(&self, centre: D::Vec, radius: f64, mut visit: impl FnMut(usize)) {
        let mut next = 0;
        let mut rest = [0_u32; 64];
        let mut waiting = 0;
        if self.nodes.is_empty() {
            return;
        }
        loop {
            let node = &self.nodes[next];
            if touches::<D>(&node.bounds, centre, radius) {
                if node.count == 0 {
                    rest[waiting] = node.start;
                    waiting += 1;
                    next += 1;
                    continue;
                }
                let items = node.start as usize..(node.start + node.count) as usize;
                let near = self.items[items].iter().filter(|(_, b)| touches::<D>(b, centre, radius));
                near.for_each(|(number, _)| visit(*number as usize));
            }
            if waiting == 0 {
                return;
            }
            waiting -= 1;
            next = rest[waiting] as usize;
        }
    }
}

fn join<V: Vector>(a: [V; 2], b: [V; 2]) -> [V; 2] {
    [
        V::from_fn(|i| a[0].component(i).min(b[0].component(i))),
        V::from_fn(|i| a[1].component(i).max(b[1].component(i))),
    ]
}

fn touches<D: Dimension>(bounds: &[D::Vec; 2], centre: D::Vec, radius: f64) -> bool {
    let square = (0..D::N).fold(0.0, |sum, i| {
        let x = centre.component(i);
        let off = (bounds[0].component(i) - x).max(x - bounds[1].component(i)).max(0.0);
        sum + off * off
    });
    square <= radius * radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use gritstone_core::Space;

    #[test]
    fn finds_what_a_look_at_all_finds() {
        let spot = |i: u32| {
            let f = |k: u32| f64::from((i * 7919 + k * 104_729) % 1000) / 1000.0;
            DVec3::new(f(1), f(2), f(3))
        };
        let boxes: Vec<[DVec3; 2]> = (0..500).map(|i| [spot(i), spot(i) + spot(i + 900) * 0.1]).collect();
        let tree = Tree::<Space>::new(&boxes);
        for i in 0..50 {
            let (centre, radius) = (spot(i + 5000), 0.01 * f64::from(i % 9));
            let mut found = Vec::new();
            tree.near(centre, radius, |number| found.push(number));
            found.sort_unstable();
            let all = boxes.iter().enumerate();
            let all = all.filter(|(_, b)| centre.clamp(b[0], b[1]).distance(centre) <= radius);
            assert_eq!(found, all.map(|(i, _)| i).collect::<Vec<_>>());
        }
    }
}

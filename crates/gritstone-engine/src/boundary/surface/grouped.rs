//! Lists of different lengths, one behind the other: many short ones take the memory of their items.

/// Items in numbered groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouped<T> {
    /// Where each group starts, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Grouped<T> {
    /// Of items with the numbers of their groups; within a group they stay in their order.
    pub(super) fn new(groups: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        // Counted two places further on, starts walk to where they belong while items are filled in.
        let mut starts = vec![0_u32; groups + 2];
        items.clone().for_each(|(group, _)| starts[group as usize + 2] += 1);
        (0..groups).for_each(|group| starts[group + 2] += starts[group + 1]);
        let Some((_, any)) = items.clone().next() else {
            starts.truncate(groups + 1);
            return Self { starts, items: Vec::new() };
        };
        let mut filled = vec![any; starts[groups + 1] as usize];
        for (group, item) in items {
            let next = &mut starts[group as usize + 1];
            filled[*next as usize] = item;
            *next += 1;
        }
        starts.truncate(groups + 1);
        Self { starts, items: filled }
    }

    /// The items of a group.
    pub(super) fn of(&self, group: usize) -> &[T] {
        &self.items[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

impl<T: Copy + Ord> Grouped<T> {
    /// The same with every group sorted, and each of its items once.
    pub(super) fn sets(self) -> Self {
        let mut sets = Self { starts: Vec::with_capacity(self.starts.len()), items: Vec::new() };
        sets.starts.push(0);
        let mut set = Vec::new();
        for group in 0..self.starts.len() - 1 {
            set.clear();
            set.extend_from_slice(self.of(group));
            set.sort_unstable();
            set.dedup();
            sets.items.extend_from_slice(&set);
            sets.starts.push(sets.items.len() as u32);
        }
        sets.items.shrink_to_fit();
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_their_items_in_order() {
        let items = [(2_u32, 7), (0, 5), (2, 3), (2, 7), (0, 1)];
        let grouped = Grouped::new(4, items.into_iter());
        assert_eq!(
            [0, 1, 2, 3].map(|group| grouped.of(group).to_vec()),
            [vec![5, 1], vec![], vec![7, 3, 7], vec![]]
        );
        let sets = grouped.sets();
        assert_eq!(
            [0, 1, 2, 3].map(|group| sets.of(group).to_vec()),
            [vec![1, 5], vec![], vec![3, 7], vec![]]
        );
        let none = Grouped::<u32>::new(2, std::iter::empty());
        assert_eq!([none.of(0), none.of(1)], [&[] as &[u32]; 2]);
    }
}

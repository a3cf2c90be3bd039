//! `auto`: the certified default.

use gritstone_core::Space;

use super::method::{Method, Placed, Scratch};
use super::{Pair, support_newton};
use crate::{Answer, Card, Query, Refusal};

/// The certified method for each pair.
#[derive(Clone, Copy, Debug)]
pub struct Auto;

impl Method for Auto {
    fn card(&self) -> Card {
        Card {
            name: "auto",
            source: "Gritstone",
            shapes: "all",
            guarantee: "signed distance between proven bounds, or unresolved",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        _: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        let pair = Pair::new(a.shape, &a.pose, b.shape, &b.pose);
        Ok(support_newton::solve(&pair, query))
    }
}

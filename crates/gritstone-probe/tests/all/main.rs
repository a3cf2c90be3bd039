//! Probes against values found by hand.

mod by_hand;
mod common;
mod compounds_and_cells;
mod flat_contacts;

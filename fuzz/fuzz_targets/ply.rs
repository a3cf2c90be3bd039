//! The target `ply` of `crates/gritstone/tests/hostile/targets.rs`.

#![no_main]
#![allow(dead_code, reason = "the others are for other programs")]

#[path = "../../crates/gritstone/tests/hostile/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::ply(bytes));

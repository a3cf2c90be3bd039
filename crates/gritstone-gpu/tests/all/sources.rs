//! The PTX is that of the sources that stand beside it.

use gritstone_gpu::sources::{BUILT_FROM, SOURCES};

#[test]
fn ptx_was_built_from_these_sources() {
    let text: String = SOURCES.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
    let hash = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()));
    assert_eq!(BUILT_FROM.trim(), hash, "the kernels have changed: run `cargo xtask kernels`");
}

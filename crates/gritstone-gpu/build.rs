//! Compiles the kernels as loops where the feature `loops` asks for them; the default build needs no compiler but Rust's.

fn main() {
    println!("cargo::rerun-if-changed=kernels");
    #[cfg(feature = "loops")]
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("kernels/loops.cpp")
        // What is fused says so, and nothing else is.
        .flag("-ffp-contract=off")
        .opt_level(2)
        .compile("gritstone_gpu_loops");
}

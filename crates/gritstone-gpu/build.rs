//! Compiles the kernels as loops where the feature `loops` asks for them; the default build needs no compiler but Rust's.

fn main() {
    println!("cargo::rerun-if-changed=kernels");
    println!("cargo::rustc-check-cfg=cfg(has_loops)");
    #[cfg(feature = "loops")]
    compile_loops();
}

/// Without a C++ compiler there are no loops, and the tests that need them are skipped.
#[cfg(feature = "loops")]
fn compile_loops() {
    let compiled = cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("kernels/loops.cpp")
        // What is fused says so, and nothing else is.
        .flag("-ffp-contract=off")
        .opt_level(2)
        .try_compile("gritstone_gpu_loops");
    match compiled {
        Ok(()) => println!("cargo::rustc-cfg=has_loops"),
        Err(error) => {
            println!("cargo::warning=no C++ compiler: the kernels are not tested as loops ({error})");
        }
    }
}

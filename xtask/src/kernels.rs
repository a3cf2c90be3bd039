//! PTX of the GPU backend's kernels, by NVIDIA's compiler from PyPI: users need neither.

use std::fs;
use std::path::Path;
use std::process::Command;

use xxhash_rust::xxh3::xxh3_128;

use crate::shell::{Outcome, finish, python, root};

/// The compiler. CUDA 13.0 takes compute capability 7.5 and newer, and its PTX runs with drivers from 580 on.
const PACKAGES: [&str; 4] = [
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
];

/// The driver compiles PTX of this architecture for all newer ones.
const ARCHITECTURE: &str = "-arch=compute_75";

/// Builds the PTX and writes the hash of its sources beside it.
pub(crate) fn build() -> Outcome {
    let environment = root().join("target/kernels/venv");
    let at = environment.to_string_lossy().into_owned();
    python(&["-m", "venv", &at])?;
    finish(Command::new(environment.join("bin/pip")).args(["install", "--quiet"]).args(PACKAGES))?;
    let nvcc = find_compiler(&environment)?;
    let crate_root = root().join("crates/gritstone-gpu");
    let (sources, ptx) = (crate_root.join("kernels"), crate_root.join("ptx"));
    // Nothing is fused that does not say so: the same bits as on the processor.
    let flags = ["-ptx", ARCHITECTURE, "-fmad=false", "-std=c++17"];
    finish(Command::new(nvcc).args(flags).arg(sources.join("step.cu")).arg("-o").arg(ptx.join("step.ptx")))?;
    let hash = hash_of(&sources)?;
    fs::write(ptx.join("sources.xxh3"), format!("{hash:032x}\n")).map_err(|error| error.to_string())
}

fn find_compiler(environment: &Path) -> Result<std::path::PathBuf, String> {
    let libraries = fs::read_dir(environment.join("lib")).map_err(|error| error.to_string())?;
    let compilers =
        libraries.flatten().map(|version| version.path().join("site-packages/nvidia/cu13/bin/nvcc"));
    compilers.into_iter().find(|path| path.exists()).ok_or_else(|| "the packages have no nvcc".to_owned())
}

/// Of all sources of the GPU, in the order of their names; the loops' own file is none.
fn hash_of(sources: &Path) -> Result<u128, String> {
    let entries = fs::read_dir(sources).map_err(|error| error.to_string())?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "loops.cpp");
    names.sort();
    let mut text = String::new();
    for name in names {
        let source = fs::read_to_string(sources.join(&name)).map_err(|error| error.to_string())?;
        text += &format!("{name}\n{source}\n");
    }
    Ok(xxh3_128(text.as_bytes()))
}

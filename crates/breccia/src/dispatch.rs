//! The step of a chunk compiled for several instruction sets, chosen when the program starts.
//!
//! All versions run the same operations in the same order, none of them contracted, so they give the same bits;
//! only the width of the registers differs. Wider registers made the pair loop about twice as fast (see
//! docs/performance.md).

use crate::contacts::{BorderLoads, Chunk, Forces, ReceiveLoads};
use crate::laws::{NormalLaw, RollingLaw};
use crate::math::Simd;
use crate::step::{ChunkKernels, ChunkOutput, StepInput, meet_chunk, move_chunk};

/// The fastest version this processor can run.
pub fn chunk_kernels<N: NormalLaw, O: RollingLaw>() -> ChunkKernels {
    kernels_for::<N, O>(instruction_set())
}

/// The versions this processor can run, from narrow to wide registers.
pub fn all_chunk_kernels<N: NormalLaw, O: RollingLaw>() -> Vec<(InstructionSet, ChunkKernels)> {
    let mut sets = vec![InstructionSet::Baseline];
    #[cfg(target_arch = "x86_64")]
    {
        sets.extend(x86::has_avx2().then_some(InstructionSet::Avx2));
        sets.extend(x86::has_avx512().then_some(InstructionSet::Avx512));
    }
    sets.into_iter().map(|set| (set, kernels_for::<N, O>(set))).collect()
}

/// The version for an instruction set, which the caller knows the processor to have.
fn kernels_for<N: NormalLaw, O: RollingLaw>(set: InstructionSet) -> ChunkKernels {
    let receive = compiled_for::<ReceiveLoads>(set);
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => {
            ChunkKernels { meet: x86::meet_avx512::<N, O>, receive, shift: x86::move_avx512::<O> }
        }
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => {
            ChunkKernels { meet: x86::meet_avx2::<N, O>, receive, shift: x86::move_avx2::<O> }
        }
        InstructionSet::Baseline => {
            ChunkKernels { meet: meet_baseline::<N, O>, receive, shift: move_baseline::<O> }
        }
    }
}

/// Other work that is compiled for several instruction sets.
pub trait Kernel {
    /// What it works on.
    type On<'a>;
    /// Does the work; always inlined.
    fn run<S: Simd>(on: Self::On<'_>);
}

/// A kernel compiled for a certain processor.
pub type Compiled<K> = for<'a> fn(<K as Kernel>::On<'a>);

/// The fastest version of a kernel this processor can run.
pub fn compiled<K: Kernel>() -> Compiled<K> {
    compiled_for(instruction_set())
}

/// The version of a kernel for an instruction set, which the caller knows the processor to have.
fn compiled_for<K: Kernel>(set: InstructionSet) -> Compiled<K> {
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => x86::kernel_avx512::<K>,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => x86::kernel_avx2::<K>,
        InstructionSet::Baseline => kernel_baseline::<K>,
    }
}

/// Instruction sets the hot loop is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// What every processor of this family has.
    Baseline,
    /// 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The widest set of this processor, or the one named by the environment variable `BRECCIA_SIMD`
/// (`baseline`, `avx2`, `avx512`) if the processor has it.
pub fn instruction_set() -> InstructionSet {
    #[cfg(target_arch = "x86_64")]
    {
        let wanted = std::env::var("BRECCIA_SIMD").unwrap_or_default();
        if wanted == "baseline" {
            return InstructionSet::Baseline;
        }
        if x86::has_avx512() && wanted != "avx2" {
            return InstructionSet::Avx512;
        }
        if x86::has_avx2() {
            return InstructionSet::Avx2;
        }
    }
    InstructionSet::Baseline
}

/// What every processor of this family computes with.
#[cfg(target_arch = "x86_64")]
type BaselineLanes = crate::math::Sse2Lanes;
#[cfg(not(target_arch = "x86_64"))]
type BaselineLanes = f64;

fn meet_baseline<N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    chunk: &mut Chunk,
    forces: Forces,
    border: &mut BorderLoads,
) {
    meet_chunk::<BaselineLanes, N, O>(input, chunk, forces, border);
}

fn move_baseline<O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
    move_chunk::<BaselineLanes, O>(input, chunk, out);
}

fn kernel_baseline<K: Kernel>(on: K::On<'_>) {
    K::run::<BaselineLanes>(on);
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::*;
    use crate::math::{Avx2Lanes, Avx512Lanes};

    pub fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2")
    }

    pub fn has_avx512() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
    }

    #[target_feature(enable = "avx2")]
    fn meet_with_avx2<N: NormalLaw, O: RollingLaw>(
        input: &StepInput,
        chunk: &mut Chunk,
        forces: Forces,
        border: &mut BorderLoads,
    ) {
        meet_chunk::<Avx2Lanes, N, O>(input, chunk, forces, border);
    }

    #[target_feature(enable = "avx2")]
    fn move_with_avx2<O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        move_chunk::<Avx2Lanes, O>(input, chunk, out);
    }

    pub fn meet_avx2<N: NormalLaw, O: RollingLaw>(
        input: &StepInput,
        chunk: &mut Chunk,
        forces: Forces,
        border: &mut BorderLoads,
    ) {
        // SAFETY: the callee is safe code compiled with AVX2; the only requirement of calling it is a processor
        // that has AVX2. `kernels_for` is private and asked for it only after `has_avx2()` said so.
        unsafe { meet_with_avx2::<N, O>(input, chunk, forces, border) }
    }

    pub fn move_avx2<O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        // SAFETY: as above.
        unsafe { move_with_avx2::<O>(input, chunk, out) }
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    fn meet_with_avx512<N: NormalLaw, O: RollingLaw>(
        input: &StepInput,
        chunk: &mut Chunk,
        forces: Forces,
        border: &mut BorderLoads,
    ) {
        meet_chunk::<Avx512Lanes, N, O>(input, chunk, forces, border);
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    fn move_with_avx512<O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        move_chunk::<Avx512Lanes, O>(input, chunk, out);
    }

    pub fn meet_avx512<N: NormalLaw, O: RollingLaw>(
        input: &StepInput,
        chunk: &mut Chunk,
        forces: Forces,
        border: &mut BorderLoads,
    ) {
        // SAFETY: as above, for AVX-512 F, VL and DQ; handed out only after `has_avx512()` said so.
        unsafe { meet_with_avx512::<N, O>(input, chunk, forces, border) }
    }

    pub fn move_avx512<O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        // SAFETY: as above.
        unsafe { move_with_avx512::<O>(input, chunk, out) }
    }

    #[target_feature(enable = "avx2")]
    fn run_avx2<K: Kernel>(on: K::On<'_>) {
        K::run::<Avx2Lanes>(on);
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    fn run_avx512<K: Kernel>(on: K::On<'_>) {
        K::run::<Avx512Lanes>(on);
    }

    pub fn kernel_avx2<K: Kernel>(on: K::On<'_>) {
        // SAFETY: as above; `compiled_for` hands it out only after `has_avx2()` said so.
        unsafe { run_avx2::<K>(on) }
    }

    pub fn kernel_avx512<K: Kernel>(on: K::On<'_>) {
        // SAFETY: as above; `compiled_for` hands it out only after `has_avx512()` said so.
        unsafe { run_avx512::<K>(on) }
    }
}

//! The step of a chunk compiled for several instruction sets, chosen when the program starts.
//!
//! All versions run the same operations in the same order, none of them contracted, so they give the same bits;
//! only the width of the registers differs. Wider registers made the pair loop about twice as fast (see
//! docs/performance.md).

use crate::contacts::{Chunk, FindNear, NearTest, SurfaceContacts, find_near};
use crate::laws::{NormalLaw, RollingLaw};
use crate::narrow_phase::{ElementTest, SurfaceInput, test_elements};
use crate::step::{AdvanceChunk, ChunkOutput, StepInput, advance_chunk};

/// The fastest version this processor can run.
pub fn advance_chunk_kernel<N: NormalLaw, O: RollingLaw>() -> AdvanceChunk {
    kernel_for::<N, O>(instruction_set())
}

/// The versions this processor can run, from narrow to wide registers.
pub fn advance_chunk_kernels<N: NormalLaw, O: RollingLaw>() -> Vec<(InstructionSet, AdvanceChunk)> {
    let mut sets = vec![InstructionSet::Baseline];
    #[cfg(target_arch = "x86_64")]
    {
        sets.extend(x86::has_avx2().then_some(InstructionSet::Avx2));
        sets.extend(x86::has_avx512().then_some(InstructionSet::Avx512));
    }
    sets.into_iter().map(|set| (set, kernel_for::<N, O>(set))).collect()
}

/// The version for an instruction set, which the caller knows the processor to have.
fn kernel_for<N: NormalLaw, O: RollingLaw>(set: InstructionSet) -> AdvanceChunk {
    match set {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => x86::avx512::<N, O>,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => x86::avx2::<N, O>,
        InstructionSet::Baseline => baseline::<N, O>,
    }
}

/// The fastest version of the quick look at near elements this processor can run.
pub fn element_test() -> ElementTest {
    match instruction_set() {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => x86::test_with_avx512,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => x86::test_with_avx2,
        InstructionSet::Baseline => test_with_baseline,
    }
}

/// The fastest version of the search for near pairs this processor can run.
pub fn find_near_pairs() -> FindNear {
    match instruction_set() {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => x86::find_with_avx512,
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => x86::find_with_avx2,
        InstructionSet::Baseline => find_with_baseline,
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

fn baseline<N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
    #[cfg(target_arch = "x86_64")]
    advance_chunk::<crate::math::Sse2Lanes, N, O>(input, chunk, out);
    #[cfg(not(target_arch = "x86_64"))]
    advance_chunk::<f64, N, O>(input, chunk, out);
}

fn test_with_baseline(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
    #[cfg(target_arch = "x86_64")]
    test_elements::<crate::math::Sse2Lanes>(contacts, input);
    #[cfg(not(target_arch = "x86_64"))]
    test_elements::<f64>(contacts, input);
}

fn find_with_baseline(test: &NearTest, pairs: &[[u32; 2]], places: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    find_near::<crate::math::Sse2Lanes>(test, pairs, places);
    #[cfg(not(target_arch = "x86_64"))]
    find_near::<f64>(test, pairs, places);
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
    fn with_avx2<N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        advance_chunk::<Avx2Lanes, N, O>(input, chunk, out);
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    fn with_avx512<N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        advance_chunk::<Avx512Lanes, N, O>(input, chunk, out);
    }

    pub fn avx2<N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        // SAFETY: the callee is safe code compiled with AVX2; the only requirement of calling it is a processor
        // that has AVX2. `kernel_for` is private and asked for it only after `has_avx2()` said so.
        unsafe { with_avx2::<N, O>(input, chunk, out) }
    }

    pub fn avx512<N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
        // SAFETY: as above, for AVX-512 F, VL and DQ; handed out only after `has_avx512()` said so.
        unsafe { with_avx512::<N, O>(input, chunk, out) }
    }

    #[target_feature(enable = "avx2")]
    fn test_avx2(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
        test_elements::<Avx2Lanes>(contacts, input);
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    fn test_avx512(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
        test_elements::<Avx512Lanes>(contacts, input);
    }

    pub fn test_with_avx2(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
        // SAFETY: as above; `element_test` asks for it only after `has_avx2()` said so.
        unsafe { test_avx2(contacts, input) }
    }

    pub fn test_with_avx512(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
        // SAFETY: as above; `element_test` asks for it only after `has_avx512()` said so.
        unsafe { test_avx512(contacts, input) }
    }

    #[target_feature(enable = "avx2")]
    fn find_avx2(test: &NearTest, pairs: &[[u32; 2]], places: &mut Vec<u32>) {
        find_near::<Avx2Lanes>(test, pairs, places);
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
    fn find_avx512(test: &NearTest, pairs: &[[u32; 2]], places: &mut Vec<u32>) {
        find_near::<Avx512Lanes>(test, pairs, places);
    }

    pub fn find_with_avx2(test: &NearTest, pairs: &[[u32; 2]], places: &mut Vec<u32>) {
        // SAFETY: as above; `find_near_pairs` asks for it only after `has_avx2()` said so.
        unsafe { find_avx2(test, pairs, places) }
    }

    pub fn find_with_avx512(test: &NearTest, pairs: &[[u32; 2]], places: &mut Vec<u32>) {
        // SAFETY: as above; `find_near_pairs` asks for it only after `has_avx512()` said so.
        unsafe { find_avx512(test, pairs, places) }
    }
}

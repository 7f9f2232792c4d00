// What NVRTC has built in, for Clang without the CUDA Toolkit. The grader includes it before the
// student's first line; kernels never name it.
#pragma once
#pragma clang system_header

#include "atomics.cuh"
#include "intrinsics.cuh"
#include "language.cuh"
#include "math.cuh"
#include "memory.cuh"
#include "types.cuh"
#include "warp.cuh"

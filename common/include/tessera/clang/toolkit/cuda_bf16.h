// __nv_bfloat16 for Clang, which compiles without the CUDA Toolkit.
#pragma once
#pragma clang system_header

#include <tessera/clang/sixteen_bits.cuh>

__TESSERA_SIXTEEN_BITS(__nv_bfloat16, __nv_bfloat162, bfloat16, "cvt.rn.bf16.f32",
                       "mov.b32 %0, {0, %1};")
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

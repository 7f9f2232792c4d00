// __half for Clang, which compiles without the CUDA Toolkit.
#pragma once
#pragma clang system_header

#include <tessera/clang/sixteen_bits.cuh>

__TESSERA_SIXTEEN_BITS(__half, __half2, half, "cvt.rn.f16.f32", "cvt.f32.f16 %0, %1;")
using half = __half;
using half2 = __half2;

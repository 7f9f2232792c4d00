// Hopper's tensor cores by the warpgroup: PTX's wgmma as functions, for bfloat16 in shared memory
// and sums in float. They exist only on cards with compute capability 9.0.
//
// A warpgroup is four warps, threads 128 i to 128 i + 127 of a block. All of them must call
// these functions together, but for fence_proxy_async(). A product runs on after the call: until
// wgmma_wait_group() has waited for it, nothing may touch its sums, nor write what it multiplies.
// PTX ISA 8.8, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
#pragma once

#include <cuda_bf16.h>

#include <tessera/lab.cuh>

/// Makes what this thread has written to shared memory, and copies that it has waited for, visible
/// to the tensor cores. A barrier must follow before other threads multiply it.
__device__ TESSERA_INLINE void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Orders the registers of the sums: before the first product, and after each change of them.
__device__ TESSERA_INLINE void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// The products since the last call become a group.
__device__ TESSERA_INLINE void wgmma_commit_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits until all groups but the last `kRunning` ones (0 to 7) have ended.
template <int kRunning>
__device__ TESSERA_INLINE void wgmma_wait_group() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kRunning) : "memory");
}

/// A barrier for `kThreads` threads of the block, a multiple of 32, which may stand in different
/// places of the code. They go on when all have come, and then see what all of them did before.
/// `kBarrier`, from 1 to 15, is its number; __syncthreads() is number 0. Whole warps must call it.
template <int kBarrier, int kThreads>
__device__ TESSERA_INLINE void named_barrier_sync() {
  asm volatile("barrier.cta.sync.aligned %0, %1;" ::"n"(kBarrier), "n"(kThreads) : "memory");
}

/// Describes a tile that begins at `tile` and is swizzled in rows of 128 bytes: 64 elements, in
/// eight pieces of 16 bytes, of which piece p of row r lies at place p ^ (r % 8). Tiles begin at a
/// multiple of 1,024 bytes, which is eight rows; `tile` may lie up to 128 bytes behind that, in the
/// first row. `stride` is the distance of one group of eight rows from the next, in bytes. A tile
/// whose rows run across the products' columns may have more than 64 of them: `leading` is the
/// distance from 64 columns to the next 64. For a tile whose rows run along k it has no meaning.
__device__ TESSERA_INLINE unsigned long long wgmma_descriptor(const __nv_bfloat16* tile,
                                                              unsigned leading, unsigned stride) {
  const unsigned long long begin = static_cast<unsigned>(__cvta_generic_to_shared(tile)) & 0x3ffffu;
  const unsigned long long rows_of_128_bytes = 1;
  return begin >> 4 | static_cast<unsigned long long>(leading >> 4) << 16 |
         static_cast<unsigned long long>(stride >> 4) << 32 | rows_of_128_bytes << 62;
}

/// C += A B for 64 x 16, 16 x 128 and 64 x 128 elements, by a warpgroup. `a` describes A, `b`
/// describes B which lies by rows. With g = l / 4 and t = l % 4, lane l of warp w (0 to 3) holds in
/// c[4 j + i] an element of row 16 w + g + 8 (i / 2) and column 8 j + 2 t + i % 2.
__device__ TESSERA_INLINE void wgmma_m64n128k16(float (&c)[64], unsigned long long a,
                                                unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1, 1, 1, 0, 1;"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]),
        "+f"(c[7]), "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]),
        "+f"(c[14]), "+f"(c[15]), "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]),
        "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]),
        "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]), "+f"(c[32]), "+f"(c[33]), "+f"(c[34]),
        "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]), "+f"(c[41]),
        "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]), "+f"(c[48]),
        "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
        "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]),
        "+f"(c[63])
      : "l"(a), "l"(b)
      : "memory");
}

/// C += A B for 64 x 16, 16 x 256 and 64 x 256 elements, by a warpgroup. `a` describes A, `b`
/// describes B which lies by rows. With g = l / 4 and t = l % 4, lane l of warp w (0 to 3) holds in
/// c[4 j + i] an element of row 16 w + g + 8 (i / 2) and column 8 j + 2 t + i % 2.
__device__ TESSERA_INLINE void wgmma_m64n256k16(float (&c)[128], unsigned long long a,
                                                unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
      "%127}, "
      "%128, %129, 1, 1, 1, 0, 1;"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]),
        "+f"(c[7]), "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]),
        "+f"(c[14]), "+f"(c[15]), "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]),
        "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]),
        "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]), "+f"(c[32]), "+f"(c[33]), "+f"(c[34]),
        "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]), "+f"(c[41]),
        "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]), "+f"(c[48]),
        "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
        "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]),
        "+f"(c[63]), "+f"(c[64]), "+f"(c[65]), "+f"(c[66]), "+f"(c[67]), "+f"(c[68]), "+f"(c[69]),
        "+f"(c[70]), "+f"(c[71]), "+f"(c[72]), "+f"(c[73]), "+f"(c[74]), "+f"(c[75]), "+f"(c[76]),
        "+f"(c[77]), "+f"(c[78]), "+f"(c[79]), "+f"(c[80]), "+f"(c[81]), "+f"(c[82]), "+f"(c[83]),
        "+f"(c[84]), "+f"(c[85]), "+f"(c[86]), "+f"(c[87]), "+f"(c[88]), "+f"(c[89]), "+f"(c[90]),
        "+f"(c[91]), "+f"(c[92]), "+f"(c[93]), "+f"(c[94]), "+f"(c[95]), "+f"(c[96]), "+f"(c[97]),
        "+f"(c[98]), "+f"(c[99]), "+f"(c[100]), "+f"(c[101]), "+f"(c[102]), "+f"(c[103]),
        "+f"(c[104]), "+f"(c[105]), "+f"(c[106]), "+f"(c[107]), "+f"(c[108]), "+f"(c[109]),
        "+f"(c[110]), "+f"(c[111]), "+f"(c[112]), "+f"(c[113]), "+f"(c[114]), "+f"(c[115]),
        "+f"(c[116]), "+f"(c[117]), "+f"(c[118]), "+f"(c[119]), "+f"(c[120]), "+f"(c[121]),
        "+f"(c[122]), "+f"(c[123]), "+f"(c[124]), "+f"(c[125]), "+f"(c[126]), "+f"(c[127])
      : "l"(a), "l"(b)
      : "memory");
}

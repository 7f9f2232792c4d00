// check: --kernel shifted_tile --grid 1 --block 128 --shared 9728 --arg float16[64,64]=integers
//        --arg float16[8,64]=integers --arg float32[64,8]=unwritten
// expect: misaligned -- 512 bytes of bias lie before A, so the tiles swizzled by 128 bytes begin at
//         512, not at a multiple of 1,024, and the base offset is 0; the rows are counted from the
//         tile's begin
// line: 27, 28, 29, 30, 31
#include <cuda_fp16.h>

extern __shared__ __align__(1024) unsigned char bytes[];

extern "C" __global__ void shifted_tile(const __half* a, const __half* b, float* c) {
  float* bias = reinterpret_cast<float*>(bytes);  // 128 floats.
  uint4* tile = reinterpret_cast<uint4*>(bytes + 512);
  bias[threadIdx.x] = 0.5f;
  for (int i = threadIdx.x; i < 576; i += 128) {
    const int row = i / 8, piece = i % 8;
    tile[row * 8 + (piece ^ row % 8)] =
        i < 512 ? reinterpret_cast<const uint4*>(a)[i] : reinterpret_cast<const uint4*>(b)[i - 512];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float s[4];
  for (int i = 0; i < 4; ++i) s[i] = bias[threadIdx.x % 4 * 2 + i % 2];
  const unsigned long long d = __cvta_generic_to_shared(tile) >> 4 | 64ull << 32 | 1ull << 62;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < 4; ++k) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(d + 2 * k), "l"(d + 512 + 2 * k)
        : "memory");
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    c[threadIdx.x / 32 * 128 + threadIdx.x % 32 * 2 + i / 2 * 64 + i % 2] = s[i];
  }
}

// check: --kernel unshifted --grid 1 --block 128 --arg bfloat16[64,16]=integers
//        --arg bfloat16[8,16]=integers --arg float32[64,8]=unwritten
// expect: out-of-bounds -- the descriptor's stride is given in bytes, not in units of 16 bytes: the
//         second eight rows of A would lie 4,096 bytes on, past the end of the tile
// line: 22, 23, 24, 25, 26
#include <cuda_bf16.h>

__device__ unsigned long long describe(const void* tile, unsigned long long stride) {
  return __cvta_generic_to_shared(tile) >> 4 | stride << 32 | 3ull << 62;
}

extern "C" __global__ void unshifted(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(256) uint4 right_piece[16];
  __shared__ alignas(256) uint4 left_piece[128];
  const int i = threadIdx.x;
  left_piece[i ^ (i / 8 & 1)] = reinterpret_cast<const uint4*>(a)[i];
  if (i < 16) right_piece[i ^ i / 8] = reinterpret_cast<const uint4*>(b)[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float v[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
      : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3])
      : "l"(describe(left_piece, 256)), "l"(describe(right_piece, 256))
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  float2* o = reinterpret_cast<float2*>(c) + i / 32 * 64 + i % 32;
  o[0] = make_float2(v[0], v[1]);
  o[32] = make_float2(v[2], v[3]);
}

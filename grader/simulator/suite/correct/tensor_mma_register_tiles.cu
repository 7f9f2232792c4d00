// check: --kernel Multiply --grid 1,2 --block 128 --arg bfloat16[4096]=index
//        --arg bfloat16[2048]=index --arg float32[128,32]=unwritten
// only with: nvrtc
// Four warps in a column; each holds 16 x 32 results in registers and reuses its left fragment.
#include <cuda_bf16.h>

__device__ void LoadFourTiles(unsigned (&tiles)[4], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

__device__ void LoadTwoTilesTransposed(unsigned (&tiles)[2], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(tiles[0]), "=r"(tiles[1])
               : "r"(address)
               : "memory");
}

__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

constexpr int kDepth = 32;

__global__ void __launch_bounds__(128)
    Multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ alignas(16) __nv_bfloat16 as[64 * 40];
  __shared__ alignas(16) __nv_bfloat16 bs[32 * 40];
  const int tid = threadIdx.x;
  const int lane = tid & 31;
  const int warp = tid >> 5;
#pragma unroll
  for (int e = tid; e < 64 * 4; e += 128) {
    const uint4 chunk =
        *reinterpret_cast<const uint4*>(a + (blockIdx.y * 64 + e / 4) * kDepth + e % 4 * 8);
    *reinterpret_cast<uint4*>(as + e / 4 * 40 + e % 4 * 8) = chunk;
  }
  *reinterpret_cast<uint4*>(bs + tid / 4 * 40 + tid % 4 * 8) =
      reinterpret_cast<const uint4*>(b)[tid];
  __syncthreads();
  float d[4][4] = {};
#pragma unroll
  for (int i = 0; i < kDepth; i += 16) {
    unsigned left[4];
    LoadFourTiles(left, as + (warp * 16 + (lane & 15)) * 40 + i + (lane >> 4) * 8);
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      unsigned right[2];
      LoadTwoTilesTransposed(right, bs + (i + (lane & 15)) * 40 + n * 8);
      MultiplyAdd(d[n], left, right);
    }
  }
  for (int n = 0; n < 4; ++n) {
    float* out = c + (blockIdx.y * 64 + warp * 16 + lane / 4) * 32 + n * 8 + lane % 4 * 2;
    *reinterpret_cast<float2*>(out) = {d[n][0], d[n][1]};
    *reinterpret_cast<float2*>(out + 256) = {d[n][2], d[n][3]};
  }
}

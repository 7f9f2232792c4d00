// check: --kernel Multiply --grid 2 --block 32 --arg bfloat16[512]=index --arg bfloat16[128]=index
//        --arg float32[32,8]=unwritten
// only with: nvrtc
// C = A^T * B: the left tile is stored by k, and ldmatrix.x4.trans turns it.
#include <cuda_bf16.h>

__device__ void LoadFourTilesTransposed(unsigned (&tiles)[4], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
               : "r"(address)
               : "memory");
}

__device__ void LoadTileTransposed(unsigned (&tiles)[1], const void* row) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(tiles[0])
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

__global__ void Multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ uint4 as[16][3];
  __shared__ uint4 bs[16];
  const int lane = threadIdx.x;
  as[lane / 2][lane % 2] =
      reinterpret_cast<const uint4*>(a)[lane / 2 * 4 + blockIdx.x * 2 + lane % 2];
  if (lane < 16) bs[lane] = reinterpret_cast<const uint4*>(b)[lane];
  __syncwarp();
  unsigned left[4], upper[1], lower[1];
  LoadFourTilesTransposed(left, &as[lane % 8 + lane / 16 * 8][lane / 8 % 2]);
  LoadTileTransposed(upper, &bs[lane % 8]);
  LoadTileTransposed(lower, &bs[lane % 8 + 8]);
  const unsigned right[2] = {upper[0], lower[0]};
  float d[4] = {};
  MultiplyAdd(d, left, right);
  for (int j = 0; j < 4; ++j)
    c[(blockIdx.x * 16 + lane / 4 + j / 2 * 8) * 8 + lane % 4 * 2 + j % 2] = d[j];
}
